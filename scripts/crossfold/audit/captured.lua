-- Finds what functions of a script capture besides their arguments: datasets and columns of all rows, which let a
-- learner in Lua see test rows whatever rows it is given. A refit with other data cannot show that, as
-- what is held stays the same; so it is replaced, too, for the time of a refit.
local native = require "crossfold.native"
local learner = require "crossfold.learner"
local transform = require "crossfold.transform"
local options = require "crossfold.options"

local captured = {}

-- Maximum number of tables and functions that are searched, and maximum depth.
local most_visits, deepest = 20000, 8

local function is_library(f)
  return debug.getinfo(f, "S").source:find("^@%[crossfold%]") ~= nil
end

-- The first column of `data` (a list of { name, values }) that the list is; nil if none.
local function column_of(list, columns, n)
  if #list ~= n then return nil end
  for _, column in ipairs(columns) do
    local same = true
    for i = 1, n do
      if list[i] ~= column.values[i] then
        same = false
        break
      end
    end
    if same then return column.name end
  end
end

local walker = {}
walker.__index = walker

-- Tables of modules, and everything else that does not belong to a script.
local function foreign_tables()
  local foreign = { [_G] = true, [package.loaded] = true }
  for _, module in pairs(package.loaded) do foreign[module] = true end
  return foreign
end

function walker:add(kind, value, name, holder, set, column)
  self.slots[#self.slots + 1] = {
    kind = kind, value = value, name = name, holder = holder, set = set, column = column,
    stage = self.stage,
  }
end

function walker:visit(value, name, holder, depth, set)
  if self.visits >= most_visits or depth > deepest then return end
  if native.kind(value) == "dataset" then
    -- With as many rows it may be the data before or after some change: the rows are the same then.
    if pcall(native.rows_of, value, self.data) and pcall(value.roles, value) then
      self:add("dataset", value, name, holder, set)
      self.slots[#self.slots].exact = native.same_dataset(value, self.data)
    end
  elseif type(value) == "table" then
    if not self.foreign[value] then self:visit_table(value, name, holder, depth, set) end
  elseif type(value) == "function" then
    self:visit_function(value, name, holder, depth)
  elseif math.type(value) == "float" then
    self.numbers[#self.numbers + 1] = {
      value = value, name = name, holder = holder, stage = self.stage,
    }
  end
end

-- The stage that a table stands for, if it is one.
local function stage_of(value, functions)
  if functions then return tostring(value) end
  local meta = getmetatable(value)
  local named = type(meta) == "table" and meta.__tostring
  return named and learner.is_composite(value) and learner.name(value) or nil
end

local function sorted_keys(value)
  local keys = {}
  for key in next, value do keys[#keys + 1] = key end
  table.sort(keys, function(a, b) return tostring(a) < tostring(b) end)
  return keys
end

function walker:visit_table(value, name, holder, depth, set)
  local column = self.column_of[value]  -- each place that holds a list of all rows counts
  if column == nil then
    column = column_of(value, self.columns, self.n) or false
    self.column_of[value] = column
  end
  if column then return self:add("column", value, name, holder, set, column) end
  if self.seen[value] then return end
  self.seen[value], self.visits = true, self.visits + 1
  local functions = transform.functions(value)
  local keys, outer = sorted_keys(functions or value), self.stage
  if #keys > 1000 and #value == #keys then return end  -- a long list of something else
  self.stage = stage_of(value, functions) or outer
  for _, key in ipairs(keys) do
    local path = (name == "" or functions) and tostring(key) or ("%s.%s"):format(name, tostring(key))
    self:visit((functions or value)[key], path, holder, depth + 1,
      function(other) rawset(value, key, other) end)
  end
  self.stage = outer
end

-- Values that the script made global; looked into for a function that uses globals at all.
function walker:visit_globals()
  if self.globals_seen then return end
  self.globals_seen = true
  local names = {}
  for name, value in next, _G do
    if type(name) == "string" and not self.foreign[value] and not self.standard[name] then
      names[#names + 1] = name
    end
  end
  table.sort(names)
  for _, name in ipairs(names) do
    self:visit(_G[name], name, "a global variable", 1, function(other) rawset(_G, name, other) end)
  end
end

function walker:visit_function(f, name, holder, depth)
  if self.seen[f] or debug.getinfo(f, "S").what == "C" then return end
  self.seen[f], self.visits = true, self.visits + 1
  local library = is_library(f)
  self.scripted = self.scripted or not library
  -- `holder` of what a function of the script holds is that function.
  local own = library and holder or ("'%s'"):format(name:match("[^.]+$") or "function")
  for i = 1, 255 do
    local upvalue, value = debug.getupvalue(f, i)
    if not upvalue then break end
    if upvalue == "_ENV" then
      if not library then self:visit_globals() end
    else
      self:visit(value, library and "" or upvalue, own, depth + 1,
        function(other) debug.setupvalue(f, i, other) end)
    end
  end
end

local standard_names = { "_G", "arg", "assert", "collectgarbage", "coroutine", "debug", "dofile",
  "error", "getmetatable", "io", "ipairs", "load", "loadfile", "math", "next", "os", "package",
  "pairs", "pcall", "print", "rawequal", "rawget", "rawlen", "rawset", "require", "select",
  "setmetatable", "string", "table", "tonumber", "tostring", "type", "utf8", "warn", "xpcall", "_VERSION" }

-- Whether functions can be looked into: a sandbox has no debug library.
function captured.available()
  return type(debug) == "table" and type(debug.getupvalue) == "function"
    and type(debug.setupvalue) == "function" and type(debug.getinfo) == "function"
end

-- Features and target as lists, for `find`.
function captured.columns(data)
  local columns = {}
  for i, name in ipairs(data:features()) do
    columns[i] = { name = name, values = data:column(name) }
  end
  columns[#columns + 1] = { name = data:roles().target, values = data:target() }
  return columns
end

-- What `value` holds of `data`: the slots { kind = "dataset" | "column", name =, holder =, value =,
-- stage =, exact = whether a dataset has the same content, set = function(other) } and the numbers
-- { value =, name =, holder =, stage = }; and whether any function of a script is in it.
function captured.find(value, data, columns)
  local standard = options.set_of(standard_names)
  local self = setmetatable({
    data = data, columns = columns, n = #data, slots = {}, numbers = {}, seen = {}, visits = 0,
    column_of = {}, stage = learner.name(value),
    foreign = foreign_tables(), standard = standard,
  }, walker)
  self:visit(value, "", "the learner", 0, function() end)
  return self.slots, self.numbers, self.scripted
end

-- Runs f() while the slots hold what they would hold if `data` were changed by `change`, a function of a
-- dataset.
function captured.with(slots, data, change, f)
  local changed = change(data)
  for _, slot in ipairs(slots) do
    if slot.kind == "dataset" then
      slot.set(change(slot.value))
    elseif slot.column == changed:roles().target then
      slot.set(changed:target())
    else
      slot.set(changed:column(slot.column))
    end
  end
  local ok, made = pcall(f)
  for _, slot in ipairs(slots) do slot.set(slot.value) end
  if not ok then error(made, 0) end
  return made
end

return captured
