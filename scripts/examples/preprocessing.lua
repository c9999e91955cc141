-- Real data has gaps, names and scales. Penguins have all three: missing measurements and sexes, an
-- island, grams and millimetres. A pipeline learns what it needs to fix that (means, levels,
-- scales, axes) inside every training set, so the test folds stay unseen; a search can choose among the
-- ways to do it, by "<step>.<parameter>".
local cf = require "crossfold"

local here = arg[0]:match("^(.*)/[^/]*$") or "."
local penguins = cf.read(here .. "/../data/penguins.csv", { target = "species" })

local missing = {}
for _, name in ipairs(penguins:features()) do
  local n = 0
  for _, value in ipairs(penguins:column(name)) do
    if value == cf.null then n = n + 1 end
  end
  missing[#missing + 1] = ("%s %d"):format(name, n)
end
print(("%d penguins; missing entries: %s"):format(#penguins, table.concat(missing, ", ")))
print()

local mended = cf.pipeline {
  cf.transform("impute"),      -- means and commonest levels
  cf.transform("one_hot"),     -- a column for each island and sex
  cf.transform("standardize"),
  cf.learner("knn"),
}
local search = cf.grid_search {
  learner = cf.pipeline {
    cf.transform("impute"), cf.transform("one_hot"), cf.transform("standardize"),
    cf.transform("pca"), cf.learner("knn"),
  },
  grid = {
    ["impute.numeric"] = { "mean", "median" },
    ["pca.components"] = { 2, 4, 6 },
    ["knn.k"]          = { 1, 5, 9 },
  },
  splitter = cf.splitter("kfold", { folds = 5, stratify = true }),
  metric   = "accuracy",
}

local result = cf.evaluate {
  data     = penguins,
  learners = {
    knn      = mended,
    searched = search,
    unscaled = cf.pipeline { "impute", "one_hot", "knn" },  -- grams drown everything else
    bayes    = cf.pipeline { "impute", "discretize", "naive_bayes" },
  },
  splitter = cf.splitter("kfold", { folds = 5, stratify = true }),
  metrics  = "accuracy",
  seed     = 7,
}
print(result)
print()
for _, fold in ipairs(result:tuning("searched")) do
  print(("fold %d: %s"):format(fold.fold, fold.candidate))
end
