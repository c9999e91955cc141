-- Plans: crossfold run --plan, and cf.plan. Another engine then gets the cells and fits that are asked
-- for (planning.h): it counts them and answers with outcomes of cells that did not run, so that searches
-- and ensembles ask for all they would ask for. A script must not see such answers: the first call of a
-- public function that asked for work raises native.planned in place of its result.
--
-- The engine does not see what is written in Lua and called by Lua. So these ask native.planning():
-- transform.fit, metric.score_fit, and a search, which has to take one of its candidates.
local native = require "crossfold.native"

local planning = {}

-- Coroutines inside a public function.
local inside = setmetatable({}, { __mode = "k" })

local needs_results = {}  -- ends a public function in a plan

-- From here on a function of the library needs real results: a plan of it has all that can be counted.
function planning.needs_results()
  if native.planning() then error(needs_results, 0) end
end

-- A coroutine that a function of the library makes belongs to that function.
function planning.inherit(thread) inside[thread] = inside[coroutine.running()] end

-- A public function that ends the script's turn if work was planned in it.
function planning.guard(f, name)
  return function(...)
    local thread = native.planning() and coroutine.running()
    if not thread or inside[thread] then return f(...) end
    local before = native.plan_count()
    inside[thread] = true
    local results = table.pack(pcall(f, ...))
    inside[thread] = nil
    if not results[1] and results[2] ~= needs_results then error(results[2], 0) end
    if native.plan_count() > before then native.end_call(name) end
    if not results[1] then return end
    return table.unpack(results, 2, results.n)
  end
end

-- cf.plan(f): what f() would do up to the end of its first call that runs something, as a table.
function planning.plan(f)
  if type(f) ~= "function" then native.fail("plan: expected a function, got a %s", type(f)) end
  -- In a coroutine that is nobody's, so that no other work gets into the plan.
  local thread = coroutine.create(f)
  native.plan_begin()
  local ok, problem = coroutine.resume(thread)
  local suspended = coroutine.status(thread) == "suspended"
  coroutine.close(thread)
  local made = native.plan_end()
  if suspended then native.fail("plan: the function yielded; give one that runs to its end") end
  if not ok and problem ~= native.planned then error(problem, 0) end
  return made
end

return planning
