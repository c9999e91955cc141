local lu = require "luaunit"
local cf = require "crossfold"
local fixtures = require "fixtures"

TestHalving = {}

local threefold = cf.splitter("kfold", { folds = 3, stratify = true })

local function ks(n)
  local list = {}
  for i = 1, n do list[i] = 2 * i - 1 end
  return list
end

local function search(changes)
  return cf.halving_search(fixtures.with({ learner = "knn", grid = { k = ks(9) }, min_resource = 0.1,
    splitter = threefold, metric = "accuracy" }, changes))
end

local function column(rows, name)
  local list = {}
  for i, row in ipairs(rows) do list[i] = row[name] end
  return list
end

-- 27 settings that fit a ninth of the 100 training rows.
local many = { k = { 1, 2, 3, 4, 5, 6, 7, 8, 9 },
  distance = { "chebyshev", "euclidean", "manhattan" } }

function TestHalving:test_a_third_goes_on_with_three_times_the_rows()
  local _, detail = search { grid = many, min_resource = 0.1 }
    :fit(fixtures.iris(), { seed = 1 })
  lu.assertEquals(column(detail.rounds, "candidates"), { 27, 9, 3 })
  lu.assertEquals(column(detail.rounds, "cells"), { 81, 27, 9 })
  lu.assertAlmostEquals(detail.rounds[1].resource, 1 / 9, 1e-15)
  lu.assertAlmostEquals(detail.rounds[2].resource, 1 / 3, 1e-15)
  lu.assertEquals(detail.rounds[3].resource, 1)
  lu.assertEquals(detail.cells, 117)
end

function TestHalving:test_no_round_has_less_than_the_least_resource()
  local _, detail = search { grid = many, min_resource = 0.2 }
    :fit(fixtures.iris(), { seed = 1 })
  lu.assertEquals(column(detail.rounds, "candidates"), { 27, 9 })
end

function TestHalving:test_the_last_round_has_at_least_two_candidates()
  local _, detail = search { grid = { k = ks(9) }, min_resource = 0.01 }
    :fit(fixtures.iris(), { seed = 1 })
  lu.assertEquals(column(detail.rounds, "candidates"), { 9, 3 })
end

