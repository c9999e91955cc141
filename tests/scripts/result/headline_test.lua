-- The number that stands for the scores of several folds, and what counts where a score is undefined.
local lu = require "luaunit"
local cf = require "crossfold"

TestHeadline = {}

-- A line with noise, of n rows; folds in turn. Column w has weights.
local function line(n, folds, weighted)
  local x, y, fold, w = {}, {}, {}, {}
  for i = 1, n do
    x[i], fold[i], w[i] = i, (i - 1) % folds + 1, 1 + i % 4 * 2
    y[i] = i + ((i * 37) % 23 - 11) * n / 40
  end
  return { { name = "x", values = x }, { name = "y", values = y }, { name = "fold", values = fold },
    weighted and { name = "w", values = w } or nil }
end

local function data_of(columns)
  return cf.dataset { name = "few", target = "y", folds = "fold", columns = columns,
    weights = columns[4] and "w" }
end

local function evaluated(data, given)
  local o = { data = data, learners = { near = cf.learner("knn", { k = 3 }), mean = "featureless" },
    splitter = "predefined" }
  for key, value in pairs(given) do o[key] = value end
  return cf.evaluate(o)
end

local function row_of(rows, learner, metric)
  for _, row in ipairs(rows) do
    if row.learner == learner and (metric or row.metric) == row.metric then return row end
  end
end

-- r2 of all predictions, by its definition.
local function r2_of(result, learner)
  local errors, squares, sum, n = 0, 0, 0, 0
  for _, row in ipairs(result:predictions()) do
    if row.learner == learner then sum, n = sum + row.truth, n + 1 end
  end
  for _, row in ipairs(result:predictions()) do
    if row.learner == learner then
      errors, squares = errors + (row.truth - row.predicted) ^ 2, squares + (row.truth - sum / n) ^ 2
    end
  end
  return 1 - errors / squares
end

