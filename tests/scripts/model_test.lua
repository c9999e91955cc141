local lu = require "luaunit"
local cf = require "crossfold"
local fixtures = require "fixtures"

local path = os.tmpname()

local function write(text)
  local file = assert(io.open(path, "wb"))
  assert(file:write(text))
  assert(file:close())
  return path
end

-- Classes that are numbers, a category that looks like a number, 8 rows.
local function numbered()
  return cf.dataset {
    name = "numbered", target = "digit",
    columns = {
      { name = "zone", values = { 1, 2, 10, 1, 2, 10, 1, 2 }, type = "categorical" },
      { name = "size", values = { 1.5, 2, 3, 4, 5, 6, 7, 8 } },
      { name = "digit", values = { 9, 10, 10, 9, 10, 10, 9, 10 }, type = "categorical" },
    },
  }
end

TestModel = {}

function TestModel:tearDown() os.remove(path) end

function TestModel:test_a_loaded_model_predicts_the_same()
  local iris = fixtures.iris()
  local model = cf.pipeline { "standardize", "featureless" }:fit(iris, { seed = 5 })
  model:save(path)
  local loaded = cf.load(path)
  lu.assertEquals(tostring(loaded), "model of standardize|featureless")
  lu.assertEquals(loaded:predict(iris):probabilities(), model:predict(iris):probabilities())
  lu.assertEquals(loaded:predict(iris):labels(), model:predict(iris):labels())
end

