-- engine.lua DATA: estimators of scikit-learn through the engine; prints "learner fold row prediction" of each row.
local cf = require "crossfold"
local folder = arg[1]

--###begin learners
local boosting = cf.learner("sklearn", { settings = { max_iter = 50, learning_rate = 0.2 } })
local careful = cf.learner("sklearn", {
  estimator = "sklearn.linear_model:LogisticRegression",
  settings = { max_iter = 2000, class_weight = { setosa = 1, versicolor = 3, virginica = 1 } },
})
local bagged = cf.learner("sklearn", {
  estimator = "sklearn.ensemble:BaggingClassifier",
  settings = { estimator = { class = "sklearn.tree:DecisionTreeClassifier", settings = { max_depth = 3 } } },
})
local scaled = cf.learner("sklearn", {
  estimator = "sklearn.pipeline:Pipeline",
  settings = { steps = {
    { "scale", { class = "sklearn.preprocessing:StandardScaler" } },
    { "svm", { class = "sklearn.svm:SVC", settings = { C = 10, probability = true } } },
  } },
})
--###end learners

local function sklearn(estimator, settings)
  return cf.learner("sklearn", { estimator = estimator, settings = settings or {} })
end

local function print_predictions(file, target, learners, splitter, options)
  local result = cf.evaluate {
    data = cf.read(folder .. "/" .. file, { target = target }),
    learners = learners, splitter = splitter, seed = 1, workers = 2, isolate = options.isolate,
    metrics = options.metrics,
  }
  for _, failure in ipairs(result:failures()) do error(failure.message, 0) end
  for _, row in ipairs(result:predictions()) do
    local predicted = type(row.predicted) == "number" and ("%.17g"):format(row.predicted) or row.predicted
    print(("%s\t%d\t%d\t%s"):format(row.learner, row.fold, row.row, predicted))
  end
end

local classifiers = {
  GaussianNB = sklearn "sklearn.naive_bayes:GaussianNB",
  LogisticRegression = sklearn("sklearn.linear_model:LogisticRegression", { max_iter = 2000 }),
  KNeighborsClassifier = sklearn("sklearn.neighbors:KNeighborsClassifier", { n_neighbors = 7 }),
  DecisionTreeClassifier = sklearn("sklearn.tree:DecisionTreeClassifier", { random_state = 5 }),
  RandomForestClassifier = sklearn("sklearn.ensemble:RandomForestClassifier", { random_state = 5, n_estimators = 20 }),
  HistGradientBoostingClassifier =
    sklearn("sklearn.ensemble:HistGradientBoostingClassifier", { random_state = 5, max_iter = 10 }),
  SVC = sklearn("sklearn.svm:SVC", { random_state = 5, probability = true }),
  LinearDiscriminantAnalysis = sklearn "sklearn.discriminant_analysis:LinearDiscriminantAnalysis",
  boosting = boosting, careful = careful, bagged = bagged, scaled = scaled,
}
local regressors = {
  Ridge = sklearn("sklearn.linear_model:Ridge", { alpha = 2.5 }),
  HistGradientBoostingRegressor =
    sklearn("sklearn.ensemble:HistGradientBoostingRegressor", { random_state = 5, max_iter = 20 }),
}
local folds = cf.splitter("kfold", { folds = 5 })
print_predictions("iris.csv", "class", classifiers, folds, { metrics = { "accuracy", "log_loss" } })
print_predictions("diabetes_regr.csv", "target", regressors, folds, { metrics = { "rmse" }, isolate = "worker" })
