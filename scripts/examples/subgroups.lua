-- For whom does the model work? A score by subgroup, with intervals, the gap, and tests.
--###begin subgroups
local cf = require "crossfold"

local here = arg[0]:match("^(.*)/[^/]*$") or "."
local penguins = cf.read(here .. "/../data/penguins.csv", { target = "species" })

local result = cf.evaluate {
  data     = penguins,
  learners = { tree = cf.learner("decision_tree", { max_depth = 2 }) },
  splitter = cf.splitter("kfold", { folds = 10, stratify = true }),
  metrics  = { "accuracy", "log_loss" },
  keep     = "probabilities",
  seed     = 1,
}

-- By a column ...
print(result:subgroups { by = "island" })
-- ... by a condition ...
print()
print(result:subgroups { by = "body_mass_g > 4000 and sex = female" })
-- ... by bins of a number, and with another metric ...
print()
print(result:subgroups { by = "body_mass_g", bins = 4, metric = "log_loss" })
-- ... or by a function of a row.
print()
local found = result:subgroups { by = function(row)
  return row.bill_length_mm and (row.bill_length_mm > 2.5 * row.bill_depth_mm and "long bill" or "short bill")
end }
print(found:sentence())
--###end subgroups
