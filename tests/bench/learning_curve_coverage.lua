-- How often the intervals of extrapolated learning curves cover the truth at larger sizes:
--   crossfold run tests/bench/learning_curve_coverage.lua synthetic [draws of each curve]
--   crossfold run tests/bench/learning_curve_coverage.lua letter PATH_OF_LETTER.CSV [pools]
-- Results of a run: learning_curve_coverage.md.
--
-- Synthetic curves: the truth is a power law. A trial draws its own training sets, whose noise is
-- correlated from size to size, and its own test rows, whose noise is common to its sizes. Trials share
-- a pool of rows, a third of which is the test of each: a third of the variance of the test noise is
-- common to all trials.
-- Letter: pools of 6000 of the 20000 rows, 10 trials on each, and a fit to sizes of up to 2000 or
-- 4000 rows. The truth at 8000 and 12000 rows is the mean over 5 trials on all rows.
local cf = require "crossfold"

local trials, levels = 10, { 0.95, 0.8 }
local share = 1 / 3

local function standard_normal(random)
  local u = math.max(random(), 1e-300)
  return math.sqrt(-2 * math.log(u)) * math.cos(2 * math.pi * random())
end

-- Uniform numbers from a seed by path: the same on every machine.
local function generator(...)
  local seed, i = cf.seed(...), 0
  return function()
    i = i + 1
    return (cf.seed(seed, i) >> 11) * 2.0 ^ -53
  end
end

local function draw(law, sizes, test_rows, random)
  local function normal() return standard_normal(random) end
  local pool, list = normal(), {}
  for t = 1, trials do
    local shared = math.sqrt(share) * pool + math.sqrt(1 - share) * normal()
    local nested, before, errors = normal(), sizes[1], {}
    for s, n in ipairs(sizes) do
      local mean = law.a + law.b * n ^ -law.c
      local kept = math.sqrt(before / n)
      nested, before = kept * nested + math.sqrt(1 - kept * kept) * normal(), n
      local test = math.sqrt(mean * (1 - mean) / test_rows)
      local training = 0.3 * (mean - law.a) * math.sqrt(20 / n) + 0.002
      errors[s] = math.max(0, mean + test * (math.sqrt(0.6) * shared + math.sqrt(0.4) * normal())
        + training * nested)
    end
    list[t] = errors
  end
  return list
end

-- The rivals: what the width of the interval comes from.
local methods = {
  { name = "scatter of the points", points = true },
  { name = "trials, independent", test_to_train = 0 },
  { name = "trials, corrected", test_to_train = share / (1 - share) },
}

local function means(list, n)
  local result = {}
  for s = 1, n do
    local sum = 0
    for _, errors in ipairs(list) do sum = sum + errors[s] end
    result[s] = sum / #list
  end
  return result
end

local function fit(method, sizes, list, level)
  if method.points then
    return cf.stats.power_law { n = sizes, errors = means(list, #sizes), confidence = level }
  end
  return cf.stats.power_law { n = sizes, trials = list, confidence = level,
    test_to_train = method.test_to_train }
end

local function percent(count, of) return cf.format_number(100 * count / of, 0) end

-- Prints a line for each method: coverage and median width at both levels.
local function report(title, sizes, replicates, n, truth)
  for _, method in ipairs(methods) do
    local cells, fits = {}, 0
    for l, level in ipairs(levels) do
      local covered, widths = 0, {}
      for _, list in ipairs(replicates) do
        local law = fit(method, sizes, list, level)
        if not law.undefined then
          local at = law:at(n)
          if at.low <= truth and truth <= at.high then covered = covered + 1 end
          widths[#widths + 1] = at.high - at.low
        end
      end
      table.sort(widths)
      fits = #widths
      cells[l] = ("%s | %s"):format(percent(covered, fits),
        cf.format_number(widths[(#widths + 1) // 2], 4))
    end
    print(("| %s | %d | %s | %s | %s | %d |"):format(title, n, cf.format_number(truth, 4), method.name,
      table.concat(cells, " | "), fits))
  end
end

local function heading()
  print("| curve | rows | true error | interval from | cover 95 % | width | cover 80 % | width | fits |")
  print("|---|---|---|---|---|---|---|---|---|")
end

local function synthetic(draws)
  heading()
  local laws = {
    { a = 0.08, b = 1.5, c = 0.55 }, { a = 0.05, b = 0.8, c = 0.3 }, { a = 0.2, b = 2, c = 0.8 },
    { a = 0, b = 1.2, c = 0.35 }, { a = 0.02, b = 3, c = 0.6 }, { a = 0.3, b = 0.6, c = 0.5 },
  }
  local sizes = { 50, 100, 200, 400, 800, 1600 }
  for i, law in ipairs(laws) do
    for _, test_rows in ipairs { 100, 1000 } do
      local replicates = {}
      for r = 1, draws do
        replicates[r] = draw(law, sizes, test_rows, generator(5, "law", i, "test", test_rows, "draw", r))
      end
      local title = ("%s + %s n^-%s, %d test rows"):format(cf.format_number(law.a),
        cf.format_number(law.b), cf.format_number(law.c), test_rows)
      for _, n in ipairs { 3200, 9600 } do
        report(title, sizes, replicates, n, law.a + law.b * n ^ -law.c)
      end
    end
  end
end

local learners = { "naive_bayes", "knn", "decision_tree", "logistic_regression" }

-- Errors of trials by learner: by_learner[name][trial][size].
local function errors_of(curve, sizes)
  local place, by_learner = {}, {}
  for s, n in ipairs(sizes) do place[n] = s end
  for _, row in ipairs(curve:rows()) do
    local list = by_learner[row.learner] or {}
    by_learner[row.learner] = list
    list[row.trial] = list[row.trial] or {}
    list[row.trial][place[row.size]] = 1 - row.value
  end
  return by_learner
end

local function letter(path, pools)
  local data = cf.read(path, { target = "lettr" })
  local far = { 8000, 12000 }
  local truth = errors_of(cf.learning_curve { data = data, learners = learners, sizes = far,
    trials = 5, metrics = "accuracy", seed = 1 }, far)
  local all = { 250, 354, 500, 707, 1000, 1414, 2000, 2828, 4000 }
  local replicates = {}
  for r = 1, pools do
    local seen, random, rows = {}, generator(11, "pool", r), {}
    while #rows < 6000 do
      local row = 1 + math.floor(random() * #data)
      if not seen[row] then
        seen[row] = true
        rows[#rows + 1] = row
      end
    end
    replicates[r] = errors_of(cf.learning_curve { data = data:select(rows), learners = learners,
      sizes = all, trials = trials, metrics = "accuracy", seed = r }, all)
  end
  heading()
  for _, name in ipairs(learners) do
    for _, used in ipairs { 7, 9 } do
      local sizes, list = table.move(all, 1, used, 1, {}), {}
      for r, by_learner in ipairs(replicates) do
        list[r] = {}
        for t, errors in ipairs(by_learner[name]) do
          list[r][t] = table.move(errors, 1, used, 1, {})
        end
      end
      for s, n in ipairs(far) do
        report(("%s, 250 to %d rows"):format(name, sizes[#sizes]), sizes, list, n,
          means(truth[name], 2)[s])
      end
    end
  end
end

if arg[1] == "letter" then
  letter(arg[2], tonumber(arg[3]) or 20)
else
  synthetic(tonumber(arg[2]) or 300)
end
