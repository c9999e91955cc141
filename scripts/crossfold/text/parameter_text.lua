-- Writes the value of a parameter as text, as the names of learners have it: numbers with all their digits, lists as
-- {10, 5}, none for null, tables of an object as JSON. Equal values have the same text, wherever they come from.
local native = require "crossfold.native"

local function parameter_text(value)
  if value == native.null then return "none" end
  if type(value) == "number" then return native.format_number(value) end
  if type(value) ~= "table" then return tostring(value) end
  local json = native.nested_json(value)
  if json then return json end
  local parts = {}
  for i, part in ipairs(value) do parts[i] = parameter_text(part) end
  return "{" .. table.concat(parts, ", ") .. "}"
end

return parameter_text