function TestHalving:test_who_goes_on_is_the_better_part_of_its_round()
  local data = fixtures.iris()
  local _, detail = search { min_resource = 0.3, factor = 3,
    metric = cf.metric { name = "rank", direction = "lower", score = function(_, _, info)
      -- The candidates' only difference is k, which the probabilities of knn show: shares of k.
      local least = 1
      for _, row in ipairs(info.probabilities) do
        for _, p in ipairs(row) do if p > 0 and p < least then least = p end end
      end
      return least
    end, needs_probabilities = true } }:fit(data, { seed = 1 })
  local means, last = {}, {}
  for c, entry in ipairs(detail.inner) do
    if entry.round == 1 then means[#means + 1] = entry.mean end
    if entry.round == 2 then last[#last + 1] = c end
  end
  lu.assertEquals(#means, 6)
  -- Greater k, smaller least share: the last three go on.
  lu.assertEquals(last, { 7, 8, 9 })
end

function TestHalving:test_the_last_round_scores_as_a_grid_search_does()
  local data = fixtures.iris()
  local _, halved = search():fit(data, { seed = 1 })
  local _, all = cf.grid_search { learner = "knn", grid = { k = ks(9) }, splitter = threefold,
    metric = "accuracy" }:fit(data, { seed = 1 })
  local compared = 0
  for c, entry in ipairs(halved.inner) do
    if entry.round == #halved.rounds then
      compared = compared + 1
      lu.assertEquals(entry.mean, all.inner[c].mean)
    end
  end
  lu.assertEquals(compared, 3)
end

function TestHalving:test_only_candidates_of_the_last_round_are_chosen()
  local _, detail = search():fit(fixtures.iris(), { seed = 3 })
  for _, entry in ipairs(detail.inner) do
    if entry.candidate == detail.candidate then lu.assertEquals(entry.round, #detail.rounds) end
  end
end

function TestHalving:test_equal_candidates_go_on_in_their_order()
  local _, detail = search { grid = { k = { 1, 2, 3, 4 } }, factor = 2, min_resource = 0.5,
    metric = cf.metric { name = "same", direction = "higher", score = function() return 0.5 end } }
    :fit(fixtures.separable(), { seed = 1 })
  lu.assertEquals(column(detail.rounds, "candidates"), { 4, 2 })
  lu.assertEquals(column(detail.inner, "round"), { 2, 2, 1, 1 })
  lu.assertEquals(detail.chosen, { k = 1 })
end

function TestHalving:test_a_candidate_that_fails_in_a_round_is_out_with_its_reason()
  -- A ninth of the 8 training rows is 1 row.
  local _, detail = search { grid = { k = { 1, 2, 3, 4, 5, 6, 7, 8 } }, min_resource = 0.3 }
    :fit(fixtures.separable(), { seed = 1 })
  lu.assertEquals(detail.inner[8].round, 1)
  lu.assertStrContains(detail.inner[8].failure, "k = 8 exceeds the 3 training rows")
end

function TestHalving:test_a_parameter_can_be_the_resource()
  local forest = search { learner = cf.learner("random_forest", { max_depth = 3 }),
    grid = { min_leaf = { 1, 5, 10, 20 } }, resource = "trees", min_resource = 4, max_resource = 16,
    factor = 2 }
  lu.assertStrContains(forest.candidates[1].name, "trees=16")
  local _, detail = forest:fit(fixtures.iris(), { seed = 1 })
  lu.assertEquals(column(detail.rounds, "resource"), { 8, 16 })
  lu.assertEquals(math.type(detail.rounds[1].resource), "integer")
  lu.assertEquals(column(detail.rounds, "candidates"), { 4, 2 })
end

function TestHalving:test_a_space_gives_candidates_too()
  local drawn = cf.halving_search { learner = "knn", space = { k = { low = 1, high = 40 } },
    candidates = 12, seed = 4, min_resource = 0.2, splitter = threefold, metric = "accuracy" }
  local _, detail = drawn:fit(fixtures.iris(), { seed = 1 })
  lu.assertEquals(drawn.draws, 12)
  lu.assertEquals(#detail.inner, #drawn.candidates)
end

function TestHalving:test_the_budget_cuts_candidates_before_anything_runs()
  local value = search { budget = { cells = 20 } }
  lu.assertEquals(tostring(value:plan(fixtures.iris())),
    "4 of 9 candidates on 3 inner folds: at most 18 cells per search")
  local _, detail = value:fit(fixtures.iris(), { seed = 1 })
  lu.assertEquals(detail.cells, 18)
  lu.assertEquals(detail.stopped, "4 of 9 candidates: the budget is 20 cells")
  lu.assertEquals(detail.inner[9].skipped, "not evaluated: the budget is 20 cells")
end

function TestHalving:test_any_number_of_workers_gives_the_same_bits()
  local texts = {}
  for i, workers in ipairs { 1, 2, 7 } do
    local result = cf.evaluate { data = fixtures.iris(), learners = { s = search() },
      splitter = threefold, metrics = "accuracy", workers = workers }
    local lines = { result:to { csv = true } }
    for _, row in ipairs(result:tuning("s")) do
      for _, entry in ipairs(row.inner) do
        lines[#lines + 1] = ("%s %d %s"):format(entry.candidate, entry.round,
          entry.mean and ("%a"):format(entry.mean) or entry.failure)
      end
    end
    texts[i] = table.concat(lines, "\n")
  end
  lu.assertEquals(texts[2], texts[1])
  lu.assertEquals(texts[3], texts[1])
end

function TestHalving:test_bad_options_are_refused()
  local trees = { learner = "random_forest", grid = { min_leaf = { 1, 5 } }, resource = "trees",
    min_resource = 4, max_resource = 16 }
  local function with(changes)
    return fixtures.with(fixtures.with({}, trees), changes)
  end
  local no_max = with {}
  no_max.max_resource = nil
  local cases = {
    { { factor = 1 }, "factor = 1 is out of range; use 2 or more" },
    { { min_resource = 0 },
      "min_resource = 0 is out of range; rows are a share above 0, at most 1" },
    { { min_resource = 30 },
      "min_resource = 30 is out of range; rows are a share above 0, at most 1" },
    { { max_resource = 1 }, "option 'max_resource' goes with a parameter as the resource; the last "
      .. "round has all rows" },
    { no_max,
      "option 'max_resource' is missing: the value of 'trees' in the last round" },
    { with { min_resource = 20 }, "min_resource must be greater than 0 and at most max_resource" },
    { with { grid = { trees = { 1, 2 } } }, "'trees' is the resource, so it cannot be searched" },
    { with { resource = "random_forest.trees", grid = { trees = { 1, 2 } } },
      "'random_forest.trees' is the resource, so it cannot be searched" },
    { { resource = "distance", max_resource = 1 }, nil },
    { { space = { k = { 1 } } }, "give either 'grid' or 'space'" },
    { { seed = 1 }, "option 'seed' goes with 'space'" },
    { { budget = { seconds = 1 } },
      "option 'budget': seconds are for grid_search and random_search; give cells" },
  }
  for _, case in ipairs(cases) do
    if case[2] then
      lu.assertEquals(fixtures.message(search, case[1]), "halving_search: " .. case[2])
    else
      lu.assertStrContains(fixtures.message(search, case[1]), "is not a number: one of")
    end
  end
end
