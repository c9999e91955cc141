-- Prints the rows of every trial of learning_curve.lua, from 1: a line with the training rows in
-- their order, as many as the largest size, then a line with the test rows.
-- usage: crossfold run learning_curve_rows.lua DATA.csv LARGEST TRIALS
local cf = require "crossfold"

local rows_of = {}
local spy = cf.learner {
  name = "rows",
  fit = function(data)
    rows_of[#rows_of + 1] = { train = data:row_ids() }
    return data:classes()[1]
  end,
  predict = function(class, data)
    rows_of[#rows_of].test = data:row_ids()
    local labels = {}
    for i = 1, #data do labels[i] = class end
    return labels
  end,
}
local data = cf.read(arg[1], {
  target = "class", types = { class = "categorical", fold = "ignore", outer = "ignore" },
})
cf.learning_curve {
  data = data, learners = { spy = spy }, metrics = "accuracy", seed = 1, on_error = "stop",
  sizes = { math.tointeger(arg[2]) }, trials = math.tointeger(arg[3]),
}
for _, rows in ipairs(rows_of) do
  print(table.concat(rows.train, " "))
  print(table.concat(rows.test, " "))
end
