local lu = require "luaunit"
local cf = require "crossfold"
local fixtures = require "fixtures"

TestRepeatUntil = {}

local iris = fixtures.iris()

local function run(changes)
  return cf.repeat_until(fixtures.with({ data = iris, learner = "knn", metric = "accuracy", width = 0.01, seed = 7,
    splitter = cf.splitter("kfold", { folds = 5 }) }, changes))
end

local function message(changes) return fixtures.message(run, changes) end

local function mean_and_sd(values, n)
  local mean, squares = 0, 0
  for i = 1, n do mean = mean + values[i] / n end
  for i = 1, n do squares = squares + (values[i] - mean) ^ 2 end
  return mean, math.sqrt(squares / (n - 1))
end

-- t of 19 degrees of freedom: SciPy, t.ppf(0.975, 19).
local t19 = 2.093024054408263

function TestRepeatUntil:test_the_spread_of_the_first_repeats_says_how_many_there_are()
  local found = run { width = 0.003 }
  local values, batches = found:values(), found:batches()
  local largest, n = 0, 20
  lu.assertEquals(batches[1], 20)
  for b = 2, #batches do
    local _, sd = mean_and_sd(values, n)
    largest = math.max(largest, sd)
    local wanted = math.ceil((2 * t19 * largest / 0.003) ^ 2)
    lu.assertEquals(n + batches[b], wanted)
    n = wanted
  end
  local mean, sd = mean_and_sd(values, n)
  largest = math.max(largest, sd)
  lu.assertEquals(found.repeats, n)
  lu.assertTrue(n > 20)
  lu.assertAlmostEquals(found.mean, mean, 1e-12)
  lu.assertAlmostEquals(found.high - found.mean, t19 * largest / math.sqrt(n), 1e-9)
  lu.assertTrue(found.reached and found.width <= 0.003 * (1 + 1e-9))
end

function TestRepeatUntil:test_a_repeat_does_not_depend_on_its_batch_the_workers_or_a_store()
  local path = fixtures.new_store()
  local wide = run { learner = "random_forest", width = 0.5, workers = 1, store = path, first_repeats = 6 }
  lu.assertEquals(wide.repeats, 6)
  local long = run { learner = "random_forest", width = 0.01, workers = 4, first_repeats = 10, store = path }
  local computed = cf.store_status(path).computed
  local again = run { learner = "random_forest", width = 0.01, workers = 2, first_repeats = 10, store = path }
  lu.assertEquals(cf.store_status(path).computed, computed)
  fixtures.remove_store(path)
  lu.assertEquals(table.move(long:values(), 1, 6, 1, {}), wide:values())
  lu.assertEquals(again:values(), long:values())
  lu.assertEquals(tostring(again), tostring(long))
end

