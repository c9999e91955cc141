-- python_learner_overhead.lua CSV TARGET REPEATS WORKERS: GaussianNB of scikit-learn, 10 folds.
local cf = require "crossfold"
local file, target, repeats, workers = arg[1], arg[2], tonumber(arg[3]), tonumber(arg[4])
local result = cf.evaluate {
  data = cf.read(file, { target = target }),
  learners = { bayes = cf.learner("crossfold.sklearn", { estimator = "sklearn.naive_bayes:GaussianNB" }) },
  splitter = cf.splitter("kfold", { folds = 10, repeats = repeats }),
  metrics = "accuracy",
  keep = "none",
  seed = 1,
  workers = workers,
}
print(result:summary()[1].mean)
