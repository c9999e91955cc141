local lu = require "luaunit"
local cf = require "crossfold"
local native = require "crossfold.native"
local fixtures = require "fixtures"

TestCurve = {}

local message = fixtures.message

-- The second vector of frameworks.md 4.10: AUC 0.8, AP 0.830357142857.
local truth = { 1, 1, 1, 1, 0, 0, 0, 0, 0 }
local scores = { 0.9, 0.8, 0.6, 0.3, 0.7, 0.5, 0.4, 0.2, 0.1 }

local function lists(changes)
  return fixtures.with({ truth = truth, scores = scores }, changes)
end

local function column(curve, name)
  local values = {}
  for i, row in ipairs(curve:rows()) do values[i] = row[name] end
  return values
end

-- 40 rows of two classes that overlap, in a random order.
local function overlapping()
  local x, y = {}, {}
  for i = 1, 40 do
    x[i] = i * 17 % 41
    y[i] = (x[i] + i % 7 * 5) > 34 and "sick" or "fit"
  end
  return cf.dataset { name = "overlapping", target = "y",
    columns = { { name = "x", values = x }, { name = "y", values = y } } }
end

local function evaluate(changes)
  return cf.evaluate(fixtures.with({ data = overlapping(), learners = { bayes = "naive_bayes" },
    metrics = { "accuracy" }, seed = 3, splitter = cf.splitter("kfold", { folds = 4, stratify = true }),
    keep = "probabilities" }, changes))
end

-- Lists ----------------------------------------------------------------------------------------------

function TestCurve:test_lists_give_the_figures_of_the_reference()
  lu.assertAlmostEquals(cf.curve("roc", lists()).auc, 0.8, 1e-9)
  lu.assertAlmostEquals(cf.curve("precision_recall", lists()).average_precision, 0.830357142857, 1e-9)
  local weights = { 1, 2, 1, 1, 1, 1, 3, 1, 1 }
  lu.assertAlmostEquals(cf.curve("roc", lists { weights = weights }).auc, 0.828571428571, 1e-9)
end

