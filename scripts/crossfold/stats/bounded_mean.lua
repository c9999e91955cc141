-- Computes intervals of the mean of a metric that has bounds; they stay between the bounds.
--
-- A t interval mean +- h takes the spread of the scores to be the same wherever the mean is. Near a bound it
-- is not: a share near 0 can hardly vary. So this is the score interval of Wilson (1927) with a spread
-- that was estimated: the values m whose distance from the mean is within h if the variance is
-- proportional to V(m) = (m - least) (most - m), that is
--     (mean - m)^2 <= h^2 V(m) / V(mean).
-- V is the variance function of quasi-likelihood for shares (Wedderburn 1974); the interval is that of
-- surveys, Wilson's with an effective sample size and the quantile of t (Franco, Little, Louis and Slud
-- 2019). A bound that the metric does not have is left out of V; without any it is the t interval.
local bounded_mean = {}

-- The solutions of a x^2 - b x - h^2 = 0, where a > 0 and h > 0: the lower and the upper one. The smaller of them
-- comes of their product, so that nothing cancels.
local function solutions(a, b, h)
  local root = math.sqrt(b * b + 4 * a * h * h)
  if b >= 0 then
    local upper = (b + root) / (2 * a)
    return -h / a * (h / upper), upper
  end
  local lower = (b - root) / (2 * a)
  return lower, -h / a * (h / lower)
end

-- low, high of a mean whose t interval is mean +- half; least and most may be nil. Where the mean is itself a
-- bound (or beyond, as of a metric that does not keep its word) V has no value: the t interval is cut.
function bounded_mean.interval(mean, half, least, most)
  least, most = least or -math.huge, most or math.huge
  local below, above = mean - least, most - mean
  local low, high
  if below > 0 and above > 0 and half > 0 then
    local from_low, from_high = half / below, half / above
    low, high = solutions(1 + from_low * from_high, half * (from_low - from_high), half)
  end
  if not (low and low == low and high == high and high < math.huge) then low, high = -half, half end
  return math.max(mean + low, math.min(least, mean)), math.min(mean + high, math.max(most, mean))
end

return bounded_mean
