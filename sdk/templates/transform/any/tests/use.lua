-- The class follows from `signal`, which has small numbers; `noise` has large ones, so that the
-- nearest row is one of the other class until both are on one scale. Leave one row out: by hand, the
-- nearest row is always of the other class (0 right), and with the transform always of the same (6).
-- The seventh row has no signal: what is missing stays missing, and `impute` puts the mean there.
local cf = require "crossfold"
@LOAD@

local function count_right(data, learner)
  local result = cf.evaluate {
    data = data,
    learners = { one = learner },
    splitter = cf.splitter("leave_one_out"),
    metrics = "accuracy",
  }
  local right = 0
  for _, row in ipairs(result:predictions()) do
    if row.predicted == row.truth then right = right + 1 end
  end
  return right
end

local signal, noise = { 0, 0.1, 0.2, 1, 1.1, 1.2 }, { 1000, 5000, 9000, 1100, 5100, 9100 }
local class = { "a", "a", "a", "b", "b", "b" }
local function make_data()
  return cf.dataset {
    columns = {
      { name = "signal", values = signal }, { name = "noise", values = noise },
      { name = "class", values = class },
    },
    target = "class",
  }
end

local nearest = cf.learner("knn", { k = 1 })
print("right without it: " .. count_right(make_data(), nearest))
print("right with it: " .. count_right(make_data(), cf.pipeline { made, nearest }))

signal[7], noise[7], class[7] = cf.null, 5050, "a"
local filled = cf.pipeline { made, cf.transform("impute"), nearest }
print("predictions with a missing entry: " .. #filled:fit(make_data()):predict(make_data()):labels())
