-- The inverse power law of learning curves, err(n) = a + b n^-c (Cortes et al. 1993): the fit, what it
-- says about larger samples, and what it cannot say.
local cf = require "crossfold"

local function show(x, decimals) return x and cf.format_number(x, decimals or 6) or "-" end

local sizes = { 50, 100, 200, 400, 800, 1600 }

-- Points without noise: the fit gives the law back.
local exact = {}
for i, n in ipairs(sizes) do exact[i] = 0.08 + 1.5 * n ^ -0.55 end
local law = cf.stats.power_law { n = sizes, errors = exact }
print(("without noise: a = %s, b = %s, c = %s"):format(show(law.a), show(law.b), show(law.c)))
print(("  error at 6400 rows: %s"):format(show(law:at(6400).estimate)))
print(("  rows for an error of 0.10: %s"):format(show(law:rows_for(0.10).rows, 2)))

-- Points with noise: standard errors, and intervals by Student's t with m - 3 degrees of freedom.
local errors = { 0.256, 0.199, 0.163, 0.134, 0.119, 0.106 }
for _, weights in ipairs { "equal", "rank", "size" } do
  local fitted = cf.stats.power_law { n = sizes, errors = errors, weights = weights }
  print(("weights %s: a = %s (%s), b = %s (%s), c = %s (%s)"):format(weights,
    show(fitted.a), show(fitted.se_a), show(fitted.b), show(fitted.se_b), show(fitted.c),
    show(fitted.se_c)))
  for _, n in ipairs { 3200, 6400 } do
    local at = fitted:at(n)
    print(("  error at %d rows: %s (%s to %s)"):format(n, show(at.estimate), show(at.low),
      show(at.high)))
  end
end

local fitted = cf.stats.power_law { n = sizes, errors = errors }
local rows = fitted:rows_for(0.10)
print(("rows for an error of 0.10: %s (%s to %s)"):format(show(rows.rows, 0), show(rows.low, 0),
  show(rows.high, 0)))
print(("an error of 0.05: %s"):format(fitted:rows_for(0.05).unreachable and "unreachable" or "reachable"))

-- A straight line in log-log coordinates (a = 0) promises too much.
local two = {}
for i, n in ipairs(sizes) do two[i] = { x = math.log(n), y = math.log(errors[i]) } end
local mean_x, mean_y, xy, xx = 0, 0, 0, 0
for _, p in ipairs(two) do mean_x, mean_y = mean_x + p.x / #two, mean_y + p.y / #two end
for _, p in ipairs(two) do
  xy, xx = xy + (p.x - mean_x) * (p.y - mean_y), xx + (p.x - mean_x) ^ 2
end
local slope = xy / xx
print(("log-log line: slope %s, b = %s, error at 102400 rows %s; with asymptote %s"):format(show(slope),
  show(math.exp(mean_y - slope * mean_x)),
  show(math.exp(mean_y + slope * (math.log(102400) - mean_x))),
  show(fitted:at(102400).estimate)))

-- Values that do not follow a power law give a reason instead of numbers.
print(cf.stats.power_law { n = { 50, 100, 200 }, errors = { 0.3, 0.2, 0.15 } }.undefined)
print(cf.stats.power_law { n = { 50, 100, 200, 400 }, errors = { 0.1, 0.12, 0.15, 0.2 } }.undefined)
