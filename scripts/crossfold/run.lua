-- The primitive under every pipeline: run(cells), and parallel, which lets several functions ask for
-- cells at the same time.
--
-- parallel works in rounds: every live function runs, in order, up to its next run() or fit(); then
-- the cells, and then the fits, of all of them run together on all cores; then each gets its answers,
-- in order. So the engine sees all cells of a round at once, and nothing a script does depends on
-- which cell finished first.
--
-- How cells run (an execution, see execution.lua), where, and what they are for, is given once for a
-- function of parallel() and goes on to all that it calls.
local native = require "crossfold.native"
local execution = require "crossfold.execution"
local planning = require "crossfold.planning"

local run = {}

local managed = setmetatable({}, { __mode = "k" })  -- coroutines that belong to a parallel()
-- Of a coroutine: { how = an execution, isolate = mode, purpose = { learner =, dataset =, inner = } }
-- for cells that do not have their own.
local defaults_of = setmetatable({}, { __mode = "k" })
local no_defaults = {}
local request = {}                                  -- marks a yield that asks for work
local elsewhere = {}                                -- ends what another shard does

-- What can be asked for: how a list of items is worked on, and part of the answers.
local kinds = { "cells", "fits" }
local work_on = {
  cells = native.run,
  fits = function(items, how)
    if type(how) == "table" then how = how.workers end
    return native.fit_models(items, how)
  end,
}
local slice = {
  cells = function(outcomes, first, count) return outcomes:slice(first, count) end,
  fits = function(results, first, count)
    return table.move(results, first, first + count - 1, 1, {})
  end,
}

-- Outcomes that the items give: a cell with a count stands for that number of splits.
local function answers_of(kind, items)
  if kind ~= "cells" then return #items end
  local n = 0
  for _, cell in ipairs(items) do n = n + (cell.count or 1) end
  return n
end

-- What the function that runs now has for its cells.
function run.defaults() return defaults_of[coroutine.running()] or no_defaults end

-- The execution that the checked options `o` of `what` ask for in the function that runs now.
function run.execution(what, o)
  local defaults = run.defaults()
  return execution.new(what, o, execution.with_isolation(defaults.how, defaults.isolate))
end

-- Answers, or nil and the reason if the execution stopped after a failure. Inside parallel() it
-- yields; where a yield is impossible (a callback of table.sort) it simply waits. The time of a
-- function in Lua does not run on.
local function try_ask(kind, items, how)
  local left = native.exchange_limit()
  local answers, problem
  if managed[coroutine.running()] and coroutine.isyieldable() then
    answers, problem = coroutine.yield(request, kind, items, how)
  else
    answers, problem = work_on[kind](items, how)
  end
  native.exchange_limit(left)
  return answers, problem
end

local function ask(kind, items, how)
  local answers, problem = try_ask(kind, items, how)
  if not answers then native.fail(problem) end
  return answers
end

local time_is_up = { __tostring = function(problem)
  return ("it was stopped after %s s, the time limit of a cell"):format(native.format_number(problem.seconds))
end }

local function finish_limited(seconds, ok, ...)
  if ok then return ... end
  local problem = ...
  if problem == native.time_is_up then
    problem = setmetatable({ cause = "time", seconds = seconds }, time_is_up)
  end
  error(problem, 0)
end

-- f(...), a function of a learner, transform or metric in Lua: it has the time of a cell, without that of cells that
-- it waits for. A failure that has the field `cause` is raised when it is up. What a script calls itself is not a cell.
function run.limited(f, ...)
  local how = run.defaults().how
  local seconds = type(how) == "table" and how.limits and how.limits.seconds or native.defaults().time_limit
  if seconds == 0 or run.defaults() == no_defaults then return f(...) end
  return finish_limited(seconds, native.limited(seconds, f, ...))
end

-- The cause of what such a function raised, if it is known: "time".
function run.cause(problem)
  return type(problem) == "table" and getmetatable(problem) == time_is_up and problem.cause or nil
end

-- Runs a list of cells { learner =, splits =, split =, seed =, metrics =, keep = } and returns their
-- outcomes. A cell with count = n stands for the n cells from that split on. `how` may be nil.
function run.run(cells, how)
  if type(cells) ~= "table" then native.fail("run: expected a list of cells, got a %s", type(cells)) end
  local defaults = run.defaults()
  for _, cell in ipairs(cells) do
    cell.isolate = cell.isolate or defaults.isolate
    cell.purpose = cell.purpose or defaults.purpose
  end
  local outcomes = ask("cells", cells, how or defaults.how)
  -- Of a task of another shard: the store does not have all of it.
  local of_another = defaults.purpose and defaults.purpose.mine == false
  if of_another and outcomes:elsewhere() then error(elsewhere, 0) end
  return outcomes
