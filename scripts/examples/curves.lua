-- Curves of an evaluation: which of two learners ranks tumours better, and whose probabilities can be
-- taken at their word?
local cf = require "crossfold"

local here = arg[0]:match("^(.*)/[^/]*$") or "."
local tumours = cf.read(here .. "/../data/breast_cancer.csv", { target = "class" })

local result = cf.evaluate {
  data     = tumours,
  learners = { bayes = "naive_bayes", tree = cf.learner("decision_tree", { max_depth = 4 }) },
  splitter = cf.splitter("kfold", { folds = 10, stratify = true }),
  metrics  = { "accuracy" },
  keep     = "probabilities",
  seed     = 1,
}

for _, name in ipairs { "bayes", "tree" } do
  -- All held-out predictions in one curve ...
  local pooled = result:curve("roc", { learner = name, positive = "malignant", points = "hull" })
  -- ... or the mean of the ten curves, with an interval at every false positive rate.
  local mean = result:curve("roc", { learner = name, positive = "malignant",
    aggregation = "vertical", grid = 11 })
  local calibration = result:curve("calibration", { learner = name, positive = "malignant",
    bins = 5 })
  print(("%-7spooled AUC %.4f, mean AUC %.4f, calibration error %.4f"):format(name, pooled.auc,
    mean.mean_auc, calibration.ece))
  for _, row in ipairs(mean:rows()) do
    if row.fpr <= 0.2 then
      print(("       at fpr %.1f: tpr %.3f (%.3f to %.3f)"):format(row.fpr, row.tpr, row.low,
        row.high))
    end
  end
end

print()
print(result:curve("calibration", { learner = "bayes", positive = "malignant", bins = 5 }))
print()
print(result:curve("cost", { learner = "tree", positive = "malignant" }))
-- Pictures: result:curve("roc", { learner = "tree" }):to { svg = "roc.svg" }
