-- Tables of named options: every key is known and of the right type, or the script's line is told.
local native = require "crossfold.native"

local options = {}

local function sorted_keys(t)
  local keys = {}
  for key in pairs(t) do keys[#keys + 1] = tostring(key) end
  table.sort(keys)
  return keys
end

-- Keys of `t` as strings, sorted: `pairs` has another order in every process.
options.sorted_keys = sorted_keys

local function type_name(value)
  return math.type(value) == "integer" and "integer" or native.kind(value) or type(value)
end

-- Whether `value` is of one of the types in "integer|string|table".
local function has_type(value, types)
  local actual = type(value)
  for wanted in types:gmatch("[^|]+") do
    if actual == wanted or wanted == "any" then return true end
    if wanted == "integer" and actual == "number" and math.tointeger(value) then return true end
    if native.kind(value) == wanted then return true end
  end
  return false
end

-- Checks `given` against `declared` = { name = { types, default } }, where types may be given as
-- "string!" for an option that must be there. Returns a new table with defaults filled in.
function options.check(what, given, declared)
  if given == nil then given = {} end
  if type(given) ~= "table" then
    native.fail(("%s: expected a table of options, got a %s"):format(what, type_name(given)))
  end
  for _, key in ipairs(sorted_keys(given)) do
    if declared[key] == nil then
      native.fail(("%s: unknown option '%s'; %s"):format(what, key,
        native.known_names(key, sorted_keys(declared))))
    end
  end
  local checked = {}
  for _, key in ipairs(sorted_keys(declared)) do
    local types, default = declared[key][1], declared[key][2]
    local required = types:sub(-1) == "!"
    if required then types = types:sub(1, -2) end
    local value = given[key]
    if value == nil then
      if required then native.fail(("%s: option '%s' is missing"):format(what, key)) end
      value = default
    elseif not has_type(value, types) then
      native.fail(("%s: option '%s' must be a %s, got a %s"):format(what, key,
        (types:gsub("|", " or ")), type_name(value)))
    elseif types == "integer" then
      value = math.tointeger(value)
    end
    checked[key] = value
  end
  return checked
end

return options
