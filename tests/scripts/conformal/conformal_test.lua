-- cf.conformal. The arithmetic is tested in tests/unit/analysis/curves; here it is that the scores are those of rows
-- that a model did not see, and that intervals and sets go where predictions go.
local lu = require "luaunit"
local cf = require "crossfold"
local fixtures = require "fixtures"

local function diabetes() return cf.read(fixtures.folder .. "/diabetes_regr.csv", { target = "target" }) end

-- The data of MAPIE's test_regression.py: make_regression(n_samples = 500, n_features = 10, noise = 1.0, random_state =
-- 1) of scikit-learn 1.2.1, rounded to five decimals; `fold` is KFold(3, shuffle = True, random_state = 1).
local function mapie()
  return cf.read(fixtures.folder .. "/../../tests/data/make_regression.csv", { target = "y", folds = "fold" })
end

local function message(f, ...) return fixtures.message(f, ...) end

-- n rows in groups of three, whose names are the column g if `named`.
local function grouped(n, roles)
  local x, y, g, t = {}, {}, {}, {}
  for i = 1, n do
    x[i], g[i], t[i] = i % 7 + 0.5, "g" .. (i + 2) // 3, i
    y[i] = 2 * x[i] + (i * 37 % 11) / 5
  end
  local columns = { { name = "x", values = x }, { name = "y", values = y } }
  if roles.groups then columns[3] = { name = "g", values = g } end
  if roles.time then columns[3] = { name = "t", values = t } end
  return cf.dataset { name = "rows", target = "y", groups = roles.groups, time = roles.time, columns = columns }
end

TestConformal = {}

-- Widths and coverages that MAPIE's test expects within 1 %; the width to twelve digits is that of the same formulas in
-- numpy 1.24.2 with LinearRegression of scikit-learn 1.2.1.
function TestConformal:test_width_and_coverage_are_those_of_mapie()
  local data = mapie()
  local folds = cf.splitter("predefined", { column = "fold" })
  for _, case in ipairs {
    { "jackknife_plus", nil, 3.90, 0.952, 3.894269679846, 0.954 },
    { "cv_plus", folds, 3.91, 0.954, 3.901781965091, 0.954 },
    { "cv_minmax", folds, 4.07, 0.962, 4.036452683166, 0.962 },
  } do
    local method, splitter, width, coverage, exact_width, exact_coverage = table.unpack(case, 1, 6)
    local model = cf.conformal { learner = "least_squares", method = method, splitter = splitter }:fit(data)
    local all = model:predict(data, { coverage = 0.95 }):coverage().lines[1]
    lu.assertAlmostEquals(all.width, width, 0.01 * width)
    lu.assertAlmostEquals(all.coverage, coverage, 0.01 * coverage)
    lu.assertAlmostEquals(all.width, exact_width, 1e-9)
    lu.assertEquals(all.coverage, exact_coverage)
  end
end

function TestConformal:test_the_prediction_is_that_of_the_learner_on_all_rows()
  local data = diabetes()
  local model = cf.conformal { learner = "ridge", method = "cv_plus" }:fit(data)
  lu.assertEquals(model:predict(data):values(), cf.learner("ridge"):fit(data):predict(data):values())
  lu.assertNil(model:predict(data):intervals())
  lu.assertEquals(model:predict(data, { coverage = 0.9 }):values(), model:predict(data):values())
end

function TestConformal:test_scores_are_those_of_rows_that_the_model_did_not_see()
  local data = diabetes()
  local splitter = cf.splitter("kfold", { folds = 4 })
  local learner = cf.conformal { learner = "least_squares", method = "cv_plus", splitter = splitter }
  local model = learner:fit(data, { seed = 3 })
  local splits = cf.split(splitter, data, { seed = 3 })
  for s = 1, #splits do
    local p = cf.learner("least_squares"):fit(splits:train(s)):predict(splits:test(s))
    local values, truth = p:values(), p:truth()
    for i, id in ipairs(p:row_ids()) do
      lu.assertEquals(model.known.scores[id], math.abs(truth[i] - values[i]))
      lu.assertEquals(model.known.folds[id], s)
    end
  end
end

