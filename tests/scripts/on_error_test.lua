-- What becomes of an evaluation when something fails.
local lu = require "luaunit"
local cf = require "crossfold"
local fixtures = require "fixtures"

local iris = fixtures.iris()
local blocks = cf.splitter("kfold", { folds = 5, shuffle = false, stratify = false })
-- Without a shuffle row i of 0 .. is tested in fold i mod 5 + 1, so this fails in fold 1.
local bad = cf.learner("debug", { action = "throw_in_predict", when_row = 5 })

local function evaluate(learners, on_error, more)
  return cf.evaluate(fixtures.with({ data = iris, learners = learners, splitter = blocks, metrics = "accuracy",
    on_error = on_error }, more))
end

TestStop = {}

function TestStop:test_the_first_failure_is_raised()
  lu.assertEquals(fixtures.message(evaluate, { bad = bad, knn = "knn" }, "stop"),
    "cannot evaluate 'bad' on 'iris': repeat 1, fold 1 failed at predict debug: "
    .. "thrown in predict, as asked")
end

-- With one worker the cells come one after the other: the slow ones after the failure do not start.
function TestStop:test_no_cell_starts_after_the_failure()
  local always = cf.learner("debug", { action = "throw_in_fit" })
  local slow = cf.learner("debug", { action = "sleep", sleep_ms = 2000 })
  local before = os.time()
  local message = fixtures.message(evaluate, { always = always, slow = slow }, "stop",
    { workers = 1, splitter = cf.splitter("kfold", { folds = 20 }) })
  lu.assertStrContains(message, "cannot evaluate 'always' on 'iris': repeat 1, fold 1 failed at")
  lu.assertTrue(os.time() - before < 15)
end

function TestStop:test_a_failed_candidate_of_a_search_is_no_failure_of_the_experiment()
  local search = cf.grid_search { learner = "knn", grid = { k = { 3, 149 } }, metric = "accuracy",
    splitter = cf.splitter("kfold", { folds = 3 }) }
  lu.assertEquals(#evaluate({ search = search }, "stop"):failures(), 0)
end

function TestStop:test_a_learner_written_in_lua_stops_it_too()
  local broken = cf.learner { name = "broken", fit = function() error("no luck", 0) end,
    predict = function() end }
  lu.assertEquals(fixtures.message(evaluate, { broken = broken }, "stop"),
    "cannot evaluate 'broken' on 'iris': repeat 1, fold 1 failed at fit broken: no luck")
end

function TestStop:test_only_the_evaluation_that_asked_for_it_stops()
  local results = cf.parallel {
    function() return pcall(evaluate, { bad = bad }, "stop") end,
    function() return #evaluate({ bad = bad }, "record"):failures() end,
  }
  lu.assertFalse(results[1][1])
  lu.assertStrContains(results[1][2], "cannot evaluate 'bad' on 'iris'")
  lu.assertEquals(results[2][1], 1)
end

TestFallback = {}

function TestFallback:test_failed_folds_have_the_scores_of_the_fallback_on_the_same_split()
  local floor = cf.learner("featureless")
  local result = evaluate({ bad = bad, knn = "knn" }, floor)
  local alone = evaluate({ featureless = floor }):scores()
  local scores = result:scores()
  lu.assertEquals({ scores[1].learner, scores[1].fold, scores[1].fallback }, { "bad", 1, true })
  lu.assertEquals(scores[1].value, alone[1].value)
  lu.assertNil(scores[2].fallback)
  lu.assertEquals(#result:predictions(), 300)
end

function TestFallback:test_the_failure_stays_and_the_table_counts_it()
  local result = evaluate({ bad = bad, knn = "knn" }, cf.learner("featureless"))
  lu.assertEquals(result:failures(), { { learner = "bad", dataset = "iris", repeat_ = 1, fold = 1,
    stage = "predict debug", cause = "plugin", message = "thrown in predict, as asked", fallback = true } })
  lu.assertEquals(result:summary()[1].fallback, 1)
  lu.assertEquals(result:summary()[1].defined, 5)
  lu.assertStrContains(tostring(result), "\n1 fold failed, with the scores of featureless; the first: "
    .. "bad, repeat 1, fold 1, at predict debug: thrown in predict, as asked")
end

function TestFallback:test_without_a_failure_nothing_shows()
  local with = evaluate({ knn = "knn" }, cf.learner("featureless"))
  local without = evaluate { knn = "knn" }
  lu.assertEquals(tostring(with), tostring(without))
  lu.assertEquals(with:to { csv = true }, without:to { csv = true })
end

function TestFallback:test_a_fallback_that_fails_leaves_both_reasons()
  local result = evaluate({ bad = bad }, bad)
  lu.assertEquals(result:failures()[1].message, "thrown in predict, as asked; the fallback failed, "
    .. "too, at predict debug: thrown in predict, as asked")
  lu.assertNil(result:failures()[1].fallback)
end

function TestFallback:test_a_composite_can_fail_and_can_be_the_fallback()
  local broken = cf.learner { name = "broken", fit = function() error("no luck", 0) end,
    predict = function() end }
  local result = evaluate({ broken = broken }, cf.voting { learners = { "knn", "naive_bayes" } })
  lu.assertEquals(#result:failures(), 5)
  lu.assertEquals(result:summary()[1].defined, 5)
  lu.assertStrContains(tostring(result),
    "\n5 folds failed, all with the scores of voting{knn, naive_bayes}; the first: broken")
end

TestOnError = {}

function TestOnError:test_a_lua_metric_that_raises_fails_its_folds()
  local calls = 0
  local odd = cf.metric { name = "odd", direction = "higher", score = function()
    calls = calls + 1
    if calls % 3 == 1 then error("the first of three", 0) end
    return 1
  end }
  local failures = evaluate({ knn = "knn" }, "record", { metrics = { "accuracy", odd } }):failures()
  lu.assertEquals({ #failures, failures[1].fold, failures[2].fold }, { 2, 1, 4 })
  calls = 0
  lu.assertEquals({ failures[1].stage, failures[1].message }, { "score odd", "the first of three" })
  lu.assertEquals(fixtures.message(evaluate, { knn = "knn" }, "stop", { metrics = odd }),
    "cannot evaluate 'knn' on 'iris': repeat 1, fold 1 failed at score odd: the first of three")
end

function TestOnError:test_other_words_are_refused()
  lu.assertEquals(fixtures.message(evaluate, { knn = "knn" }, "featureless"),
    "evaluate: on_error = 'featureless' is not one of record, stop; a learner as a fallback is "
    .. "cf.learner(\"featureless\")")
  lu.assertEquals(fixtures.message(evaluate, { knn = "knn" }, 5),
    "evaluate: option 'on_error': expected a learner, got a number")
end
