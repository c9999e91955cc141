-- From the choice of a setting to a model in use: choose by cross-validation, fit on all rows, save,
-- load and predict new rows. Loading works in another process too, from a script, from C++ or with
-- `crossfold predict MODEL data.csv`.
local cf = require "crossfold"

local here = arg[0]:match("^(.*)/[^/]*$") or "."
local wine = cf.read(here .. "/../data/wine.csv", { target = "class" })

local search = cf.grid_search {
  learner  = cf.pipeline { cf.transform("standardize"), cf.learner("knn") },
  grid     = { k = { 1, 5, 9, 13, 17, 21 } },
  splitter = cf.splitter("kfold", { folds = 10, stratify = true }),
  metric   = "accuracy",
}

-- What to expect of such a model: a search on every training set of an outer cross-validation.
local result = cf.evaluate {
  data = wine, learners = { tuned_knn = search }, metrics = "accuracy", seed = 42,
  splitter = cf.splitter("kfold", { folds = 5, stratify = true }),
}
print(result)

-- The model itself: a search on all rows, then a fit on all rows.
local model, detail = search:fit(wine, { seed = 42 })
print("\nchosen: " .. detail.candidate)

local path = os.tmpname()
model:save(path)

-- New wines arrive as a file without their class; the columns stand in another order.
local new_rows = os.tmpname()
do
  local names = wine:features()
  table.sort(names)
  local file <close> = assert(io.open(new_rows, "w"))
  file:write(table.concat(names, ","), "\n")
  for _, row in ipairs { 1, 62, 74, 84 } do
    local cells = {}
    for j, name in ipairs(names) do
      cells[j] = cf.format_number(wine:column(name)[row])
    end
    file:write(table.concat(cells, ","), "\n")
  end
end

local loaded = cf.load(path)
local prediction = loaded:predict(cf.read(new_rows, { like = loaded }))
print("\nclasses: " .. table.concat(loaded:classes(), ", "))
for i, probabilities in ipairs(prediction:probabilities()) do
  local shares = {}
  for c, p in ipairs(probabilities) do shares[c] = cf.format_number(p, 4) end
  print(("row %d: class %s  (%s)"):format(i, prediction:labels()[i], table.concat(shares, ", ")))
end

os.remove(path)
os.remove(new_rows)
