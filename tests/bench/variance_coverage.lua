-- Bias of the components of variance, and coverage of their intervals, where the components are planted:
--   crossfold run tests/bench/variance_coverage.lua [experiments]
-- Results of a run: variance_coverage.md.
--
-- Scores are the sum of effects of data, split (inside data) and seed (inside split) with the variances 1, 2 and 0.5,
-- all normal or all exponential (centred), in the design 10 x 3 x 2 and some others. The interval of the mean is that
-- of cf.variance: t over the draws of the first source. The second table has the interval of the probability that one
-- learner outperforms another, where the difference of two scores is normal, half of its variance from the data.
local cf = require "crossfold"
local native = require "crossfold.native"
local outperforming = require "crossfold.variance.outperforming"

local experiments = tonumber(arg[1]) or 2000

local function generator(...)
  local seed, i = cf.seed(1, ...), 0
  return function()
    i = i + 1
    return ((cf.seed(seed, i) >> 11) + 0.5) * 2.0 ^ -53
  end
end

local effects = {
  normal = function(random) return math.sqrt(-2 * math.log(random())) * math.cos(2 * math.pi * random()) end,
  exponential = function(random) return -math.log(random()) - 1 end,
}

local function scores_of(random, effect, units, variances)
  local scores = {}
  local function fill(level, value)
    if level > #units then scores[#scores + 1] = value return end
    for _ = 1, units[level] do fill(level + 1, value + math.sqrt(variances[level]) * effect(random)) end
  end
  fill(1, 0)
  return scores
end

local function study(name, units, variances)
  local hits, sums, mean_hits = { 0, 0, 0 }, { 0, 0, 0 }, 0
  local quantile = native.student_quantile(0.975, units[1] - 1)
  for e = 1, experiments do
    local scores = scores_of(generator(name, e, table.unpack(units)), effects[name], units, variances)
    local found = cf.stats.variance_components { scores = scores, units = units }
    for s, component in ipairs(found.components) do
      sums[s] = sums[s] + component.estimate
      if component.low <= variances[s] and variances[s] <= component.high then hits[s] = hits[s] + 1 end
    end
    if math.abs(found.mean) <= quantile * found.mean_standard_error then mean_hits = mean_hits + 1 end
  end
  for s, source in ipairs { "data", "split", "seed" } do
    print(("| %s | %d x %d x %d | %s | %s | %.3f | %.1f %% | %s |"):format(name, units[1], units[2], units[3], source,
      cf.format_number(variances[s]), sums[s] / experiments, 100 * hits[s] / experiments,
      s == 1 and ("%.1f %%"):format(100 * mean_hits / experiments) or ""))
  end
end

print("| effects | draws | source | variance | mean estimate | coverage of its interval | coverage of the mean's |")
print("|---|---|---|---|---|---|---|")
for _, name in ipairs { "normal", "exponential" } do
  study(name, { 10, 3, 2 }, { 1, 2, 0.5 })
  study(name, { 10, 2, 2 }, { 1, 2, 0.5 })
  study(name, { 30, 2, 2 }, { 1, 2, 0.5 })
  study(name, { 10, 3, 2 }, { 0, 2, 0.5 })
end

-- The truth is the probability of a standard normal below z.
local function study_pairs(draws, splits, z, truth)
  local hits, sum = 0, 0
  local facts = { sources = { { source = "data", units = draws }, { source = "split", units = splits } },
    metric = { direction = 1 }, confidence = 0.95 }
  for e = 1, experiments do
    local random = generator("pairs", e, draws, splits)
    local first = scores_of(random, effects.normal, { draws, splits }, { 0.5, 0.5 })
    local second, none = {}, {}
    for i in ipairs(first) do second[i], none[i] = -z, false end
    local found = outperforming.of(facts, { name = "a", scores = first, problems = none },
      { name = "b", scores = second, problems = none }, 0.75)
    sum = sum + found.probability
    if found.low <= truth and truth <= found.high then hits = hits + 1 end
  end
  print(("| %d x %d | %.2f | %.3f | %.1f %% |"):format(draws, splits, truth, sum / experiments,
    100 * hits / experiments))
end

print("\n| draws | probability | mean estimate | coverage |")
print("|---|---|---|---|")
for _, design in ipairs { { 10, 2 }, { 10, 6 }, { 20, 2 }, { 40, 2 } } do
  for _, truth in ipairs { { 0, 0.5 }, { 0.6744897501960817, 0.75 }, { 1.2815515655446004, 0.9 } } do
    study_pairs(design[1], design[2], truth[1], truth[2])
  end
end
