-- What the predictions of a result say of each class, and their file.
local lu = require "luaunit"
local cf = require "crossfold"
local fixtures = require "fixtures"

TestPredictions = {}

local truth = { "a", "a", "a", "a", "b", "b", "b", "b", "b", "c", "c", "c", "d" }

-- Rows whose column `answer` is what `oracle` predicts, in two folds.
local function answer_data(answer)
  local part = {}
  for i = 1, #answer do part[i] = (i - 1) % 2 + 1 end
  return cf.dataset { name = "letters", target = "y", columns = {
    { name = "answer", values = answer }, { name = "part", values = part }, { name = "y", values = truth } } }
end

local oracle = cf.learner { name = "oracle", fit = function() return {} end,
  predict = function(_, data) return data:column("answer") end }

local function evaluate(answer, changes)
  return cf.evaluate(fixtures.with({ data = answer_data(answer), learners = { oracle = oracle }, metrics = "accuracy",
    splitter = cf.splitter("predefined", { column = "part" }) }, changes))
end

local full = { "a", "a", "a", "b", "b", "b", "b", "a", "c", "c", "c", "a", "d" }
local without_d = { "a", "a", "a", "b", "b", "b", "b", "a", "c", "c", "c", "a", "b" }

-- Ground truth: classification_report of scikit-learn 1.2.1 for the lists above.
function TestPredictions:test_the_class_report_has_the_figures_of_scikit_learn()
  local report = evaluate(full):class_report("oracle")
  local expected = {
    { "a", 0.6, 0.75, 0.6666666666666665, 4 }, { "b", 0.75, 0.6, 0.6666666666666665, 5 },
    { "c", 0.6666666666666666, 0.6666666666666666, 0.6666666666666666, 3 }, { "d", 1, 1, 1, 1 },
    { nil, 0.7541666666666667, 0.7541666666666667, 0.7499999999999999, 13 },
    { nil, 0.7038461538461539, 0.6923076923076923, 0.6923076923076922, 13 },
  }
  local rows = table.move(report.rows, 1, 4, 1, {})
  rows[5], rows[6] = report.macro, report.weighted
  lu.assertEquals(#report.rows, 4)
  for i, row in ipairs(rows) do
    lu.assertEquals(row.class, expected[i][1])
    lu.assertAlmostEquals(row.precision, expected[i][2], 1e-14)
    lu.assertAlmostEquals(row.recall, expected[i][3], 1e-14)
    lu.assertAlmostEquals(row.f1, expected[i][4], 1e-14)
    lu.assertEquals(row.support, expected[i][5])
    lu.assertEquals(row.undefined, {})
  end
end

function TestPredictions:test_a_class_that_is_never_predicted_has_no_precision()
  local report = evaluate(without_d):class_report()
  local reason = "no row was predicted 'd'"
  lu.assertEquals(report.rows[4], { class = "d", recall = 0, f1 = 0, support = 1,
    undefined = { precision = reason } })
  lu.assertNil(report.macro.precision)
  lu.assertNil(report.weighted.precision)
  lu.assertEquals(tostring(report), [[
class             precision  recall      f1  support
----------------  ---------  ------  ------  -------
a                    0.6000  0.7500  0.6667        4
b                    0.6000  0.6000  0.6000        5
c                    0.6667  0.6667  0.6667        3
d                         -  0.0000  0.0000        1
macro average             -  0.5042  0.4833       13
weighted average          -  0.6154  0.5897       13
3 figures are undefined; the first: d, precision: no row was predicted 'd']])
end

function TestPredictions:test_a_class_report_names_what_is_missing()
  local result = evaluate(full)
  lu.assertEquals(fixtures.message(result.class_report, result, "orcale"),
    "class_report: there is no learner 'orcale'; did you mean 'oracle'? known: oracle")
  local unkept = evaluate(full, { keep = "none", learners = "featureless" })
  lu.assertEquals(fixtures.message(unkept.class_report, unkept),
    "class_report: no predictions were kept; evaluate with keep = \"labels\"")
  local numbers = cf.evaluate { data = cf.read(fixtures.folder .. "/diabetes_regr.csv",
    { target = "target" }), learners = "featureless", splitter = "kfold", metrics = "mae" }
  lu.assertEquals(fixtures.message(numbers.class_report, numbers),
    "class_report: the target is not categorical")
end

function TestPredictions:test_a_prediction_has_the_confusion_of_a_result()
  local iris, list = fixtures.iris(), {}
  for i = 1, #iris do list[i] = i % 5 + 1 end
  local splitter = cf.splitter("predefined", { list = list })
  local prediction = cf.cross_predict { data = iris, learner = "decision_tree", splitter = splitter }[1]
  local found = prediction:confusion()
  local expected = cf.evaluate { data = iris, learners = "decision_tree", splitter = splitter,
    metrics = "accuracy" }:confusion()
  lu.assertEquals(found.classes, { "setosa", "versicolor", "virginica" })
  lu.assertEquals(found.counts, expected.counts)
  lu.assertEquals(tostring(found), tostring(expected))
  lu.assertEquals(getmetatable(found), getmetatable(expected))
end

function TestPredictions:test_predictions_are_written_as_csv()
  lu.assertEquals(evaluate(full):predictions { csv = true }, [[
dataset,learner,repeat,fold,row,truth,predicted
letters,oracle,1,1,1,a,a
letters,oracle,1,1,3,a,a
letters,oracle,1,1,5,b,b
letters,oracle,1,1,7,b,b
letters,oracle,1,1,9,b,c
letters,oracle,1,1,11,c,c
letters,oracle,1,1,13,d,d
letters,oracle,1,2,2,a,a
letters,oracle,1,2,4,a,b
letters,oracle,1,2,6,b,b
letters,oracle,1,2,8,b,a
letters,oracle,1,2,10,c,c
letters,oracle,1,2,12,c,a
]])
end

-- Two rows of each class; the probabilities of `featureless` are the shares of its training rows.
local function small(name, classes)
  local x, y = { 1, 2, 3, 4 }, { classes[1], classes[2], classes[1], classes[2] }
  return cf.dataset { name = name, target = "y",
    columns = { { name = "x", values = x }, { name = "y", values = y } } }
end

function TestPredictions:test_the_file_has_a_column_for_the_probability_of_each_class()
  local result = cf.evaluate { datasets = { small("first", { "no", "yes" }), small("second", { "no", "p,q" }) },
    learners = "featureless", metrics = "accuracy", keep = "probabilities",
    splitter = cf.splitter("predefined", { list = { 1, 1, 2, 2 } }) }
  local path = os.tmpname()
  lu.assertNil(result:predictions { csv = path })
  local file <close> = io.open(path)
  lu.assertEquals(file:read("a"), [[
dataset,learner,repeat,fold,row,truth,predicted,p(no),p(yes),"p(p,q)"
first,featureless,1,1,1,no,no,0.5,0.5,
first,featureless,1,1,2,yes,no,0.5,0.5,
first,featureless,1,2,3,no,no,0.5,0.5,
first,featureless,1,2,4,yes,no,0.5,0.5,
second,featureless,1,1,1,no,no,0.5,,0.5
second,featureless,1,1,2,"p,q",no,0.5,,0.5
second,featureless,1,2,3,no,no,0.5,,0.5
second,featureless,1,2,4,"p,q",no,0.5,,0.5
]])
  os.remove(path)
end

function TestPredictions:test_predictions_that_are_not_kept_are_not_an_empty_file()
  local unkept = evaluate(full, { keep = "none", learners = "featureless" })
  lu.assertEquals(unkept:predictions(), {})
  lu.assertEquals(fixtures.message(unkept.predictions, unkept, { csv = true }),
    "predictions: no predictions were kept; evaluate with keep = \"labels\"")
end

function TestPredictions:test_a_learner_that_failed_everywhere_leaves_the_others_their_file()
  local broken = cf.learner { name = "broken", fit = function() error("no") end, predict = function() end }
  lu.assertEquals(evaluate(full, { learners = { broken = broken, oracle = oracle } }):predictions { csv = true },
    evaluate(full):predictions { csv = true })
end
