-- Scales an axis: finds where a value is between its ends, and its ticks.
--
--   linear    ticks are 1, 2 or 5 times a power of ten apart
--   log       ticks at powers of ten, and at 2 and 5 times these where there are few
--   deviate   the values are normal deviates of shares, as the axes of a DET curve; ticks name the shares
--   category  the values are the places 1, 2, ... of names
local native = require "crossfold.native"
local with_exponent = require("crossfold.text.number_text").with_exponent

local scale = {}
scale.__index = scale

scale.kinds = { "category", "deviate", "linear", "log" }

-- Normal quantiles of shares: SciPy's norm.ppf.
local deviates = { { -3.090232, "0.1%" }, { -2.326348, "1%" }, { -1.644854, "5%" },
  { -0.841621, "20%" }, { 0, "50%" }, { 0.841621, "80%" }, { 1.644854, "95%" },
  { 2.326348, "99%" }, { 3.090232, "99.9%" } }

function scale.is_finite(x)
  return type(x) == "number" and x == x and x ~= math.huge and x ~= -math.huge
end

-- The largest number, and the smallest above 0.
local largest, smallest = 0x1.fffffffffffffp+1023, 0x1p-1074

local function clamped(value) return math.max(-largest, math.min(largest, value)) end

-- (high - low) * factor, also where the difference is more than the largest number.
local function part_of_span(low, high, factor)
  local span = high - low
  return scale.is_finite(span) and span * factor or high * factor - low * factor
end

-- log(high / low), also where the ratio is more than the largest number or less than the smallest.
local function log_ratio(low, high)
  local ratio = high / low
  if ratio > 0 and scale.is_finite(ratio) then return math.log(ratio) end
  return math.log(high) - math.log(low)
end

-- The position of `value` from low = 0 to high = 1, which differ.
function scale.share(value, low, high)
  value, low, high = value + 0.0, low + 0.0, high + 0.0
  local span = high - low
  if scale.is_finite(span) then return (value - low) / span end
  return (value / 2 - low / 2) / (high / 2 - low / 2)
end

-- The same by the logarithms of positive numbers.
function scale.log_share(value, low, high) return log_ratio(low, value) / log_ratio(low, high) end

-- The position of a value on a ramp from 0 to 1; `low` may be the greater end. The middle if there is one value.
function scale.ramp_share(value, low, high)
  return low == high and 0.5 or math.min(math.max(scale.share(value, low, high), 0), 1)
end

-- 1, 2 or 5 times a power of ten, for about `most` steps: a quarter more rather than half as many.
local function nice_step(low, high, most)
  local raw = part_of_span(low, high, 1 / most)
  if raw == 0 then return high - low end
  local power = 10.0 ^ math.floor(math.log(raw, 10))
  if power == 0 then return raw end
  for _, factor in ipairs { 1, 2, 5, 10 } do
    if factor * power >= 0.8 * raw then return math.min(factor * power, largest) end
  end
  return 10 * power
end

-- The shortest text with `decimals` or fewer decimals, large and small numbers with an exponent.
local function number_text(value, decimals)
  local size = math.abs(value)
  if size == 0 and decimals > 4 then return "0" end
  if size >= 1e6 or (size > 0 and size < 1e-4) then
    return with_exponent(value, 3)
  end
  local text = native.format_number(value, decimals)
  return text:find("^%-0%.?0*$") and text:sub(2) or text
end

-- Any value for people: 4 digits after the first, without zeros at the end.
function scale.text(value)
  if type(value) ~= "number" then return value == nil and "undefined" or tostring(value) end
  if not scale.is_finite(value) then return native.format_number(value) end
  if math.type(value) == "integer" then return native.format_number(value) end  -- counts are exact
  if value == math.floor(value) and math.abs(value) < 1e6 then return number_text(value, 0) end
  local decimals = math.max(0, 4 - math.max(0, math.floor(math.log(math.abs(value), 10)) + 1))
  local rest = 1 - math.abs(value)
  if rest > 0 and rest < 0.5e-4 and rest >= 1e-9 then  -- what is below 1 does not look like 1
    decimals = math.ceil(-math.log(rest, 10))
  end
  local text = number_text(value, math.abs(value) < 0.01 and 6 or decimals)
  if text:find("e", 1, true) then return text end
  return text:find(".", 1, true) and (text:gsub("0+$", ""):gsub("%.$", "")) or text
end

-- A range with room for marks at its ends; one value alone gets room on both sides.
local function widened(low, high, fixed_low, fixed_high)
  if low == high then
    local room = low == 0 and 1 or math.max(math.abs(low) * 0.1, smallest)
    return fixed_low or clamped(low - room), fixed_high or clamped(high + room)
  end
  local room = part_of_span(low, high, 0.04)
  return fixed_low or clamped(low - room), fixed_high or clamped(high + room)
end

local function check_range(self, what)
  if self.kind == "log" and self.low <= 0 then
    native.fail("%s: a logarithmic axis cannot start at %s; use a linear one", what, native.format_number(self.low))
  end
  if self.low >= self.high then
    native.fail("%s: the axis goes from %s to %s; low must be below high", what, native.format_number(self.low),
      native.format_number(self.high))
  end
