-- Learners and transforms in Lua with parameters, transforms of plugins before and after them, and searches over
-- everything that is a learner.
local lu = require "luaunit"
local cf = require "crossfold"
local fixtures = require "fixtures"

local folds = cf.splitter("kfold", { folds = 5, stratify = true })

-- The class of the nearest mean over the first `k` features, with probabilities.
local function nearest_mean(params)
  return cf.learner {
    name = "means", params = params or { k = { type = "integer", low = 1, high = 4, default = 1 } },
    fit = function(data, context)
      local state = { names = {}, means = {}, classes = data:classes() }
      for j = 1, context.params.k do state.names[j] = data:features()[j] end
      local target, counts = data:target(), {}
      for _, class in ipairs(state.classes) do counts[class], state.means[class] = 0, {} end
      for _, class in ipairs(target) do counts[class] = counts[class] + 1 end
      for j, name in ipairs(state.names) do
        for _, class in ipairs(state.classes) do state.means[class][j] = 0 end
        for i, value in ipairs(data:column(name)) do
          local means = state.means[target[i]]
          means[j] = means[j] + value / counts[target[i]]
        end
      end
      return state
    end,
    predict = function(state, data)
      local probabilities, columns = {}, {}
      for j, name in ipairs(state.names) do columns[j] = data:column(name) end
      for i = 1, #data do
        local row, total = {}, 0
        for c, class in ipairs(state.classes) do
          local distance = 0
          for j = 1, #columns do distance = distance + (columns[j][i] - state.means[class][j]) ^ 2 end
          row[c] = math.exp(-distance)
          total = total + row[c]
        end
        for c = 1, #row do row[c] = row[c] / total end
        probabilities[i] = row
      end
      return { probabilities = probabilities }
    end,
  }
end

