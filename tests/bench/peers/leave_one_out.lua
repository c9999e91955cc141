-- Out-of-fold labels of leave-one-out and their accuracy. usage: ... learner=naive_bayes|knn
local row = dofile((arg[0]:match("^(.*/)") or "./") .. "row.lua")
local cf = require "crossfold"

local learners = {
  naive_bayes = cf.learner("naive_bayes", { var_smoothing = 1e-9, min_sd = 0 }),
  knn = cf.learner("knn", { k = 5 }),
}

-- The only place that says how the labels come about.
local function leave_one_out(data, learner)
  local result = cf.evaluate {
    data = data, learners = { learner = learner }, splitter = "leave_one_out",
    metrics = "accuracy", seed = 1, on_error = "stop",
  }
  return { accuracy = result:pooled()[1].value, result = result }
end

local data = row.read()
local found = row.time(function()
  return leave_one_out(data, learners[row.settings.learner])
end)
row.print_score("accuracy", "all", found.accuracy)
local place_of_class = {}
for place, class in ipairs(data:classes()) do place_of_class[class] = place end
for _, prediction in ipairs(found.result:predictions()) do
  row.print_score("label", prediction.row, place_of_class[prediction.predicted])
end
