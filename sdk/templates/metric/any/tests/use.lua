-- By hand: 3 of the 4 rows of class a and 1 of the 2 rows of class b are right, and the mean of 3/4
-- and 1/2 is 0.625. No row is of class c, so that with it there is no value.
local cf = require "crossfold"
@LOAD@

local name = tostring(made)
local lists = {
  truth = { "a", "a", "a", "a", "b", "b" },
  predicted = { "a", "a", "a", "b", "b", "a" },
  metrics = made,
}
local score = cf.score(lists)
print("value: " .. cf.format_number(score[name], 3))

lists.classes = { "a", "b", "c" }
print("undefined: " .. cf.score(lists).undefined[name])
