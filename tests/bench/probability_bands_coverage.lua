-- How often the bands of reliability curves and the intervals of decision curves have what they are about, over data
-- sets that are drawn from known probabilities: probability_bands_coverage.md.
--
--   crossfold run tests/bench/probability_bands_coverage.lua [DATASETS] [SAMPLES] [ROWS]
local cf = require "crossfold"

local datasets, samples = tonumber(arg[1]) or 1000, tonumber(arg[2]) or 400
local sizes = arg[3] and { math.tointeger(tonumber(arg[3])) } or { 100, 400 }

math.randomseed(23)

-- n predicted probabilities and classes; truth(p) is the probability of the positive class. Half of the probabilities
-- are near 0, as of a rare event, or all are uniform.
local function draw(n, shape, truth)
  local o = { truth = {}, scores = {}, samples = samples }
  for i = 1, n do
    local u = math.random()
    local p = shape == "uniform" and u or shape == "rare" and u * u * u or math.floor(u * 10 + 0.5) / 10
    o.scores[i], o.truth[i] = p, math.random() < truth(p)
  end
  o.positive = true
  return o
end

local function calibrated(p) return p end
local function overconfident(p) return 0.25 + p / 2 end

-- The share of the points of a curve where holds(row), and whether p is at most 0.05.
local function tally(kind, o, holds)
  local curve, n, right = cf.curve(kind, o), 0, 0
  for _, row in ipairs(curve:rows()) do
    n, right = n + 1, right + (holds(row) and 1 or 0)
  end
  return right / n, (curve.p or 1) <= 0.05
end

local function percent(x) return cf.format_number(100 * x, 1) end

local function study(n, shape, band, truth)
  local covered, rejected = 0, 0
  for i = 1, datasets do
    local o = draw(n, shape, truth)
    o.band, o.seed = band, i
    local about = band == "bootstrap" and function(row)
      local m = truth(row.predicted)
      return row.low <= m and m <= row.high
    end or function(row) return row.low <= row.recalibrated and row.recalibrated <= row.high end
    local share, found = tally("reliability", o, about)
    covered, rejected = covered + share, rejected + (found and 1 or 0)
  end
  return covered / datasets, rejected / datasets
end

print("| rows | probabilities | band | inside the 95 % band | p <= 0.05 |")
print("|---|---|---|---|---|")
for _, n in ipairs(sizes) do
  for _, shape in ipairs { "uniform", "rare", "tenths" } do
    for _, band in ipairs { "consistency", "consistency_resampled", "bootstrap" } do
      local covered, rejected = study(n, shape, band, calibrated)
      print(("| %d | %s | %s | %s %% | %s %% |"):format(n, shape, band, percent(covered), percent(rejected)))
    end
  end
  local _, power = study(n, "uniform", "consistency", overconfident)
  print(("| %d | uniform, overconfident | consistency | | %s %% |"):format(n, percent(power)))
end

-- Net benefit of calibrated uniform probabilities at t: the integral of p - (1 - p) t / (1 - t) from t to 1.
local function net_benefit(t) return (1 - t * t) / 2 - (1 - t) ^ 2 / 2 * t / (1 - t) end

print("\n| rows | net benefit in the 95 % interval at .1 | at .3 | at .5 | at .8 |")
print("|---|---|---|---|---|")
for _, n in ipairs(sizes) do
  local right = { 0, 0, 0, 0 }
  for i = 1, datasets do
    local o = draw(n, "uniform", calibrated)
    o.thresholds, o.seed = { 0.1, 0.3, 0.5, 0.8 }, i
    for t, row in ipairs(cf.curve("decision", o):rows()) do
      local true_value = net_benefit(row.threshold)
      right[t] = right[t] + (row.low <= true_value and true_value <= row.high and 1 or 0)
    end
  end
  for t = 1, 4 do right[t] = percent(right[t] / datasets) .. " %" end
  print(("| %d | %s |"):format(n, table.concat(right, " | ")))
end