function TestConformal:test_a_row_has_the_same_set_whatever_is_predicted_beside_it()
  local data = fixtures.iris()
  local model = cf.conformal { learner = "naive_bayes", method = "aps", randomized = true }:fit(data)
  local all = model:predict(data, { coverage = 0.97 }):sets()
  local some = model:predict(data:select { 107, 71 }, { coverage = 0.97 }):sets()
  lu.assertEquals(some, { all[107], all[71] })
end

function TestConformal:test_sets_have_the_predicted_class()
  local data = fixtures.iris()
  local model = cf.conformal { learner = "naive_bayes", method = "aps" }:fit(data)
  local prediction = model:predict(data, { coverage = 0.5 })
  local labels = prediction:labels()
  for i, set in ipairs(prediction:sets()) do lu.assertItemsEquals(set, { labels[i] }) end
end

function TestConformal:test_a_saved_model_gives_the_same_intervals_and_sets()
  local path = os.tmpname()
  for _, case in ipairs { { diabetes(), "cv_minmax", "ridge" }, { fixtures.iris(), "aps", "naive_bayes" } } do
    local data, method, learner = table.unpack(case)
    local model = cf.conformal { learner = learner, method = method }:fit(data)
    local before = model:predict(data, { coverage = 0.8 })
    model:save(path)
    local after = cf.load(path):predict(data, { coverage = 0.8 })
    lu.assertEquals(after:intervals(), before:intervals())
    lu.assertEquals(after:sets(), before:sets())
    lu.assertEquals(tostring(after), tostring(before))
  end
  os.remove(path)
end

function TestConformal:test_transforms_before_it_are_fitted_in_every_fold()
  local data = diabetes()
  local outside = cf.pipeline { "standardize", cf.conformal { learner = "knn", method = "cv_plus" } }
  local inside = cf.conformal { learner = cf.pipeline { "standardize", "knn" }, method = "cv_plus" }
  lu.assertEquals(tostring(outside), "conformal{standardize|knn, cv_plus}")
  lu.assertEquals(outside:fit(data):predict(data, { coverage = 0.9 }):intervals(),
    inside:fit(data):predict(data, { coverage = 0.9 }):intervals())
end