end

-- The scale of `axis` = { label =, scale =, low =, high =, categories =, whole = } for values from `low` to
-- `high` (nil, nil = none); ends that the axis names are kept. Others are not beyond `bounds` =
-- { least =, most = }.
function scale.new(axis, low, high, what, bounds)
  local self = setmetatable({ kind = axis.scale, label = axis.label, whole = axis.whole }, scale)
  if self.kind == "category" then
    self.categories, self.low, self.high = axis.categories, 0.5, #axis.categories + 0.5
    if self.high == self.low then self.high = 1.5 end
    return self
  end
  low, high = (low or axis.low or axis.high or 0) + 0.0, (high or axis.high or axis.low or 1) + 0.0
  if self.kind == "log" then
    self.low, self.high = axis.low or low, axis.high or high
    if self.low == self.high and self.low > 0 then
      self.low, self.high = math.max(smallest, self.low / 2), clamped(self.high * 2)
    end
    if self.low > 0 and not (axis.low and axis.high) then
      local room = math.exp(0.04 * log_ratio(self.low, self.high))
      self.low = axis.low or math.max(smallest, self.low / room)
      self.high = axis.high or clamped(self.high * room)
    end
  else
    self.low, self.high = widened(math.min(low, axis.low or low), math.max(high, axis.high or high),
      axis.low, axis.high)
  end
  if bounds and bounds.least and not axis.low then self.low = math.max(self.low, bounds.least) end
  if bounds and bounds.most and not axis.high then self.high = math.min(self.high, bounds.most) end
  check_range(self, what or "figure")
  return self
end

-- The position of `value` between the ends: 0 = low, 1 = high; outside of them below 0 or above 1.
-- nil for what has no place on this scale.
function scale:place(value)
  if not scale.is_finite(value) then return nil end
  if self.kind == "log" then
    if value <= 0 then return nil end
    return scale.log_share(value, self.low, self.high)
  end
  return scale.share(value, self.low, self.high)
end

-- Whether a number is on the axis, or a rounding error beyond its ends.
function scale:holds(value)
  local share = self:place(value)
  return share ~= nil and share >= -1e-9 and share <= 1 + 1e-9
end

-- Ticks far from 0 that are close together need all their digits.
local function told_apart(ticks, decimals)
  for i = 2, #ticks do
    if ticks[i].text == ticks[i - 1].text then
      for _, tick in ipairs(ticks) do
        local size = math.abs(tick.value)
        tick.text = native.format_number(tick.value, size > 0 and size < 1e15 and decimals < 12 and decimals or nil)
      end
      break
    end
  end
  return ticks
end

local function linear_ticks(self, most)
  local step = nice_step(self.low, self.high, most)
  if self.whole then step = math.max(1, step) end
  local decimals = math.min(12, math.max(0, -math.floor(math.log(step, 10) + 1e-9)))
  local ticks = {}
  local first = math.ceil(self.low / step - 1e-9)
  local count = math.min(2 * most, math.floor(self.high / step + 1e-9) - first)
  for i = 0, count do
    local value = (first + i) * step
    if scale.is_finite(value) then
      ticks[#ticks + 1] = { value = value, text = number_text(value, decimals) }
    end
  end
  return told_apart(ticks, decimals)
end

-- Powers of ten times 1, or 1, 2 and 5.
local function log_ticks(self, most)
  local first, last = math.floor(math.log(self.low, 10)), math.ceil(math.log(self.high, 10))
  local decades = log_ratio(self.low, self.high) / math.log(10)
  local factors = 3 * decades <= most + 1 and { 1, 2, 5 } or { 1 }
  local every, ticks = math.max(1, math.ceil((last - first + 1) / most)), {}
  for power = math.ceil(first / every) * every, last, every do
    for _, factor in ipairs(factors) do
      local value = factor * 10.0 ^ power
      if scale.is_finite(value) and value >= self.low * (1 - 1e-9) and value <= self.high * (1 + 1e-9) then
        ticks[#ticks + 1] = { value = value, text = number_text(value, math.max(0, -power)) }
      end
    end
  end
  if #ticks > 0 then return ticks end
  return { { value = self.low, text = scale.text(self.low) },
    { value = self.high, text = scale.text(self.high) } }
end

local function deviate_ticks(self)
  local ticks = {}
  for _, tick in ipairs(deviates) do
    if tick[1] >= self.low and tick[1] <= self.high then
      ticks[#ticks + 1] = { value = tick[1], text = tick[2] }
    end
  end
  return ticks
end

-- { { value =, text = }, ... }, about `most` or fewer; of categories all.
function scale:ticks(most)
  if self.kind == "category" then
    local ticks = {}
    for i, name in ipairs(self.categories) do ticks[i] = { value = i, text = name } end
    return ticks
  end
  if self.kind == "log" then return log_ticks(self, most) end
  if self.kind == "deviate" then return deviate_ticks(self) end
  return linear_ticks(self, most)
end

return scale
