-- One measurement: crossfold run run.lua FILE LEARNER SPLITTER KEEP COPY. Prints the seconds of reading and of the
-- evaluation, and its scores.
local cf = require "crossfold"

local learners = {
  featureless = function() return cf.learner("featureless") end,
  naive_bayes = function() return cf.learner("naive_bayes") end,
  one_r = function() return cf.learner("one_r") end,
  logistic = function() return cf.learner("logistic_regression", { solver = "lbfgs" }) end,
  logistic_svrg = function() return cf.learner("logistic_regression", { solver = "svrg" }) end,
  ridge = function() return cf.learner("ridge") end,
  knn = function() return cf.learner("knn") end,
  tree_sliq = function() return cf.learner("decision_tree", { growth = "sliq", max_depth = 8 }) end,
  tree = function() return cf.learner("decision_tree", { max_depth = 8 }) end,
}

local splitters = {
  holdout = function() return cf.splitter("holdout") end,
  holdout_stratified = function() return cf.splitter("holdout", { stratify = true }) end,
  kfold = function() return cf.splitter("kfold") end,
  kfold_stratified = function() return cf.splitter("kfold", { stratify = true }) end,
}

local file, name, split, keep, copy = arg[1], arg[2], arg[3], arg[4] or "none", arg[5] == "copy"
local start = os.time()
local data = cf.read(file, { target = "y", memory_map = not copy })
local read = os.time()
local result = cf.evaluate {
  data = data, learners = { [name] = learners[name]() }, splitter = splitters[split](),
  metrics = { "accuracy" }, keep = keep,
}
local ended = os.time()
print(("read %d evaluate %d rows %d"):format(read - start, ended - read, #data))
for _, row in ipairs(result:scores()) do
  print(("score %s %s %s %s"):format(row.metric, row.repeat_, row.fold, row.value or row.undefined))
end
for _, row in ipairs(result:failures()) do print("failure " .. row.message) end
