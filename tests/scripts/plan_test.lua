-- Plans: cf.plan counts what its function would do, and runs nothing but a short probe. That the counts
-- are those of real runs is tested in tests/unit/experiment/work_plan_test.cpp; here, what asks for what.
local lu = require "luaunit"
local cf = require "crossfold"
local fixtures = require "fixtures"

local iris = fixtures.iris()
local folds = function(n, repeats)
  return cf.splitter("kfold", { folds = n, repeats = repeats or 1 })
end

local function evaluate(learner, splitter, more)
  return cf.plan(function() cf.evaluate(fixtures.with({ data = iris, learners = { l = learner },
    splitter = splitter or folds(5), metrics = "accuracy", workers = 1 }, more)) end)
end

-- The figures that do not depend on the machine.
local function figures(plan)
  return { asked = plan.fits_asked, done = plan.fits_done, transforms = plan.transform_fits,
    passes = plan.passes }
end

-- A learner that no capability serves.
local plain = cf.learner("debug")

TestPlan = {}

function TestPlan:test_a_plain_learner_is_fitted_once_a_cell()
  lu.assertEquals(figures(evaluate(plain)), { asked = 5, done = 5, transforms = 0, passes = 0 })
end

function TestPlan:test_equal_learners_are_computed_once_unless_they_have_seeds_of_their_own()
  for done, seeds in pairs { [5] = {}, [10] = { b = 2 } } do
    local plan = cf.plan(function()
      cf.evaluate { data = iris, learners = { a = plain, b = plain }, splitter = folds(5), metrics = "accuracy",
        seeds = seeds }
    end)
    lu.assertEquals(figures(plan), { asked = 10, done = done, transforms = 0, passes = 0 })
  end
end

function TestPlan:test_repeats_of_folds_are_one_pass_each()
  local plan = evaluate(cf.learner("knn", { k = 3 }), folds(5, 3))
  lu.assertEquals(figures(plan), { asked = 15, done = 0, transforms = 0, passes = 3 })
end

-- 3 folds x (3 inner folds x 2 candidates + the chosen one); the scaler is fitted once an inner split.
function TestPlan:test_a_nested_search_counts_inner_cells_and_chosen_ones()
  local sleeper = cf.learner("debug", { action = "sleep" })
  local pipeline = cf.pipeline { cf.transform "standardize", sleeper }
  local search = cf.grid_search { learner = pipeline, grid = { ["debug.sleep_ms"] = { 1, 2 } },
    splitter = folds(3), metric = "accuracy" }
  local plan = evaluate(search, folds(3))
  lu.assertEquals(figures(plan), { asked = 21, done = 21, transforms = 9 + 3, passes = 0 })
  lu.assertEquals(search:plan(iris, { splitter = folds(3) }).total_cells, 21)
end

-- One fit an inner split serves all values of the penalty.
function TestPlan:test_a_fit_path_is_one_fit()
  local search = cf.grid_search { learner = "ridge", grid = { l2 = { 0.1, 1, 10, 100 } },
    splitter = folds(4), metric = "accuracy" }
  local plan = cf.plan(function() search:fit(iris) end)
  lu.assertEquals(plan.fits_asked, 4 * 4 + 1)
  lu.assertTrue(plan.fits_done == 4 + 1 or plan.passes > 0)
end

function TestPlan:test_nothing_runs_but_the_probe()
  local slow = cf.learner("debug", { action = "sleep", sleep_ms = 300 })
  local before = os.time()
  local plan = evaluate(slow, folds(10, 20))
  lu.assertTrue(os.time() - before < 15)
  lu.assertEquals(plan.fits_asked, 200)
  lu.assertTrue(plan.seconds >= 60 and plan.seconds < 90)
  lu.assertEquals(plan.workers, 1)
  lu.assertEquals(plan.probed, { "crossfold.debug on 'iris' (fit by fit)" })
end

