-- The lecture's grid search on real data: handwritten digits, k nearest neighbours with k in
-- 1 3 5 11 13 and two distances, chosen by stratified 10-fold cross-validation inside each of 10
-- outer folds: 10 x (10 x 10 + 1) fits.
local cf = require "crossfold"

local here = arg[0]:match("^(.*)/[^/]*$") or "."
local digits = cf.read(here .. "/../data/digits.csv",
  { target = "class", types = { class = "categorical" } })

local tenfold = cf.splitter("kfold", { folds = 10, stratify = true })
local result = cf.evaluate {
  data = digits,
  learners = {
    knn = cf.grid_search {
      learner = "knn",
      grid = { k = { 1, 3, 5, 11, 13 }, distance = { "manhattan", "euclidean" } },
      splitter = tenfold,
      metric = "accuracy",
    },
    floor = "featureless",
  },
  splitter = tenfold,
  metrics = "accuracy",
  seed = 42,
}

print(result)
print()
for _, tuned in ipairs(result:tuning("knn")) do
  local best
  for _, candidate in ipairs(tuned.inner) do
    if candidate.candidate == tuned.candidate then best = candidate end
  end
  print(("outer fold %2d chose %s, inner accuracy %s"):format(tuned.fold, tuned.candidate,
    cf.format_number(best.mean, 4)))
end
