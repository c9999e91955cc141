-- Twenty small data sets on which searches are compared: eight of scripts/data, four variants of them, and eight that
-- are simulated (with fixed seeds), where the truth is not linear. With them
-- go two learners and the spaces of their settings.
local cf = require "crossfold"

local twenty_sets = {}

-- Uniform numbers from a seed by path.
local function generator(name)
  local i = 0
  local function uniform()
    i = i + 1
    return (cf.seed(20, name, i) >> 11) * 2.0 ^ -53
  end
  local function normal()
    return math.sqrt(-2 * math.log(1 - uniform())) * math.cos(2 * math.pi * uniform())
  end
  return uniform, normal
end

-- At most `n` rows of `data`, drawn at random.
local function sample(data, n)
  local uniform, rows = generator("rows of " .. data:name()), {}
  for i = 1, #data do rows[i] = i end
  for i = #rows, 2, -1 do
    local j = math.floor(uniform() * i) + 1
    rows[i], rows[j] = rows[j], rows[i]
  end
  local first = table.move(rows, 1, math.min(n, #rows), 1, {})
  table.sort(first)
  return data:select(first)
end

local function columns_of(data, names)
  local columns = {}
  for i, name in ipairs(names) do columns[i] = { name = name, values = data:column(name) } end
  return columns
end

local function simulated(name, n, d, y_of, low, high)
  local uniform, normal = generator(name)
  local x, y = {}, {}
  for j = 1, d do x[j] = { name = "x" .. j, values = {} } end
  for i = 1, n do
    local row = {}
    for j = 1, d do
      row[j] = (low or 0) + ((high or 1) - (low or 0)) * uniform()
      x[j].values[i] = row[j]
    end
    y[i] = y_of(row, normal, uniform)
    for j = 1, d do x[j].values[i] = row[j] end  -- y_of may move the point
  end
  x[d + 1] = { name = "y", values = y }
  return cf.dataset { name = name, columns = x, target = "y" }
end

local function class(is_first) return is_first and "a" or "b" end

local pi = math.pi

-- Friedman 1991 ("Multivariate adaptive regression splines"), rings, moons and others.
local functions = {
  friedman1 = { 10, function(x, normal)
    return 10 * math.sin(pi * x[1] * x[2]) + 20 * (x[3] - 0.5) ^ 2 + 10 * x[4] + 5 * x[5] + normal()
  end },
  friedman3 = { 4, function(x, normal)
    local w, c = 2 * pi * (20 + 260 * x[2]), 1 + 10 * x[4]
    return math.atan((w * x[3] - 1 / (w * c)) / (100 * x[1] + 1e-9)) + 0.1 * normal()
  end },
  waves = { 2, function(x, normal) return math.sin(6 * x[1]) * math.cos(9 * x[2]) + 0.1 * normal() end },
  rings = { 2, function(x, normal) return class((x[1] ^ 2 + x[2] ^ 2 + 0.1 * normal()) % 0.8 < 0.4) end, -1, 1 },
  board = { 2, function(x, normal)
    return class((math.floor(4 * x[1] + 0.1 * normal()) + math.floor(4 * x[2] + 0.1 * normal())) % 2 == 0)
  end },
  spirals = { 2, function(x, normal, uniform)
    local turn, first = 0.3 + 2.2 * uniform(), uniform() < 0.5
    local angle = turn * pi + (first and 0 or pi)
    x[1], x[2] = turn * math.cos(angle) + 0.08 * normal(), turn * math.sin(angle) + 0.08 * normal()
    return class(first)
  end },
  ringnorm = { 8, function(x, normal, uniform)  -- Breiman 1996
    local first = uniform() < 0.5
    for j = 1, 8 do x[j] = first and 2 * normal() or 0.5 + normal() end
    return class(first)
  end },
  parity = { 5, function(x)
    local n = 0
    for j = 1, 3 do n = n + (x[j] > 0.5 and 1 or 0) end
    return class(n % 2 == 0)
  end },
}

-- `data` with wrong labels in a tenth of the rows.
local function with_flips(data, target)
  local uniform, columns = generator("flips"), columns_of(data, data:features())
  local y, classes = data:column(target), data:classes()
  for i in ipairs(y) do
    if uniform() < 0.1 then y[i] = classes[math.floor(uniform() * #classes) + 1] end
  end
  columns[#columns + 1] = { name = target, values = y }
  return cf.dataset { name = data:name() .. "_flipped", columns = columns, target = target }
end

-- `data` with ten features of noise.
local function with_noise(data, target)
  local uniform, names = generator("noise"), data:features()
  names[#names + 1] = target
  local columns = columns_of(data, names)
  for j = 1, 10 do
    local values = {}
    for i = 1, #data do values[i] = uniform() end
    columns[#columns + 1] = { name = "noise" .. j, values = values }
  end
  return cf.dataset { name = data:name() .. "_noisy", columns = columns, target = target }
end

-- { name, data } of all twenty, with at most `n` rows each.
function twenty_sets.all(folder, n)
  local function read(file, target, types)
    return sample(cf.read(folder .. "/" .. file, { target = target, types = types, drop_missing = { "target" } }), n)
  end
  local wine, iris = read("wine.csv", "class"), read("iris.csv", "class")
  local cancer, penguins = read("breast_cancer.csv", "class"), read("penguins.csv", "species")
  local sets = {
    wine, iris, cancer, penguins, read("diabetes_regr.csv", "target"),
    read("digits.csv", "class", { class = "categorical" }),
    read("house_votes_84.csv", "Class"), read("soybean_weka.csv", "class"),
    with_noise(wine, "class"), with_flips(cancer, "class"), with_flips(iris, "class"),
    read("penguins.csv", "body_mass_g"),
  }
  local names = {}
  for name in pairs(functions) do names[#names + 1] = name end
  table.sort(names)
  for _, name in ipairs(names) do
    local of = functions[name]
    sets[#sets + 1] = simulated(name, n, of[1], of[2], of[3], of[4])
  end
  return sets
end

-- What is searched: a learner, its space, and the metrics for classes and for numbers.
twenty_sets.problems = {
  svm = {
    learner = cf.pipeline { "impute", "one_hot", "standardize", "libsvm" },
    space = { kernel = { "linear", "rbf" }, c = { low = 1e-3, high = 1e2 }, gamma = { low = 1e-5, high = 10 } },
    classification = "accuracy", regression = "rmse",
  },
  choice = {
    learner = cf.pipeline { "impute", "one_hot", "standardize",
      cf.choice { near = "knn", boosted = "xgboost" } },
    space = {
      choice = { "near", "boosted" },
      ["near.k"] = { low = 1, high = 40, scale = "log" },
      ["near.distance"] = { "manhattan", "euclidean", "minkowski" }, ["near.p"] = { low = 1, high = 8 },
      ["near.weights"] = { "uniform", "distance" },
      ["boosted.rounds"] = { low = 5, high = 80 }, ["boosted.eta"] = { low = 0.01, high = 1 },
      ["boosted.max_depth"] = { low = 1, high = 8 }, ["boosted.subsample"] = { low = 0.3, high = 1 },
      ["boosted.lambda"] = { low = 0.01, high = 100, scale = "log" },
    },
    classification = "brier", regression = "rmse",
  },
}

return twenty_sets
