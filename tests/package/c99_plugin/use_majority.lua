-- arg[1] is weather_nominal.csv: play = yes on 9 of 14 days, so without any one day "yes" is still
-- the majority, and leave-one-out is right on those 9.
local cf = require "crossfold"

local result = cf.evaluate {
  data = cf.read(arg[1], { target = "play" }),
  learners = { majority = cf.learner("org.example.majority") },
  splitter = cf.splitter("leave_one_out"),
  metrics = "accuracy",
}

local correct, days = 0, 0
for _, row in ipairs(result:scores()) do
  correct = correct + row.value
  days = days + 1
end
print(("correct: %d of %d"):format(correct, days))
