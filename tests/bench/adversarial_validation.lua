-- Level, power and coverage of cf.adversarial_validation: see adversarial_validation.md.
--   crossfold run tests/bench/adversarial_validation.lua [DATASETS]
local cf = require "crossfold"

local n_datasets = tonumber(arg[1]) or 1000
local n_rows, n_columns = 60, 4

local function uniform(...) return ((cf.seed(...) >> 11) + 0.5) * 2.0 ^ -53 end
local function normal(...)
  return math.sqrt(-2 * math.log(uniform(1, ...))) * math.cos(2 * math.pi * uniform(2, ...))
end

-- Normal columns with a category and missing entries; `change(values, seed, row)` changes a row.
local function rows(seed, n, change)
  local columns = { { name = "level", values = {} } }
  for j = 1, n_columns do columns[j + 1] = { name = "x" .. j, values = {} } end
  for i = 1, n do
    local x = {}
    for j = 1, n_columns do x[j] = normal(seed, i, j) end
    if change then change(x, seed, i) end
    for j = 1, n_columns do columns[j + 1].values[i] = uniform(seed, i, 10 + j) < 0.05 and cf.null or x[j] end
    columns[1].values[i] = uniform(seed, i, 20) < 0.3 and "rare" or "usual"
  end
  return cf.dataset { name = "simulated", columns = columns }
end

local changes = {
  { "none" },
  { "mean of x1 + 0.8", function(x) x[1] = x[1] + 0.8 end },
  { "sd of x1 doubled", function(x) x[1] = 2 * x[1] end },
  { "x2 = x1 (correlation 0.9)", function(x) x[2] = 0.9 * x[1] + math.sqrt(1 - 0.81) * x[2] end },
}
local learners = { { "random_forest", nil }, { "naive_bayes", "naive_bayes" } }

print("| change of the new rows | learner | p <= 0.05 | p <= 0.10 | p <= 0.50 | mean area | data sets |")
print("|---|---|---|---|---|---|---|")
for c, change in ipairs(changes) do
  for _, learner in ipairs(learners) do
    local n = c == 1 and n_datasets or n_datasets // 5
    local counts, sum = { 0, 0, 0 }, 0.0
    for d = 1, n do
      local found = cf.adversarial_validation { old = rows(cf.seed(c, d, "old"), n_rows),
        new = rows(cf.seed(c, d, "new"), n_rows, change[2]), learner = learner[2], permutations = 19, columns = 0,
        seed = d }
      for k, level in ipairs { 0.05, 0.10, 0.50 } do if found.p <= level then counts[k] = counts[k] + 1 end end
      sum = sum + found.auc
    end
    print(("| %s | %s | %.3f | %.3f | %.3f | %.3f | %d |"):format(change[1], learner[1], counts[1] / n, counts[2] / n,
      counts[3] / n, sum / n, n))
  end
end
