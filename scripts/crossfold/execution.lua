-- Declares the options of how cells are run, which all functions that run cells take. Options that are not
-- given are as cf.parallel or the program says. An execution is a table with these fields, checked, and `key`:
-- cells with one key can run in one batch.
local native = require "crossfold.native"
local options = require "crossfold.options"

local execution = {}

local modes = { "auto", "none", "worker", "fresh" }

-- `program` is the option of the program that means the same.
execution.options = {
  workers = { "integer", program = "--workers N",
    doc = "Number of cells that run at the same time; 0 = one per core." },
  store = { "string|boolean", is = "string|false", program = "--store FILE",
    doc = "The file that keeps finished cells, which are found there instead of being computed again; false: not "
      .. "the program's store." },
  store_predictions = { "integer|string|boolean", is = "integer|string|false",
    program = "--store-predictions SIZE",
    doc = "Number of bytes that predictions may take in the store, as in \"2G\"; false (program: 0): none." },
  on_store_error = { "string", words = { "continue", "stop" }, program = "--on-store-error MODE",
    doc = "What a run does if the store accepts no more cells: \"continue\" (default) runs the cells without "
      .. "storing them and reports that, \"stop\" ends the run with an error." },
  isolate = { "string", words = modes, program = "--isolate MODE",
    doc = "Where cells run: \"none\" in this process, \"worker\" in worker processes, \"fresh\" each in a new "
      .. "process, \"auto\" (default) in worker processes unless all plugins of the cell are bundled or folders." },
  retries = { "integer", program = "--retries N",
    doc = "How often a cell is tried again that failed because of the machine: it was killed, or there was no "
      .. "memory or disk space (default 2)." },
  limits = { "table", is = "crossfold.Limits",
    program = "--time-limit S, --cpu-limit S, --memory-limit SIZE, --memory-limit-max SIZE",
    doc = "Limits of one cell, { seconds =, cpu_seconds =, memory =, memory_max = }. Only a process can be held "
      .. "to them, so such cells run in worker processes, or in new ones with isolate = \"fresh\". Functions of "
      .. "learners, transforms and metrics in Lua are held to the seconds." },
}

-- The option of functions that run several learners.
execution.isolate_by_learner = { "string|table", words = modes, program = execution.options.isolate.program,
  is = ("table<string, \"%s\">"):format(table.concat(modes, "\"|\"")),
  doc = execution.options.isolate.doc .. " A table has the mode of each learner by its name." }

-- `declared` and the options above.
function execution.declare(declared) return options.joined(execution.options, declared) end

local is_mode = options.set_of(modes)

local function check_mode(what, mode)
  if not is_mode[mode] then native.fail("%s is not one of %s", what, table.concat(modes, ", ")) end
end

local function check_store(what, store)
  if store == true then
    native.fail("%s: store = true names no file; give its path", what)
  elseif store == "" then
    native.fail("%s: store = '' names no file; leave it out, or use false for none", what)
  end
  return store
end

-- The option store_predictions as bytes.
local function prediction_bytes(what, given)
  if given == true then native.fail("%s: store_predictions = true is not a size; leave it out to keep all", what) end
  return given == false and 0 or options.bytes(what .. ": store_predictions", given)
end

local function seconds(what, name, given)
  if given ~= nil and not (given > 0 and given < math.huge) then
    native.fail("%s: limits.%s = %s is out of range; use a number of seconds above 0", what, name,
      native.format_number(given))
  end
  return given
end

local limits_declared = options.declare("Limits", {
  seconds = { "number", doc = "Maximum time of a cell in seconds." },
  cpu_seconds = { "number", doc = "Maximum processor time of a cell in seconds." },
  memory = { "integer|string", doc = "Maximum memory of a cell in bytes, as in \"1G\"." },
  memory_max = { "integer|string",
    doc = "A cell that needs more than `memory` is tried again with twice as much, up to this number of bytes." },
})

