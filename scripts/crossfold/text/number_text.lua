-- Writes numbers as text for people: rounded, but never to a number that says something else.
local native = require "crossfold.native"

local number_text = {}

-- Below this the digits of a number would fill the line.
local least_fixed = 1e-9

-- `value` without its power of ten, from 1 to below 10, and that power.
local function without_power(value)
  local exponent = math.floor(math.log(math.abs(value), 10) + 1e-9)
  -- Below 1e-300 the power alone may be no number.
  if exponent < -300 then return value * 1e300 / 10.0 ^ (exponent + 300), exponent end
  return value / 10.0 ^ exponent, exponent
end

-- "1.235e6": with at most this number of decimals and, if they are `kept`, their zeros.
function number_text.with_exponent(value, decimals, kept)
  local mantissa, exponent = without_power(value)
  local digits = native.format_number(mantissa, decimals)
  if digits:find("^%-?10") then  -- rounded up
    exponent, digits = exponent + 1, native.format_number(mantissa / 10, decimals)
  end
  return (kept and digits or digits:gsub("%.?0+$", "")) .. "e" .. exponent
end

-- With `decimals` (4), or more where these would make 0 of what is not 0, or 1 of what is below 1.
function number_text.fixed(value, decimals)
  decimals = decimals or 4
  local size, half = math.abs(value), 0.5 * 10.0 ^ -decimals
  if size > 0 and size < half then
    if size < least_fixed then return number_text.with_exponent(value, 1, true) end
    decimals = math.ceil(-math.log(size, 10)) + 1
  elseif size < 1 and 1 - size < half and 1 - size >= least_fixed then
    decimals = math.ceil(-math.log(1 - size, 10))
  end
  return native.format_number(value, decimals)
end

-- With four decimals, and three digits at least: thresholds, which may be small and decide all the same.
function number_text.threshold(value)
  local size = math.abs(value)
  if size == 0 or size >= 0.01 or size < least_fixed then return number_text.fixed(value) end
  return native.format_number(value, 2 - math.floor(math.log(size, 10) + 1e-9))
end

-- "p = 0.016", "p < 0.0001".
function number_text.p(p)
  return p < 0.0001 and "p < 0.0001" or "p = " .. number_text.fixed(p)
end

-- "0.95", "above 0.9999".
function number_text.probability(p)
  if p > 0.9999 and p < 1 then return "above 0.9999" end
  if p < 0.0001 and p > 0 then return "below 0.0001" end
  return number_text.fixed(p, 2)
end

-- "12.5 %" of a share; what is neither nothing nor all does not look as if it were.
function number_text.share(share)
  if share > 0 and share < 0.001 then return "<0.1 %" end
  if share < 1 and share > 0.999 then return ">99.9 %" end
  return native.format_number(100 * share, 1) .. " %"
end

-- What somebody chose, as a level or the value of a parameter: as it is. With `decimals`, if that is the
-- same number.
function number_text.chosen(value, decimals)
  local text = decimals and native.format_number(value, decimals)
  return text and tonumber(text) == value and text or native.format_number(value)
end

-- "95 %" of a confidence. 100 * 0.999 is not a round number, so the digits after the tenth are dropped.
function number_text.confidence(confidence)
  local text = native.format_number(100 * confidence, 10):gsub("0+$", ""):gsub("%.$", "")
  return text .. " %"
end

return number_text
