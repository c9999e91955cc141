-- A missed tumour is worse than a false alarm. What does one decide with probabilities that are too
-- bold, and what does it help to calibrate them first?
local cf = require "crossfold"

local here = arg[0]:match("^(.*)/[^/]*$") or "."
-- Rows by truth, in the order of the classes: a missed malignant tumour costs as much as 20 alarms.
local tumours = cf.read(here .. "/../data/breast_cancer.csv", { target = "class",
  costs = { malignant = { benign = 20 }, benign = { malignant = 1 } } })

local platt = cf.calibration { method = "platt" }
local learners = {
  ["1 most probable"]     = "naive_bayes",
  ["2 minimum cost"]      = cf.pipeline { "naive_bayes", cf.minimum_cost() },
  ["3 calibrated"]        = cf.pipeline { "naive_bayes", platt },
  ["4 calibrated, cost"]  = cf.pipeline { "naive_bayes", platt, cf.minimum_cost() },
  ["5 tuned threshold"]   = cf.pipeline { "naive_bayes",
    cf.threshold { costs = "data", positive = "malignant" } },
}

-- The mean cost of a row by the matrix of the data, and how far the probabilities are off.
local result = cf.evaluate {
  data     = tumours,
  learners = learners,
  splitter = cf.splitter("kfold", { folds = 10, stratify = true }),
  metrics  = { "cost", "brier" },
  seed     = 1,
}
print(result)

-- The threshold that each outer fold chose, inside its training rows, and its cost there.
print()
print(result:tuning("5 tuned threshold"))
