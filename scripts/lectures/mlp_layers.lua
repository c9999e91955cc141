-- How many hidden layers? Their number is chosen by 5-fold cross-validation inside each of 5 outer
-- folds, so the outer accuracy judges the whole procedure, the choice included: wine, 0 to 3 hidden
-- layers of 8 units; 5 x (5 x 4 + 1) networks.
local cf = require "crossfold"

local here = arg[0]:match("^(.*)/[^/]*$") or "."
local wine = cf.read(here .. "/../data/wine.csv", { target = "class" })

local fivefold = cf.splitter("kfold", { folds = 5, stratify = true })
local result = cf.evaluate {
  data = wine,
  learners = {
    network = cf.grid_search {
      learner = cf.pipeline {
        cf.transform("standardize"),
        cf.learner("mlp", { units = 8, epochs = 100, batch_size = 32, learning_rate = 0.01 }),
      },
      grid = { layers = { 0, 1, 2, 3 } },
      splitter = fivefold,
      metric = "accuracy",
    },
    floor = "featureless",
  },
  splitter = fivefold,
  metrics = "accuracy",
  seed = 42,
}

local outer = {}
for _, row in ipairs(result:scores()) do
  if row.learner == "network" then outer[row.fold] = row.value end
end
for _, tuned in ipairs(result:tuning("network")) do
  local inner = {}
  for c, candidate in ipairs(tuned.inner) do inner[c] = cf.format_number(candidate.mean, 4) end
  print(("outer fold %d: inner accuracy with 0, 1, 2, 3 layers %s; chosen %d; outer accuracy %s")
    :format(tuned.fold, table.concat(inner, " "), tuned.chosen.layers,
      cf.format_number(outer[tuned.fold], 4)))
end
print()
print(result)
