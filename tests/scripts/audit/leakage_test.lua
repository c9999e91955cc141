-- Nothing of a test part may reach what is fitted for it: other labels there must leave every bit of its
-- predictions as it was.
local lu = require "luaunit"
local cf = require "crossfold"
local fixtures = require "fixtures"

TestLeakage = {}

-- 96 rows, of which rows 4, 8, 12, ... are the test part of fold 1; `other` gives these other labels.
local function data(other)
  local x, z, y = {}, {}, {}
  for i = 1, 96 do
    local yes = cf.seed(5, i) % 2 == 0
    x[i] = cf.seed(1, i) % 1000 / 1000 + (yes and 0.4 or 0)
    z[i] = cf.seed(2, i) % 100
    if other and i % 4 == 0 then yes = cf.seed(77, i) % 3 == 0 end
    y[i] = yes and "yes" or "no"
  end
  return cf.dataset { name = "leak", target = "y", columns = {
    { name = "x", values = x }, { name = "z", values = z }, { name = "y", values = y } } }
end

local outer = cf.splitter { name = "fourths", split = function(input)
  local folds = {}
  for row = 1, input.n do folds[row] = row % 4 + 1 end
  return { folds = folds }
end }

local inner = cf.splitter("kfold", { folds = 4, stratify = true })
local knn = cf.pipeline { cf.transform("standardize"), cf.learner("knn") }

local function search(kind, changes)
  return cf[kind .. "_search"](fixtures.with({ learner = knn, splitter = inner, metric = "log_loss" }, changes))
end

local grid = { k = { 1, 3, 9, 15 } }
local learners = {
  grid = search("grid", { grid = grid, choose = "one_se", simplest = { k = "higher" } }),
  random = search("random", { space = { k = { low = 1, high = 20 } }, candidates = 5, seed = 3 }),
  halving = search("halving", { grid = grid, min_resource = 0.3, factor = 2 }),
  race = search("race", { grid = grid, min_folds = 2, error = 0.3 }),
  stacking = cf.stacking { learners = { knn, "naive_bayes" }, combiner = "naive_bayes",
    splitter = inner },
  voting = cf.voting { learners = { search("grid", { grid = grid }), "naive_bayes" } },
  bagging = cf.bagging { learner = "decision_tree", n = 3 },
  threshold = cf.pipeline { "naive_bayes", cf.threshold { metric = "f1", splitter = inner } },
  calibration = cf.pipeline { "naive_bayes", cf.calibration { method = "platt", splitter = inner } },
}

-- The predictions of fold 1 and those of the other folds, of one learner each.
local function predictions(other, workers)
  local result = cf.evaluate { data = data(other), learners = learners, splitter = outer,
    metrics = "accuracy", seed = 9, keep = "probabilities", workers = workers }
  lu.assertEquals(result:failures(), {})
  local first, rest = {}, {}
  for _, row in ipairs(result:predictions()) do
    local part = row.fold == 1 and first or rest
    part[row.learner] = part[row.learner] or {}
    table.insert(part[row.learner], { row.row, row.predicted, row.probabilities })
  end
  return first, rest
end

function TestLeakage:test_labels_of_the_test_part_reach_no_search_ensemble_or_adjustment()
  local first, rest = predictions(false, 1)
  local same, changed = predictions(true, 2)
  for name in pairs(learners) do
    lu.assertEquals(#first[name], 24)
    lu.assertEquals(same[name], first[name], name)
    lu.assertNotEquals(changed[name], rest[name], name)  -- there they are training rows
  end
end
