-- The primitive under every pipeline: run(cells), and parallel, which lets several functions ask for
-- cells at the same time.
--
-- parallel works in rounds: every live function runs, in order, up to its next run() or fit(); then
-- the cells, and then the fits, of all of them run together on all cores; then each gets its answers,
-- in order. So the engine sees all cells of a round at once, and nothing a script does depends on
-- which cell finished first.
local native = require "crossfold.native"
local planning = require "crossfold.planning"

local run = {}

local managed = setmetatable({}, { __mode = "k" })  -- coroutines that belong to a parallel()
local request = {}                                  -- marks a yield that asks for work

-- What can be asked for: how a list of items is worked on, and part of the answers.
local kinds = { "cells", "fits" }
local work_on = { cells = native.run, fits = native.fit_models }
local slice = {
  cells = function(outcomes, first, count) return outcomes:slice(first, count) end,
  fits = function(results, first, count)
    return table.move(results, first, first + count - 1, 1, {})
  end,
}

-- Outcomes that the items give: a cell with a count stands for so many splits.
local function answers_of(kind, items)
  if kind ~= "cells" then return #items end
  local n = 0
  for _, cell in ipairs(items) do n = n + (cell.count or 1) end
  return n
end

-- Inside parallel() it yields; where a yield is impossible (a callback of table.sort) it simply
-- waits.
local function ask(kind, items, workers)
  if managed[coroutine.running()] and coroutine.isyieldable() then
    return coroutine.yield(request, kind, items)
  end
  return work_on[kind](items, workers)
end

-- Runs a list of cells { learner =, splits =, split =, seed =, metrics =, keep = } and returns their
-- outcomes. A cell with count = n stands for the n cells from that split on.
function run.run(cells, workers)
  if type(cells) ~= "table" then
    native.fail(("run: expected a list of cells, got a %s"):format(type(cells)))
  end
  return ask("cells", cells, workers)
end

-- A native learner fitted on all rows of `data`. Inside parallel() the fits of all functions run
-- together, as cells do.
function run.fit(learner, data, seed)
  local fitted = ask("fits", { { learner = learner, data = data, seed = seed } })[1]
  if type(fitted) == "string" then native.fail(fitted) end
  return fitted
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
    if problem == native.planned then  -- as far as a plan of this task goes
      task.planned, task.items, task.results = true, nil, table.pack()
      return
    end
    if type(problem) == "string" and debug and debug.traceback then
      run.last_failure = { problem = problem, traceback = debug.traceback(task.thread, problem) }
    end
    -- Only the library's own code ran in such a coroutine: no line of the script is in front yet.
    if not task.by_script and type(problem) == "string" and not problem:find("^[^:\n]+:%d+: ") then
      native.fail(problem)
    end
    error(problem, 0)
  end
  task.items, task.answer = nil, nil
  if coroutine.status(task.thread) == "dead" then
    task.results = table.pack(table.unpack(returned, 2, returned.n))
  elseif returned[2] == request then
    task.kind, task.items = returned[3], returned[4]
  else
    native.fail("parallel: a function yielded something that is no run(); use a coroutine of your "
      .. "own for that")
  end
end

-- Works on what all waiting tasks asked for, one kind after the other.
local function answer_all(waiting, workers)
  for _, kind in ipairs(kinds) do
    local items, n_answers, asked = {}, 0, false
    for _, task in ipairs(waiting) do
      if task.kind == kind then
        asked = true
        task.first, task.count = n_answers + 1, answers_of(kind, task.items)
        n_answers = n_answers + task.count
        table.move(task.items, 1, #task.items, #items + 1, items)
      end
    end
    if asked then
      local answers = ask(kind, items, workers)
      for _, task in ipairs(waiting) do
        if task.kind == kind then task.answer = slice[kind](answers, task.first, task.count) end
      end
    end
  end
end

-- Runs functions as coroutines; returns a list with what each returned (a packed table each). An
-- error in one is raised once, and the cells that the others asked for are not started. `by_script`
-- says that the functions are the script's own.
function run.parallel(functions, workers, by_script)
  local tasks <close> = setmetatable({}, closing)
  for i, f in ipairs(functions) do
    if type(f) ~= "function" then
      native.fail(("parallel: element %d is a %s, not a function"):format(i, type(f)))
    end
    local thread = coroutine.create(f)
    managed[thread] = true
    planning.inherit(thread)
    tasks[i] = { thread = thread, by_script = by_script }
  end
  for _, task in ipairs(tasks) do advance(task) end
  while true do
    local waiting = {}
    for _, task in ipairs(tasks) do
      if task.items then waiting[#waiting + 1] = task end
    end
    if #waiting == 0 then break end
    answer_all(waiting, workers)
    for _, task in ipairs(waiting) do advance(task, task.answer) end
  end
  local results = {}
  for i, task in ipairs(tasks) do
    if task.planned then error(native.planned, 0) end
    results[i] = task.results
  end
  return results
end

return run
