-- Numbers that people see: ties that rounding hides, values that rounding would make 0 or 1, values of
-- parameters, means that are not of the same folds.
local lu = require "luaunit"
local cf = require "crossfold"
local fixtures = require "fixtures"
local html = require "crossfold.report.html"
local number_text = require "crossfold.text.number_text"
local scale = require "crossfold.plot.scale"

TestShownNumbers = {}

local function text_of(page) return (page:gsub("<svg.-</svg>", ""):gsub("<[^>]+>", "|")) end

-- Five test folds of 25 rows; `place` counts the rows of a fold.
local folds, rows_of_fold = 5, 25
local function dataset(name)
  local place, part, code, y = {}, {}, {}, {}
  for i = 1, folds * rows_of_fold do
    place[i], part[i], code[i] = (i - 1) % rows_of_fold + 1, (i - 1) // rows_of_fold + 1, i % 2
    y[i] = i % 2 == 1 and "yes" or "no"
  end
  return cf.dataset { name = name, target = "y", columns = { { name = "place", values = place },
    { name = "part", values = part }, { name = "code", values = code }, { name = "y", values = y } } }
end

-- A learner that is right on right[dataset][fold] rows of a test fold.
local function scripted(name, right)
  return cf.learner { name = name, fit = function(data) return data:name() end,
    predict = function(of, data)
      local place, part, code, labels = data:column("place"), data:column("part"), data:column("code"), {}
      for i = 1, #data do
        labels[i] = (place[i] <= right[of][part[i]]) == (code[i] == 1) and "yes" or "no"
      end
      return labels
    end }
end

-- counts[d][l][f] = right rows of learner l in fold f of dataset d.
local function evaluate(counts)
  local datasets, learners, list = {}, {}, {}
  for i = 1, folds * rows_of_fold do list[i] = (i - 1) // rows_of_fold + 1 end
  for d = 1, #counts do datasets[d] = dataset("d" .. d) end
  for l = 1, #counts[1] do
    local right = {}
    for d = 1, #counts do right["d" .. d] = counts[d][l] end
    learners["l" .. l] = scripted("l" .. l, right)
  end
  return cf.evaluate { datasets = datasets, learners = learners, metrics = "accuracy",
    splitter = cf.splitter("predefined", { list = list }), seed = 1 }
end

-- Python's random.seed(3) drew the folds of these totals of right rows: (110, 110, 105), (101, 104, 101),
-- (115, 112, 112), (108, 108, 108), (99, 103, 103), (111, 107, 111). In each dataset at least one pair of
-- equal totals has means of doubles, sums by math.fsum, that are not equal.
local tied = {
  { { 25, 22, 22, 21, 20 }, { 19, 23, 21, 24, 23 }, { 24, 23, 23, 17, 18 } },
  { { 23, 19, 17, 23, 19 }, { 22, 19, 22, 19, 22 }, { 20, 24, 17, 17, 23 } },
  { { 22, 23, 24, 21, 25 }, { 23, 25, 21, 22, 21 }, { 25, 21, 21, 24, 21 } },
  { { 19, 25, 25, 21, 18 }, { 23, 18, 22, 23, 22 }, { 24, 20, 24, 18, 22 } },
  { { 18, 22, 23, 17, 19 }, { 20, 22, 19, 25, 17 }, { 17, 18, 25, 20, 23 } },
  { { 22, 24, 24, 22, 19 }, { 19, 25, 19, 19, 25 }, { 17, 23, 23, 25, 23 } },
}

function TestShownNumbers:test_equal_numbers_of_right_rows_share_their_rank()
  local result = evaluate(tied)
  local found = cf.compare(result)
  local friedman = found:over().friedman
  -- scipy.stats.rankdata of the totals: 1.9167, 1.9167, 2.1667; of the means of doubles 2, 1.8333, 2.1667.
  for i, sum in ipairs { 11.5, 11.5, 13 } do
    lu.assertAlmostEquals(friedman.average_ranks[i], sum / 6, 1e-15)
  end
  -- scipy.stats.friedmanchisquare of the totals.
  lu.assertAlmostEquals(friedman.tie_corrected.statistic, 0.4, 1e-12)
  lu.assertAlmostEquals(friedman.tie_corrected.p, 0.8187307530779818, 1e-12)
  lu.assertStrContains(text_of(result:report {}),
    "By accuracy, several learners share the best average rank over 6 datasets, 1.92.")
