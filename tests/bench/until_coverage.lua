-- The coverage of the intervals of cf.repeat_until at the moment when its rule stops.
--
--   crossfold run tests/bench/until_coverage.lua [experiments]
--
-- Each experiment draws the scores of repeats from a distribution whose mean is known, and stops as cf.repeat_until
-- does. The distributions are normal, skewed, with rare bad repeats, and scores of real cross-validations: a pool of
-- 2000 repeats of a learner on a dataset, of which the experiments draw with replacement, so that the pool's mean is
-- the true one. The rule "look" is what people do: an ordinary t interval after every 5 repeats, until it is narrow
-- enough.
local cf = require "crossfold"
local until_rules = require "crossfold.variance.until_rules"

local experiments = tonumber(arg[1]) or 2000
local here = arg[0]:match("^(.*)/[^/]*$") or "."
local pool_size = 2000

local function uniform(...) return ((cf.seed(1, ...) >> 11) + 0.5) * 2.0 ^ -53 end

local function normal(...)
  return math.sqrt(-2 * math.log(uniform("a", ...))) * math.cos(2 * math.pi * uniform("b", ...))
end

local function pool_of(file, target, learner, metric)
  local data = cf.read(here .. "/../../scripts/data/" .. file, { target = target })
  local result = cf.evaluate { data = data, learners = { a = learner }, metrics = metric, seed = 5, keep = "none",
    splitter = cf.splitter("kfold", { folds = 10, repeats = pool_size, stratify = true }) }
  local sums, pool = {}, {}
  for _, row in ipairs(result:scores()) do sums[row.repeat_] = (sums[row.repeat_] or 0) + row.value end
  for r, sum in ipairs(sums) do pool[r] = sum / 10 end
  return pool
end

local function mean_of(list)
  local sum = 0
  for _, value in ipairs(list) do sum = sum + value end
  return sum / #list
end

-- A distribution of repeats that were run: draws of the pool.
local function of_pool(name, ...)
  local pool = pool_of(...)
  return { name = name, mean = mean_of(pool), sd = cf.stats.bootstrap_interval(pool, { samples = 200,
    method = "percentile" }).standard_error * math.sqrt(#pool),
    draw = function(...) return pool[cf.seed(1, ...) % #pool + 1] end }
end

local cases = {
  { name = "normal, sd 0.01", mean = 0.8, sd = 0.01, draw = function(...) return 0.8 + 0.01 * normal(...) end },
  { name = "skewed: 0.9 - 0.01 exponential", mean = 0.89, sd = 0.01,
    draw = function(...) return math.max(0, 0.9 + 0.01 * math.log(uniform(...))) end },
  { name = "rare: 0.9, but 0.7 in 2 %", mean = 0.9 - 0.2 * 0.02, sd = 0.2 * math.sqrt(0.02 * 0.98),
    draw = function(...) return uniform(...) < 0.02 and 0.7 or 0.9 end },
  of_pool("knn on iris, accuracy", "iris.csv", "class", cf.learner("knn", { k = 5 }), "accuracy"),
  of_pool("decision tree on iris, accuracy", "iris.csv", "class", "decision_tree", "accuracy"),
  of_pool("knn on wine, accuracy", "wine.csv", "class", "knn", "accuracy"),
  of_pool("knn on wine, log loss", "wine.csv", "class", "knn", "log_loss"),
  of_pool("naive bayes on iris, log loss", "iris.csv", "class", "naive_bayes", "log_loss"),
}

-- Draws repeats until the rule stops; whether its interval has the mean, the number of repeats, and whether it is
-- narrow.
local function run(case, plan, more, interval, e)
  local values = {}
  while true do
    local n = more(plan, values)
    if n == 0 then break end
    for _ = 1, n do values[#values + 1] = case.draw(case.name, e, #values) end
  end
  local low, high = interval(plan, values)
  return low <= case.mean and case.mean <= high, #values, high - low <= plan.width * (1 + 1e-12)
end

-- The t interval of all repeats, after every 5.
local look = {}

function look.interval(plan, values)
  local n, mean, squares = #values, mean_of(values), 0
  for _, value in ipairs(values) do squares = squares + (value - mean) ^ 2 end
  local half = plan.quantile(n - 1) * math.sqrt(squares / (n - 1) / n)
  return mean - half, mean + half
end

function look.more(plan, values)
  if #values == 0 then return 5 end
  local low, high = look.interval(plan, values)
  return (high - low <= plan.width or #values >= plan.max_repeats) and 0 or 5
end

local native = require "crossfold.native"
local known = {}
local function quantile(df)
  known[df] = known[df] or native.student_quantile(0.975, df)
  return known[df]
end

local function row_of(case, rule, width)
  local plan = { rule = rule, width = width, confidence = 0.95, first = 20, max_repeats = 1000, least = 0, most = 1,
    quantile = quantile }
  local more = rule == "look" and look.more or until_rules.more
  local interval = rule == "look" and look.interval or until_rules.interval
  local covered, repeats, reached = 0, 0, 0
  for e = 1, experiments do
    local hit, n, narrow = run(case, plan, more, interval, e)
    covered, repeats = covered + (hit and 1 or 0), repeats + n
    reached = reached + (narrow and 1 or 0)
  end
  print(("| %s | %s | %s | %.1f %% | %.0f | %.0f %% |"):format(case.name, rule, cf.format_number(width, 4),
    100 * covered / experiments, repeats / experiments, 100 * reached / experiments))
end

print("| scores of repeats | rule | width | coverage | repeats | reached |")
print("|---|---|---|---|---|---|")
for _, case in ipairs(cases) do
  -- Widths that take about 20 to 150 repeats of "normal".
  for _, factor in ipairs { 0.8, 0.35 } do
    for _, rule in ipairs { "normal", "look" } do row_of(case, rule, factor * case.sd) end
  end
  if not case.name:find("log loss", 1, true) then row_of(case, "bounded", 0.06) end
end
