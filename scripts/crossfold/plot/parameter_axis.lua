-- Makes the axis of a parameter's values: numbers on a linear or logarithmic scale, anything else as names.
local parameter_text = require "crossfold.text.parameter_text"
local scale = require "crossfold.plot.scale"

local parameter_axis = {}

-- From this ratio of the largest to the smallest value on, an axis is logarithmic.
local log_ratio = 50

local function all_numbers(values)
  for _, value in ipairs(values) do
    if not scale.is_finite(value) then return false end
  end
  return #values > 0
end
parameter_axis.all_numbers = all_numbers

-- The text of a value, which names it and is not rounded; nil is a parameter that a setting does not have.
function parameter_axis.text(value)
  return value == nil and "none" or parameter_text(value)
end

-- The same value for an axis or a table: a number as it is, anything else as its text, because lists that
-- are equal need not be the same list.
function parameter_axis.plain(value)
  if value == nil or type(value) == "number" then return value end
  return parameter_text(value)
end

-- Distinct values, numbers first and by size, then texts by bytes.
function parameter_axis.sorted(values)
  local list, seen = {}, {}
  for _, value in ipairs(values) do
    if not seen[value] then seen[value], list[#list + 1] = true, value end
  end
  table.sort(list, function(a, b)
    local x, y = type(a) == "number", type(b) == "number"
    if x ~= y then return x end
    if x then return a < b end
    return tostring(a) < tostring(b)
  end)
  return list
end

-- An axis for figure.new, and a function from a value to its coordinate.
function parameter_axis.of(name, values)
  local sorted = parameter_axis.sorted(values)
  if all_numbers(sorted) and #sorted > 1 then
    local low, high = sorted[1], sorted[#sorted]
    local kind = low > 0 and high / low >= log_ratio and "log" or "linear"
    return { label = name, scale = kind }, function(value) return value end
  end
  return parameter_axis.categories(name, values)
end

-- The same with every value as a name.
function parameter_axis.categories(name, values)
  local sorted, names, places, seen = parameter_axis.sorted(values), {}, {}, {}
  for _, value in ipairs(sorted) do
    local text = parameter_axis.text(value)
    while seen[text] do text = text .. "'" end
    names[#names + 1], seen[text] = text, true
    places[value] = #names
  end
  return { label = name, scale = "category", categories = names },
    function(value) return places[value] end
end

return parameter_axis
