-- Out-of-fold labels of leave-one-out and their accuracy. usage: ... learner=naive_bayes|knn
local row = dofile((arg[0]:match("^(.*/)") or "./") .. "row.lua")
local cf = require "crossfold"

local learners = {
  naive_bayes = cf.learner("naive_bayes", { var_smoothing = 1e-9, min_sd = 0 }),
  knn = cf.learner("knn", { k = 5 }),
}

local data = row.read()
local predicted, accuracy
row.time(function()
  predicted = cf.cross_predict {
    data = data, learner = learners[row.settings.learner], splitter = "leave_one_out", seed = 1,
  }[1]
  accuracy = cf.score({ prediction = predicted, metrics = "accuracy" }).accuracy
end)
row.print_score("accuracy", "all", accuracy)
local place_of_class = {}
for place, class in ipairs(data:classes()) do place_of_class[class] = place end
local ids = predicted:row_ids()
for i, class in ipairs(predicted:labels()) do
  row.print_score("label", ids[i], place_of_class[class])
end
