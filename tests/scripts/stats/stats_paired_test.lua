-- Numbers of frameworks.md 4.1 to 4.6; the C++ tests hold them to all digits, here every function and
-- option is seen to arrive.
local lu = require "luaunit"
local cf = require "crossfold"
local fixtures = require "fixtures"

TestStatsPaired = {}

local stats = cf.stats
local ten_folds = { .02, .02, -.01, .03, .03, .01, .02, .03, .01, .01 }
local demsar = { .005, -.008, .017, .033, .006, -.005, .007, 0, .063, 0, .022, .047, .009, .021 }

local function near(value, expected) lu.assertAlmostEquals(value, expected, 1e-9) end

function TestStatsPaired:test_accuracy_interval_of_every_method()
  for method, limits in pairs {
    wilson = { 0.7671644041, 0.9069401472 }, normal = { 0.7800152874, 0.9199847126 },
    wilson_corrected = { 0.7614692320, 0.9108509043 },
    clopper_pearson = { 0.7646924999, 0.9135456144 },
    agresti_coull = { 0.7660187875, 0.9080857637 }, jeffreys = { 0.7704693408, 0.9096304836 },
  } do
    local interval = stats.accuracy_interval { correct = 85, n = 100, method = method }
    near(interval.low, limits[1])
    near(interval.high, limits[2])
    lu.assertEquals(interval.method, method)
  end
end

function TestStatsPaired:test_accuracy_interval_names_its_figures()
  local interval = stats.accuracy_interval { correct = 8, n = 10, confidence = 0.9 }
  lu.assertEquals({ interval.estimate, interval.correct, interval.n, interval.confidence },
    { 0.8, 8, 10, 0.9 })
  lu.assertEquals(interval.method, "wilson")
  lu.assertNil(interval.undefined)
end

function TestStatsPaired:test_no_rows_have_no_figures()
  lu.assertEquals(stats.accuracy_interval { correct = 0, n = 0 }, {
    correct = 0, n = 0, confidence = 0.95, method = "wilson", undefined = "there are no rows",
  })
end

function TestStatsPaired:test_accuracy_interval_refuses()
  local function message(given) return fixtures.message(stats.accuracy_interval, given) end
  lu.assertEquals(message { correct = 12, n = 10 },
    "cannot make the interval of a proportion: 12 of 10 rows is not a proportion; the count must "
    .. "be between 0 and the number of rows")
  lu.assertEquals(message { correct = 1 }, "stats.accuracy_interval: option 'n' is missing")
  lu.assertEquals(message { correct = 1, n = 2, method = "wald" },
    "stats.accuracy_interval: option 'method' is 'wald'; "
    .. require("crossfold.native").known_names("wald", { "wilson", "wilson_corrected", "normal",
      "clopper_pearson", "agresti_coull", "jeffreys" }))
  lu.assertEquals(message { correct = 1, n = 2, confidence = 95 },
    "cannot make the interval of a proportion: the confidence is 95; it must be between 0 and 1")
end

function TestStatsPaired:test_two_proportions_from_counts_and_from_rates()
  local counts = stats.two_proportions { correct = { 170, 158 }, n = { 200, 200 } }
  near(counts.difference, 0.06)
  near(counts.statistic, 1.5617376189)
  near(counts.p, 0.1183498127)
  near(counts.unpooled_statistic, 1.5665209)
  near(counts.unpooled_p, 0.1172267196)
  near(counts.low, -0.0150694351)
  near(counts.high, 0.1350694351)
  local rates = stats.two_proportions { accuracies = { 0.85, 0.79 }, n = { 200, 200 } }
  near(rates.p, counts.p)
  local errors = stats.two_proportions { errors = { 30, 42 }, n = { 200, 200 } }
  near(errors.difference, -0.06)
  near(errors.p, counts.p)
  local lecture = stats.two_proportions { error_rates = { 0.15, 0.25 }, n = { 30, 5000 } }
  near(lecture.standard_error ^ 2, 0.0042875)
end

function TestStatsPaired:test_two_proportions_tells_what_does_not_exist()
  local result = stats.two_proportions { correct = { 5, 7 }, n = { 5, 7 } }
  lu.assertEquals(result.p, 1)
  lu.assertNil(result.statistic)
  lu.assertNil(result.low)
  lu.assertEquals(result.undefined,
    "both rates are 1: they do not vary, so there is no statistic; p = 1 by convention")
  lu.assertEquals(result.interval_undefined,
    "each rate is 0 or 1: the standard error is 0, which says nothing about the rows not seen")
end

