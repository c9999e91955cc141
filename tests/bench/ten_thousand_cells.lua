-- 1000 candidates x 10 folds of a learner that does nothing.
local cf = require "crossfold"

local here = arg[0]:match("^(.*)/[^/]*$") or "."
local iris = cf.read(here .. "/../../scripts/data/iris.csv", { target = "class" })
local splits = cf.split(cf.splitter("kfold", { folds = 10 }), iris)
local metrics = { cf.metric("accuracy") }
local cells = {}
for candidate = 1, 1000 do
  local learner = cf.learner("featureless")
  for fold = 1, #splits do
    cells[#cells + 1] =
      { learner = learner, splits = splits, split = fold, seed = candidate, metrics = metrics }
  end
end
local outcomes = cf.run(cells)
for i = 1, #outcomes do assert(outcomes:score(i, 1)) end
