-- The eight learners, by name, with the settings that the peers have, too.
local cf = require "crossfold"

local function scaled(learner) return cf.pipeline { cf.transform("standardize"), learner } end

return {
  adaboost    = cf.learner("adaboost", { rounds = 50 }),
  c45         = cf.learner("decision_tree", {
    criterion = "gain_ratio", mdl_correction = true, threshold = "observed", min_rows = 4, min_leaf = 2,
    pruning = "error_based", subtree_raising = true,
  }),
  forest      = cf.learner("random_forest", { trees = 100 }),
  knn         = scaled(cf.learner("knn", { k = 5 })),
  logistic    = scaled(cf.learner("logistic_regression")),
  naive_bayes = cf.learner("naive_bayes", { var_smoothing = 1e-9, min_sd = 0 }),
  one_r       = cf.learner("one_r"),
  tuned_knn   = cf.grid_search {
    learner = scaled(cf.learner("knn")), grid = { k = { 1, 3, 5, 7, 9 } }, metric = "accuracy",
    splitter = cf.splitter("kfold", { folds = 5, stratify = true }),
  },
}
