-- How often does a test at 0.05 find a difference between two equally good learners, by design and learner?
-- Both learn the same method, one from three features, the other from three others with the same
-- distribution: 100 rows, two classes, whose means differ by 0.8 standard deviations in each feature.
-- Run: crossfold run tests/bench/level_of_tests.lua [number of data sets [rows [metric [design]]]];
-- tests/bench/TYPE_ONE_ERROR.md
package.path = arg[0]:match("^(.*)/") .. "/../slow/?.lua;" .. package.path
local cf = require "crossfold"
local normal = require "normal_numbers"

local n_datasets = math.tointeger(tonumber(arg[1])) or 2000
local n_rows, n_features, alpha, distance = math.tointeger(tonumber(arg[2])) or 100, 3, 0.05, 0.8
local metric, wanted = arg[3] or "accuracy", arg[4]

local function simulate(seed)
  local columns, y = {}, {}
  for i = 1, n_rows do y[i] = i % 2 == 0 and "yes" or "no" end
  for j = 1, n_features do
    columns[j] = { name = "x" .. j, values = {} }
    for i = 1, n_rows do
      columns[j].values[i] = normal(seed, j, i) + (y[i] == "yes" and distance or 0)
    end
  end
  columns[#columns + 1] = { name = "y", values = y }
  return cf.dataset { name = "simulated", target = "y", columns = columns }
end

-- Scores of the splits, by learner.
local function scores_of(data, splitter, learners, seed)
  local result = cf.evaluate { data = data, learners = learners, splitter = splitter, metrics = metric,
    seed = seed, workers = 1, keep = "none", on_error = "stop" }
  local scores = {}
  for _, row in ipairs(result:scores()) do
    scores[row.learner] = scores[row.learner] or {}
    table.insert(scores[row.learner], row.value)
  end
  return scores
end

local function differences(a, b)
  local list = {}
  for s, value in ipairs(a) do list[s] = value - b[s] end
  return list
end

local function corrected(n_train, n_test)
  return function(a, b)
    return cf.stats.corrected_t(differences(a, b), { n_train = n_train, n_test = n_test }).p
  end
end

local function mcnemar(a, b)
  local only_a, only_b = 0, 0
  for s, value in ipairs(a) do
    if value > b[s] then only_a = only_a + 1 elseif value < b[s] then only_b = only_b + 1 end
  end
  return cf.stats.mcnemar { only_first = only_a, only_second = only_b, method = "mid_p" }.p
end

local function five_by_two(key)
  return function(a, b)
    local d, pairs_of = differences(a, b), {}
    for i = 1, 5 do pairs_of[i] = { d[2 * i - 1], d[2 * i] } end
    return cf.stats.five_by_two { differences = pairs_of }[key]
  end
end

local function folds(n, repeats) return cf.splitter("kfold", { folds = n, repeats = repeats }) end
local function holdouts(share, repeats)
  return cf.splitter("holdout", { test_share = share, repeats = repeats })
end
local designs = {
  { splitter = cf.splitter("leave_one_out"), tests = { { "leave-one-out, McNemar mid-p", mcnemar } } },
  { splitter = folds(10, 1), tests = { { "10 folds, corrected t", corrected(90, 10) } } },
  { splitter = folds(10, 10), tests = { { "10 times 10 folds, corrected t", corrected(90, 10) } } },
  { splitter = holdouts(1 / 3, 30), tests = { { "30 splits, 1/3 tested, corrected t", corrected(67, 33) } } },
  { splitter = folds(2, 5), tests = { { "5 times 2 folds, 5x2cv t", five_by_two "t_p" },
    { "5 times 2 folds, 5x2cv F", five_by_two "f_p" },
    { "5 times 2 folds, corrected t", corrected(50, 50) } } },
}
for d = #designs, 1, -1 do
  if wanted and designs[d].tests[1][1] ~= wanted then table.remove(designs, d) end
end
local methods = { "knn", "decision_tree", "lda", "one_r", "naive_bayes" }
local learners = {}
for _, method in ipairs(methods) do learners[method] = method end

local found = {}
for d = 1, n_datasets do
  local first, second = simulate(cf.seed(3, "x", d)), simulate(cf.seed(3, "z", d))
  for _, design in ipairs(designs) do
    local seed = cf.seed(3, "splits", d)
    local x, z = scores_of(first, design.splitter, learners, seed), scores_of(second, design.splitter, learners, seed)
    for _, test in ipairs(design.tests) do
      local counts = found[test[1]] or {}
      found[test[1]] = counts
      for _, method in ipairs(methods) do
        local p = test[2](x[method], z[method])
        counts[method] = (counts[method] or 0) + (p and p < alpha and 1 or 0)
      end
    end
  end
end

print(("Rejections of true null hypotheses at %g; %d data sets of %d rows; %s"):format(alpha, n_datasets, n_rows,
  metric))
print(("%-38s %8s %8s %8s %8s %8s"):format("design and test", "knn", "tree", "lda", "one_r", "bayes"))
for _, design in ipairs(designs) do
  for _, test in ipairs(design.tests) do
    local line = ("%-38s"):format(test[1])
    for _, method in ipairs(methods) do
      line = line .. ("   %.4f"):format(found[test[1]][method] / n_datasets)
    end
    print(line)
  end
end
