-- C4.5 as Weka's J48 with its default settings, by ten folds.
local row = dofile((arg[0]:match("^(.*/)") or "./") .. "row.lua")
local cf = require "crossfold"

local data = row.read("fold")
local learner = cf.learner("decision_tree", {
  criterion = "gain_ratio", mdl_correction = true, threshold = "observed", min_rows = 4,
  min_leaf = 2, pruning = "error_based", subtree_raising = true,
})
local result = row.time(function()
  return cf.evaluate {
    data = data, learners = { j48 = learner }, splitter = "predefined", metrics = "accuracy",
    seed = 1, on_error = "stop",
  }
end)
row.print_score("accuracy", "all", result:pooled()[1].value)
