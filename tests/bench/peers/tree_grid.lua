-- Trees, a grid of depths (one of them without a limit), leaf sizes and criteria by ten folds.
local row = dofile((arg[0]:match("^(.*/)") or "./") .. "row.lua")
local cf = require "crossfold"

local data = row.read("fold")
local limited = {
  criterion = { "gini", "entropy" }, max_depth = row.numbers("depths"),
  min_leaf = row.numbers("leaves"),
}
local unlimited = { criterion = limited.criterion, min_leaf = limited.min_leaf }
local search = cf.grid_search {
  learner = cf.learner("decision_tree"), metric = "accuracy",
  splitter = cf.splitter("predefined"), grid = { limited, unlimited },
}
local detail = row.time(function() return select(2, search:fit(data, { seed = 1 })) end)
row.print_candidates(detail, "tree", { "max_depth", "min_leaf", "criterion" })
