local lu = require "luaunit"
local cf = require "crossfold"
local fixtures = require "fixtures"

TestCompare = {}

-- Two classes that x tells apart with some noise; z is noise only.
local function noisy(name, seed, n)
  local x, z, y = {}, {}, {}
  for i = 1, n do
    local draw = cf.seed(seed, i) % 1000 / 1000
    local other = cf.seed(seed, "z", i) % 1000 / 1000
    y[i] = i % 2 == 0 and "yes" or "no"
    x[i] = draw + (i % 2 == 0 and 0.5 or 0)
    z[i] = other
  end
  return cf.dataset { name = name, target = "y", columns = {
    { name = "x", values = x }, { name = "z", values = z }, { name = "y", values = y } } }
end

local function evaluate(changes)
  local o = fixtures.with({ data = noisy("noisy", 1, 120), learners = { bayes = "naive_bayes", floor = "featureless" },
    splitter = cf.splitter("kfold", { folds = 5, repeats = 2, stratify = true }), metrics = { "accuracy", "log_loss" },
    seed = 3 }, changes)
  if o.datasets then o.data = nil end
  return cf.evaluate(o)
end

local function differences(result, a, b, metric)
  local values = { [a] = {}, [b] = {} }
  for _, row in ipairs(result:scores()) do
    if row.metric == metric and values[row.learner] then
      table.insert(values[row.learner], row.value)
    end
  end
  local list = {}
  for i in ipairs(values[a]) do list[i] = values[a][i] - values[b][i] end
  return list
end

function TestCompare:test_folds_are_compared_by_the_corrected_t_with_the_real_sizes()
  local result = evaluate()
  local row = cf.compare(result, { metric = "accuracy" }):rows()[1]
  local expected = cf.stats.corrected_t(differences(result, "bayes", "floor", "accuracy"),
    { n_train = 96, n_test = 24 })
  lu.assertEquals(row.test, "corrected resampled t")
  lu.assertEquals({ row.p, row.low, row.high, row.statistic },
    { expected.p, expected.low, expected.high, expected.statistic })
  lu.assertEquals({ row.n_train, row.n_test, row.splits, row.splits_of }, { 96, 24, 10, 10 })
  lu.assertEquals(row.better, "bayes")
  lu.assertEquals(row.design, "2 times 5 folds")
  local bayes = cf.stats.bayes_correlated_t(differences(result, "bayes", "floor", "accuracy"),
    { n_train = 96, n_test = 24, rope = 0.01 })
  lu.assertEquals({ row.p_worse, row.p_alike, row.p_better },
    { bayes.left, bayes.rope, bayes.right })
end

function TestCompare:test_lower_is_better_for_losses()
  local row = cf.compare(evaluate(), { metric = "log_loss", rope = 0.05 }):rows()[1]
  lu.assertTrue(row.difference < 0)
  lu.assertEquals(row.better, "bayes")
  lu.assertTrue(row.p_better > 0.9)
end

function TestCompare:test_a_learner_compared_with_itself_is_not_better()
  local result = evaluate { learners = { a = "naive_bayes", b = "naive_bayes" } }
  local comparison = cf.compare(result, { metric = "accuracy" })
  local row = comparison:rows()[1]
  lu.assertEquals({ row.difference, row.p, row.better }, { 0, 1, nil })
  lu.assertStrContains(comparison:sentences()[1], "No difference between 'a' and 'b' was shown")
end

-- Always says 'x', but 'y' for the rows with these ids.
local function wrong_on(name, ids)
  local is_wrong = {}
  for _, id in ipairs(ids) do is_wrong[id] = true end
  return cf.learner { name = name, fit = function() return {} end, predict = function(_, data)
    local labels = {}
    for i, id in ipairs(data:row_ids()) do labels[i] = is_wrong[id] and "y" or "x" end
    return labels
  end }
end

function TestCompare:test_means_that_are_equal_but_for_rounding_have_the_difference_0()
  local class, fold = {}, {}
  for i = 1, 35 do class[i], fold[i] = "x", (i - 1) // 7 end
  local data = cf.dataset { name = "d", target = "class", folds = "fold", columns = {
    { name = "class", values = class, levels = { "x", "y" } }, { name = "fold", values = fold } } }
  local result = cf.evaluate { data = data, splitter = cf.splitter("predefined"), metrics = "accuracy",
    learners = { a = wrong_on("a", { 29, 30 }), b = wrong_on("b", { 22, 29 }) } }
  local row = cf.compare(result, { learners = { "a", "b" } }):rows()[1]
  lu.assertEquals({ row.difference, row.statistic, row.p }, { 0, 0, 1 })
end

function TestCompare:test_one_split_of_an_accuracy_is_compared_by_mcnemar()
  local result = evaluate { splitter = cf.splitter("holdout", { test_share = 0.5 }),
    metrics = { "accuracy" } }
  local row = cf.compare(result):rows()[1]
  lu.assertEquals(row.test, "McNemar mid-p")
  lu.assertEquals(row.rows, 60)
  local expected = cf.stats.mcnemar { only_first = row.only_a, only_second = row.only_b,
    method = "mid_p" }
  lu.assertEquals(row.p, expected.p)
  lu.assertAlmostEquals(row.difference, (row.only_a - row.only_b) / 60, 1e-12)
  lu.assertAlmostEquals(row.mean_a - row.mean_b, row.difference, 1e-12)
end

function TestCompare:test_the_error_rate_mirrors_the_accuracy()
  local splitter = cf.splitter("holdout", { test_share = 0.5 })
  local accuracy = cf.compare(evaluate { splitter = splitter, metrics = { "accuracy" } }):rows()[1]
  local errors = cf.compare(evaluate { splitter = splitter, metrics = { "error_rate" } }):rows()[1]
  lu.assertEquals({ errors.p, errors.low, errors.high, errors.better },
    { accuracy.p, -accuracy.high, -accuracy.low, accuracy.better })