function TestPlan:test_more_workers_take_less_time()
  local slow = cf.learner("debug", { action = "sleep", sleep_ms = 20 })
  local one, four = evaluate(slow, folds(10, 4)), evaluate(slow, folds(10, 4), { workers = 4 })
  lu.assertTrue(four.seconds < one.seconds / 2)
end

function TestPlan:test_made_up_results_never_reach_the_script()
  local reached = false
  local plan = cf.plan(function()
    cf.evaluate { data = iris, learners = plain, splitter = folds(5), metrics = "accuracy" }
    reached = true
  end)
  lu.assertFalse(reached)
  lu.assertEquals(plan.fits_asked, 5)
  for _, call in ipairs {
    function(splits) cf.run { { learner = plain, splits = splits, split = 1 } } end,
    function() plain:fit(iris) end,
    function() cf.cross_predict { data = iris, learner = plain, splitter = folds(5) } end,
    function()
      cf.validation_curve { data = iris, learner = "ridge", parameter = "l2", values = { 1, 2 },
        splitter = folds(5), metric = "accuracy" }
    end,
    function()
      cf.learning_curve { data = iris, learners = plain, metrics = "accuracy", sizes = { 20, 40 },
        trials = 2 }
    end,
    function() cf.bias_variance { data = iris, learners = plain, rounds = 3 } end,
    function() cf.bias_variance { data = iris, learners = plain, rounds = 2, method = "kohavi_wolpert" } end,
    function() cf.bagging { learner = plain, n = 3 }:fit(iris) end,
    function()
      cf.grid_search { learner = "knn", grid = { k = { 1, 3 } }, splitter = folds(3),
        metric = "accuracy" }:fit(iris)
    end,
  } do
    local splits, seen = cf.split(folds(5), iris), false
    local made = cf.plan(function()
      call(splits)
      seen = true
    end)
    lu.assertFalse(seen)
    lu.assertTrue(made.fits_asked > 0)
  end
end