function TestStatsPaired:test_two_proportions_refuses()
  local function message(given) return fixtures.message(stats.two_proportions, given) end
  lu.assertEquals(message { n = { 1, 2 } }, "stats.two_proportions: one of the options 'correct', "
    .. "'errors', 'accuracies', 'error_rates' is missing")
  lu.assertEquals(message { n = { 1, 2 }, correct = { 1, 1 }, errors = { 0, 1 } },
    "stats.two_proportions: options 'correct' and 'errors' mean the same; give one")
  lu.assertEquals(message { n = { 10, 10 }, correct = { 0.5, 1 } },
    "stats.two_proportions: option 'correct' counts rows; rates go into 'accuracies'")
  lu.assertEquals(message { n = { 10 }, correct = { 1, 1 } },
    "stats.two_proportions: option 'n' must be two numbers, as in { 1, 2 }")
  lu.assertEquals(message { n = { 10, 10.5 }, correct = { 1, 1 } },
    "stats.two_proportions: option 'n' counts rows; give two whole numbers")
end

function TestStatsPaired:test_paired_and_corrected_t()
  local plain = stats.paired_t(ten_folds)
  near(plain.statistic, 4.2949747974)
  near(plain.p, 0.00200537883871)
  lu.assertEquals(plain.df, 9)
  lu.assertEquals(plain.n, 10)
  lu.assertNil(plain.test_train_ratio)
  local corrected = stats.corrected_t(ten_folds, { test_train_ratio = 1 / 9 })
  near(corrected.statistic, 2.9560043853)
  near(corrected.p, 0.016063445796)
  near(corrected.p_greater, 0.008031722898)
  near(corrected.low, 0.003990319785)
  near(corrected.high, 0.030009680215)
  near(stats.corrected_t(ten_folds, { n_train = 90, n_test = 10 }).p, corrected.p)
end

-- Weka: the sum of the test rows over that of the training rows.
function TestStatsPaired:test_unequal_splits_have_the_ratio_of_their_sums()
  local result = stats.corrected_t({ .1, .2, .15 }, { n_train = { 67, 67, 66 },
    n_test = { 33, 33, 34 } })
  near(result.test_train_ratio, 0.5)
end

function TestStatsPaired:test_differences_without_variance()
  local result = stats.paired_t { .25, .25 }
  lu.assertEquals(result.p, 0)
  lu.assertNil(result.statistic)
  lu.assertNil(result.low)
  lu.assertEquals(result.undefined,
    "all differences are 0.25: without variance there is no statistic; p = 0 by convention")
end

function TestStatsPaired:test_corrected_t_refuses()
  local function message(...) return fixtures.message(stats.corrected_t, ...) end
  lu.assertEquals(message(ten_folds), "stats.corrected_t: one of the options 'test_train_ratio', "
    .. "'n_train' is missing")
  lu.assertEquals(message(ten_folds, { n_test = 10 }),
    "stats.corrected_t: option 'n_train' is missing; n_train and n_test belong together")
  lu.assertEquals(message(ten_folds, { n_train = 90, n_test = 10, test_train_ratio = 1 }),
    "stats.corrected_t: options 'test_train_ratio' and 'n_train' mean the same; give one")
  lu.assertEquals(message(ten_folds, { n_train = 0, n_test = 10 }),
    "stats.corrected_t: option 'n_train' counts rows; '0' is not a number of rows")
  lu.assertEquals(message({ 1, "2" }, { test_train_ratio = 1 }),
    "the differences must be a list of numbers; element 2 is a string")
  lu.assertEquals(message({ 1, 0 / 0 }, { test_train_ratio = 1 }),
    "cannot make the corrected t test: difference 2 is nan; give finite numbers only")
  lu.assertEquals(message("3", { test_train_ratio = 1 }),
    "stats.corrected_t: the differences: expected a list, got a string")
end

function TestStatsPaired:test_five_by_two()
  local result = stats.five_by_two {
    differences = { { .02, .04 }, { .03, .01 }, { .01, .03 }, { .04, .02 }, { .02, .05 } },
  }
  near(result.t, 1.2649110641)
  near(result.t_p, 0.2616517663)
  near(result.f, 3.56)
  near(result.f_p, 0.0868318953)
  lu.assertEquals({ result.t_df, result.f_df1, result.f_df2 }, { 5, 10, 5 })
  lu.assertEquals(fixtures.message(stats.five_by_two, { differences = { { 1, 2 } } }),
    "stats.five_by_two: the test has 5 replications, 1 were given")
end

function TestStatsPaired:test_bayes_correlated_t()
  local result = stats.bayes_correlated_t(ten_folds, { rho = 0.1, rope = 0.01 })
  near(result.left, 0.000564179030)
  near(result.rope, 0.126679992691)
  near(result.right, 0.872755828279)
  near(stats.bayes_correlated_t(ten_folds, { n_train = 90, n_test = 10 }).right, 0.991968277102)
