-- About 500 cells of every kind: a search with inner folds, learners that share work, one with a
-- tolerance, one that takes its time, one in Python, and one that fails on one fold.
local cf = require "crossfold"

local iris = cf.read(arg[1] .. "/iris.csv", { target = "class" })
local folds = cf.splitter("kfold", { folds = 10, repeats = 3, stratify = true })
local tuned = cf.grid_search {
  learner = cf.pipeline { cf.transform("standardize"), cf.learner("knn") },
  grid = { k = { 1, 5, 9 } },
  splitter = cf.splitter("kfold", { folds = 3, stratify = true }),
  metric = "accuracy",
}
local result = cf.evaluate {
  data = iris,
  learners = {
    tuned_knn = tuned,
    bayes = cf.learner("naive_bayes"),
    tree = cf.learner("decision_tree"),
    lda = cf.learner("lda"),
    stopped = cf.learner("adaboost", { rounds = 20, early_stopping_share = 0.25 }),
    forest = cf.learner("random_forest", { trees = 5 }),
    slow = cf.learner("debug", { action = "sleep", sleep_ms = 5 }),
    slower = cf.learner("debug", { action = "sleep", sleep_ms = 6, stage = "predict" }),
    other_language = cf.learner("org.example.probe"),
    fails = cf.learner("debug", { action = "throw_in_predict", when_row = 7 }),
  },
  splitter = folds,
  metrics = { "accuracy", "log_loss", "brier" },
  seed = 7,
}
print(result)
for _, row in ipairs(result:scores()) do
  print(row.learner, row.repeat_, row.fold, row.metric, row.value or row.undefined)
end
for _, row in ipairs(result:failures()) do
  print(row.learner, row.repeat_, row.fold, row.stage, row.message)
end
