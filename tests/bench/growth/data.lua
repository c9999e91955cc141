-- Data of any size for the subjects: numbers of which the first decides the target, with noise.
local cf = require "crossfold"

local data = {}

local function uniforms(n)
  local list = {}
  for i = 1, n do list[i] = math.random() end
  return list
end

-- `n` names of levels, or numbers of classes, drawn from `count`.
local function names(n, count, prefix)
  local list = {}
  for i = 1, n do list[i] = prefix .. math.random(count) end
  return list
end

-- The target of rows whose first number is given: a class that follows it in 9 of 10 rows.
local function classes(first, count)
  local list = {}
  for i, x in ipairs(first) do
    if math.random() < 0.1 then x = math.random() end
    list[i] = "c" .. math.floor(x * count) + 1
  end
  return list
end

local function values(first)
  local list = {}
  for i, x in ipairs(first) do list[i] = x + 0.2 * math.random() end
  return list
end

-- A dataset of n rows. Options: `columns` (10) numbers or, with `levels`, names of that many levels;
-- `classes` (2), or `regression`; `groups` and `time`, columns of these roles.
function data.of(n, o)
  o = o or {}
  math.randomseed(7)
  local first = uniforms(n)
  local columns = {}
  for i = 1, o.columns or 10 do
    columns[i] = { name = "x" .. i, values = o.levels and names(n, o.levels, "l") or i == 1 and first or uniforms(n) }
  end
  columns[#columns + 1] = { name = "y", values = o.regression and values(first) or classes(first, o.classes or 2) }
  if o.groups then columns[#columns + 1] = { name = "group", values = names(n, o.groups, "g") } end
  if o.time then columns[#columns + 1] = { name = "time", values = uniforms(n) } end
  return cf.dataset { name = "grown", columns = columns, target = "y", groups = o.groups and "group",
    time = o.time and "time" }
end

-- The path of a CSV file of n rows with four numbers and a class. It repeats a block of rows, so that it is made
-- as fast as it is written.
function data.file(n, folder)
  local path, block = ("%s/rows_%d.csv"):format(folder, n), math.min(n, 100000)
  local known = io.open(path)
  if known then
    known:close()
    return path
  end
  math.randomseed(7)
  local lines = {}
  for i = 1, block do
    local x = math.random()
    lines[i] = ("%.6f,%.6f,%.6f,%.6f,%s\n"):format(x, math.random(), math.random(), math.random(),
      (x + 0.2 * math.random() > 0.6) and "yes" or "no")
  end
  local text, file = table.concat(lines), assert(io.open(path .. ".part", "w"))
  file:write("a,b,c,d,y\n")
  for _ = 1, n // block do file:write(text) end
  file:close()
  os.rename(path .. ".part", path)
  return path
end

-- As data.of with few columns, from a file: for millions of rows.
function data.many(n, folder) return cf.read(data.file(n, folder), { target = "y" }) end

return data