function TestRepeatUntil:test_the_bounded_rule_looks_after_each_batch()
  local found = run { rule = "bounded", width = 0.08, first_repeats = 15 }
  local values = found:values()
  lu.assertEquals(#values % 15, 0)
  for n = 15, #values, 15 do
    local interval = cf.stats.betting_interval(table.move(values, 1, n, 1, {}))
    lu.assertEquals(interval.high - interval.low <= 0.08, n == #values)
    if n == #values then lu.assertEquals({ found.low, found.high }, { interval.low, interval.high }) end
  end
end

function TestRepeatUntil:test_the_sentence_says_what_the_interval_is_of()
  local text = run { width = 0.5 }:sentence()
  lu.assertStrContains(text, "by their spread, from the first 20 on (Stein 1945), which takes the scores of repeats "
    .. "to be close to normal")
  lu.assertStrContains(text, "It is the interval of the expected score over all random partitions of these 150 "
    .. "rows, the only thing that repeats can narrow. It does not say how far the score on new rows may be from it.")
end

function TestRepeatUntil:test_a_width_that_is_not_reached_is_said()
  local found = run { width = 0.002, max_repeats = 25 }
  lu.assertEquals({ found.repeats, found.reached }, { 25, false })
  lu.assertStrContains(found:sentence(), "The width 0.002 was not reached with max_repeats = 25; the interval is "
    .. "valid all the same.")
end

function TestRepeatUntil:test_equal_scores_say_how_little_they_say()
  local found = run { learner = "featureless", splitter = cf.splitter("kfold", { folds = 5, stratify = true }) }
  lu.assertEquals({ found.repeats, found.width }, { 20, 0 })
  lu.assertEquals(found.note, "all 20 repeats gave the same score; at 95 % confidence another repeat differs with a "
    .. "probability of at most 0.14")
end

function TestRepeatUntil:test_searches_and_learners_in_lua_repeat_too()
  local search = cf.grid_search { learner = cf.learner("knn"), grid = { k = { 1, 15 } }, metric = "accuracy",
    splitter = cf.splitter("kfold", { folds = 3 }) }
  local found = run { learner = search, width = 0.5, first_repeats = 5 }
  lu.assertEquals(#found:values(), 5)
  local own = cf.learner { name = "own", fit = function(data) return data:target()[1] end,
    predict = function(model, rows) return fixtures.repeated(model, #rows) end }
  lu.assertEquals(#run({ learner = own, width = 0.5, first_repeats = 5 }):values(), 5)
end

function TestRepeatUntil:test_a_repeat_without_a_score_ends_it_with_the_reason()
  local own = cf.learner { name = "own", fit = function() error("not today", 0) end, predict = function() end }
  local found = run { learner = own }
  lu.assertNil(found.mean)
  lu.assertEquals(found.undefined, "repeat 1 has no score: fold 1 failed at fit own: not today")
  lu.assertEquals(found:sentence(), "The mean accuracy over repeats is undefined: repeat 1 has no score: fold 1 "
    .. "failed at fit own: not today.")
  lu.assertStrContains(found:report(), "not today")
end

function TestRepeatUntil:test_a_plan_has_the_first_batch()
  local plan = cf.plan(function() run { first_repeats = 8 } end)
  lu.assertEquals(plan.fits_asked, 40)
end

function TestRepeatUntil:test_what_no_rule_allows_is_refused()
  lu.assertEquals(message { width = 0 }, "repeat_until: width = 0 is not above 0")
  lu.assertEquals(message { first_repeats = 3 },
    "repeat_until: first_repeats = 3 is out of range; a spread takes 5 or more")
  lu.assertEquals(message { max_repeats = 10 }, "repeat_until: max_repeats = 10 is below first_repeats = 20")
  lu.assertEquals(message { rule = "bounded", metric = "log_loss" }, "repeat_until: rule 'bounded' needs the range "
    .. "of 'log_loss', which has none that is known; give 'least' and 'most' if it has one, or use rule = \"normal\"")
  lu.assertEquals(message { rule = "bounded", max_repeats = 100 }, "repeat_until: rule 'bounded' cannot reach width "
    .. "0.01 with max_repeats = 100: even equal scores give 0.0401; allow more repeats or a greater width, or use "
    .. "rule = \"normal\"")
  lu.assertEquals(message { least = 0 },
    "repeat_until: 'least' and 'most' are for rule = \"bounded\"; leave them out")
  lu.assertEquals(message { splitter = cf.splitter("leave_one_out") }, "repeat_until: splitter 'leave_one_out' "
    .. "makes the same splits for every seed, so a repeat says nothing new; evaluate once, with cf.evaluate")
  lu.assertEquals(message { rule = "peek" }, "repeat_until: rule = 'peek' is not one of bounded, normal")
end

function TestRepeatUntil:test_a_metric_in_lua_may_say_its_range()
  local half = cf.metric { name = "half", direction = "higher", score = function() return 0.5 end }
  local found = run { metric = half, rule = "bounded", least = 0, most = 1, width = 0.1 }
  lu.assertTrue(found.low < 0.5 and found.high > 0.5 and found.width <= 0.1)
  lu.assertStrContains(found:sentence(), "by bets on scores from 0 to 1, a rule that holds for any distribution")
end

function TestRepeatUntil:test_it_is_written()
  local found = run { width = 0.5 }
  lu.assertStrContains(found:to { csv = true }, "learner,data,rows,metric,splitter,rule,confidence,repeats,mean,low,"
    .. "high,width,wanted_width,reached,max_repeats,note,undefined\nknn,iris,150,accuracy,")
end
