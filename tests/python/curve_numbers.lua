-- curve_numbers.lua FILE TARGET POSITIVE: every kind of curve of a learner, exactly: numbers in hexadecimal, for
-- tests/python/same_numbers_test.py.
local cf = require "crossfold"

local file, target, positive = table.unpack(arg)

local function exact(value)
  if value == nil then return "-" end
  return ("%a"):format(value)
end

local result = cf.evaluate {
  data = cf.read(file, { target = target }), learners = { nb = "naive_bayes" },
  splitter = cf.splitter("kfold", { folds = 5 }), metrics = { "accuracy" }, seed = 3, keep = "probabilities",
}
local cases = {
  { "roc", {} }, { "roc", { points = "corners" } }, { "roc", { points = "hull" } }, { "precision_recall", {} },
  { "det", {} }, { "calibration", { bins = 7, binning = "quantile", confidence = 0.9 } }, { "lift", {} },
  { "cost", {} }, { "thresholds", { costs = { { 0, 1 }, { 5, 0.5 } } } },
  { "roc", { aggregation = "vertical", grid = 21 } },
  { "roc", { aggregation = "vertical", grid = 11, interval = "bootstrap", samples = 200, seed = 9 } },
}
for i, case in ipairs(cases) do
  local options = { positive = positive }
  for name, value in pairs(case[2]) do options[name] = value end
  local curve = result:curve(case[1], options)
  for _, name in ipairs { "area", "auc", "average_precision", "ece", "hull_auc", "mce", "mean_auc", "sd_auc" } do
    if curve[name] then print(("%d\tfigure\t%s\t%s"):format(i - 1, name, exact(curve[name]))) end
  end
  for _, row in ipairs(curve:rows()) do
    local parts = { i - 1, "row" }
    for _, column in ipairs(curve.columns) do parts[#parts + 1] = exact(row[column]) end
    print(table.concat(parts, "\t"))
  end
end
