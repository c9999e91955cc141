-- Which labels look wrong? Ten labels of the wines are changed, and found again.
--###begin labels
local cf = require "crossfold"

local here = arg[0]:match("^(.*)/[^/]*$") or "."
local wine = cf.read(here .. "/../data/wine.csv", { target = "class" })

-- Every 18th row gets the label of the next class.
local labels, next_of = wine:target(), { class_0 = "class_1", class_1 = "class_2", class_2 = "class_0" }
for i = 9, #labels, 18 do labels[i] = next_of[labels[i]] end
local columns = { { name = "class", values = labels } }
for _, name in ipairs(wine:features()) do
  columns[#columns + 1] = { name = name, values = wine:column(name) }
end
local changed = cf.dataset { name = "changed wine", target = "class", columns = columns }

local issues = cf.label_issues { data = changed, learner = "random_forest", seed = 1 }  -- fits 5 folds
print(issues)

local hits = 0
for _, row in ipairs(issues:rows()) do
  if (row.row - 9) % 18 == 0 then hits = hits + 1 end
end
print(("%d of the 10 changed labels are among the %d"):format(hits, #issues:rows()))
--###end labels

--###begin result
-- An evaluation that kept probabilities needs no new fits.
local result = cf.evaluate {
  data     = changed,
  learners = { bayes = "naive_bayes", forest = "random_forest" },
  splitter = cf.splitter("kfold", { folds = 10, repeats = 3, stratify = true }),
  metrics  = { "accuracy" },
  keep     = "probabilities",
  seed     = 1,
}
for _, name in ipairs { "bayes", "forest" } do
  print(result:label_issues { learner = name, method = "both" }:sentence())
end
--###end result
