-- Ways to search for a setting: all settings of a grid, drawn ones, and two that stop early with what
-- does not look good. A search is a learner: the outer folds see the search as a whole.
local cf = require "crossfold"

local here = arg[0]:match("^(.*)/[^/]*$") or "."
local data = cf.read(here .. "/../data/wine.csv", { target = "class" })

local inner = cf.splitter("kfold", { folds = 10, stratify = true })
local knn = cf.pipeline { cf.transform("standardize"), cf.learner("knn") }
local space = {
  k        = { low = 1, high = 30, scale = "log" },
  distance = { "manhattan", "minkowski" },
  p        = { low = 1, high = 8 },     -- left out of candidates with another distance than Minkowski's
}

local searches = {
  grid = cf.grid_search {
    learner = knn, splitter = inner, metric = "accuracy", inactive = "drop",
    grid = { distance = { "manhattan", "minkowski" }, k = { 1, 3, 7, 15, 31 }, p = { 2, 4 } },
  },
  random = cf.random_search {
    learner = knn, splitter = inner, metric = "accuracy",
    space = space, candidates = 20, seed = 1,
  },
  -- Few rows first: a third of them for all candidates, all rows for the better third.
  halving = cf.halving_search {
    learner = knn, splitter = inner, metric = "accuracy",
    space = space, candidates = 20, seed = 1, min_resource = 0.3,
  },
  -- Fold by fold; who is significantly worse than the leader leaves.
  race = cf.race_search {
    learner = knn, splitter = inner, metric = "accuracy",
    grid = { k = { 1, 3, 7, 15, 31, 61, 91 } }, error = 0.1,
  },
}

-- What each would cost, before anything runs.
local outer = cf.splitter("kfold", { folds = 3, stratify = true })
for _, name in ipairs { "grid", "random", "halving", "race" } do
  print(("%-8s %s"):format(name, tostring(searches[name]:plan(data, { splitter = outer }))))
end

local result = cf.evaluate {
  data = data, learners = searches, splitter = outer, metrics = "accuracy", seed = 42,
}
print("\n" .. tostring(result))

print("\nchosen by the random search:")
print(result:tuning("random"))

local halving, race = result:tuning("halving")[1], result:tuning("race")[1]
print("\nthe rounds of halving in the first outer fold:")
for _, round in ipairs(halving.rounds) do
  print(("  %s of the rows: %2d candidates, %3d cells; the best has %s"):format(
    cf.format_number(round.resource, 2), round.candidates, round.cells,
    cf.format_number(round.mean, 4)))
end
local left = 0
for _, entry in ipairs(race.inner) do
  if not entry.dropped_after then left = left + 1 end
end
print(("the race of that fold: %d cells, %d of %d candidates left at the end"):format(race.cells, left,
  #race.inner))

-- The simplest within one standard error of the best: with more neighbours a smoother border.
local smooth = cf.grid_search {
  learner = cf.pipeline { cf.transform("standardize"), cf.learner("knn") },
  grid = { k = { 1, 3, 5, 9, 15, 25, 35 } }, splitter = inner,
  metric = "accuracy", metrics = { "log_loss" },
  choose = "one_se", simplest = { k = "higher" },
}
local _, detail = smooth:fit(data, { seed = 42 })
print(("\n%s by one_se, the best is %s"):format(detail.candidate, detail.best))
for _, entry in ipairs(detail.inner) do
  print(("  k = %2d  accuracy %s  log loss %s"):format(entry.params.k,
    cf.format_number(entry.mean, 4), entry.metrics.log_loss.mean
      and cf.format_number(entry.metrics.log_loss.mean, 4) or "undefined"))
end
