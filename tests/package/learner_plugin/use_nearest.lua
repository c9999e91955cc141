-- The plugin beside the bundled learner of the same method: both must predict the same.
-- arg[1] is iris.csv. Expected numbers: a Python program with exact fractions, written for this test
-- (k = 5, fold of row i = i mod 10, ties to the lower row and the lower class).
local cf = require "crossfold"

local result = cf.evaluate {
  data = cf.read(arg[1], { target = "class" }),
  learners = {
    nearest = cf.learner("org.example.nearest", { k = 5 }),
    bundled = cf.learner("knn", { k = 5 }),
  },
  splitter = cf.splitter("kfold", { folds = 10, shuffle = false }),
  metrics = "accuracy",
}

local correct = { nearest = {}, bundled = {} }
for _, row in ipairs(result:scores()) do
  table.insert(correct[row.learner], math.floor(row.value * 15 + 0.5))
end
assert(table.concat(correct.nearest, " ") == table.concat(correct.bundled, " "))
print("correct: " .. table.concat(correct.nearest, " "))
