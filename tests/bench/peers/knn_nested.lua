-- The kNN grid inside each of five outer folds. The inner folds are those of the column `fold`
-- among the outer training rows.
local row = dofile((arg[0]:match("^(.*/)") or "./") .. "row.lua")
local cf = require "crossfold"

local outer_folds = cf.read(arg[1]):column("outer")
local data = row.read("fold")
local search = cf.grid_search {
  learner = cf.learner("knn"), metric = "accuracy", splitter = cf.splitter("predefined"),
  grid = { k = row.numbers("k"), weights = { "uniform", "distance" } },
}
local outer = cf.splitter("predefined", { list = outer_folds })
local result = row.time(function()
  return cf.evaluate {
    data = data, learners = { knn = search }, splitter = outer, metrics = "accuracy", seed = 1,
    on_error = "stop",
  }
end)
for _, score in ipairs(result:scores()) do
  row.print_score("outer", score.fold, score.value)
end
for _, fold in ipairs(result:tuning("knn")) do
  for _, entry in ipairs(fold.inner) do
    row.print_score("inner", ("%d:%d,%s"):format(fold.fold, entry.params.k, entry.params.weights),
      entry.mean)
  end
end
