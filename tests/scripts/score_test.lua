local lu = require "luaunit"
local cf = require "crossfold"
local fixtures = require "fixtures"

TestScore = {}

local function score(changes)
  return cf.score(fixtures.with({ truth = { "ham", "spam", "spam", "ham" }, predicted = { "ham", "spam", "ham", "ham" },
    metrics = { "accuracy", "recall" } }, changes))
end

local function problem(changes) return fixtures.message(score, changes) end

function TestScore:test_lists_are_scored()
  lu.assertEquals(score(), { accuracy = 0.75, recall = 0.5, undefined = {} })
end

function TestScore:test_a_short_name_finds_its_value_too()
  local micro = cf.score { truth = { "a", "b" }, predicted = { "a", "a" }, metrics = { "f1_micro" } }
  lu.assertEquals(micro, { ["f1{average=micro}"] = 0.5, undefined = {} })
  lu.assertEquals(micro.f1_micro, 0.5)
  local reasons = cf.score { truth = { "a", "b" }, predicted = { "a", "a" }, metrics = "precision_macro" }
    .undefined
  lu.assertNotNil(reasons.precision_macro)
  lu.assertEquals(reasons.precision_macro, reasons["precision{average=macro}"])
end

function TestScore:test_each_metric_has_one_key()
  local found = cf.score { truth = { "a", "b" }, predicted = { "a", "a" },
    metrics = { "f1_macro", "accuracy", "precision_macro" } }
  lu.assertEquals(fixtures.sorted_keys(found), { "accuracy", "f1{average=macro}", "undefined" })
  lu.assertEquals(found.f1_macro, found["f1{average=macro}"])
  lu.assertEquals(next(found.undefined), "precision{average=macro}")
  lu.assertNil(next(found.undefined, "precision{average=macro}"))
  lu.assertEquals(found.undefined.precision_macro, found.undefined["precision{average=macro}"])
  lu.assertNil(found.no_metric)
end

function TestScore:test_weights_count()
  lu.assertEquals(score { weights = { 1, 1, 2, 0 } }.accuracy, 0.5)
end

function TestScore:test_what_is_undefined_has_a_reason_and_no_value()
  local result = score { predicted = { "ham", "ham", "ham", "ham" }, metrics = "precision" }
  lu.assertNil(result.precision)
  lu.assertEquals(result.undefined, { precision = "no row was predicted 'spam'" })
end

function TestScore:test_classes_may_be_more_than_occur()
  local macro = cf.metric("recall", { average = "macro" })
  local result = score { classes = { "spam", "ham", "other" }, metrics = { macro } }
  lu.assertEquals(result.undefined[tostring(macro)], "no row is of class 'other', so the class has no "
    .. "value to average; skip_undefined = true leaves it out")
  -- The order of the classes is the one given: ham is the second.
  lu.assertEquals(score { classes = { "spam", "ham" } }.recall, 1)
end

function TestScore:test_probabilities_alone_give_labels()
  local result = cf.score {
    truth = { "a", "b" }, probabilities = { { 0.75, 0.25 }, { 0.5, 0.5 } }, classes = { "a", "b" },
    metrics = { "accuracy", "log_loss" },
  }
  lu.assertEquals(result.accuracy, 0.5)  -- a tie goes to the first class
  lu.assertAlmostEquals(result.log_loss, -(math.log(0.75) + math.log(0.5)) / 2, 1e-15)
end

function TestScore:test_metrics_in_lua_are_scored_too()
  local hits = cf.metric { name = "hits", direction = "higher", score = function(truth, predicted)
    local n = 0
    for i = 1, #truth do n = n + (truth[i] == predicted[i] and 1 or 0) end
    return n
  end }
  lu.assertEquals(score { metrics = { hits } }.hits, 3)
end

function TestScore:test_numbers_are_a_regression()
  local result = cf.score { truth = { 1, 2, 4 }, predicted = { 1, 2.5, 3 },
    metrics = { "mae", "max_error", "rae" } }
  lu.assertEquals(result, { mae = 0.5, max_error = 1,
    undefined = { rae = "the training rows are not known" } })
end

