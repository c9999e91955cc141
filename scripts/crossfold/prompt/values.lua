-- Finds what the names of a prompt mean without running anything: fields of tables, methods of objects.
local native = require "crossfold.native"
local options = require "crossfold.options"

local values = {}

-- Whether `value` is an object of the library.
function values.is_object(value)
  if native.kind(value) then return true end
  local meta = type(value) == "table" and debug.getmetatable(value)
  local name = type(meta) == "table" and rawget(meta, "__name")
  return type(name) == "string" and name:find("^crossfold%.") ~= nil
end

-- The methods of an object of the library, whose metatable scripts cannot reach.
local function native_methods(value)
  local meta = debug.getmetatable(value)
  local index = type(meta) == "table" and rawget(meta, "__index")
  if type(index) == "function" then
    local _, methods = debug.getupvalue(index, 1)  -- types with fields of their own keep them there
    index = methods
  end
  return type(index) == "table" and index or nil
end

-- The tables in which `value` looks a name up, nearest first. Functions __index of scripts are not called.
local function places(value)
  local found = {}
  if type(value) == "string" then return { string } end
  if type(value) == "userdata" then return { native_methods(value) } end
  local seen = {}
  while type(value) == "table" and not seen[value] do
    seen[value] = true
    found[#found + 1] = value
    local meta = debug.getmetatable(value)
    value = type(meta) == "table" and rawget(meta, "__index") or nil
  end
  return found
end

-- The field or method `name` of `value`; nil if there is none.
function values.field(value, name)
  for _, place in ipairs(places(value)) do
    local found = rawget(place, name)
    if found ~= nil then return found end
  end
end

-- The names of its fields and methods that are identifiers, sorted; with `only` those of values of that
-- type. Names that begin with "_" are left out, unless `hidden`; so is what makes objects of the library.
function values.names(value, only, hidden)
  local found, is_object = {}, values.is_object(value)
  for _, place in ipairs(places(value)) do
    for name, one in next, place do
      if type(name) == "string" and name:find("^[%a_][%w_]*$") and (hidden or name:sub(1, 1) ~= "_")
        and (not only or type(one) == only) and not (is_object and name == "new") then
        found[name] = true
      end
    end
  end
  return options.sorted_keys(found)
end

-- What "a.b:c", or "a.1.b" for a[1].b, means from the table of globals on, and what is before its
-- last name; nil if a name is not there.
function values.resolve(globals, path)
  local value, owner = globals, nil
  for name in path:gmatch("[^.:]+") do
    local index = type(value) == "table" and math.tointeger(tonumber(name))
    owner, value = value, values.field(value, index or name)
    if value == nil then return nil end
  end
  return value, owner
end

return values