end

function TestShownNumbers:test_equal_numbers_of_right_rows_share_the_best_mean()
  local result = evaluate { { tied[1][1], tied[1][2], tied[1][3] } }
  lu.assertEquals(cf.compare(result):ranking()[1].learner, "l1")
  lu.assertStrContains(text_of(result:report {}),
    "By accuracy, several learners share the best mean, 0.8800.")
  -- 110 of 125 right twice: in which order they come decides nothing.
  local turned = evaluate { { tied[1][2], tied[1][1], tied[1][3] } }
  lu.assertEquals(cf.compare(turned):ranking()[1].learner, "l1")
end

function TestShownNumbers:test_no_signed_rank_is_given_to_a_difference_that_rounding_left()
  local counts = {}
  for d = 1, 6 do counts[d] = { tied[1][1], tied[1][2] } end
  lu.assertEquals(cf.compare(evaluate(counts)):over().undefined,
    "all differences are 0: nothing was tested; p = 1 by convention")
end

function TestShownNumbers:test_a_small_p_of_ranks_is_not_0()
  local counts = {}
  for d = 1, 12 do
    counts[d] = {}
    for l = 1, 4 do
      counts[d][l] = {}
      for f = 1, 5 do counts[d][l][f] = 25 - 4 * l + (d + f) % 3 end
    end
  end
  counts[1][1], counts[1][2] = counts[1][2], counts[1][1]
  local found = cf.compare(evaluate(counts), { alpha = 0.0125 })
  local figure = cf.plot.critical_difference(found)
  -- Ranks 1 2 3 4 in 11 datasets, 2 1 3 4 in one: F = 349 by hand, scipy.stats.f.sf(349, 3, 33) = 4.66e-25.
  lu.assertAlmostEquals(found:over().friedman.iman_davenport.statistic, 349, 1e-9)
  lu.assertStrContains(figure.note, "Iman and Davenport's F: p < 0.0001.")
  lu.assertStrContains(figure.note, "critical difference at 0.0125 is")
end

-- Roundings by hand.
function TestShownNumbers:test_what_is_neither_0_nor_1_does_not_look_so()
  for value, text in pairs { [0.0] = "0.0000", [1.0] = "1.0000", [0.99996] = "0.99996",
    [-0.99996] = "-0.99996", [0.99994] = "0.9999", [0.00004] = "0.000040", [3.7e-17] = "3.7e-17",
    [9.96e-11] = "1.0e-10", [-2.5e-300] = "-2.5e-300", [5e-324] = "4.9e-324" } do
    lu.assertEquals(number_text.fixed(value), text)
  end
  lu.assertEquals(html.number(0.99996), "0.99996")
  lu.assertEquals(html.number(1.0), "1.0000")
  lu.assertEquals(scale.text(0.99996), "0.99996")
  lu.assertEquals(scale.text(1.0), "1")
  lu.assertEquals(scale.text(0.9999999999999998), "1")
  lu.assertEquals({ number_text.share(1), number_text.share(0), number_text.share(0.9996),
    number_text.share(0.0004), number_text.share(0.125) },
    { "100.0 %", "0.0 %", ">99.9 %", "<0.1 %", "12.5 %" })
  -- Thresholds that cf.threshold chose on breast_cancer.
  lu.assertEquals({ number_text.threshold(0.000197013), number_text.threshold(0.00137),
    number_text.threshold(0.9437), number_text.threshold(3.54e-54), number_text.threshold(-math.huge),
    number_text.threshold(0.0) }, { "0.000197", "0.00137", "0.9437", "3.5e-54", "-inf", "0.0000" })
  lu.assertEquals({ number_text.probability(0.999999), number_text.probability(0.95),
    number_text.probability(0.996), number_text.probability(1) },
    { "above 0.9999", "0.95", "0.996", "1.00" })
