-- cf.stats: ranks, bootstrap, bias and variance, power. Numbers are those of the C++ tests
-- (frameworks.md 4.7, 4.8, 4.11; SciPy); here it is what scripts give and get.
local lu = require "luaunit"
local cf = require "crossfold"
local fixtures = require "fixtures"

TestStatsRanks = {}

local scores = {
  { .763, .768, .771, .798 }, { .599, .591, .590, .569 }, { .954, .971, .968, .967 },
  { .628, .661, .654, .657 }, { .882, .888, .886, .898 }, { .936, .931, .916, .931 },
  { .661, .668, .609, .685 }, { .583, .583, .563, .625 }, { .775, .838, .866, .875 },
  { 1, 1, 1, 1 }, { .940, .962, .965, .962 }, { .619, .666, .614, .669 },
  { .972, .981, .975, .975 }, { .957, .978, .946, .970 },
}
local names = { "C4.5", "+m", "+cf", "+m+cf" }

function TestStatsRanks:test_friedman_meets_demsars_table()
  local test = cf.stats.friedman(scores, { higher_is_better = true, learners = names })
  lu.assertEquals(test.datasets, 14)
  lu.assertAlmostEquals(test.average_ranks[1], 3.142857142857, 1e-12)
  lu.assertAlmostEquals(test.statistic, 9.857142857143, 1e-12)
  lu.assertEquals(test.df, 3)
  lu.assertAlmostEquals(test.tie_corrected.p, 0.0119861763, 1e-9)
  -- (N-1) X / (N (k-1) - X) of the tie-corrected X = 10.952380952381.
  lu.assertAlmostEquals(test.iman_davenport.statistic, 4.585889570552, 1e-11)
  lu.assertEquals({ test.iman_davenport.df1, test.iman_davenport.df2 }, { 3, 39 })
  lu.assertTrue(test.ties)
  lu.assertNil(test.undefined)
  lu.assertNil(test.bonferroni_dunn)
  lu.assertEquals(test.groups, { { "+m+cf", "+m", "+cf", "C4.5" } })
  lu.assertEquals({ test.nemenyi[1].first, test.nemenyi[1].second }, { "C4.5", "+m" })
  lu.assertAlmostEquals(test.nemenyi[1].p, 0.0886727093, 1e-9)
end

