-- Does training on the penguins of other islands help to weigh those of one island?
--###begin soak
local cf = require "crossfold"

local here = arg[0]:match("^(.*)/[^/]*$") or "."
local penguins = cf.read(here .. "/../data/penguins.csv", {
  target = "body_mass_g", drop_missing = { "target" }, types = { year = "ignore", species = "ignore" },
})

local found = cf.soak {
  data     = penguins,
  subset   = "island",                                        -- no feature
  learners = { line = cf.pipeline { "impute", "one_hot", "ridge" } },
  metrics  = { "rmse" },
  folds    = 5,
  repeats  = 3,
  seed     = 1,
}
print(found)

for _, row in ipairs(found:worst()) do
  print(("trained on %-5s the worst island is %s: %.1f g"):format(row.train, row.subset, row.value))
end
--###end soak
