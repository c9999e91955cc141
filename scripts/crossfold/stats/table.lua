-- Prints the figures of a function of cf.stats as a table of names and values.
local native = require "crossfold.native"
local first_use = require "crossfold.first_use"
local options = require "crossfold.options"

local number_text = first_use.of "crossfold.text.number_text"

local figures = {}

local function is_list_of_tables(value) return type(value) == "table" and type(value[1]) == "table" end

local function text_of(value)
  if math.type(value) == "integer" then return tostring(value) end
  if type(value) == "number" then return number_text.fixed(value) end
  if is_list_of_tables(value) then return ("%d rows"):format(#value) end
  if type(value) ~= "table" then return tostring(value) end
  local parts = {}
  for i, part in ipairs(value) do parts[i] = text_of(part) end
  if #parts == 0 then
    for i, key in ipairs(options.sorted_keys(value)) do parts[i] = ("%s = %s"):format(key, text_of(value[key])) end
  end
  return table.concat(parts, ", ")
end

function figures:__tostring()
  if #self > 0 then return text_of(self) end
  local rows = {}
  for i, key in ipairs(options.sorted_keys(self)) do rows[i] = { figure = key, value = text_of(self[key]) } end
  return native.table_text({ "figure", "value" }, rows)
end

-- `f`, whose tables without a form of their own get this one; their fields stay what they are.
return function(f)
  return function(...)
    local result = f(...)
    if type(result) ~= "table" or getmetatable(result) then return result end
    return setmetatable(result, figures)
  end
end
