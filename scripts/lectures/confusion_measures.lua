-- What a confusion matrix tells: measures of one class, averages over classes, and where there is none.
local cf = require "crossfold"

-- Truth and prediction of the rows that a matrix counts (row = truth).
local function rows_of(classes, matrix)
  local truth, predicted = {}, {}
  for t, row in ipairs(matrix) do
    for p, count in ipairs(row) do
      for _ = 1, count do
        truth[#truth + 1], predicted[#predicted + 1] = classes[t], classes[p]
      end
    end
  end
  return truth, predicted
end

local function show(title, classes, matrix, metrics)
  local truth, predicted = rows_of(classes, matrix)
  local score = cf.score { truth = truth, predicted = predicted, classes = classes, metrics = metrics }
  print(title)
  for _, metric in ipairs(metrics) do
    local name = tostring(metric)
    local value = score[name]
    print(("  %-28s %s"):format(name,
      value and cf.format_number(value, 4) or "undefined: " .. score.undefined[name]))
  end
end

show("A test for a disease: 5 of 6 ill people found, 3 of 10 healthy ones alarmed",
  { "healthy", "ill" }, { { 7, 3 }, { 1, 5 } }, {
    "accuracy", "error_rate", "balanced_accuracy", "precision", "recall", "specificity",
    "false_positive_rate", "f1", cf.metric("f_beta", { beta = 2 }), "jaccard", "g_mean", "youden_j",
    "matthews_correlation", "cohen_kappa", "positive_likelihood_ratio", "negative_likelihood_ratio",
  })

show("Never wrong, rarely right: the mean of precision and recall is 0.6, F1 is not",
  { "no", "yes" }, { { 10, 0 }, { 4, 1 } }, { "precision", "recall", "f1" })

show("Ten of 10000 are rare, and none is found", { "usual", "rare" }, { { 9990, 0 }, { 10, 0 } },
  { "accuracy", "recall", "precision", "balanced_accuracy", "matthews_correlation" })

local iris = { "setosa", "versicolor", "virginica" }
show("Iris: three classes need a positive one or an average", iris,
  { { 50, 0, 0 }, { 0, 44, 6 }, { 0, 3, 47 } }, {
    "accuracy", cf.metric("f1", { positive = "virginica" }), cf.metric("f1", { average = "macro" }),
    cf.metric("f1", { average = "micro" }), "cohen_kappa", "matthews_correlation",
  })

local truth, predicted = rows_of(iris, { { 50, 0, 0 }, { 0, 44, 6 }, { 0, 3, 47 } })
local _, problem = pcall(cf.score,
  { truth = truth, predicted = predicted, metrics = "precision" })
print((problem:gsub("^.-: ", "")))