-- A learner that calls see(rows) with its training rows and always says the first class.
local function first_class(name, see)
  return cf.learner { name = name,
    fit = function(data)
      see(data)
      return data:classes()[1]
    end,
    predict = function(class, data) return fixtures.repeated(class, #data) end }
end

local function accuracy(value, data, seed)
  local result = cf.evaluate { data = data or fixtures.iris(), learners = { m = value }, splitter = folds,
    metrics = "accuracy", seed = seed or 1 }
  lu.assertEquals(result:failures(), {})
  return result:summary()[1].mean
end

TestParameters = {}

function TestParameters:test_a_learner_in_lua_has_its_parameters_in_its_name_and_context()
  local mine = nearest_mean()
  lu.assertEquals(tostring(mine), "means")
  lu.assertEquals(tostring(mine:with { k = 3 }), "means{k=3}")
  lu.assertTrue(accuracy(mine:with { k = 4 }) > accuracy(mine))
end

function TestParameters:test_a_value_out_of_range_is_refused_as_a_plugin_would()
  lu.assertStrContains(fixtures.message(function() nearest_mean():with { k = 0 } end),
    "k = 0 is out of range; it must be an integer in [1, 4]")
  lu.assertStrContains(fixtures.message(function() nearest_mean():with { kk = 1 } end),
    "unknown parameter 'kk'; did you mean 'k'? known: k")
end

function TestParameters:test_an_unsound_declaration_is_refused()
  lu.assertStrContains(fixtures.message(nearest_mean, { k = { type = "integer", low = 1, default = 0 } }),
    "cannot declare learner 'means': parameter 'k': its default is refused: k = 0 is out of range")
  lu.assertStrContains(fixtures.message(nearest_mean, { k = { type = "number", default = 0 } }),
    "learner: parameter 'k': type = 'number' is not one of real, integer, boolean, choice, string")
  lu.assertStrContains(fixtures.message(nearest_mean, { k = { type = "integer" } }), "option 'default' is missing")
end

function TestParameters:test_a_default_shows_the_type()
  local one = cf.learner { name = "one", fit = function() end, predict = function() end, params = {
    k = { default = 3 }, width = { default = 0.5 }, robust = { default = true } } }
  lu.assertStrContains(fixtures.message(function() one:with { k = 2.5 } end),
    "k = 2.5 is of the wrong type; it must be an integer")
  lu.assertEquals(tostring(one:with { k = 4, width = 1, robust = false }), "one{k=4,robust=false,width=1}")
end

function TestParameters:test_a_choice_has_a_condition()
  local one = cf.learner { name = "one", fit = function() end, predict = function() end, params = {
    kernel = { choices = { "box", "gauss" }, default = "box" },
    width = { type = "real", low = 0, low_open = true, default = 1, active_if = "kernel=gauss" } } }
  lu.assertStrContains(fixtures.message(function() one:with { width = 2 } end),
    "'width' has no effect while kernel = box; it needs kernel = gauss")
  lu.assertEquals(tostring(one:with { kernel = "gauss", width = 2 }), "one{kernel=gauss,width=2}")
end

TestPipelines = {}

function TestPipelines:test_a_transform_of_a_plugin_stands_before_a_learner_in_lua()
  local seen
  local probe = first_class("probe", function(data) seen = data:column("petal length (cm)") end)
  local value = cf.pipeline { "standardize", probe }
  lu.assertEquals(tostring(value), "standardize|probe")
  value:fit(fixtures.iris(), { seed = 1 })
  local sum, squares = 0, 0
  for _, x in ipairs(seen) do sum, squares = sum + x, squares + x * x end
  lu.assertAlmostEquals(sum, 0, 1e-9)
  lu.assertTrue(math.abs(squares / #seen - 1) < 0.01)
end

function TestPipelines:test_rows_are_transformed_as_a_plugin_learner_sees_them()
  local data = fixtures.iris()
  local transforms = { "standardize", cf.transform("pca", { components = 2 }) }
  local by_lua = cf.learner { name = "knn_in_lua",
    fit = function(rows) return cf.learner("knn", { k = 3 }):fit(rows, { seed = 1 }) end,
    predict = function(model, rows) return model:predict(rows):labels() end }
  local a = cf.pipeline { transforms[1], transforms[2], by_lua }:fit(data, { seed = 1 }):predict(data)
  local b = cf.pipeline { transforms[1], transforms[2], cf.learner("knn", { k = 3 }) }:fit(data, { seed = 1 })
    :predict(data)
  lu.assertEquals(a:labels(), b:labels())
  lu.assertEquals(a:row_ids(), b:row_ids())
end

function TestPipelines:test_a_transform_that_gets_no_column_leaves_the_rows_as_they_are()
  local data, seen = fixtures.iris(), nil
  local spy = first_class("spy", function(rows) seen = rows:column("petal length (cm)") end)
  local none = cf.transform("standardize", { columns = "no_such_*" })
  local last = data:select { 101, 149, 3 }
  cf.pipeline { none, spy }:fit(last, { seed = 1 })
  lu.assertEquals(seen, last:column("petal length (cm)"))
end

function TestPipelines:test_types_levels_and_missing_entries_pass_through_a_transform()
  local penguins = cf.read(fixtures.folder .. "/penguins.csv", { target = "species" })
  local columns = {}
  local spy = first_class("spy", function(data)
    for _, name in ipairs(data:features()) do columns[name] = data:column(name) end
  end)
  cf.pipeline { "standardize", spy }:fit(penguins, { seed = 1 })
  lu.assertEquals(columns.sex, penguins:column("sex"))
  lu.assertEquals(columns.island, penguins:column("island"))
end

function TestPipelines:test_resampled_rows_reach_a_learner_in_lua()
  local data, counts = cf.read(fixtures.folder .. "/breast_cancer.csv", { target = "class" }), {}
  local counter = first_class("counter", function(rows)
    for _, class in ipairs(rows:target()) do counts[class] = (counts[class] or 0) + 1 end
    lu.assertEquals(#rows:column(rows:features()[1]), #rows)
  end)
  cf.pipeline { "smote", counter }:fit(data, { seed = 1 })
  local classes = data:classes()
  lu.assertEquals(counts[classes[1]], counts[classes[2]])
end

function TestPipelines:test_transforms_of_both_kinds_stand_in_any_order()
  local half = cf.transform { name = "half",
    fit = function() end,
    apply = function(_, data)
      local list = {}
      for j, name in ipairs(data:features()) do
        local values = data:column(name)
        for i, x in ipairs(values) do values[i] = x / 2 end
        list[j] = { name = "half " .. name, values = values }
      end
      return list
    end }
  local plain = accuracy(cf.pipeline { "standardize", "naive_bayes" })
  lu.assertEquals(accuracy(cf.pipeline { "standardize", half, "min_max", "naive_bayes" }), plain)
  lu.assertEquals(tostring(cf.pipeline { "standardize", half, "min_max", "naive_bayes" }),
    "standardize|half|min_max|naive_bayes")
end

function TestPipelines:test_a_wrong_step_is_told()
  local mine = nearest_mean()
  lu.assertStrContains(fixtures.message(cf.pipeline, { mine, "knn" }),
    "pipeline: step 1 is 'means', a learner; the learner is the last step before those that adjust its predictions")
  local same = cf.transform { name = "same", fit = function() end, apply = function(_, d) return d:features() end }
  lu.assertStrContains(fixtures.message(cf.pipeline, { "standardize", same }),
    "pipeline: step 2 is 'same', a transform; the last step must be a learner")
  lu.assertStrContains(fixtures.message(cf.pipeline, { 5, mine }), "pipeline: step 1 is not a transform, but a number")
end

function TestPipelines:test_a_threshold_and_a_calibration_stand_behind_a_learner_in_lua()
  local data = cf.read(fixtures.folder .. "/breast_cancer.csv", { target = "class" })
  local value = cf.pipeline { "standardize", nearest_mean(), cf.calibration { method = "platt" },
    cf.threshold { metric = "f1" } }
  lu.assertTrue(accuracy(value, data) > 0.8)
end

TestSearches = {}

local function search(value, grid, more)
  return cf.grid_search(fixtures.with({ learner = value, grid = grid, splitter = folds, metric = "accuracy" }, more))
end

local function chosen(value, data, seed)
  local _, detail = value:fit(data or fixtures.iris(), { seed = seed or 1 })
  return detail
end

function TestSearches:test_a_learner_in_lua_is_searched()
  local detail = chosen(search(nearest_mean(), { k = { 1, 2, 3, 4 } }))
  lu.assertTrue(detail.chosen.k >= 3)
  lu.assertEquals(#detail.inner, 4)
  for _, entry in ipairs(detail.inner) do lu.assertNil(entry.failure) end
end

function TestSearches:test_inner_scores_are_those_of_an_evaluation_of_each_setting()
  local data = fixtures.iris()
  local splits = cf.splitter("kfold", { folds = 3, shuffle = false })
  local detail = chosen(cf.grid_search { learner = nearest_mean(), grid = { k = { 1, 4 } }, splitter = splits,
    metric = "accuracy" }, data)
  for _, entry in ipairs(detail.inner) do
    local result = cf.evaluate { data = data, learners = { m = nearest_mean():with(entry.params) }, splitter = splits,
      metrics = "accuracy" }
    lu.assertAlmostEquals(entry.mean, result:summary()[1].mean, 1e-12)
  end
end

function TestSearches:test_steps_of_a_pipeline_with_lua_parts_are_searched_by_their_names()
  local value = cf.pipeline { cf.transform("pca", { components = 2 }), nearest_mean({ k = { type = "integer", low = 1,
    default = 1 } }) }
  local detail = chosen(search(value, { components = { 1, 2 }, ["means.k"] = { 1 } }))
  lu.assertEquals(detail.inner[1].candidate, "pca{components=1}|means{k=1}")
  lu.assertEquals(detail.inner[2].params, { components = 2, ["means.k"] = 1 })
end

function TestSearches:test_a_transform_in_lua_has_parameters()
  local scale = cf.transform { name = "scale", params = { by = { type = "real", default = 1 } },
    fit = function(_, context) return context.params.by end,
    apply = function(by, data)
      local list = {}
      for j, name in ipairs(data:features()) do
        local values = data:column(name)
        for i, x in ipairs(values) do values[i] = j == 1 and x * by or x end
        list[j] = { name = "x" .. j, values = values }
      end
      return list
    end }
  local detail = chosen(search(cf.pipeline { scale, cf.learner("knn", { k = 5 }) }, { by = { 1, 1000 } }))
  lu.assertEquals(detail.chosen, { by = 1 })
  lu.assertTrue(detail.inner[1].mean > detail.inner[2].mean + 0.1)
end

function TestSearches:test_members_of_an_ensemble_are_searched()
  local value = cf.voting { learners = { "knn", "decision_tree" } }
  local detail = chosen(search(value, { k = { 1, 15 }, ["2.max_depth"] = { 1, 3 } }))
  lu.assertEquals(#detail.inner, 4)
  lu.assertEquals(detail.inner[1].candidate, "voting{knn{k=1}, decision_tree{max_depth=1}}")
  local own = chosen(search(cf.bagging { learner = "decision_tree", n = 3 }, { n = { 2, 5 }, max_depth = { 2 } }))
  lu.assertEquals(own.inner[2].candidate, "bagging{decision_tree{max_depth=2}, n=5}")
end

function TestSearches:test_an_ambiguous_name_needs_its_part()
  local value = cf.voting { learners = { "knn", cf.pipeline { "standardize", "knn" } } }
  lu.assertStrContains(fixtures.message(search, value, { k = { 1 } }),
    "parameter 'k' is ambiguous: 1.k of knn, 2.k of knn")
  lu.assertStrContains(fixtures.message(search, value, { ["knn.k"] = { 1 } }),
    "parameter 'knn.k' is ambiguous: 1.k of knn, 2.k of knn")
  local three = cf.pipeline { "impute", "standardize", cf.voting { learners = { "knn", "knn", "decision_tree" } } }
  lu.assertStrContains(fixtures.message(search, three, { ["3.k"] = { 1 } }), "unknown parameter '3.k'")
  lu.assertEquals(#search(value, { ["2.k"] = { 1, 3 } }).search.candidates, 2)
  lu.assertStrContains(fixtures.message(search, value, { kk = { 1 } }),
    "unknown parameter 'kk'")
end

function TestSearches:test_a_thresholded_pipeline_is_searched()
  local data = cf.read(fixtures.folder .. "/breast_cancer.csv", { target = "class" })
  local value = cf.pipeline { "standardize", cf.learner("knn", { k = 5 }), cf.threshold { metric = "f1" } }
  local detail = chosen(search(value, { k = { 1, 15 } }), data)
  lu.assertEquals(#detail.inner, 2)
  lu.assertNotNil(detail.learner.threshold)
end

function TestSearches:test_other_kinds_of_search_take_composites()
  local value = nearest_mean()
  local drawn = cf.random_search { learner = value, space = { k = "declared" }, candidates = 6, splitter = folds,
    metric = "accuracy" }
  lu.assertTrue(chosen(drawn).chosen.k >= 2)
  local halved = cf.halving_search { learner = value, grid = { k = { 1, 2, 3, 4 } }, factor = 2, min_resource = 0.25,
    splitter = folds, metric = "accuracy" }
  lu.assertTrue(chosen(halved).chosen.k >= 2)
  local raced = cf.race_search { learner = value, grid = { k = { 1, 4 } }, splitter = folds, metric = "accuracy" }
  lu.assertEquals(chosen(raced).chosen.k, 4)
end

function TestSearches:test_a_validation_curve_varies_a_parameter_in_lua()
  local curve = cf.validation_curve { data = fixtures.iris(), learner = nearest_mean(), parameter = "k",
    values = { 1, 4 }, splitter = folds, metric = "accuracy" }
  local rows = curve:summary()
  lu.assertTrue(rows[2].mean > rows[1].mean)
end

function TestSearches:test_workers_do_not_change_the_choice()
  local function detail_of(workers)
    local result = cf.evaluate { data = fixtures.iris(), splitter = folds, metrics = "accuracy", seed = 3,
      workers = workers,
      learners = { s = search(cf.pipeline { "standardize", nearest_mean() }, { k = { 1, 2, 4 } }) } }
    return tostring(result:tuning()), tostring(result)
  end
  lu.assertEquals({ detail_of(1) }, { detail_of(3) })
end

function TestSearches:test_what_a_search_does_not_vary_can_be_changed()
  local by_k = search("knn", { k = { 1, 3 } })
  lu.assertEquals(tostring(by_k:with { distance = "manhattan" }),
    "grid_search{knn{distance=manhattan}, 2 candidates}")
  local either = cf.choice { near = by_k, bayes = "naive_bayes" }
  lu.assertEquals(tostring(either:with { choice = "near", ["near.distance"] = "manhattan" }),
    "grid_search{knn{distance=manhattan}, 2 candidates}")
end

TestChoice = {}

function TestChoice:test_a_search_chooses_among_learners()
  local value = cf.choice { near = "knn", tree = "decision_tree" }
  local made = search(value, { { choice = { "near" }, ["near.k"] = { 1, 5 } },
    { choice = { "tree" }, ["tree.max_depth"] = { 1, 2 } } })
  local _, detail = made:fit(fixtures.iris(), { seed = 1 })
  lu.assertEquals(#detail.inner, 4)
  lu.assertEquals(detail.inner[1].candidate, "knn{k=1}")
  lu.assertEquals(detail.inner[4].params, { choice = "tree", ["tree.max_depth"] = 2 })
end

function TestChoice:test_parameters_of_another_learner_are_dropped_on_request()
  local value = cf.choice { near = "knn", tree = "decision_tree" }
  local grid = { choice = { "near", "tree" }, ["near.k"] = { 1, 5 }, max_depth = { 1, 2 } }
  lu.assertStrContains(fixtures.message(search, value, grid), "'max_depth' has no effect in choice{choice=near}")
  lu.assertEquals(fixtures.column(search(value, grid, { inactive = "drop" }).candidates, "name"),
    { "knn{k=1}", "knn{k=5}", "decision_tree{max_depth=1}", "decision_tree{max_depth=2}" })
end

function TestChoice:test_native_learners_run_as_native_cells()
  local data, value = fixtures.iris(), cf.choice { near = "knn", tree = "decision_tree" }
  local by_choice = chosen(search(value, { { choice = { "near" }, ["near.k"] = { 1, 5 } } }), data)
  local directly = chosen(search("knn", { k = { 1, 5 } }), data)
  lu.assertEquals(by_choice.mean, directly.mean)
  lu.assertEquals(by_choice.candidate, directly.candidate)
end

function TestChoice:test_an_open_choice_cannot_be_fitted()
  local value = cf.choice { near = "knn", tree = "decision_tree" }
  lu.assertStrContains(fixtures.message(function() value:fit(fixtures.iris()) end),
    "cannot fit 'choice{near=knn,tree=decision_tree}': none of its learners is chosen; give it to a search, or choose "
    .. "one with :with{ choice = \"near\" }")
  lu.assertEquals(tostring(value:with { choice = "tree", max_depth = 2 }), "decision_tree{max_depth=2}")
  lu.assertStrContains(fixtures.message(cf.choice, { "knn", "decision_tree" }), "name every learner")
end

function TestChoice:test_transforms_stand_before_a_choice()
  local value = cf.pipeline { "standardize", cf.choice { near = "knn", means = nearest_mean() } }
  local detail = chosen(search(value, { choice = { "means", "near" } }))
  lu.assertEquals(detail.inner[1].candidate, "standardize|means")
  lu.assertEquals(detail.inner[2].candidate, "standardize|knn")
end