function TestPlan:test_work_goes_on_after_a_plan()
  evaluate(plain)
  local result = cf.evaluate { data = iris, learners = plain, splitter = folds(5),
    metrics = "accuracy" }
  lu.assertEquals(#result:scores(), 5)
end

function TestPlan:test_a_plan_changes_no_result()
  local function run()
    local search = cf.grid_search { learner = "decision_tree", grid = { max_depth = { 1, 2, 3 } },
      splitter = folds(3), metric = "accuracy" }
    return tostring(cf.evaluate { data = iris, learners = search, splitter = folds(3),
      metrics = "accuracy" })
  end
  local first = run()
  cf.plan(run)
  lu.assertEquals(run(), first)
end

function TestPlan:test_a_function_that_runs_nothing_has_an_empty_plan()
  local plan = cf.plan(function() cf.learner "knn" end)
  lu.assertEquals(figures(plan), { asked = 0, done = 0, transforms = 0, passes = 0 })
  lu.assertEquals({ plan.seconds, plan.bytes ~= nil, #plan.structures }, { 0, true, 0 })
end

function TestPlan:test_errors_before_the_work_are_errors()
  lu.assertEquals(fixtures.message(cf.plan, function() cf.learner("knn", { k = 0 }) end),
    "cannot make learner 'knn': k = 0 is out of range; it must be an integer >= 1")
  lu.assertEquals(fixtures.message(cf.plan, 3), "plan: expected a function, got a number")
  lu.assertEquals(fixtures.message(cf.plan, function() coroutine.yield() end),
    "plan: the function yielded; give one that runs to its end")
  lu.assertFalse(pcall(cf.plan, function() cf.evaluate {} end))
  lu.assertEquals(evaluate(plain).fits_asked, 5)
end

function TestPlan:test_each_function_of_parallel_is_planned_up_to_its_first_call()
  local plan = cf.plan(function()
    cf.parallel { function() plain:fit(iris) plain:fit(iris) end,
      function()
        cf.evaluate { data = iris, learners = plain, splitter = folds(4), metrics = "accuracy" }
      end }
  end)
  lu.assertEquals(plan.fits_asked, 1 + 4)
end

-- 3 folds x (bagging: 4 members; stacking: 2 members on 2 inner folds and on all rows, one on top).
function TestPlan:test_ensembles_ask_for_their_members()
  local bagged = cf.bagging { learner = plain, n = 4 }
  lu.assertEquals(evaluate(bagged, folds(3)).fits_asked, 12)
  local voted = cf.voting { learners = { plain, "naive_bayes" } }
  lu.assertEquals(evaluate(voted, folds(3)).fits_asked, 6)
  local stacked = cf.stacking { learners = { plain, cf.learner "naive_bayes" }, combiner = "logistic_regression",
    splitter = folds(2) }
  lu.assertEquals(evaluate(stacked, folds(3)).fits_asked, 3 * (2 * 2 + 2 + 1))
end

-- 3 inner folds for the map and one fit of all rows.
function TestPlan:test_steps_that_adjust_predictions_ask_for_inner_folds()
  local two = fixtures.separable()
  local calibrated = cf.pipeline { "naive_bayes", cf.calibration { method = "platt",
    splitter = cf.splitter("kfold", { folds = 3, stratify = true }) } }
  local plan = cf.plan(function()
    cf.evaluate { data = two, learners = calibrated, metrics = "accuracy",
      splitter = cf.splitter("kfold", { folds = 2, stratify = true }) }
  end)
  lu.assertEquals(plan.fits_asked, 2 * (3 + 1))
end

function TestPlan:test_learners_written_in_lua_are_counted_but_not_called()
  local calls = 0
  local plan = evaluate(cf.learner { name = "mine", fit = function() calls = calls + 1 end,
    predict = function() calls = calls + 1 end })
  lu.assertEquals(calls, 0)
  lu.assertEquals({ plan.fits_asked, plan.lua_fits }, { 5, 5 })
end

-- A search of the script's own may fit something: as far as that, its folds are planned.
function TestPlan:test_a_fit_inside_a_search_of_the_script_is_no_failure_of_its_fold()
  local own = { resolve = function(_, data)
    plain:fit(data)
    return plain
  end }
  lu.assertEquals(evaluate(own, folds(3), { on_error = "stop" }).fits_asked, 3)
  lu.assertEquals(evaluate(own, folds(3), { on_error = plain }).fits_asked, 3)
end

function TestPlan:test_metrics_written_in_lua_are_not_called()
  local mine = cf.metric { name = "mine", direction = "higher",
    score = function() error "called" end }
  lu.assertEquals(evaluate(plain, folds(5), { metrics = mine }).fits_asked, 5)
end

-- What was computed before is not part of the plan, and true.
function TestPlan:test_scores_of_real_predictions_are_real_inside_a_plan()
  local given = { truth = { "a", "b", "a", "b" }, predicted = { "a", "b", "b", "b" },
    metrics = { "accuracy" } }
  local score
  cf.plan(function()
    score = cf.score(given).accuracy
    plain:fit(iris)
  end)
  lu.assertEquals(score, 0.75)
end

function TestPlan:test_searches_whose_cells_depend_on_scores_are_bounds()
  local grid = { k = { 1, 3, 5, 7 } }
  local race = cf.race_search { learner = "knn", grid = grid, splitter = folds(10),
    metric = "accuracy" }
  local plan = cf.plan(function() race:fit(iris) end)
  lu.assertTrue(plan.at_most)
  lu.assertEquals(plan.fits_asked, 4 * 10 + 1)
  local full = cf.grid_search { learner = "knn", grid = grid, splitter = folds(10),
    metric = "accuracy" }
  lu.assertFalse(cf.plan(function() full:fit(iris) end).at_most)
end

function TestPlan:test_structures_are_named()
  local plan = evaluate(cf.grid_search { learner = "knn", grid = { k = { 1, 3 } },
    splitter = folds(5), metric = "accuracy" }, folds(5))
  for _, one in ipairs(plan.structures) do
    lu.assertEquals(one, { learner = "crossfold.knn", dataset = "iris", rows = 150 })
  end
  lu.assertEquals(plan.passes > 0, true)
end