end

-- A native learner fitted on all rows of `data`. Inside parallel() the fits of all functions run
-- together, as cells do.
function run.fit(learner, data, seed)
  local fitted = ask("fits", { { learner = learner, data = data, seed = seed } }, run.defaults().how)[1]
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
  local left = native.exchange_limit()  -- of the function that started the task
  local returned = table.pack(coroutine.resume(task.thread, ...))
  native.exchange_limit(left)
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
  task.items, task.answer, task.problem = nil, nil, nil
  if coroutine.status(task.thread) == "dead" then
    task.results = table.pack(table.unpack(returned, 2, returned.n))
  elseif returned[2] == request then
    task.kind, task.items, task.how = returned[3], returned[4], returned[5]
  else
    native.fail("parallel: a function yielded something that is not a run(); use a coroutine of your own for that")
  end
end

-- The tasks that asked for work of a kind, together if it can run in one batch: lists, in the order
-- of their first task.
local function batches_of(waiting, kind)
  local batches, of_key = {}, {}
  for _, task in ipairs(waiting) do
    if task.kind == kind then
      local key = kind == "cells" and task.how and task.how.key or ""
      if not of_key[key] then
        of_key[key] = { how = task.how }
        batches[#batches + 1] = of_key[key]
      end
      table.insert(of_key[key], task)
    end
  end
  return batches
end

-- Works on what the tasks of a batch asked for. If it was stopped by a failure and `how` is what these
-- tasks were started with, that ends all of them; else it is for each of them to see.
local function answer(kind, batch, how)
  local items, n_answers = {}, 0
  for _, task in ipairs(batch) do
    task.first, task.count = n_answers + 1, answers_of(kind, task.items)
    n_answers = n_answers + task.count
    table.move(task.items, 1, #task.items, #items + 1, items)
  end
  local workers = how and how.workers
  local answers, problem = try_ask(kind, items, execution.with_workers(batch.how, workers))
  if not answers and how and batch.how.key == how.key then native.fail(problem) end
  for _, task in ipairs(batch) do
    task.answer = answers and slice[kind](answers, task.first, task.count)
    task.problem = problem
  end
end

-- A coroutine for function i of parallel(), with what its cells get.
local function new_task(f, how, defaults)
  local thread = coroutine.create(f)
  managed[thread] = true
  planning.inherit(thread)
  local outer = run.defaults()
  local own = how ~= outer.how and how and how.isolate or nil
  defaults_of[thread] = {
    how = how, isolate = defaults.isolate or own or outer.isolate,
    purpose = defaults.purpose or outer.purpose,
  }
  return { thread = thread }
end

-- Runs functions as coroutines; returns a list with what each returned (a packed table each). An
-- error in one is raised once, and the cells that the others asked for are not started. `how` (nil =
-- that of the caller) and defaults[i] = { isolate =, purpose = } (may be nil) go on to their cells.
-- `by_script` says that the functions are the script's own.
function run.parallel(functions, how, defaults, by_script)
  local tasks <close> = setmetatable({}, closing)
  how = how or run.defaults().how
  for i, f in ipairs(functions) do
    if type(f) ~= "function" then native.fail("parallel: element %d is a %s, not a function", i, type(f)) end
    tasks[i] = new_task(f, how, defaults and defaults[i] or no_defaults)
    tasks[i].by_script = by_script
  end
  for _, task in ipairs(tasks) do advance(task) end
  while true do
    local waiting = {}
    for _, task in ipairs(tasks) do
      if task.items then waiting[#waiting + 1] = task end
    end
    if #waiting == 0 then break end
    for _, kind in ipairs(kinds) do
      for _, batch in ipairs(batches_of(waiting, kind)) do answer(kind, batch, how) end
    end
    for _, task in ipairs(waiting) do advance(task, task.answer, task.problem) end
  end
  local results = {}
  for i, task in ipairs(tasks) do
    if task.planned then error(native.planned, 0) end
    results[i] = task.results
  end
  return results
end

return run
