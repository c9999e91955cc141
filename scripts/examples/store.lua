-- An experiment that loses nothing: what was computed is found again, and its predictions can be scored
-- again without a fit. As a command: crossfold run --store run.cfdb --isolate worker script.lua
local cf = require "crossfold"

local here = arg[0]:match("^(.*)/[^/]*$") or "."
local data = cf.read(here .. "/../data/breast_cancer.csv", { target = "class" })
local temporary = os.tmpname()
local store = temporary .. ".cfdb"

local function experiment(neighbours)
  return cf.evaluate {
    data = data,
    learners = {
      tuned_knn = cf.grid_search {
        learner = cf.pipeline { cf.transform("standardize"), "knn" }, grid = { k = neighbours },
        splitter = cf.splitter("kfold", { folds = 5, stratify = true }), metric = "accuracy",
      },
      bayes = "naive_bayes",
    },
    splitter = cf.splitter("kfold", { folds = 5, stratify = true }),
    metrics = "accuracy", seed = 42,
    store = store,
    isolate = { tuned_knn = "worker" },         -- a crash there is a failed fold
    limits = { seconds = 60, memory = "2G" },   -- of one cell
    on_error = cf.learner("featureless"),       -- what would score a failed fold
  }
end

-- Runs the experiment and prints what it found in the store and what it computed.
local found, computed = 0, 0
local function run(neighbours)
  local result = experiment(neighbours)
  local status = cf.store_status(store)
  print(("k of %s: %d cells found, %d computed"):format(table.concat(neighbours, ", "),
    status.found - found, status.computed - computed))
  found, computed = status.found, status.computed
  return result
end

local first = run { 3, 9 }
local second = run { 3, 9 }
print("the same table: " .. tostring(tostring(first) == tostring(second)))
print(run { 3, 9, 15 })

-- Another metric, on some of the rows. Nothing is fitted.
print()
print(cf.rescore {
  store = store, metrics = cf.metric("f1", { average = "macro" }), subgroup = "'mean radius' > 14",
})

for _, path in ipairs { temporary, store, store .. "-wal", store .. "-shm" } do os.remove(path) end