end

-- 0.13 of 2000 data sets with equal learners were called different: tests/bench/TYPE_ONE_ERROR.md.
function TestCompare:test_leave_one_out_has_figures_but_no_p()
  local result = evaluate { data = noisy("few", 2, 30), splitter = "leave_one_out",
    metrics = { "accuracy" } }
  local comparison = cf.compare(result)
  local row = comparison:rows()[1]
  lu.assertEquals({ row.test, row.p, row.low, row.better, row.rows }, { "agreement on the rows", nil, nil, nil, 30 })
  lu.assertAlmostEquals(row.difference, (row.only_a - row.only_b) / 30, 1e-12)
  lu.assertEquals(row.undefined, "leave-one-out has no valid test: McNemar's takes the rows for independent and "
    .. "finds a difference between equal learners in up to 13.4 % of data sets instead of 5 %; use kfold or "
    .. "repeated holdout, or ask for test = 'mcnemar'")
  lu.assertStrContains(comparison:sentences()[1], "cannot be compared on 'few': leave-one-out has no valid test")
  local asked = cf.compare(result, { test = "mcnemar" })
  lu.assertEquals(asked:rows()[1].p, cf.stats.mcnemar { only_first = row.only_a, only_second = row.only_b,
    method = "mid_p" }.p)
  lu.assertStrContains(tostring(asked), "at alpha = 0.05 this test calls equal learners different in 13.1 % of data "
    .. "sets with k nearest neighbours, 13.4 % with trees, 6.0 % with LDA (simulated on 100 rows, leave-one-out)")
end

function TestCompare:test_a_test_that_is_too_liberal_on_its_splits_says_so()
  local function notes(splitter, test)
    return table.concat(cf.compare(evaluate { splitter = splitter, metrics = { "accuracy" } },
      { test = test }):notes(), "\n")
  end
  local tenfold, said = cf.splitter("kfold", { folds = 10 }), "calls equal learners different in "
  lu.assertNotStrContains(notes(tenfold), said)
  lu.assertStrContains(notes(cf.splitter("kfold", { folds = 5, repeats = 2 })), said .. "10.3 %")
  lu.assertStrContains(notes(cf.splitter("holdout", { repeats = 5 })), said .. "8.3 %")
  local halves = cf.splitter("kfold", { folds = 2, repeats = 5 })
  lu.assertStrContains(notes(halves, "five_by_two_t"), said .. "12.6 %")
  lu.assertStrContains(notes(halves, "five_by_two_f"), said .. "15.8 %")
end

local function refusal(...) return fixtures.message(cf.compare, ...) end

function TestCompare:test_one_split_of_another_metric_gives_no_test()
  local result = evaluate { splitter = cf.splitter("holdout", { test_share = 0.5 }) }
  lu.assertStrContains(refusal(result, { metric = "log_loss" }),
    "compare: on dataset 'noisy' there is one split, which gives no test of 'log_loss': use a splitter "
      .. "with several splits of several rows (kfold, repeated holdout), or metric = 'accuracy'")
end

function TestCompare:test_different_splits_are_refused_unless_asked_as_unpaired()
  local a = evaluate { learners = { a = "naive_bayes" }, seed = 1 }
  local b = evaluate { learners = { b = "featureless" }, seed = 2 }
  lu.assertStrContains(refusal({ a, b }, { metric = "accuracy" }),
    "compare: learners 'a' and 'b' were tested on different splits of dataset 'noisy', so their scores "
      .. "are not pairs; evaluate both with the same splitter and seed (or in one cf.evaluate), or ask "
      .. "for an unpaired test with paired = false")
  local row = cf.compare({ a, b }, { metric = "accuracy", paired = false }):rows()[1]
  lu.assertEquals(row.test, "unpaired corrected t")
  lu.assertEquals(row.better, "a")
end

function TestCompare:test_results_with_the_same_splits_are_pairs()
  local a = evaluate { learners = { a = "naive_bayes" } }
  local b = evaluate { learners = { b = "featureless" } }
  local both = evaluate { learners = { a = "naive_bayes", b = "featureless" } }
  lu.assertEquals(cf.compare({ a, b }, { metric = "accuracy" }):rows(),
    cf.compare(both, { metric = "accuracy" }):rows())
end

function TestCompare:test_tests_that_are_not_valid_are_refused_with_the_valid_way()
  local result = evaluate()
  local function with(test) return refusal(result, { metric = "accuracy", test = test }) end
  lu.assertStrContains(with("paired_t"), "compare: test = 'paired_t' is not valid on dataset 'noisy': it "
    .. "takes the scores of 2 times 5 folds for independent, but their training sets share rows, so it "
    .. "finds differences that are not there; use test = 'corrected_t'")
  lu.assertStrContains(with("mcnemar"), "compare: test = 'mcnemar' is not valid on dataset 'noisy': it "
    .. "takes every row once, and 2 times 5 folds test rows repeatedly; use test = 'corrected_t'")
  lu.assertStrContains(with("unpaired_t"), "both learners were tested on the same rows, which it would "
    .. "ignore; use test = 'corrected_t', or use paired = false")
  lu.assertStrContains(with("five_by_two_f"), "it needs 5 repeats of 2 folds, these are 2 times 5 folds; "
    .. "use cf.splitter(\"kfold\", { folds = 2, repeats = 5 }), or test = 'corrected_t'")
  lu.assertStrContains(with("t"), "compare: there is no test 't'")
  lu.assertStrContains(refusal(result, { metric = "log_loss", test = "mcnemar" }),
    "it counts right and wrong labels, which 'log_loss' does not; use metric = 'accuracy'")