end

function TestShownNumbers:test_what_was_chosen_is_not_rounded()
  lu.assertEquals({ number_text.confidence(0.95), number_text.confidence(0.9995),
    number_text.confidence(0.999), number_text.confidence(0.99999) },
    { "95 %", "99.95 %", "99.9 %", "99.999 %" })
  lu.assertEquals({ number_text.chosen(0.01, 3), number_text.chosen(0.0125, 3),
    number_text.chosen(0.05498) }, { "0.010", "0.0125", "0.05498" })
end

function TestShownNumbers:test_one_wrong_row_of_many_is_more_than_0_percent()
  local x, y = {}, {}
  for i = 1, 4000 do x[i], y[i] = i, i % 2 == 1 and "a" or "b" end
  local result = cf.evaluate {
    data = cf.dataset { name = "many", target = "y", columns = { { name = "x", values = x },
      { name = "y", values = y } } },
    learners = { one_off = cf.learner { name = "one_off", fit = function() return 0 end,
      predict = function(_, data)
        local labels = {}
        for i, value in ipairs(data:column("x")) do
          labels[i] = value ~= 7 and value % 2 == 1 and "a" or "b"
        end
        return labels
      end } },
    splitter = cf.splitter("kfold", { folds = 2 }), metrics = "accuracy", seed = 1,
  }
  lu.assertEquals(fixtures.column(cf.plot.confusion(result).layers[1].points, "label"),
    { "true a, predicted a: 1999 (>99.9 % of the true class)",
    "true a, predicted b: 1 (<0.1 % of the true class)",
    "true b, predicted a: 0 (0.0 % of the true class)",
    "true b, predicted b: 2000 (100.0 % of the true class)" })
end

local function tumours()
  return cf.read(fixtures.folder .. "/breast_cancer.csv", { target = "class" })
end

local function search(make, given)
  given.splitter, given.metric = cf.splitter("kfold", { folds = 3, stratify = true }), "accuracy"
  return cf.evaluate {
    data = tumours(), learners = { s = cf[make](given) }, metrics = "accuracy", seed = 1,
    splitter = cf.splitter("kfold", { folds = 3, stratify = true }),
  }
end

function TestShownNumbers:test_values_of_parameters_are_not_rounded()
  local grid = { ccp_alpha = { 0.00012, 0.000123456, 0.0123456 } }
  local learner = cf.learner("decision_tree", { pruning = "cost_complexity" })
  local result = search("grid_search", { learner = learner, grid = grid })
  local known = {}
  for _, row in ipairs(cf.plot.tuning(result, { learner = "s" }).rows) do known[row.setting] = row.chosen end
  local expected = {}
  for _, row in ipairs(result:tuning("s")) do
    local name = "ccp_alpha=" .. cf.format_number(row.chosen.ccp_alpha)
    expected[name] = (expected[name] or 0) + 1
  end
  lu.assertEquals(known, expected)

  local curve = cf.validation_curve { data = tumours(), learner = learner, parameter = "ccp_alpha",
    values = grid.ccp_alpha, metric = "accuracy", train_scores = false, seed = 1,
    splitter = cf.splitter("kfold", { folds = 3, stratify = true }) }
  for _, value in ipairs { "0.00012 ", "0.000123456 ", "0.0123456 " } do
    lu.assertStrContains(tostring(curve), "\n" .. value)
    lu.assertStrContains(text_of(curve:report {}), "|" .. value:sub(1, -2) .. "|")
    lu.assertStrContains(cf.plot.validation_curve(curve):csv(), "\n" .. value:sub(1, -2) .. ",3,3,")
  end
end

