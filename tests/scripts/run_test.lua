local lu = require "luaunit"
local cf = require "crossfold"
local fixtures = require "fixtures"

TestRun = {}

local function cells_for(learner, splits, metrics)
  local cells = {}
  for i = 1, #splits do
    cells[i] = { learner = learner, splits = splits, split = i, seed = 1, metrics = metrics }
  end
  return cells
end

function TestRun:setUp()
  self.data = fixtures.separable()
  self.splits = cf.split(cf.splitter("kfold", { folds = 3, stratify = true }), self.data, { seed = 4 })
end

function TestRun:test_every_cell_has_an_outcome_in_order()
  local outcomes = cf.run(cells_for(cf.learner("knn", { k = 1 }), self.splits, { "accuracy" }))
  lu.assertEquals(#outcomes, 3)
  for i = 1, 3 do
    lu.assertTrue(outcomes:ok(i))
    lu.assertNumber(outcomes:score(i, 1))
    lu.assertEquals({ outcomes:sizes(i) }, { 8, 4 })
  end
end

function TestRun:test_a_failed_cell_is_data()
  local learner = cf.learner("debug", { action = "throw_in_fit" })
  local outcomes = cf.run(cells_for(learner, self.splits, { "accuracy" }))
  lu.assertFalse(outcomes:ok(1))
  lu.assertEquals(outcomes:failure(1).stage, "fit debug")
  local value, reason = outcomes:score(1, 1)
  lu.assertNil(value)
  lu.assertEquals(reason, outcomes:failure(1).message)
end

function TestRun:test_predictions_are_kept_when_asked_for()
  local cells = cells_for(cf.learner("knn", { k = 1 }), self.splits, { "accuracy" })
  cells[1].keep = "labels"
  cells[2].keep = "probabilities"
  local outcomes = cf.run(cells)
  lu.assertEquals(#outcomes:prediction(1):labels(), 4)
  lu.assertNil(outcomes:prediction(1):probabilities())
  lu.assertEquals(#outcomes:prediction(2):probabilities(), 4)
  lu.assertNil(outcomes:prediction(3))
end

function TestRun:test_workers_do_not_change_a_bit()
  local function scores(workers)
    local cells = cells_for(cf.learner("naive_bayes"), self.splits, { "log_loss" })
    local outcomes, list = cf.run(cells, { workers = workers }), {}
    for i = 1, #outcomes do list[i] = string.pack("d", outcomes:score(i, 1)) end
    return list
  end
  lu.assertEquals(scores(1), scores(2))
  lu.assertEquals(scores(1), scores(7))
end

function TestRun:test_a_bad_cell_is_named()
  lu.assertEquals(fixtures.message(cf.run, { { learner = "knn", splits = self.splits, split = 9 } }),
    "cannot run cell 1: there is no split 9, the plan has 3")
  lu.assertEquals(fixtures.message(cf.run, { { learner = "knn", splits = 5, split = 1 } }),
    "run: cell 1: option 'splits' must be a splits, got an integer")
end

TestParallel = {}

function TestParallel:setUp() TestRun.setUp(self) end

function TestParallel:test_functions_share_rounds_and_return_in_order()
  local order = {}
  local function task(name, learner)
    return function()
      order[#order + 1] = name .. "1"
      local outcomes = cf.run(cells_for(learner, self.splits, { "accuracy" }))
      order[#order + 1] = name .. "2"
      return name, #outcomes
    end
  end
  local results = cf.parallel { task("a", cf.learner("knn")), task("b", cf.learner("featureless")) }
  lu.assertEquals(order, { "a1", "b1", "a2", "b2" })
  lu.assertEquals(results[1][1], "a")
  lu.assertEquals(results[2][1], "b")
  lu.assertEquals(results[2][2], 3)
end

function TestParallel:test_it_nests()
  local function inner()
    return #cf.run(cells_for(cf.learner("knn"), self.splits))
  end
  local results = cf.parallel {
    function() return cf.parallel { inner, inner }[2][1] end,
    inner,
  }
  lu.assertEquals(results[1][1], 3)
  lu.assertEquals(results[2][1], 3)
end

function TestParallel:test_a_run_inside_pcall_yields_too()
  local results = cf.parallel { function()
    local ok, outcomes = pcall(cf.run, cells_for(cf.learner("knn"), self.splits))
    return ok, #outcomes
  end }
  lu.assertEquals({ results[1][1], results[1][2] }, { true, 3 })
end

function TestParallel:test_where_a_yield_is_impossible_it_waits()
  local results = cf.parallel { function()
    local seen
    table.sort({ 2, 1 }, function(a, b)
      seen = #cf.run(cells_for(cf.learner("knn"), self.splits))
      return a < b
    end)
    return seen
  end }
  lu.assertEquals(results[1][1], 3)
end

function TestParallel:test_a_coroutine_of_the_users_own_works_inside()
  local results = cf.parallel { function()
    local values = {}
    for v in coroutine.wrap(function()
      for i = 1, 2 do coroutine.yield(i * #cf.run(cells_for(cf.learner("knn"), self.splits))) end
    end) do values[#values + 1] = v end
    return values
  end }
  lu.assertEquals(results[1][1], { 3, 6 })
end

function TestParallel:test_an_error_is_raised_once_and_cancels_the_rest()
  local started = 0
  local ok, problem = pcall(cf.parallel, {
    function()
      cf.run(cells_for(cf.learner("knn"), self.splits))
      started = started + 1
    end,
    function() error("broken on purpose", 0) end,
  })
  lu.assertFalse(ok)
  lu.assertEquals(problem, "broken on purpose")
  lu.assertEquals(started, 0)
end

function TestParallel:test_an_error_value_stays_as_it_is()
  local value = { code = 7 }
  local ok, problem = pcall(cf.parallel, { function() error(value) end })
  lu.assertFalse(ok)
  lu.assertIs(problem, value)
end

function TestParallel:test_close_handlers_of_siblings_run()
  local closed = false
  pcall(cf.parallel, {
    function()
      local guard <close> = setmetatable({}, { __close = function() closed = true end })
      cf.run(cells_for(cf.learner("knn"), self.splits))
      return guard
    end,
    function() error("broken on purpose", 0) end,
  })
  lu.assertTrue(closed)
end

function TestParallel:test_close_handlers_of_the_failed_function_run()
  local closed = false
  pcall(cf.parallel, { function()
    local guard <close> = setmetatable({}, { __close = function() closed = true end })
    error("broken on purpose " .. tostring(guard), 0)
  end })
  lu.assertTrue(closed)
end

function TestParallel:test_close_handlers_inside_a_nested_parallel_run()
  local closed = false
  local function inner()
    local guard <close> = setmetatable({}, { __close = function() closed = true end })
    cf.run(cells_for(cf.learner("knn"), self.splits))
    return guard
  end
  pcall(cf.parallel, {
    function() cf.parallel { inner } end,
    function() error("broken on purpose", 0) end,
  })
  lu.assertTrue(closed)
end

function TestParallel:test_holes_are_refused()
  local function f() end
  lu.assertEquals(fixtures.message(cf.parallel, { f, nil, f }),
    "parallel: element 2 of 3 is nil; leave it out")
  local cell = { learner = "knn", splits = self.splits, split = 1 }
  lu.assertEquals(fixtures.message(cf.run, { cell, nil, cell }),
    "run: element 2 of 3 is nil; leave it out")
end

function TestRun:test_a_slice_outside_is_refused()
  local outcomes = cf.run(cells_for(cf.learner("knn"), self.splits))
  lu.assertError(outcomes.slice, outcomes, math.maxinteger, math.maxinteger)
  lu.assertError(outcomes.slice, outcomes, 3, 2)
  lu.assertEquals(#outcomes:slice(3, 1), 1)
end
