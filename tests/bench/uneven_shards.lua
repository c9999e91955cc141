-- Cheap learners with an expensive one and expensive searches, for uneven_shards.sh.
--   uneven_shards.lua DATA_FOLDER
local cf = require "crossfold"

local digits = cf.read(arg[1] .. "/digits.csv", { target = "class", types = { class = "categorical" } })
local function search(trees)
  return cf.grid_search {
    learner = cf.learner("random_forest", { trees = trees }), grid = { min_leaf = { 1, 3 } },
    splitter = cf.splitter("kfold", { folds = 3, stratify = true }), metric = "accuracy",
  }
end
return cf.evaluate {
  data = digits,
  learners = {
    bayes = cf.learner("naive_bayes"), knn = cf.learner("knn"), tree = cf.learner("decision_tree"),
    logistic = cf.pipeline { cf.transform("standardize"), cf.learner("logistic_regression") },
    forest = cf.learner("random_forest", { trees = 300 }),
    tuned_large = search(60), tuned_small = search(10),
  },
  splitter = cf.splitter("kfold", { folds = 10, stratify = true }), metrics = "accuracy",
}