function TestCurve:test_rows_are_plain_tables_with_the_columns()
  local roc = cf.curve("roc", lists())
  lu.assertEquals(roc.columns, { "threshold", "fpr", "tpr", "tp", "fp", "tn", "fn" })
  local rows = roc:rows()
  lu.assertEquals(#rows, 10)
  lu.assertEquals(rows[1], { threshold = math.huge, fpr = 0, tpr = 0, tp = 0, fp = 0, tn = 5, fn = 4 })
  lu.assertEquals(rows[4], { threshold = 0.7, fpr = 0.2, tpr = 0.5, tp = 2, fp = 1, tn = 4, fn = 2 })
  lu.assertEquals(math.type(rows[4].tp), "integer")
  rows[1].tpr = 5
  lu.assertEquals(roc:rows()[1].tpr, 0)
end

function TestCurve:test_a_roc_curve_can_be_thinned_to_corners_and_hull()
  local hull = cf.curve("roc", lists { points = "hull" })
  lu.assertEquals(column(hull, "fpr"), { 0, 0, 0.2, 0.6, 1 })
  lu.assertEquals(column(hull, "tpr"), { 0, 0.5, 0.75, 1, 1 })
  lu.assertAlmostEquals(hull.auc, 0.8, 1e-12)
  lu.assertAlmostEquals(hull.hull_auc, 0.875, 1e-12)  -- .2*.625 + .4*.875 + .4*1
  lu.assertEquals(column(cf.curve("roc", lists { points = "corners" }), "tpr"),
    { 0, 0.5, 0.5, 0.75, 0.75, 1, 1 })
end

function TestCurve:test_every_kind_has_its_columns()
  lu.assertEquals(column(cf.curve("det", lists()), "fnr"), { 1, .75, .5, .5, .25, .25, .25, 0, 0, 0 })
  lu.assertEquals(column(cf.curve("lift", lists()), "gain")[3], 0.5)
  lu.assertAlmostEquals(cf.curve("lift", lists()):rows()[3].lift, 9 / 4, 1e-12)
  lu.assertNil(cf.curve("lift", lists()):rows()[1].lift)
  lu.assertAlmostEquals(cf.curve("cost", lists()):rows()[2].cost, 2 / 9, 1e-12)
  local calibration = cf.curve("calibration", lists { bins = 2, binning = "quantile" })
  lu.assertEquals(column(calibration, "rows"), { 5, 4 })
  lu.assertEquals(column(calibration, "observed"), { 0.2, 0.75 })
end

function TestCurve:test_a_threshold_table_has_costs_if_there_are_any_and_no_precision_of_nothing()
  local rows = cf.curve("thresholds", lists { costs = { { 0, 1 }, { 5, 0 } } }):rows()
  lu.assertNil(rows[1].precision)
  lu.assertEquals(rows[1].f1, 0)
  lu.assertAlmostEquals(rows[1].cost, 20 / 9, 1e-12)
  -- frameworks.md 4.10: 7 in all at .5, three of four positive rows found.
  lu.assertEquals(rows[6].threshold, 0.5)
  lu.assertAlmostEquals(rows[6].cost, 7 / 9, 1e-12)
  lu.assertAlmostEquals(rows[6].precision, 0.6, 1e-12)
  lu.assertNil(cf.curve("thresholds", lists()):rows()[1].cost)
end

function TestCurve:test_the_positive_class_of_lists()
  local words = { "b", "b", "b", "b", "a", "a", "a", "a", "a" }
  lu.assertEquals(cf.curve("roc", lists { truth = words }).positive, "b")
  lu.assertAlmostEquals(cf.curve("roc", lists { truth = words, positive = "a" }).auc, 0.2, 1e-12)
  lu.assertAlmostEquals(cf.curve("roc", { truth = { true, false }, scores = { 1, 0 } }).auc, 1)
  lu.assertEquals(cf.curve("roc", { truth = { "x", "x" }, scores = { 1, 0 }, positive = "y" }).undefined,
    "there is no row of the positive class")
  lu.assertEquals(message(cf.curve, "roc", lists { truth = { 3, 1, 2, 1, 1, 1, 1, 1, 1 } }),
    "curve: the truth has 3 classes (1, 2, 3); name one of them, as in positive = ...")
  lu.assertEquals(message(cf.curve, "roc", lists { positive = 7 }),
    "curve: the truth has no class '7', but 0, 1; name one of them, as in positive = ...")
  lu.assertEquals(message(cf.curve, "roc", { truth = { 1, "1" }, scores = { 1, 2 } }),
    "curve: option 'truth': element 2 is a string, the first a number")
end

function TestCurve:test_an_undefined_curve_has_a_reason_and_no_figures()
  local curve = cf.curve("roc", { truth = { true, true }, scores = { 1, 2 } })
  lu.assertEquals(curve.undefined, "there is no row of the negative class")
  lu.assertNil(curve.auc)
  lu.assertEquals(curve:rows(), {})
  lu.assertEquals(tostring(curve), "roc, positive class true\nundefined: there is no row of the negative "
    .. "class")
  lu.assertEquals(cf.curve("calibration", { truth = {}, scores = {} }).undefined, "there are no rows")
  lu.assertEquals(message(curve.to, curve, { svg = true }),
    "to: there is no curve to draw: there is no row of the negative class")
end

function TestCurve:test_mistakes_are_told()
  lu.assertEquals(message(cf.curve, "rok", lists()), "curve: there is no kind 'rok'; did you mean 'roc'? "
    .. "known: calibration, cost, decision, det, lift, precision_recall, reliability, roc, thresholds")
  lu.assertStrContains(message(cf.curve, "roc", lists { bins = 3 }), "curve: unknown option 'bins'")
  lu.assertEquals(message(cf.curve, "roc", lists { points = "some" }),
    "points = 'some' is not one of all, corners, hull")
  lu.assertEquals(message(cf.curve, "roc", lists { scores = { 1 } }),
    "cannot draw a curve: there are 1 scores but 9 true classes; give one of each per row")
  lu.assertEquals(message(cf.curve, "calibration", lists { bins = 0 }),
    "cannot draw a calibration curve: 0 bins; use 1 to 10000")
  lu.assertStrContains(message(cf.curve, "thresholds", lists { costs = { 1, 2 } }),
    "option 'costs' must be {{tn, fp}, {fn, tp}}")
end

-- Evaluations ------------------------------------------------------------------------------------------

function TestCurve:test_a_pooled_curve_is_that_of_all_predictions()
  local result = evaluate()
  local given = { truth = {}, scores = {} }
  for i, p in ipairs(result:predictions()) do
    given.truth[i], given.scores[i] = p.truth, p.probabilities[2]
  end
  local pooled = result:curve("roc")
  lu.assertEquals(pooled.positive, "sick")
  lu.assertEquals(pooled:rows(), cf.curve("roc", given):rows())
  lu.assertEquals(pooled.auc, cf.curve("roc", given).auc)
  lu.assertEquals(#pooled.folds, 4)
end

-- featureless predicts the share of the classes in the training rows, so that stratified folds give every row
-- the same score in every repeat: 20 repeats know no more about the 40 rows than one.
function TestCurve:test_intervals_of_calibration_do_not_shrink_with_repeats()
  local function bin(repeats)
    local result = evaluate { learners = { floor = "featureless" },
      splitter = cf.splitter("kfold", { folds = 4, repeats = repeats, stratify = true }) }
    local rows = result:curve("calibration", { bins = 1 }):rows()
    lu.assertEquals(#rows, 1)
    return rows[1]
  end
  local once = bin(1)
  local wilson = cf.stats.accuracy_interval { correct = math.floor(once.observed * 40 + 0.5), n = 40 }
  lu.assertAlmostEquals(once.observed_low, wilson.low, 1e-12)
  for _, repeats in ipairs { 2, 20 } do
    local often = bin(repeats)
    lu.assertEquals({ often.rows, often.weight }, { 40, 40 * repeats })
    lu.assertAlmostEquals(often.observed, once.observed, 1e-12)
    lu.assertAlmostEquals(often.observed_low, wilson.low, 1e-12)
    lu.assertAlmostEquals(often.observed_high, wilson.high, 1e-12)
  end
end

function TestCurve:test_folds_keep_their_own_curves_and_thresholds()
  local result = evaluate()
  local folds = result:curve("roc", { aggregation = "folds" })
  lu.assertNil(folds.auc)
  lu.assertEquals(folds.columns[1], "repeat")
  local first = { truth = {}, scores = {} }
  for _, p in ipairs(result:predictions()) do
    if p.fold == 1 then
      table.insert(first.truth, p.truth)
      table.insert(first.scores, p.probabilities[2])
    end
  end
  local expected = cf.curve("roc", first)
  lu.assertEquals(folds.folds[1], { repeat_ = 1, fold = 1, auc = expected.auc })
  local thresholds = {}
  for _, row in ipairs(folds:rows()) do
    if row.fold == 1 then table.insert(thresholds, row.threshold) end
  end
  lu.assertEquals(thresholds, column(expected, "threshold"))
  lu.assertStrContains(folds:to { csv = true }, "repeat,fold,threshold,fpr,tpr,tp,fp,tn,fn")
end

function TestCurve:test_vertical_averaging_names_both_areas()
  local result = evaluate()
  local mean = result:curve("roc", { aggregation = "vertical", grid = 5 })
  lu.assertEquals(mean.columns, { "fpr", "tpr", "sd", "low", "high" })
  lu.assertEquals(column(mean, "fpr"), { 0, 0.25, 0.5, 0.75, 1 })
  local sum = 0
  for _, fold in ipairs(mean.folds) do sum = sum + fold.auc end
  lu.assertAlmostEquals(mean.mean_auc, sum / 4, 1e-12)
  local function bootstrap(seed)
    return result:curve("roc", { aggregation = "vertical", grid = 5, interval = "bootstrap", seed = seed })
  end
  lu.assertEquals(bootstrap(1):rows(), bootstrap(1):rows())
  lu.assertEquals(column(bootstrap(1), "tpr"), column(mean, "tpr"))
  lu.assertEquals(message(result.curve, result, "lift", { aggregation = "vertical" }),
    "curve: vertical averaging is for kind 'roc', not 'lift'; use pooled or folds")
end

function TestCurve:test_a_fold_without_a_class_is_undefined_and_left_out_of_the_mean()
  local folds = {}
  for i, class in ipairs(overlapping():target()) do folds[i] = class == "fit" and i % 4 or i % 3 + 1 end
  local result = evaluate { splitter = cf.splitter("predefined", { list = folds }) }
  local mean = result:curve("roc", { aggregation = "vertical" })
  local reasons, defined = {}, 0
  for _, fold in ipairs(mean.folds) do
    if fold.undefined then table.insert(reasons, fold.undefined) else defined = defined + 1 end
  end
  lu.assertEquals(reasons, { "there is no row of the positive class" })
  lu.assertEquals(defined, 3)
  lu.assertStrContains(tostring(mean), "vertical, 3 of 4 folds")
end

function TestCurve:test_failed_folds_are_named()
  local result = evaluate { learners = { bad = cf.learner("debug", { action = "throw_in_predict" }) } }
  local curve = result:curve("roc")
  lu.assertEquals(curve.undefined, "every fold failed")
  lu.assertStrContains(curve.folds[1].undefined, "failed at predict debug")
  lu.assertEquals(curve:rows(), {})
end

function TestCurve:test_curves_need_probabilities_one_learner_and_a_positive_class()
  local result = evaluate { keep = "labels" }
  lu.assertEquals(message(result.curve, result, "roc"),
    "curve: no probabilities were kept; evaluate with keep = \"probabilities\"")
  local two = evaluate { learners = { a = "naive_bayes", b = "featureless" } }
  lu.assertStrContains(message(two.curve, two, "roc"), "curve: several learners or datasets fit")
  lu.assertEquals(two:curve("roc", { learner = "b" }).learner, "b")
  local iris = evaluate { data = fixtures.iris() }
  lu.assertEquals(message(iris.curve, iris, "roc"),
    "cannot find the positive class: there are 3 classes (setosa, versicolor, virginica); "
    .. "name one of them, as in positive = \"virginica\"")
  lu.assertEquals(iris:curve("roc", { positive = "setosa" }).auc, 1)
  lu.assertEquals(message(iris.curve, iris, "roc", { positive = "setos" }),
    "cannot find the positive class: there is no class 'setos'; did you mean 'setosa'? "
    .. "known: setosa, versicolor, virginica")
  lu.assertEquals(message(result.curve, result, "roc", { aggregation = "mean" }),
    "curve: aggregation = 'mean' is not one of pooled, vertical, folds")
end

-- Forms -----------------------------------------------------------------------------------------------

function TestCurve:test_text_shows_at_most_twenty_rows()
  local many = { truth = {}, scores = {} }
  for i = 1, 100 do many.truth[i], many.scores[i] = i % 3 == 0, i end
  local text = tostring(cf.curve("roc", many))
  lu.assertStrContains(text, "roc, positive class true, auc ")
  lu.assertStrContains(text, "20 of 101 rows")
  local _, lines = text:gsub("\n", "")
  lu.assertEquals(lines, 23)
  lu.assertStrContains(text, "1.0000")
end

function TestCurve:test_csv_and_json_hold_all_rows()
  local curve = cf.curve("cost", { truth = { true, false }, scores = { 0.5, 0.5 } })
  lu.assertEquals(curve:to { csv = true }, "probability_cost,cost,threshold,fpr,fnr\n"
    .. "0,0,inf,0,1\n0.5,0.5,0.5,1,0\n1,0,0.5,1,0\n")
  lu.assertStrContains(curve:to { json = true }, '"threshold":')
  local path = os.tmpname()
  curve:to { csv = path }
  local file = assert(io.open(path, "rb"))
  lu.assertEquals(file:read("a"), curve:to { csv = true })
  file:close()
  os.remove(path)
  lu.assertEquals(message(curve.to, curve, {}), "to: give one of the options csv, json, gnuplot, svg")
  lu.assertEquals(message(curve.to, curve, { csv = true, svg = true }),
    "to: options 'csv' and 'svg' exclude each other; give one")
end

function TestCurve:test_pictures_have_the_points_and_no_markup_from_names()
  local curve = cf.curve("cost", { truth = { true, false }, scores = { 0.5, 0.5 } })
  lu.assertEquals(curve:to { gnuplot = true }, [[
$curve1 << EOD
0 0
0.5 0.5
1 0
EOD
$guide << EOD
0 0
0.5 0.5
1 0
EOD
set title "cost" noenhanced
set xlabel "probability cost"
set ylabel "normalised expected cost"
set xrange [0:1]
set yrange [0:0.5]
plot $curve1 using 1:2 with lines notitle, \
  $guide using 1:2 with lines dashtype 2 notitle
]])
  -- The square runs from (60.96, 600) to (656, 40).
  lu.assertStrContains(curve:to { svg = true },
    '<path class="cf-line cf-s1" d="M60.96 600L358.48 40L656 600">')
  local named = evaluate { learners = { ['<a> & "b"'] = "naive_bayes" } }
  lu.assertStrContains(named:curve("roc"):to { svg = true },
    "roc: &lt;a&gt; &amp; &quot;b&quot; on overlapping, pooled")
  lu.assertStrContains(named:curve("roc"):to { gnuplot = true },
    [[set title "roc: <a> & \"b\" on overlapping, pooled" noenhanced]])
end

function TestCurve:test_every_kind_but_the_threshold_table_has_a_picture()
  local result = evaluate()
  for _, kind in ipairs { "roc", "precision_recall", "det", "calibration", "lift", "cost", "reliability",
    "decision" } do
    for _, aggregation in ipairs { "pooled", "folds" } do
      local curve = result:curve(kind, { aggregation = aggregation })
      lu.assertStrMatches(curve:to { svg = true }, "<%?xml .*</svg>\n")
      lu.assertStrContains(curve:to { gnuplot = true }, "\nplot $")
    end
  end
  local average = result:curve("roc", { aggregation = "vertical" })
  lu.assertStrContains(average:to { svg = true }, 'class="cf-band cf-s1"')
  lu.assertStrContains(average:to { gnuplot = true }, "using 1:3:4 with filledcurves")
  local thresholds = result:curve("thresholds")
  lu.assertEquals(message(thresholds.to, thresholds, { svg = true }),
    "to: kind 'thresholds' is a table without a picture; use csv or json")
  local perfect = cf.curve("det", { truth = { true, false }, scores = { 1, 0 } })
  lu.assertEquals(message(perfect.to, perfect, { svg = true }),
    "to: there is no curve to draw: no point has both probit_fpr and probit_fnr")
end

-- Thresholds ------------------------------------------------------------------------------------------

function TestCurve:test_the_best_threshold_of_a_prediction()
  local prediction = native.prediction(overlapping(), { probabilities = (function()
    local rows = {}
    for i, class in ipairs(overlapping():target()) do
      local p = class == "sick" and 0.6 or 0.3
      if i == 1 then p = 0.45 end
      rows[i] = { 1 - p, p }
    end
    return rows
  end)() })
  local best = native.best_threshold(prediction, { goal = "youden" })
  lu.assertEquals(best.positive, "sick")
  lu.assertEquals(best.value, 1)
  lu.assertAlmostEquals(best.threshold, overlapping():target()[1] == "sick" and 0.375 or 0.525, 1e-12)
  lu.assertEquals(best.fp + best.fn, 0)
  lu.assertEquals(native.best_threshold(prediction, { positive = "fit" }).positive, "fit")
end

function TestCurve:test_the_best_threshold_of_lists_by_goal()
  local flags = {}
  for i, class in ipairs(truth) do flags[i] = class == 1 end
  local source = { scores = scores, positive = flags }
  local cheap = native.best_threshold(source, { goal = "cost", costs = { { 0, 1 }, { 5, 0 } } })
  lu.assertAlmostEquals(cheap.threshold, 0.25, 1e-12)
  lu.assertAlmostEquals(cheap.value, 3 / 9, 1e-12)
  lu.assertEquals(native.best_threshold({ scores = { 1 }, positive = { true } }, { goal = "mcc" }),
    { undefined = "there is no row of the negative class" })
  lu.assertEquals(message(native.best_threshold, source, { goal = "cost" }),
    "goal = 'cost' needs costs = {{tn, fp}, {fn, tp}}")
  lu.assertEquals(message(native.best_threshold, source, { goal = "gini" }),
    "goal = 'gini' is not one of accuracy, f_beta, youden, balanced_accuracy, mcc, cost")
end
