local lu = require "luaunit"
local cf = require "crossfold"
local fixtures = require "fixtures"

-- Curves that say what probabilities mean: "reliability" and "decision".
TestProbabilities = {}

local message = fixtures.message

-- df_binary of MSKCC-Epi-Bio/dcurves: 750 rows by family history and cancer.
local function family_history(changes)
  local o = { truth = {}, scores = {} }
  for _, cell in ipairs { { 554, 0, false }, { 81, 0, true }, { 91, 1, false }, { 24, 1, true } } do
    for _ = 1, cell[1] do
      o.scores[#o.scores + 1], o.truth[#o.truth + 1] = cell[2], cell[3]
    end
  end
  return fixtures.with(o, changes)
end

-- 40 rows of two classes that overlap, in 10 groups.
local function overlapping(groups)
  local x, y, g = {}, {}, {}
  for i = 1, 40 do
    x[i], g[i] = i * 17 % 41, i % 10
    y[i] = (x[i] + i % 7 * 5) > 34 and "sick" or "fit"
  end
  return cf.dataset { name = "overlapping", target = "y", groups = groups and "g" or nil,
    columns = { { name = "x", values = x }, { name = "y", values = y }, groups and { name = "g", values = g } or nil } }
end

local function evaluate(groups)
  return cf.evaluate { data = overlapping(groups), learners = { bayes = "naive_bayes" }, metrics = "accuracy", seed = 3,
    splitter = cf.splitter("kfold", { folds = 4, stratify = true }), keep = "probabilities" }
end

-- net_benefit.csv of dcurves.
function TestProbabilities:test_net_benefits_are_those_of_dcurves()
  local rows = cf.curve("decision", family_history { thresholds = { 0.05, 0.2 }, samples = 0 }):rows()
  lu.assertAlmostEquals(rows[1].treat_all, 0.0947368421, 5e-11)
  lu.assertAlmostEquals(rows[1].net_benefit, 0.0256140351, 5e-11)
  lu.assertAlmostEquals(rows[2].treat_all, -0.075, 5e-11)
  lu.assertAlmostEquals(rows[2].net_benefit, 0.0016666667, 5e-11)
  lu.assertEquals({ rows[1].treat_none, rows[1].tp, rows[1].fp }, { 0, 24, 91 })
end

-- By hand: (81 + 91) / 750 less (635 * .1276 * .8724 + 115 * .2087 * .7913) / 750.
function TestProbabilities:test_a_decision_curve_says_where_the_model_is_better_and_that_it_is_miscalibrated()
  local curve = cf.curve("decision", family_history { samples = 200 })
  lu.assertEquals(curve:sentence(), "The model is better than treating all rows and than treating none at thresholds "
    .. "0.13 to 0.2, but at none of them is the 95 % interval of the difference above 0. The probabilities of 'true' "
    .. "are miscalibrated (p = 0.0050), which costs 0.1098 of the Brier score 0.2293. So a threshold is not the "
    .. "probability at which treating pays; calibrate first, with cf.calibration.")
  lu.assertStrContains(tostring(curve), curve:sentence())
  local useless = cf.curve("decision", { truth = { true, false, true, false }, scores = { 0.5, 0.5, 0.5, 0.5 },
    thresholds = { 0.25, 0.5, 0.75 } })
  lu.assertEquals(useless:sentence(), "At no threshold is the model better than both treating all rows and treating "
    .. "none. The probabilities of 'true' show no miscalibration beyond chance (p = 1.0000): 0.0000 of the Brier "
    .. "score 0.2500.")
end

function TestProbabilities:test_a_given_prevalence_leaves_calibration_untested()
  local curve = cf.curve("decision", family_history { prevalence = 0.3, samples = 0 })
  lu.assertEquals(curve.prevalence, 0.3)
  lu.assertStrContains(curve:sentence(), "Whether the probabilities of 'true' are calibrated is not tested: the "
    .. "prevalence is not that of the data.")
end

-- By hand: the classes 0 and 1 at .2 and 1 at .6 are a regression with 1/2 and 1.
function TestProbabilities:test_a_reliability_curve_is_an_isotonic_regression_with_the_parts_of_the_score()
  local curve = cf.curve("reliability", { truth = { 0, 1, 1 }, scores = { 0.2, 0.2, 0.6 }, samples = 100 })
  local rows = curve:rows()
  lu.assertEquals({ rows[1].predicted, rows[1].recalibrated, rows[1].weight }, { 0.2, 0.5, 2 })
  lu.assertEquals({ rows[2].predicted, rows[2].recalibrated, rows[2].weight }, { 0.6, 1, 1 })
  lu.assertAlmostEquals(curve.score, (0.04 + 0.64 + 0.16) / 3, 1e-12)
  lu.assertAlmostEquals(curve.uncertainty, 2 / 9, 1e-12)
  lu.assertAlmostEquals(curve.miscalibration, 0.84 / 3 - 0.5 / 3, 1e-12)
  lu.assertAlmostEquals(curve.discrimination, 2 / 9 - 0.5 / 3, 1e-12)
  lu.assertStrContains(curve:sentence(), " of the Brier score 0.2800. Brier score 0.2800 = miscalibration 0.1133 - "
    .. "discrimination 0.0556 + uncertainty 0.2222.")
end

function TestProbabilities:test_the_log_score_is_infinite_for_what_was_impossible()
  local curve = cf.curve("reliability", { truth = { 0, 1, 1 }, scores = { 0, 0, 0.6 }, score = "log", samples = 100 })
  lu.assertEquals(curve.score, math.huge)
  lu.assertEquals(curve:sentence(), "The probabilities of '1' are miscalibrated (p = 0.0099), which costs all of the "
    .. "log score, which is infinite: a row has probability 0 for its class.")
end

function TestProbabilities:test_data_with_groups_have_a_bootstrap_band_and_no_test()
  local result = evaluate(true)
  local curve = result:curve("reliability")
  lu.assertNil(curve.p)
  lu.assertNotNil(curve:rows()[1].low)
  lu.assertStrContains(curve:sentence(), "Whether the probabilities of 'sick' are calibrated is not tested: the rows "
    .. "of a group depend on each other.")
  lu.assertEquals(message(result.curve, result, "reliability", { band = "consistency" }), "cannot draw a reliability "
    .. "curve: a consistency band assumes independent rows, and the rows of a group depend on each other; use the "
    .. "band 'bootstrap', which draws whole groups")
  lu.assertStrContains(result:curve("decision"):sentence(), "not tested: the rows of a group depend on each other.")
end

-- The same rows with and without groups of one row each.
function TestProbabilities:test_groups_of_lists_are_drawn_whole()
  local one = family_history { groups = {}, samples = 50, thresholds = { 0.1 } }
  for i = 1, #one.truth do one.groups[i] = "all" end
  local row = cf.curve("decision", one):rows()[1]
  lu.assertEquals({ row.low, row.high }, { row.net_benefit, row.net_benefit })
end

function TestProbabilities:test_the_seed_decides_about_the_samples()
  local result = evaluate()
  local function low(seed) return result:curve("decision", { seed = seed, thresholds = { 0.3 } }):rows()[1].low end
  lu.assertEquals(low(1), low(1))
  lu.assertNotEquals(low(1), low(2))
end

function TestProbabilities:test_one_line_per_fold_has_no_sentence()
  local curve = evaluate():curve("reliability", { aggregation = "folds", samples = 20 })
  lu.assertNil(curve:sentence())
  lu.assertEquals(#curve.folds, 4)
  lu.assertNotNil(curve.folds[1].miscalibration)
end

function TestProbabilities:test_scores_that_are_not_probabilities_are_refused()
  for kind, name in pairs { reliability = "reliability", decision = "decision" } do
    lu.assertEquals(message(cf.curve, kind, { truth = { 0, 1 }, scores = { 0, 2 } }), ("cannot draw a %s curve: "
      .. "score 2 is 2, which is not a probability; calibrate the scores first"):format(name))
  end
end

function TestProbabilities:test_figures_have_the_lines_to_compare_with_and_the_sentences()
  local result = evaluate()
  local made = cf.plot.decision(result)
  lu.assertEquals(made.sentences, { "bayes: " .. result:curve("decision"):sentence() })
  lu.assertStrContains(made.note, "Bands: 95 % bootstrap interval at each threshold. Grey: treating all rows (falls), "
    .. "and treating none (flat).")
  local guides = 0
  for _, layer in ipairs(made.layers) do guides = guides + (layer.role == "guide" and 1 or 0) end
  lu.assertEquals(guides, 2)
  lu.assertStrContains(result:curve("decision"):to { gnuplot = true }, '$treat_all using 1:2')
  lu.assertStrContains(cf.plot.reliability(result).note, "where 95 % of the curves of calibrated probabilities are")
end

function TestProbabilities:test_the_report_has_both_figures_with_their_sentences()
  local result = evaluate()
  local page = result:report()
  for _, kind in ipairs { "reliability", "decision" } do
    local sentence = result:curve(kind):sentence():gsub("'", "&#39;")
    lu.assertStrContains(page, "<li>bayes: " .. sentence)
  end
end
