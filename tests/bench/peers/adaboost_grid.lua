-- AdaBoost with stumps (SAMME), a grid of numbers of rounds by ten folds.
local row = dofile((arg[0]:match("^(.*/)") or "./") .. "row.lua")
local cf = require "crossfold"

local data = row.read("fold")
local search = cf.grid_search {
  learner = cf.learner("adaboost", { max_depth = 1, algorithm = "samme" }), metric = "accuracy",
  splitter = cf.splitter("predefined"), grid = { rounds = row.numbers("rounds") },
}
local detail = row.time(function() return select(2, search:fit(data, { seed = 1 })) end)
row.print_candidates(detail, "adaboost", { "rounds" })
