-- Calls of everything that takes named options, for the tests of crossfold.d.lua:
--   cases.options(name): { function(options) ... end, ... }, a call for each set of options that there is
--   cases.objects() = { class = object }
local cf = require "crossfold"
local fixtures = require "fixtures"

local cases = {}

local kinds_of_curves = { "roc", "precision_recall", "det", "calibration", "lift", "cost", "thresholds",
  "reliability", "decision" }
local folds = cf.splitter("kfold", { folds = 2, repeats = 5 })
local two = { 1, 2, 3 }

local objects

local function rescored(data)
  local path = fixtures.new_store()
  cf.evaluate { data = data, splitter = folds, metrics = "accuracy", learners = "knn", store = path }
  local made = cf.rescore { store = path, metrics = "accuracy" }
  fixtures.remove_store(path)
  return made
end

-- A catalog of one store, and a list of rows of it.
local function catalog_of(data)
  local path, file = fixtures.new_store(), fixtures.new_store()
  cf.evaluate { data = data, splitter = folds, metrics = "accuracy", learners = "knn", store = path }
  local made = cf.catalog(file)
  made:add(path)
  local rows = made:list()
  fixtures.remove_store(path)
  os.remove(file)
  return made, rows
end

-- Iris with a column of two subsets.
function cases.halves()
  local iris, half, columns = fixtures.iris(), {}, {}
  for i = 1, #iris do half[i] = i % 2 == 0 and "even" or "odd" end
  for j, name in ipairs(iris:features()) do columns[j] = { name = name, values = iris:column(name) } end
  columns[#columns + 1] = { name = "half", values = half }
  columns[#columns + 1] = { name = "class", values = iris:target() }
  return cf.dataset { name = "halves", target = "class", columns = columns }
end

-- An object of each class that has methods.
function cases.objects()
  if objects then return objects end
  local iris, knn = fixtures.iris(), cf.learner("knn")
  local result = cf.evaluate {
    data = iris, splitter = folds, metrics = "accuracy",
    learners = { knn = knn, bayes = "naive_bayes" }, keep = "probabilities",
  }
  local model, splits = knn:fit(iris), cf.split(folds, iris)
  objects = {
    Spec = knn, Component = folds, Metric = cf.metric("accuracy"), Dataset = iris, Model = model,
    Prediction = model:predict(iris), Splits = splits,
    Outcomes = cf.run { { learner = knn, splits = splits } }, Result = result,
    Comparison = cf.compare(result),
    Curve = result:curve("roc", { learner = "knn", positive = "setosa" }),
    LearningCurve = cf.learning_curve { data = iris, learners = "knn", metrics = "accuracy",
      sizes = { 20, 30, 40, 60 }, trials = 3 },
    ValidationCurve = cf.validation_curve { data = iris, learner = knn, parameter = "k",
      values = { 1, 3 }, splitter = folds, metric = "accuracy" },
    BiasVariance = cf.bias_variance { data = iris, learners = "knn", rounds = 2 },
    Search = cf.grid_search { learner = knn, grid = { k = { 1, 3 } }, splitter = folds,
      metric = "accuracy" },
    Composite = cf.voting { learners = { "knn", "naive_bayes" } },
    DataReport = iris:describe(), Figure = cf.plot.folds(result),
    Audit = cf.audit { data = iris, learners = "naive_bayes", splitter = folds, near = false },
    Variance = cf.variance { data = iris, learners = { "knn", "naive_bayes" }, metric = "accuracy",
      sources = { data = 3, split = 2 } },
    RepeatUntil = cf.repeat_until { data = iris, learner = knn, metric = "accuracy", width = 0.1, first_repeats = 5 },
    Subgroups = result:subgroups { learner = "knn", by = "'petal width (cm)' > 1", samples = 50 },
    LabelIssues = cf.label_issues { data = iris, learner = "naive_bayes" },
    AdversarialValidation = cf.adversarial_validation { old = iris, new = iris, learner = "naive_bayes",
      permutations = 19 },
    Soak = cf.soak { data = cases.halves(), subset = "half", learners = "naive_bayes", metrics = "accuracy",
      folds = 2 },
    Bootstrap632 = cf.bootstrap_632 { data = iris, learner = knn, repeats = 3 },
  }
  objects.SearchResult = select(2, objects.Search:fit(iris))
  objects.TuningRow = cf.evaluate { data = iris, splitter = folds, metrics = "accuracy",
    learners = { tuned = objects.Search } }:tuning("tuned")[1]
  -- A lockbox of a temporary file, which goes with the tests.
  local file = os.tmpname()
  os.remove(file)
  local rest, lockbox = cf.lockbox(iris, { file = file })
  objects.Lockbox, objects.LockboxOpening = lockbox, lockbox:open(knn:fit(rest), { reason = "a test" })
  objects.LearningCurveFit = objects.LearningCurve:fit("knn")
  objects.PowerLaw = cf.stats.power_law { n = { 10, 20, 40, 80, 160 },
    errors = { 0.4, 0.3, 0.25, 0.21, 0.2 } }
  objects.SearchSession = objects.Search:session()
  objects.CheckReport = cf.check("knn", { include = "^name" })
  objects.Coverage = cf.conformal { learner = "naive_bayes", method = "aps" }:fit(iris)
    :predict(iris, { coverage = 0.9 }):coverage()
  objects.Rescored = rescored(iris)
  objects.Catalog, objects.CatalogRows = catalog_of(iris)
  return objects
end

-- What stands before the options of functions and methods that take something else first.
local before = {
  ["cf.split"] = function() return { "kfold", cases.objects().Dataset } end,
  ["cf.read_openml_splits"] = function() return { "x", cases.objects().Dataset } end,
  ["cf.check"] = function() return { "knn" } end,
  ["cf.run"] = function() return { {} } end,
  ["cf.parallel"] = function() return { {} } end,
  ["cf.store_status"] = function() return { "x" } end,
  ["Catalog:add"] = function() return { "x" } end,
  ["cf.describe"] = function() return { cases.objects().Dataset } end,
  ["cf.lockbox"] = function() return { cases.objects().Dataset } end,
  ["Lockbox:open"] = function() return { cases.objects().Model } end,
  ["cf.compare"] = function() return { cases.objects().Result } end,
  ["cf.stats.paired_t"] = function() return { two } end,
  ["cf.stats.wilcoxon"] = function() return { two } end,
  ["cf.stats.sign_test"] = function() return { two } end,
  ["cf.stats.adjust_p"] = function() return { { 0.5 } } end,
  ["cf.stats.betting_interval"] = function() return { { 0.5 } } end,
  ["cf.stats.bootstrap_interval"] = function() return { two } end,
  ["cf.stats.friedman"] = function() return { { { 1, 2 }, { 2, 1 } } } end,
  ["cf.stats.sequential_mean"] = function() return { two } end,
  ["cf.stats.corrected_t"] = function() return { two } end,
  ["cf.stats.bayes_correlated_t"] = function() return { two } end,
  ["cf.stats.bayes_hierarchical"] = function() return { { two, two, two } } end,
  ["cf.stats.bayes_signed_rank"] = function() return { two } end,
  ["Spec:fit"] = function() return { cases.objects().Dataset } end,
  ["Composite:fit"] = function() return { cases.objects().Dataset } end,
  ["Search:fit"] = function() return { cases.objects().Dataset } end,
  ["Search:plan"] = function() return { cases.objects().Dataset } end,
  ["Model:predict"] = function() return { cases.objects().Dataset } end,
  ["Result:confusion"] = function() return { "knn" } end,
  ["Result:class_report"] = function() return { "knn" } end,
  ["Result:tuning"] = function() return { "knn" } end,
  ["LearningCurve:fit"] = function() return { "knn" } end,
  ["LearningCurve:crossing"] = function() return { "knn", "other" } end,
  ["PowerLaw:crossing"] = function() return { cases.objects().PowerLaw } end,
}

-- `f` with these arguments before the options.
local function behind(f, arguments)
  return function(given)
    local all = table.move(arguments, 1, #arguments, 1, {})
    all[#all + 1] = given
    return f(table.unpack(all))
  end
end

-- The same, with fixed options beside those that are given.
local function beside(f, fixed)
  return function(given) return f(fixtures.with(given, fixed)) end
end

-- The function or method of a name, as in "cf.stats.power" and "Result:scores"; and its object.
local function function_of(name)
  local class, method = name:match("^(%w+):([%w_]+)$")
  if class then
    local object = assert(cases.objects()[class], "there is no object of " .. class)
    return object[method], object
  end
  local f = cf
  for part in name:gsub("^cf%.", ""):gmatch("[^.]+") do f = f[part] end
  return f
end

local function calls_of_curves(f, object)
  local calls = {}
  for _, kind in ipairs(kinds_of_curves) do
    calls[#calls + 1] = behind(f, { object or kind, object and kind })
  end
  if object then calls[#calls + 1] = beside(calls[1], { aggregation = "vertical" }) end
  return calls
end

function cases.options(name)
  local f, object = function_of(name)
  if name:find("[.:]curve$") then return calls_of_curves(f, object) end
  if name == "cf.read" then
    return { behind(f, { "x.csv" }), behind(f, { "x.arff" }), behind(f, { "x.svm" }),
      beside(f, { sqlite = "x.db" }) }
  end
  local arguments = before[name] and before[name]() or {}
  if name:find("^cf%.plot%.") then arguments = { cases.objects().Result } end
  if object then table.insert(arguments, 1, object) end
  return { behind(f, arguments) }
end

return cases
