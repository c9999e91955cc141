-- A missing entry in training and in prediction: ten rows, one of which has no refund.
local cf = require "crossfold"

local missing = cf.null
local rows = cf.dataset {
  name = "refund", target = "cheat",
  columns = {
    { name = "refund",
      values = { "yes", "no", "no", "yes", "no", "no", "yes", "no", "no", missing, "no" } },
    -- unmarried: single or divorced
    { name = "marital",
      values = { "unmarried", "married", "unmarried", "married", "unmarried", "married",
        "unmarried", "unmarried", "married", "married", missing } },
    { name = "cheat",
      values = { "no", "no", "no", "no", "yes", "no", "no", "yes", "no", "yes", "no" } },
  },
}
local training = rows:select { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 }

-- The lecture takes the impurity of all ten rows, C4.5 that of the nine rows whose refund is known.
local tree = cf.learner("decision_tree", { criterion = "entropy", max_depth = 2, min_leaf = 1.5 })
print("gain of refund in the lecture: 0.9 x (entropy of 10 rows - 0.6 x entropy of refund = no)")
local model = tree:with { missing_gain = "all_rows" }:fit(training)
io.write(model:export("text"))
print("\ngain of refund in C4.5: 0.9 x (entropy of 9 rows - 6/9 x entropy of refund = no)")
io.write(tree:with { max_depth = 1 }:fit(training):export("text"))

-- The eleventh record has no marital status: it goes down both branches under refund = no.
local text = model:export("text")
local married = tonumber(text:match("marital = married: %a+ %(([%d.]+)"))
local unmarried = tonumber(text:match("marital = unmarried: %a+ %(([%d.]+)"))
print(("\nmissing marital status: married with %.2f/%.2f, unmarried with %.0f/%.2f"):format(
  married, married + unmarried, unmarried, married + unmarried))
local prediction = model:predict(rows:select { 11 })
print(("prediction: %s"):format(prediction:labels()[1]))
for c, name in ipairs(model:classes()) do
  print(("  P(%s) = %.4f"):format(name, prediction:probabilities()[1][c]))
end
