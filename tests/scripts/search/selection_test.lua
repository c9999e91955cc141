-- The rules of choice on tables made by hand, and their options.
local lu = require "luaunit"
local cf = require "crossfold"
local fold_noise = require "crossfold.search.fold_noise"
local selection = require "crossfold.search.selection"
local fixtures = require "fixtures"

TestSelection = {}

-- scipy 1.10: d = a - b; t = d.mean() / (sqrt(1/5 + 0.25) * d.std(ddof=1)); stats.t.sf(t, 4)
local one_sided_p = 0.0975689587930269

local function candidates_of(name, values)
  local list = {}
  for i, value in ipairs(values) do
    list[i] = { params = { [name] = value }, name = ("knn{%s=%s}"):format(name, value) }
  end
  return list
end

local function places(n)
  local list = {}
  for i = 1, n do list[i] = i end
  return list
end

-- What a rule takes among entries with these means, all with the standard deviation `sd` over 25 folds.
local function taken(options, ks, means, sd, direction)
  local rule = selection.rule({ choose = options.choose, simplest = options.simplest },
    candidates_of("k", ks), "x")
  local entries = {}
  for i, mean in ipairs(means) do entries[i] = { mean = mean, sd = sd, n_folds = 25 } end
  local place, best = selection.choose(rule, entries, places(#ks), direction or 1, 0.25)
  return ks[place], ks[best]
end

local higher_k = { choose = "one_se", simplest = { k = "higher" } }

function TestSelection:test_one_se_takes_the_simplest_within_one_standard_error_of_the_best()
  -- The standard error of the best is 0.1 / sqrt(25) = 0.02, so the limit is 0.78.
  local k, best = taken(higher_k, { 1, 5, 9, 13 }, { 0.80, 0.79, 0.78, 0.77 }, 0.1)
  lu.assertEquals(k, 9)
  lu.assertEquals(best, 1)
end

function TestSelection:test_one_se_of_an_error_goes_upward()
  lu.assertEquals(taken(higher_k, { 1, 5, 9, 13 }, { 0.20, 0.21, 0.22, 0.23 }, 0.1, -1), 9)
end

function TestSelection:test_the_best_is_taken_if_nothing_simpler_is_near()
  lu.assertEquals(taken(higher_k, { 1, 5, 9 }, { 0.7, 0.8, 0.7 }, 0.1), 5)
end

function TestSelection:test_of_equally_simple_ones_the_better_is_taken_then_the_earlier()
  local same = { choose = "one_se", simplest = function() return 0 end }
  lu.assertEquals(taken(same, { 1, 5, 9 }, { 0.79, 0.80, 0.80 }, 0.1), 5)
end

function TestSelection:test_a_list_of_parameters_orders_by_the_first_then_the_next()
  local list = {
    { params = { k = 5, weights = "distance" }, name = "a" },
    { params = { k = 5, weights = "uniform" }, name = "b" },
    { params = { k = 1, weights = "uniform" }, name = "c" },
  }
  local rule = selection.rule({ choose = "one_se",
    simplest = { { k = "higher" }, { weights = { "uniform", "distance" } } } }, list, "x")
  local entries = {}
  for i = 1, 3 do entries[i] = { mean = 0.5, sd = 0.1, n_folds = 4 } end
  lu.assertEquals(selection.choose(rule, entries, places(3), 1, 0.25), 2)
end

-- The definition: always the first with the best mean of those that are left.
local function ranked_one_by_one(entries, left, direction)
  local ranked = {}
  while true do
    local best = selection.best(entries, left, direction)
    if not best then return ranked end
    ranked[#ranked + 1] = best
    for i, c in ipairs(left) do
      if c == best then table.remove(left, i) break end
    end
  end
end

function TestSelection:test_a_ranking_takes_the_first_of_the_best_again_and_again()
  math.randomseed(3)
  for case = 1, 300 do
    local entries, order = {}, {}
    -- Steps of 0.6e-12 are below the rounding that counts, and two of them are not.
    local step = case % 3 == 0 and 0.25 or 0.6e-12
    for i = 1, math.random(0, 30) do
      entries[i] = { mean = math.random(6) > 1 and 0.5 + step * math.random(0, 8) or nil }
      table.insert(order, math.random(i), i)
    end
    local direction = case % 2 == 0 and 1 or -1
    lu.assertEquals(selection.ranked(entries, order, direction),
      ranked_one_by_one(entries, table.move(order, 1, #order, 1, {}), direction))
  end
end

function TestSelection:test_a_front_has_all_that_no_other_one_beats()
  math.randomseed(4)
  local names, directions = { "a", "b", "c" }, { 1, -1, 0 }
  for _ = 1, 100 do
    local entries, order, expected = {}, {}, {}
    for i = 1, math.random(0, 40) do
      entries[i] = { metrics = { a = { mean = math.random(6) }, b = { mean = math.random(6) }, c = {} } }
      order[i] = i
    end
    for i, entry in ipairs(entries) do
      local beaten, m = false, entry.metrics
      for _, other in ipairs(entries) do
        local o = other.metrics
        beaten = beaten or o.a.mean >= m.a.mean and o.b.mean <= m.b.mean
          and (o.a.mean > m.a.mean or o.b.mean < m.b.mean)
      end
      if not beaten then expected[#expected + 1] = i end
    end
    lu.assertEquals(selection.front(entries, order, names, directions), expected)
  end
end

function TestSelection:test_the_corrected_t_of_two_candidates()
  local a, b = { 0.9, 0.8, 0.85, 0.95, 0.9 }, { 0.88, 0.81, 0.80, 0.93, 0.86 }
  lu.assertAlmostEquals(fold_noise.p_better(a, b, 1, 0.25), one_sided_p, 1e-12)
  lu.assertAlmostEquals(fold_noise.p_better(b, a, -1, 0.25), one_sided_p, 1e-12)
  lu.assertAlmostEquals(fold_noise.p_better(b, a, 1, 0.25), 1 - one_sided_p, 1e-12)
end

function TestSelection:test_there_is_no_p_value_without_spread()
  lu.assertNil(fold_noise.p_better({ 0.9, 0.8 }, { 0.8, 0.7 }, 1, 0.25))
  lu.assertNil(fold_noise.p_better({ 0.9 }, { 0.8 }, 1, 0.25))
end

local function within_noise(alpha)
  local rule = selection.rule({ choose = "within_noise", alpha = alpha,
    simplest = { k = "higher" } }, candidates_of("k", { 1, 5, 9 }), "x")
  local entries = {
    { mean = 0.88, values = { 0.9, 0.8, 0.85, 0.95, 0.9 }, n_folds = 5 },
    { mean = 0.856, values = { 0.88, 0.81, 0.80, 0.93, 0.86 }, n_folds = 5 },
    { mean = 0.78, values = { 0.8, 0.7, 0.75, 0.85, 0.8 }, n_folds = 5 },
  }
  return selection.choose(rule, entries, places(3), 1, 0.25), entries
end

function TestSelection:test_within_noise_takes_the_simplest_that_is_not_worse_by_the_test()
  local place, entries = within_noise(0.05)
  lu.assertEquals(place, 2)
  lu.assertAlmostEquals(entries[2].p, one_sided_p, 1e-12)
  -- The third is 0.1 worse in every fold: no spread, no test, and no doubt.
  lu.assertNil(entries[3].p)
end

function TestSelection:test_within_noise_goes_by_its_alpha()
  lu.assertEquals((within_noise(0.25)), 1)
end

function TestSelection:test_the_front_has_those_that_none_beats_in_all_metrics()
  local function entry(accuracy, loss)
    return { metrics = { accuracy = { mean = accuracy }, loss = { mean = loss } } }
  end
  local entries = { entry(0.9, 0.5), entry(0.8, 0.3), entry(0.8, 0.5), entry(0.9, 0.5), entry(0.95) }
  lu.assertEquals(selection.front(entries, places(5), { "accuracy", "loss" }, { 1, -1 }), { 1, 2, 4 })
end

local function search(changes)
  return cf.grid_search(fixtures.with({ learner = "knn", grid = { k = { 1, 3, 5, 7 } }, metric = "accuracy",
    splitter = cf.splitter("kfold", { folds = 5, shuffle = false }) }, changes))
end

function TestSelection:test_a_search_chooses_by_its_rule()
  local data = fixtures.iris()
  local _, best = search({}):fit(data, { seed = 1 })
  local chosen = search { choose = "one_se", simplest = { k = "higher" } }
  local _, simple = chosen:fit(data, { seed = 1 })
  lu.assertEquals(simple.best, best.candidate)
  lu.assertEquals(simple.choose, "one_se")
  local means, limit = {}, nil
  for i, entry in ipairs(simple.inner) do
    means[i] = entry.mean
    if entry.candidate == best.candidate then limit = entry.mean - entry.sd / math.sqrt(5) end
  end
  local expected
  for i, k in ipairs { 1, 3, 5, 7 } do if means[i] >= limit then expected = k end end
  lu.assertEquals(simple.chosen, { k = expected })
  lu.assertEquals(tostring(chosen), "grid_search{knn, 4 candidates, one_se}")
end

function TestSelection:test_one_inner_fold_has_no_standard_error()
  lu.assertEquals(fixtures.message(function()
    search { choose = "one_se", simplest = { k = "higher" },
      splitter = cf.splitter("holdout", { test_share = 0.3 }) }:fit(fixtures.iris(), { seed = 1 })
  end), "cannot choose by one_se: only one inner fold counts, and one fold has no spread; use more "
    .. "folds or choose = \"best\"")
end

function TestSelection:test_bad_rules_are_refused()
  local cases = {
    { { choose = "simplest" }, "choose = 'simplest' is not one of best, one_se, simplest in the set, within_noise" },
    { { choose = "one_se" }, "choose = 'one_se' takes the simplest of several; say which is simpler, "
      .. "as in simplest = { k = \"higher\" }" },
    { { simplest = { k = "higher" } },
      "option 'simplest' goes with choose = \"one_se\", \"simplest in the set\" or \"within_noise\"" },
    { { choose = "one_se", simplest = { k = "higher" }, alpha = 0.1 },
      "option 'alpha' goes with choose = \"within_noise\" or \"simplest in the set\"" },
    { { choose = "within_noise", simplest = { k = "higher" }, alpha = 1 },
      "alpha = 1 is out of range; use a number between 0 and 1" },
    { { choose = "one_se", simplest = { k = "more" } },
      "option 'simplest': 'k' must be \"higher\", \"lower\" or a list of values, the simplest first" },
    { { choose = "one_se", simplest = { k = "higher", p = "lower" } },
      "option 'simplest': name one parameter, or give a list whose first element decides, as in "
      .. "{ { max_depth = \"lower\" }, { k = \"higher\" } }" },
    { { choose = "one_se", simplest = { distance = "lower" } },
      "option 'simplest': knn{k=1} has no place in the order of 'distance'; list its values, the "
      .. "simplest first, or give a function of the parameters" },
    { { choose = "one_se", simplest = function() return "small" end },
      "option 'simplest' must return a number; for knn{k=1} it returned a string" },
  }
  for _, case in ipairs(cases) do
    lu.assertEquals(fixtures.message(search, case[1]), "grid_search: " .. case[2])
  end
end