function TestConformal:test_a_search_inside_it_chooses_in_every_fold()
  local search = cf.grid_search { learner = "knn", grid = { k = { 1, 15 } }, metric = "rmse",
    splitter = cf.splitter("kfold", { folds = 3 }) }
  local data = diabetes()
  local model = cf.conformal { learner = search, method = "cv_plus" }:fit(data)
  lu.assertEquals(model.detail.candidate, "knn{k=15}")
  lu.assertEquals(#model:predict(data, { coverage = 0.9 }):intervals(), #data)
end

function TestConformal:test_with_changes_the_learner_inside()
  local changed = cf.conformal { learner = "knn", method = "aps" }:with { k = 3 }
  lu.assertEquals(tostring(changed), "conformal{knn{k=3}, aps}")
end

-- 6 rows, and ceil(0.9 * 7) = 7.
function TestConformal:test_too_few_rows_give_infinite_intervals()
  local data = grouped(6, {})
  local p = cf.conformal { learner = "least_squares", method = "jackknife_plus" }:fit(data):predict(data,
    { coverage = 0.9 })
  lu.assertEquals(p:intervals()[1], { low = -math.huge, high = math.huge })
  lu.assertNil(p:coverage().lines[1].width)
  lu.assertEquals(p:coverage().lines[1].infinite, 6)
  lu.assertEquals(p:guarantee(), "90% intervals by jackknife+, from 6 rows in 6 folds. A new row is covered with a "
    .. "probability of at least 0.8 for any learner and distribution; about 0.9 in practice. That is for the average "
    .. "over rows that are exchangeable with the training rows (no drift, no order in time). The intervals are "
    .. "infinite: coverage 0.9 needs at least 9 rows, there are 6.")
end

TestGuarantee = {}

local function guarantee(data, options, coverage)
  return cf.conformal(options):fit(data):predict(data, { coverage = coverage }):guarantee()
end

-- 1 - 2 * 0.1 - min(2 (1 - 1/10) / (150/10 + 1), (1 - 10/150) / 11) = 0.7151...
function TestGuarantee:test_that_of_folds_is_less_than_that_of_single_rows()
  lu.assertStrContains(guarantee(fixtures.iris(), { learner = "naive_bayes", method = "aps" }, 0.9),
    "at least 0.715 for any learner and distribution; about 0.9 in practice")
end

-- 1 - (0.1 * 61 + 6 - 1) / 66 = 0.8318 is more than 1 - 0.2 - (1 - 10/60) / 11.
function TestGuarantee:test_minmax_has_the_larger_one_of_two_bounds()
  lu.assertStrContains(guarantee(grouped(60, {}), { learner = "ridge", method = "cv_minmax" }, 0.9),
    "at least 0.831 for any learner and distribution; at least 0.9 in practice")
end

function TestGuarantee:test_folds_of_two_sizes_are_mentioned()
  lu.assertStrContains(guarantee(grouped(61, {}), { learner = "ridge", method = "cv_plus" }, 0.9),
    "(proved for folds of one size, these differ)")
end

function TestGuarantee:test_stratified_folds_have_none()
  local splitter = cf.splitter("kfold", { folds = 5, stratify = true })
  local options = { learner = "naive_bayes", method = "aps", splitter = splitter }
  lu.assertStrContains(guarantee(fixtures.iris(), options, 0.9),
    "Nothing is guaranteed (the proofs are for folds that do not depend on the target or the features, such as kfold "
    .. "without stratify); about 0.9 in practice.")
end

function TestGuarantee:test_folds_of_a_list_have_none()
  local folds = {}
  for i = 1, 60 do folds[i] = i % 5 + 1 end
  local splitter = cf.splitter("predefined", { list = folds })
  lu.assertStrContains(guarantee(grouped(60, {}), { learner = "ridge", method = "cv_plus", splitter = splitter }, 0.9),
    "Nothing is guaranteed (the proofs are for folds that do not depend on the target or the features")
end

function TestGuarantee:test_weights_are_not_used()
  local data = cf.dataset { target = "y", weights = "w", columns = {
    { name = "x", values = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12 } },
    { name = "y", values = { 1, 3, 2, 5, 4, 6, 8, 7, 9, 11, 10, 12 } },
    { name = "w", values = { 1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2 } } } }
  lu.assertStrContains(guarantee(data, { learner = "ridge", method = "cv_plus" }, 0.8),
    "Every row counts once, whatever its weight.")
end

function TestGuarantee:test_folds_in_the_order_of_rows_are_refused()
  local learner = cf.conformal { learner = "ridge", method = "cv_plus",
    splitter = cf.splitter("blocked", { order = "rows" }) }
  lu.assertStrContains(fixtures.message(learner.fit, learner, grouped(60, {})),
    "are in the order of the rows, and intervals and sets are for rows that are exchangeable")
end

function TestGuarantee:test_that_of_groups_is_for_rows_of_new_groups()
  local data = grouped(60, { groups = "g" })
  lu.assertEquals(guarantee(data, { learner = "ridge", method = "jackknife_plus" }, 0.9), "90% intervals by "
    .. "jackknife+, from 20 groups in 20 folds. A row of a new group is covered with a probability of at least 0.8 for "
    .. "any learner and distribution; about 0.9 in practice. That is for the average over rows that are exchangeable "
    .. "with the training rows (no drift, no order in time), and of groups that these do not have.")
  lu.assertStrContains(guarantee(data, { learner = "ridge", method = "cv_plus" }, 0.9),
    "Nothing is guaranteed (the proof for groups is for intervals with one group in a fold)")
end

TestRefused = {}

local function refused(options, data)
  return message(function() return cf.conformal(options):fit(data) end)
end

function TestRefused:test_rows_in_the_order_of_time()
  local data = grouped(30, { time = "t" })
  lu.assertEquals(refused({ learner = "ridge", method = "cv_plus" }, data), "conformal: the rows of 'rows' are in the "
    .. "order of 't', and intervals and sets are for rows that are exchangeable: later rows may differ from earlier "
    .. "ones; if the order means nothing, read the data without it")
  lu.assertEquals(message(cf.evaluate, { data = grouped(30, {}), metrics = "rmse",
    learners = { cf.conformal { learner = "ridge", method = "cv_plus" } },
    splitter = cf.splitter("time_series", { order = "rows" }) }), "conformal: every split tests rows that come after "
    .. "its training rows, and intervals and sets are for rows that are exchangeable: later rows may differ from "
    .. "earlier ones; if the order means nothing, read the data without it")
