-- Repeated folds of groups: coverage of the default interval, and how often cf.compare tells equal learners apart.
--   crossfold run tests/bench/group_repeats.lua DATA_SETS GROUPS [REPEATS [LEARNER]]
-- Results of runs: interval_coverage.md, TYPE_ONE_ERROR.md.
--
-- Groups of 2 to 25 rows with six features; in each, the means of the features and the logit of the class are shifted.
-- Learner a sees three features, learner b three others with the same distribution. The truth are the models of the
-- first ten splits on 400 new groups.
local cf = require "crossfold"

local data_sets, n_groups = tonumber(arg[1]) or 200, tonumber(arg[2]) or 40
local repeats, learner, folds, new_groups = tonumber(arg[3]) or 10, arg[4] or "naive_bayes", 5, 400

local function uniform() return ((math.random(0) >> 11) + 0.5) * 2.0 ^ -53 end
local function normal() return math.sqrt(-2 * math.log(uniform())) * math.cos(2 * math.pi * uniform()) end

-- Appends the rows of `n` groups to the columns.
local function add_groups(columns, n, name)
  local y, g = columns[7].values, columns[8].values
  for k = 1, n do
    local shift, of_class = {}, normal()
    for j = 1, 6 do shift[j] = 0.7 * normal() end
    for _ = 1, math.random(2, 25) do
      local sum, row = of_class, #g + 1
      for j = 1, 6 do
        local x = shift[j] + normal()
        columns[j].values[row], sum = x, sum + 0.5 * x
      end
      y[row], g[row] = uniform() < 1 / (1 + math.exp(-sum)) and "a" or "b", name .. k
    end
  end
end

local function range(first, last)
  local list = {}
  for i = first, last do list[#list + 1] = i end
  return list
end

-- The data that are evaluated, and the same with rows of new groups after them.
local function simulate()
  local columns = {}
  for j = 1, 6 do columns[j] = { name = "x" .. j, values = {} } end
  columns[7], columns[8] = { name = "y", values = {} }, { name = "g", values = {} }
  add_groups(columns, n_groups, "old ")
  local n = #columns[8].values
  add_groups(columns, new_groups, "new ")
  local all = cf.dataset { name = "all", target = "y", groups = "g", columns = columns }
  return all:select(range(1, n)), all, range(n + 1, #all)
end

local function with(features)
  return cf.pipeline { cf.transform { name = "features", fit = function() return features end,
    apply = function(state) return state end }, cf.learner(learner) }
end

-- The mean accuracy of the models of the first splits on the new rows.
local function truth_of(splits, all, new)
  local lists = {}
  for s = 1, math.min(#splits, 10) do lists[s] = { train = splits:rows(s), test = new } end
  return cf.evaluate { data = all, learners = { learner }, metrics = "accuracy", seed = 1, keep = "none",
    splitter = cf.splitter { name = "first", split = function() return { splits = lists } end } }:summary()[1].mean
end

for _, stratify in ipairs { true, false } do
  math.randomseed(n_groups, repeats)
  local splitter = cf.splitter("kfold", { folds = folds, repeats = repeats, stratify = stratify and
    "as far as possible" or nil })
  local intervals, truths, counts = {}, 0.0, { fitted = 0, procedure = 0, rejected = 0, tested = 0, distinct = 0 }
  for d = 1, data_sets do
    local data, all, new = simulate()
    local result = cf.evaluate { data = data, splitter = splitter, metrics = "accuracy", seed = d,
      learners = { all = learner, a = with { "x1", "x2", "x3" }, b = with { "x4", "x5", "x6" } } }
    local row, truth = result:interval { learner = "all" }[1], truth_of(result:splits(), all, new)
    intervals[d], truths = row, truths + truth / data_sets
    if row.low and row.low <= truth and truth <= row.high then counts.fitted = counts.fitted + 1 end
    local p = cf.compare(result, { learners = { "a", "b" } }):rows()[1].p
    counts.tested, counts.rejected = counts.tested + (p and 1 or 0), counts.rejected + (p and p < 0.05 and 1 or 0)
    counts.distinct = counts.distinct + result:splits():design().distinct
  end
  for _, row in ipairs(intervals) do
    if row.low and row.low <= truths and truths <= row.high then counts.procedure = counts.procedure + 1 end
  end
  print(("%d groups, %d times %d folds%s, %s: fitted models %.3f, procedure %.3f, level %.3f; %.1f different splits; "
    .. "%d data sets"):format(n_groups, repeats, folds, stratify and ", stratified" or "", learner,
    counts.fitted / data_sets, counts.procedure / data_sets, counts.rejected / counts.tested,
    counts.distinct / data_sets, data_sets))
end
