-- The rules by which cf.repeat_until stops. Given the data and the learner, the scores of repeats over fresh
-- partitions are independent draws of one distribution; its mean is the expected score over all partitions. A rule
-- says how many repeats to run next, and gives the interval of that mean when it stops. tests/bench/until_coverage.md
-- has the measured coverage at the stopping time.
--
--   normal      C. Stein 1945, "A two-sample test for a linear hypothesis whose power is independent of the
--               variance", Annals of Mathematical Statistics 16, 243-258: the sd s of the first repeats decides the
--               number n of all, and the interval is mean +- t s / sqrt(n) with the degrees of freedom of the first
--               repeats. It is exact for normal scores, because the mean of all is independent of deviations that
--               were seen before. So it may be repeated with the largest sd that was seen after any batch, which only
--               widens the interval: a first sd that was too small by chance or by skewness is found out.
--   bounded     the confidence sequence of stats/betting_interval.h, looked at after each batch. It needs the range of
--               the metric and holds for any distribution in it, but takes at least ln(2 / alpha) / 0.9 times
--               range / width repeats.
local native = require "crossfold.native"

local until_rules = {}

local normal = {}

-- The quantile of t for the first repeats, and the largest sd after the batches that led to `values`.
local function spread(plan, values)
  local quantile = native.student_quantile((1 + plan.confidence) / 2, plan.first - 1)
  local n, sd = plan.first, 0
  while true do
    sd = math.max(sd, native.summary(table.move(values, 1, n, 1, {})).sd)
    local wanted = math.ceil(math.min((2 * quantile * sd / plan.width) ^ 2, plan.max_repeats))
    if wanted <= n or n >= #values then return quantile, sd, wanted end
    n = math.min(wanted, #values)
  end
end

function normal.more(plan, values)
  if #values < plan.first then return plan.first - #values end
  local _, _, wanted = spread(plan, values)
  return math.max(0, wanted - #values)
end

function normal.interval(plan, values)
  local quantile, sd = spread(plan, values)
  local mean, half = native.summary(values).mean, quantile * sd / math.sqrt(#values)
  return mean - half, mean + half
end

local bounded = {}

function bounded.interval(plan, values)
  return native.stats_betting_interval(values, plan.least, plan.most, plan.confidence)
end

function bounded.more(plan, values)
  local n = #values
  if n > 0 then
    local low, high = bounded.interval(plan, values)
    if high - low <= plan.width then return 0 end
  end
  return math.min(plan.first, plan.max_repeats - n)
end

until_rules.names = { "bounded", "normal" }

local rules = { normal = normal, bounded = bounded }

-- How many repeats to run after `values`; 0: stop. `plan` has rule, width, confidence, first = the size of the first
-- batch (and of all batches of "bounded"), max_repeats and, for "bounded", least and most.
function until_rules.more(plan, values) return rules[plan.rule].more(plan, values) end

-- low, high after the rule has stopped.
function until_rules.interval(plan, values) return rules[plan.rule].interval(plan, values) end

-- The width that "bounded" has after n repeats with equal scores, where every bet is as high as it can be.
function until_rules.least_width(plan, n)
  local stakes = (2 / (1 - plan.confidence)) ^ (1 / n) - 1
  return (plan.most - plan.least) * stakes / (stakes + native.largest_bet)
end

return until_rules
