-- Nested cross-validation without random numbers, so that it must come out exactly, anywhere:
-- iris (the R version) with features x 10 as integers, so that distances are exact and ties are real;
-- outer fold of row i = i mod 5, inner fold of the p-th outer training row = p mod 3; k nearest
-- neighbours, ties to the lower row and to the lower class; the smallest of equally good k.
-- Expected: k = 7 9 7 3 7, correct 29 29 28 29 30, together 145 of 150.
local cf = require "crossfold"

local here = arg[0]:match("^(.*)/[^/]*$") or "."
local raw = cf.read(here .. "/../data/iris.csv", { target = "class" })

local columns = {}
for _, name in ipairs(raw:features()) do
  local tenths = {}
  for i, value in ipairs(raw:column(name)) do tenths[i] = math.floor(value * 10 + 0.5) end
  columns[#columns + 1] = { name = name, values = tenths }
end
columns[#columns + 1] = { name = "class", values = raw:target() }
local iris = cf.dataset { name = "iris x 10", columns = columns, target = "class" }

local ks = { 1, 3, 5, 7, 9, 11 }
local result = cf.evaluate {
  data = iris,
  learners = {
    search = cf.grid_search {
      learner = "knn", grid = { k = ks }, metric = "accuracy",
      splitter = cf.splitter("kfold", { folds = 3, shuffle = false }),
    },
    nearest = cf.learner("knn", { k = 1 }),
    naive_bayes = cf.learner("naive_bayes"),
  },
  splitter = cf.splitter("kfold", { folds = 5, shuffle = false }),
  metrics = "accuracy",
}

local correct = {}
for _, row in ipairs(result:scores()) do
  correct[row.learner] = correct[row.learner] or {}
  table.insert(correct[row.learner], math.floor(row.value * 30 + 0.5))
end

for i, tuned in ipairs(result:tuning("search")) do
  local inner = {}
  for c, candidate in ipairs(tuned.inner) do
    inner[c] = math.floor(candidate.mean * 120 + 0.5)
  end
  print(("outer fold %d: inner correct of 120 for k = %s: %s; chosen k = %d; outer correct %d of 30")
    :format(i - 1, table.concat(ks, ","), table.concat(inner, " "), tuned.chosen.k,
      correct.search[i]))
end
print("1-NN correct: " .. table.concat(correct.nearest, " "))
print("naive Bayes correct: " .. table.concat(correct.naive_bayes, " "))

local confusion = result:confusion("search")
local hits = 0
for c = 1, 3 do hits = hits + confusion.counts[c][c] end
print(("together %d of 150"):format(hits))
print(confusion)
