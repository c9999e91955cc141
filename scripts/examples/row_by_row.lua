-- Two models on one test set, row by row: how many labelled rows it takes until one is shown to be better. The p-value
-- and the interval hold after any number of rows, so one may look after each. See docs/comparing.md.
local cf = require "crossfold"

local here = arg[0]:match("^(.*)/[^/]*$") or "."
local data = cf.read(here .. "/../data/breast_cancer.csv", { target = "class" })
local result = cf.evaluate {
  data = data, metrics = { "accuracy" }, seed = 1,
  learners = { lda = "lda", stump = cf.learner("decision_tree", { max_depth = 1 }), floor = "featureless" },
  splitter = cf.splitter("holdout", { test_share = 0.5, stratify = true }),
}
print(cf.compare(result, { test = "anytime" }))

-- Folds are refused, with the reason.
local folds = cf.evaluate { data = data, metrics = { "accuracy" }, learners = { "lda", "featureless" }, seed = 1,
  splitter = cf.splitter("kfold", { folds = 5 }) }
local _, problem = pcall(cf.compare, folds, { test = "anytime" })
print((problem:gsub("^[^:]*:%d+: ", "")))
