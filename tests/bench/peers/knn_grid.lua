-- kNN, a grid of k and weights by ten folds, then the best setting on all rows.
local row = dofile((arg[0]:match("^(.*/)") or "./") .. "row.lua")
local cf = require "crossfold"

local data = row.read("fold")
local search = cf.grid_search {
  learner = cf.learner("knn"), metric = "accuracy", splitter = cf.splitter("predefined"),
  grid = { k = row.numbers("k"), weights = { "uniform", "distance" } },
}
local detail = row.time(function() return select(2, search:fit(data, { seed = 1 })) end)
row.print_candidates(detail, "knn", { "k", "weights" })
