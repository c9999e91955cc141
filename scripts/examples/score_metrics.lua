-- How good are predicted probabilities? Two answers: do they rank the rows well, and do they mean
-- what they say? Both for one model on held-out rows of iris.
--###begin score_metrics
local cf = require "crossfold"

local here = arg[0]:match("^(.*)/[^/]*$") or "."
local iris = cf.read(here .. "/../data/iris.csv", { target = "class" })

local result = cf.evaluate {
  data     = iris,
  learners = { naive_bayes = cf.learner("naive_bayes"), floor = cf.learner("featureless") },
  splitter = cf.splitter("kfold", { folds = 10, stratify = true }),
  metrics  = {
    cf.metric("roc_auc", { average = "ovo" }),                         -- Hand and Till's M
    cf.metric("average_precision", { positive = "versicolor" }),       -- one class against the rest
    cf.metric("brier", { scale = "sum" }),
    cf.metric("expected_calibration_error", { bins = 5 }),
  },
  seed     = 1,
}
print(result)
--###end score_metrics