end

-- A single pair has nothing to adjust.
function TestCompare:test_an_adjustment_that_there_is_not_is_refused_with_one_pair_too()
  local result = evaluate { learners = { a = "knn", b = "naive_bayes" } }
  lu.assertEquals(refusal(result, { adjust = "none" }),
    "compare: adjust = 'none' is not one of bonferroni, holm, hochberg, benjamini_hochberg")
end

function TestCompare:test_five_times_two_folds_may_be_compared_by_their_own_tests()
  local result = evaluate { splitter = cf.splitter("kfold", { folds = 2, repeats = 5 }) }
  local d = differences(result, "bayes", "floor", "accuracy")
  local by_repeat = {}
  for i = 1, 5 do by_repeat[i] = { d[2 * i - 1], d[2 * i] } end
  local expected = cf.stats.five_by_two { differences = by_repeat }
  local f = cf.compare(result, { metric = "accuracy", test = "five_by_two_f" }):rows()[1]
  local t = cf.compare(result, { metric = "accuracy", test = "five_by_two_t" }):rows()[1]
  lu.assertEquals({ f.p, f.statistic }, { expected.f_p, expected.f })
  lu.assertEquals({ t.p, t.statistic }, { expected.t_p, expected.t })
end

function TestCompare:test_splits_without_both_scores_are_left_out_and_told()
  local bad = cf.learner("debug", { action = "throw_in_predict", when_row = 0 })
  local result = evaluate { learners = { bad = bad, good = "featureless" } }
  local comparison = cf.compare(result, { metric = "accuracy" })
  local row = comparison:rows()[1]
  lu.assertEquals({ row.splits, row.splits_of }, { 8, 10 })
  lu.assertStrContains(row.left_out, "failed at predict debug")
  lu.assertStrContains(tostring(comparison), "8 of 10 splits of 'noisy' were compared")
end

function TestCompare:test_a_learner_without_scores_is_undefined_and_never_better()
  local bad = cf.learner("debug", { action = "throw_in_fit" })
  local comparison = cf.compare(evaluate { learners = { bad = bad, good = "featureless" } },
    { metric = "accuracy" })
  local row = comparison:rows()[1]
  lu.assertNil(row.p)
  lu.assertNil(row.better)
  lu.assertStrContains(row.undefined, "both learners have a score in 0 of 10 splits; the test needs 2")
  lu.assertEquals(comparison:win_tie_loss()[1].undefined, 1)
  lu.assertStrContains(comparison:sentences()[1], "'bad' and 'good' cannot be compared on 'noisy'")
end

