-- cf.calibration. The formulas themselves are tested in tests/unit/stats; here it is that they meet
-- out-of-fold probabilities of the training rows, computed again in another way.
local lu = require "luaunit"
local cf = require "crossfold"
local adjust_data = require "adjust_data"
local fixtures = require "fixtures"

local noisy = adjust_data.noisy

local function calibrated(options, learner)
  options = options or {}
  options.method = options.method or "platt"
  return cf.pipeline { learner or "naive_bayes", cf.calibration(options) }
end

local function log_odds(p)
  p = math.min(math.max(p, 2^-50), 1 - 2^-50)
  return math.log(p / (1 - p))
end

local function sigmoid(x) return 1 / (1 + math.exp(-x)) end

TestCalibration = {}

function TestCalibration:test_platt_is_the_minimum_on_the_out_of_fold_log_odds()
  local data = noisy(90)
  local maps = calibrated():fit(data, { seed = 4 }).detail.maps[1]
  local rows = adjust_data.out_of_fold(cf.learner("naive_bayes"), data, 4)
  -- The derivatives of the cross entropy vanish; 30 positive rows and 60 negative ones.
  local by_slope, by_intercept = 0, 0
  for _, row in ipairs(rows) do
    local target = row.yes and 31 / 32 or 1 / 62
    local residual = sigmoid(maps.slope[1] * log_odds(row.p) + maps.intercept[1]) - target
    by_slope, by_intercept = by_slope + residual * log_odds(row.p), by_intercept + residual
  end
  lu.assertEquals(#rows, 90)
  lu.assertAlmostEquals(by_slope, 0, 1e-9)
  lu.assertAlmostEquals(by_intercept, 0, 1e-9)
end

function TestCalibration:test_platt_maps_the_probabilities_of_the_learner_fitted_on_all_rows()
  local data = noisy(90)
  local model = calibrated():fit(data, { seed = 4 })
  local maps = model.detail.maps[1]
  local plain = cf.learner("naive_bayes"):fit(data):predict(data):probabilities()
  for i, row in ipairs(model:predict(data):probabilities()) do
    lu.assertAlmostEquals(row[2], sigmoid(maps.slope[1] * log_odds(plain[i][2]) + maps.intercept[1]),
      1e-12)
    lu.assertEquals(row[1], 1 - row[2])
  end
end

function TestCalibration:test_isotonic_keeps_the_order_and_gives_the_most_probable_class()
  local data = noisy(120)
  local p = calibrated { method = "isotonic" }:fit(data, { seed = 1 }):predict(data)
  local plain = cf.learner("naive_bayes"):fit(data):predict(data):probabilities()
  local order = {}
  for i = 1, #data do order[i] = i end
  table.sort(order, function(a, b) return plain[a][2] < plain[b][2] end)
  local probabilities, labels = p:probabilities(), p:labels()
  for k = 2, #order do
    lu.assertTrue(probabilities[order[k]][2] >= probabilities[order[k - 1]][2])
  end
  for i, row in ipairs(probabilities) do
    lu.assertEquals(labels[i], row[2] > row[1] and "yes" or "no")
  end
end

function TestCalibration:test_an_ensemble_is_the_mean_of_one_learner_and_map_a_fold()
  local data = noisy(60)
  local inner = cf.splitter("kfold", { folds = 3, stratify = true })
  local model = calibrated { ensemble = true, splitter = inner }:fit(data, { seed = 8 })
  local splits = cf.split(inner, data, { seed = 8 })
  local sums = {}
  for s = 1, 3 do
    local maps = model.detail.maps[s]
    local p = cf.learner("naive_bayes"):fit(splits:train(s)):predict(data):probabilities()
    for i, row in ipairs(p) do
      sums[i] = (sums[i] or 0) + sigmoid(maps.slope[1] * log_odds(row[2]) + maps.intercept[1])
    end
  end
  for i, row in ipairs(model:predict(data):probabilities()) do
    lu.assertAlmostEquals(row[2], sums[i] / 3, 1e-12)
  end
end

function TestCalibration:test_three_classes_sum_to_one_and_stay_accurate()
  for _, method in ipairs { "platt", "isotonic" } do
    local result = cf.evaluate { data = fixtures.iris(), metrics = "accuracy", keep = "probabilities",
      learners = { c = calibrated { method = method } },
      splitter = cf.splitter("kfold", { folds = 3, stratify = true }) }
    lu.assertTrue(result:summary()[1].mean > 0.9)
    for _, row in ipairs(result:predictions()) do
      local p = row.probabilities
      lu.assertAlmostEquals(p[1] + p[2] + p[3], 1, 1e-12)
    end
    lu.assertEquals(#result:tuning("c")[1].maps[1][method == "platt" and "slope" or "sizes"], 3)
  end
end

function TestCalibration:test_it_repairs_the_probabilities_of_naive_bayes()
  local data = cf.read(fixtures.folder .. "/breast_cancer.csv", { target = "class" })
  local result = cf.evaluate { data = data, metrics = { "log_loss", "brier" }, seed = 1,
    learners = { plain = "naive_bayes", platt = calibrated() },
    splitter = cf.splitter("kfold", { folds = 5, stratify = true }) }
  local mean = {}
  for _, row in ipairs(result:summary()) do mean[row.learner .. " " .. row.metric] = row.mean end
  lu.assertTrue(mean["platt log_loss"] < mean["plain log_loss"] / 2)
  lu.assertTrue(mean["platt brier"] < 0.8 * mean["plain brier"])
end

function TestCalibration:test_row_weights_count()
  local weighted = calibrated():fit(noisy(90, { weights = true }), { seed = 2 }).detail.maps[1]
  local plain = calibrated():fit(noisy(90), { seed = 2 }).detail.maps[1]
  lu.assertNotEquals(weighted.slope[1], plain.slope[1])
end

function TestCalibration:test_targets_of_test_rows_do_not_reach_the_maps()
  local outer, target = {}, {}
  for i = 1, 90 do outer[i], target[i] = (i - 1) % 2 + 1, i % 3 == 0 and "yes" or "no" end
  local function maps()
    return cf.evaluate { data = noisy(90, { target = target }), metrics = "accuracy", seed = 3,
      learners = { c = calibrated { method = "isotonic" } },
      splitter = cf.splitter("predefined", { list = outer }) }:tuning("c")
  end
  local before = maps()
  for i = 1, 90, 2 do target[i] = target[i] == "yes" and "no" or "yes" end  -- tested in fold 1
  local after = maps()
  lu.assertEquals(after[1].maps, before[1].maps)
  lu.assertNotEquals(after[2].maps, before[2].maps)
end

-- naive_bayes in Lua, which notes the groups of its training and its test rows.
local function watcher(data, seen)
  local group = data:column("g")
  return cf.learner { name = "watcher",
    fit = function(train, context)
      local state = { groups = {}, n = #train,
        model = cf.learner("naive_bayes"):fit(train, { seed = context.seed }) }
      for _, row in ipairs(train:row_ids()) do state.groups[group[row]] = true end
      return state
    end,
    predict = function(state, rows)
      seen[#seen + 1] = { state = state, rows = rows:row_ids() }
      return state.model:predict(rows)
    end }
end

function TestCalibration:test_groups_stay_together_in_the_inner_folds()
  local data, seen = noisy(60, { groups = true }), {}
  calibrated({}, watcher(data, seen)):fit(data, { seed = 3 })
  lu.assertEquals(#seen, 5)
  local group = data:column("g")
  for _, part in ipairs(seen) do
    lu.assertEquals(part.state.n + #part.rows, 60)
    for _, row in ipairs(part.rows) do lu.assertNil(part.state.groups[group[row]]) end
  end
end

local function search()
  return cf.grid_search { learner = "knn", grid = { k = { 3, 9 } }, metric = "log_loss",
    splitter = cf.splitter("kfold", { folds = 3, stratify = true }) }
end

function TestCalibration:test_any_learner_can_stand_in_front_and_it_can_stand_anywhere()
  local data = noisy(90)
  local result = cf.evaluate { data = data, metrics = { "accuracy", "log_loss" }, seed = 5,
    splitter = cf.splitter("kfold", { folds = 3, stratify = true }),
    learners = {
      search = calibrated({}, search()),
      votes = calibrated({}, cf.voting { learners = { "knn", "naive_bayes" } }),
      pipeline = cf.pipeline { "standardize", "knn", cf.calibration { method = "platt" } },
      voting = cf.voting { learners = { calibrated(), "knn" }, vote = "probabilities" },
      bagging = cf.bagging { learner = calibrated(), n = 3, replace = false, rows = 0.7 },
      stacking = cf.stacking { learners = { calibrated(), "knn" }, combiner = calibrated(),
        splitter = cf.splitter("kfold", { folds = 3, stratify = true }) },
    } }
  lu.assertEquals(tostring(result:failures()[1] and result:failures()[1].message), "nil")
  for _, row in ipairs(result:summary()) do lu.assertEquals(row.defined, 3) end
  lu.assertStrContains(result:tuning("search")[1].learner.candidate, "knn{k=")
  lu.assertStrContains(tostring(result:tuning("search")), "repeat  fold  chosen")
end

function TestCalibration:test_the_workers_change_no_bit()
  local function run(workers)
    return cf.evaluate { data = noisy(90), metrics = { "accuracy", "log_loss" }, seed = 5,
      splitter = cf.splitter("kfold", { folds = 3, stratify = true }), workers = workers,
      learners = { a = calibrated(), b = calibrated { ensemble = true, method = "isotonic" },
        c = calibrated({}, search()) } }
  end
  local one = run(1)
  lu.assertEquals(#one:failures(), 0)
  lu.assertEquals(adjust_data.bytes(run(4)), adjust_data.bytes(one))
end

function TestCalibration:test_a_loaded_model_predicts_the_same()
  local data = noisy(60)
  for _, method in ipairs { "platt", "isotonic" } do
    for _, ensemble in ipairs { false, true } do
      local learner = calibrated { method = method, ensemble = ensemble }
      adjust_data.check_saved(learner:fit(data, { seed = 2 }), data)
    end
    adjust_data.check_saved(calibrated { method = method }:fit(fixtures.iris()), fixtures.iris())
  end
  adjust_data.check_saved(calibrated({}, search()):fit(data), data)
  adjust_data.check_saved(cf.voting { learners = { calibrated(), "knn" } }:fit(data), data)
end

function TestCalibration:test_the_name_tells_an_ensemble()
  lu.assertEquals(tostring(calibrated { ensemble = true }), "naive_bayes|calibration{platt, ensemble}")
end

function TestCalibration:test_provenance_names_the_plugin_inside()
  local result = cf.evaluate { data = noisy(60), metrics = "accuracy", splitter =
    cf.splitter("kfold", { folds = 2 }), learners = { a = cf.pipeline { "knn",
      cf.calibration { method = "platt" }, cf.threshold { metric = "f1" } } } }
  local row = result:provenance().learners[1]
  lu.assertEquals(row.learner, "knn|calibration{platt}|threshold{f1}")
  lu.assertEquals(row.plugin, cf.evaluate { data = noisy(60), metrics = "accuracy", splitter =
    cf.splitter("kfold", { folds = 2 }), learners = { a = "knn" } }:provenance().learners[1].plugin)
  lu.assertNotNil(row.plugin)
end

function TestCalibration:test_rows_of_weight_zero_are_no_rows_of_their_class()
  local y, w, x = {}, {}, {}
  for i = 1, 20 do x[i], y[i], w[i] = i, i <= 10 and "a" or "b", i <= 10 and 1 or 0 end
  local data = cf.dataset { name = "zero", target = "y", weights = "w", columns = {
    { name = "x", values = x }, { name = "y", values = y }, { name = "w", values = w } } }
  lu.assertEquals(fixtures.message(function() calibrated({}, "featureless"):fit(data) end),
    "cannot calibrate 'featureless' on 'zero': for class 'b' there are no positive rows")
end

function TestCalibration:test_no_rows_give_an_empty_prediction()
  local data = noisy(60)
  lu.assertEquals(#calibrated():fit(data):predict(data:select {}), 0)
end

function TestCalibration:test_bad_options_are_refused()
  local function message(given) return fixtures.message(cf.calibration, given) end
  lu.assertEquals(message {}, "calibration: option 'method' is missing")
  lu.assertEquals(message { method = "beta" },
    "calibration: method = 'beta' is not one of platt, isotonic")
  lu.assertEquals(message { method = "platt", splitter = 5 },
    "calibration: option 'splitter': expected a splitter, got a number")
end

function TestCalibration:test_what_cannot_work_is_refused_before_anything_runs()
  local folds = cf.splitter("kfold", { folds = 2 })
  local function message(learner, data)
    return fixtures.message(cf.evaluate, { data = data, learners = { c = calibrated({}, learner) },
      splitter = folds, metrics = "accuracy" })
  end
  local line = cf.dataset { name = "line", target = "y", columns = {
    { name = "x", values = { 1, 2, 3, 4 } }, { name = "y", values = { 0.5, 1.5, 2.5, 3.5 } } } }
  lu.assertEquals(fixtures.message(function() calibrated({}, "ridge"):check(line) end),
    "calibration: the target of 'line' has numbers; it is for classes")
  lu.assertEquals(message("ridge", noisy(30)),
    "calibration: learner 'ridge' gives no probabilities; use one that does")
  local over_ridge = cf.grid_search { learner = "ridge", grid = { l2 = { 1, 2 } },
    metric = "accuracy", splitter = folds }
  lu.assertEquals(message(over_ridge, noisy(30)),
    "calibration: learner 'grid_search{ridge, 2 candidates}' gives no probabilities; use one that "
    .. "does")
end

function TestCalibration:test_a_learner_in_lua_without_probabilities_is_named()
  local labels = cf.learner { name = "labels", fit = function() end, predict = function(_, rows)
    local list = {}
    for i = 1, #rows do list[i] = "no" end
    return { labels = list }
  end }
  lu.assertEquals(fixtures.message(function() calibrated({}, labels):fit(noisy(30)) end),
    "calibration: learner 'labels' gives no probabilities; use one that does")
end

function TestCalibration:test_a_class_that_a_training_part_lacks_is_named()
  local data = noisy(9)  -- rows 3, 6 and 9 are yes
  local function message(given, rows)
    return fixtures.message(function() calibrated(given):fit(rows) end)
  end
  lu.assertEquals(message({}, data:select { 1, 2, 4 }),
    "calibration: class 'yes' has no row in the training rows of 'noisy', so nothing can be learned "
    .. "about it")
  local one_has_all = cf.splitter { name = "mine", split = function()
    return { folds = { 2, 2, 1, 2, 2, 1, 2, 2, 1 } }
  end }
  lu.assertEquals(message({ splitter = one_has_all }, data),
    "calibration: class 'yes' has no row in the training part of inner fold 1, so nothing can be "
    .. "learned about it")
end

function TestCalibration:test_a_fold_that_cannot_be_calibrated_fails_alone()
  -- The training rows of outer fold 1 are all of class no.
  local outer = cf.splitter { name = "mine", split = function(input)
    local folds = {}
    for i, label in ipairs(input.labels) do folds[i] = label == "yes" and 1 or 2 - i % 2 end
    return { folds = folds }
  end }
  local result = cf.evaluate { data = noisy(60), learners = { c = calibrated() }, splitter = outer,
    metrics = "accuracy" }
  local failures = result:failures()
  lu.assertEquals(#failures, 1)
  lu.assertEquals({ failures[1].fold, failures[1].stage }, { 1, "fit c" })
  lu.assertStrContains(failures[1].message, "class 'yes' has no row in the training rows of 'noisy'")
end
