-- Which of three learners is better: on one dataset, and over several.

local cf = require "crossfold"

local here = arg[0]:match("^(.*)/[^/]*$") or "."
local function read(name, target)
  return cf.read(here .. "/../data/" .. name .. ".csv", { target = target })
end

local learners = {
  bayes = "naive_bayes", lda = "lda", stump = cf.learner("decision_tree", { max_depth = 1 }),
}
local result = cf.evaluate {
  data     = read("breast_cancer", "class"),
  learners = learners,
  splitter = cf.splitter("kfold", { folds = 10, repeats = 3, stratify = true }),
  metrics  = "accuracy",
  seed     = 1,
}
print(cf.compare(result))

local many = cf.evaluate {
  datasets = { read("breast_cancer", "class"), read("iris", "class"), read("wine", "class") },
  learners = learners,
  splitter = cf.splitter("kfold", { folds = 10, stratify = true }),
  metrics  = "accuracy",
  seed     = 1,
}
local comparison = cf.compare(many, { control = "stump" })
print()
print(comparison)
for _, row in ipairs(comparison:win_tie_loss()) do
  print(("%-6s %d wins, %d ties, %d losses"):format(row.learner, row.wins, row.ties, row.losses))
end
