-- How many repeats of cross-validation are enough? Until the interval of their mean is narrow, by a rule that stays
-- valid although it looks at the scores.
local cf = require "crossfold"

local here = arg[0]:match("^(.*)/[^/]*$") or "."
local iris = cf.read(here .. "/../data/iris.csv", { target = "class" })

--###begin normal
local found = cf.repeat_until {
  data = iris, learner = cf.learner("knn", { k = 5 }), metric = "accuracy", width = 0.002, seed = 42,
}
print(found)
--###end normal
print("batches: " .. table.concat(found:batches(), ", "))

-- A rule that holds for any distribution of the scores pays for it with repeats: it needs the range of the metric.
--###begin bounded
local safe = cf.repeat_until {
  data = iris, learner = cf.learner("knn", { k = 5 }), metric = "accuracy", width = 0.05, rule = "bounded", seed = 42,
}
print()
print(safe)
--###end bounded

-- It says beforehand what it cannot reach.
print()
local _, problem = pcall(cf.repeat_until, {
  data = iris, learner = "knn", metric = "accuracy", width = 0.001, rule = "bounded",
})
print((problem:gsub("^.-:%d+: ", "")))
