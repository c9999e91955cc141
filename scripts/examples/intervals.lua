-- How sure is one score? An interval says of which quantity it is: the models that were fitted, or the procedure.
local cf = require "crossfold"

local here = arg[0]:match("^(.*)/[^/]*$") or "."
local data = cf.read(here .. "/../data/breast_cancer.csv", { target = "class" })
local learners = { bayes = "naive_bayes", stump = cf.learner("decision_tree", { max_depth = 1 }) }

local result = cf.evaluate {
  data     = data,
  learners = learners,
  splitter = cf.splitter("kfold", { folds = 10, stratify = true }),
  metrics  = { "accuracy", "f1_macro" },
  seed     = 1,
}
print(result)
print(result:interval())

-- The error of the procedure, from pairs of held-out folds: 45 fits more per learner.
print(result:interval { metric = "accuracy", method = "nested" })

-- Any metric, of random splits: 2 times 10 times 5 fits more per learner.
local splits = cf.evaluate {
  data     = data,
  learners = learners,
  splitter = cf.splitter("holdout", { test_share = 0.1, repeats = 5, stratify = true }),
  metrics  = cf.metric("roc_auc", { positive = "malignant" }),
  keep     = "probabilities",
  seed     = 1,
}
print(splits:interval { method = "conservative_z" })
print(splits:interval { method = "corrected_t" })

-- What is not valid is refused, with the valid way.
local _, problem = pcall(result.interval, result, { method = "conservative_z" })
print((problem:gsub("^.*:%d+: ", "")))
