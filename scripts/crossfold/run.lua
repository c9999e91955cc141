-- The primitive under every pipeline: run(cells), and parallel, which lets several functions ask for
-- cells at the same time.
--
-- parallel works in rounds: every live function runs, in order, up to its next run(); then the cells
-- of all of them run together on all cores; then each gets its outcomes, in order. So the engine sees
-- all cells of a round at once, and nothing a script does depends on which cell finished first.
local native = require "crossfold.native"

local run = {}

local managed = setmetatable({}, { __mode = "k" })  -- coroutines that belong to a parallel()
local request = {}                                  -- marks a yield that asks for cells

-- Runs a list of cells { learner =, splits =, split =, seed =, metrics =, keep = } and returns their
-- outcomes. Inside parallel() it yields; where a yield is impossible (a callback of table.sort) it
-- simply waits.
function run.run(cells, workers)
  if type(cells) ~= "table" then
    native.fail(("run: expected a list of cells, got a %s"):format(type(cells)))
  end
  if managed[coroutine.running()] and coroutine.isyieldable() then
    return coroutine.yield(request, cells)
  end
  return native.run(cells, workers)
end

-- Ends all tasks however parallel() is left; the variables that they declared <close> are closed. That
-- goes for a task that failed, too: resume() alone leaves them open.
local closing = {
  __close = function(tasks)
    for _, task in ipairs(tasks) do coroutine.close(task.thread) end
  end,
}

-- Runs one task up to its next request or its end.
local function advance(task, ...)
  local returned = table.pack(coroutine.resume(task.thread, ...))
  if not returned[1] then
    local problem = returned[2]
    if type(problem) == "string" and debug and debug.traceback then
      run.last_failure = { problem = problem, traceback = debug.traceback(task.thread, problem) }
    end
    error(problem, 0)
  end
  task.cells = nil
  if coroutine.status(task.thread) == "dead" then
    task.results = table.pack(table.unpack(returned, 2, returned.n))
  elseif returned[2] == request then
    task.cells = returned[3]
  else
    native.fail("parallel: a function yielded something that is no run(); use a coroutine of your "
      .. "own for that")
  end
end

-- Runs functions as coroutines; returns a list with what each returned (a packed table each). An
-- error in one is raised once, and the cells that the others asked for are not started.
function run.parallel(functions, workers)
  local tasks <close> = setmetatable({}, closing)
  for i, f in ipairs(functions) do
    if type(f) ~= "function" then
      native.fail(("parallel: element %d is a %s, not a function"):format(i, type(f)))
    end
    local thread = coroutine.create(f)
    managed[thread] = true
    tasks[i] = { thread = thread }
  end
  for _, task in ipairs(tasks) do advance(task) end
  while true do
    local cells, waiting = {}, {}
    for _, task in ipairs(tasks) do
      if task.cells then
        waiting[#waiting + 1] = task
        task.first = #cells + 1
        table.move(task.cells, 1, #task.cells, #cells + 1, cells)
      end
    end
    if #waiting == 0 then break end
    local outcomes = run.run(cells, workers)
    for _, task in ipairs(waiting) do
      advance(task, outcomes:slice(task.first, #task.cells))
    end
  end
  local results = {}
  for i, task in ipairs(tasks) do results[i] = task.results end
  return results
end

return run
