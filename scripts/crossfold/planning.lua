-- Plan mode: crossfold run --plan, and cf.plan. Everything that would run cells or fits counts them
-- instead (native.run, native.fit_models) and gives made-up answers, so that searches and ensembles ask
-- for all they would ask for. A script must not see such answers: the first call of a public function
-- that asked for work raises native.planned in place of its result.
local native = require "crossfold.native"

local planning = {}

-- Coroutines inside a public function.
local inside = setmetatable({}, { __mode = "k" })

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
    if not results[1] then error(results[2], 0) end
    if native.plan_count() > before then native.end_planned_call(name) end
    return table.unpack(results, 2, results.n)
  end
end

-- cf.plan(f): what f() would do up to the end of its first call that runs something, as a table.
function planning.plan(f)
  if type(f) ~= "function" then
    native.fail(("plan: expected a function, got a %s"):format(type(f)))
  end
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
