-- Where does the spread of a score come from: from the rows that we happen to have, from how they were split, from
-- the tuning, or from the learner's own random numbers? And what should we buy more of?
local cf = require "crossfold"

local here = arg[0]:match("^(.*)/[^/]*$") or "."
local wine = cf.read(here .. "/../data/wine.csv", { target = "class" })

--###begin ledger
-- Nested draws: 10 samples of the rows with replacement, 3 splits of each, 2 seeds of each split.
local ledger = cf.variance {
  data = wine, metric = "accuracy", seed = 42,
  learners = {
    forest = cf.learner("random_forest", { trees = 10 }),
    tree = cf.learner("decision_tree"),
  },
  sources = { data = 10, split = 3, seed = 2 },
}
print(ledger)
--###end ledger

--###begin buy
print()
print(ledger:buy { width = 0.02, learner = "forest" })
--###end buy

-- A search has one more source: which candidate its inner splits choose.
--###begin search
local search = cf.grid_search {
  learner = cf.pipeline { "standardize", cf.learner("knn") }, grid = { k = { 1, 3, 7, 15, 31 } },
  splitter = cf.splitter("kfold", { folds = 5 }), metric = "accuracy",
}
local tuned = cf.variance {
  data = wine, learners = { knn = search }, metric = "accuracy", seed = 42,
  sources = { split = 10, tuning = 4 },
}
print("\n" .. tostring(tuned))
--###end search

-- The numbers alone, of scores that come from anywhere.
--###begin numbers
local found = cf.stats.variance_components {
  names = { "split", "seed" }, units = { 3, 2 }, scores = { 0.81, 0.83, 0.90, 0.91, 0.77, 0.78 },
}
print()
for _, component in ipairs(found.components) do
  print(("%-5s sd %.4f, %.0f %% of the variance"):format(component.source, component.sd, 100 * component.share))
end
--###end numbers
