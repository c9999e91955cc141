-- Writes what a script returned as JSON, for hosts: a result by its own method, plain values as they are.
local native = require "crossfold.native"
local json_string = require "crossfold.text.json_string"
local options = require "crossfold.options"

local deepest = 100

local encode

local function list(value, depth)
  local parts = {}
  for i = 1, #value do parts[i] = encode(value[i], depth + 1) end
  return "[" .. table.concat(parts, ",") .. "]"
end

local function object(value, depth)
  local parts = {}
  for _, key in ipairs(options.sorted_keys(value)) do
    local field = value[key]
    if field == nil then native.fail("cannot write the script's value as JSON: key %s is not a string", key) end
    parts[#parts + 1] = json_string(key) .. ":" .. encode(field, depth + 1)
  end
  return "{" .. table.concat(parts, ",") .. "}"
end

-- NaN and the infinities have no form in JSON.
local function number(value)
  if value ~= value or value == math.huge or value == -math.huge then return "null" end
  return native.format_number(value)
end

local forms = {
  boolean = tostring, number = number, string = json_string, ["nil"] = function() return "null" end,
  table = function(value, depth)
    if depth > deepest then
      native.fail("cannot write the script's value as JSON: its tables are nested too deeply, or one contains itself")
    end
    if getmetatable(value) and type(value.to) == "function" then
      return (value:to { json = true }:gsub("%s+$", ""))
    end
    return (#value > 0 and list or object)(value, depth)
  end,
}

function encode(value, depth)
  if value == native.null then return "null" end
  local form = forms[type(value)]
  if not form then
    native.fail("cannot write the script's value as JSON: it has a %s; return plain values or a result",
      native.kind(value) or type(value))
  end
  return form(value, depth)
end

return function(value) return encode(value, 1) end
