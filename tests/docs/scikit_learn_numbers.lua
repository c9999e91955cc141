-- The right column of docs/coming_from/scikit_learn.md where both programs must give one number:
--   crossfold run scikit_learn_numbers.lua DATA_FOLDER
-- prints "dataset pair fold score". Row i is tested in fold i mod 5. The left column is in
-- scikit_learn_numbers.py, which compares.
local cf = require "crossfold"

local function read(name, target)
  return cf.read(("%s/%s.csv"):format(arg[1], name), { target = target })
end

local function pipeline(...) return cf.pipeline { ... } end

local gaussian = cf.learner("naive_bayes", { min_sd = 0, var_smoothing = 1e-9 })

local classifiers = {
  dummy    = "featureless",
  knn      = cf.learner("knn", { k = 5 }),
  bayes    = gaussian,
  logistic = pipeline("standardize", cf.learner("logistic_regression", { l2 = 1, tolerance = 1e-12 })),
  svc      = pipeline("standardize", "libsvm"),
  linear   = pipeline("standardize", cf.learner("liblinear", { solver = "l2_squared_hinge_dual" })),
  lda      = "lda",
  qda      = "qda",
  min_max  = pipeline("min_max", "knn"),
  robust   = pipeline("robust", "knn"),
  pca      = pipeline("standardize", cf.transform("pca", { components = 3 }), "lda"),
  select   = pipeline(cf.transform("select", { method = "anova_f", k = 2 }), "lda"),
  vote     = cf.voting { learners = { gaussian, "lda", "knn" } },
}
local numbers = {
  dummy  = "featureless",
  ridge  = cf.learner("ridge", { l2 = 1 }),
  linear = "least_squares",
  knn    = "knn",
  svr    = pipeline("standardize", "libsvm"),
}

local function compare(data, learners, metric)
  local list = {}
  for i = 1, #data do list[i] = (i - 1) % 5 + 1 end
  local result = cf.evaluate { data = data, learners = learners, metrics = metric, seed = 1,
    splitter = cf.splitter("predefined", { list = list }) }
  for _, row in ipairs(result:scores()) do
    print(row.dataset, row.learner, row.fold, row.value and cf.format_number(row.value) or row.undefined)
  end
end

for _, name in ipairs { "iris", "wine", "breast_cancer" } do
  compare(read(name, "class"), classifiers, "accuracy")
end
compare(read("diabetes_regr", "target"), numbers, "mse")
