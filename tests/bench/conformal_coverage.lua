-- How often the intervals and class sets of cf.conformal hold the truth of new rows:
--   crossfold run tests/bench/conformal_coverage.lua [data sets of each case]
-- Each data set has its own training rows and `tests` new rows. Results of a run: conformal_coverage.md.
local cf = require "crossfold"

local n_sets, tests, asked = tonumber(arg[1]) or 1000, 100, 0.9

-- Uniform numbers from a seed by path: the same on every machine.
local function generator(...)
  local seed, i = cf.seed(...), 0
  return function()
    i = i + 1
    return ((cf.seed(seed, i) >> 11) + 0.5) * 2.0 ^ -53
  end
end

local function normals(...)
  local random = generator(...)
  return function() return math.sqrt(-2 * math.log(random())) * math.cos(2 * math.pi * random()) end, random
end

-- Rows of `p` normal features, and their targets by `target(x, normal, random)`.
local function table_of(n, p, target, seed, more)
  local normal, random = normals(seed, "rows")
  local columns, y = {}, {}
  for j = 1, p do columns[j] = { name = "x" .. j, values = {} } end
  for i = 1, n do
    local x = {}
    for j = 1, p do
      x[j] = normal()
      columns[j].values[i] = x[j]
    end
    y[i] = target(x, normal, random, i)
  end
  columns[p + 1] = { name = "y", values = y, levels = more and more.levels }
  return columns
end

local function linear(x, normal) return x[1] + 2 * x[2] - x[3] + normal() end

-- A curve with noise that grows and is skewed.
local function skewed(x, _, random) return math.sin(2 * x[1]) + math.abs(x[2]) * -math.log(random()) end

local classes = { "a", "b", "c", "d" }

-- Four classes; their logarithmic odds are linear in the features.
local function class_of(x, _, random)
  local weights, sum = {}, 0
  for c = 1, 4 do
    weights[c] = math.exp(1.2 * (x[1] * math.cos(c * math.pi / 2) + x[2] * math.sin(c * math.pi / 2)))
    sum = sum + weights[c]
  end
  local u, c = random() * sum, 1
  while c < 4 and u > weights[c] do
    u, c = u - weights[c], c + 1
  end
  return classes[c]
end

local function rows_of(n, p, target, of)
  return function(seed)
    return cf.dataset { name = "drawn", target = "y", columns = table_of(n + tests, p, target, seed, of) }, n
  end
end

-- `n_groups` groups of 2 to 10 rows; each has a level of its own. The new rows are one a group, of others.
local function groups_of(n_groups, named)
  return function(seed)
    local normal, random = normals(seed, "groups")
    local group, level, n = {}, {}, 0
    for g = 1, n_groups + tests do
      local size = g <= n_groups and 2 + math.floor(9 * random()) or 1
      local shared = normal()
      for _ = 1, size do group[#group + 1], level[#level + 1] = "g" .. g, shared end
      if g == n_groups then n = #group end
    end
    local columns = table_of(#group, 3, function(x, noise, _, i) return linear(x, noise) + 1.5 * level[i] end, seed)
    columns[#columns + 1] = named and { name = "group", values = group } or nil
    return cf.dataset { name = "drawn", target = "y", groups = named and "group" or nil, columns = columns }, n
  end
end

local sets = { levels = classes }
local cases = {
  { "linear, 100 rows", "least_squares", rows_of(100, 5, linear), { "cv_plus", "jackknife_plus", "cv_minmax" } },
  { "linear, 40 rows, 20 features", "least_squares", rows_of(40, 20, linear),
    { "cv_plus", "jackknife_plus", "cv_minmax" } },
  { "skewed noise, 100 rows", "decision_tree", rows_of(100, 3, skewed), { "cv_plus", "jackknife_plus", "cv_minmax" } },
  { "skewed noise, 300 rows", "knn", rows_of(300, 3, skewed), { "cv_plus", "cv_minmax" } },
  { "skewed noise, 15 rows", "featureless", rows_of(15, 2, skewed), { "cv_plus", "jackknife_plus" } },
  { "30 groups, named", "least_squares", groups_of(30, true), { "cv_plus", "jackknife_plus" } },
  { "30 groups, not named", "least_squares", groups_of(30, false), { "cv_plus" } },
  { "4 classes, 100 rows", "naive_bayes", rows_of(100, 2, class_of, sets), { "aps", "randomized" } },
  { "4 classes, 300 rows", cf.learner("decision_tree", { max_depth = 3 }), rows_of(300, 2, class_of, sets),
    { "aps", "randomized" } },
  { "4 classes, 300 rows", cf.learner("knn", { k = 25 }), rows_of(300, 2, class_of, sets), { "aps", "randomized" } },
  { "4 classes, 300 rows", cf.learner("knn", { k = 1 }), rows_of(300, 2, class_of, sets), { "aps", "randomized" } },
}

local function places(first, last)
  local list = {}
  for i = first, last do list[#list + 1] = i end
  return list
end

-- Coverage over all data sets, its standard error, and the mean width or size.
local function measure(name, learner, draw, method)
  local sum, squares, width, infinite = 0, 0, 0, 0
  for s = 1, n_sets do
    local data, n = draw(cf.seed(s, name))
    local conformal = cf.conformal { learner = learner, method = method == "randomized" and "aps" or method,
      randomized = method == "randomized" }
    local model = conformal:fit(data:select(places(1, n)), { seed = s })
    local all = model:predict(data:select(places(n + 1, #data)), { coverage = asked }):coverage().lines[1]
    sum, squares = sum + all.coverage, squares + all.coverage ^ 2
    width, infinite = width + (all.width or 0), infinite + all.infinite
  end
  local mean = sum / n_sets
  local error = math.sqrt(math.max(0, squares / n_sets - mean ^ 2) / n_sets)
  return mean, error, infinite == 0 and width / n_sets or nil
end

print("| data | learner | method | coverage | standard error | mean width or size |")
print("|---|---|---|---|---|---|")
for _, case in ipairs(cases) do
  for _, method in ipairs(case[4]) do
    local mean, error, width = measure(case[1], case[2], case[3], method)
    print(("| %s | %s | %s | %s | %s | %s |"):format(case[1], tostring(case[2]), method, cf.format_number(mean, 4),
      cf.format_number(error, 4), width and cf.format_number(width, 2) or "infinite"))
  end
end