-- Lists are tables of Lua, which have an address and no text; those of two folds are not the same table.
function TestShownNumbers:test_lists_of_parameters_have_their_values_as_names()
  local path = fixtures.new_store()
  local folds_of_three = cf.splitter("kfold", { folds = 3, stratify = true })
  local learner = cf.learner("mlp", { epochs = 3 })
  local result = cf.evaluate { data = fixtures.iris(), seed = 1, metrics = "accuracy", store = path,
    splitter = folds_of_three, learners = { s = cf.grid_search { learner = learner, metric = "accuracy",
      grid = { hidden = { { 5 }, { 10, 5 } }, l2 = { 0.1, 0.001 } }, splitter = folds_of_three } } }
  local expected = {}
  for _, row in ipairs(result:tuning("s")) do
    local name = ("hidden={%s}, l2=%s"):format(table.concat(row.chosen.hidden, ", "),
      cf.format_number(row.chosen.l2))
    expected[name] = (expected[name] or 0) + 1
  end
  for _, found in ipairs { result, cf.stored { store = path }.results[1] } do
    local known = {}
    for _, row in ipairs(cf.plot.tuning(found, { learner = "s" }).rows) do
      known[row.setting] = row.chosen
    end
    lu.assertEquals(known, expected)
    local grid = cf.plot.grid(found, { learner = "s" })
    lu.assertEquals(grid.y.categories, { "{10, 5}", "{5}" })
    lu.assertEquals(grid.rows[3]["param hidden"], "{10, 5}")
    lu.assertEquals({ grid.layers[1].points[3].x, grid.layers[1].points[3].y }, { 2, 1 })
  end
  fixtures.remove_store(path)
  local curve = cf.validation_curve { data = fixtures.iris(), learner = learner, parameter = "hidden",
    values = { { 5 }, { 10, 5 } }, metric = "accuracy", splitter = folds_of_three, seed = 1 }
  lu.assertStrContains(tostring(curve), "\n{10, 5}  accuracy ")
  lu.assertStrContains(curve:to { csv = true }, '\n"{10, 5}",1,1,')
  lu.assertStrContains(cf.plot.validation_curve(curve):csv(), '\n"{10, 5}",3,3,')
  lu.assertStrContains(text_of(curve:report {}), "|{10, 5}|")
end

function TestShownNumbers:test_a_tile_of_a_heat_map_that_is_not_1_does_not_look_so()
  local nearly = cf.metric { name = "nearly", direction = "higher", score = function() return 0.9996 end }
  local two = cf.splitter("kfold", { folds = 2 })
  local result = cf.evaluate { data = fixtures.iris(), metrics = "accuracy", splitter = two, seed = 1,
    learners = { s = cf.grid_search { learner = "knn", metric = nearly, splitter = two,
      grid = { k = { 1, 3 }, weights = { "uniform", "distance" } } } } }
  lu.assertEquals(cf.plot.grid(result).layers[1].points[1].text, "0.9996")
end

function TestShownNumbers:test_means_of_settings_that_left_early_are_told()
  local result = search("halving_search", { learner = "knn", grid = { k = { 1, 5, 9, 25, 41 } },
    min_resource = 0.3 })
  local figure = cf.plot.grid(result, { learner = "s" })
  local early = {}
  for _, row in ipairs(result:tuning("s")) do
    for _, entry in ipairs(row.inner) do
      if entry.round < #row.rounds then early[entry.candidate] = (early[entry.candidate] or 0) + 1 end
    end
  end
  local count = 0
  for i, row in ipairs(figure.rows) do
    lu.assertEquals({ row.left_early, row.with_mean }, { early[row.candidate] or 0, 3 })
    if row.left_early > 0 then
      count = count + 1
      lu.assertStrContains(figure.layers[3].points[i].label, ", left early in " .. row.left_early)
    end
  end
  lu.assertTrue(count >= 3)
  lu.assertStrContains(figure.note, count .. " settings left the search early in some outer folds: their "
    .. "means there are of fewer inner folds or of less of the resource.")
  local full = cf.plot.grid(search("grid_search", { learner = "knn", grid = { k = { 1, 5 } } }),
    { learner = "s" })
  lu.assertEquals(full.note, "Means over the inner folds of 3 outer folds. Band: +- one standard deviation "
    .. "of the inner folds.")
