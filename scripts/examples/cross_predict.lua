-- Out-of-fold predictions: each row by a model that was not trained on it. Leave-one-out of a learner
-- that offers to predict all folds at once costs little more than one fit.
local cf = require "crossfold"

local here = arg[0]:match("^(.*)/[^/]*$") or "."
local data = cf.read(here .. "/../data/wine.csv", { target = "class" })

--###begin cross_predict
local predictions = cf.cross_predict {
  data = data, learner = cf.learner("knn", { k = 5 }),
  splitter = cf.splitter("leave_one_out"),
}
local labels, truth = predictions[1]:labels(), predictions[1]:truth()
--###end cross_predict

local correct = 0
for i, label in ipairs(labels) do
  if label == truth[i] then correct = correct + 1 end
end
print(("%d of %d rows predicted correctly"):format(correct, #labels))
