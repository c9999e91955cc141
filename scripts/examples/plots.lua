-- Figures of an experiment in the terminal, more of those in docs/plots.md; and one as SVG.
local cf = require "crossfold"

local here = arg[0]:match("^(.*)/[^/]*$") or "."
local function read(name) return cf.read(here .. "/../data/" .. name .. ".csv", { target = "class" }) end

local inner = cf.splitter("kfold", { folds = 3, stratify = true })
local learners = {
  bayes = "naive_bayes", lda = "lda",
  knn = cf.grid_search {
    learner = cf.pipeline { cf.transform("standardize"), cf.learner("knn") }, splitter = inner,
    grid = { k = { 1, 5, 15 }, distance = { "euclidean", "manhattan" } }, metric = "accuracy",
  },
}
local result = cf.evaluate {
  data     = read("breast_cancer"),
  learners = learners,
  splitter = cf.splitter("kfold", { folds = 10, stratify = true }),
  metrics  = { "accuracy", "roc_auc" },
  keep     = "probabilities",
  seed     = 1,
}

-- With a path the figure is also saved, as .svg, .csv or .txt: file = "roc.svg".
print(cf.plot.roc(result, { positive = "malignant", learners = { "bayes", "knn" } }))

print()
print(cf.plot.tuning(result, { learner = "knn" }):text { width = 60, unicode = false })
print()
print(cf.plot.confusion(result, { learner = "lda" }))
print()
local curve = cf.learning_curve { data = read("breast_cancer"), learners = { bayes = "naive_bayes" },
  metrics = { "accuracy" }, sizes = { 20, 40, 80, 160, 320 }, trials = 5, seed = 1 }
print(cf.plot.learning_curve(curve):text { height = 12 })
print()
local many = cf.evaluate { datasets = { read("breast_cancer"), read("iris"), read("wine") },
  learners = learners, splitter = cf.splitter("kfold", { folds = 5, stratify = true }),
  metrics = { "accuracy" }, seed = 1 }
print(cf.plot.critical_difference(many))
print()
print(cf.plot.posterior(cf.compare(many)))
print()
print(cf.plot.summary(result, { metric = "accuracy" }):svg { width = 480, inline = true })
