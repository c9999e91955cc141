-- Why is a learner wrong: because it cannot say anything better (bias), or because it says something else
-- after every training set (variance)? The procedure of Kohavi and Wolpert: a fixed test set, 100 training
-- sets drawn from the other rows, and for every test row the predictions of the 100 models.
local cf = require "crossfold"
local here = arg[0]:match("^(.*)/") or "."
local wine = cf.read(here .. "/../data/wine.csv", { target = "class" })

-- A stump asks one question only, which is not enough for three classes. One nearest neighbour can
-- follow any border, and does follow every single row.
local found = cf.bias_variance {
  data = wine, rounds = 100, seed = 1,
  learners = {
    stump = cf.learner("decision_tree", { max_depth = 1 }),
    ["1-nn"] = cf.pipeline { "standardize", cf.learner("knn", { k = 1 }) },
  },
}
print(found)

-- The parts add up to the error of each learner, by both definitions.
print()
for _, row in ipairs(found:rows()) do
  local k, d = row.kohavi_wolpert, row.domingos
  print(("%-6s error %.4f = %.4f + %.4f = %.4f + %.4f"):format(row.learner, row.error,
    k.squared_bias, k.variance, d.bias, d.net))
end

-- Test rows on which nearly all models agree on the wrong class: bias. Where they disagree: variance.
print()
for _, learner in ipairs { "1-nn", "stump" } do
  local biased, unstable = 0, 0
  for _, row in ipairs(found:per_row(learner)) do
    if row.biased then biased = biased + 1 end
    if row.variance > 0.25 then unstable = unstable + 1 end
  end
  print(("%-6s most models wrong on %d test rows; more than a quarter deviate on %d"):format(learner,
    biased, unstable))
end
