-- How sure is an accuracy of 0.8 on 100 rows? The Wilson interval holds the true accuracies under which
-- such a count is not surprising; more rows make it narrower. The folds of a cross-validation are pooled:
-- each row was tested once, so the counts add up.
local cf = require "crossfold"

local function show(correct, n, method)
  local interval = cf.stats.accuracy_interval { correct = correct, n = n, method = method }
  print(("%4d of %4d  %-16s  %.4f  %.7f  %.7f"):format(correct, n, interval.method,
    interval.estimate, interval.low, interval.high))
end

print("rows          method            share   low        high")
for _, n in ipairs { 50, 100, 500, 1000 } do show(n * 8 // 10, n) end

-- Ways to the interval of the same count.
for _, method in ipairs { "normal", "wilson_corrected", "clopper_pearson", "agresti_coull",
  "jeffreys" } do
  show(80, 100, method)
end

-- Five folds of 20 rows.
local pooled = 0
for _, correct in ipairs { 11, 17, 16, 13, 16 } do pooled = pooled + correct end
print("five folds, pooled:")
show(pooled, 100)

-- All rows right: the normal interval has no width, Wilson's says what 20 rows can say.
print("all of 20 rows right:")
show(20, 20, "normal")
show(20, 20)
