-- Gaussian naive Bayes by repeated ten-fold cross-validation; Crossfold makes the folds, within the
-- time that is measured.
local row = dofile((arg[0]:match("^(.*/)") or "./") .. "row.lua")
local cf = require "crossfold"

local data = row.read()
local learner = cf.learner("naive_bayes", { var_smoothing = 1e-9, min_sd = 0 })
local folds = cf.splitter("kfold",
  { folds = 10, repeats = math.tointeger(row.settings.repeats), stratify = true })
local result = row.time(function()
  return cf.evaluate {
    data = data, learners = { naive_bayes = learner }, splitter = folds, metrics = "accuracy",
    seed = 1, keep = "none", on_error = "stop",
  }
end)
for _, score in ipairs(result:scores()) do
  row.print_score("naive_bayes", ("%d:%d"):format(score.repeat_, score.fold), score.value)
end
