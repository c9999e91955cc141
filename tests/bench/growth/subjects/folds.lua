-- Cross-validation along rows with ten folds, and along folds up to leave-one-out.
local cf = require "crossfold"
local data = require "data"

local function evaluate(learner, rows, splitter, metrics, keep)
  return function()
    return cf.evaluate { data = rows, learners = { one = learner }, splitter = splitter, metrics = metrics,
      keep = keep or "none", seed = 1 }
  end
end

local ten = cf.splitter("kfold", { folds = 10, stratify = false })
local one_out = cf.splitter("leave_one_out")

return function(add)
  for _, one in ipairs {
    { "naive_bayes", to = 10000000 }, { "lda", to = 10000000 }, { "ridge", regression = true }, { "decision_tree" },
    { "knn", time = 2, why = "every row is compared with every other", to = 100000 },
  } do
    local name, metric = one[1], one.regression and "rmse" or "accuracy"
    add("rows", "ten folds " .. name, { time = one.time, why = one.why, to = one.to, quick = name == "naive_bayes",
      function(n, folder)
        local rows = n >= 1000000 and not one.regression and data.many(n, folder)
          or data.of(n, { columns = 4, regression = one.regression })
        return evaluate(cf.learner(name), rows, ten, metric)
      end })
  end
  -- Folds of 20,000 rows, at most so many: what one fold costs beyond its fit.
  for _, one in ipairs {
    { "naive_bayes" }, { "lda" }, { "knn" }, { "ridge", regression = true },
    { "featureless" }, { "decision_tree", to = 200 },
  } do
    local name, metric = one[1], one.regression and "rmse" or "accuracy"
    add("folds", name, { from = 2, to = one.to or 20000, why = one.why, function(n)
      local rows = data.of(20000, { columns = 4, regression = one.regression })
      return evaluate(cf.learner(name), rows, n == 20000 and one_out
        or cf.splitter("kfold", { folds = n, stratify = false }), metric)
    end })
  end
  -- Leave-one-out by learners that take rows out of a model, with metrics of each kind.
  for _, name in ipairs { "accuracy", "log_loss", "brier", "f1_macro", "matthews_correlation", "cohen_kappa" } do
    add("leave-one-out", "naive_bayes " .. name, { from = 1000, to = 1000000, quick = name == "accuracy", function(n)
      return evaluate(cf.learner("naive_bayes"), data.of(n, { columns = 4 }), one_out, name)
    end })
  end
  -- Folds of one row, and many classes: no table of classes by classes for each row.
  for _, name in ipairs { "accuracy", "f1_macro", "matthews_correlation", "cohen_kappa" } do
    add("classes", "leave-one-out " .. name, { from = 2, to = 500, function(n)
      return evaluate(cf.learner("naive_bayes"), data.of(2000, { columns = 1, classes = n }), one_out, name)
    end })
  end
  for _, name in ipairs { "rmse", "mae", "rae", "rrse" } do
    add("leave-one-out", "ridge " .. name, { from = 1000, to = 1000000, function(n)
      return evaluate(cf.learner("ridge"), data.of(n, { columns = 4, regression = true }), one_out, name)
    end })
  end
  add("leave-one-out", "lda", { from = 1000, to = 1000000, function(n)
    return evaluate(cf.learner("lda"), data.of(n, { columns = 4 }), one_out, "accuracy")
  end })
  add("leave-one-out", "qda", { from = 1000, to = 1000000, function(n)
    return evaluate(cf.learner("qda"), data.of(n, { columns = 4 }), one_out, "accuracy")
  end })
  add("leave-one-out", "knn", { from = 500, to = 50000, time = 2, why = "every row is compared with every other",
    function(n) return evaluate(cf.learner("knn"), data.of(n, { columns = 4 }), one_out, "accuracy") end })
  add("leave-one-out", "featureless", { from = 500, to = 50000, time = 2, why = "each of n fits reads n rows",
    function(n) return evaluate(cf.learner("featureless"), data.of(n, { columns = 4 }), one_out, "accuracy") end })
  add("leave-one-out", "kept predictions", { from = 1000, to = 1000000, function(n)
    return evaluate(cf.learner("naive_bayes"), data.of(n, { columns = 4 }), one_out, "accuracy", "probabilities")
  end })
  add("leave-one-out", "cross_predict", { from = 1000, to = 1000000, function(n)
    local rows = data.of(n, { columns = 4 })
    return function() return cf.cross_predict { data = rows, learner = "naive_bayes", splitter = one_out } end
  end })
end
