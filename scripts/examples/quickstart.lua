-- How good is k nearest neighbours on iris, if k and the distance are chosen by cross-validation
-- inside each training set? Nested cross-validation answers without fooling us.
--###begin quickstart
local cf = require "crossfold"

local here = arg[0]:match("^(.*)/[^/]*$") or "."
local iris = cf.read(here .. "/../data/iris.csv", { target = "class" })

local search = cf.grid_search {
  learner  = cf.pipeline { cf.transform("standardize"), cf.learner("knn") },
  grid     = { k = { 1, 3, 5, 11, 13 }, distance = { "manhattan", "euclidean" } },
  splitter = cf.splitter("kfold", { folds = 10, stratify = true }),  -- the internal cross-validation
  metric   = "accuracy",
}

local result = cf.evaluate {
  data     = iris,
  learners = {
    tuned_knn   = search,
    naive_bayes = cf.learner("naive_bayes"),
    floor       = cf.learner("featureless"),
  },
  splitter = cf.splitter("kfold", { folds = 10, repeats = 3, stratify = true }),
  metrics  = { "accuracy", "log_loss" },
  keep     = "probabilities",  -- of the predictions, for the curves of the report
  seed     = 42,
}

print(result)
print()
print(result:confusion("tuned_knn"))
--###end quickstart
