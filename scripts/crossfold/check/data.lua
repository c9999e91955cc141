-- Makes small datasets for the checks of learners written in Lua, of the same kinds as those for plugins
-- (sdk/check/probe_data.h): from a seed, with a pattern that every reasonable learner finds.
local native = require "crossfold.native"
local options = require "crossfold.options"

local check_data = {}

-- Numbers in [0, 1): SplitMix64, so that math.random is left alone.
function check_data.generator(seed)
  local state = seed
  return function()
    state = state + 0x9E3779B97F4A7C15
    local z = (state ~ (state >> 30)) * 0xBF58476D1CE4E5B9
    z = (z ~ (z >> 27)) * 0x94D049BB133111EB
    return ((z ~ (z >> 31)) >> 11) / (1 << 53)
  end
end

local levels = { "a", "b", "c", "never" }

-- What the features predict: the class counted from 0, or a number between 0 and 2.
local function causes_of(shape, uniform)
  local causes = {}
  for i = 1, shape.rows do
    causes[i] = shape.task == "regression" and 2 * uniform() or (i - 1) % shape.classes
  end
  return causes
end

local function numbers(j, causes, uniform, missing)
  local slope = j % 2 == 0 and 1.0 + j or -1.5
  local values = {}
  for i, cause in ipairs(causes) do
    local noise = uniform() + uniform() + uniform() + uniform() - 2  -- nearly normal
    values[i] = slope * (cause + 0.5 * noise)
    if missing > 0 and uniform() < missing then values[i] = native.null end
  end
  return { name = "n" .. j, values = values }
end

local function categories(j, causes, uniform, missing)
  local values = {}
  for i, cause in ipairs(causes) do
    local code = (math.floor(cause + 0.5) + j) % 3
    if uniform() > 0.85 then code = math.floor(3 * uniform()) end
    values[i] = levels[code + 1]
    if missing > 0 and uniform() < missing then values[i] = native.null end
  end
  return { name = "c" .. j, values = values, levels = levels }
end

-- The classes of a shape, in order.
function check_data.classes(shape)
  local classes = {}
  for c = 1, shape.classes do classes[c] = "k" .. c - 1 end
  return classes
end

local function target(shape, causes)
  if shape.task == "regression" then return { name = "y", values = causes } end
  local classes, values = check_data.classes(shape), {}
  for i, cause in ipairs(causes) do values[i] = classes[cause + 1] end
  return { name = "y", values = values, levels = classes }
end

-- The columns of data of a shape { task, classes, rows, numbers, categories, missing }: features "n0"
-- ..., "c0" ..., the target "y". Classes follow each other, so neighbouring rows hold all.
function check_data.columns(shape, seed)
  local uniform = check_data.generator(seed)
  local causes, columns = causes_of(shape, uniform), {}
  for j = 0, shape.numbers - 1 do
    columns[#columns + 1] = numbers(j, causes, uniform, shape.missing)
  end
  for j = 0, shape.categories - 1 do
    columns[#columns + 1] = categories(j, causes, uniform, shape.missing)
  end
  columns[#columns + 1] = target(shape, causes)
  return columns
end

-- `weights` (may be nil): one number per row.
function check_data.dataset(columns, weights)
  local all = table.move(columns, 1, #columns, 1, {})
  if weights then all[#all + 1] = { name = "w", values = weights } end
  return native.dataset("probe", all, { target = "y", weights = weights and "w" or nil })
end

-- The columns with entries `rows` of each, repeats allowed.
function check_data.gather(columns, rows)
  local gathered = {}
  for j, column in ipairs(columns) do
    local values = {}
    for i, row in ipairs(rows) do values[i] = column.values[row] end
    gathered[j] = { name = column.name, values = values, levels = column.levels }
  end
  return gathered
end

-- The columns with change(column) in the place of some: what it returns, or the column if nil.
function check_data.change(columns, change)
  local changed = {}
  for j, column in ipairs(columns) do changed[j] = change(column, j) or column end
  return changed
end

-- The usual shape of every task.
function check_data.shapes()
  local usual = { rows = 60, numbers = 3, categories = 0, missing = 0 }
  return {
    options.joined(usual, { task = "classification", classes = 2 }),
    options.joined(usual, { task = "classification", classes = 3 }),
    options.joined(usual, { task = "regression", classes = 0 }),
  }
end

-- "classification of 3 classes with categories": for findings.
function check_data.describe(shape)
  local text = shape.task == "regression" and "regression" or ("classification of %d classes"):format(shape.classes)
  local extras = {}
  if shape.categories > 0 then extras[#extras + 1] = "categories" end
  if shape.missing > 0 then extras[#extras + 1] = "missing entries" end
  return #extras == 0 and text or text .. " with " .. table.concat(extras, " and ")
end

return check_data