function TestScore:test_lists_that_do_not_fit_are_refused()
  lu.assertEquals(problem { predicted = { "ham" } }, "score: the length of 'predicted' is 1, that of 'truth' 4")
  lu.assertEquals(problem { weights = { 1 } }, "score: the length of 'weights' is 1, that of 'truth' 4")
  lu.assertEquals(problem { predicted = { "ham", 1, "ham", "ham" } },
    "score: element 2 of 'predicted' is a number, not a string")
  lu.assertEquals(problem { classes = { "ham", "other" } },
    "score: element 2 of 'truth' is 'spam', which is not one of the classes: ham, other")
  lu.assertEquals(problem { truth = {}, predicted = {} },
    "score: 'truth' is empty; there is nothing to score")
  lu.assertEquals(fixtures.message(cf.score, { truth = { "a" }, metrics = "accuracy" }),
    "score: option 'predicted' is missing; give it or 'probabilities'")
  lu.assertEquals(problem { probabilities = { { 1 }, { 1 }, { 1 }, { 1 } } },
    "score: option 'classes' is missing; it says which probability is of which class")
  lu.assertEquals(problem { classes = { "ham", "spam" }, probabilities = { { 1 }, { 1 }, { 1 }, { 1 } } },
    "score: the length of row 1 of 'probabilities' is 1, there are 2 classes")
  lu.assertEquals(fixtures.message(cf.score,
    { truth = { 1 }, predicted = { 1 }, classes = { "a" }, metrics = "mae" }),
    "score: option 'classes' is for classes; the truth is numbers")
end

-- ---- metrics -------------------------------------------------------------------------------------

TestMetricParameters = {}

function TestMetricParameters:test_a_cost_matrix_may_be_nested_or_flat()
  local nested = cf.metric("cost", { matrix = { { 0, 1 }, { 5, 0 } }, total = true })
  lu.assertEquals(nested:params(), cf.metric("cost", { matrix = { 0, 1, 5, 0 }, total = true }):params())
  lu.assertEquals(score { metrics = { nested } }[tostring(nested)], 5)
end

function TestMetricParameters:test_a_table_that_is_not_square_is_refused()
  lu.assertEquals(fixtures.message(cf.metric, "cost", { matrix = { { 0, 1 }, { 5 } } }),
    "metric 'cost': parameter 'matrix': it must be square; the length of row 2 is 1, the number of rows 2")
  lu.assertEquals(fixtures.message(cf.metric, "cost", { matrix = { { 0, 1, 2 }, { 5, 0, 1 } } }),
    "metric 'cost': parameter 'matrix': it must be square; the length of row 1 is 3, the number of rows 2")
  lu.assertEquals(fixtures.message(cf.metric, "cost", { matrix = { { 0, 1 }, 5 } }),
    "metric 'cost': parameter 'matrix': row 2 is a number, not a list of numbers")
end

function TestMetricParameters:test_three_classes_without_a_positive_one_are_refused_before_anything_runs()
  lu.assertEquals(fixtures.message(cf.evaluate, { data = fixtures.iris(), learners = "featureless",
    splitter = cf.splitter("kfold", { folds = 2 }), metrics = "f1" }),
    "cannot use metric 'f1' on dataset 'iris': the dataset has 3 classes; name one with positive = "
    .. "\"...\", or choose average = \"macro\", \"micro\" or \"weighted\"")
end

function TestMetricParameters:test_the_featureless_learner_has_relative_errors_of_one()
  local x, y = {}, {}
  for i = 1, 20 do x[i], y[i] = i, i * i end
  local data = cf.dataset { name = "squares", target = "y",
    columns = { { name = "x", values = x }, { name = "y", values = y } } }
  local result = cf.evaluate { data = data, learners = "featureless", seed = 1,
    splitter = cf.splitter("kfold", { folds = 4 }), metrics = { "rae", "rrse" } }
  for _, row in ipairs(result:scores()) do lu.assertAlmostEquals(row.value, 1, 1e-12) end
end

function TestMetricParameters:test_row_costs_come_from_columns()
  local data = cf.dataset { name = "loans", target = "class",
    columns = {
      { name = "x", values = { 1, 2, 3, 4 } },
      { name = "class", values = { "good", "bad", "good", "good" } },
      { name = "lost", values = { 0, 100, 0, 0 } },
      { name = "missed", values = { 10, 0, 20, 30 } },
    },
    row_costs = { good = "lost", bad = "missed" } }
  local model = cf.learner("featureless"):fit(data, { seed = 1 })
  local native = require "crossfold.native"
  local cost = cf.metric("row_cost", { total = true })
  -- All are called good.
  lu.assertEquals(native.score(cost, model:predict(data)), 100)
end

function TestScore:test_a_class_named_twice_is_refused()
  lu.assertEquals(fixtures.message(cf.score, { truth = { "a", "b" }, predicted = { "a", "b" },
    classes = { "a", "a", "b" }, metrics = "accuracy" }),
    "score: element 2 of 'classes' is 'a' again; name each class once")
end
