-- ensembles.lua DATA FOLDER: fits models of every kind of ensemble, saves each in FOLDER and prints what it predicts,
-- exactly, for tests/python/model_test.py.
local cf = require "crossfold"

local data, folder = table.unpack(arg)

local function exact(value) return ("%a"):format(value) end

local cancer = cf.read(data .. "/breast_cancer.csv", { target = "class" })
local iris = cf.read(data .. "/iris.csv", { target = "class" })
local diabetes = cf.read(data .. "/diabetes_regr.csv", { target = "target" })
local knn, bayes = cf.learner("knn", { k = 5 }), cf.learner("naive_bayes")
local kfold = cf.splitter("kfold", { folds = 3 })

local models = {
  { "majority", iris, cf.voting { learners = { knn, bayes, cf.learner("lda") } } },
  { "weighted", iris, cf.voting { learners = { knn, bayes }, vote = "probabilities", weights = { 2, 0.5 } } },
  { "mean", diabetes, cf.voting { learners = { cf.learner("ridge"), cf.learner("decision_tree") } } },
  { "bagging", iris, cf.bagging { learner = bayes, n = 7, features = 0.5 } },
  { "bagged_values", diabetes, cf.bagging { learner = cf.learner("ridge"), n = 5, rows = 0.6 } },
  { "stacking", iris, cf.stacking { learners = { knn, bayes }, combiner = knn, splitter = kfold } },
  { "stacked_labels", iris, cf.stacking { learners = { knn, bayes }, combiner = bayes, splitter = kfold,
    probabilities = false, passthrough = true } },
  { "stacked_values", diabetes, cf.stacking { learners = { cf.learner("ridge"), cf.learner("knn") },
    combiner = cf.learner("least_squares"), splitter = kfold } },
  { "platt", cancer, cf.pipeline { "naive_bayes", cf.calibration { method = "platt" } } },
  { "isotonic", iris, cf.pipeline { "naive_bayes", cf.calibration { method = "isotonic", ensemble = true } } },
  { "threshold", cancer, cf.pipeline { "naive_bayes", cf.calibration { method = "platt" },
    cf.threshold { metric = "f1" } } },
  { "minimum_cost", iris, cf.pipeline { "naive_bayes", cf.minimum_cost {
    costs = { { 0, 1, 2 }, { 5, 0, 1.5 }, { 1, 1, 0 } } } } },
  { "sets", iris, cf.conformal { learner = bayes, method = "aps" } },
  { "intervals", diabetes, cf.conformal { learner = cf.learner("ridge"), method = "cv_plus" } },
  { "nested", iris, cf.voting { learners = { cf.bagging { learner = knn, n = 3 }, bayes } } },
}
for _, case in ipairs(models) do
  local name, rows, learner = table.unpack(case)
  local model = learner:fit(rows, { seed = 5 })
  model:save(("%s/%s.cfm"):format(folder, name))
  local p = model:predict(rows)
  local labels, values, probabilities = p:labels(), p:values(), p:probabilities()
  for i = 1, #rows do
    local parts = { name, labels and labels[i] or exact(values[i]) }
    for _, q in ipairs(probabilities and probabilities[i] or {}) do parts[#parts + 1] = exact(q) end
    print(table.concat(parts, "\t"))
  end
end