function TestModel:test_a_loaded_model_tells_what_it_is()
  cf.pipeline { cf.transform("standardize", { scale = false }), "featureless" }
    :fit(fixtures.iris()):save(path)
  local model = cf.load(path)
  lu.assertEquals(model:classes(), { "setosa", "versicolor", "virginica" })
  lu.assertEquals(model:target(), "class")
  lu.assertEquals(#model:features(), 4)
  lu.assertEquals(tostring(model:learner()), "standardize{scale=false}|featureless")
  lu.assertEquals(model:export_formats(), { "onnx" })
end

function TestModel:test_a_prediction_says_what_it_holds()
  local data = numbered()
  lu.assertEquals(tostring(cf.learner("naive_bayes"):fit(data):predict(data)),
    "prediction of 8 rows: labels, probabilities")
  local numbers = cf.dataset { name = "n", target = "y", columns = {
    { name = "x", values = { 1, 2, 3 } }, { name = "y", values = { 2, 4, 6 } } } }
  lu.assertEquals(tostring(cf.learner("featureless"):fit(numbers):predict(numbers:select { 2 })),
    "prediction of 1 row: values")
end

function TestModel:test_the_learner_of_a_model_can_be_fitted_again()
  cf.learner("featureless"):fit(fixtures.iris()):save(path)
  local again = cf.load(path):learner():fit(fixtures.separable())
  lu.assertEquals(again:classes(), { "high", "low" })
end

function TestModel:test_a_loaded_model_is_scored_like_any_other()
  cf.learner("featureless"):fit(fixtures.iris()):save(path)
  local prediction = cf.load(path):predict(fixtures.iris())
  lu.assertEquals(prediction:classes(), { "setosa", "versicolor", "virginica" })
  lu.assertEquals(prediction:truth()[150], "virginica")
  lu.assertAlmostEquals(require("crossfold.native").score(cf.metric("accuracy"), prediction), 1 / 3,
    1e-12)
end

function TestModel:test_the_fit_of_a_search_can_be_saved()
  local search = cf.grid_search {
    learner = cf.pipeline { "standardize", "featureless" }, grid = { scale = { false, true } },
    splitter = cf.splitter("kfold", { folds = 3 }), metric = "accuracy",
  }
  local model, detail = search:fit(fixtures.iris(), { seed = 1 })
  model:save(path)
  lu.assertEquals(tostring(cf.load(path):learner()), detail.candidate)
end

function TestModel:test_regression_values_come_back()
  local data = cf.dataset { name = "line", target = "y", columns = {
    { name = "x", values = { 1, 2, 3 } }, { name = "y", values = { 1, 2, 6 } } } }
  cf.learner("featureless"):fit(data):save(path)
  local model = cf.load(path)
  lu.assertEquals(model:classes(), {})
  lu.assertEquals(model:predict(data:without_target()):values(), { 3, 3, 3 })
end

function TestModel:test_like_reads_a_file_with_the_types_of_the_training_data()
  local model = cf.learner("featureless"):fit(numbered())
  local rows = cf.read(write("note,size,zone\nhello,1,10\nthere,2,2\n"), { like = model })
  lu.assertEquals(rows:task(), "none")
  lu.assertEquals(rows:column("zone"), { "10", "2" })
  lu.assertEquals(rows:column("size"), { 1.0, 2.0 })
  lu.assertEquals(model:predict(rows):labels(), { "10", "10" })
end

-- The file has the classes in another order and lacks one; what is scored is the same target.
function TestModel:test_like_gives_the_target_the_classes_of_the_model()
  local model = cf.learner("featureless"):fit(numbered())
  local rows = cf.read(write("digit,size,zone\n10,1,10\n10,2,2\n"),
    { like = model, target = "digit" })
  lu.assertEquals(rows:classes(), { "9", "10" })
  lu.assertEquals(require("crossfold.native").score(cf.metric("accuracy"), model:predict(rows)), 1)
end

function TestModel:test_types_come_before_like()
  local model = cf.learner("featureless"):fit(numbered())
  local rows = cf.read(write("zone\n1\n2\n"), { like = model, types = { zone = "i64" } })
  lu.assertEquals(rows:column("zone"), { 1, 2 })
end

function TestModel:test_like_names_the_cell_that_does_not_fit()
  local model = cf.learner("featureless"):fit(numbered())
  write("size,zone\n1,1\nbig,2\n")
  lu.assertEquals(fixtures.message(cf.read, path, { like = model }),
    ("cannot read '%s': line 3, column 'size': 'big' is not a number (type f64 was requested)")
      :format(path))
end

function TestModel:test_like_must_be_a_model()
  lu.assertEquals(fixtures.message(cf.read, path, { like = fixtures.iris() }),
    "read (csv): option 'like' must be a model, got a dataset")
end

function TestModel:test_a_learner_that_cannot_be_saved_is_named()
  local model = cf.learner("debug"):fit(fixtures.iris())
  lu.assertEquals(fixtures.message(model.save, model, path),
    ("cannot save model '%s': learner 'debug' cannot be saved (it offers no crossfold.serialize/1); "
      .. "fit it again where it is needed"):format(path))
end

function TestModel:test_a_file_that_is_no_model_is_refused()
  write("x,y\n1,2\n")
  lu.assertEquals(fixtures.message(cf.load, path), ("cannot load model '%s': it is not a model saved "
    .. "by Crossfold; save one with model:save(path)"):format(path))
  lu.assertEquals(fixtures.message(cf.load, 5), "load: expected the path of a file, got a number")
end

function TestModel:test_errors_have_the_position_of_the_script()
  local model = cf.learner("featureless"):fit(fixtures.iris())
  for _, call in ipairs {
    function() cf.load("/nowhere/x.cfm") end,
    function() model:save("/nowhere/x.cfm") end,
    function() model:importance() end,
    function() model:export("text") end,
    function() model:predict(fixtures.separable()) end,
  } do
    local _, problem = pcall(call)
    lu.assertStrMatches(problem, ".-model_test%.lua:%d+: cannot .*")
  end
end

function TestModel:test_what_the_learner_does_not_offer_is_told()
  local model = cf.learner("featureless"):fit(fixtures.iris())
  lu.assertEquals(fixtures.message(model.importance, model),
    "cannot compute the feature importance of 'featureless': learner 'featureless' offers no "
    .. "crossfold.importance/1; use a learner that does")
  lu.assertEquals(fixtures.message(model.export, model, "text"),
    "cannot export 'featureless': learner 'featureless' offers no crossfold.export/1; use a learner "
    .. "that does")
end

-- Ends where a step changes no log odds by more than 1e-8, wherever it starts.
function TestModel:test_a_fit_may_start_from_a_model()
  local iris = fixtures.iris()
  local l = cf.learner("logistic_regression")
  local cold = l:with { l2 = 1.1 }:fit(iris, { seed = 1 })
  local warm = l:with { l2 = 1.1, max_iter = 5 }:fit(iris, { seed = 1, start = l:fit(iris) })
  for i, p in ipairs(cold:predict(iris):probabilities()) do
    for class, share in pairs(p) do
      lu.assertAlmostEquals(warm:predict(iris):probabilities()[i][class], share, 1e-8)
    end
  end
end

function TestModel:test_a_fit_may_start_from_a_loaded_model_behind_a_transform()
  local iris = fixtures.iris()
  local scaled = cf.pipeline { "standardize", "logistic_regression" }
  scaled:fit(iris):save(path)
  local model = scaled:with { l2 = 2 }:fit(iris, { start = cf.load(path) })
  lu.assertEquals(tostring(model), "model of standardize|logistic_regression{l2=2}")
end

function TestModel:test_a_start_must_be_a_model_of_the_same_learner()
  local iris = fixtures.iris()
  local l = cf.learner("logistic_regression")
  lu.assertEquals(fixtures.message(l.fit, l, iris, { start = cf.learner("featureless"):fit(iris) }),
    "cannot fit 'logistic_regression' on dataset 'iris' from the model of 'featureless': its "
    .. "learner is 'featureless'; start from a model of 'logistic_regression'")
  local f = cf.learner("featureless")
  lu.assertEquals(fixtures.message(f.fit, f, iris, { start = f:fit(iris) }),
    "cannot fit 'featureless' on dataset 'iris' from the model of 'featureless': learner "
    .. "'featureless' offers no crossfold.warm-start/1; fit it without a start")
end

function TestModel:test_a_start_must_be_the_model_of_a_learner()
  local iris = fixtures.iris()
  local l = cf.learner("logistic_regression")
  local expected = "fit: option 'start' must be the model of a learner or of transforms and a "
    .. "learner, got a "
  local ensemble = cf.voting { learners = { l, "featureless" } }
  for got, start in pairs {
    ["model of " .. tostring(ensemble)] = ensemble:fit(iris),
    number = 5,
    string = "iris.cfm",
    table = {},
  } do
    lu.assertEquals(fixtures.message(l.fit, l, iris, { start = start }), expected .. got)
  end
end