function TestHeadline:test_r2_of_small_folds_is_that_of_all_predictions_everywhere()
  for _, size in ipairs { { 30, 10 }, { 36, 3 }, { 30, 30 } } do
    local result = evaluated(data_of(line(size[1], size[2])), { metrics = { "r2", "mae" } })
    local row = row_of(result:summary(), "near", "r2")
    lu.assertAlmostEquals(row.mean, r2_of(result, "near"), 1e-12)
    lu.assertEquals(row.aggregation, "pooled over predictions")
    lu.assertEquals(row_of(result:summary(), "near", "mae").aggregation, "mean over folds")
    lu.assertStrContains(tostring(result),
      ("(r2: one score of all predictions together; folds of %d rows are too small"):format(size[1] // size[2]))
    lu.assertEquals(cf.plot.summary(result, { metric = "r2" }).rows[1].mean, row_of(result:summary(),
      cf.plot.summary(result, { metric = "r2" }).rows[1].learner, "r2").mean)
    if size[2] < size[1] then
      lu.assertAlmostEquals(row.fold_mean, row_of(result:summary(), "near", "r2").fold_mean, 0)
      local compared = cf.compare(result, { metric = "r2" }):rows()[1]
      lu.assertAlmostEquals(compared.a == "near" and compared.mean_a or compared.mean_b, row.mean, 1e-12)
      local interval = row_of(result:interval { metric = "r2", method = "corrected_t" }, "near")
      lu.assertAlmostEquals(interval.mean, row.mean, 1e-12)
      lu.assertTrue(interval.low < row.mean and row.mean < interval.high)
    end
  end
end

function TestHeadline:test_large_folds_have_the_mean_over_folds()
  local row = row_of(evaluated(data_of(line(300, 3)), { metrics = "r2" }):summary(), "near")
  lu.assertEquals({ row.aggregation, row.fold_mean }, { "mean over folds", nil })
end

function TestHeadline:test_without_predictions_there_is_no_number_and_print_says_why()
  local result = evaluated(data_of(line(30, 10)), { metrics = { "r2", "mae" }, keep = "none" })
  local row = row_of(result:summary(), "near", "r2")
  lu.assertNil(row.mean)
  lu.assertStrContains(row.undefined, "no predictions were kept")
  lu.assertNotNil(row.fold_mean)
  lu.assertStrContains(tostring(result), "(no r2 of 'near': no predictions were kept; evaluate with keep = \"labels\")")
end

-- The mean absolute error over the mean absolute truth: a metric in Lua that is not a mean over rows.
local function ratio(least)
  return cf.metric { name = "ratio", direction = "lower", least_rows = least, score = function(truth, predicted)
    local errors, all = 0, 0
    for i = 1, #truth do errors, all = errors + math.abs(truth[i] - predicted[i]), all + math.abs(truth[i]) end
    return errors / all
  end }
end

function TestHeadline:test_a_metric_in_lua_says_itself_how_large_a_fold_it_needs()
  local data = data_of(line(30, 10))
  local with, without = evaluated(data, { metrics = ratio(20) }), evaluated(data, { metrics = ratio() })
  lu.assertEquals(row_of(with:summary(), "near").mean, row_of(without:pooled(), "near").value)
  lu.assertEquals(row_of(without:summary(), "near").aggregation, "mean over folds")
  lu.assertNotEquals(row_of(with:summary(), "near").mean, row_of(without:summary(), "near").mean)
  lu.assertErrorMsgContains("a number of rows is negative", ratio, -1)
end

function TestHeadline:test_with_weights_a_mean_over_rows_is_the_weighted_mean_over_all_rows()
  local columns = line(30, 4, true)
  local learners = { near = cf.learner("decision_tree", { max_depth = 2 }), mean = "featureless" }
  for _, keep in ipairs { "labels", "none" } do
    local result = evaluated(data_of(columns), { metrics = { "mae", "rmse" }, keep = keep, learners = learners })
    local row, sum, total, w = row_of(result:summary(), "near", "mae"), 0, 0, columns[4].values
    for _, one in ipairs(evaluated(data_of(columns), { metrics = "mae", learners = learners }):predictions()) do
      if one.learner == "near" then
        sum, total = sum + w[one.row] * math.abs(one.truth - one.predicted), total + w[one.row]
      end
    end
    lu.assertAlmostEquals(row.mean, sum / total, 1e-12)
    lu.assertEquals(row.aggregation, "weighted by rows")
    lu.assertNotAlmostEquals(row.mean, row.fold_mean, 1e-6)
    lu.assertStrContains(tostring(result), "(mae: the mean over the rows by their weights)")
    local interval = row_of(result:interval { metric = "mae", method = "corrected_t" }, "near")
    lu.assertAlmostEquals(interval.mean, row.mean, 1e-12)
    local compared = cf.compare(result, { metric = "mae" }):rows()[1]
    lu.assertAlmostEquals(compared.a == "near" and compared.mean_a or compared.mean_b, row.mean, 1e-12)
  end
end

function TestHeadline:test_a_search_ranks_by_the_same_number()
  local data = data_of(line(30, 10))
  local search = cf.grid_search { learner = "knn", grid = { k = { 1, 3, 7 } }, metric = "r2",
    metrics = { "mae" }, splitter = "predefined" }
  local learners = {}
  for _, k in ipairs { 1, 3, 7 } do learners["k" .. k] = cf.learner("knn", { k = k }) end
  local summary = evaluated(data, { learners = learners, metrics = { "r2", "mae" } }):summary()
  local _, found = search:fit(data)
  for _, entry in ipairs(found.inner) do
    lu.assertAlmostEquals(entry.mean, row_of(summary, "k" .. entry.params.k, "r2").mean, 1e-12)
    lu.assertAlmostEquals(entry.metrics.mae.mean, row_of(summary, "k" .. entry.params.k, "mae").mean, 1e-12)
  end
  local pipelines = cf.grid_search { learner = cf.pipeline { cf.transform { name = "same",
    fit = function() return {} end,
    apply = function(_, rows) return { { name = "x", values = rows:column("x") } } end }, "knn" },
    grid = { k = { 1, 3, 7 } }, metric = "r2", splitter = "predefined" }
  local _, other = pipelines:fit(data)
  for c, entry in ipairs(other.inner) do lu.assertAlmostEquals(entry.mean, found.inner[c].mean, 1e-12) end
end

-- 40 rows of two classes by x in 4 folds, or with fold 4 of one class.
local function classes(one_class)
  local x, y, fold = {}, {}, {}
  for i = 1, 80 do
    x[i], fold[i] = i % 20, (i - 1) // 20 + 1
    y[i] = x[i] + i % 7 > 11 and "yes" or "no"
    if one_class and fold[i] == 4 then y[i] = "no" end
  end
  return cf.dataset { name = "some", target = "y", folds = "fold",
    columns = { { name = "x", values = x }, { name = "y", values = y }, { name = "fold", values = fold } } }
end

-- Is always sure of one class if k is 0, else the nearest rows. Its metric has a worst value, or none.
local function search_of(metric, ks)
  local candidates = {}
  for i, k in ipairs(ks) do candidates[i] = k == 0 and cf.learner("featureless") or cf.learner("knn", { k = k }) end
  return cf.grid_search { learner = "knn", grid = { k = ks }, metric = metric, splitter = "predefined" }, candidates
end

-- Matthews' coefficient of two classes, undefined for a constant prediction; `calls` for one class.
local function matthews(worst)
  return cf.metric { name = "matthews", direction = "higher", worst = worst, score = function(truth, predicted)
    local n = { yes = { yes = 0, no = 0 }, no = { yes = 0, no = 0 } }
    for i = 1, #truth do n[truth[i]][predicted[i]] = n[truth[i]][predicted[i]] + 1 end
    local product = (n.yes.yes + n.yes.no) * (n.no.yes + n.no.no) * (n.yes.yes + n.no.yes) * (n.yes.no + n.no.no)
    if product == 0 then return nil, "a margin is empty" end
    return (n.yes.yes * n.no.no - n.yes.no * n.no.yes) / math.sqrt(product)
  end }
end

-- k = 61 of 60 training rows is a constant prediction.
local function found(metric, data, ks)
  local search = search_of(metric, ks)
  return select(2, search:fit(data))
end

function TestHeadline:test_a_candidate_without_a_score_for_its_prediction_has_the_worst_one()
  for _, metric in ipairs { "matthews_correlation", matthews(-1) } do
    local detail = found(metric, classes(), { 60, 3, 5 })
    lu.assertEquals(detail.inner[1].mean, -1)
    lu.assertEquals({ detail.inner[1].as_worst, detail.inner[1].n_folds, detail.inner[2].n_folds }, { 4, 4, 4 })
    lu.assertNotEquals(detail.params and detail.params.k, 60)
    lu.assertNil(detail.inner[2].as_worst)
    lu.assertStrContains(tostring(detail), "1 candidate has no ")
  end
  local detail = found(matthews(), classes(), { 60, 3, 5 })
  lu.assertNil(detail.inner[1].mean)
  lu.assertStrContains(detail.inner[1].failure, "undefined for the prediction, and has no worst value: a margin is")
  lu.assertNotNil(detail.inner[2].mean)
  lu.assertErrorMsgContains("undefined in every inner fold", found, "matthews_correlation", classes(), { 60 })
end

function TestHeadline:test_a_fold_whose_truth_allows_no_score_counts_for_no_candidate()
  for _, metric in ipairs { matthews(-1), "roc_auc" } do
    local detail = found(metric, classes(true), { 3, 5, 7 })
    for _, entry in ipairs(detail.inner) do lu.assertEquals({ entry.n_folds, entry.as_worst }, { 3, nil }) end
  end
end

function TestHeadline:test_compare_gives_the_worst_score_to_a_learner_without_one_for_its_predictions()
  local result = evaluated(classes(), { metrics = "matthews_correlation" })
  local comparison = cf.compare(result)
  local row = comparison:rows()[1]
  lu.assertEquals({ row.splits, row.a == "mean" and row.mean_a or row.mean_b }, { 4, -1 })
  lu.assertStrContains(tostring(comparison),
    "'mean' has no matthews_correlation in 4 of 4 splits of 'some' because of its predictions")
  local spared = cf.compare(evaluated(classes(true), { metrics = matthews(-1) })):rows()[1]
  lu.assertEquals({ spared.splits, spared.splits_of }, { 3, 4 })
end

-- Fails, or has no probabilities of one class, in the folds that `fails` lists.
local function failing(folds)
  local fails = {}
  for _, fold in ipairs(folds) do fails[fold] = true end
  local n = 0
  return cf.learner { name = "failing", fit = function() n = n + 1 return { n = n } end,
    predict = function(model, rows)
      if fails[model.n] then error("it fails") end
      local labels = {}
      for i = 1, #rows do labels[i] = i % 2 == 0 and "yes" or "no" end
      return { labels = labels }
    end }
end

function TestHeadline:test_print_says_that_means_are_of_other_folds_and_what_a_confusion_lacks()
  local result = evaluated(classes(), { learners = { bad = failing { 2 }, good = cf.learner("knn") },
    metrics = { "accuracy", "recall" }, on_error = "record", workers = 1 })
  lu.assertStrContains(tostring(result), "(accuracy: not all means are of the same folds ('bad' 3 of 4)")
  lu.assertStrContains(tostring(result:confusion("bad")), "(without 1 of 4 folds: 1 failed)")
  lu.assertStrContains(tostring(result:class_report("bad")), "(without 1 of 4 folds: 1 failed)")
  lu.assertEquals(result:confusion("bad").failed, 1)
  lu.assertNotStrContains(tostring(result:confusion("good")), "without")
  local once = evaluated(classes(), { learners = { bad = failing { 2, 3, 4 } }, metrics = "accuracy", workers = 1 })
  lu.assertStrContains(tostring(once), "(accuracy of 'bad' is the score of one fold, the only one of 4 that has one)")
end

function TestHeadline:test_pooled_scores_say_what_they_lack_and_what_is_wrong_with_them()
  local result = evaluated(classes(), { learners = { prior = "featureless" }, metrics = { "roc_auc", "log_loss" },
    splitter = "leave_one_out" })
  lu.assertStrContains(result:pooled()[1].undefined,
    "no probabilities were kept; evaluate with keep = \"probabilities\"")
  result = evaluated(classes(), { learners = { prior = "featureless" }, metrics = { "roc_auc", "log_loss" },
    splitter = "leave_one_out", keep = "probabilities" })
  lu.assertEquals(result:pooled()[1].value, 0)
  lu.assertStrContains(result:pooled()[1].note, "80 models together")
  lu.assertNil(result:pooled()[2].note)
end
