-- A store for measuring what people look at: LEARNERS learners on SETS data sets, FOLDS folds REPEATS times.
--
--   crossfold run --store many.cfdb tests/bench/many_cells.lua LEARNERS SETS FOLDS REPEATS
--
-- The learners are nearest neighbours with different neighbours, so that some are better, and cost next to nothing.
local cf = require "crossfold"

local n_learners, n_sets, folds, repeats = table.unpack(arg)
local here = arg[0]:match("^(.*)/[^/]*$") or "."
local iris = cf.read(here .. "/../../scripts/data/iris.csv", { target = "class" })

local learners, datasets = {}, {}
for i = 1, n_learners do
  learners[("learner %04d"):format(i)] =
    cf.learner("knn", { k = 1 + i % 70, distance = "minkowski", p = 1.0 + i // 70 })
end
for i = 1, n_sets do datasets[("set %03d"):format(i)] = iris end
cf.evaluate {
  datasets = datasets, learners = learners, metrics = "accuracy", seed = 1,
  splitter = cf.splitter("kfold", { folds = math.tointeger(folds), repeats = math.tointeger(repeats) }),
}
