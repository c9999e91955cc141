-- numbers.lua FILE TARGET SPLITTER PARAMETERS METRIC [TEST]: scores, predictions and comparison of three learners,
-- exactly: numbers in hexadecimal, one line each, for tests/python/same_numbers_test.py.
local cf = require "crossfold"

local file, target, splitter, params, metric, test = table.unpack(arg)

local function exact(value)
  if value == nil then return "-" end
  return ("%a"):format(value)
end

local data = cf.read(file, { target = target })
local learners = data:task() == "regression" and { ridge = "ridge", tree = "decision_tree", floor = "featureless" }
  or { knn = cf.learner("knn", { k = 5 }), nb = "naive_bayes", floor = "featureless" }
local result = cf.evaluate {
  data = data, learners = learners, splitter = cf.splitter(splitter, load("return " .. params)()),
  metrics = { metric }, seed = 42, keep = "probabilities",
}
for _, row in ipairs(result:scores()) do
  print("score", row.learner, row.repeat_ - 1, row.fold - 1, exact(row.value))
end
for _, row in ipairs(result:predictions()) do
  local parts = { "prediction", row.learner, row.repeat_ - 1, row.fold - 1, row.row - 1 }
  parts[#parts + 1] = type(row.predicted) == "number" and exact(row.predicted) or row.predicted
  for _, p in ipairs(row.probabilities or {}) do parts[#parts + 1] = exact(p) end
  print(table.concat(parts, "\t"))
end

local ok, comparison = pcall(cf.compare, result, { metric = metric, test = test })
if not ok then
  print("refused")
  return
end
for _, row in ipairs(comparison:rows()) do
  local parts = { "pair", row.a, row.b, row.test, row.splits, row.splits_of }
  for _, name in ipairs { "mean_a", "mean_b", "difference", "low", "high", "statistic", "df", "p", "p_adjusted",
    "rope", "p_worse", "p_alike", "p_better" } do
    parts[#parts + 1] = exact(row[name])
  end
  for _, name in ipairs { "better", "rows", "only_a", "only_b" } do parts[#parts + 1] = tostring(row[name] or "-") end
  print(table.concat(parts, "\t"))
end
