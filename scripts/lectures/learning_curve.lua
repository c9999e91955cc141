-- A learning curve: two learners on the same trials. In each trial the training sets are nested: a
-- larger one contains the smaller ones. All learners of a trial see the same test rows.
local cf = require "crossfold"

local here = arg[0]:match("^(.*)/[^/]*$") or "."
local digits = cf.read(here .. "/../data/digits.csv", {
  target = "class", types = { class = "categorical" },
})

local curve = cf.learning_curve {
  data = digits,
  learners = { naive_bayes = "naive_bayes", tree = "decision_tree" },
  schedule = "geometric", from = 50, to = 1000, points = 6,
  trials = 10, test_share = 1 / 3,
  metrics = "accuracy", seed = 1,
}
-- Mean, median and mode of the ten trials, and an interval for the mean.
print(curve)

-- The power law through the means answers questions about sizes that were not tried.
for _, name in ipairs { "naive_bayes", "tree" } do
  local fit = curve:fit(name)
  print()
  print(fit)
  print(fit:at(5000))
  print(fit:asymptote())
  print(fit:rows_for(0.9))
end
print()
print(curve:crossing("naive_bayes", "tree"))