end

function TestShownNumbers:test_infinite_scores_are_values()
  local result = cf.evaluate { data = fixtures.iris(), learners = { tree = "decision_tree" }, seed = 1,
    metrics = { cf.metric("log_loss", { clip = 0 }) }, splitter = cf.splitter("kfold", { folds = 3 }) }
  lu.assertEquals(cf.plot.summary(result).note, "tree has no interval: 3 values are infinite.")
end

-- The band around a pooled curve reaches from the first to the last point of the folds' curves, and where
-- a fold's curve is upright over all of it.
function TestShownNumbers:test_the_range_of_folds_reaches_both_ends()
  local result = cf.evaluate { data = tumours(), learners = { knn = cf.learner("knn", { k = 15 }) },
    metrics = "accuracy", keep = "probabilities", seed = 1,
    splitter = cf.splitter("kfold", { folds = 7, stratify = true }) }
  for kind, x in pairs { precision_recall = "recall", roc = "fpr" } do
    local y = kind == "roc" and "tpr" or "precision"
    local band
    for _, layer in ipairs(cf.plot[kind](result, { aggregation = "pooled" }).layers) do
      if layer.mark == "band" then band = layer.points end
    end
    -- Precision at recall 1 is that of the first threshold that has it; tpr at fpr 0 is all up to the
    -- last one without a false positive.
    local seen, low, high = {}, math.huge, -math.huge
    for _, row in ipairs(result:curve(kind, { aggregation = "folds" }):rows()) do
      local wanted = row[x] == (kind == "roc" and 0 or 1)
      if wanted and (kind == "roc" or not seen[row.fold]) then
        seen[row.fold] = true
        low, high = math.min(low, row[y]), math.max(high, row[y])
      end
    end
    local point = band[kind == "roc" and 1 or #band]
    lu.assertEquals({ kind, point.low, point.high }, { kind, low, high })
    lu.assertEquals(#band, 101)
  end
end

function TestShownNumbers:test_ticks_of_an_axis_differ()
  local function ticks(low, high)
    return table.concat(fixtures.column(scale.new({ scale = "linear", label = "" }, low, high):ticks(6), "text"), " ")
  end
  lu.assertEquals(ticks(1000100, 1000500), "1000100 1000200 1000300 1000400 1000500")
  lu.assertEquals(ticks(0.00001, 0.0000100004),
    "0.0000100000 0.0000100001 0.0000100002 0.0000100003 0.0000100004")
  lu.assertEquals(ticks(-3e6, 3e6), "-3e6 -2e6 -1e6 0 1e6 2e6 3e6")
end

-- As in plot.summary: three equal scores do not prove that the fourth is the same.
function TestShownNumbers:test_equal_scores_of_trials_have_no_interval()
  local curve = cf.learning_curve { data = fixtures.iris(), learners = { floor = "featureless" }, seed = 2,
    metrics = "accuracy", sizes = { 30, 60 }, trials = 4 }
  for _, row in ipairs(curve:summary()) do
    lu.assertEquals({ row.mean, row.sd, row.low, row.high, row.defined }, { row.min, 0.0, nil, nil, 4 })
  end
end

-- The axes of a DET curve show shares, so a reader sees shares, too.
function TestShownNumbers:test_a_det_curve_tells_error_rates()
  local result = cf.evaluate { data = tumours(), learners = { knn = cf.learner("knn", { k = 9 }) },
    metrics = "accuracy", keep = "probabilities", seed = 1, splitter = cf.splitter("kfold", { folds = 3 }) }
  local figure = cf.plot.det(result)
  local layer = figure.layers[#figure.layers]
  for i, row in ipairs(figure.rows) do
    lu.assertEquals(layer.points[i].label, ("knn: fpr %s, fnr %s, threshold %s"):format(
      scale.text(row.fpr), scale.text(row.fnr), scale.text(row.threshold)))
  end
end

function TestShownNumbers:test_counts_are_exact()
  lu.assertEquals(scale.text(1234567), "1234567")
  lu.assertEquals(scale.text(1234567.0), "1.235e6")
end

-- naive_bayes fits and predicts all folds in one call (docs/learners.md), so no fold has a time of fitting.
function TestShownNumbers:test_a_fit_without_a_time_of_its_own_takes_no_0_seconds()
  local result = cf.evaluate { data = fixtures.iris(), metrics = "accuracy", seed = 1,
    learners = { bayes = "naive_bayes", stump = cf.learner("decision_tree", { max_depth = 1 }) },
    splitter = cf.splitter("kfold", { folds = 3 }) }
  local figure = cf.plot.times(result)
  local rows = {}
  for _, row in ipairs(figure.rows) do rows[row.learner] = row end
  lu.assertNil(rows.bayes.fit_seconds)
  lu.assertTrue(rows.bayes.predict_seconds > 0 and rows.stump.fit_seconds > 0)
  lu.assertEquals(figure.note, "Means over the folds. The time of a search is that of the setting that it "
    .. "chose. Under predict is also the fit, in one call for all folds, of bayes.")
  lu.assertStrContains(text_of(result:report {}), "|bayes||iris||3|||")
end

function TestShownNumbers:test_a_description_rounds_nothing_to_none_or_all()
  local x, y = {}, {}
  for i = 1, 3000 do
    x[i], y[i] = i == 5 and cf.null or i * 1.7654321e-8, i == 1 and "b" or "a"
  end
  local text = tostring(cf.describe(cf.dataset { name = "d", target = "y",
    columns = { { name = "x", values = x }, { name = "y", values = y } } }))
  lu.assertStrContains(text, "\na      2999  >99.9%\nb         1  <0.1%\n")
  -- By Python: min 1.7654321e-08, max 5.2962963e-05, in five digits.
  lu.assertStrContains(text, "1 (<0.1%)      2999  1.7654e-08  ")
  lu.assertStrContains(text, "  5.2963e-05  ")
end

function TestShownNumbers:test_long_lists_of_parameters_are_short_where_they_are_shown()
  local function predefined(n)
    local list = {}
    for i = 1, n do list[i] = i % 2 + 1 end
    return cf.splitter("predefined", { list = list })
  end
  local data = fixtures.iris()
  lu.assertEquals(fixtures.message(cf.split, predefined(30), data), "cannot split dataset 'iris' (150 rows) with "
    .. "'predefined{list={2, 1, 2, 1, 2, and 25 more}}': list has 30 numbers, the data has 150 rows")
  local result = cf.evaluate { data = data, learners = "featureless", metrics = "accuracy",
    splitter = predefined(150) }
  local text = "predefined{list={2, 1, 2, 1, 2, and 145 more}}"
  lu.assertEquals(result:provenance().splitter, text)
  local page = text_of(result:report {})
  lu.assertStrContains(page, text)
  lu.assertNotStrContains(page, "2, 1, 2, 1, 2, 1")
  -- Names are identities.
  lu.assertEquals(tostring(predefined(30)), "predefined{list={2" .. (", 1, 2"):rep(14) .. ", 1}}")
end

function TestShownNumbers:test_figures_of_tests_are_printed()
  -- By hand: t = 2.5 / (1.2910 / 2) = 3.8730 on 3 degrees of freedom, 2.5 -+ 3.1824 * 0.6455.
  lu.assertEquals(tostring(cf.stats.paired_t { 1, 2, 3, 4 }), [[
figure          value
--------------  ------
confidence      0.9500
critical        3.1824
df              3.0000
high            4.5543
low             0.4457
mean            2.5000
n               4
p               0.0305
p_greater       0.0152
p_less          0.9848
standard_error  0.6455
statistic       3.8730
variance        1.6667]])
  lu.assertEquals(tostring(cf.stats.adjust_p({ 0.01, 0.02 }, { method = "bonferroni" })), "0.0200, 0.0400")
end
