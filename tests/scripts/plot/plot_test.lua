-- cf.plot: every figure of real results, and of the awkward ones.
local lu = require "luaunit"
local cf = require "crossfold"
local bounded_mean = require "crossfold.stats.bounded_mean"
local extent = require "crossfold.plot.extent"
local fixtures = require "fixtures"
local markup = require "markup"
local options = require "crossfold.options"

TestPlot = {}

local message = fixtures.message

local function kfold(folds) return cf.splitter("kfold", { folds = folds, stratify = true }) end

local function tumours()
  return cf.read(fixtures.folder .. "/breast_cancer.csv", { target = "class" })
end

-- Of three folds of breast_cancer, but for the changes.
local function evaluate(changes)
  local data = not changes.datasets and tumours() or nil
  return cf.evaluate(fixtures.with({ data = data, splitter = kfold(3), metrics = "accuracy" }, changes))
end

-- Four learners on two classes, evaluated once.
local kept
local function result()
  kept = kept or evaluate {
    splitter = kfold(5), metrics = { "accuracy", "log_loss" }, seed = 3, keep = "probabilities",
    learners = {
      bayes = "naive_bayes", floor = "featureless",
      fragile = cf.learner("debug", { action = "throw_in_predict", when_row = 7 }),
      knn = cf.grid_search { learner = "knn", grid = { k = { 1, 5, 15 } }, splitter = kfold(3), metric = "accuracy" },
    },
  }
  return kept
end

