-- Codes classes as numbers from 0, in the order of the classes: numbers by value, names as strings.
local native = require "crossfold.native"

local class_codes = {}
class_codes.__index = class_codes

local function check(what, value)
  if type(value) ~= "string" and math.type(value) ~= "integer" then
    native.fail("%s: a class is a name or a whole number, not a %s (%s)", what, type(value), tostring(value))
  end
end

-- Codes of the classes that occur in the lists.
function class_codes.of(what, lists)
  local seen, classes = {}, {}
  for _, list in ipairs(lists) do
    for _, value in ipairs(list) do
      check(what, value)
      if not seen[value] then
        seen[value] = true
        classes[#classes + 1] = value
      end
    end
  end
  for _, value in ipairs(classes) do
    if type(value) ~= type(classes[1]) then
      native.fail(what .. ": classes are either names or whole numbers, not both")
    end
  end
  if type(classes[1]) == "string" then classes = native.order_levels(classes) else table.sort(classes) end
  local code = {}
  for i, value in ipairs(classes) do code[value] = i - 1 end
  return setmetatable({ classes = classes, code = code }, class_codes)
end

function class_codes:encode(list)
  local codes = {}
  for i, value in ipairs(list) do codes[i] = self.code[value] end
  return codes
end

function class_codes:decode(code) return self.classes[code + 1] end

return class_codes
