local lu = require "luaunit"
local cf = require "crossfold"
local fixtures = require "fixtures"

TestStatsSequential = {}

local stats = cf.stats

-- The figures of tests/unit/analysis/stats/confidence_sequence_test.cpp.
function TestStatsSequential:test_boundaries_are_those_of_confseq()
  lu.assertAlmostEquals(stats.normal_mixture_boundary { variance = 100 }.boundary, 30.35209, 1e-5)
  local interval = stats.proportion_sequence { successes = 700, trials = 1000 }
  lu.assertAlmostEquals(interval.low, 0.651629, 2e-6)
  lu.assertAlmostEquals(interval.high, 0.745949, 2e-6)
  lu.assertEquals(interval.estimate, 0.7)
end

function TestStatsSequential:test_a_mean_is_decided_after_some_differences()
  local wins = {}
  for i = 1, 40 do wins[i] = i % 8 == 0 and -1 or 1 end
  local found = stats.sequential_mean(wins)
  lu.assertEquals({ found.n, found.mean }, { 40, 0.75 })
  lu.assertTrue(found.decided > 10 and found.decided < 40)
  lu.assertTrue(found.p < 0.05 and found.low > 0)
  -- What was decided stays decided, and more differences never weaken the evidence.
  table.insert(wins, -1)
  lu.assertEquals(stats.sequential_mean(wins).decided, found.decided)
  lu.assertTrue(stats.sequential_mean(wins).p <= found.p)
end

function TestStatsSequential:test_nothing_has_no_mean()
  local found = stats.sequential_mean({})
  lu.assertEquals({ found.mean, found.p, found.undefined }, { nil, 1.0, "there are no differences" })
  lu.assertEquals(stats.proportion_sequence { successes = 0, trials = 0 }.undefined, "there are no trials")
end

function TestStatsSequential:test_limits_that_cross_give_no_interval()
  local drift = {}
  for i = 1, 900 do drift[i] = i <= 300 and 1 or -1 end
  local found = stats.sequential_mean(drift)
  lu.assertNil(found.low)
  lu.assertEquals(found.undefined, "no mean fits all differences: they are not independent draws of one distribution")
end

function TestStatsSequential:test_differences_beyond_the_largest_are_refused()
  lu.assertStrContains(fixtures.message(stats.sequential_mean, { 0.5, 2 }), "value 2 is 2, outside -1 to 1")
end
