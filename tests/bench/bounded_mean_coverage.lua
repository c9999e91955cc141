-- How often intervals of the mean of a share over folds hold the true one: the t interval cut at 0 and 1, the
-- interval that is t on the scale of the logit (delta method), and the score interval of
-- crossfold.bounded_mean. crossfold run tests/bench/bounded_mean_coverage.lua [draws]; one second.
-- The figures are in docs/plots.md.
local bounded_mean = require "crossfold.stats.bounded_mean"
local native = require "crossfold.native"

local draws = tonumber(arg[1]) or 4000

-- The share of `rows` rows that are right, each with probability p.
local function share(p, rows)
  local right = 0
  for _ = 1, rows do right = right + (math.random() < p and 1 or 0) end
  return right / rows
end

local function logistic(x) return 1 / (1 + math.exp(-x)) end

local methods = { { name = "t, cut" }, { name = "logit" }, { name = "score" } }

methods[1].interval = function(mean, half) return math.max(0, mean - half), math.min(1, mean + half) end

methods[2].interval = function(mean, half)
  local middle, width = math.log(mean / (1 - mean)), half / (mean * (1 - mean))
  return logistic(middle - width), logistic(middle + width)
end

methods[3].interval = function(mean, half) return bounded_mean.interval(mean, half, 0, 1) end

local function measure(p, folds, rows)
  local quantile, defined, beyond = native.student_quantile(0.975, folds - 1), 0, 0
  local held, width = { 0, 0, 0 }, { 0, 0, 0 }
  for _ = 1, draws do
    local values = {}
    for f = 1, folds do values[f] = share(p, rows) end
    local found = native.summary(values)
    if found.sd > 1e-12 then  -- equal values have no interval
      defined = defined + 1
      local half = quantile * found.sd / math.sqrt(folds)
      if found.mean < half or found.mean + half > 1 then beyond = beyond + 1 end
      for m, method in ipairs(methods) do
        local low, high = method.interval(found.mean, half)
        held[m] = held[m] + (low <= p and p <= high and 1 or 0)
        width[m] = width[m] + high - low
      end
    end
  end
  local parts = { ("| %.2f | %d × %d | %.0f %% "):format(p, folds, rows, 100 * beyond / defined) }
  for m in ipairs(methods) do
    parts[m + 1] = ("| %.3f, %.3f "):format(held[m] / defined, width[m] / defined)
  end
  print(table.concat(parts) .. "|")
end

math.randomseed(18)
for _, case in ipairs { { 0.02, 10, 15 }, { 0.02, 10, 50 }, { 0.05, 5, 30 }, { 0.1, 10, 15 }, { 0.3, 10, 50 },
  { 0.9, 5, 30 }, { 0.97, 5, 30 }, { 0.97, 10, 50 } } do measure(table.unpack(case)) end
