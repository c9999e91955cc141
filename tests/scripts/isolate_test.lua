-- Cells in worker processes: what dies there fails its fold and nothing else.
local lu = require "luaunit"
local cf = require "crossfold"
local fixtures = require "fixtures"

local iris = fixtures.iris()
-- Without a shuffle row i of 0 .. is tested in fold i mod 5 + 1.
local blocks = cf.splitter("kfold", { folds = 5, shuffle = false, stratify = false })

local function evaluate(learners, more)
  return cf.evaluate(fixtures.with({ data = iris, learners = learners, splitter = blocks,
    metrics = { "accuracy", "log_loss" } }, more))
end

-- "learner fold" of all that failed.
local function failed(result)
  local list = {}
  for i, row in ipairs(result:failures()) do list[i] = ("%s %d"):format(row.learner, row.fold) end
  return list
end

local crash = cf.learner("debug", { action = "crash", stage = "predict", when_row = 5 })

TestIsolate = {}

function TestIsolate:test_a_crash_fails_its_fold_only()
  for _, mode in ipairs { "worker", "fresh" } do
    local result = evaluate({ crash = crash, knn = "knn" }, { isolate = { crash = mode } })
    lu.assertEquals(failed(result), { "crash 1" })
    local failure = result:failures()[1]
    lu.assertEquals(failure.stage, "run")
    lu.assertStrContains(failure.message, "the process ")
    lu.assertStrContains(failure.message, "cf.run{{learner = cf.learner(\"debug\"")
  end
end

function TestIsolate:test_the_line_in_a_failure_repeats_it()
  local result = evaluate({ crash = crash }, { isolate = "worker" })
  local line = result:failures()[1].message:match("(cf%.run{{.*}})")
  local splits = cf.split(blocks, iris, { seed = 1 })
  local repeated = assert(load("local cf, splits = ... return " .. line))(cf, splits)
  lu.assertFalse(repeated:ok(1))
  lu.assertStrContains(repeated:failure(1).message, "the process ")
end

function TestIsolate:test_a_time_limit_ends_a_cell_that_hangs()
  local slow = cf.learner("debug", { action = "sleep", sleep_ms = 600000, when_row = 5,
    stage = "predict" })
  local result = evaluate({ slow = slow }, { limits = { seconds = 0.5 } })
  lu.assertEquals(failed(result), { "slow 1" })
  lu.assertStrContains(result:failures()[1].message, "0.5 s")
end

function TestIsolate:test_all_modes_give_the_same_numbers()
  local learners = {
    knn = cf.grid_search { learner = "knn", grid = { k = { 1, 5 } }, metric = "accuracy",
      splitter = cf.splitter("kfold", { folds = 3 }) },
    forest = cf.learner("random_forest", { trees = 5 }), bayes = "naive_bayes",
  }
  local plain = evaluate(learners, { isolate = "none" })
  for _, mode in ipairs { "auto", "worker", "fresh" } do
    local result = evaluate(learners, { isolate = mode })
    lu.assertEquals(result:to { csv = true }, plain:to { csv = true }, mode)
    lu.assertEquals(result:predictions(), plain:predictions(), mode)
  end
end

function TestIsolate:test_inner_cells_of_a_search_run_where_their_learner_does()
  local search = cf.grid_search { learner = crash, grid = { when_row = { 5, 149 } },
    metric = "accuracy", splitter = cf.splitter("kfold", { folds = 3 }) }
  local result = evaluate({ search = search }, { isolate = { search = "worker" } })
  local first = result:tuning("search")[1]
  lu.assertStrContains(first.inner[2].failure, "the process ")
end

function TestIsolate:test_wrong_options_are_refused()
  for _, case in ipairs {
    { { isolate = "thread" }, "evaluate: isolate = 'thread' is not one of auto, none, worker, fresh" },
    { { isolate = { a = "thread" } }, "evaluate: isolate.a = 'thread' is not one of auto, none, worker, fresh" },
    { { isolate = { aa = "worker" } },
      "evaluate: option 'isolate': there is no learner 'aa'; did you mean 'a'? known: a" },
    { { isolate = "none", limits = { seconds = 1 } },
      "evaluate: limits need a process of their own; use isolate = \"worker\"" },
    { { limits = { seconds = 0 } },
      "evaluate: limits.seconds = 0 is out of range; use a number of seconds above 0" },
    { { limits = { memory = "much" } },
      "evaluate: limits.memory = 'much' is not a size; use bytes, or a string as in \"512M\"" },
    { { limits = { hours = 1 } },
      "evaluate: option 'limits': unknown option 'hours'; known: cpu_seconds, memory, memory_max, seconds" },
  } do
    lu.assertEquals(fixtures.message(evaluate, { a = "knn" }, case[1]), case[2])
  end
end
