-- Small data and helpers for the Lua tests. `data_folder` is set by the runner, and
-- `sanitized` by that of the unit tests.
local cf = require "crossfold"

local fixtures = {}

fixtures.folder = data_folder

-- Leaves a test of many random numbers to the builds without a sanitizer, which take a tenth of the time.
function fixtures.skip_if_sanitized()
  require("luaunit").skipIf(sanitized, "left to builds without a sanitizer")
end

function fixtures.iris()
  return cf.read(data_folder .. "/iris.csv", { target = "class" })
end

-- Two classes that one feature separates; 12 rows.
function fixtures.separable()
  local x, y = {}, {}
  for i = 1, 12 do
    x[i] = i
    y[i] = i <= 6 and "low" or "high"
  end
  return cf.dataset {
    name = "separable", target = "y",
    columns = { { name = "x", values = x }, { name = "y", values = y } },
  }
end

-- The path of a store that is not there yet.
function fixtures.new_store()
  local path = os.tmpname()
  os.remove(path)
  return path
end

-- Removes a store with the files of SQLite beside it: a log that stays would be another store's of that name.
function fixtures.remove_store(path)
  for _, rest in ipairs { "", "-wal", "-shm" } do os.remove(path .. rest) end
end

-- `options` with the fields of `changes`, which may be nil, in place of its own.
function fixtures.with(options, changes)
  for name, value in pairs(changes or {}) do options[name] = value end
  return options
end

-- A list of `n` times this value.
function fixtures.repeated(value, n)
  local list = {}
  for i = 1, n do list[i] = value end
  return list
end

function fixtures.sorted_keys(map)
  local keys = {}
  for key in pairs(map) do keys[#keys + 1] = key end
  table.sort(keys)
  return keys
end

-- The values of a field in a list of rows.
function fixtures.column(rows, field)
  local values = {}
  for i, row in ipairs(rows) do values[i] = row[field] end
  return values
end

-- The error of f(...) with the position "file:line: " cut off.
function fixtures.message(f, ...)
  local ok, problem = pcall(f, ...)
  assert(not ok, "an error was expected")
  return (tostring(problem):gsub("^[^:]+:%d+: ", ""))
end

return fixtures