local function check_limits(what, given)
  if given == nil then return nil end
  local o = options.check(what .. ": option 'limits'", given, limits_declared)
  local memory = options.bytes(what .. ": limits.memory", o.memory)
  if memory == 0 then native.fail(what .. ": limits.memory = 0 lets nothing run") end
  local most = options.bytes(what .. ": limits.memory_max", o.memory_max)
  if most and most < (memory or 0) then
    native.fail("%s: limits.memory_max = %d is less than limits.memory = %d", what, most, memory)
  end
  return {
    seconds = seconds(what, "seconds", o.seconds), memory = memory, memory_max = most,
    cpu_seconds = seconds(what, "cpu_seconds", o.cpu_seconds),
  }
end

local function check_retries(what, given)
  if given ~= nil and (given < 0 or given > 100) then
    native.fail("%s: retries = %d is out of range; use 0 to 100", what, given)
  end
end

-- Fields of limits that are absent are those of `of`.
local function merged_limits(limits, of)
  if not limits or not of then return limits or of end
  local merged = {}
  for _, name in ipairs { "seconds", "cpu_seconds", "memory", "memory_max" } do
    merged[name] = limits[name] or of[name]
  end
  return merged
end

local function key_of(how)
  local limits, parts, is_any = how.limits or {}, {}, false
  for i, value in pairs { how.store, how.store_predictions, how.on_store_error, how.isolate, how.stop,
    limits.seconds, limits.cpu_seconds, limits.memory, limits.memory_max, how.retries } do
    parts[i], is_any = tostring(value), true
  end
  if not is_any then return "" end  -- as without an execution
  for i = 1, 10 do parts[i] = parts[i] or "" end
  return table.concat(parts, "\n")
end

local function sealed(how)
  how.key = key_of(how)
  return how
end

-- The execution that the checked options `o` of `what` ask for, inside one that may be nil.
function execution.new(what, o, outer)
  options.workers(what, o.workers)
  check_retries(what, o.retries)
  local limits = check_limits(what, o.limits)
  if limits and o.isolate == "none" then
    native.fail("%s: limits need a process of their own; use isolate = \"worker\"", what)
  end
  outer = outer or {}
  local how = { workers = o.workers, store = check_store(what, o.store), isolate = o.isolate }
  if how.store == nil then how.store = outer.store end
  if o.store_predictions ~= nil then
    how.store_predictions = prediction_bytes(what, o.store_predictions)
  elseif o.store == nil then
    how.store_predictions = outer.store_predictions
  end
  how.on_store_error = o.on_store_error or outer.on_store_error
  if how.isolate == nil then how.isolate = outer.isolate end
  how.limits = merged_limits(limits, outer.limits)
  how.retries = o.retries or outer.retries
  return sealed(how)
end

-- Raises what is wrong with the checked options `o` of `what`, which go on to cf.evaluate.
function execution.check(what, o)
  execution.new(what, {
    workers = o.workers, store = o.store, store_predictions = o.store_predictions,
    on_store_error = o.on_store_error,
    isolate = type(o.isolate) == "string" and o.isolate or nil, limits = o.limits, retries = o.retries,
  })
end

-- `into` with the options of `o` that say how cells are run.
function execution.pass_on(o, into)
  for name in pairs(execution.options) do into[name] = o[name] end
  return into
end

-- The same with other workers; nil = as the program says.
function execution.with_workers(how, workers)
  if how == nil then return workers end
  if how.workers == workers then return how end
  local made = options.joined(how)
  made.workers = workers
  return made
end

-- The same with this isolation, if it is not nil; `how` may be nil.
function execution.with_isolation(how, mode)
  if mode == nil or how and how.isolate == mode then return how end
  local made = options.joined(how or {})
  made.isolate = mode
  return sealed(made)
end

local n_stops = 0

-- The same, and nothing starts after the first cell that failed, unless that is an inner one. Cells of
-- another execution go on.
function execution.stopping(how)
  n_stops = n_stops + 1
  local made = options.joined(how)
  made.stop = n_stops
  return sealed(made)
end

-- isolate = { learner = mode, ... } as a table, checked against the names of the learners.
function execution.modes_by_name(what, given, learners)
  for _, name in ipairs(options.sorted_keys(given)) do
    options.place_of(what .. ": option 'isolate': there is no learner", name, learners)
    check_mode(("%s: isolate.%s = '%s'"):format(what, name, tostring(given[name])), given[name])
  end
  return given
end

return execution
