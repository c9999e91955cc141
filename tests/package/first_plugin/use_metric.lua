package.path = (arg[0]:match("^(.*)/") or ".") .. "/?.lua;" .. package.path
local cf = require "crossfold"
local score = cf.score { truth = { 1, 2, 3 }, predicted = { 1, 2.5, 2.75 },
  metrics = require "largest_miss" }
print(cf.format_number(score.largest_miss, 2))