function TestCompare:test_pairs_of_three_learners_are_adjusted()
  local result = evaluate { learners = { bayes = "naive_bayes", floor = "featureless",
    knn = cf.learner("knn", { k = 5 }) } }
  local rows = cf.compare(result, { metric = "accuracy" }):rows()
  lu.assertEquals(#rows, 3)
  local p, adjusted = {}, {}
  for i, row in ipairs(rows) do p[i], adjusted[i] = row.p, row.p_adjusted end
  lu.assertEquals(adjusted, cf.stats.adjust_p(p, { method = "holm" }))
end

function TestCompare:test_a_control_is_compared_with_every_other_learner()
  local result = evaluate { learners = { bayes = "naive_bayes", floor = "featureless",
    knn = cf.learner("knn", { k = 5 }) } }
  local rows = cf.compare(result, { metric = "accuracy", control = "floor" }):rows()
  lu.assertEquals({ #rows, rows[1].a, rows[1].b, rows[2].a, rows[2].b },
    { 2, "bayes", "floor", "knn", "floor" })
end

local function many(n, learners)
  local datasets = {}
  for i = 1, n do datasets[i] = noisy("d" .. i, 10 + i, 40 + 2 * i) end
  return evaluate { datasets = datasets, learners = learners,
    splitter = cf.splitter("kfold", { folds = 4 }), metrics = { "accuracy" } }
end

local function means(result, learner)
  local list = {}
  for _, row in ipairs(result:summary()) do
    if row.learner == learner then list[#list + 1] = row.mean end
  end
  return list
end

function TestCompare:test_two_learners_on_many_datasets_are_compared_by_signed_ranks()
  local result = many(8, { bayes = "naive_bayes", floor = "featureless" })
  local comparison = cf.compare(result)
  local a, b, d = means(result, "bayes"), means(result, "floor"), {}
  for i in ipairs(a) do d[i] = a[i] - b[i] end
  local over = comparison:over()
  lu.assertEquals(over.test, "Wilcoxon signed-rank")
  lu.assertEquals({ over.p, over.datasets }, { cf.stats.wilcoxon(d).p, 8 })
  lu.assertEquals({ over.friedman, over.ranks.average_ranks }, { nil, { 1, 2 } })
  lu.assertEquals(#comparison:rows(), 8)
  lu.assertStrContains(comparison:sentences()[9], "Over 8 datasets there is a difference")
end

function TestCompare:test_pairs_over_datasets_have_the_probabilities_of_the_bayesian_signed_ranks()
  local result = many(4, { bayes = "naive_bayes", knn = cf.learner("knn", { k = 1 }) })
  local a, b, d = means(result, "bayes"), means(result, "knn"), {}
  for i in ipairs(a) do d[i] = a[i] - b[i] end
  local expected = cf.stats.bayes_signed_rank(d, { rope = 0.05, seed = 7 })
  local comparison = cf.compare(result, { rope = 0.05, seed = 7 })
  lu.assertEquals(comparison:over().bayes, { { a = "bayes", b = "knn", rope = 0.05,
    p_worse = expected.left, p_alike = expected.rope, p_better = expected.right } })
  lu.assertStrContains(comparison:sentences()[5], "Bayesian signed ranks: 'bayes' is better than 'knn' with "
    .. "probability 0.")
  -- Turned round by the control, and without a region between.
  local turned = cf.compare(result, { rope = 0, control = "bayes" }):over().bayes[1]
  lu.assertEquals({ turned.a, turned.b, turned.p_alike }, { "knn", "bayes", 0 })
  lu.assertTrue(turned.p_worse > turned.p_better)
end

function TestCompare:test_the_hierarchical_model_takes_the_differences_of_all_splits()
  local result = many(4, { bayes = "naive_bayes", knn = cf.learner("knn", { k = 1 }) })
  local comparison = cf.compare(result, { rope = 0.05, seed = 7, bayes = "hierarchical" })
  local lists = { {}, {}, {}, {} }
  for i, difference in ipairs(differences(result, "bayes", "knn", "accuracy")) do
    table.insert(lists[(i - 1) // 4 + 1], difference)
  end
  local expected = cf.stats.bayes_hierarchical(lists, { rho = 1 / 4, rope = 0.05, seed = 7 })
  local row = comparison:over().bayes[1]
  lu.assertEquals({ row.p_worse, row.p_alike, row.p_better }, { expected.left, expected.rope, expected.right })
  lu.assertStrContains(comparison:sentences()[5], "Bayesian hierarchical model: 'bayes' is better than 'knn' with "
    .. "probability ")
  local turned = comparison:posterior { a = "knn", b = "bayes", points = 4 }
  lu.assertAlmostEquals(turned.p_better, row.p_worse, 0.02)
  lu.assertEquals(#turned.points, 4)
  local two = cf.compare(result, { bayes = "hierarchical", datasets = { "d1", "d2" } })
  lu.assertStrContains(two:sentences()[3], "Bayesian hierarchical model: there are no probabilities for 'bayes' and "
    .. "'knn': there are 2 data sets; the scale between data sets needs at least 3.")
end

function TestCompare:test_models_are_followed_row_by_row_on_one_test_set()
  local result = evaluate { data = noisy("long", 3, 900), splitter = cf.splitter("holdout", { test_share = 0.5 }) }
  local comparison = cf.compare(result, { metric = "accuracy", test = "anytime" })
  local row = comparison:rows()[1]
  lu.assertEquals({ row.test, row.rows, row.better }, { "anytime-valid test by rows", 450, "bayes" })
  lu.assertTrue(row.p < 0.05 and row.low > 0 and row.high > row.difference)
  lu.assertTrue(row.decided_at > 10 and row.decided_at < 450)
  lu.assertEquals(comparison:notes()[1], ("the p-value and the interval of 'bayes' and 'floor' hold after any number "
    .. "of rows; of 450 rows in a random order, %d were enough"):format(row.decided_at))
  -- The order depends on the seed, the mean does not.
  local other = cf.compare(result, { metric = "accuracy", test = "anytime", seed = 9 }):rows()[1]
  lu.assertAlmostEquals(other.difference, row.difference, 1e-12)
  lu.assertNotEquals(other.p, row.p)
end

function TestCompare:test_folds_and_unbounded_metrics_are_not_followed_row_by_row()
  lu.assertEquals(refusal(evaluate(), { metric = "accuracy", test = "anytime" }), "compare: test = 'anytime' is not "
    .. "valid on dataset 'noisy': it follows two fixed models over the rows of one test set, and these are 2 times "
    .. "5 folds, whose models learned from each other's test rows; use splitter = \"holdout\", or test = 'corrected_t'")
  local in_time = cf.splitter("time_series", { folds = 1, order = "rows" })
  lu.assertStrContains(refusal(evaluate { splitter = in_time }, { metric = "accuracy", test = "anytime" }),
    "tests rows that come after the others; use several splits, and test = 'corrected_t'")
  lu.assertStrContains(refusal(evaluate { splitter = "holdout" }, { metric = "log_loss", test = "anytime" }),
    "it needs scores of rows with known bounds, which 'log_loss' does not have; use metric = 'accuracy' or 'brier'")
end

function TestCompare:test_of_a_loss_the_smaller_mean_is_better_over_datasets()
  local datasets = {}
  for i = 1, 4 do datasets[i] = noisy("d" .. i, 10 + i, 60) end
  local result = evaluate { datasets = datasets, metrics = { "log_loss" } }
  lu.assertNil(cf.compare(result):over().bayes)  -- log loss has no rope of its own
  local row = cf.compare(result, { rope = 0.01 }):over().bayes[1]
  lu.assertEquals({ row.a, row.b }, { "bayes", "floor" })
  lu.assertTrue(row.p_better > 0.9)
end

function TestCompare:test_few_datasets_give_no_signed_rank_test()
  local comparison = cf.compare(many(4, { bayes = "naive_bayes", floor = "featureless" }))
  lu.assertEquals(comparison:over().undefined,
    "with 4 datasets the signed-rank test cannot get below p = 0.1250; it needs 6")
end

function TestCompare:test_three_learners_on_many_datasets_are_compared_by_ranks()
  local result = many(6, { bayes = "naive_bayes", floor = "featureless",
    knn = cf.learner("knn", { k = 3 }) })
  local comparison = cf.compare(result)
  local friedman = comparison:over().friedman
  local scores = {}
  local a, b, c = means(result, "bayes"), means(result, "floor"), means(result, "knn")
  for i in ipairs(a) do scores[i] = { a[i], b[i], c[i] } end
  local expected = cf.stats.friedman(scores, { higher_is_better = true })
  lu.assertEquals(friedman.average_ranks, expected.average_ranks)
  lu.assertEquals(friedman.iman_davenport.p, expected.iman_davenport.p)
  -- Every dataset has the same order, so F is infinite.
  lu.assertEquals(comparison:over().test, "Friedman's chi squared")
  lu.assertEquals(comparison:over().p, expected.tie_corrected.p)
  lu.assertEquals(comparison:over().statistic, expected.tie_corrected.statistic)
  lu.assertStrContains(tostring(comparison), "critical difference of average ranks (Nemenyi, alpha = 0.05)")
  local ranking = comparison:ranking()
  lu.assertEquals(ranking[1].rank, 1)
  lu.assertTrue(ranking[1].average_rank <= ranking[2].average_rank)
  lu.assertEquals(#comparison:over().bayes, 3)
  lu.assertStrContains(tostring(comparison), "Bayesian signed ranks over the datasets, rope 0.010: probabilities")
end

-- Ranks 1, 2 and 3 on each of six datasets: Demsar's critical difference 2.343 sqrt(3 * 4 / (6 * 6)) is
-- 1.353, so only the first and the last are distinguished.
function TestCompare:test_a_metric_may_have_its_short_name()
  local result = evaluate { metrics = { "accuracy", "f1_macro" } }
  local long = "f1{average=macro}"
  lu.assertEquals(cf.plot.folds(result, { metric = "f1_macro" }):csv(), cf.plot.folds(result, { metric = long }):csv())
  lu.assertEquals(result:report { metric = "f1_macro" }, result:report { metric = long })
  local curve = cf.learning_curve { data = fixtures.iris(), learners = "knn", trials = 3,
    metrics = { "accuracy", "f1_macro" }, sizes = { 10, 20, 40, 60 } }
  lu.assertEquals(tostring(curve:fit("knn", { metric = "f1_macro" })), tostring(curve:fit("knn", { metric = long })))
  lu.assertEquals(cf.compare(result, { metric = "f1_macro" }):rows(),
    cf.compare(result, { metric = "f1{average=macro}" }):rows())
  lu.assertStrContains(refusal(result, { metric = "f1_micro" }),
    "compare: the result has no metric 'f1_micro'; known: accuracy, f1{average=macro}")
end

function TestCompare:test_where_learners_differ_over_datasets_the_sentence_names_the_pairs_that_do()
  local function right_on(share)
    return cf.learner { name = "right on " .. share, fit = function() return {} end,
      predict = function(_, data)
        local labels = {}
        for i, x in ipairs(data:column("x")) do
          labels[i] = (x % 10 < 10 * share) == (x % 2 == 0) and "even" or "odd"
        end
        return labels
      end }
  end
  local datasets = {}
  for d = 1, 6 do
    local x, class = {}, {}
    for i = 1, 100 do x[i], class[i] = i, i % 2 == 0 and "even" or "odd" end
    datasets[d] = cf.dataset { name = "d" .. d, target = "class",
      columns = { { name = "x", values = x }, { name = "class", values = class } } }
  end
  local result = evaluate { datasets = datasets, metrics = { "accuracy" },
    learners = { a = right_on(0.9), b = right_on(0.6), c = right_on(0.3) },
    splitter = cf.splitter("kfold", { folds = 4 }) }
  local sentences = cf.compare(result):sentences()
  lu.assertEquals(sentences[#sentences], "Over 6 datasets there are differences among the learners "
    .. "(Friedman's chi squared = 12.00, p = 0.0025). The ranks separate, the better one first: 'a' "
    .. "from 'c', and no other pair (Nemenyi).")
  sentences = cf.compare(result, { control = "c" }):sentences()
  lu.assertEquals(sentences[#sentences], "Over 6 datasets there are differences among the learners "
    .. "(Friedman's chi squared = 12.00, p = 0.0025). The ranks separate, the better one first: 'a' "
    .. "from 'c', and no other pair (Bonferroni-Dunn).")
end

function TestCompare:test_wins_ties_and_losses_add_up()
  local comparison = cf.compare(many(6, { bayes = "naive_bayes", floor = "featureless",
    knn = cf.learner("knn", { k = 3 }) }))
  local wins, losses, all = 0, 0, 0
  for _, row in ipairs(comparison:win_tie_loss()) do
    wins, losses = wins + row.wins, losses + row.losses
    all = all + row.wins + row.ties + row.losses + row.undefined
  end
  lu.assertEquals(wins, losses)
  lu.assertEquals(all, 2 * 18)
end

function TestCompare:test_it_is_written_in_four_formats()
  local comparison = cf.compare(evaluate(), { metric = "accuracy" })
  lu.assertStrContains(comparison:to { csv = true }, "dataset,metric,a,b,test,design,splits")
  lu.assertStrContains(comparison:to { json = true }, "\"better\": \"bayes\"")
  lu.assertStrContains(comparison:to { latex = true }, "\\begin{tabular}{ll")
  lu.assertEquals(comparison:to { text = true }, tostring(comparison) .. "\n")
  lu.assertStrContains(fixtures.message(comparison.to, comparison, {}),
    "to: give one of the options csv, json, latex, text")
end

-- 26 learners on two datasets: 650 pairs; one learner fails in a fold, another one is as good as a coin.
local function many_learners()
  local learners = { floor = "featureless", broken = cf.learner("debug", { action = "throw_in_fit", when_row = 3 }) }
  for k = 1, 24 do learners[("knn %02d"):format(k)] = cf.learner("knn", { k = k }) end
  return evaluate { datasets = { noisy("one", 1, 60), noisy("two", 2, 60) }, learners = learners,
    splitter = cf.splitter("kfold", { folds = 5 }) }
end

function TestCompare:test_rows_of_many_pairs_are_those_of_few()
  local result = many_learners()
  for _, metric in ipairs { "accuracy", "log_loss" } do
    local all = cf.compare(result, { metric = metric })
    lu.assertEquals(#all:rows(), 26 * 25)
    local compared = 0
    for _, names in ipairs { { "broken", "floor" }, { "knn 01", "knn 02" }, { "floor", "knn 24" } } do
      local few = cf.compare(result, { metric = metric, learners = names, adjust = "bonferroni" }):rows()
      for i, row in ipairs(all:rows { learners = names }) do
        for _, key in ipairs { "dataset", "a", "b", "p", "low", "difference", "p_better", "splits", "undefined",
          "n_train" } do
          lu.assertEquals(row[key], few[i][key], key)
        end
        lu.assertEquals(row.p == nil, row.p_adjusted == nil)
        compared = compared + 1
      end
    end
    lu.assertEquals(compared, 6)
  end
end

function TestCompare:test_p_values_of_many_pairs_are_adjusted_over_all_of_a_dataset()
  local found = cf.compare(many_learners(), { metric = "accuracy" })
  for _, dataset in ipairs { "one", "two" } do
    local p, adjusted = {}, {}
    for _, row in ipairs(found:rows { dataset = dataset }) do
      if row.p then p[#p + 1], adjusted[#adjusted + 1] = row.p, row.p_adjusted end
    end
    lu.assertTrue(#p > 250)
    lu.assertEquals(adjusted, cf.stats.adjust_p(p, { method = "holm" }))
  end
  local wins = {}
  for _, row in ipairs(found:rows()) do
    if row.better then wins[row.better] = (wins[row.better] or 0) + 1 end
  end
  for _, row in ipairs(found:win_tie_loss()) do lu.assertEquals(row.wins, wins[row.learner] or 0) end
end

function TestCompare:test_of_many_learners_the_best_are_printed_and_all_can_be_had()
  local found = cf.compare(many_learners(), { metric = "accuracy" })
  local text, ranking = tostring(found), found:ranking()
  lu.assertStrContains(text, "26 learners, 650 pairs")
  lu.assertStrContains(text, "shown are the first 20 of 26 learners")
  for i, row in ipairs(ranking) do
    local place = text:find(("\n *%d +%s "):format(i, row.learner))
    lu.assertEquals(place ~= nil, i <= 20, row.learner)
  end
  lu.assertStrContains(text, ("'%s' (a) against these, over the datasets"):format(ranking[1].learner))
  lu.assertStrContains(tostring(cf.compare(many_learners(), { metric = "accuracy", alpha = 0.9 })),
    " of 325 pairs (Nemenyi).")
  local _, lines = text:gsub("\n", "\n")
  lu.assertTrue(lines < 100)
  local _, rows = found:to { csv = true }:gsub("\n", "\n")
  lu.assertEquals(rows, 1 + 650)
  lu.assertEquals(#found:sentences(), 650 + 1)
  lu.assertEquals(#found:sentences { learner = "floor", dataset = "two" }, 25)
  lu.assertErrorMsgContains("there is no learner 'flor'; did you mean 'floor'?", found.rows, found,
    { learner = "flor" })
  -- What takes long is there when it is asked for.
  local over = found:over()
  lu.assertEquals(#over.bayes, 26 * 25 / 2)
  local few = cf.compare(many_learners(), { metric = "accuracy", learners = { "floor", "knn 01" } })
  lu.assertEquals(over.bayes[26], few:over().bayes[1])
  lu.assertEquals(#over.friedman.nemenyi, 26 * 25 / 2)
end

function TestCompare:test_many_learners_on_one_dataset_have_a_matrix_of_the_best()
  local found = cf.compare(many_learners(), { metric = "accuracy", datasets = { "one" } })
  local best = found:ranking()[1].learner
  lu.assertStrContains(tostring(found), ("Pairs of '%s' with these: a - b"):format(best))
  lu.assertStrContains(tostring(found), "better (+), worse (-), neither (.)")
end

function TestCompare:test_mistakes_are_told()
  local result = evaluate()
  lu.assertStrContains(refusal(result), "compare: the result has the metrics accuracy, log_loss; name one "
    .. "with metric = ...")
  lu.assertStrContains(refusal(result, { metric = "f1" }), "compare: the result has no metric 'f1'")
  lu.assertStrContains(refusal(result, { metric = "accuracy", learners = { "bayes" } }),
    "compare: there is one learner, 'bayes'; a comparison needs two")
  lu.assertStrContains(refusal(result, { metric = "accuracy", learners = { "bayes", "flor" } }),
    "compare: there is no learner 'flor'; did you mean 'floor'?")
  lu.assertStrContains(refusal(result, { metric = "accuracy", control = "knn" }),
    "compare: the control 'knn' is not among the learners")
  lu.assertStrContains(refusal(result, { metric = "accuracy", alpha = 2 }),
    "compare: alpha = 2 is outside (0, 1); use 0.05")
  lu.assertStrContains(refusal({ result, result }, { metric = "accuracy" }),
    "compare: two results have a learner 'bayes' on dataset 'noisy'")
  lu.assertStrContains(refusal({ 3 }, {}), "compare: element 1 is a number, not a result of cf.evaluate")
end

-- A learner in Lua that gives every row the same class, and fails in the n-th fit.
local function constant(name, class, n)
  local fits = 0
  return cf.learner { name = name,
    fit = function()
      fits = fits + 1
      if fits == n then error("no fit today", 0) end
      return class
    end,
    predict = function(state, rows) return fixtures.repeated(state, #rows) end }
end

-- A learner in Lua that is sure of the right class, but for one row, whose id is given.
local function sure(name, share, wrong)
  return cf.learner { name = name, fit = function() return {} end,
    predict = function(_, rows)
      local probabilities = {}
      for i, id in ipairs(rows:row_ids()) do
        local yes = (id % 2 == 0) ~= (id == wrong)
        local p = share - id % 7 * 0.001 * (1 - share)
        probabilities[i] = yes and { 1 - p, p } or { p, 1 - p }
      end
      return { probabilities = probabilities }
    end }
end

function TestCompare:test_an_infinite_score_is_not_left_out_to_the_gain_of_the_learner()
  local result = evaluate { learners = { cautious = sure("cautious", 0.95), reckless = sure("reckless", 1, 7) },
    splitter = cf.splitter("kfold", { folds = 5 }), metrics = { cf.metric("log_loss", { clip = 0 }) } }
  local comparison = cf.compare(result)
  local row = comparison:rows()[1]
  lu.assertNil(row.better)
  lu.assertNil(row.p)
  lu.assertNil(row.mean_b)
  lu.assertStrMatches(row.undefined, "'reckless' has an infinite score in split %d, so its mean is not a number")
  local ranking = comparison:ranking()
  lu.assertEquals({ ranking[1].learner, ranking[2].learner, ranking[2].mean },
    { "cautious", "reckless", math.huge })
end

function TestCompare:test_equal_differences_without_variance_are_no_evidence()
  local result = evaluate { learners = { a = sure("a", 0.9), b = constant("b", "no") },
    metrics = "accuracy" }
  local row = cf.compare(result):rows()[1]
  lu.assertEquals(row.difference, 0.5)
  lu.assertEquals({ row.p, row.better }, {})
  lu.assertEquals(row.undefined, "all differences are 0.5: without variance there is no statistic")
end

function TestCompare:test_without_a_direction_a_difference_is_told_and_nobody_is_better()
  local share = cf.metric { name = "share of yes", direction = "neither",
    score = function(_, predicted)
      local n = 0
      for _, label in ipairs(predicted) do n = n + (label == "yes" and 1 or 0) end
      return n / #predicted
    end }
  local comparison = cf.compare(evaluate { metrics = share, learners = { b = "naive_bayes",
    no = constant("no", "no") } })
  local row = comparison:rows()[1]
  lu.assertTrue(row.p < 0.05)
  lu.assertTrue(row.significant)
  lu.assertEquals({ row.better, row.p_better, row.p_worse }, {})
  lu.assertStrContains(comparison:sentences()[1],
    "'b' and 'no' differ on 'noisy', and neither can be called better: share of yes differs by ")
  lu.assertEquals(comparison:win_tie_loss()[1],
    { learner = "b", wins = 0, ties = 0, losses = 0, undefined = 1 })
  lu.assertNil(comparison:ranking()[1].rank)
end

function TestCompare:test_a_failed_fold_of_leave_one_out_is_told_as_such()
  local result = evaluate { data = noisy("noisy", 1, 12), splitter = "leave_one_out",
    metrics = "accuracy", learners = { a = constant("a", "yes", 5), b = "featureless" } }
  local comparison = cf.compare(result)
  local row = comparison:rows()[1]
  lu.assertEquals(row.undefined, "a split has no predictions, so the rows cannot be compared one by "
    .. "one: failed at fit a: no fit today")
  lu.assertStrContains(tostring(comparison), "11 of 12")
end

function TestCompare:test_rows_of_groups_are_no_independent_rows()
  local x, y, g = {}, {}, {}
  for i = 1, 40 do x[i], y[i], g[i] = i % 7, i % 2 == 0 and "yes" or "no", "g" .. i % 8 end
  local data = cf.dataset { name = "grouped", target = "y", groups = "g", columns = {
    { name = "x", values = x }, { name = "y", values = y }, { name = "g", values = g } } }
  local result = evaluate { data = data, splitter = "holdout", metrics = "accuracy" }
  lu.assertEquals(refusal(result), "compare: test = 'mcnemar' is not valid on dataset 'grouped': it "
    .. "takes rows for independent, and these come in groups; use a splitter with several splits, and "
    .. "test = 'corrected_t'")
end

function TestCompare:test_metrics_and_data_of_the_same_name_must_be_the_same()
  local function made(direction)
    return cf.metric { name = "mine", direction = direction, score = function() return 1 end }
  end
  local a = evaluate { learners = { a = "featureless" }, metrics = made("higher") }
  local b = evaluate { learners = { b = "featureless" }, metrics = made("lower") }
  lu.assertEquals(refusal { a, b }, "compare: the results have different metrics that are both called "
    .. "'mine'; evaluate both with the same cf.metric{...}, made once")
  local first = evaluate { learners = { a = "featureless" }, metrics = "accuracy" }
  local second = evaluate { learners = { b = "featureless" }, metrics = "accuracy",
    data = noisy("noisy", 2, 120) }
  lu.assertStrContains(refusal { first, second },
    "compare: the data called 'noisy' of learners 'a' and 'b' differ")
end

function TestCompare:test_a_difference_too_small_for_four_decimals_is_not_told_as_zero()
  local tiny = cf.metric { name = "tiny", direction = "lower", score = function(truth, predicted)
    local wrong = 0
    for i, label in ipairs(predicted) do wrong = wrong + (label ~= truth[i] and 1 or 0) end
    return wrong / #truth * 1e-7
  end }
  local sentence = cf.compare(evaluate { metrics = tiny }):sentences()[1]
  lu.assertStrMatches(sentence, ".*tiny differs by %-0%.0000000%d+ .*")
end

function TestCompare:test_unpaired_means_over_datasets_are_of_each_learners_own_splits()
  local function of(name, learner, folds)
    local sets = {}
    for i = 1, 6 do sets[i] = noisy("d" .. i, i, 60) end
    return evaluate { datasets = sets, learners = { [name] = learner }, metrics = "accuracy",
      splitter = cf.splitter("kfold", { folds = folds }) }
  end
  local a, b = of("a", "naive_bayes", 3), of("b", "decision_tree", 5)
  local over = cf.compare({ a, b }, { paired = false }):over()
  for d = 1, 6 do
    lu.assertAlmostEquals(over.means[d][1], a:summary()[d].mean, 1e-15)
    lu.assertAlmostEquals(over.means[d][2], b:summary()[d].mean, 1e-15)
  end
end

-- Differences of which the first says the opposite of the mean: 1 - 0.1 i is the accuracy of fold i.
function TestCompare:test_five_by_two_t_names_nobody_against_the_mean()
  local data, calls = noisy("noisy", 1, 40), 0
  local values = { 0.5, 0.52, 0, 0.001, 0, 0.001, 0, 0.001, 0, 0.001 }
  for i = 3, 10 do values[i] = values[i] - 0.4 end
  local metric = cf.metric { name = "given", direction = "higher", score = function(_, predicted)
    if predicted[1] ~= "yes" then return 0 end
    calls = calls + 1
    return values[calls]
  end }
  local comparison = cf.compare(evaluate { data = data, metrics = metric,
    learners = { a = constant("a", "yes"), b = constant("b", "no") },
    splitter = cf.splitter("kfold", { folds = 2, repeats = 5 }) }, { test = "five_by_two_t" })
  local row = comparison:rows()[1]
  lu.assertTrue(row.statistic > 0 and row.difference < 0 and row.p < 0.05)
  lu.assertNil(row.better)
  lu.assertStrContains(comparison:sentences()[1], "neither can be called better")
end

function TestCompare:test_the_notes_say_where_the_correction_is_a_heuristic()
  local function notes(splitter)
    local result = evaluate { metrics = "accuracy", splitter = splitter }
    return table.concat(cf.compare(result):notes(), "\n")
  end
  lu.assertNotStrContains(notes(cf.splitter("holdout", { repeats = 5 })), "heuristic")
  lu.assertStrContains(notes(cf.splitter("kfold", { folds = 4 })), "over folds it is a heuristic")
  lu.assertStrContains(notes(cf.splitter("bootstrap", { repeats = 5 })),
    "for others (bootstrap, time series, lists) it is a heuristic")
end

function TestCompare:test_over_datasets_the_control_is_second_as_in_the_pairs()
  local sets = {}
  for i = 1, 6 do sets[i] = noisy("d" .. i, i, 60) end
  local comparison = cf.compare(evaluate { datasets = sets, metrics = "accuracy" }, { control = "bayes" })
  local row, over = comparison:rows()[1], comparison:over()
  lu.assertEquals({ row.a, row.b, over.a, over.b }, { "floor", "bayes", "floor", "bayes" })
  lu.assertTrue(over.median < 0)
end

function TestCompare:test_a_learner_without_scores_on_a_dataset_has_no_mean_in_the_ranking()
  local picky = cf.learner { name = "picky",
    fit = function(data)
      if data:name() == "d2" then error("not this one", 0) end
      return "yes"
    end,
    predict = function(state, rows) return fixtures.repeated(state, #rows) end }
  local ranking = cf.compare(evaluate { datasets = { noisy("d1", 1, 60), noisy("d2", 2, 60) },
    learners = { a = picky, b = constant("b", "no") }, metrics = "accuracy" }):ranking()
  lu.assertEquals({ ranking[1].learner, ranking[2].learner, ranking[2].mean }, { "b", "a", nil })
end

function TestCompare:test_an_unpaired_comparison_tells_that_the_data_differ()
  local first = evaluate { learners = { a = "featureless" }, metrics = "accuracy" }
  local second = evaluate { learners = { b = "naive_bayes" }, metrics = "accuracy",
    data = noisy("noisy", 2, 120) }
  lu.assertStrContains(table.concat(cf.compare({ first, second }, { paired = false }):notes(), "\n"),
    "the learners were tested on different data, all called 'noisy'")
end

-- The rows of options are those of all rows that fit them, in the same order.
function TestCompare:test_rows_of_some_learners_are_those_among_all_rows()
  local result = evaluate { datasets = { noisy("d1", 1, 60), noisy("d2", 2, 60) }, metrics = "accuracy",
    learners = { a = constant("a", "no"), b = "naive_bayes", c = "featureless", d = constant("d", "yes"),
      e = cf.learner("knn", { k = 3 }) } }
  local cases = { {}, { learner = "c" }, { learners = { "e", "b", "a" } }, { learner = "c", learners = { "a", "e" } },
    { learner = "c", learners = { "c", "d" } }, { dataset = "d2", learner = "d" }, { learners = { "b" } } }
  for _, control in ipairs { false, "a", "c", "e" } do
    local compared = cf.compare(result, { control = control or nil })
    for _, given in ipairs(cases) do
      local among, expected = given.learners and {}, {}
      for _, name in ipairs(given.learners or {}) do among[name] = true end
      local function fits(name) return not among or among[name] or name == given.learner end
      for _, row in ipairs(compared:rows()) do
        if (not given.learner or row.a == given.learner or row.b == given.learner) and fits(row.a) and fits(row.b)
            and (not given.dataset or row.dataset == given.dataset) then
          expected[#expected + 1] = row
        end
      end
      lu.assertEquals(compared:rows(given), expected)
    end
  end
end
