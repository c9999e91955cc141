-- How often do the intervals of one score cover what they are for?
--   crossfold run tests/bench/interval_coverage.lua [data sets] [design ...]
-- Results of a run: interval_coverage.md.
--
-- A data set is a sample of n rows of a pool of 40000; 4000 others are the new rows that say what the score of a model
-- really is (of 3 of the models, where there are more). `models` is the share of data sets in which the interval
-- covers the mean score of the models that were fitted, `procedure` that of the mean of these over all data sets, `all
-- rows` that of the mean score of models of all n rows.
local cf = require "crossfold"

local n_sets = math.tointeger(tonumber(arg[1])) or 1000
local wanted = {}
for i = 2, #arg do wanted[arg[i]] = true end

local n_pool, n_new, most_models = 40000, 4000, 3

local function normal()
  return math.sqrt(-2 * math.log(1 - math.random())) * math.cos(2 * math.pi * math.random())
end

-- The target of a row by its features, half of which mean nothing.
local targets = {
  logit = function(x, effect)
    local sum = x[1] * x[2] + effect
    for j = 1, #x // 2 do sum = sum + x[j] end
    return math.random() < 1 / (1 + math.exp(-1.5 * sum)) and "yes" or "no"
  end,
  numbers = function(x) return x[1] + x[2] + math.sin(2 * x[3]) + x[1] * x[4] / 2 + normal() end,
}

-- Classes whose first three features are shifted; `share` of the rows are "yes".
local function shifted(share, by)
  return function(x)
    local yes = math.random() < share
    for j = 1, 3 do x[j] = x[j] + (yes and by or 0) end
    return yes and "yes" or "no"
  end
end
targets.shift, targets.rare, targets.weak = shifted(0.5, 0.9), shifted(0.1, 1.1), shifted(0.25, 0.5)

