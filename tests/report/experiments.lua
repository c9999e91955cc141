-- experiments.lua DATA CASE FILE: runs an experiment and writes its report to FILE, for chromium_test.py.
local cf = require "crossfold"
local data, case, file = arg[1], arg[2], arg[3]

local function iris() return cf.read(data .. "/iris.csv", { target = "class" }) end
local function cancer()
  return cf.read(data .. "/breast_cancer.csv", { target = "class", types = { class = "categorical" } })
end

local function kfold(folds, repeats)
  return cf.splitter("kfold", { folds = folds, repeats = repeats or 1, stratify = true })
end

local function uniform(...) return ((cf.seed(...) >> 11) + 0.5) * 2.0 ^ -53 end

-- Two classes on a plane; the more `noise`, the harder.
local function plane(name, noise)
  local x, y, class = {}, {}, {}
  for i = 1, 60 do
    x[i], y[i] = uniform(1, i), uniform(2, i)
    local value = x[i] + y[i] + noise * (uniform(noise * 100 // 1, 3, i) - 0.5)
    class[i] = value > 1 and "in" or "out"
  end
  return cf.dataset { name = name, target = "class", columns = { { name = "x", values = x },
    { name = "y", values = y }, { name = "class", values = class } } }
end

local cases = {}

-- Folds that fail, a fallback for none of them, names that are HTML, and a metric that is undefined.
function cases.failures()
  return cf.evaluate {
    data = iris(), seed = 1, splitter = cf.splitter("kfold", { folds = 5, shuffle = false }),
    metrics = { "accuracy", cf.metric("precision", { average = "macro" }), "log_loss" }, keep = "probabilities",
    learners = {
      ["<script>alert(1)</script>"] = cf.learner("debug",
        { action = "throw_in_predict", when_row = 5 }),
      ['"quoted" & \'apostrophes\''] = cf.learner("naive_bayes"),
      ["control \1\27[31m and \xff\xfe bytes"] = cf.learner("featureless"),
    },
  }
end

function cases.one_fold()
  return cf.evaluate { data = cancer(), learners = { knn = "knn", bayes = "naive_bayes" },
    splitter = cf.splitter("holdout", { test_share = 0.3, stratify = true }),
    metrics = { "accuracy", "roc_auc" }, keep = "probabilities", seed = 2 }
end

function cases.thirty_learners()
  local learners = {}
  for k = 1, 29 do learners[("knn with k = %02d"):format(k)] = cf.learner("knn", { k = k }) end
  learners["naive Bayes"] = cf.learner("naive_bayes")
  return cf.evaluate { data = cancer(), learners = learners, splitter = kfold(10),
    metrics = { "accuracy", "roc_auc", "log_loss" }, keep = "probabilities", seed = 3 }
end

function cases.regression()
  local diabetes = cf.read(data .. "/diabetes_regr.csv", { target = "target" })
  return cf.evaluate { data = diabetes, learners = { ridge = "ridge", knn = "knn",
    floor = "featureless" }, splitter = cf.splitter("kfold", { folds = 10 }),
    metrics = { "rmse", "r2", "mae" }, seed = 4 }
end

-- Predictions of scikit-learn next to a learner here.
function cases.imported()
  local theirs = cf.import_predictions { data = iris(),
    file = data .. "/../../tests/scripts/import/iris_scikit_learn.csv",
    learner_column = "learner", row = "row", first_row = 0, fold = "fold", label = "y_pred", truth = "y_true",
    probabilities = "p_*" }
  local learners = theirs:learners()
  learners["knn here"] = "knn"
  return cf.evaluate { data = iris(), learners = learners, splitter = theirs:splits(),
    metrics = { "accuracy", "log_loss" }, keep = "probabilities" }
end

function cases.datasets()
  local list = {}
  for i = 1, 7 do list[i] = plane("plane " .. i, i / 5) end
  return cf.evaluate { datasets = list, splitter = kfold(5), metrics = "accuracy", seed = 5,
    learners = { knn = cf.learner("knn", { k = 5 }), tree = "decision_tree", bayes = "naive_bayes",
      floor = "featureless" } }
end

local function search(grid, steps)
  return cf.grid_search { learner = cf.pipeline(steps), grid = grid, splitter = kfold(3),
    metric = "accuracy" }
end

function cases.two_parameters()
  return cf.evaluate { data = iris(), seed = 6, splitter = kfold(5, 2), metrics = { "accuracy", "log_loss" },
    keep = "probabilities", learners = { floor = "featureless", bayes = "naive_bayes",
      tuned_knn = search({ k = { 1, 3, 5, 11 }, distance = { "manhattan", "euclidean" } },
        { cf.transform("standardize"), cf.learner("knn") }) } }
end

function cases.three_parameters()
  return cf.evaluate { data = iris(), seed = 7, splitter = kfold(4), metrics = "accuracy",
    learners = { bayes = "naive_bayes", tuned_knn = search({ k = { 1, 5, 9 },
      distance = { "manhattan", "euclidean" }, weights = { "uniform", "distance" } },
      { cf.transform("standardize"), cf.learner("knn") }) } }
end

function cases.learning_curve()
  return cf.learning_curve { data = cancer(), learners = { knn = "knn", bayes = "naive_bayes" },
    metrics = { "accuracy", "log_loss" }, sizes = { 20, 40, 80, 160, 320 }, trials = 5, seed = 8 }
end

function cases.validation_curve()
  return cf.validation_curve { data = iris(), learner = cf.learner("knn"), parameter = "k",
    values = { 1, 3, 5, 9, 15, 31, 63 }, splitter = kfold(5), metric = "accuracy", seed = 9 }
end

function cases.bias_variance()
  return cf.bias_variance { data = iris(), learners = { tree = "decision_tree", bayes = "naive_bayes" },
    rounds = 10, seed = 10 }
end

-- Several subjects on one page.
function cases.together()
  local result = cases.two_parameters()
  cf.report { result, cases.learning_curve(), cases.validation_curve(), cases.bias_variance(),
    cf.compare(result, { metric = "log_loss" }), title = "All of it", file = file }
  return nil
end

local result = assert(cases[case], "there is no such case")()
if result then result:report { title = case:gsub("_", " "), file = file } end
