-- Plots on a map: how well will a model do in a region without plots?
local cf = require "crossfold"

local function uniform(...) return ((cf.seed(...) >> 11) + 0.5) * 2.0 ^ -53 end

-- Three maps that have nothing to do with the yield, but are alike for plots near each other, as the yield is.
local function map(k, x, y)
  return math.sin(x / (9 + k) + k) + math.cos(y / (7 + k) - 2 * k) + math.sin((x + y) / (11 + k))
end
local columns = { { name = "x", values = {} }, { name = "y", values = {} }, { name = "yield", values = {} } }
for k = 1, 3 do columns[k + 3] = { name = "map " .. k, values = {} } end
for i = 1, 400 do
  local x, y = 100 * uniform(i, 1), 100 * uniform(i, 2)
  columns[1].values[i], columns[2].values[i] = x, y
  columns[3].values[i] = map(4, x, y) + 0.2 * uniform(i, 3)
  for k = 1, 3 do columns[k + 3].values[i] = map(k, x, y) end
end
local plots = cf.dataset { name = "plots", target = "yield", coordinates = { "x", "y" }, columns = columns }
print(table.concat(plots:features(), ", "))  -- coordinates are not features

for _, splitter in ipairs {
  cf.splitter("kfold", { folds = 5 }),
  cf.splitter("spatial_blocks", { size = 25, folds = 5 }),
  cf.splitter("spatial_blocks", { size = 25, folds = 5, buffer = 10 }),
} do
  local result = cf.evaluate {
    data = plots, learners = { "knn" }, splitter = splitter, metrics = { "r2" }, seed = 1,
  }
  local rows = 0
  for _, fold in ipairs(result:folds()) do rows = rows + fold.n_train / 5 end
  print(("%-50s r2 %6.3f, %3.0f training rows"):format(splitter, result:summary()[1].mean, rows))
end

-- Inner splits of a search are spatial, too: the coordinates reach them.
local search = cf.grid_search {
  learner  = cf.learner("knn"),
  grid     = { k = { 1, 5, 25, 100 } },
  splitter = cf.splitter("spatial_blocks", { size = 25, folds = 4 }),
  metric   = "rmse",
}
local result = cf.evaluate {
  data = plots, learners = { tuned = search }, splitter = cf.splitter("spatial_blocks", { size = 25 }),
  metrics = { "r2" }, seed = 1,
}
print(result:tuning("tuned"))
