-- The price of choosing: the best of many settings looks better than it is. Without an outer loop: what the chosen
-- setting is really worth, and which settings cannot be distinguished from the best.
local cf = require "crossfold"

local here = arg[0]:match("^(.*)/[^/]*$") or "."
local data = cf.read(here .. "/../data/wine.csv", { target = "class" })

--###begin search
local inner = cf.splitter("kfold", { folds = 10, stratify = true })
local search = cf.grid_search {
  learner = cf.pipeline { cf.transform("standardize"), cf.learner("knn") },
  grid = { k = { 1, 2, 3, 5, 9, 15, 25, 45, 85, 130 }, distance = { "euclidean", "manhattan" } },
  splitter = inner, metric = "accuracy",
}
local _, found = search:fit(data, { seed = 1 })
print(found)                              -- the inner mean, which made the choice
print(found:corrected())                  -- what is left of it
print(found:confidence_set())             -- who else could have been chosen
--###end search

--###begin fields
local fixed = found:corrected { confidence = 0.9, samples = 2000, seed = 7 }
print(("\ninner mean %s, corrected %s, 90 %% interval %s to %s"):format(cf.format_number(fixed.optimistic, 4),
  cf.format_number(fixed.value, 4), cf.format_number(fixed.low, 4), cf.format_number(fixed.high, 4)))
for i = 1, 3 do
  print(("  %s was chosen in %s %% of the samples"):format(fixed.chosen[i].candidate,
    cf.format_number(100 * fixed.chosen[i].share, 0)))
end
local set = found:confidence_set()
for _, entry in ipairs(set.candidates) do
  if not entry.in_set then
    print(("  %s: p = %s, %s is better"):format(entry.candidate, cf.format_number(entry.p, 3), entry.rival))
  end
end
--###end fields

--###begin simplest
-- The simplest of the settings that cannot be distinguished from the best.
local simple = cf.grid_search {
  learner = cf.pipeline { cf.transform("standardize"), cf.learner("knn") },
  grid = { k = { 1, 2, 3, 5, 9, 15, 25, 45, 85, 130 } }, splitter = inner, metric = "accuracy",
  choose = "simplest in the set", simplest = { k = "higher" },
}
local _, taken = simple:fit(data, { seed = 1 })
print(("\n%s is taken, the best is %s"):format(taken.candidate, taken.best))
--###end simplest

-- A metric that is not a mean over rows, and a race with repeated folds.
for _, one in ipairs {
  cf.grid_search { learner = "decision_tree", grid = { max_depth = { 1, 2, 3, 4, 6 } }, splitter = inner,
    metric = "f1_macro" },
  cf.race_search { learner = "knn", grid = { k = { 1, 5, 15, 45, 85 } }, metric = "accuracy", error = 0.1,
    splitter = cf.splitter("kfold", { folds = 10, repeats = 3, stratify = true }) },
} do
  local _, result = one:fit(data, { seed = 1 })
  print("\n" .. tostring(result:corrected { samples = 200 }))
end
