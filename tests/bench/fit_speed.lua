-- Times one fit of learners and prints `dataset learner fit_seconds predict_seconds` a line; see
-- fit_speed.py. usage: crossfold run fit_speed.lua DATA_FOLDER [LEARNER...]
local cf = require "crossfold"

local folder = arg[1]
local datasets = {
  { name = "letter", target = "lettr" },
  { name = "spam", target = "type" },
}
local function standardized(learner) return cf.pipeline { "standardize", learner } end
local learners = {
  adaboost = cf.learner("adaboost", { rounds = 50, max_depth = 1 }),
  decision_tree = cf.learner("decision_tree", { criterion = "gini" }),
  decision_tree_entropy = cf.learner("decision_tree", { criterion = "entropy" }),
  knn = cf.learner("knn", { k = 5 }),
  lda = cf.learner("lda"),
  liblinear = standardized(cf.learner("liblinear", { solver = "l2_logistic", tolerance = 1e-4 })),
  libsvm = standardized(cf.learner("libsvm", { gamma = 0.1, c = 1, cache_size = 200 })),
  logistic = standardized(cf.learner("logistic_regression", { l2 = 1 })),
  mlp = standardized(cf.learner("mlp", { hidden = { 100 }, epochs = 5, batch_size = 200 })),
  naive_bayes = cf.learner("naive_bayes", { var_smoothing = 1e-9, min_sd = 0 }),
  qda = cf.learner("qda", { reg = 1e-6 }),
  random_forest = cf.learner("random_forest", { trees = 20 }),
  ridge = cf.learner("ridge", { l2 = 1 }),
}
local names = table.move(arg, 2, #arg, 1, {})

for _, dataset in ipairs(datasets) do
  local data = cf.read(("%s/%s.csv"):format(folder, dataset.name),
    { target = dataset.target, types = { [dataset.target] = "categorical" } })
  -- Trained on all rows but the last hundred.
  local fold_of_row = {}
  for i = 1, #data do fold_of_row[i] = i > #data - 100 and 0 or -1 end
  local splits = cf.split(cf.splitter("predefined", { list = fold_of_row }), data)
  for _, name in ipairs(names) do
    local outcomes = cf.run({
      { learner = learners[name], splits = splits, split = 1, seed = 1, metrics = { "accuracy" } },
    }, { workers = 1 })
    local failure = outcomes:failure(1)
    if failure then error(("%s on %s: %s"):format(name, dataset.name, failure.message)) end
    local fit, predict = outcomes:seconds(1)
    print(("%s %s %.6f %.6f %.4f"):format(dataset.name, name, fit, predict, outcomes:score(1, 1)))
  end
end
