-- What the hosts of the module must do alike: load it, give the same bits, and carry errors and yields across the
-- boundary of C++. It runs in stock Lua and in both builds of Lua; the other suites run in one of each kind.
local lu = require "luaunit"
local cf = require "crossfold"
local fixtures = require "fixtures"

TestHosts = {}

local function evaluate(learner)
  return cf.evaluate { data = fixtures.separable(), learners = learner, metrics = "log_loss", seed = 3,
    splitter = cf.splitter("kfold", { folds = 3 }) }
end

function TestHosts:test_the_module_is_loaded_once()
  lu.assertIs(package.loaded.crossfold, cf)
  lu.assertIs(require "crossfold", cf)
end

-- The expected bits are those of the program at first: every host must have the same.
function TestHosts:test_scores_have_the_same_bits()
  local bits = {}
  for i, score in ipairs(evaluate("naive_bayes"):scores()) do bits[i] = ("%a"):format(score.value) end
  lu.assertEquals(bits, { "0x1.9c50728258759p-8", "0x1.79b537b0ffe5cp-4", "0x1.12cea27956a93p-5" })
end

function TestHosts:test_an_error_of_cpp_is_caught_again_and_again()
  for _ = 1, 100 do
    local ok, problem = pcall(cf.learner, "knn", { kk = 3 })
    lu.assertFalse(ok)
    lu.assertEquals((problem:gsub("^[^:]+:%d+: ", "")),
      "cannot make learner 'knn': unknown parameter 'kk'; did you mean 'k'? known: distance, k, p, weights")
  end
end

function TestHosts:test_an_error_names_the_line_of_the_script()
  local chunk = assert(load("local cf = require 'crossfold'\n\ncf.learner('knn', { k = 'x' })", "@mine.lua"))
  local ok, problem = pcall(chunk)
  lu.assertFalse(ok)
  lu.assertStrContains(problem, "mine.lua:3: cannot make learner 'knn': ")
end

function TestHosts:test_an_error_of_cpp_leaves_a_coroutine_and_closes_its_variables()
  local closed = 0
  local thread = coroutine.create(function()
    local guard <close> = setmetatable({}, { __close = function() closed = closed + 1 end })  -- luacheck: ignore guard
    coroutine.yield("before")
    return cf.learner("nosuch_learner")
  end)
  lu.assertEquals({ coroutine.resume(thread) }, { true, "before" })
  local ok, problem = coroutine.resume(thread)
  lu.assertFalse(ok)
  lu.assertStrContains(problem, "cannot find learner 'nosuch_learner': ")
  coroutine.close(thread)
  lu.assertEquals(closed, 1)
end

function TestHosts:test_an_error_passes_a_callback_of_the_engine()
  local learner = cf.learner("debug", { action = "throw_in_fit" })
  local result = cf.evaluate { data = fixtures.separable(), learners = learner, metrics = "accuracy",
    splitter = cf.splitter("kfold", { folds = 3 }) }
  lu.assertEquals(#result:failures(), 3)
end

function TestHosts:test_parallel_functions_yield_from_inside_pcall()
  local order = {}
  local function task(name, learner)
    return function()
      order[#order + 1] = name
      local ok, result = pcall(evaluate, learner)
      order[#order + 1] = name
      return ok and #result:scores()
    end
  end
  local results = cf.parallel { task("a", "knn"), task("b", "featureless") }
  lu.assertEquals(order, { "a", "b", "a", "b" })
  lu.assertEquals({ results[1][1], results[2][1] }, { 3, 3 })
end

function TestHosts:test_an_error_in_one_parallel_function_ends_all()
  local ok, problem = pcall(cf.parallel, {
    function() return evaluate("knn") end,
    function() return cf.learner("knn", { k = -1 }) end,
  })
  lu.assertFalse(ok)
  lu.assertStrContains(problem, "cannot make learner 'knn'")
  lu.assertEquals(#evaluate("knn"):scores(), 3)
end