end

function TestStatsPaired:test_the_hierarchical_model_takes_the_differences_of_all_splits()
  local lists = { { 1, 2, 3 }, { 2, 1, 2 }, { 1, 1, 2 }, { 0, 1, 2 } }
  local result = stats.bayes_hierarchical(lists, { rho = 0.1, rope = 0.5, samples = 2000, seed = 3, points = 7 })
  lu.assertEquals({ result.n, result.samples, #result.points }, { 4, 2000, 7 })
  lu.assertAlmostEquals(result.left + result.rope + result.right, 1, 1e-12)
  lu.assertTrue(result.right > 0.9)
  lu.assertEquals(stats.bayes_hierarchical(lists, { rho = { 0.1, 0.1, 0.1, 0.1 }, rope = 0.5, samples = 2000,
    seed = 3 }).right, result.right)
  lu.assertEquals(fixtures.message(stats.bayes_hierarchical, lists, { rope = 1 }), "stats.bayes_hierarchical: option "
    .. "'rho' is missing; give the share of test rows of a split, such as 0.1 for 10 folds")
  lu.assertEquals(fixtures.message(stats.bayes_hierarchical, lists, { rho = { 0.1 } }),
    "stats.bayes_hierarchical: the length of 'rho' is 1, there are 4 datasets")
end

-- The figures of tests/unit/analysis/stats/bayes_signed_rank_test.cpp.
function TestStatsPaired:test_bayes_signed_rank()
  local differences = { 5, 3, 2, 0, -4, -70, -70, -70 }
  local result = stats.bayes_signed_rank(differences, { rope = 3 })
  lu.assertAlmostEquals(result.left, 0.741, 0.01)
  lu.assertAlmostEquals(result.rope, 0.248, 0.01)
  lu.assertAlmostEquals(result.right, 0.011, 0.005)
  lu.assertEquals({ result.n, result.samples }, { 8, 50000 })
  lu.assertAlmostEquals(stats.bayes_signed_rank(differences, { rope = 2, prior_strength = 5 }).rope, 0.485, 0.01)
  lu.assertEquals(stats.bayes_signed_rank(differences, { rope = 3, seed = 1 }), result)
  lu.assertNotEquals(stats.bayes_signed_rank(differences, { rope = 3, seed = 2 }), result)
  lu.assertEquals(stats.bayes_signed_rank({}, { samples = 10 }),
    { n = 0, samples = 10, undefined = "there are no differences" })
end

function TestStatsPaired:test_mcnemar_of_every_method()
  for method, p in pairs { exact = 0.15385994416, mid_p = 0.11727520596,
    chi_squared = 0.1138462980, corrected = 0.1547289235 } do
    near(stats.mcnemar { only_first = 25, only_second = 15, method = method }.p, p)
  end
  near(stats.mcnemar { only_first = 25, only_second = 15, method = "corrected" }.statistic, 2.025)
  lu.assertEquals(stats.mcnemar { only_first = 0, only_second = 6 }.method, "exact")
end

function TestStatsPaired:test_models_that_never_differ_are_flagged()
  lu.assertEquals(stats.mcnemar { only_first = 0, only_second = 0 }, {
    only_first = 0, only_second = 0, p = 1, method = "exact", undefined = "there is no row on which "
      .. "only one of the models is right: nothing was tested; p = 1 by convention",
  })
end

function TestStatsPaired:test_cochran_q()
  local rows = {}
  for bits in ("111 101 110 000 100 111 100 110 010 101"):gmatch("%d+") do
    rows[#rows + 1] = { bits:sub(1, 1) == "1", tonumber(bits:sub(2, 2)), bits:sub(3) == "1" }
  end
  local result = stats.cochran_q(rows)
  near(result.statistic, 3.7142857143)
  near(result.p, 0.1561180453)
  lu.assertEquals(result.correct, { 8, 5, 4 })
  lu.assertEquals({ result.rows, result.df }, { 10, 2 })
end

function TestStatsPaired:test_cochran_q_refuses()
  local function message(rows) return fixtures.message(stats.cochran_q, rows) end
  lu.assertEquals(message { { 1, 0 }, { 1 } },
    "stats.cochran_q: row 2 is of length 1, row 1 of 2; each has one entry per model")
  lu.assertEquals(message { { 1, 2 } },
    "stats.cochran_q: row 1, model 2: '2' is not true, false, 1 or 0")
  lu.assertEquals(message {}, "stats.cochran_q: there are no rows, so no models are known")
  lu.assertEquals(message { { 1 } },
    "cannot make Cochran's Q test: the number of models is 1; it compares two or more")
end

function TestStatsPaired:test_wilcoxon_of_every_treatment_of_zeros()
  for zeros, expected in pairs { wilcox = { 6.5, 0.0107571331, 0.0120303585 },
    pratt = { 10.5, 0.0107919579, 0.0118060045 }, zsplit = { 12, 0.0109684966, 0.0119948034 } } do
    local result = stats.wilcoxon(demsar, { zeros = zeros })
    lu.assertEquals(result.statistic, expected[1])
    near(result.p, expected[2])
    near(stats.wilcoxon(demsar, { zeros = zeros, continuity = true }).p, expected[3])
    lu.assertEquals({ result.n, result.zeros, result.ties, result.method },
      { 14, 2, true, "normal" })
  end
  near(stats.wilcoxon(demsar, { zeros = "zsplit", tie_correction = false }).z, -2.5424475233)
end

function TestStatsPaired:test_wilcoxon_is_exact_without_ties()
  local result = stats.wilcoxon { 1.1, -0.3, 2.4, 0.7, -0.9, 3.2, 1.8, 0.5 }
  lu.assertEquals({ result.r_plus, result.r_minus, result.p, result.method },
    { 31, 5, 0.078125, "exact" })
  lu.assertNil(result.z)
end

function TestStatsPaired:test_tolerance_of_ties()
  local differences = { .82 - .81, .87 - .86, .05 }
  lu.assertTrue(stats.wilcoxon(differences).ties)
  lu.assertFalse(stats.wilcoxon(differences, { tie_tolerance = 0 }).ties)
end

function TestStatsPaired:test_sign_test()
  local dropped = stats.sign_test(demsar)
  lu.assertEquals({ dropped.plus, dropped.minus, dropped.ties, dropped.n }, { 10, 2, 2, 12 })
  near(dropped.p, 0.03857421875)
  near(stats.sign_test(demsar, { ties = "split" }).p, 0.057373046875)
  lu.assertEquals(stats.sign_test({ 0 }).undefined,
    "all differences are 0: nothing was tested; p = 1 by convention")
end

-- statsmodels 0.13.5: multipletests(p, method = m)[1].
function TestStatsPaired:test_adjusted_p_of_every_method()
  local p = { 0.01, 0.04, 0.03, 0.005, 0.2, 0.04 }
  for method, expected in pairs { bonferroni = { 0.06, 0.24, 0.18, 0.03, 1, 0.24 },
    holm = { 0.05, 0.12, 0.12, 0.03, 0.2, 0.12 }, hochberg = { 0.05, 0.08, 0.08, 0.03, 0.2, 0.08 },
    benjamini_hochberg = { 0.03, 0.048, 0.048, 0.03, 0.2, 0.048 } } do
    local adjusted = stats.adjust_p(p, { method = method })
    for i = 1, #p do near(adjusted[i], expected[i]) end
  end
  lu.assertEquals(stats.adjust_p { 0.5, 0.25 }, { 0.5, 0.5 })
  lu.assertEquals(fixtures.message(stats.adjust_p, { 2 }),
    "cannot adjust p-values: p-value 1 is 2, not a number from 0 to 1; leave out tests that have none")
end

function TestStatsPaired:test_rows_of_splits_are_one_number_a_split_or_one_for_all()
  local message = function(...) return fixtures.message(stats.corrected_t, ...) end
  lu.assertEquals(message({ .1, .2, .15 }, { n_train = { 67, 66 }, n_test = { 33, 34 } }),
    "stats.corrected_t: option 'n_train' is of length 2, and there are 3 differences; give one "
      .. "number per split, or one for all")
  lu.assertEquals(message({ .1, .2 }, { n_train = { 67, 66 }, n_test = 33 }),
    "stats.corrected_t: options 'n_train' and 'n_test' must both be numbers, or both lists")
  local many = { math.maxinteger, math.maxinteger }
  near(stats.corrected_t({ .1, .2 }, { n_train = many, n_test = many }).test_train_ratio, 1)
end

function TestStatsPaired:test_what_is_no_list_is_named_with_its_article()
  lu.assertEquals(fixtures.message(stats.paired_t, 3),
    "stats.paired_t: the differences: expected a list, got an integer")
  lu.assertEquals(fixtures.message(stats.paired_t, { 1, 2 }, 3),
    "stats.paired_t: expected a table of options, got an integer")
end

function TestStatsPaired:test_more_rows_than_a_number_counts_are_refused()
  lu.assertEquals(fixtures.message(stats.accuracy_interval, { correct = 1, n = math.maxinteger }),
    "cannot make the interval of a proportion: 9223372036854775807 rows are too many to be counted "
      .. "exactly; give at most 9007199254740992")
end
