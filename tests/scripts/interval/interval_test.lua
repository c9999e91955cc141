local lu = require "luaunit"
local cf = require "crossfold"
local fixtures = require "fixtures"

TestInterval = {}

-- 30 numbers; the learner says the mean of its training rows, and the loss is the squared error.
local values = { 2.1, 3.4, 1.9, 5.6, 4.4, 2.8, 3.3, 6.1, 4.9, 3.7, 2.2, 5.1, 4.0, 3.8, 2.6, 7.3, 1.2, 3.9, 4.6, 5.0,
  2.9, 3.1, 4.2, 6.4, 0.7, 3.6, 4.8, 2.4, 5.5, 3.0 }

local function numbers(more)
  local x = {}
  for i = 1, #values do x[i] = i % 7 end
  local columns = { { name = "x", values = x }, { name = "y", values = values } }
  local given = { name = "numbers", target = "y", columns = columns }
  for role, list in pairs(more or {}) do
    columns[#columns + 1] = { name = role, values = list }
    given[role] = role
  end
  return cf.dataset(given)
end

local function own_folds(partitions)
  return cf.splitter { name = "own folds", ignore_groups = true,
    split = function() return { partitions = partitions } end }
end

-- Five folds of six rows, one after the other.
local function blocks()
  local folds = {}
  for i = 1, 30 do folds[i] = (i - 1) // 6 + 1 end
  return own_folds { folds }
end

local function evaluated(changes)
  return cf.evaluate(fixtures.with({ data = numbers(), learners = { mean = "featureless" }, metrics = "mse",
    splitter = blocks(), seed = 1 }, changes))
end

local function shows(row, expected)
  for key, value in pairs(expected) do
    if type(value) == "number" then
      lu.assertAlmostEquals(row[key], value, 1e-12, key)
    else
      lu.assertEquals(row[key], value, key)
    end
  end
end

-- The squared errors of the rows of `evaluated()`, computed here.
local function squared_errors(of_folds)
  local errors = {}
  for i, y in ipairs(values) do
    local sum, n = 0, 0
    for j, other in ipairs(values) do
      if of_folds[j] ~= of_folds[i] then sum, n = sum + other, n + 1 end
    end
    errors[i] = (y - sum / n) ^ 2
  end
  return errors
end

-- aggr_ours(version = "out" and "in") and CI_2sided of cv_num_exper.py in github.com/alexandre-bayle/cvci, run on these
-- errors: 2.4078472222222222, 0.5624993414276551, (1.305368771696519, 3.5103256727479257); 0.6037094039721798,
-- (1.2245985333086076, 3.591095911135837).
function TestInterval:test_clt_is_that_of_the_program_of_its_authors()
  local result = evaluated()
  shows(result:interval { method = "clt", bounds = "wald" }[1], { learner = "mean", dataset = "numbers", metric = "mse",
    method = "clt", mean = 2.4078472222222222, se = 0.5624993414276551, low = 1.305368771696519,
    high = 3.5103256727479257, confidence = 0.95, n = 30, unit = "rows", design = "5 folds", variance = "out" })
  shows(result:interval { method = "clt", variance = "within", bounds = "wald" }[1], { mean = 2.4078472222222222,
    se = 0.6037094039721798, low = 1.2245985333086076, high = 3.591095911135837, variance = "within" })
end

-- numpy: sd of the five means of errors times sqrt(1 / 5 + 6 / 24), and scipy's t quantile.
function TestInterval:test_the_corrected_t_takes_the_sizes_of_the_splits()
  shows(evaluated():interval { method = "corrected_t", bounds = "wald" }[1], { mean = 2.4078472222222222,
    se = 0.4626589226125006, low = 1.123300121158658, high = 3.6923943232857868, n = 5, unit = "splits" })
end

-- nested_cv of github.com/stephenbates19/nestedcv (R/core.R), run in R 4.2 with the folds that its sample() makes after
-- set.seed(3), (13), (5), (9), (1), (2); the bias of mlr3inferr with its own factor. The se is between its bounds, at
-- the upper one, and at the lower one.
local nested = {
  { seeds = "3 and 13", se = 0.890804564472237, inflation = 1.50774533027226,
    nestedcv = { bias = 0.0283288266271009, mean = 2.4021711733729, low = 0.656226309743428, high = 4.14811603700237 },
    mlr3inferr = { bias = 0.0309444444444445, mean = 2.39955555555556, low = 0.653610691926084,
      high = 4.14550041918503 },
    { 1, 2, 3, 3, 5, 4, 2, 1, 1, 1, 4, 2, 3, 4, 1, 3, 4, 4, 5, 3, 5, 5, 2, 2, 1, 5, 5, 3, 4, 2 },
    { 5, 4, 1, 1, 4, 2, 2, 3, 5, 5, 3, 3, 1, 4, 3, 2, 1, 4, 4, 1, 4, 2, 3, 5, 1, 5, 5, 2, 2, 3 } },
  { seeds = "5 and 9", se = 1.22968401840261, inflation = 2.23606797749979,
    nestedcv = { bias = 0.0127488196430755, mean = 2.34967710628285, low = 0, high = 4.75981349471645 },
    mlr3inferr = { bias = 0.0139259259259255, mean = 2.3485, low = 0, high = 4.7586363884336 },
    { 3, 2, 1, 1, 5, 4, 5, 2, 3, 5, 4, 2, 3, 3, 2, 1, 1, 2, 5, 4, 4, 5, 1, 4, 1, 2, 3, 5, 4, 3 },
    { 3, 2, 2, 1, 5, 5, 4, 3, 2, 4, 1, 4, 1, 1, 5, 2, 3, 5, 4, 4, 2, 1, 5, 3, 3, 5, 4, 2, 3, 1 } },
  { seeds = "1 and 2", se = 0.607304531362939, inflation = 1,
    nestedcv = { bias = 0.0512919598804868, mean = 2.47954137345285, low = 1.28924636433351, high = 3.66983638257218 },
    mlr3inferr = { bias = 0.0560277777777777, mean = 2.47480555555556, low = 1.28451054643622,
      high = 3.66510056467489 },
    { 1, 5, 3, 2, 3, 4, 2, 5, 4, 5, 3, 1, 1, 2, 4, 5, 1, 3, 1, 3, 4, 3, 2, 4, 2, 1, 5, 4, 5, 2 },
    { 2, 1, 2, 4, 4, 3, 1, 3, 5, 4, 2, 2, 4, 2, 5, 3, 1, 3, 2, 4, 5, 3, 1, 5, 5, 4, 5, 1, 1, 3 } },
}

function TestInterval:test_nested_is_that_of_the_program_of_its_authors()
  for _, case in ipairs(nested) do
    local result = evaluated { splitter = own_folds { case[1], case[2] } }
    for _, bias in ipairs { "nestedcv", "mlr3inferr" } do
      local row = result:interval { method = "nested", bias = bias, bounds = "wald" }[1]
      shows(row, { se = case.se, inflation = case.inflation, n = 30, unit = "rows", method = "nested", fits = 20 })
      shows(row, case[bias])
    end
  end
end

function TestInterval:test_nested_says_what_was_measured_and_corrects_no_stratified_folds()
  local function accuracy(stratify, bias)
    return cf.evaluate { data = fixtures.iris(), learners = "lda", metrics = "accuracy", seed = 1,
      splitter = cf.splitter("kfold", { folds = 5, stratify = stratify }) }
      :interval { method = "nested", bias = bias }[1]
  end
  lu.assertStrContains(accuracy(false).caution, "measured to hold 84 % of Brier scores")
  lu.assertStrContains(accuracy(true).undefined, "the correction of the bias goes the wrong way in stratified folds")
  lu.assertNotNil(accuracy(true, "none").low)
end

-- The bias takes the accuracy of a few separable rows beyond 1.
function TestInterval:test_a_nested_mean_beyond_a_bound_is_cut_there()
  local result = cf.evaluate { data = fixtures.separable(), learners = "knn", metrics = "accuracy", seed = 1,
    splitter = cf.splitter("kfold", { folds = 4 }) }
  local row = result:interval { method = "nested" }[1]
  lu.assertTrue(row.corrected > 1)
  lu.assertEquals({ row.mean, row.high }, { 1, 1 })
  lu.assertAlmostEquals(row.low, 1 - 1.959963984540054 * row.se, 1e-12)
  lu.assertTrue(row.bias < 0)
  lu.assertStrContains(row.sentence, ("has a mean accuracy of 1.0000 (cut to the bound of the metric, the bias takes "
    .. "it to %s; 95 %% interval %s to 1.0000; nested over 12 rows)"):format(cf.format_number(row.corrected, 4),
      cf.format_number(row.low, 4)))
end

-- 178 rows of wine, a corrected accuracy just below 1: limits that scale the variance reach down to 0.6.
function TestInterval:test_nested_near_a_bound_has_limits_of_its_standard_error()
  local wine = cf.read(fixtures.folder .. "/wine.csv", { target = "class" })
  local result = cf.evaluate { data = wine, learners = "lda", metrics = "accuracy", seed = 3,
    splitter = cf.splitter("kfold", { folds = 5 }) }
  local row = result:interval { method = "nested" }[1]
  lu.assertTrue(row.mean > 0.99 and row.mean < 1)
  lu.assertAlmostEquals(row.low, row.mean - 1.959963984540054 * row.se, 1e-12)
  lu.assertEquals(row.high, 1)
end

-- A learner in Lua that counts its fits and, from the fit number `failing` on, fails.
local function counting(count, failing)
  return cf.learner {
    name = "counting",
    fit = function(data)
      count.fits = (count.fits or 0) + 1
      if count.fits == failing then error("no fit today", 0) end
      count[count.fits] = data:row_ids()
      local sum = 0
      for _, y in ipairs(data:target()) do sum = sum + y end
      return sum / #data
    end,
    predict = function(mean, rows) return fixtures.repeated(mean, #rows) end,
  }
end

function TestInterval:test_nested_fits_a_model_for_each_pair_of_folds_and_no_fold_again()
  local count = {}
  local result = evaluated { learners = { mean = counting(count) }, metrics = { "mse", "mae" },
    splitter = cf.splitter("kfold", { folds = 10 }) }
  lu.assertEquals(count.fits, 10)
  local rows = result:interval { method = "nested" }
  lu.assertEquals(count.fits, 55)
  lu.assertEquals({ rows[1].fits, rows[2].fits }, { 45, 45 })
  for fit = 11, 55 do lu.assertEquals(#count[fit], 24) end
end

function TestInterval:test_a_fit_that_fails_leaves_nested_without_an_interval()
  local result = evaluated { learners = { mean = counting({}, 7) } }
  lu.assertEquals(result:interval { method = "nested" }[1].sentence,
    "There is no interval of mse for 'mean' on 'numbers': no fit today.")
end

local function bits(rows)
  local list = {}
  for i, row in ipairs(rows) do list[i] = ("%a %a %a %a"):format(row.mean, row.se, row.low, row.high) end
  return list
end

function TestInterval:test_any_number_of_workers_and_a_store_give_the_same_bits()
  local iris = fixtures.iris()
  local learners = { forest = cf.learner("random_forest", { trees = 5 }),
    tuned = cf.grid_search { learner = "knn", grid = { k = { 1, 5 } }, splitter = "kfold", metric = "accuracy" } }
  local path = fixtures.new_store()
  for _, case in ipairs {
    { method = "nested", splitter = cf.splitter("kfold", { folds = 5, repeats = 2 }) },
    { method = "conservative_z", splitter = cf.splitter("holdout", { test_share = 0.1, repeats = 4 }) } } do
    local expected
    for _, how in ipairs { { workers = 1 }, { workers = 2 }, { workers = 7 }, { workers = 2, store = path },
      { workers = 1, store = path } } do
      local result = cf.evaluate { data = iris, learners = learners, metrics = "accuracy", splitter = case.splitter,
        seed = 3, workers = how.workers, store = how.store }
      local found = bits(result:interval { method = case.method })
      expected = expected or found
      lu.assertEquals(found, expected)
    end
  end
  fixtures.remove_store(path)
end

function TestInterval:test_a_store_finds_the_fits_again()
  local path = fixtures.new_store()
  local function ask()
    local result = cf.evaluate { data = fixtures.iris(), learners = "naive_bayes", metrics = "accuracy",
      splitter = cf.splitter("kfold", { folds = 4 }), store = path }
    return result:interval { method = "nested" }
  end
  local first = ask()
  local cells = cf.store_status(path).cells
  lu.assertEquals(bits(ask()), bits(first))
  lu.assertEquals(cf.store_status(path).cells, cells)
  fixtures.remove_store(path)
end

-- conservative_z by its definition, from the training sets and scores that were seen: of the metric in Lua all scores
-- are in the order of the splits.
function TestInterval:test_conservative_z_compares_halves_without_a_common_row()
  local count, scores = {}, {}
  local largest = cf.metric { name = "largest error", direction = "lower", score = function(truth, predicted)
    local most = 0
    for i, y in ipairs(truth) do most = math.max(most, math.abs(y - predicted[i])) end
    scores[#scores + 1] = { value = most, rows = #truth }
    return most
  end }
  local result = evaluated { learners = { mean = counting(count) }, metrics = largest,
    splitter = cf.splitter("holdout", { test_share = 0.1, repeats = 4 }) }
  local row = result:interval { method = "conservative_z", pairs = 10, bounds = "wald" }[1]
  lu.assertEquals({ count.fits, #scores }, { 84, 84 })
  local mean, squares = 0, 0
  for i = 1, 4 do mean = mean + scores[i].value / 4 end
  for pair = 1, 10 do
    local half_of, means = {}, { 0, 0 }
    for half = 1, 2 do
      local first = 4 + 8 * (pair - 1) + 4 * (half - 1)
      for i = first + 1, first + 4 do
        lu.assertEquals({ #count[i], scores[i].rows }, { 12, 3 })
        means[half] = means[half] + scores[i].value / 4
        for _, id in ipairs(count[i]) do
          lu.assertTrue(half_of[id] == nil or half_of[id] == half)
          half_of[id] = half
        end
      end
    end
    squares = squares + (means[1] - means[2]) ^ 2
  end
  shows(row, { method = "conservative_z", mean = mean, se = math.sqrt(squares / 20), n = 10, unit = "pairs of halves",
    fits = 80 })
  lu.assertAlmostEquals(row.high - mean, 1.959963984540054 * row.se, 1e-12)
end

function TestInterval:test_shares_have_the_interval_of_wilson()
  local result = cf.evaluate { data = fixtures.iris(), learners = "naive_bayes", metrics = { "accuracy", "error_rate" },
    splitter = cf.splitter("kfold", { folds = 10 }), seed = 4 }
  local rows = result:interval { method = "clt" }
  local right = math.floor(150 * rows[1].mean + 0.5)
  local wilson = cf.stats.accuracy_interval { correct = right, n = 150 }
  shows(rows[1], { method = "clt", low = wilson.low, high = wilson.high })
  shows(rows[2], { method = "clt", low = 1 - wilson.high, high = 1 - wilson.low })
end

-- By the rows, because the folds say nothing.
function TestInterval:test_a_share_of_one_has_an_interval_too()
  local result = cf.evaluate { data = fixtures.separable(), learners = "lda", metrics = { "accuracy", "error_rate" },
    splitter = cf.splitter("kfold", { folds = 4 }) }
  local low = cf.stats.accuracy_interval { correct = 12, n = 12 }.low
  shows(result:interval()[1], { mean = 1, low = low, high = 1, n = 4, method = "corrected_t" })
  shows(result:interval()[2], { mean = 0, low = 0, high = 1 - low, n = 4, caution = "the splits vary less than the 12 "
    .. "rows, whose interval by \"clt\" gives the width" })
end

-- The most frequent class is right in the same share of each stratified fold.
function TestInterval:test_folds_that_vary_less_than_rows_have_the_width_of_the_rows()
  local result = cf.evaluate { data = fixtures.iris(), learners = { mode = "featureless" }, metrics = "accuracy",
    splitter = cf.splitter("kfold", { folds = 5, stratify = true }) }
  local wilson = cf.stats.accuracy_interval { correct = 50, n = 150 }
  shows(result:interval()[1], { method = "corrected_t", n = 5, mean = 1 / 3, low = wilson.low, high = wilson.high })
  local without = cf.evaluate { data = fixtures.iris(), learners = { mode = "featureless", bayes = "naive_bayes" },
    metrics = "accuracy", splitter = cf.splitter("kfold", { folds = 5, stratify = true }), keep = "none" }:interval()
  lu.assertEquals(without[2].undefined, "all 5 values are equal")
  lu.assertStrContains(without[1].undefined, "stratified folds vary less than new rows do, and no predictions were "
    .. "kept")
end

function TestInterval:test_leave_one_out_has_no_interval_by_default()
  local result = cf.evaluate { data = fixtures.iris(), learners = cf.learner("decision_tree", { max_depth = 3 }),
    metrics = { "accuracy", "brier" }, splitter = "leave_one_out", keep = "probabilities" }
  for _, row in ipairs(result:interval()) do
    lu.assertEquals({ row.low, row.high }, {})
    lu.assertStrContains(row.undefined, "an interval of leave-one-out, \"clt\", was measured to hold ")
    lu.assertStrContains(row.undefined, "use cf.splitter(\"kfold\", { folds = 10 })")
  end
  local named = result:interval { method = "clt", metric = "accuracy" }[1]
  lu.assertStrContains(named.caution, "95 % intervals of this kind were measured to hold ")
  lu.assertTrue(named.low < named.high)
  lu.assertStrContains(tostring(result), "(no interval of accuracy: an interval of leave-one-out")
end

-- One number is the two classes by its sign, but for `wrong` rows.
local function nearly_separable(n, wrong)
  local z, y = {}, {}
  for i = 1, n do
    z[i] = i % 2 == 0 and 5 + i / 100 or -5 - i / 100
    y[i] = ((i % 2 == 0) ~= (i <= wrong)) and "a" or "b"
  end
  return cf.dataset { name = "nearly", target = "y", columns = { { name = "z", values = z },
    { name = "y", values = y } } }
end

function TestInterval:test_clipped_rows_leave_a_log_loss_without_an_interval_and_are_counted()
  local function losses(wrong, method)
    return cf.evaluate { data = nearly_separable(200, wrong), learners = cf.learner("knn", { k = 1 }), keep =
      "probabilities", metrics = "log_loss", splitter = cf.splitter("kfold", { folds = 5 }), seed = 1 }
      :interval { method = method }[1]
  end
  for _, method in ipairs { "default", "clt", "corrected_t", "nested" } do
    local row = losses(1, method ~= "default" and method or nil)
    lu.assertNil(row.low)
    lu.assertStrContains(row.undefined, " of 200 tested rows gave their class a probability of 1e-15 or less, where "
      .. "log_loss is clipped")
  end
  lu.assertStrContains(losses(0).undefined, "200 of 200 tested rows gave some class a probability of 1e-15 or less, so "
    .. "that new rows may be clipped")
  for _, method in ipairs { "clt", "corrected_t", "nested" } do  -- a loss of 1e-15 in all rows
    lu.assertEquals({ losses(0, method).low, losses(0, method).high }, {})
    lu.assertStrMatches(losses(0, method).undefined, "all %d+ %a+ have the same score")
  end
end

function TestInterval:test_without_probabilities_nobody_knows_what_is_clipped()
  local result = cf.evaluate { data = fixtures.iris(), learners = "lda", metrics = "log_loss",
    splitter = cf.splitter("kfold", { folds = 5 }) }
  lu.assertEquals(result:interval()[1].undefined, "without probabilities nobody knows which rows log_loss clips; "
    .. "evaluate with keep = \"probabilities\"")
end

function TestInterval:test_a_row_of_several_repeats_counts_once_with_its_mean_score()
  local partitions, means = { nested[1][1], nested[1][2] }, {}
  local first, second = squared_errors(partitions[1]), squared_errors(partitions[2])
  local sum, squares = 0, 0
  for i = 1, 30 do
    means[i] = (first[i] + second[i]) / 2
    sum, squares = sum + means[i], squares + means[i] ^ 2
  end
  local row = evaluated { splitter = own_folds(partitions) }:interval { method = "clt" }[1]
  shows(row, { mean = sum / 30, se = math.sqrt((squares / 30 - (sum / 30) ^ 2) / 30), n = 30,
    design = "2 times 5 folds" })
end

function TestInterval:test_weights_make_a_ratio_of_sums()
  local weights = {}
  for i = 1, 30 do weights[i] = 1 + i % 3 end
  local result = evaluated { data = numbers { weights = weights } }
  local scores, sum, total = {}, 0, 0
  for i, row in ipairs(result:predictions()) do
    scores[i] = (row.truth - row.predicted) ^ 2
    sum, total = sum + weights[row.row] * scores[i], total + weights[row.row]
  end
  local mean, squares = sum / total, 0
  for i, row in ipairs(result:predictions()) do squares = squares + (weights[row.row] * (scores[i] - mean)) ^ 2 end
  -- (10 * (1 + 2 + 3))^2 / (10 * (1 + 4 + 9)) = 25.7 rows
  shows(result:interval { method = "clt" }[1], { mean = mean, se = math.sqrt(squares) / total, n = 26,
    unit = "rows of the same weight" })
end

function TestInterval:test_rows_of_weight_0_do_not_count()
  local function of(n_zero)
    local x, y, w = {}, {}, {}
    for i = 1, 120 + n_zero do x[i], y[i], w[i] = i % 7, values[i % 30 + 1], i <= 120 and 1 or 0 end
    local data = cf.dataset { name = "d", target = "y", weights = "w", columns = { { name = "x", values = x },
      { name = "y", values = y }, { name = "w", values = w } } }
    return evaluated { data = data, splitter = cf.splitter("kfold", { folds = 5 }) }
  end
  lu.assertEquals(of(400):interval { method = "clt" }[1].n, 120)
  lu.assertStrContains(of(400):interval { method = "clt" }[1].caution, "measured to hold 86 to 94 %")
  lu.assertNotNil(of(0):interval()[1].low)
  local uneven = {}
  for i = 1, 30 do uneven[i] = i == 1 and 100 or 1 end
  local row = evaluated { data = numbers { weights = uneven }, splitter = cf.splitter("kfold", { folds = 5 }) }
    :interval()[1]
  lu.assertStrContains(row.undefined, "the weights make 30 rows worth 1.7 of the same weight; use 100 or more")
end

-- Groups of n rows.
local function groups_of(n)
  local groups = {}
  for i = 1, 30 do groups[i] = "g" .. (i - 1) // n end
  return groups
end

function TestInterval:test_groups_count_as_a_whole()
  local result = evaluated { data = numbers { groups = groups_of(2) }, splitter = cf.splitter("kfold", { folds = 5 }) }
  local sums, errors, sum = {}, {}, 0
  for _, row in ipairs(result:predictions()) do
    errors[row.row] = (row.truth - row.predicted) ^ 2
    sum = sum + errors[row.row]
  end
  local squares = 0
  for g = 1, 15 do
    sums[g] = errors[2 * g - 1] + errors[2 * g]
    squares = squares + (sums[g] - 2 * sum / 30) ^ 2
  end
  local row = result:interval { method = "clt", bounds = "wald" }[1]
  local se = math.sqrt(squares * 15 / 14) / 30
  shows(row, { mean = sum / 30, se = se, n = 15, unit = "groups", method = "clt" })
  lu.assertAlmostEquals(row.high - row.mean, 2.1447866879169273 * se, 1e-12)  -- t(14)
end

function TestInterval:test_few_groups_have_no_variance()
  local result = evaluated { data = numbers { groups = groups_of(5) }, splitter = cf.splitter("kfold", { folds = 3 }) }
  lu.assertEquals(result:interval { method = "clt" }[1].undefined,
    "6 groups are too few for a variance, the method needs 10; use method = \"corrected_t\"")
  local one = evaluated { data = numbers { groups = groups_of(5) }, splitter = "holdout" }
  lu.assertStrContains(one:interval { method = "clt" }[1].undefined,
    "the method needs 10; use several splits and method = \"corrected_t\"")
end

-- What is refused of an interval of numbers.
local function refusal(changes, asked)
  local result = evaluated(changes)
  return fixtures.message(function() result:interval(asked) end)
end

function TestInterval:test_a_method_is_refused_where_it_is_not_valid_with_the_valid_way()
  local kfold, holdouts = cf.splitter("kfold", { folds = 5 }), cf.splitter("holdout", { repeats = 5 })
  local no_mean = "'rmse' is not a mean over rows; use "
  for _, case in ipairs {
    { { metrics = "rmse", splitter = kfold }, "clt", no_mean .. "method = \"corrected_t\"" },
    { { metrics = "rmse", splitter = kfold }, "nested", no_mean .. "method = \"corrected_t\"" },
    { { metrics = "rmse", splitter = "holdout" }, "clt", no_mean .. "several splits, and method = \"corrected_t\"" },
    { { splitter = holdouts }, "clt", "5 random splits test the same rows in different company, so the rows are not "
      .. "a sample; use method = \"corrected_t\", or a splitter \"kfold\"" },
    { { splitter = holdouts }, "nested", "it needs 3 or more folds, these are 5 random splits; use a splitter "
      .. "\"kfold\"" },
    { { splitter = kfold }, "conservative_z", "it needs random splits, these are 5 folds; use "
      .. "cf.splitter(\"holdout\", { test_share = 0.1, repeats = 15 })" },
    { { splitter = "holdout" }, "corrected_t", "one split has no spread; use several, as of \"kfold\", or method = "
      .. "\"clt\" for a mean over rows" },
    { { metrics = "rmse", splitter = "holdout" }, "corrected_t", "one split has no spread; use several, as of "
      .. "\"kfold\"" },
    { { splitter = "leave_one_out" }, "corrected_t", "each test set of leave-one-out is one row, and the training "
      .. "sets are nearly the same; use a splitter \"kfold\", or method = \"clt\" for a mean over rows" },
    { { splitter = cf.splitter("leave_p_out", { p = 2 }) }, "corrected_t", "435 sets of rows that overlap were not "
      .. "drawn at random; use a splitter \"kfold\", or \"holdout\" with repeats" },
    { { data = numbers { time = values }, splitter = kfold }, "clt", "rows in the order of time depend on each other, "
      .. "so neither rows nor splits are a sample; look at the scores of the test blocks one by one "
      .. "(result:scores())" },
    { { data = numbers { groups = groups_of(2) }, splitter = kfold }, "nested", "it takes rows for independent, and "
      .. "these come in groups; use method = \"clt\", which takes groups as a whole, or \"corrected_t\"" },
    { { data = numbers { groups = groups_of(7) }, splitter = blocks() }, "clt", "rows of one group are on both sides "
      .. "of a split, so the scores may be too good; use a splitter that keeps groups whole, such as \"kfold\"" },
    { { data = numbers { weights = values }, splitter = kfold }, "nested", "it counts rows alike, and these have "
      .. "weights; use method = \"clt\" or \"corrected_t\"" } } do
    lu.assertEquals(refusal(case[1], { method = case[2] }),
      ("interval: method = '%s' is not valid for 'mean' on 'numbers': %s"):format(case[2], case[3]))
  end
end

-- The default method of each design, for a mean over rows and for another metric; nil where there is none.
function TestInterval:test_the_default_method_is_chosen_by_design_and_metric()
  local groups, time = numbers { groups = groups_of(2) }, numbers { time = values }
  for _, case in ipairs {
    { cf.splitter("kfold", { folds = 5 }), "corrected_t", "corrected_t" },
    { cf.splitter("kfold", { folds = 5, repeats = 2 }) },
    { "leave_one_out" }, { "holdout" },
    { cf.splitter("holdout", { repeats = 5 }) },
    { cf.splitter("bootstrap", { repeats = 5 }), "corrected_t" },
    { cf.splitter("kfold", { folds = 5 }), "corrected_t", "corrected_t", data = groups },
    { cf.splitter("leave_one_group_out"), "corrected_t", "corrected_t", data = groups },
    { cf.splitter("kfold", { folds = 5 }), data = time }, { "time_series", data = time },
    { cf.splitter("kfold", { folds = 5, shuffle = false }) }, { blocks() },
    { cf.splitter("leave_p_out", { p = 2 }) } } do
    local result = evaluated { splitter = case[1], data = case.data, metrics = { "mse", "rmse" } }
    local rows = result:interval()
    lu.assertEquals({ rows[1].method, rows[2].method }, { case[2], case[3] }, rows[1].design)
    for _, row in ipairs(rows) do lu.assertEquals(row.low == nil, row.undefined ~= nil) end
  end
  lu.assertEquals(evaluated():interval()[1].sentence, "There is no interval of mse for 'mean' on 'numbers': nobody "
    .. "knows whether these splits were drawn at random; name a method if they were, as in result:interval{ method = "
    .. "\"corrected_t\" }.")
  lu.assertEquals(evaluated { splitter = cf.splitter("kfold", { folds = 5 }), keep = "none" }:interval()[1].method,
    "corrected_t")
end

function TestInterval:test_splits_that_test_rows_repeatedly_say_what_was_measured()
  for text, splitter in pairs { ["2 times 5 folds"] = cf.splitter("kfold", { folds = 5, repeats = 2 }),
    ["5 random splits"] = cf.splitter("holdout", { repeats = 5 }) } do
    local result = evaluated { splitter = splitter }
    local reason = result:interval()[1].undefined
    lu.assertStrContains(reason, ("an interval of %s, \"corrected_t\", was measured to hold "):format(text))
    local row = result:interval { method = "corrected_t" }[1]
    lu.assertTrue(row.low < row.high)
    lu.assertStrContains(reason, row.caution:match("measured to hold (.*)$"))
  end
end

function TestInterval:test_a_pooled_score_has_the_interval_of_its_mean_and_none_of_few_rows_of_a_class()
  local result = evaluated { metrics = { "r2", "rmse" }, splitter = cf.splitter("kfold", { folds = 5 }) }
  for m, row in ipairs(result:interval()) do
    lu.assertEquals(row.method, "corrected_t")
    lu.assertAlmostEquals(row.mean, result:summary()[m].mean, 1e-12)
    lu.assertTrue(row.low < row.mean and row.mean < row.high)
  end
  local few = cf.evaluate { data = nearly_separable(40, 8), learners = "naive_bayes",
    metrics = { "f1_macro", "roc_auc" }, keep = "probabilities", seed = 1,
    splitter = cf.splitter("kfold", { folds = 10, stratify = true }) }
  lu.assertEquals(few:interval()[1].undefined, "test sets with 2.0 rows of the rarest class are too few for an "
    .. "interval of 'f1{average=macro}'; use larger folds, or ask for method = \"corrected_t\"")
end

function TestInterval:test_no_method_is_named_as_a_way_out_that_is_not_valid()
  local row = evaluated { metrics = "rmse", splitter = "holdout" }:interval()[1]
  lu.assertEquals(row.undefined,
    "'rmse' is not a mean over rows, and one split has no spread; use several, as of \"kfold\"")
end

-- The variance with n - 1 and the quantile of t, by R: qt(0.975, 9) = 2.2621571627982049. Not by default of so few.
function TestInterval:test_scores_of_one_small_test_set_have_the_t_interval()
  local result = evaluated { splitter = cf.splitter("holdout", { test_share = 1 / 3 }) }
  local sum, scores = 0, {}
  for i, row in ipairs(result:predictions()) do
    scores[i] = (row.truth - row.predicted) ^ 2
    sum = sum + scores[i]
  end
  local squares = 0
  for _, x in ipairs(scores) do squares = squares + (x - sum / 10) ^ 2 end
  local row, se = result:interval { method = "clt", bounds = "wald" }[1], math.sqrt(squares / 9 / 10)
  shows(row, { method = "clt", mean = sum / 10, se = se, n = 10, high = sum / 10 + 2.2621571627982049 * se,
    caution = "with fewer than 200 test rows it is rather too narrow" })
  lu.assertEquals(result:interval()[1].undefined, "10 test rows are too few for a mean of scores that may be skewed; "
    .. "use 200 or more, or cf.splitter(\"kfold\", { folds = 10 })")
end

function TestInterval:test_right_or_wrong_in_one_test_set_is_a_share_with_the_interval_of_wilson()
  local result = cf.evaluate { data = fixtures.iris(), learners = cf.learner("decision_tree", { max_depth = 1 }),
    metrics = "accuracy", splitter = "holdout", seed = 4 }
  local row = result:interval()[1]
  local wilson = cf.stats.accuracy_interval { correct = math.floor(row.n * row.mean + 0.5), n = row.n }
  shows(row, { method = "clt", low = wilson.low, high = wilson.high })
  lu.assertNil(row.caution)
end

-- A metric that has a value in the first `defined` of its splits.
local function sometimes(defined)
  local calls = 0
  return cf.metric { name = "sometimes", direction = "lower", score = function(truth, predicted)
    calls = calls + 1
    if calls <= defined then return math.abs(truth[1] - predicted[1]) end
  end }
end

function TestInterval:test_splits_without_a_score_are_told_and_most_must_have_one()
  local function row_with(defined)
    return evaluated { metrics = sometimes(defined), workers = 1, splitter = cf.splitter("kfold", { folds = 10 }) }
      :interval { method = "corrected_t" }[1]
  end
  lu.assertEquals(row_with(10).caution, nil)
  lu.assertEquals(row_with(9).caution, "1 of 10 splits has no score, so it is for the others only")
  local half = row_with(5)
  lu.assertEquals({ half.n, half.caution }, { 5, "5 of 10 splits have no score, so it is for the others only" })
  lu.assertStrContains(half.sentence, "Caution: 5 of 10 splits have no score, so it is for the others only.")
  local less = row_with(4)
  lu.assertEquals({ less.low, less.undefined }, { nil, "only 4 of 10 splits have a score, and those that have none "
    .. "may be different" })
end

function TestInterval:test_print_shows_the_interval_and_what_it_is_for()
  local result = evaluated { splitter = cf.splitter("kfold", { folds = 5 }), metrics = "mse" }
  local row = result:interval()[1]
  local number = function(x) return cf.format_number(x, 4) end
  local text = tostring(result)
  lu.assertStrContains(text, ("learner  metric    mean     low    high     min     max  folds"))
  lu.assertStrContains(text, ("%s  %s  %s"):format(number(result:summary()[1].mean), number(row.low), number(row.high)))
  lu.assertStrContains(text, "(low to high: 95 % interval of mse for the procedure, corrected_t; result:interval() "
    .. "says what it covers)")
  lu.assertEquals(row.sentence, ("On new rows 'mean' fitted on 24 rows like those of 'numbers' has a mean mse of %s ("
    .. "95 %% interval %s to %s; corrected_t over 5 splits). The interval is for the procedure: it allows for other "
    .. "training rows, too."):format(number(row.mean), number(row.low), number(row.high)))
  lu.assertStrContains(tostring(result:interval()), row.sentence)
end

function TestInterval:test_a_stored_result_has_the_same_intervals_and_no_learner_to_fit()
  local path = fixtures.new_store()
  local result = cf.evaluate { data = fixtures.iris(), learners = "naive_bayes", metrics = { "accuracy", "f1_macro" },
    splitter = cf.splitter("kfold", { folds = 5 }), store = path }
  local stored = cf.stored { store = path }.results[1]
  lu.assertEquals(bits(stored:interval()), bits(result:interval()))
  lu.assertEquals(fixtures.message(function() stored:interval { metric = "accuracy", method = "nested" } end),
    "interval: method = 'nested' is not valid for 'naive_bayes' on 'iris': it fits the learner again, and a stored "
    .. "result has none; run cf.evaluate with the same store, which finds the folds, and ask its result")
  fixtures.remove_store(path)
end

function TestInterval:test_the_variance_within_folds_is_refused_where_there_is_none()
  lu.assertEquals(refusal({ splitter = "leave_one_out" }, { method = "clt", variance = "within" }),
    "interval: method = 'clt' is not valid for 'mean' on 'numbers': variance = \"within\" needs several folds of "
    .. "several rows, these are leave-one-out; use variance = \"out\"")
end

function TestInterval:test_options_are_checked()
  lu.assertEquals(refusal(nil, { confidence = 95 }), "interval: confidence = 95 is outside (0, 1); use 0.95")
  lu.assertEquals(refusal(nil, { method = "conservative_z", pairs = 9 }),
    "interval: pairs = 9 is too few for a standard error; use 10 or more")
  lu.assertEquals(refusal(nil, { metric = "mae" }), "interval: the result has no metric 'mae'; did you mean 'mse'? "
    .. "known: mse")
  lu.assertEquals(refusal(nil, { learner = "maen" }), "interval: the result has no learner 'maen'; did you mean "
    .. "'mean'? known: mean")
end
