local lu = require "luaunit"
local cf = require "crossfold"
local answer = require "crossfold.lockbox.answer"
local native = require "crossfold.native"

TestAnswer = {}

-- Numbers with a target and their predictions, in groups if given.
local function predicted(truth, values, groups, weights)
  local columns, roles = { { name = "y", values = truth } }, { target = "y" }
  if groups then columns[2], roles.groups = { name = "g", values = groups }, "g" end
  if weights then columns[#columns + 1], roles.weights = { name = "w", values = weights }, "w" end
  local data = cf.dataset { name = "numbers", columns = columns, target = "y", groups = roles.groups,
    weights = roles.weights }
  return native.prediction(data, { values = values }), data
end

local truth = { 1.0, 2, 3, 4, 5, 6, 7, 8 }
local values = { 1.5, 2, 2, 4, 6, 6.5, 7, 9 }

-- Absolute errors 0.5 0 1 0 1 0.5 0 1: mean 0.5, variance 14/7 * ... (by hand: sum of squared deviations 1.5, so
-- the standard error is sqrt(1.5 / 7 / 8)).
function TestAnswer:test_a_mean_over_rows_has_the_usual_standard_error()
  local found = answer.of(cf.metric("mae"), predicted(truth, values))
  lu.assertEquals({ found.method, found.rows, found.units, found.score }, { "clt", 8, 8, 0.5 })
  lu.assertAlmostEquals(found.standard_error, math.sqrt(1.5 / 7 / 8), 1e-12)
end

-- Groups of one row are rows; each row twice in one group has the same standard error as once.
function TestAnswer:test_groups_are_the_units()
  local twice_truth, twice_values, groups = {}, {}, {}
  for i = 1, 8 do
    for _ = 1, 2 do
      twice_truth[#twice_truth + 1], twice_values[#twice_values + 1] = truth[i], values[i]
      groups[#groups + 1] = "g" .. i
    end
  end
  local found = answer.of(cf.metric("mae"), predicted(twice_truth, twice_values, groups))
  lu.assertEquals({ found.method, found.rows, found.units }, { "clt", 16, 8 })
  lu.assertAlmostEquals(found.standard_error, math.sqrt(1.5 / 7 / 8), 1e-12)
end

-- The delta method for the root of a mean: se of the mean squared error over 2 rmse. With 100 rows both agree.
function TestAnswer:test_other_metrics_have_a_bootstrap_standard_error()
  local t, v = {}, {}
  for i = 1, 100 do t[i], v[i] = i + 0.0, i + (i * 37 % 101) / 50 - 1 end
  local prediction, data = predicted(t, v)
  local found = answer.of(cf.metric("rmse"), prediction, data)
  local mean = answer.of(cf.metric("mse"), prediction, data)
  lu.assertEquals({ found.method, mean.method }, { "bootstrap", "clt" })
  lu.assertAlmostEquals(found.standard_error, mean.standard_error / (2 * found.score), 0.1 * found.standard_error)
end

function TestAnswer:test_few_rows_have_no_interval()
  local found = answer.of(cf.metric("mae"), predicted({ 1.0, 2, 3 }, { 1.5, 2, 3 }))
  lu.assertEquals({ found.method, found.reason }, { nil, "3 rows are too few for an interval" })
end

function TestAnswer:test_equal_scores_have_no_interval()
  local found = answer.of(cf.metric("mae"), predicted(truth, truth))
  lu.assertEquals({ found.score, found.method, found.reason },
    { 0, nil, "all rows have the same score, so its spread is not known" })
end

-- The squares of the errors are too large for a number.
function TestAnswer:test_a_standard_error_that_is_not_finite_gives_no_interval()
  local large = {}
  for i = 1, 8 do large[i] = i * 1e200 end
  local found = answer.of(cf.metric("mae"), predicted(truth, large))
  lu.assertEquals({ found.score < math.huge, found.method, found.reason },
    { true, nil, "its standard error is not finite" })
end

-- The probabilities are 0 and 1 here, so the Brier score of each row is 0 or 1; on other rows it may be others.
function TestAnswer:test_scores_of_probabilities_are_not_right_or_wrong()
  local columns = { { name = "y", values = { "a", "b", "a", "b", "a", "b" } } }
  local data = cf.dataset { name = "sure", columns = columns, target = "y" }
  local sure = native.prediction(data, { labels = { "a", "b", "a", "a", "a", "b" },
    probabilities = { { 1, 0 }, { 0, 1 }, { 1, 0 }, { 1, 0 }, { 1, 0 }, { 0, 1 } } })
  lu.assertEquals(answer.of(cf.metric("brier"), sure, data).method, "clt")
  lu.assertEquals(answer.of(cf.metric("accuracy"), sure, data).method, "wilson")
end
