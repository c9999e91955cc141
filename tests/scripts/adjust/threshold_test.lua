-- cf.threshold and cf.minimum_cost. The best threshold of some rows is tested in tests/unit/score;
-- here it is that the rows are out-of-fold ones of the training rows, and what becomes of it.
local lu = require "luaunit"
local cf = require "crossfold"
local adjust_data = require "adjust_data"
local fixtures = require "fixtures"

local noisy = adjust_data.noisy

local function with_threshold(options, learner)
  return cf.pipeline { learner or "naive_bayes", cf.threshold(options or { metric = "f1" }) }
end

local function folds(n) return cf.splitter("kfold", { folds = n, stratify = true }) end

-- 8 groups of 5 rows, each of one class: no division of the groups gives every fold both classes.
local function groups_of_one_class()
  local x, y, g = {}, {}, {}
  for i = 1, 40 do
    g[i] = (i - 1) // 5 + 1
    y[i] = g[i] % 2 == 0 and "yes" or "no"
    x[i] = (y[i] == "yes" and 1 or 0) + (i * 7) % 10 / 4
  end
  return cf.dataset { name = "herds", target = "y", groups = "g",
    columns = { { name = "x", values = x }, { name = "y", values = y }, { name = "g", values = g } } }
end

-- What each threshold between two scores, and beyond them, is worth by `value`(tp, fp, tn, fn).
local function best_of(rows, value)
  local candidates, best = { -math.huge, math.huge }, nil
  for _, row in ipairs(rows) do candidates[#candidates + 1] = row.p end
  for _, t in ipairs(candidates) do
    local n = { [true] = { [true] = 0, [false] = 0 }, [false] = { [true] = 0, [false] = 0 } }
    for _, row in ipairs(rows) do
      local called = row.p >= t
      n[row.yes][called] = n[row.yes][called] + 1
    end
    local worth = value(n[true][true], n[false][true], n[false][false], n[true][false])
    if worth == worth and (best == nil or worth > best) then best = worth end
  end
  return best
end

local formulas = {
  f1 = function(tp, fp, _, fn) return 2 * tp / (2 * tp + fp + fn) end,
  accuracy = function(tp, fp, tn, fn) return (tp + tn) / (tp + fp + tn + fn) end,
  balanced_accuracy = function(tp, fp, tn, fn) return (tp / (tp + fn) + tn / (tn + fp)) / 2 end,
  youden = function(tp, fp, tn, fn) return tp / (tp + fn) + tn / (tn + fp) - 1 end,
  mcc = function(tp, fp, tn, fn)
    return (tp * tn - fp * fn) / math.sqrt((tp + fp) * (tp + fn) * (tn + fp) * (tn + fn))
  end,
}

TestThreshold = {}

function TestThreshold:test_the_default_folds_take_groups_of_one_class()
  local data = groups_of_one_class()
  for _, step in ipairs { cf.threshold { metric = "accuracy" }, cf.minimum_cost { costs = { { 0, 1 }, { 5, 0 } } } } do
    local model = cf.pipeline { "naive_bayes", step }:fit(data, { seed = 1 })
    lu.assertEquals(#model:predict(data):labels(), 40)
  end
  local calibrated = cf.pipeline { "naive_bayes", cf.calibration { method = "platt" } }:fit(data, { seed = 1 })
  lu.assertEquals(#calibrated:predict(data):probabilities(), 40)
end

function TestThreshold:test_it_is_the_best_on_the_out_of_fold_probabilities()
  local data = noisy(90)
  local rows = adjust_data.out_of_fold(cf.learner("naive_bayes"), data, 6)
  for metric, formula in pairs(formulas) do
    local detail = with_threshold({ metric = metric }):fit(data, { seed = 6 }).detail
    lu.assertEquals({ detail.metric, detail.positive }, { metric, "yes" })
    lu.assertAlmostEquals(detail.value, best_of(rows, formula), 1e-12)
    lu.assertAlmostEquals(detail.value, formula(detail.tp, detail.fp, detail.tn, detail.fn), 1e-12)
    local tp = 0
    for _, row in ipairs(rows) do
      if row.yes and row.p >= detail.threshold then tp = tp + 1 end
    end
    lu.assertEquals(detail.tp, tp)
  end
end

function TestThreshold:test_a_cost_matrix_is_the_mean_cost_and_is_minimised()
  local data = noisy(90)
  local rows = adjust_data.out_of_fold(cf.learner("naive_bayes"), data, 6)
  local detail = with_threshold({ costs = { { 0, 1 }, { 5, 0 } } }):fit(data, { seed = 6 }).detail
  lu.assertEquals(detail.metric, "cost")
  lu.assertAlmostEquals(detail.value,
    -best_of(rows, function(_, fp, _, fn) return -(fp + 5 * fn) / 90 end), 1e-12)
  local from_data = with_threshold({ costs = "data" })
    :fit(noisy(90, { costs = { yes = { no = 5 }, no = { yes = 1 } } }), { seed = 6 }).detail
  lu.assertEquals(from_data, detail)
end

function TestThreshold:test_the_positive_class_can_be_the_first()
  local data, costs = noisy(90), { { 0, 1 }, { 5, 0 } }
  local second = with_threshold({ costs = costs }):fit(data, { seed = 6 })
  local first = with_threshold({ costs = costs, positive = "no" }):fit(data, { seed = 6 })
  lu.assertEquals(first.detail.positive, "no")
  lu.assertEquals(first.detail.value, second.detail.value)  -- the same matrix, the same decisions
  lu.assertAlmostEquals(first.detail.threshold, 1 - second.detail.threshold, 0.05)
  local p = first:predict(data)
  for i, row in ipairs(p:probabilities()) do
    lu.assertEquals(p:labels()[i], row[1] >= first.detail.threshold and "no" or "yes")
  end
end

function TestThreshold:test_the_probabilities_stay_those_of_the_learner()
  local data = noisy(60)
  local p = with_threshold():fit(data):predict(data)
  lu.assertEquals(p:probabilities(),
    cf.learner("naive_bayes"):fit(data):predict(data):probabilities())
end

function TestThreshold:test_behind_a_calibration_every_inner_fold_calibrates_for_itself()
  local data, seen = noisy(90), 0
  local counted = cf.learner { name = "counted",
    fit = function(train, context)
      seen = seen + 1
      return cf.learner("naive_bayes"):fit(train, { seed = context.seed })
    end,
    predict = function(model, rows) return model:predict(rows) end }
  local calibrate = cf.calibration { method = "platt", splitter = folds(3) }
  local model = cf.pipeline { counted, calibrate, cf.threshold { metric = "f1", splitter = folds(4) } }
    :fit(data, { seed = 2 })
  lu.assertEquals(seen, 4 * (3 + 1) + 3 + 1)
  lu.assertEquals(model.detail.learner.calibration, "platt")
  local calibrated = cf.pipeline { "naive_bayes", calibrate }
  local splits = cf.split(folds(4), data, { seed = 2 })
  lu.assertEquals(#splits, 4)
  lu.assertTrue(calibrated:fit(splits:train(1)):predict(splits:test(1)):probabilities() ~= nil)
  lu.assertTrue(model.detail.threshold > 0 and model.detail.threshold < 1)
end

function TestThreshold:test_targets_of_test_rows_do_not_reach_the_choice()
  local outer, target = {}, {}
  for i = 1, 90 do outer[i], target[i] = (i - 1) % 2 + 1, i % 3 == 0 and "yes" or "no" end
  local function tuned(targets)
    return cf.evaluate { data = noisy(90, { target = targets }), metrics = "accuracy", seed = 3,
      learners = { t = with_threshold() }, splitter = cf.splitter("predefined", { list = outer }) }
      :tuning("t")
  end
  local before = tuned(target)
  for i = 1, 90, 2 do target[i] = target[i] == "yes" and "no" or "yes" end  -- tested in fold 1
  local after = tuned(target)
  for _, name in ipairs { "threshold", "value", "tp", "fp", "tn", "fn" } do
    lu.assertEquals(after[1][name], before[1][name])
  end
  lu.assertNotEquals(after[2].value, before[2].value)
end

local function search()
  return cf.grid_search { learner = "knn", grid = { k = { 3, 9 } }, metric = "log_loss",
    splitter = folds(3) }
end

function TestThreshold:test_tuning_tells_the_threshold_of_every_outer_fold()
  local result = cf.evaluate { data = noisy(90), metrics = "accuracy", seed = 3, splitter = folds(3),
    learners = { t = with_threshold(), s = with_threshold({ metric = "mcc" }, search()),
      plain = "naive_bayes" } }
  local rows = result:tuning("t")
  lu.assertEquals(#rows, 3)
  for f, row in ipairs(rows) do
    lu.assertEquals({ row.repeat_, row.fold, row.metric, row.positive }, { 1, f, "f1", "yes" })
    lu.assertEquals(row.tp + row.fp + row.tn + row.fn, 60)
    lu.assertEquals(row.value, formulas.f1(row.tp, row.fp, row.tn, row.fn))
  end
  local lines = tostring(rows)
  lu.assertEquals(lines:match("^[^\n]*"), "repeat  fold  threshold  inner f1")
  lu.assertStrContains(lines, cf.format_number(rows[2].threshold, 4))
  lu.assertEquals(tostring(result:tuning("s")):match("^[^\n]*"):gsub(" +", " "),
    "repeat fold chosen threshold inner mcc")
  lu.assertEquals(fixtures.message(result.tuning, result, "plain"),
    "tuning: learner 'plain' chooses nothing, or failed in every fold")
end

-- One neighbour is right or wrong: its probabilities are 0 and 1, and every threshold between is the same.
function TestThreshold:test_labels_in_the_guise_of_probabilities_are_warned_about()
  local function evaluated(learner)
    return cf.evaluate { data = noisy(60), learners = { it = with_threshold({ metric = "f1" }, learner) },
      splitter = folds(3), metrics = "accuracy", seed = 1 }
  end
  local warned = evaluated(cf.learner("knn", { k = 1 }))
  local rows = warned:warnings()
  lu.assertEquals(#rows, 3)
  lu.assertEquals(rows[1].message, "the probabilities of 'knn{k=1}' are all 0 or 1, so a threshold "
    .. "between them changes no decision; take a learner with others (libsvm has them with probability = true)")
  lu.assertStrContains(tostring(warned), "3 warnings; the first: it, repeat 1, fold 1: the probabilities of")
  lu.assertEquals(evaluated("naive_bayes"):warnings(), {})
end

function TestThreshold:test_any_learner_can_stand_in_front_and_it_can_stand_anywhere()
  local result = cf.evaluate { data = noisy(90), metrics = "accuracy", seed = 5, splitter = folds(3),
    learners = {
      votes = with_threshold(nil, cf.voting { learners = { "knn", "naive_bayes" } }),
      pipeline = cf.pipeline { "standardize", "knn", cf.threshold { metric = "youden" } },
      voting = cf.voting { learners = { with_threshold(), "knn" } },
      bagging = cf.bagging { learner = with_threshold(), n = 3, replace = false, rows = 0.7 },
      stacking = cf.stacking { learners = { with_threshold(), "knn" }, splitter = folds(3),
        combiner = cf.pipeline { "naive_bayes", cf.minimum_cost { costs = { { 0, 1 }, { 2, 0 } } } } },
    } }
  lu.assertEquals(tostring(result:failures()[1] and result:failures()[1].message), "nil")
end

function TestThreshold:test_the_workers_change_no_bit()
  local function run(workers)
    return cf.evaluate { data = noisy(90), metrics = "accuracy", seed = 5, splitter = folds(3),
      learners = { a = with_threshold(), b = with_threshold({ metric = "mcc" }, search()) },
      workers = workers }
  end
  local one, four = run(1), run(4)
  lu.assertEquals(#one:failures(), 0)
  lu.assertEquals(adjust_data.bytes(four), adjust_data.bytes(one))
  for f, row in ipairs(one:tuning("b")) do
    lu.assertEquals(four:tuning("b")[f].threshold, row.threshold)
  end
end

function TestThreshold:test_a_loaded_model_predicts_the_same()
  local data = noisy(60)
  local calibrate = cf.calibration { method = "isotonic" }
  adjust_data.check_saved(with_threshold():fit(data), data)
  adjust_data.check_saved(with_threshold({ metric = "f1", positive = "no" }, search()):fit(data), data)
  adjust_data.check_saved(
    cf.pipeline { "naive_bayes", calibrate, cf.threshold { metric = "mcc" } }:fit(data), data)
  -- Calling a row positive costs nothing: the threshold is -infinity.
  local always = with_threshold { costs = { { 1, 0 }, { 1, 0 } } }:fit(data)
  lu.assertEquals(always.detail.threshold, -math.huge)
  adjust_data.check_saved(always, data)
end

function TestThreshold:test_one_class_alone_has_no_threshold_and_the_fold_fails()
  local outer = cf.splitter { name = "mine", split = function(input)
    local list = {}
    for i, label in ipairs(input.labels) do list[i] = label == "yes" and 1 or 2 - i % 2 end
    return { folds = list }
  end }
  local result = cf.evaluate { data = noisy(60), learners = { t = with_threshold() },
    splitter = outer, metrics = "accuracy" }
  local rows = result:tuning("t")
  lu.assertEquals(rows[1].failure, "fit t: " .. result:failures()[1].message)
  lu.assertStrContains(rows[1].failure,
    "threshold: class 'yes' has no row in the training rows of 'noisy', so nothing can be learned")
  lu.assertNil(rows[2].failure)
  lu.assertEquals(result:summary()[1].defined, 1)
end

function TestThreshold:test_bad_options_are_refused()
  local function message(given) return fixtures.message(cf.threshold, given) end
  lu.assertEquals(message {}, "threshold: give one of the options metric, costs")
  lu.assertEquals(message { metric = "f1", costs = "data" },
    "threshold: options 'metric' and 'costs' exclude each other; give one")
  lu.assertEquals(message { metric = "f2" }, "threshold: there is no metric 'f2' to choose by; did "
    .. "you mean 'f1'? known: accuracy, balanced_accuracy, f1, mcc, youden")
  lu.assertEquals(message { costs = "mine" }, "threshold: costs = 'mine' is not a matrix; give "
    .. "{{0, 1}, {5, 0}}, or \"data\" for that of the dataset")
end

function TestThreshold:test_what_cannot_work_is_refused_before_anything_runs()
  local function message(options, data, learner)
    return fixtures.message(cf.evaluate, { data = data, metrics = "accuracy", splitter = folds(2),
      learners = { t = with_threshold(options, learner) } })
  end
  lu.assertEquals(message({ metric = "f1" }, fixtures.iris()), "threshold: 'iris' has 3 classes "
    .. "(setosa, versicolor, virginica), a threshold separates two; use cf.minimum_cost")
  lu.assertEquals(message({ metric = "f1", positive = "yess" }, noisy(30)),
    "threshold: there is no class 'yess'; did you mean 'yes'? known: no, yes")
  lu.assertEquals(message({ costs = "data" }, noisy(30)), "threshold: dataset 'noisy' has no cost "
    .. "matrix; give costs = {{0, 1}, {5, 0}} here or when it is read")
  lu.assertEquals(message({ metric = "f1" }, noisy(30), "ridge"),
    "threshold: learner 'ridge' gives no probabilities; use one that does")
end

TestPipelineSteps = {}

function TestPipelineSteps:test_the_order_of_the_steps_is_checked()
  local f1, platt = cf.threshold { metric = "f1" }, cf.calibration { method = "platt" }
  local function message(...) return fixtures.message(cf.pipeline, { ... }) end
  lu.assertEquals(message(f1),
    "pipeline: 'threshold{f1}' adjusts what a learner predicts; put one before it")
  lu.assertEquals(message("naive_bayes", platt, "standardize"), "pipeline: step 3 comes after "
    .. "'calibration{platt}', which adjusts predictions; put it before the learner")
  lu.assertEquals(message("naive_bayes", f1, platt), "pipeline: 'calibration{platt}' comes after "
    .. "'threshold{f1}', which has decided already; leave one out")
  lu.assertEquals(message("naive_bayes", cf.minimum_cost(), f1),
    "pipeline: 'threshold{f1}' comes after 'minimum_cost', which has decided already; leave one out")
  lu.assertEquals(tostring(cf.pipeline { "standardize", search(), f1 }),
    "grid_search{standardize|knn, 2 candidates}|threshold{f1}")
end

function TestPipelineSteps:test_a_search_stands_before_or_around_them()
  local around = cf.grid_search { learner = with_threshold(), grid = { laplace = { 0, 1 } }, metric = "accuracy",
    splitter = folds(2) }
  lu.assertEquals(tostring(around), "grid_search{naive_bayes|threshold{f1}, 2 candidates}")
end

function TestPipelineSteps:test_names_show_all_steps()
  lu.assertEquals(tostring(cf.pipeline { "standardize", "knn", cf.calibration { method = "platt" },
    cf.threshold { metric = "f1" } }), "standardize|knn|calibration{platt}|threshold{f1}")
  lu.assertEquals(tostring(cf.pipeline { "naive_bayes", cf.minimum_cost {} }),
    "naive_bayes|minimum_cost")
end

function TestPipelineSteps:test_a_step_can_be_used_twice()
  local platt = cf.calibration { method = "platt" }
  local a, b = cf.pipeline { "knn", platt }, cf.pipeline { "naive_bayes", platt }
  lu.assertEquals({ tostring(a), tostring(b) },
    { "knn|calibration{platt}", "naive_bayes|calibration{platt}" })
end

TestMinimumCost = {}

-- A learner that gives every row the same probabilities.
local function constant(p)
  return cf.learner { name = "constant", fit = function() end, predict = function(_, rows)
    local list = {}
    for i = 1, #rows do list[i] = p end
    return { probabilities = list }
  end }
end

local function decided(p, costs, data)
  data = data or fixtures.separable()
  return cf.pipeline { constant(p), cf.minimum_cost { costs = costs } }:fit(data):predict(data)
    :labels()[1]
end

-- Classes of `separable`: high, low. Missing a low costs 5, so it is called from 1/6 on.
function TestMinimumCost:test_the_border_is_where_the_costs_put_it()
  local costs = { { 0, 1 }, { 5, 0 } }
  lu.assertEquals(decided({ 0.84, 0.16 }, costs), "high")
  lu.assertEquals(decided({ 0.83, 0.17 }, costs), "low")
  lu.assertEquals(decided({ 0.83, 0.17 }, { low = { high = 5 }, high = { low = 1 } }), "low")
end

function TestMinimumCost:test_equal_costs_go_to_the_lower_class_index()
  lu.assertEquals(decided({ 0.5, 0.5 }, { { 0, 1 }, { 1, 0 } }), "high")
  lu.assertEquals(decided({ 0.2, 0.8 }, { { 1, 1 }, { 1, 1 } }), "high")
end

function TestMinimumCost:test_three_classes_take_the_least_expected_cost()
  local iris, costs = fixtures.iris(), { { 0, 3, 1 }, { 2, 0, 4 }, { 7, 1, 0 } }
  local p = cf.pipeline { "knn", cf.minimum_cost { costs = costs } }:fit(iris):predict(iris)
  for i, row in ipairs(p:probabilities()) do
    local best, least
    for decision = 1, 3 do
      local cost = 0
      for truth = 1, 3 do cost = cost + row[truth] * costs[truth][decision] end
      if least == nil or cost < least then best, least = decision, cost end
    end
    lu.assertEquals(p:labels()[i], p:classes()[best])
  end
end

function TestMinimumCost:test_without_costs_those_of_the_training_data_are_meant_and_kept()
  local costs = { { 0, 1 }, { 20, 0 } }
  local data, plain = noisy(60, { costs = costs }), noisy(60)
  local model = cf.pipeline { "naive_bayes", cf.minimum_cost() }:fit(data)
  local given = cf.pipeline { "naive_bayes", cf.minimum_cost { costs = costs } }:fit(plain)
  lu.assertEquals(model:predict(plain):labels(), given:predict(plain):labels())
  adjust_data.check_saved(model, plain)
  lu.assertEquals(fixtures.message(function()
    cf.pipeline { "naive_bayes", cf.minimum_cost() }:fit(plain)
  end), "minimum_cost: dataset 'noisy' has no cost matrix; give costs = {{0, 1}, {5, 0}} here or when "
    .. "it is read")
end

function TestMinimumCost:test_a_matrix_of_another_size_is_refused_before_anything_runs()
  local message = fixtures.message(cf.evaluate, { data = fixtures.iris(), metrics = "accuracy",
    splitter = folds(2),
    learners = { m = cf.pipeline { "knn", cf.minimum_cost { costs = { { 0, 1 }, { 5, 0 } } } } } })
  lu.assertStrContains(message, "cost")
  lu.assertStrContains(message, "3")
end