end

function TestRefused:test_methods_for_other_targets()
  lu.assertEquals(refused({ learner = "knn", method = "cv_plus" }, fixtures.iris()), "conformal: method = 'cv_plus' is "
    .. "for numbers, the target of 'iris' has classes; use \"aps\"")
  lu.assertEquals(refused({ learner = "knn", method = "aps" }, diabetes()), "conformal: method = 'aps' is for classes, "
    .. "the target of 'diabetes_regr' has numbers; use \"cv_plus\"")
end

function TestRefused:test_learners_without_probabilities()
  lu.assertEquals(refused({ learner = "ridge", method = "aps" }, fixtures.iris()), "conformal: learner 'ridge' gives "
    .. "no probabilities, which class sets are made of; use one that does")
end

function TestRefused:test_splitters_that_do_not_divide_the_rows()
  for _, splitter in ipairs { cf.splitter("kfold", { folds = 3, repeats = 2 }), cf.splitter("holdout") } do
    lu.assertEquals(refused({ learner = "knn", method = "aps", splitter = splitter }, fixtures.iris()),
      ("conformal: splitter '%s' does not put every row into one fold and train on all others; use kfold without "
        .. "repeats"):format(tostring(splitter)))
  end
  lu.assertEquals(message(cf.conformal, { learner = "knn", method = "jackknife_plus", splitter = "kfold" }),
    "conformal: jackknife_plus leaves out one row (or group) at a time and takes no splitter; use cv_plus")
end

function TestRefused:test_options_out_of_range()
  lu.assertEquals(message(cf.conformal, { learner = "knn", method = "cv_plus", coverage = 90 }),
    "conformal: coverage = 90 is out of range; use a share above 0 and below 1, as 0.9")
  lu.assertEquals(message(cf.conformal, { learner = "knn", method = "cv_plus", randomized = true }),
    "conformal: randomized is for method = \"aps\", not 'cv_plus'")
  local model = cf.conformal { learner = "knn", method = "aps" }:fit(fixtures.iris())
  lu.assertEquals(message(model.predict, model, fixtures.iris(), { coverage = 1 }),
    "predict: coverage = 1 is out of range; use a share above 0 and below 1, as 0.9")
end

function TestRefused:test_coverage_of_models_without_out_of_fold_errors()
  local way = "' has no out-of-fold errors, which intervals and sets are made of; fit cf.conformal{ learner = ..., "
    .. "method = ... }, and give coverage to its model"
  local data = fixtures.iris()
  for _, learner in ipairs { cf.learner("naive_bayes"), cf.voting { learners = { "naive_bayes" } } } do
    local model = learner:fit(data)
    lu.assertEquals(message(model.predict, model, data, { coverage = 0.9 }),
      "predict: the model of '" .. tostring(learner) .. way)
  end
  local model = cf.learner("naive_bayes"):fit(data)
  lu.assertEquals(message(model.predict, model, data, { covrage = 0.9 }),
    "predict: unknown option 'covrage'; known: coverage")
end

function TestRefused:test_exports()
  local model = cf.conformal { learner = "naive_bayes", method = "aps" }:fit(fixtures.iris())
  lu.assertEquals(message(model.export, model, "onnx"), "cannot export 'conformal{naive_bayes, aps}': the model of an "
    .. "ensemble has no format but its own; fit, save and export a learner of it")
end

function TestRefused:test_files_that_were_changed()
  local ensemble_model = require "crossfold.ensemble.model"
  local data = fixtures.iris()
  for _, change in ipairs { { "folds", { 4 } }, { "method", "cv_plus" }, { "units", 151 }, { "scores", { 1 } } } do
    local model = cf.conformal { learner = "naive_bayes", method = "aps" }:fit(data)
    if change[1] == "method" then model.method = change[2] else model.known[change[1]] = change[2] end
    lu.assertEquals(message(ensemble_model.from_bytes, model:to_bytes("m.cfm"), "m.cfm"),
      "cannot load model 'm.cfm': it is damaged or cut short; save it again")
  end
end
