-- Makes the limits of an interval of a mean score, between the values that the metric can have.
local bounded_mean = require "crossfold.stats.bounded_mean"

local interval_limits = {}

-- The names of the limits: see docs/intervals.md.
interval_limits.names = { "score", "wald" }

-- `value`, or the bound of `range` = { least, most } beyond which it is.
function interval_limits.cut(value, range)
  return math.min(math.max(value, range.least or -math.huge), range.most or math.huge)
end

-- Every row has the same score, which is a bound of the metric, such as an accuracy of 1: the variance of a row is
-- then taken to be as large as it can be at each mean, (m - least) (most - m) (Bhatia and Davis 2000, American
-- Mathematical Monthly 107, 353-357), which for shares is Wilson's interval.
local function at_bound(mean, critical, n, least, most)
  local reach = (most - least) * critical ^ 2 / (n + critical ^ 2)
  if mean == least then return least, least + reach end
  return most - reach, most
end

-- What is no more than rounding: by the range of the metric, or else by the mean.
local function smallest_half(mean, range)
  if range.least and range.most then return 1e-9 * (range.most - range.least) end
  return 1e-9 * math.max(math.abs(mean), range.unit or 0)
end

-- low, high of `mean` with standard error `se` over n rows (or groups); nil if there are none, as where they would be
-- the same but for rounding. `range` = { least, most, unit = what is much for the metric }, each of which may be nil.
-- "score" solves for the means that are within critical * se if the variance is that of the bounds
-- (stats/bounded_mean.lua); "wald" is mean +- critical * se, cut at the bounds.
function interval_limits.of(mean, se, critical, n, range, limits)
  local least, most = range.least, range.most
  if critical * se > smallest_half(mean, range) then
    local half = critical * se
    if limits == "wald" then
      return interval_limits.cut(mean - half, range), interval_limits.cut(mean + half, range)
    end
    return bounded_mean.interval(mean, half, least, most)
  end
  if limits == "wald" or not (least and most) then return nil end
  local rounding = smallest_half(mean, range)
  if mean - least <= rounding then return at_bound(least, critical, n, least, most) end
  if most - mean <= rounding then return at_bound(most, critical, n, least, most) end
end

return interval_limits
