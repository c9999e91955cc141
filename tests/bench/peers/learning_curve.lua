-- Learning curves of naive Bayes and a tree: Crossfold draws the trials, within the time that is
-- measured.
local row = dofile((arg[0]:match("^(.*/)") or "./") .. "row.lua")
local cf = require "crossfold"

local data = row.read()
local curve = row.time(function()
  return cf.learning_curve {
    data = data, metrics = "accuracy", sizes = row.numbers("sizes"), seed = 1, on_error = "stop",
    learners = {
      naive_bayes = cf.learner("naive_bayes", { var_smoothing = 1e-9, min_sd = 0 }),
      tree = cf.learner("decision_tree"),
    },
    trials = math.tointeger(row.settings.trials),
  }
end)
for _, found in ipairs(curve:summary()) do
  row.print_score(found.learner, found.size, found.mean)
end
