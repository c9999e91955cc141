local lu = require "luaunit"
local cf = require "crossfold"
local looks = require "crossfold.lockbox.looks"

TestLooks = {}

-- Openings with these numbers of right rows of 100.
local function openings(...)
  local list = {}
  for i, right in ipairs { ... } do
    list[i] = { answer = { score = right / 100, rows = 100, units = 100, method = "wilson" } }
  end
  return list
end

local function wilson(right, level)
  local found = cf.stats.accuracy_interval { correct = right, n = 100, confidence = level }
  return { found.low, found.high }
end

local function limits(...)
  local found = assert(looks.interval(...))
  return { found.low, found.high }
end

local function assert_near(actual, expected)
  for i = 1, 2 do lu.assertAlmostEquals(actual[i], expected[i], 1e-9) end
end

function TestLooks:test_bonferroni_divides_the_risk_by_all_openings_so_far()
  local list = openings(60, 70)
  assert_near(limits("bonferroni", list, 1, 0.95), wilson(60, 0.975))
  assert_near(limits("bonferroni", list, 2, 0.95), wilson(70, 0.975))
  assert_near(limits("bonferroni", openings(60), 1, 0.95), wilson(60, 0.95))
end

function TestLooks:test_spending_halves_the_risk_with_each_opening()
  local list = openings(60, 70, 80)
  assert_near(limits("spending", list, 1, 0.95), wilson(60, 0.975))
  assert_near(limits("spending", list, 3, 0.95), wilson(80, 1 - 0.05 / 8))
end

-- By hand: at the limits 100 kl(0.5, q) = log(2 / (0.05 / 2)), and kl(0.5, q) = -log(4 q (1 - q)) / 2, so
-- q = (1 -+ sqrt(1 - (0.05 / 4)^(2 / 100))) / 2.
function TestLooks:test_the_chernoff_bound_is_that_by_hand()
  local half = math.sqrt(1 - (0.05 / 4) ^ (2 / 100)) / 2
  assert_near(limits("adaptive", openings(50), 1, 0.95), { 0.5 - half, 0.5 + half })
end

-- The second opening follows one of 101 answers: its risk is 0.05 / 4 / 101.
function TestLooks:test_adaptive_divides_the_risk_by_the_possible_answers_before()
  local half = math.sqrt(1 - (0.05 / 8 / 101) ^ (2 / 100)) / 2
  assert_near(limits("adaptive", openings(70, 50), 2, 0.95), { 0.5 - half, 0.5 + half })
end

function TestLooks:test_adaptive_needs_answers_that_can_be_counted()
  local list = openings(60, 70)
  list[1].answer.method = "clt"
  lu.assertEquals({ looks.interval("adaptive", list, 2, 0.95) }, { nil,
    "opening 1 is not a share of rows, so the number of its possible answers is not known" })
end

-- t of 24 degrees of freedom at 0.9875 is 2.3909 (R: qt(1 - 0.025 / 2, 24)).
function TestLooks:test_means_have_student_intervals_over_their_units()
  local list = { { answer = { score = 1, rows = 100, units = 25, method = "clt", standard_error = 0.1,
    least = -math.huge, most = math.huge } } }
  local found = limits("spending", list, 1, 0.95)
  lu.assertAlmostEquals(found[1], 1 - 0.23909, 1e-5)
  lu.assertAlmostEquals(found[2], 1 + 0.23909, 1e-5)
end

function TestLooks:test_limits_stay_in_the_range_of_the_metric()
  local list = { { answer = { score = 0.98, rows = 100, units = 100, method = "bootstrap", standard_error = 0.1,
    least = 0, most = 1 } } }
  lu.assertEquals(limits("spending", list, 1, 0.95)[2], 1)
end

function TestLooks:test_too_many_openings_have_no_interval()
  local rights = {}
  for i = 1, 40 do rights[i] = 50 end
  lu.assertEquals({ looks.interval("spending", openings(table.unpack(rights)), 40, 0.95) },
    { nil, "the lockbox was opened too often" })
end
