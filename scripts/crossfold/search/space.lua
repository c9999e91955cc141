-- Spaces that settings are drawn from:
--
--   { C = { low = 1e-3, high = 1e3, scale = "log" }, k = { low = 1, high = 25 },
--     kernel = { "rbf", "linear" }, shrinking = "declared" }
--
-- An entry is a list of choices, a range, or "declared": all that the plugin declares. What a range
-- leaves out (low, high, scale) is as declared; its type decides whether reals or integers are drawn. Of an
-- entry of an object ("settings.depth") nothing is declared: integers are drawn if both bounds are integers.
local native = require "crossfold.native"
local options = require "crossfold.options"
local parameters = require "crossfold.parameters"

local search_space = {}

local function outside(what, name, which, value, declared)
  native.fail("%s: '%s': %s = %s is outside of the declared range: %s", what, name, which, native.format_number(value),
    declared.text)
end

-- The bound `which` of a range: as given, or as declared.
local function bound(what, name, range, which, declared)
  local value, limit = range[which], declared[which]
  if value == nil then
    if limit == nil then
      native.fail("%s: '%s' has no declared bound '%s' (%s); give %s = ...", what, name, which, declared.text, which)
    end
    return limit
  end
  if declared.type == "integer" then
    value = math.tointeger(value)
    if not value then
      native.fail("%s: '%s': %s = %s is not an integer, but the parameter is: %s", what, name, which,
        native.format_number(range[which]), declared.text)
    end
  end
  if value ~= value or value == math.huge or value == -math.huge then
    native.fail("%s: '%s': %s must be finite", what, name, which)
  end
  local low, high = declared.low, declared.high
  if low and (value < low or (value == low and declared.low_open)) or
      high and (value > high or (value == high and declared.high_open)) then
    outside(what, name, which, value, declared)
  end
  return value
end

-- The dimension of parameter `name` that a range describes.
local range_options = options.declare("Range", {
  low = { "number", doc = "The smallest value; default the bound that the parameter declares." },
  high = { "number", doc = "The largest value; default the bound that the parameter declares." },
  scale = { "string", words = { "log", "linear" }, doc = "How values are drawn; default as the parameter declares." },
})

local function range_dimension(what, name, given, declared)
  local range = options.check(("%s: '%s'"):format(what, name), given, range_options)
  local kind = parameters.number_type(declared, range.low, range.high)
  if not kind then native.fail("%s: '%s' has no range: %s; give a list of values", what, name, declared.text) end
  local dimension = {
    name = name, kind = kind,
    low = bound(what, name, range, "low", declared),
    high = bound(what, name, range, "high", declared),
    low_open = range.low == nil and declared.low_open,
    high_open = range.high == nil and declared.high_open,
  }
  if range.scale then
    dimension.log = range.scale == "log"
  else
    dimension.log = declared.log
  end
  if dimension.low >= dimension.high then
    native.fail("%s: '%s': low = %s is not below high = %s", what, name, native.format_number(dimension.low),
      native.format_number(dimension.high))
  end
  if dimension.log and dimension.low <= 0 then
    native.fail("%s: '%s': a logarithmic scale cannot start at low = %s; give low above 0, or scale = \"linear\"", what,
      name, native.format_number(dimension.low))
  end
  return dimension
end

local function dimension_of(what, name, given, declared)
  if given == "declared" then
    if declared.type == "boolean" then
      return { name = name, kind = "list", values = { false, true } }
    elseif declared.type == "choice" then
      return { name = name, kind = "list", values = declared.choices }
    end
    return range_dimension(what, name, {}, declared)
  end
  if type(given) ~= "table" or next(given) == nil then
    native.fail("%s: '%s' must be a list of values, a range { low = , high = , scale = } or \"declared\"", what, name)
  end
  if given[1] == nil and (given.low ~= nil or given.high ~= nil or given.scale ~= nil) then
    return range_dimension(what, name, given, declared)
  end
  options.list(("%s: the values of '%s'"):format(what, name), given)
  return { name = name, kind = "list", values = table.move(given, 1, #given, 1, {}) }
end

-- Whether the values of a dimension have an order. Those of a list have one if they are numbers that increase.
local function is_ordered(d)
  if d.kind ~= "list" then return true end
  for i, value in ipairs(d.values) do
    if type(value) ~= "number" or i > 1 and value <= d.values[i - 1] then return false end
  end
  return #d.values > 2
end

-- The dimensions of a space for `learner`, sorted by name.
function search_space.check(learner, space, what)
  if type(space) ~= "table" or next(space) == nil then
    native.fail("%s: option 'space' must be { name = ... } and name a parameter", what)
  end
  local dimensions = {}
  for _, name in ipairs(options.sorted_keys(space)) do
    local declared, problem = parameters.declared(learner, name)
    if not declared then native.fail("%s: %s", what, problem) end
    local dimension = dimension_of(what, name, space[name], declared)
    dimension.is_ordered = is_ordered(dimension)
    dimensions[#dimensions + 1] = dimension
  end
  return dimensions
end

-- One setting. Every parameter is drawn with a seed of its own, so no draw depends on another.
function search_space.draw(dimensions, seed)
  local setting = {}
  for _, d in ipairs(dimensions) do
    local own = native.seed(seed, d.name)
    if d.kind == "list" then
      setting[d.name] = d.values[native.draw_integer(1, #d.values, false, own)]
    elseif d.kind == "integer" then
      setting[d.name] = native.draw_integer(d.low, d.high, d.log, own)
    else
      setting[d.name] = native.draw_real(d, own)
    end
  end
  return setting
end

-- For surrogates. A place is where a value is in its dimension: the share of the range that it takes up, from `low` to
-- `high` (both are equal for a real number), if the values have an order, and otherwise its number in the list.

local function share_of(d, value)
  local low, high = d.low, d.high
  if d.kind == "integer" then low, high = low - 0.5, high + 0.5 end
  if d.log then low, high, value = math.log(low), math.log(high), math.log(value) end
  return math.max(0, math.min(1, (value / 2 - low / 2) / (high / 2 - low / 2)))
end

-- The place of `value`, or nil if the dimension does not have it.
function search_space.place(d, value)
  if d.kind == "list" then
    for i, one in ipairs(d.values) do
      if one == value or tostring(one) == tostring(value) then
        return d.is_ordered and { low = (i - 1) / #d.values, high = i / #d.values } or i
      end
    end
    return nil
  end
  if d.kind == "integer" then return { low = share_of(d, value - 0.5), high = share_of(d, value + 0.5) } end
  local share = share_of(d, value)
  return { low = share, high = share }
end

-- The value of an ordered dimension at `share`, 0 to 1, of its range.
function search_space.value_at(d, share)
  if d.kind == "list" then return d.values[math.min(#d.values, math.floor(share * #d.values) + 1)] end
  if d.kind == "integer" then return native.integer_at(d.low, d.high, d.log, share) end
  return native.real_at(d, share)
end

-- The places of the parameters of a setting, by the numbers of their dimensions; those without effect have none.
function search_space.places(dimensions, params)
  local places = {}
  for i, d in ipairs(dimensions) do
    if params[d.name] ~= nil then places[i] = search_space.place(d, params[d.name]) end
  end
  return places
end

return search_space
