-- Do the penguins of 2009 look like those of the years before?
--###begin years
local cf = require "crossfold"

local here = arg[0]:match("^(.*)/[^/]*$") or "."
local penguins = cf.read(here .. "/../data/penguins.csv", { target = "species", types = { year = "ignore" } })
local years = cf.read(here .. "/../data/penguins.csv"):column("year")

local before, after = {}, {}
for i, year in ipairs(years) do table.insert(year < 2009 and before or after, i) end

-- 99 permutations of who is new, 5 folds each: the output says how many fits that is.
local same = cf.adversarial_validation { old = penguins:select(before), new = penguins:select(after), seed = 1 }
print(same)
--###end years

--###begin islands
-- Penguins of other islands do not.
local island, here_, there = penguins:column("island"), {}, {}
for i, name in ipairs(island) do table.insert(name == "Biscoe" and here_ or there, i) end
local moved = cf.adversarial_validation {
  old = penguins:select(here_), new = penguins:select(there), learner = "naive_bayes", seed = 1,
}
print(moved:sentence())
for i, row in ipairs(moved:columns()) do
  if i <= 3 then print(("%-18s alone %.2f"):format(row.column, row.auc)) end
end
for i, row in ipairs(moved:old_rows()) do
  if i <= 3 then print(("old row %d looks new with probability %.3f"):format(row.row, row.probability)) end
end
--###end islands
