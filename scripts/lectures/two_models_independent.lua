-- Two models tested on different rows: the first errs on 15 % of 30 rows, the second on 25 % of 5000. Is
-- the first one better? The variances of the two rates add up, and that of 30 rows decides.
local cf = require "crossfold"

local result = cf.stats.two_proportions { error_rates = { 0.15, 0.25 }, n = { 30, 5000 } }
local half = (result.high - result.low) / 2
print(("difference      %.4f"):format(result.difference))
print(("variance        %.7f"):format(result.standard_error ^ 2))
print(("95 %% interval   %.4f +- %.7f"):format(result.difference, half))
print(("with z = 1.96   %.4f +- %.7f"):format(result.difference, 1.96 * result.standard_error))
print(("z test          z = %.4f, p = %.4f"):format(result.statistic, result.p))
print(result.low <= 0 and 0 <= result.high and "0 is inside: not significant"
  or "0 is outside: significant")

-- With the same rates, how many rows must the first be tested on?
for _, n in ipairs { 60, 100, 200 } do
  local more = cf.stats.two_proportions { error_rates = { 0.15, 0.25 }, n = { n, 5000 } }
  print(("%4d rows: %.4f to %.4f"):format(n, more.low, more.high))
end