function TestStatsRanks:test_alpha_decides_the_bars_and_learners_without_names_are_numbers()
  local test = cf.stats.friedman(scores, { higher_is_better = true, alpha = 0.10, control = 1 })
  lu.assertEquals(test.groups, { { 4, 2, 3 }, { 3, 1 } })
  lu.assertEquals(#test.bonferroni_dunn, 3)
  lu.assertEquals(test.bonferroni_dunn[1].first, 2)
  lu.assertEquals(test.bonferroni_dunn[1].second, 1)
end

function TestStatsRanks:test_a_test_that_does_not_exist_says_why()
  local test = cf.stats.friedman({ { 1, 2, 3 } }, { higher_is_better = true })
  lu.assertEquals(test.undefined, "one dataset does not show how ranks differ between datasets")
  lu.assertEquals(test.average_ranks, { 3, 2, 1 })
  lu.assertNil(test.p)
  lu.assertNil(test.nemenyi)
  local alike = cf.stats.friedman({ { 1, 2 }, { 3, 4 } }, { higher_is_better = false })
  lu.assertNil(alike.iman_davenport.p)
  lu.assertEquals(alike.iman_davenport.undefined,
    "every dataset ranks the learners alike: F is infinite")
end

function TestStatsRanks:test_friedman_refuses_what_it_cannot_rank()
  local function message(list, changes)
    return fixtures.message(cf.stats.friedman, list, fixtures.with({ higher_is_better = true }, changes))
  end
  lu.assertEquals(fixtures.message(cf.stats.friedman, scores),
    "friedman: option 'higher_is_better' is missing")
  lu.assertEquals(message({ { 1, 2 }, { 1 } }),
    "cannot compare the learners by their ranks: dataset 2 has 1 scores, dataset 1 has 2; give one "
    .. "score per learner")
  lu.assertEquals(message({ { 1, 2 }, { 1, "x" } }),
    "the scores of dataset 2 must be a list of numbers; element 2 is a string")
  lu.assertEquals(message(scores, { learners = { "a" } }),
    "friedman: there are 1 learners and 4 scores per dataset")
  lu.assertEquals(message(scores, { learners = { "a", "b", "a", "c" } }),
    "friedman: option 'learners': 'a' is there twice")
  lu.assertEquals(message(scores, { learners = names, control = "C45" }),
    "friedman: unknown control 'C45'; did you mean 'C4.5'? known: +cf, +m, +m+cf, C4.5")
  lu.assertEquals(message(scores, { control = 5 }), "friedman: control = 5 is not one of 4 learners")
  lu.assertEquals(message(scores, { alpha = 5 }), "friedman: alpha is 5; it must be between 0 and 1")
end

function TestStatsRanks:test_critical_differences()
  lu.assertAlmostEquals(cf.stats.critical_difference { learners = 4, datasets = 14 }, 1.2535591495,
    1e-8)
  lu.assertAlmostEquals(cf.stats.critical_difference { learners = 4, datasets = 14,
    method = "bonferroni_dunn" }, 1.1681425306, 1e-9)
  lu.assertEquals(fixtures.message(cf.stats.critical_difference,
    { learners = 4, datasets = 14, method = "nemeny" }),
    "critical_difference: unknown method 'nemeny'; did you mean 'nemenyi'? known: bonferroni_dunn, "
    .. "nemenyi")
  lu.assertEquals(fixtures.message(cf.stats.critical_difference, { learners = 1, datasets = 14 }),
    "cannot compute the critical difference: the number of learners is 1; compare at least 2")
end

TestStatsBootstrap = {}

local values = { 2.1, 3.4, 0.7, 5.9, 4.4, 8.8, 1.2, 3.3, 2.7, 6.1 }

local function median(list)
  table.sort(list)  -- the list is the function's own
  local half = #list // 2
  if #list % 2 == 1 then return list[half + 1] end
  return list[half] + (list[half + 1] - list[half]) / 2
end

function TestStatsBootstrap:test_a_function_sees_the_samples_of_the_native_statistic()
  for _, method in ipairs { "bca", "percentile" } do
    local native = cf.stats.bootstrap_interval(values, { statistic = "median", method = method,
      samples = 300, seed = 4 })
    local own = cf.stats.bootstrap_interval(values, { statistic = median, method = method,
      samples = 300, seed = 4 })
    lu.assertEquals(own, native)
    lu.assertEquals(native.method, method)
    lu.assertTrue(native.low < native.estimate and native.estimate < native.high)
  end
  lu.assertEquals(values[1], 2.1)
end

function TestStatsBootstrap:test_no_interval_has_a_reason()
  for _, statistic in ipairs { "mean", function(list) return list[1] end } do
    local interval = cf.stats.bootstrap_interval({ 3, 3, 3 }, { statistic = statistic })
    lu.assertEquals(interval.undefined, "all values are equal: every sample is the same")
    lu.assertEquals(interval.estimate, 3)
    lu.assertNil(interval.low)
  end
  local nan = cf.stats.bootstrap_interval(values, { statistic = function() return 0 / 0 end })
  lu.assertEquals(nan.undefined, "the statistic of the values is not a finite number")
  lu.assertNil(nan.estimate)
end

function TestStatsBootstrap:test_errors_of_the_statistic_reach_the_script()
  lu.assertEquals(fixtures.message(cf.stats.bootstrap_interval, values,
    { statistic = function() error("no such thing", 0) end }), "no such thing")
  lu.assertEquals(fixtures.message(cf.stats.bootstrap_interval, values,
    { statistic = function() end }),
    "bootstrap_interval: the statistic of the values is a nil, not a number")
end

function TestStatsBootstrap:test_bad_options_are_refused_for_any_statistic()
  for _, statistic in ipairs { "mean", median } do
    local function message(list, o)
      o.statistic = statistic
      return fixtures.message(cf.stats.bootstrap_interval, list, o)
    end
    lu.assertEquals(message(values, { confidence = 95 }),
      "cannot compute a bootstrap interval: confidence is 95; it must be between 0 and 1")
    lu.assertEquals(message(values, { samples = 0 }),
      "cannot compute a bootstrap interval: samples is 0; draw at least 2")
    lu.assertEquals(message({}, {}),
      "cannot compute a bootstrap interval: there are no values; give a list of numbers")
    lu.assertEquals(message({ 1, 0 / 0 }, {}),
      "cannot compute a bootstrap interval: value 2 is nan; give finite numbers only")
    lu.assertEquals(message(values, { method = "bcu" }),
      "bootstrap_interval: unknown method 'bcu'; did you mean 'bca'? known: bca, percentile")
  end
  lu.assertEquals(fixtures.message(cf.stats.bootstrap_interval, values, { statistic = "mode" }),
    "bootstrap_interval: unknown statistic 'mode'; known: mean, median")
end

function TestStatsBootstrap:test_632_and_its_parts()
  local gamma = cf.stats.no_information_error {
    truth = { "a", "a", "a", "a", "a", "a", "b", "b", "b", "b" },
    predictions = { "a", "b", "a", "b", "a", "b", "a", "b", "a", "b" },
  }
  lu.assertAlmostEquals(gamma, 0.5, 1e-15)
  local both = cf.stats.bootstrap_632 { training_error = 0.1, out_of_bag_error = 0.3,
    no_information_error = gamma }
  lu.assertAlmostEquals(both.estimate_632, 0.2264, 1e-15)
  lu.assertAlmostEquals(both.estimate_632_plus, 0.254901960784, 1e-12)
  lu.assertAlmostEquals(both.relative_overfitting, 0.5, 1e-15)
  lu.assertNil(both.undefined)
  local one = cf.stats.bootstrap_632 { training_error = 0.1, out_of_bag_error = 0.3 }
  lu.assertNil(one.estimate_632_plus)
  lu.assertEquals(one.undefined, "the no-information error is not known")
  lu.assertAlmostEquals(cf.stats.no_information_error { truth = { 1, 2 }, predictions = { 1, 4 },
    loss = "squared" }, 3.5, 1e-15)
end

function TestStatsBootstrap:test_out_of_bag_errors_are_means_of_rows()
  local result = cf.stats.out_of_bag_error { rows = 5, tested = { 3, 1, 3, 2, 4 },
    losses = { 1, 0, 0, 1, 1 } }
  lu.assertEquals(result, { error = 0.625, rows_used = 4, rows_left_out = 1 })
  local none = cf.stats.out_of_bag_error { rows = 2, tested = {}, losses = {} }
  lu.assertEquals(none, { undefined = "no row was ever out of bag", rows_used = 0,
    rows_left_out = 2 })
  lu.assertEquals(fixtures.message(cf.stats.out_of_bag_error, { rows = 2, tested = { 3 },
    losses = { 1 } }), "out_of_bag_error: option 'tested': element 1 is 3; rows are 1 to 2")
  lu.assertEquals(fixtures.message(cf.stats.out_of_bag_error, { rows = 2, tested = { 1 },
    losses = {} }), "out_of_bag_error: there are 1 tested rows and 0 losses")
end

TestStatsBiasVariance = {}

function TestStatsBiasVariance:test_classes_may_be_names_and_ties_go_to_the_first_in_order()
  local parts = cf.stats.bias_variance {
    truth = { "yes", "no" }, predictions = { { "yes", "no" }, { "no", "no" } },
  }
  lu.assertEquals(parts.per_row[1].main, "no")
  lu.assertTrue(parts.per_row[1].biased)
  lu.assertEquals(parts.domingos, { bias = 0.5, variance = 0.25, unbiased = 0, biased = 0.25,
    net = -0.25 })
  lu.assertEquals(parts.error, 0.25)
  lu.assertEquals(parts.loss, "zero_one")
end

function TestStatsBiasVariance:test_squared_loss()
  local parts = cf.stats.bias_variance { truth = { 1, 2, 3 }, loss = "squared", predictions = {
    { 1.1, 1.8, 3.5 }, { .9, 2.2, 3.3 }, { 1.2, 2.1, 2.9 }, { .8, 1.9, 3.1 } } }
  lu.assertAlmostEquals(parts.error, 0.046666666667, 1e-12)
  lu.assertAlmostEquals(parts.squared_bias, 0.013333333333, 1e-12)
  lu.assertAlmostEquals(parts.variance, 0.033333333333, 1e-12)
end

function TestStatsBiasVariance:test_one_model_has_no_unbiased_parts()
  local parts = cf.stats.bias_variance { truth = { 0, 1 }, predictions = { { 1, 1 } } }
  lu.assertEquals(parts.kohavi_wolpert_unbiased,
    { undefined = "one model does not show how models vary" })
end

function TestStatsBiasVariance:test_every_model_must_predict_every_row()
  local function message(predictions, truth)
    return fixtures.message(cf.stats.bias_variance,
      { truth = truth or { 0, 1, 1 }, predictions = predictions })
  end
  lu.assertEquals(message { { 0, 1, 1 }, { 0, nil, 1 } },
    "bias_variance: model 2 has no prediction of row 2; every model must predict the same rows")
  lu.assertEquals(message { { 0, 1, 1, 1 } },
    "cannot decompose the error: model 1 predicts 4 of 3 rows; every model must predict the same "
    .. "rows")
  lu.assertEquals(message { { 0, "1", 1 } },
    "bias_variance: classes are either names or whole numbers, not both")
  lu.assertEquals(message { { 0, 0.5, 1 } },
    "bias_variance: a class is a name or a whole number, not a number (0.5)")
  lu.assertEquals(message({}, { 1 }),
    "cannot decompose the error: there are no models; give at least one")
end

TestStatsPower = {}

function TestStatsPower:test_rows_difference_and_power_follow_from_each_other()
  local plan = cf.stats.power { rows = 300, difference = 0.04, folds = 10, repeats = 10,
    disagreement = 0.1 }
  lu.assertAlmostEquals(plan.power, 0.5109984159726, 1e-10)
  lu.assertEquals(cf.stats.power { rows = 300, difference = 0.04 }, plan)  -- the defaults
  local seen = cf.stats.detectable_difference { rows = 300, power = plan.power }
  lu.assertAlmostEquals(seen.difference, 0.04, 1e-9)
  local needed = cf.stats.rows_needed { difference = 0.04, power = plan.power - 1e-9 }
  lu.assertEquals(needed.rows, 300)
end

function TestStatsPower:test_random_splits_and_one_test_set()
  lu.assertAlmostEquals(cf.stats.power { rows = 500, difference = 0.03, test_share = 1 / 3,
    repeats = 15, disagreement = 0.12, training_sd = 0.01, alpha = 0.01 }.power,
    0.09057948069190476, 1e-10)
  local needed = cf.stats.rows_needed { difference = 0.02, test = "mcnemar" }
  lu.assertEquals(needed.rows, 1960)
  lu.assertNil(needed.standard_error)
end

function TestStatsPower:test_a_plan_that_does_not_exist_says_why()
  local plan = cf.stats.detectable_difference { rows = 20, folds = 10, repeats = 1 }
  lu.assertEquals(plan.undefined, "even the largest possible difference, the disagreement of 0.1, "
    .. "has a power of only 0.1511")
  lu.assertNil(plan.difference)
end

function TestStatsPower:test_options_that_do_not_go_together_are_refused()
  lu.assertEquals(fixtures.message(cf.stats.power, { rows = 300, difference = 0.04, folds = 5,
    test = "mcnemar" }),
    "power: option 'folds' does not go with McNemar's test, which has one test set")
  lu.assertEquals(fixtures.message(cf.stats.power, { rows = 300, difference = 0.04, folds = 5,
    test_share = 0.2 }),
    "power: option 'folds' does not go with 'test_share', which means random splits")
  lu.assertEquals(fixtures.message(cf.stats.rows_needed, { difference = 0.2 }),
    "cannot plan the comparison: a difference of 0.2 is impossible if the learners disagree on 0.1 "
    .. "of the rows; give a disagreement that is at least as large")
  lu.assertEquals(fixtures.message(cf.stats.power, { rows = 300 }),
    "power: option 'difference' is missing")
  lu.assertEquals(fixtures.message(cf.stats.power, { rows = 300, difference = 0.01, test = "t" }),
    "power: unknown test 't'; known: corrected_t, mcnemar")
end
