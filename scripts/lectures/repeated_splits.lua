-- Repeated train/test splits: train on two thirds of the rows, test on the others, 30 times with another
-- draw, and look at all 30 accuracies instead of one. Their mean is the usual summary; the median does
-- not care about a few bad draws, and the mode is what happens most often. Accuracies on a small test
-- set take few values, so a mode exists; where no value is the most frequent one there is none.
local cf = require "crossfold"
local here = arg[0]:match("^(.*)/") or "."
local iris = cf.read(here .. "/../data/iris.csv", { target = "class" })

local result = cf.evaluate {
  data = iris, seed = 1,
  learners = { knn = cf.learner("knn", { k = 5 }), tree = "decision_tree" },
  splitter = cf.splitter("holdout", { test_share = 1 / 3, repeats = 30, stratify = true }),
  metrics = "accuracy",
}

local function text(number) return number and ("%.4f"):format(number) or "none" end

print("learner  mean    median  mode    sd      min     max")
for _, row in ipairs(result:summary()) do
  print(("%-8s %s  %s  %s  %s  %s  %s"):format(row.learner, text(row.mean), text(row.median),
    text(row.mode), text(row.sd), text(row.min), text(row.max)))
end

-- The splits share rows, so the 30 accuracies are not independent: compare takes that into
-- account.
print()
print(cf.compare(result))