-- A figure whose SVG is well-formed and whose text is there.
local function drawn(made)
  local elements = markup.check(made:svg())
  lu.assertTrue(#made:text() > 100)
  lu.assertEquals(made:svg(), made:svg())
  lu.assertTrue(made:csv():find("\n", 1, true) ~= nil)
  return made, elements
end

local function layers_of(made, mark)
  local list = {}
  for _, layer in ipairs(made.layers) do
    if layer.mark == mark and layer.role ~= "guide" then list[#list + 1] = layer end
  end
  return list
end

-- Scores --------------------------------------------------------------------------------------------

-- With the quantile z, and the standard error of 9 right rows of 10, it is Wilson's interval, as cf.stats has it.
function TestPlot:test_the_interval_of_a_bounded_mean_is_the_score_interval()
  local interval = bounded_mean.interval
  for _, correct in ipairs { 1, 5, 9 } do
    local wilson, p = cf.stats.accuracy_interval { correct = correct, n = 10 }, correct / 10
    local half = 1.959963984540054 * math.sqrt(p * (1 - p) / 10)
    local low, high = interval(p, half, 0, 1)
    lu.assertAlmostEquals(low, wilson.low, 1e-12)
    lu.assertAlmostEquals(high, wilson.high, 1e-12)
    low, high = interval(2 * p - 1, 2 * half, -1, 1)  -- in other units the same
    lu.assertAlmostEquals(low, 2 * wilson.low - 1, 1e-12)
    lu.assertAlmostEquals(high, 2 * wilson.high - 1, 1e-12)
  end
  -- The recall of issue 18: t says -0.0477 to 0.0877.
  local low, high = interval(0.02, 0.0677, 0, 1)
  lu.assertTrue(0 < low and low < 0.02 and 0.0877 < high and high < 1)
  -- One bound: (mean - m)^2 <= half^2 m / mean. None: t. Far from the bounds nearly t.
  low, high = interval(2, 3, 0)
  lu.assertAlmostEquals(low, 2 + (4.5 - math.sqrt(4.5 ^ 2 + 36)) / 2, 1e-12)
  lu.assertAlmostEquals(high, 2 + (4.5 + math.sqrt(4.5 ^ 2 + 36)) / 2, 1e-12)
  lu.assertEquals({ interval(2, 3) }, { -1, 5 })
  lu.assertEquals({ interval(-2, 3, nil, -3) }, { -5, -2 })  -- a mean beyond its bound
  lu.assertEquals({ interval(1, 0.5, 0, 1) }, { 0.5, 1 })
  low, high = interval(0.5, 0.01, 0, 1)
  lu.assertAlmostEquals(low, 0.49, 1e-5)
  lu.assertAlmostEquals(high, 0.51, 1e-5)
end

function TestPlot:test_an_interval_stays_within_the_bounds_of_the_metric()
  for _, metric in ipairs { "accuracy", "matthews_correlation" } do
    local made = evaluate { splitter = cf.splitter("kfold", { folds = 2 }), metrics = metric, seed = 1, keep = "none",
      learners = { stump = cf.learner("decision_tree", { max_depth = 1 }) } }
    local figure = cf.plot.summary(made, { confidence = 0.99 })
    local row, values = figure.rows[1], {}
    for i, score in ipairs(made:scores()) do values[i] = score.value end
    local t = cf.stats.corrected_t(values, { test_train_ratio = 1, confidence = 0.99 })
    local least, most = metric == "matthews_correlation" and -1 or 0, 1
    lu.assertTrue(t.low < least or t.high > most, metric)
    lu.assertTrue(least < row.low and row.low < row.mean and row.mean < row.high and row.high < most, metric)
    lu.assertStrContains(figure.note, "because the training sets of folds overlap; within the bounds of the metric.")
  end
end

-- The ends of the axis of values.
local function ends(figure)
  local x, y = extent.scales(figure)
  local axis = figure.value_axis == "x" and x or y
  return { axis.low, axis.high }
end

function TestPlot:test_the_axis_of_a_metric_does_not_go_beyond_the_metric()
  local twofold = evaluate { seed = 1, splitter = cf.splitter("kfold", { folds = 2 }),
    metrics = { "accuracy", "matthews_correlation" },
    learners = { stump = cf.learner("decision_tree", { max_depth = 1 }), knn = cf.grid_search {
      learner = "knn", grid = { k = { 1, 3 } }, splitter = kfold(2), metric = "accuracy" } } }
  local x, y = {}, {}
  for i = 1, 40 do x[i], y[i] = i, i % 7 end
  local errors = evaluate { data = cf.dataset { name = "numbers", target = "y", columns = { { name = "x", values = x },
    { name = "y", values = y } } }, splitter = cf.splitter("kfold", { folds = 2 }), metrics = "mse", seed = 1,
    learners = { mean = "featureless" } }
  for _, name in ipairs { "folds", "summary" } do
    -- Two folds: t with one degree of freedom.
    local accuracy = cf.plot[name](twofold, { metric = "accuracy", learners = { "stump" } })
    local interval = layers_of(accuracy, "intervals")[1].points[1]
    lu.assertTrue(interval.high < 1)
    lu.assertTrue(ends(accuracy)[2] <= 1)
    local correlation = cf.plot[name](twofold, { metric = "matthews_correlation", confidence = 0.99 })
    lu.assertTrue(ends(correlation)[1] >= -1 and ends(correlation)[2] <= 1)
    local loss = cf.plot[name](errors, { confidence = 0.99 })
    interval = layers_of(loss, "intervals")[1].points[1]
    lu.assertTrue(interval.low > 0)
    lu.assertTrue(ends(loss)[1] >= 0)
    lu.assertTrue(ends(loss)[2] > interval.high)  -- no error is the largest
  end
  local curve = cf.validation_curve { data = fixtures.iris(), learner = "knn", parameter = "k",
    values = { 1, 9 }, splitter = kfold(5), metric = "accuracy", seed = 9 }
  lu.assertTrue(curve:summary()[2].mean + curve:summary()[2].sd > 1)
  local figure = cf.plot.validation_curve(curve)
  lu.assertEquals(ends(figure)[2], 1)
  lu.assertEquals(figure.note, "Bands: mean +- one standard deviation over the splits. What reaches beyond the "
    .. "values that the metric can have is cut there.")
  local sizes = cf.learning_curve { data = fixtures.iris(), learners = "knn", sizes = { 20, 60 }, trials = 2,
    metrics = "accuracy", test_share = 0.1, seed = 2 }
  lu.assertTrue(sizes:summary()[2].high < 1)
  lu.assertTrue(ends(cf.plot.learning_curve(sizes))[2] <= 1)
  lu.assertTrue(ends(cf.plot.grid(twofold, { learner = "knn" }))[2] <= 1)
end

function TestPlot:test_what_has_to_be_chosen_is_told_with_its_names()
  lu.assertEquals(message(cf.plot.confusion, result()), "cannot plot confusion: confusion: several learners or "
    .. "datasets fit; name the learner, one of: bayes, floor, fragile, knn")
  lu.assertEquals(message(cf.plot.folds, result(), { learners = {} }), "cannot plot folds: learners = {} names "
    .. "none; leave the option out for all learners")
end

function TestPlot:test_the_interval_is_that_of_the_corrected_resampled_t()
  local without_rows = evaluate { splitter = cf.splitter("kfold", { folds = 5 }), seed = 3, keep = "none",
    learners = { bayes = "naive_bayes" } }
  local made = drawn(cf.plot.summary(without_rows))
  local values = fixtures.column(without_rows:scores(), "value")
  -- 569 rows: each is tested once and trains four times.
  local t = cf.stats.corrected_t(values, { test_train_ratio = 569 / (4 * 569) })
  local row = made.rows[1]
  lu.assertEquals({ row.learner, row.folds, row.defined }, { "bayes", 5, 5 })
  lu.assertAlmostEquals(row.mean, t.mean, 1e-12)
  -- At its ends the distance is that of t, by the spread that a share has there.
  for _, value in ipairs { row.low, row.high } do
    lu.assertAlmostEquals(math.abs(value - t.mean) * math.sqrt(t.mean * (1 - t.mean) / (value * (1 - value))),
      t.high - t.mean, 1e-12)
  end
  lu.assertStrContains(made.note, "Intervals: 95 %, for the procedure, corrected resampled t (Nadeau and Bengio 2003), "
    .. "because the training sets of folds overlap; within the bounds of the metric.")
end

function TestPlot:test_the_interval_of_one_split_is_that_of_the_rows()
  local one = evaluate { splitter = "holdout", learners = { bayes = "naive_bayes" } }
  local made, wanted = drawn(cf.plot.summary(one)), one:interval { metric = "accuracy" }[1]
  lu.assertEquals(wanted.method, "clt")
  lu.assertEquals({ made.rows[1].low, made.rows[1].high }, { wanted.low, wanted.high })
  lu.assertStrContains(made.note, "Intervals: 95 %, for the fitted models, central limit theorem over the test rows "
    .. "(Bayle et al. 2020); within the bounds of the metric.")
end

function TestPlot:test_failed_folds_are_gaps_with_a_note()
  local made = drawn(cf.plot.folds(result(), { metric = "log_loss", learners = { "fragile" } }))
  local dots = layers_of(made, "points")[1].points
  local undefined = 0
  for _, point in ipairs(dots) do undefined = undefined + (point.x == nil and 1 or 0) end
  lu.assertEquals({ #dots, undefined }, { 5, 1 })
  lu.assertStrContains(made.note, "fragile: 1 of 5 folds without a value (failed at predict debug: "
    .. "thrown in predict, as asked).")
  lu.assertEquals(#made.rows, 5)
end

function TestPlot:test_one_fold_of_what_is_not_a_mean_over_rows_has_no_interval_and_says_so()
  local once = evaluate { data = fixtures.iris(), learners = { "naive_bayes" }, metrics = { "f1_macro" },
    splitter = cf.splitter("holdout", { test_share = 0.4 }) }
  for _, name in ipairs { "folds", "summary" } do
    local made = drawn(cf.plot[name](once))
    lu.assertEquals(made.note, "naive_bayes has no interval: 'f1{average=macro}' is not a mean over rows, and one "
      .. "split has no spread; use several, as of \"kfold\".")
  end
end

function TestPlot:test_an_infinite_score_has_no_mean()
  local asked = 0
  local loss = cf.metric { name = "loss", direction = "lower", score = function()
    asked = asked + 1
    return asked < 3 and math.huge or 0.5
  end }
  local one = evaluate { data = fixtures.iris(), learners = { sure = "featureless" }, metrics = loss }
  local made = drawn(cf.plot.folds(one))
  lu.assertEquals(made.note, "sure has no interval: 2 values are infinite.")
  lu.assertNil(drawn(cf.plot.summary(one)).rows[1].mean)
end

function TestPlot:test_several_datasets_are_rows_of_their_own()
  local two = evaluate { datasets = { a = fixtures.iris(), b = tumours() }, learners = { "naive_bayes" } }
  lu.assertEquals(cf.plot.folds(two).y.categories, { "naive_bayes on a", "naive_bayes on b" })
  lu.assertEquals(cf.plot.folds(two, { dataset = "b" }).y.categories, { "naive_bayes" })
  lu.assertEquals(message(cf.plot.folds, two, { dataset = "c" }),
    "cannot plot folds: there is no dataset 'c'; known: a, b")
end

function TestPlot:test_thirty_learners_stay_readable()
  local learners = {}
  for i = 1, 30 do
    learners[("a learner with a rather long name %02d"):format(i)] = cf.learner("knn", { k = i })
  end
  local many = evaluate { learners = learners, splitter = kfold(2), keep = "probabilities" }
  local folds, elements = drawn(cf.plot.folds(many))
  lu.assertEquals(#folds.y.categories, 30)
  lu.assertTrue(tonumber(elements[1][2].height) > 30 * 20)
  local roc = drawn(cf.plot.roc(many))
  lu.assertEquals(#roc.series, 30)
  lu.assertStrContains(roc.note, "Bands are left out for more than 4 learners.")
  lu.assertEquals(#layers_of(roc, "band"), 0)
end

-- Curves --------------------------------------------------------------------------------------------

function TestPlot:test_all_learners_are_in_one_roc_figure()
  local made = drawn(cf.plot.roc(result(), { positive = "malignant" }))
  lu.assertEquals(made.title, "ROC curve: class malignant on breast_cancer")
  lu.assertEquals(#made.series, 4)
  lu.assertEquals(#layers_of(made, "band"), 4)
  local curve = result():curve("roc", { learner = "bayes", positive = "malignant",
    aggregation = "vertical" })
  local line = layers_of(made, "line")[1]
  lu.assertEquals(#line.points, #curve:rows())
  lu.assertEquals({ line.points[7].x, line.points[7].y, line.points[7].low },
    { curve:rows()[7].fpr, curve:rows()[7].tpr, curve:rows()[7].low })
  lu.assertStrContains(made.series[1], ("bayes (mean auc %s)"):format(cf.format_number(
    curve.mean_auc, 3)))
  lu.assertStrContains(made.note, "1 fold without a curve; the first: fragile, ")
end

function TestPlot:test_every_kind_of_curve_has_a_figure()
  for _, name in ipairs { "precision_recall", "det", "calibration", "lift", "cost", "reliability", "decision" } do
    local made = drawn(cf.plot[name](result(), { positive = "malignant", learners = { "bayes" } }))
    lu.assertEquals(made.kind, name)
    lu.assertEquals(#made.rows, #result():curve(name, { learner = "bayes",
      positive = "malignant" }):rows())
  end
  local folds = drawn(cf.plot.roc(result(), { positive = "malignant", learners = { "knn" },
    aggregation = "folds" }))
  local gaps = 0
  for _, point in ipairs(layers_of(folds, "line")[1].points) do
    gaps = gaps + (point.x == nil and 1 or 0)
  end
  lu.assertEquals(gaps, 4)
end

function TestPlot:test_the_positive_class_is_named_alike_for_every_kind_of_curve()
  local three = evaluate { data = fixtures.iris(), learners = { "naive_bayes" }, splitter = kfold(2),
    keep = "probabilities" }
  for _, name in ipairs { "roc", "precision_recall", "det", "calibration", "lift", "cost" } do
    local made = cf.plot[name](three, { positive = "versicolor" })
    lu.assertStrContains(made.title, ": class versicolor on iris")
    lu.assertEquals(message(cf.plot[name], three, { positive = "versicolour" }), ("cannot plot %s: cannot find "
      .. "the positive class: there is no class 'versicolour'; did you mean 'versicolor'? known: setosa, "
      .. "versicolor, virginica"):format(name))
    lu.assertEquals(message(cf.plot[name], three), ("cannot plot %s: cannot find the positive class: there are 3 "
      .. "classes (setosa, versicolor, virginica); name one of them, as in positive = \"virginica\""):format(name))
  end
end

function TestPlot:test_a_band_holds_every_fold()
  local made = cf.plot.lift(result(), { positive = "malignant", learners = { "bayes" } })
  lu.assertStrContains(made.note, "Bands: from the lowest to the highest fold.")
  local band = layers_of(made, "band")[1].points
  local folds = result():curve("lift", { learner = "bayes", positive = "malignant",
    aggregation = "folds" })
  local inside = 0
  for _, row in ipairs(folds:rows()) do
    local i = math.tointeger(row.share * 100 // 1)
    if row.share * 100 == i then
      inside = inside + 1
      lu.assertTrue(row.gain >= band[i + 1].low - 1e-12 and row.gain <= band[i + 1].high + 1e-12)
    end
  end
  lu.assertTrue(inside >= 10)
end

function TestPlot:test_what_has_no_curve_says_why()
  lu.assertEquals(message(cf.plot.roc, evaluate { data = fixtures.separable(), learners = { "knn" },
    splitter = kfold(2) }),
    "cannot plot roc: curve: no probabilities were kept; evaluate with keep = \"probabilities\"")
  local one_class = evaluate { data = fixtures.separable(), learners = { "featureless" }, keep = "probabilities",
    splitter = cf.splitter("predefined", { list = { 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2 } }) }
  lu.assertStrContains(message(cf.plot.roc, one_class, { aggregation = "vertical" }),
    "cannot plot roc: no learner has a curve: ")
end

-- Classes -------------------------------------------------------------------------------------------

function TestPlot:test_confusion_tiles_are_shares_of_the_true_class()
  local made, elements = drawn(cf.plot.confusion(result(), { learner = "bayes" }))
  local counts = result():confusion("bayes").counts
  local tile = layers_of(made, "tiles")[1].points[2]
  lu.assertEquals(tile.text, tostring(counts[1][2]))
  lu.assertAlmostEquals(tile.value, counts[1][2] / (counts[1][1] + counts[1][2]), 1e-12)
  lu.assertEquals(markup.count(elements, "rect", "cf-tile"), 4)
  lu.assertEquals(made.columns, { "truth", "predicted", "count", "share" })
end

function TestPlot:test_a_class_without_rows_has_no_shares()
  local data = cf.dataset { name = "few", target = "y", columns = {
    { name = "x", values = { 1, 2, 3, 4, 5, 6 } },
    { name = "y", values = { "a", "a", "a", "b", "b", "b" }, levels = { "a", "b", "c" } } } }
  local made = drawn(cf.plot.confusion(evaluate { data = data, learners = { "featureless" },
    splitter = cf.splitter("kfold", { folds = 2 }) }))
  lu.assertStrContains(made.note, "No row is truly of class c, so there are no shares.")
  local last = layers_of(made, "tiles")[1].points[9]
  lu.assertNil(last.value)
  lu.assertEquals(last.text, "0")
end

function TestPlot:test_a_hundred_classes_drop_the_numbers_and_empty_tiles()
  local x, y = {}, {}
  for i = 1, 400 do x[i], y[i] = i, ("class %03d <&>"):format((i - 1) % 100) end
  local data = cf.dataset { name = "many", target = "y",
    columns = { { name = "x", values = x }, { name = "y", values = y } } }
  local many = evaluate { data = data, learners = { "knn" }, splitter = cf.splitter("kfold", { folds = 2 }) }
  local made, elements = drawn(cf.plot.confusion(many))
  lu.assertEquals(#made.rows, 10000)
  lu.assertStrContains(made.note, "A missing tile is 0.")
  local tiles = markup.count(elements, "rect", "cf-tile")
  lu.assertTrue(tiles > 0 and tiles <= 400)
  lu.assertEquals(markup.count(elements, "text", "cf-o"), 0)
end

function TestPlot:test_regression_has_no_classes_and_no_curves()
  local data = cf.read(fixtures.folder .. "/iris.csv", { target = "petal length (cm)" })
  local numbers = evaluate { data = data, learners = { "featureless" }, metrics = { "mae" },
    splitter = cf.splitter("kfold", { folds = 3 }), keep = "labels" }
  drawn(cf.plot.folds(numbers))
  lu.assertEquals(message(cf.plot.confusion, numbers),
    "cannot plot confusion: confusion: the target is not categorical")
  local yes, reason = cf.plot.applicable("roc", numbers)
  lu.assertFalse(yes)
  lu.assertStrContains(reason, "cannot plot roc: ")
end

-- Lines with intervals of many learners hide each other. What is not drawn is reported.
function TestPlot:test_a_calibration_figure_has_the_four_learners_with_the_smallest_error()
  local learners, names = {}, {}
  for i = 1, 7 do
    names[i] = "k" .. 4 * i
    learners[names[i]] = cf.learner("knn", { k = 4 * i })
  end
  local many = evaluate { seed = 3, keep = "probabilities", learners = learners }
  local errors = {}
  for i, name in ipairs(names) do
    errors[i] = many:curve("calibration", { learner = name, positive = "malignant" }).ece
  end
  local made = drawn(cf.plot.calibration(many, { positive = "malignant" }))
  local sorted, series = table.move(errors, 1, #errors, 1, {}), table.concat(made.series, "; ")
  table.sort(sorted)
  lu.assertEquals(#made.series, 4)
  for i, name in ipairs(names) do
    local is_drawn = series:find(name .. " (", 1, true) ~= nil
    lu.assertEquals(is_drawn, errors[i] <= sorted[4], name)
    lu.assertEquals(made.note:find(("%s (%.3f)"):format(name, errors[i]), 1, true) ~= nil, not is_drawn, name)
  end
  lu.assertStrContains(made.note, "Drawn: the 4 of 7 learners with the smallest ece; the others: ")
  lu.assertEquals(#cf.plot.calibration(many, { learners = names, positive = "malignant" }).series, 7)
  lu.assertEquals(#cf.plot.roc(many, { positive = "malignant" }).series, 7)
end

-- Searches ------------------------------------------------------------------------------------------

local searched
local function searches()
  local function search(learner, grid)
    return cf.grid_search { learner = learner, grid = grid, splitter = kfold(2),
      metric = "accuracy" }
  end
  searched = searched or evaluate {
    data = fixtures.iris(), seed = 1,
    learners = {
      one = search("knn", { k = { 1, 5, 15 } }),
      two = search("knn", { k = { 1, 5, 15 }, distance = { "manhattan", "euclidean" } }),
      three = search("decision_tree", { criterion = { "gini", "entropy" }, max_depth = { 2, 4 }, min_leaf = { 1, 9 } }),
      random = cf.random_search { learner = "decision_tree", splitter = kfold(2), metric = "accuracy", candidates = 15,
        space = { min_leaf = { low = 1, high = 40, scale = "log" }, max_depth = { low = 1, high = 30 } } },
    },
  }
  return searched
end

function TestPlot:test_the_number_of_parameters_decides_how_settings_are_drawn()
  local one = drawn(cf.plot.grid(searches(), { learner = "one" }))
  lu.assertEquals({ #layers_of(one, "line"), #layers_of(one, "band") }, { 1, 1 })
  local two, elements = drawn(cf.plot.grid(searches(), { learner = "two" }))
  lu.assertEquals({ two.x.categories, two.y.categories },
    { { "1", "5", "15" }, { "euclidean", "manhattan" } })
  lu.assertEquals(markup.count(elements, "rect", "cf-tile"), 6)
  local three = drawn(cf.plot.grid(searches(), { learner = "three" }))
  lu.assertEquals(#layers_of(three, "line"), 8)
  lu.assertEquals(three.x.categories, { "criterion", "max_depth", "min_leaf", "mean accuracy" })
  local random = drawn(cf.plot.grid(searches(), { learner = "random" }))
  lu.assertEquals(random.x.scale, "linear")
  lu.assertTrue(#layers_of(random, "points") >= 10)
end

function TestPlot:test_a_tile_is_the_mean_over_the_outer_folds()
  local made, sum = cf.plot.grid(searches(), { learner = "two" }), 0
  for _, row in ipairs(searches():tuning("two")) do sum = sum + row.inner[1].mean / 3 end
  local first = searches():tuning("two")[1].inner[1]
  lu.assertEquals(made.rows[1].candidate, first.candidate)
  lu.assertAlmostEquals(made.rows[1].mean, sum, 1e-12)
  local chosen = 0
  for _, row in ipairs(made.rows) do chosen = chosen + row.chosen end
  lu.assertEquals(chosen, 3)
end

-- The colours of the tiles by their means, and which tiles have a frame. Of log_loss the lowest mean is best.
function TestPlot:test_the_best_tile_has_the_strongest_colour_and_a_frame()
  for metric, best in pairs { log_loss = math.min, accuracy = math.max } do
    local made, elements = drawn(cf.plot.grid(evaluate { data = fixtures.iris(), seed = 1,
      learners = { search = cf.grid_search { learner = "knn", splitter = kfold(2), metric = metric,
        grid = { k = { 1, 5, 30 }, distance = { "manhattan", "euclidean" } } } } }))
    local means, marked = {}, {}
    for i, point in ipairs(layers_of(made, "tiles")[1].points) do
      means[i] = point.value
      marked[i] = point.marked and point.value or nil
    end
    local wanted, other = best(table.unpack(means)), math.min(table.unpack(means))
    if other == wanted then other = math.max(table.unpack(means)) end
    lu.assertEquals({ made.ramp.high, made.ramp.low }, { wanted, other })
    for _, value in pairs(marked) do lu.assertEquals(value, wanted) end
    local n = 0
    for _, value in ipairs(means) do n = n + (value == wanted and 1 or 0) end
    lu.assertEquals(markup.count(elements, "rect", "cf-frame"), 2 * n)
    lu.assertEquals(select(2, made:text():gsub("%*%d", "")), n)
    lu.assertStrContains(made.note, ("Marked: the best mean, %.3f."):format(wanted))
  end
end

function TestPlot:test_choices_are_counted_over_the_outer_folds()
  local made = drawn(cf.plot.tuning(searches(), { learner = "two" }))
  local total = 0
  for _, row in ipairs(made.rows) do total = total + row.chosen end
  lu.assertEquals(total, 3)
  lu.assertStrMatches(made.y.categories[1], "distance=%a+, k=%d+")
  lu.assertEquals(message(cf.plot.tuning, result(), { learner = "bayes" }),
    "cannot plot tuning: tuning: learner 'bayes' chooses nothing, or failed in every fold")
end

function TestPlot:test_thresholds_are_drawn_fold_by_fold()
  local tuned = evaluate { metrics = { "f1" }, learners = { tuned = cf.pipeline { "naive_bayes",
    cf.threshold { metric = "f1", positive = "malignant", splitter = kfold(2) } } } }
  local made = drawn(cf.plot.tuning(tuned))
  lu.assertEquals(made.title, "Thresholds chosen: tuned")
  lu.assertEquals(made.rows[2].threshold, tuned:tuning("tuned")[2].threshold)
end

-- Learning, validation, bias and variance -----------------------------------------------------------

function TestPlot:test_a_learning_curve_with_the_law_that_continues_it()
  local curve = cf.learning_curve { data = tumours(), learners = { bayes = "naive_bayes",
    knn = "knn" }, metrics = { "accuracy" }, sizes = { 20, 40, 80, 160 }, trials = 4, seed = 1 }
  local made = drawn(cf.plot.learning_curve(curve))
  lu.assertEquals(made.x.scale, "log")
  local law = layers_of(made, "line")[1].points
  lu.assertAlmostEquals(law[#law].x, 640, 1e-9)
  local expected = curve:fit("bayes"):at(640)
  lu.assertAlmostEquals(law[#law].y, expected.estimate, 1e-9)
  lu.assertAlmostEquals(law[#law].low, expected.low, 1e-9)
  local point = layers_of(made, "intervals")[1].points[2]
  local row = curve:summary()[2]
  lu.assertEquals({ point.x, point.y, point.low }, { row.size, row.mean, row.low })
  local without = drawn(cf.plot.learning_curve(curve, { fit = false, learners = { "knn" } }))
  lu.assertEquals(#layers_of(without, "band"), 0)
end

function TestPlot:test_a_learning_curve_that_no_law_fits_says_why()
  local curve = cf.learning_curve { data = tumours(), learners = { "naive_bayes" },
    metrics = { "accuracy" }, sizes = { 20, 80 }, trials = 3 }
  local made = drawn(cf.plot.learning_curve(curve))
  lu.assertStrContains(made.note,
    "No power law for naive_bayes: a power law needs 4 or more sizes, there are 2.")
end

function TestPlot:test_a_validation_curve_over_numbers_and_names()
  local function curve(parameter, values)
    return cf.validation_curve { data = fixtures.iris(), learner = "knn", parameter = parameter,
      values = values, splitter = kfold(3), metric = "accuracy" }
  end
  local numbers = curve("k", { 1, 60, 5 })
  local made = drawn(cf.plot.validation_curve(numbers))
  lu.assertEquals(made.series, { "test rows", "training rows" })
  lu.assertEquals(made.x.scale, "log")
  local points = layers_of(made, "line")[1].points
  lu.assertEquals({ points[1].x, points[2].x, points[3].x }, { 1, 5, 60 })
  lu.assertEquals(points[2].y, numbers:summary()[3].mean)
  local names = drawn(cf.plot.validation_curve(curve("distance", { "manhattan", "euclidean" })))
  lu.assertEquals(names.x.categories, { "euclidean", "manhattan" })
end

function TestPlot:test_bias_and_variance_of_both_losses()
  local found = cf.bias_variance { data = tumours(), learners = { "naive_bayes" }, rounds = 4,
    seed = 1 }
  local made = drawn(cf.plot.bias_variance(found))
  lu.assertEquals(made.rows[1].squared_bias, found:rows()[1].kohavi_wolpert.squared_bias)
  local domingos = drawn(cf.plot.bias_variance(found, { method = "domingos" }))
  lu.assertEquals(domingos.rows[1].net, found:rows()[1].domingos.net)
  lu.assertEquals(message(cf.plot.bias_variance, found, { method = "squared" }),
    "cannot plot bias_variance: there is no method 'squared'; known: domingos, kohavi_wolpert")
end

-- Ranks ---------------------------------------------------------------------------------------------

-- A comparison with this result over datasets.
local function compared(over)
  return { over = function() return over end, ranking = function() return {} end,
    rows = function() return { { metric = "auc" } } end }
end

-- A comparison whose scores are Demsar's (2006, table 6): AUC of four variants of C4.5 on 14 datasets.
-- His ranks come from unrounded values: +cf and +m+cf print alike for voting (the 13th), where +cf is
-- better.
local function demsar(alpha)
  local test = cf.stats.friedman({
    { .763, .768, .771, .798 }, { .599, .591, .590, .569 }, { .954, .971, .968, .967 },
    { .628, .661, .654, .657 }, { .882, .888, .886, .898 }, { .936, .931, .916, .931 },
    { .661, .668, .609, .685 }, { .583, .583, .563, .625 }, { .775, .838, .866, .875 },
    { 1, 1, 1, 1 }, { .940, .962, .965, .962 }, { .619, .666, .614, .669 },
    { .972, .981, .9752, .975 }, { .957, .978, .946, .970 },
  }, { higher_is_better = true, learners = { "C4.5", "+m", "+cf", "+m+cf" }, alpha = alpha })
  return compared { friedman = test, datasets = 14 }
end

function TestPlot:test_ranks_and_critical_difference_are_those_of_demsar()
  local made = drawn(cf.plot.critical_difference(demsar(0.1)))
  local ranks = {}
  for i, row in ipairs(made.rows) do ranks[i] = { row.learner, cf.format_number(row.average_rank, 3) } end
  -- His average ranks: 3.143, 2.000, 2.893, 1.964.
  lu.assertEquals(ranks, { { "+m+cf", "1.964" }, { "+m", "2.000" }, { "+cf", "2.893" },
    { "C4.5", "3.143" } })
  -- His critical difference at 0.10 is 1.12 with the rounded q; vectors of frameworks.md 4.7: 1.118060167.
  lu.assertAlmostEquals(made.rows[1].critical_difference, 1.118060167, 1e-8)
  lu.assertEquals(made.y.categories, { "critical difference", "group 1", "group 2",
    "+m+cf (group 1)", "+m (group 1)", "+cf (group 1, 2)", "C4.5 (group 2)" })
  lu.assertAlmostEquals(cf.plot.critical_difference(demsar(0.05)).rows[1].critical_difference,
    1.2535591495, 1e-8)
  -- The ranks alone are the same picture.
  local ranks_of = demsar(0.1).over().friedman
  local alone = drawn(cf.plot.critical_difference(ranks_of))
  lu.assertEquals(alone.rows, made.rows)
  lu.assertEquals(message(cf.plot.critical_difference, ranks_of, { alpha = 0.1 }), "cannot plot "
    .. "critical_difference: the ranks have their scores and alpha already; give alpha to cf.stats.friedman")
end

-- C4.5 and C4.5+m of the same table: +m is better on 10 datasets, worse on 2 and equal on 2, so the ranks
-- are (2 * 10 + 1.5 * 2 + 1 * 2) / 14 and (1 * 10 + 1.5 * 2 + 2 * 2) / 14. His q for two classifiers at 0.05
-- is 1.960 (table 5), and the critical difference q * sqrt(2 * 3 / (6 * 14)).
function TestPlot:test_two_learners_have_ranks_and_a_critical_difference()
  local c45 = { .763, .599, .954, .628, .882, .936, .661, .583, .775, 1, .940, .619, .972, .957 }
  local with_m = { .768, .591, .971, .661, .888, .931, .668, .583, .838, 1, .962, .666, .981, .978 }
  local scores, differences = {}, {}
  for i in ipairs(c45) do scores[i], differences[i] = { c45[i], with_m[i] }, with_m[i] - c45[i] end
  local over = { datasets = 14, p = cf.stats.wilcoxon(differences).p, ranks = cf.stats.friedman(scores,
    { higher_is_better = true, learners = { "C4.5", "+m" } }) }
  local made = drawn(cf.plot.critical_difference(compared(over)))
  lu.assertEquals({ made.rows[1].learner, made.rows[2].learner }, { "+m", "C4.5" })
  lu.assertAlmostEquals(made.rows[1].average_rank, 17 / 14, 1e-12)
  lu.assertAlmostEquals(made.rows[2].average_rank, 25 / 14, 1e-12)
  lu.assertAlmostEquals(made.rows[1].critical_difference, 1.960 * math.sqrt(2 * 3 / (6 * 14)), 1e-4)
  lu.assertEquals(made.y.categories, { "critical difference", "+m", "C4.5" })  -- further apart: no group
  lu.assertEquals(made.note, "Average ranks over 14 datasets, 1 = best. Nemenyi's critical difference at 0.05 is "
    .. "0.524; learners of a group are not separated (Demsar 2006). Wilcoxon's signed ranks, the test of two "
    .. "learners: p = " .. cf.format_number(over.p, 4) .. ".")
end

-- Three datasets, each of every third of the first n rows.
local function thirds(data, n)
  local datasets = { d1 = {}, d2 = {}, d3 = {} }
  for row = 1, n do table.insert(datasets["d" .. (row - 1) % 3 + 1], row) end
  for name, rows in pairs(datasets) do datasets[name] = data:select(rows) end
  return datasets
end

-- Few datasets: a difference of more ranks than there are, which has its room on the axis.
function TestPlot:test_two_learners_on_three_datasets_are_in_one_group()
  local several = evaluate { datasets = thirds(tumours(), 300), learners = { "naive_bayes", "featureless" } }
  local made = drawn(cf.plot.critical_difference(several))
  lu.assertEquals(made.y.categories, { "critical difference", "group 1", "naive_bayes (group 1)",
    "featureless (group 1)" })
  lu.assertAlmostEquals(made.rows[1].critical_difference, 1.959964 / math.sqrt(3), 1e-6)
  lu.assertTrue(extent.scales(made).high >= 1 + made.rows[1].critical_difference)
  lu.assertStrContains(made.note, "There is no test of two learners by signed ranks: with 3 datasets the "
    .. "signed-rank test cannot get below p = 0.2500; it needs 6.")
  lu.assertStrContains(cf.compare(several):report(), "Average ranks: accuracy")
end

local function of_three_datasets(given)
  return cf.compare(evaluate { datasets = thirds(tumours(), 300), learners = { "naive_bayes", "knn", "featureless" } },
    given)
end

function TestPlot:test_a_posterior_over_datasets_is_a_triangle_of_samples()
  local comparison = of_three_datasets()
  local made = drawn(cf.plot.posterior(comparison, { a = "featureless", b = "knn", points = 100 }))
  lu.assertEquals({ #made.rows, made.rows[1].a, made.rows[1].b }, { 100, "featureless", "knn" })
  for i, row in ipairs(made.rows) do
    lu.assertAlmostEquals(row.worse + row.alike + row.better, 1, 1e-12)
    local point = made.layers[2].points[i]
    lu.assertAlmostEquals(point.x, row.better - row.worse, 1e-12)
    lu.assertEquals(point.y, row.alike)
  end
  lu.assertEquals(made.note, comparison:posterior { a = "featureless", b = "knn" }.sentence)
  -- Without names, the first two of the ranking.
  local ranking = comparison:ranking()
  made = drawn(cf.plot.posterior(comparison, { points = 10 }))
  lu.assertEquals({ made.rows[1].a, made.rows[1].b }, { ranking[1].learner, ranking[2].learner })
  lu.assertStrContains(comparison:report(), "Posterior over datasets: ")
end

function TestPlot:test_a_posterior_needs_datasets_and_a_rope()
  lu.assertEquals(message(cf.plot.posterior, cf.compare(result(), { metric = "accuracy" })), "cannot plot posterior: "
    .. "there is no posterior over datasets; compare several datasets, with a rope")
  local two = of_three_datasets { datasets = { "d1", "d2" }, bayes = "hierarchical" }
  lu.assertEquals(message(cf.plot.posterior, two), "cannot plot posterior: there are 2 data sets; the scale between "
    .. "data sets needs at least 3; plot the ranks instead")
end

function TestPlot:test_ranks_need_datasets_and_learners()
  lu.assertEquals(message(cf.plot.critical_difference, result()),
    "cannot plot critical_difference: there is one dataset, and ranks are taken over several; evaluate "
      .. "with datasets = {...}")
  local three = evaluate { datasets = thirds(fixtures.iris(), 150), learners = { "naive_bayes", "knn", "featureless" } }
  local made = drawn(cf.plot.critical_difference(three))
  lu.assertEquals(made.rows[3].learner, "featureless")
  lu.assertEquals(made.rows[1].datasets, 3)
end

-- The rest ------------------------------------------------------------------------------------------

function TestPlot:test_times_and_failures()
  local made = drawn(cf.plot.times(result()))
  lu.assertEquals(#made.rows, 4)
  lu.assertEquals(made.series, { "fit", "predict" })
  local failed = drawn(cf.plot.failures(result()))
  lu.assertEquals(failed.y.categories, { "fragile" })
  lu.assertEquals({ failed.rows[1].stage, failed.rows[1].message },
    { "predict debug", "thrown in predict, as asked" })
  lu.assertEquals(message(cf.plot.failures, result(), { learners = { "bayes" } }),
    "cannot plot failures: no fold failed; there is nothing to draw")
end

function TestPlot:test_the_same_run_gives_the_same_bytes()
  local function once()
    return evaluate { learners = { "naive_bayes", "knn" }, seed = 5, keep = "probabilities" }
  end
  local first, second = once(), once()
  for _, name in ipairs { "folds", "summary", "roc", "calibration", "precision_recall" } do
    local a, b = cf.plot[name](first), cf.plot[name](second)
    lu.assertEquals(a:svg(), b:svg())
    lu.assertEquals(a:text(), b:text())
    lu.assertEquals(a:csv(), b:csv())
  end
end

function TestPlot:test_a_file_is_written_and_options_are_checked()
  local path = os.tmpname() .. ".svg"
  local made = cf.plot.folds(result(), { file = path, title = "Mine" })
  local file = assert(io.open(path, "rb"))
  lu.assertEquals(file:read("a"), made:svg())
  file:close()
  os.remove(path)
  os.remove((path:gsub("%.svg$", "")))
  lu.assertEquals(made.title, "Mine")
  lu.assertEquals(message(cf.plot.folds, result(), { metrics = "accuracy" }),
    "plot.folds: unknown option 'metrics'; did you mean 'metric'? known: confidence, dataset, file, "
      .. "learners, metric, title")
  lu.assertEquals(message(cf.plot.folds, result(), { metric = "f1" }),
    "cannot plot folds: there is no metric 'f1'; known: accuracy, log_loss")
  lu.assertEquals(message(cf.plot.folds, nil),
    "cannot plot folds: the subject is missing, not a result of cf.evaluate; give one")
  lu.assertEquals(message(cf.plot.learning_curve, result()),
    "cannot plot learning_curve: the subject is a table, not a learning curve; give one")
end

function TestPlot:test_what_applies_is_told_without_an_error()
  lu.assertTrue(cf.plot.applicable("folds", result()))
  lu.assertEquals({ cf.plot.applicable("learning_curve", result()) }, { false,
    "cannot plot learning_curve: the subject is a table, not a learning curve; give one" })
  local names = cf.plot.names()
  lu.assertEquals(#names, 22)
  table.sort(names)
  lu.assertEquals(names, cf.plot.names())
  for _, name in ipairs(names) do lu.assertEquals(type(cf.plot[name]), "function") end
  lu.assertEquals(options.sorted_keys(cf.plot)[1], "applicable")
end
