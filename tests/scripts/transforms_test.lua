local lu = require "luaunit"
local cf = require "crossfold"
local fixtures = require "fixtures"

TestTransforms = {}

local fivefold = cf.splitter("kfold", { folds = 5, shuffle = false })
local threefold = cf.splitter("kfold", { folds = 3 })

local function nested_search(grid)
  return cf.grid_search {
    learner  = cf.pipeline { "standardize", cf.transform("pca"), "knn" },
    grid     = grid,
    splitter = threefold,
    metric   = "accuracy",
  }
end

function TestTransforms:test_a_grid_reaches_into_the_steps_of_a_pipeline()
  local search = nested_search { ["pca.components"] = { 1, 2, 3 }, ["knn.k"] = { 1, 3 } }
  local result = cf.evaluate { data = fixtures.iris(), learners = { nested = search },
    splitter = threefold, metrics = "accuracy" }
  local tuning = result:tuning("nested")
  lu.assertEquals(#tuning, 3)
  lu.assertEquals(fixtures.column(tuning[1].inner, "candidate"), {
    "standardize|pca{components=1}|knn{k=1}", "standardize|pca{components=2}|knn{k=1}",
    "standardize|pca{components=3}|knn{k=1}", "standardize|pca{components=1}|knn{k=3}",
    "standardize|pca{components=2}|knn{k=3}", "standardize|pca{components=3}|knn{k=3}",
  })
  for _, fold in ipairs(tuning) do
    lu.assertEquals(fold.candidate, ("standardize|pca{components=%d}|knn{k=%d}"):format(
      fold.chosen["pca.components"], fold.chosen["knn.k"]))
  end
  lu.assertEquals(tuning[1].inner[5].params, { ["pca.components"] = 2, ["knn.k"] = 3 })
end

function TestTransforms:test_nested_names_are_checked_when_the_search_is_made()
  local message = fixtures.message(nested_search,
    { ["pca.component"] = { 1 }, ["knn.kk"] = { 1 }, ["pcb.components"] = { 1 } })
  lu.assertStrContains(message, "unknown parameter 'pca.component'")
  lu.assertStrContains(message, "unknown parameter 'knn.kk'")
  lu.assertStrContains(message, "unknown parameter 'pcb.components'")
  lu.assertStrContains(fixtures.message(nested_search, { ["pca.components"] = { 0 } }),
    "components = 0 is out of range")
end

function TestTransforms:test_a_candidate_that_a_transform_refuses_is_out_with_its_reason()
  local _, detail = nested_search { ["pca.components"] = { 9, 2 } }
    :fit(fixtures.iris(), { seed = 1 })
  lu.assertEquals(detail.chosen, { ["pca.components"] = 2 })
  lu.assertEquals(detail.inner[1].failure, "check pca: components = 9 exceeds the 4 that the rows and "
    .. "numeric features allow")
end

-- The penguins, with other features in one row.
local function penguins(changed_row, changes)
  local original = cf.read(fixtures.folder .. "/penguins.csv", { target = "species" })
  local columns = {}
  for i, name in ipairs(original:features()) do
    local values = original:column(name)
    if changed_row then values[changed_row] = changes[name] end
    columns[i] = { name = name, values = values }
  end
  columns[#columns + 1] = { name = "species", values = original:target() }
  return cf.dataset { name = "penguins", target = "species", columns = columns }
end

-- What is predicted for the rows of the fold of `row`, other than itself; and for those of other
-- folds, which have it among their training rows.
local function other_predictions(learner, data, row)
  local result = cf.evaluate { data = data, learners = { it = learner }, splitter = fivefold,
    metrics = "accuracy", keep = "probabilities" }
  local predictions, fold = result:predictions(), nil
  for _, p in ipairs(predictions) do
    if p.row == row then fold = p.fold end
  end
  local tested, trained = {}, {}
  for _, p in ipairs(predictions) do
    if p.row ~= row then
      local list = p.fold == fold and tested or trained
      list[#list + 1] = { row = p.row, predicted = p.predicted, probabilities = p.probabilities }
    end
  end
  lu.assertTrue(#tested > 60 and #trained > 200)
  return tested, trained
end

local pipelines = {
  { cf.transform("impute", { indicator = true }), cf.transform("one_hot", { levels = "seen" }),
    "standardize", cf.transform("pca", { variance = 0.9 }), "knn" },
  { cf.transform("impute", { numeric = "median", categorical = "constant" }), "ordinal",
    cf.transform("min_max", { clip = true }),
    cf.transform("select", { method = "mutual_information", k = 3 }), "knn" },
  { "impute", "discretize", cf.transform("select", { method = "chi_squared", k = 2 }),
    "naive_bayes" },
  { "impute", "one_hot", cf.transform("power", { standardize = true }), "robust", "knn" },
}

-- Were a transform fitted on test rows too, an outlier among them would move its means, ranges,
-- axes, cuts or choice, and with them the predictions of its neighbours.
function TestTransforms:test_what_a_test_row_holds_does_not_change_the_predictions_of_others()
  local row = 100
  local odd = { island = "Torgersen", bill_length_mm = 9e5, bill_depth_mm = -7e4,
    flipper_length_mm = cf.null, body_mass_g = 1, sex = cf.null, year = 12 }
  local plain, changed = penguins(), penguins(row, odd)
  lu.assertNotEquals(plain:hash(), changed:hash())
  for _, steps in ipairs(pipelines) do
    local learner = cf.pipeline(steps)
    local tested, trained = other_predictions(learner, plain, row)
    local tested_then, trained_then = other_predictions(learner, changed, row)
    lu.assertEquals(tested_then, tested)
    lu.assertNotEquals(trained_then, trained)
  end
end

function TestTransforms:test_a_search_over_transforms_does_not_look_at_test_rows_either()
  local row = 100
  local search = cf.grid_search { learner = cf.pipeline(pipelines[2]), splitter = threefold,
    metric = "accuracy", grid = { ["select.k"] = { 1, 3 }, ["impute.numeric"] = { "mean", "median" } } }
  local odd = { island = "Dream", bill_length_mm = 1e6, bill_depth_mm = cf.null,
    flipper_length_mm = -1e6, body_mass_g = cf.null, sex = "male", year = 1 }
  local tested, trained = other_predictions(search, penguins(), row)
  local tested_then, trained_then = other_predictions(search, penguins(row, odd), row)
  lu.assertEquals(tested_then, tested)
  lu.assertNotEquals(trained_then, trained)
end

function TestTransforms:test_a_row_of_weight_two_is_a_row_twice()
  local x, y, w, n = { 1.5, 5, 2, 9, 4, 7 }, { "a", "b", "a", "b", "a", "b" }, { 1, 2, 3, 1, 2, 1 }, 6
  local repeated_x, repeated_y = {}, {}
  for i = 1, n do
    for _ = 1, w[i] do
      repeated_x[#repeated_x + 1], repeated_y[#repeated_y + 1] = x[i], y[i]
    end
  end
  local weighted = cf.dataset { name = "weighted", target = "y", weights = "w", columns = {
    { name = "x", values = x }, { name = "w", values = w }, { name = "y", values = y } } }
  local repeated = cf.dataset { name = "repeated", target = "y", columns = {
    { name = "x", values = repeated_x }, { name = "y", values = repeated_y } } }
  local questions = cf.dataset { name = "questions",
    columns = { { name = "x", values = { 0, 3, 4.5, 6, 20 } } } }
  for _, transform in ipairs { "standardize", "robust",
    cf.transform("discretize", { method = "equal_frequency", bins = 2 }) } do
    local learner = cf.pipeline { transform, "naive_bayes" }
    local a = learner:fit(weighted):predict(questions):probabilities()
    local b = learner:fit(repeated):predict(questions):probabilities()
    for i, row in ipairs(a) do
      for class, p in pairs(row) do lu.assertAlmostEquals(p, b[i][class], 1e-9) end
    end
  end
end
