-- Are the probabilities right? Reliability curves without bins, and what of the Brier score is miscalibration.
--###begin reliability
local cf = require "crossfold"

local here = arg[0]:match("^(.*)/[^/]*$") or "."
local tumours = cf.read(here .. "/../data/breast_cancer.csv", { target = "class" })

local bayes = cf.learner("naive_bayes")
local result = cf.evaluate {
  data     = tumours,
  learners = { bayes = bayes, calibrated = cf.pipeline { bayes, cf.calibration { method = "platt" } } },
  splitter = cf.splitter("kfold", { folds = 10, stratify = true }),
  metrics  = { "brier" },
  keep     = "probabilities",
  seed     = 1,
}

for _, name in ipairs { "bayes", "calibrated" } do
  local curve = result:curve("reliability", { learner = name, positive = "malignant" })
  print(("%s: %s"):format(name, curve:sentence()))
end

-- The recalibrated probability at each predicted one, and where it would be if the predicted ones were right.
print()
print(result:curve("reliability", { learner = "calibrated", positive = "malignant" }))
--###end reliability