-- Rows in groups of `size` share a part of their features and of their noise. Weights are 1 / u^power.
local function population(target, features, size, power)
  math.randomseed(7)
  local columns, y, g, w = {}, {}, {}, {}
  for j = 1, features do columns[j] = { name = "x" .. j, values = {} } end
  local shared, effect = {}, 0
  for i = 1, n_pool + n_new do
    if (i - 1) % size == 0 then
      for j = 1, features do shared[j] = normal() end
      effect = size > 1 and normal() or 0
    end
    local x = {}
    for j = 1, features do x[j] = size > 1 and 0.7 * shared[j] + 0.7 * normal() or normal() end
    y[i] = targets[target](x, effect)
    for j = 1, features do columns[j].values[i] = x[j] end
    g[i], w[i] = "g" .. (i - 1) // size, i <= n_pool and power and (1 - math.random()) ^ -power or 1
  end
  columns[#columns + 1] = { name = "y", values = y }
  if size > 1 then columns[#columns + 1] = { name = "g", values = g } end
  if power then columns[#columns + 1] = { name = "w", values = w } end
  return cf.dataset { name = "pool", target = "y", groups = size > 1 and "g" or nil, weights = power and "w" or nil,
    columns = columns }
end

-- Positions of a sample of n rows, in whole groups.
local function sample(n, size, seed)
  math.randomseed(seed)
  local chosen, rows = {}, {}
  while #rows < n do
    local group = math.random(n_pool // size) - 1
    if not chosen[group] then
      chosen[group] = true
      for i = 1, size do rows[#rows + 1] = group * size + i end
    end
  end
  return rows
end

local tree = cf.learner("decision_tree", { max_depth = 3 })
local of_classes = { tree = tree, one_r = "one_r", lda = "lda", bayes = "naive_bayes",
  knn = cf.learner("knn", { k = 15 }), mode = "featureless" }
local of_numbers = { tree = tree, least_squares = "least_squares", knn = cf.learner("knn", { k = 5 }),
  mean = "featureless" }
local class_metrics = { "accuracy", "brier", "log_loss", cf.metric("roc_auc", { positive = "yes" }) }
local number_metrics = { "mse", "mae", "rmse", "r2" }

-- Nearest neighbours take no weights.
local function learners_of(design)
  local list = {}
  for name, one in pairs(design.pool == "numbers" and of_numbers or of_classes) do
    if not (design.power and name == "knn") then list[name] = one end
  end
  return list
end

-- The scores on the new rows of the models of each split and, last, of all rows.
local function truth(pool, rows, splits, seed, learners, metrics)
  local new, lists, models = {}, {}, math.min(#splits, most_models)
  for i = 1, n_new do new[i] = n_pool + i end
  for m = 1, models do  -- ids of the pool are positions
    lists[m] = { train = (splits:rows(1 + (m - 1) * #splits // models)), test = new }
  end
  lists[#lists + 1] = { train = rows, test = new }
  local result = cf.evaluate { data = pool, learners = learners, metrics = metrics, seed = seed, keep = "none",
    splitter = cf.splitter { name = "new rows", ignore_groups = true,
      split = function() return { splits = lists } end } }
  local found = {}
  for _, row in ipairs(result:scores()) do
    local key = row.learner .. row.metric
    found[key] = found[key] or { sum = 0, n = 0 }
    if not row.value then
      found[key].undefined = true
    elseif row.fold <= models then
      found[key].sum, found[key].n = found[key].sum + row.value, found[key].n + 1
    else
      found[key].all = row.value
    end
  end
  return found
end

local function kfold(folds, repeats, stratify)
  return cf.splitter("kfold", { folds = folds, repeats = repeats, stratify = stratify })
end
local function holdout(share, repeats)
  return cf.splitter("holdout", { test_share = share, repeats = repeats, stratify = "as far as possible" })
end
local ten, five = kfold(10, 1, "as far as possible"), kfold(5, 1, false)

-- By default, and what is asked for by name.
local by_default = { {} }
local named = { {}, { method = "clt" }, { method = "corrected_t" } }
local with_fits = { {}, { method = "clt" }, { method = "corrected_t" }, { method = "nested" } }

local designs = {
  { name = "folds50", pool = "shift", n = 50, splitter = five, asks = with_fits },
  { name = "folds100", pool = "shift", n = 100, splitter = ten, asks = named },
  { name = "folds150", pool = "weak", n = 150, splitter = five, asks = named },
  { name = "folds200", pool = "logit", n = 200, splitter = kfold(10, 1, false), asks = with_fits },
  { name = "folds320", pool = "shift", n = 320, splitter = ten, asks = named },
  { name = "rare320", pool = "rare", n = 320, splitter = ten, asks = named },
  { name = "numbers50", pool = "numbers", n = 50, splitter = kfold(10), asks = named },
  { name = "numbers200", pool = "numbers", n = 200, splitter = kfold(5), asks = named },
  { name = "repeated100", pool = "shift", n = 100, splitter = kfold(10, 5, true), asks = named },
  { name = "weights200", pool = "shift", n = 200, power = 0.5, splitter = kfold(10), asks = named },
  { name = "weights320", pool = "shift", n = 320, power = 1, splitter = kfold(10), asks = named },
  { name = "groups", pool = "logit", n = 300, size = 5, splitter = kfold(10), asks = named },
  { name = "random33", pool = "shift", n = 100, splitter = holdout(1 / 3, 15), asks = by_default },
  { name = "bootstrap", pool = "shift", n = 100, splitter = cf.splitter("bootstrap", { repeats = 30 }),
    asks = by_default },
  { name = "one_split", pool = "shift", n = 300, splitter = holdout(1 / 3, 1), asks = { {}, { method = "clt" } } },
  { name = "one_split_numbers", pool = "numbers", n = 600, splitter = cf.splitter("holdout", { test_share = 1 / 3 }),
    asks = { {}, { method = "clt" } } },
  { name = "leave_one_out", pool = "shift", n = 100, splitter = cf.splitter("leave_one_out"),
    asks = { {}, { method = "clt" } } },
}

local takes_rows = { clt = true, nested = true }
local is_composed = { rmse = true, r2 = true, ["roc_auc{positive='yes'}"] = true }

local function words(ask)
  return ask.method or "default"
end

local pools = {}

local function covers(row, value) return row.low <= value and value <= row.high end

local function study(design)
  local size, features = design.size or 1, design.features or 6
  local key = table.concat({ design.pool, features, size, design.power or 0 }, " ")
  pools[key] = pools[key] or population(design.pool, features, size, design.power)
  local pool, sets, learners = pools[key], {}, learners_of(design)
  local metrics = design.pool == "numbers" and number_metrics or class_metrics
  for s = 1, n_sets do
    local rows = sample(design.n, size, s)
    local result = cf.evaluate { data = pool:select(rows), learners = learners, metrics = metrics, seed = s,
      splitter = design.splitter, keep = design.pool == "numbers" and "labels" or "probabilities" }
    local set = { truth = truth(pool, rows, result:splits(), s, learners, metrics), rows = {} }
    for _, ask in ipairs(design.asks) do
      for _, metric in ipairs(metrics) do
        local name = tostring(metric)
        if not (takes_rows[ask.method] and is_composed[name]) then
          for _, row in ipairs(result:interval { metric = name, method = ask.method }) do
            set.rows[#set.rows + 1] = { row = row, ask = words(ask) }
          end
        end
      end
    end
    sets[s] = set
  end
  return sets
end

local function report(design, sets)
  local means, lines, order = {}, {}, {}
  for _, set in ipairs(sets) do
    for key, t in pairs(set.truth) do
      local mean = means[key] or { fitted = 0, all = 0, n = 0 }
      if t.n > 0 and t.all then  -- some models give no rank, or always the same class
        mean.n = mean.n + 1
        mean.fitted = mean.fitted + (t.sum / t.n - mean.fitted) / mean.n
        mean.all = mean.all + (t.all - mean.all) / mean.n
        means[key] = mean
      end
    end
  end
  for _, set in ipairs(sets) do
    for _, one in ipairs(set.rows) do
      local row, id = one.row, one.ask .. "|" .. one.row.metric .. "|" .. one.row.learner
      if not lines[id] then
        lines[id] = { ask = one.ask, metric = row.metric, learner = row.learner, models = 0, procedure = 0, all = 0,
          n = 0, width = 0 }
        order[#order + 1] = lines[id]
      end
      local line, key = lines[id], row.learner .. row.metric
      local t = set.truth[key]
      if row.low and t and t.n > 0 and means[key] then
        line.n, line.width = line.n + 1, line.width + row.high - row.low
        if covers(row, t.sum / t.n) then line.models = line.models + 1 end
        if covers(row, means[key].fitted) then line.procedure = line.procedure + 1 end
        if covers(row, means[key].all) then line.all = line.all + 1 end
      end
    end
  end
  table.sort(order, function(a, b)
    if a.metric ~= b.metric then return a.metric < b.metric end
    if a.ask ~= b.ask then return a.ask < b.ask end
    return a.learner < b.learner
  end)
  for _, line in ipairs(order) do
    local function share(count) return line.n > 0 and cf.format_number(100 * count / line.n, 1) or "" end
    print(("| %s | %s | %s | %s | %s | %s | %s | %s | %d |"):format(design.name, line.metric, line.ask, line.learner,
      share(line.models), share(line.procedure), share(line.all),
      line.n > 0 and cf.format_number(line.width / line.n, 3) or "", line.n))
  end
end

print("| design | metric | method | learner | models | procedure | all rows | width | intervals |")
print("|---|---|---|---|---|---|---|---|---|")
for _, design in ipairs(designs) do
  if next(wanted) == nil or wanted[design.name] then report(design, study(design)) end
end
