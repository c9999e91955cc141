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
local text = model:export("text")
io.write(text)

-- The tenth row has no refund: it goes down both branches, with their shares of the other nine.
local n_known = { yes = 0, no = 0 }
for _, refund in ipairs(training:column("refund")) do
  if refund ~= missing then n_known[refund] = n_known[refund] + 1 end
end
local rows_no = tonumber(text:match("refund = no %(([%d.]+)"))
local rows_yes = tonumber(text:match("refund = yes: %a+ %(([%d.]+)"))
print(("weights of the row without refund: yes %.4f = %d/9, no %.4f = %d/9"):format(
  rows_yes - n_known.yes, n_known.yes, rows_no - n_known.no, n_known.no))

print("\ngain of refund in C4.5: 0.9 x (entropy of 9 rows - 6/9 x entropy of refund = no)")
io.write(tree:with { max_depth = 1 }:fit(training):export("text"))

-- The eleventh record has no marital status: it goes down both branches under refund = no.
local married = tonumber(text:match("marital = married: %a+ %(([%d.]+)"))
local unmarried = tonumber(text:match("marital = unmarried: %a+ %(([%d.]+)"))
print(("\nmissing marital status: married with %.2f/%.2f, unmarried with %.0f/%.2f"):format(
  married, married + unmarried, unmarried, married + unmarried))
local prediction = model:predict(rows:select { 11 })
print(("prediction: %s"):format(prediction:labels()[1]))
for c, name in ipairs(model:classes()) do
  print(("  P(%s) = %.4f"):format(name, prediction:probabilities()[1][c]))
end
