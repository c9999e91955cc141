-- Leave one row out, seven times. By hand: the class means without the row to predict are
--   row 1 2 3 (a)   x = 1 2 3    a: 5, 4.67, 4.33   b: 8            a is nearer: right
--   row 4 (a)       x = 10       a: 2               b: 8            b is nearer: wrong
--   row 5 6 7 (b)   x = 7 8 9    a: 4               b: 8.5, 8, 7.5  b is nearer: right
local cf = require "crossfold"
@LOAD@

local data = cf.dataset {
  columns = {
    { name = "x", values = { 1, 2, 3, 10, 7, 8, 9 } },
    { name = "class", values = { "a", "a", "a", "a", "b", "b", "b" } },
  },
  target = "class",
}
local result = cf.evaluate {
  data = data,
  learners = { made = made },
  splitter = cf.splitter("leave_one_out"),
  metrics = "accuracy",
}

local predicted, correct = {}, 0
for _, row in ipairs(result:predictions()) do
  predicted[row.row] = row.predicted
  if row.predicted == row.truth then correct = correct + 1 end
end
print("predicted: " .. table.concat(predicted, " "))
print(("correct: %d of %d"):format(correct, #data))
