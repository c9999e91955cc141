-- Metrics of one prediction, along rows and classes.
local cf = require "crossfold"
local data = require "data"

local labels = { "accuracy", "balanced_accuracy", "cohen_kappa", "f1_macro", "g_mean", "matthews_correlation" }
local probabilities = { "log_loss", "brier", "brier_calibration", "expected_calibration_error", "top_k_accuracy",
  "spherical_score", "roc_auc", "average_precision", "equal_error_rate", "lift" }
local numbers = { "explained_variance", "mae", "mape", "max_error", "median_absolute_error", "mse", "pinball", "r2",
  "rae", "rmse", "rrse" }

local function scores(metric, learner, rows)
  local prediction = cf.learner(learner):fit(rows):predict(rows)
  return function() return cf.score { prediction = prediction, metrics = { metric } } end
end

return function(add)
  for _, name in ipairs(labels) do
    add("rows", name, { from = 10000, to = 5000000,
      function(n, folder) return scores(name, "naive_bayes", data.many(n, folder)) end })
    add("classes", name, { from = 2, to = 1000, time = 2, why = "a table of classes by classes",
      function(n) return scores(name, "one_r", data.of(20000, { columns = 1, classes = n })) end })
  end
  for _, name in ipairs(probabilities) do
    local metric = name == "equal_error_rate" and cf.metric(name, { positive = "yes" })
      or name == "lift" and cf.metric(name, { positive = "yes" })
      or name == "top_k_accuracy" and cf.metric(name, { k = 1 }) or name
    add("rows", name, { from = 10000, to = 5000000,
      function(n, folder) return scores(metric, "naive_bayes", data.many(n, folder)) end })
  end
  for _, name in ipairs { "log_loss", "brier", "expected_calibration_error", "spherical_score", "roc_auc",
    "average_precision" } do
    local ranks = name == "roc_auc" or name == "average_precision"
    add("classes", name, { from = 2, to = 1000, function(n)
      local metric = ranks and cf.metric(name, { average = "ovr_macro" }) or name
      return scores(metric, "naive_bayes", data.of(5000, { columns = 1, classes = n }))
    end })
  end
  add("classes", "roc_auc ovo", { from = 2, to = 200, time = 2, why = "every pair of classes", function(n)
    return scores(cf.metric("roc_auc", { average = "ovo" }), "naive_bayes", data.of(5000, { columns = 1, classes = n }))
  end })
  for _, name in ipairs(numbers) do
    add("rows", name, { from = 10000, to = 2000000,
      function(n) return scores(name, "ridge", data.of(n, { columns = 1, regression = true })) end })
  end
end
