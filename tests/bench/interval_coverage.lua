-- How often do the intervals of one score cover what they are for?
--   crossfold run tests/bench/interval_coverage.lua [data sets] [design ...]
-- Results of a run: interval_coverage.md.
--
-- A data set is a sample of n rows of a pool of 60000; 8000 others are the new rows that say what the score of a model
-- really is (of 10 of the models, where there are more). `models` is the share of data sets in which the interval
-- covers the mean score of the models that were fitted, `procedure` that of the mean of these over all data sets, `all
-- rows` that of the mean score of models of all n rows.
local cf = require "crossfold"

local n_sets = math.tointeger(tonumber(arg[1])) or 1000
local wanted = {}
for i = 2, #arg do wanted[arg[i]] = true end

local n_pool, n_new, most_models = 60000, 8000, 10

local function normal()
  return math.sqrt(-2 * math.log(1 - math.random())) * math.cos(2 * math.pi * math.random())
end

-- Rows in groups of `size` share a part of their features and of their noise. Half of the features mean nothing.
local function population(features, size)
  math.randomseed(7)
  local columns, y, g = {}, {}, {}
  for j = 1, features do columns[j] = { name = "x" .. j, values = {} } end
  local shared, effect = {}, 0
  for i = 1, n_pool + n_new do
    if (i - 1) % size == 0 then
      for j = 1, features do shared[j] = normal() end
      effect = size > 1 and normal() or 0
    end
    local sum = 0
    for j = 1, features do
      local x = size > 1 and 0.7 * shared[j] + 0.7 * normal() or normal()
      columns[j].values[i] = x
      if j <= features / 2 then sum = sum + x end
    end
    sum = sum + columns[1].values[i] * columns[2].values[i] + effect
    y[i], g[i] = math.random() < 1 / (1 + math.exp(-1.5 * sum)) and "yes" or "no", "g" .. (i - 1) // size
  end
  columns[#columns + 1] = { name = "y", values = y }
  if size > 1 then columns[#columns + 1] = { name = "g", values = g } end
  return cf.dataset { name = "pool", target = "y", groups = size > 1 and "g" or nil, columns = columns }
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

local learners = { "logistic_regression", "naive_bayes", "decision_tree" }
local metrics = { "accuracy", "log_loss", cf.metric("roc_auc", { positive = "yes" }) }
local takes_rows = { clt = true, nested = true }

-- The scores on the new rows of the models of each split and, last, of all rows.
local function truth(pool, rows, splits, seed)
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
    if row.fold <= models then
      found[key].sum, found[key].n = found[key].sum + row.value, found[key].n + 1
    else
      found[key].all = row.value
    end
  end
  return found
end

local function kfold(folds, repeats)
  return cf.splitter("kfold", { folds = folds, repeats = repeats, stratify = true })
end
local function holdout(share, repeats)
  return cf.splitter("holdout", { test_share = share, repeats = repeats, stratify = true })
end

-- The scores of single rows; those of splits; and what costs fits.
local rows_only, splits_only, both = { { method = "clt" } }, { { method = "corrected_t" } }, { { method = "clt" },
  { method = "corrected_t" } }
local all = { { method = "clt" }, { method = "clt", variance = "within" }, { method = "clt", bounds = "wald" },
  { method = "corrected_t" }, { method = "nested" } }
local random = { { method = "corrected_t" }, { method = "conservative_z" } }

local designs = {
  { name = "folds300", n = 300, splitter = kfold(10, 1), asks = all },
  { name = "folds200", n = 200, splitter = kfold(10, 1), asks = both },
  { name = "folds100", n = 100, splitter = kfold(10, 1), asks = all },
  { name = "repeated300", n = 300, splitter = kfold(10, 5), asks = both },
  { name = "groups", n = 300, size = 5, splitter = cf.splitter("kfold", { folds = 10 }), asks = both },
  { name = "random10", n = 100, splitter = holdout(1 / 10, 15), asks = random },
  { name = "random33", n = 100, splitter = holdout(1 / 3, 15), asks = splits_only },
  { name = "bootstrap", n = 100, splitter = cf.splitter("bootstrap", { repeats = 30, stratify = true }),
    asks = splits_only },
  { name = "one_split", n = 300, splitter = holdout(1 / 3, 1), asks = rows_only },
  { name = "leave_one_out", n = 100, splitter = cf.splitter("leave_one_out"), asks = rows_only },
  { name = "noise", n = 100, features = 20, splitter = kfold(10, 1), asks = both },
}

local function words(ask)
  return ask.method .. (ask.variance and ", " .. ask.variance or "") .. (ask.bounds and ", " .. ask.bounds or "")
end

local pools = {}

local function covers(row, value) return row.low <= value and value <= row.high end

local function study(design)
  local size, features = design.size or 1, design.features or 6
  local key = features .. " " .. size
  pools[key] = pools[key] or population(features, size)
  local pool, sets = pools[key], {}
  for s = 1, n_sets do
    local rows = sample(design.n, size, s)
    local data = pool:select(rows)
    local result = cf.evaluate { data = data, learners = learners, metrics = metrics, seed = s,
      splitter = design.splitter, keep = "probabilities" }
    local set = { truth = truth(pool, rows, result:splits(), s), rows = {} }
    for _, ask in ipairs(design.asks) do
      for m, metric in ipairs { "accuracy", "log_loss", tostring(metrics[3]) } do
        if m < 3 or not takes_rows[ask.method] then
          local o = { metric = metric }
          for k, v in pairs(ask) do o[k] = v end
          for _, row in ipairs(result:interval(o)) do set.rows[#set.rows + 1] = { row = row, ask = words(ask) } end
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
      means[key] = means[key] or { fitted = 0, all = 0 }
      means[key].fitted = means[key].fitted + t.sum / t.n / #sets
      means[key].all = means[key].all + t.all / #sets
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
      if row.low then
        local t = set.truth[key]
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
    local function share(count) return cf.format_number(100 * count / line.n, 1) end
    print(("| %s | %s | %s | %s | %s | %s | %s | %s | %d |"):format(design.name, line.metric, line.ask, line.learner,
      share(line.models), share(line.procedure), share(line.all), cf.format_number(line.width / line.n, 3), line.n))
  end
end

print("| design | metric | method | learner | models | procedure | all rows | width | intervals |")
print("|---|---|---|---|---|---|---|---|---|")
for _, design in ipairs(designs) do
  if next(wanted) == nil or wanted[design.name] then report(design, study(design)) end
end
