-- Is the model worth using? Net benefit against treating everyone and treating no one.
--###begin decision
local cf = require "crossfold"

local here = arg[0]:match("^(.*)/[^/]*$") or "."
local tumours = cf.read(here .. "/../data/breast_cancer.csv", { target = "class" })

local result = cf.evaluate {
  data     = tumours,
  learners = { logistic = "logistic_regression", bayes = "naive_bayes" },
  splitter = cf.splitter("kfold", { folds = 10, stratify = true }),
  metrics  = { "brier" },
  keep     = "probabilities",
  seed     = 1,
}

for _, name in ipairs { "logistic", "bayes" } do
  local curve = result:curve("decision", { learner = name, positive = "malignant" })
  print(("%s: %s\n"):format(name, curve:sentence()))
end

print(result:curve("decision", { learner = "logistic", positive = "malignant",
  thresholds = { 0.05, 0.1, 0.2, 0.3, 0.5 } }))
--###end decision
