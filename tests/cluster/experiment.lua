-- Cells of every kind: a search with inner folds, learners that share work, an ensemble that is put
-- together in Lua, one that takes its time, and one that fails on one fold.
local cf = require "crossfold"

local iris = cf.read(arg[1] .. "/iris.csv", { target = "class" })
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
    forest = cf.learner("random_forest", { trees = 5 }),
    vote = cf.voting { learners = { cf.learner("naive_bayes"), cf.learner("lda"), cf.learner("knn") } },
    slow = cf.learner("debug", { action = "sleep", sleep_ms = tonumber(arg[2]) or 1 }),
    fails = cf.learner("debug", { action = "throw_in_predict", when_row = 7 }),
  },
  splitter = cf.splitter("kfold", { folds = 10, repeats = 3, stratify = true }),
  metrics = { "accuracy", "log_loss" },
  seed = 7,
}
print(result)
for _, row in ipairs(result:scores()) do
  print(row.learner, row.repeat_, row.fold, row.metric, row.value or row.undefined)
end
return result
