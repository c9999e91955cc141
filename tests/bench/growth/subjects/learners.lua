-- One fit and one prediction of the same rows by each learner: along rows, columns, levels and classes.
local cf = require "crossfold"
local data = require "data"

local function fit_and_predict(learner, rows)
  return function()
    local model = learner:fit(rows)
    return { model, model:predict(rows) }
  end
end

-- What differs from { rows = 1, columns = 1 } with numbers, for each learner: exponents of time along rows and
-- columns, the largest sizes, and why.
local learners = {
  adaboost = { params = { rounds = 10 } },
  bayes_net = { levels = 4, columns = 2, columns_memory = 2, why_columns = "the information of every pair of columns" },
  decision_tree = {},
  featureless = { many = true },
  knn = { rows = 2, why_rows = "every row is compared with every other", to = 100000 },
  lda = { many = true, columns = 2, columns_memory = 2, why_columns = "a covariance matrix" },
  least_squares = { regression = true, columns = 2, columns_memory = 2, why_columns = "a matrix of products" },
  liblinear = {},
  libsvm = { rows = 2, why_rows = "kernel values of pairs of rows", to = 100000 },
  logistic_regression = { columns = 2, columns_memory = 2, why_columns = "a matrix of second derivatives" },
  mlp = { params = { epochs = 5 } },
  naive_bayes = { many = true, quick = true },
  one_r = {},
  prism = { levels = 4, rows = 2, why_rows = "the number of rules grows with noise", to = 100000 },
  qda = { many = true, rows_of_columns = 5000, most_columns = 1000, columns = 2, columns_memory = 2,
    why_columns = "a covariance matrix of each class" },
  random_forest = { params = { trees = 10 } },
  ridge = { regression = true, columns = 2, columns_memory = 2, why_columns = "a matrix of products" },
  ripper = {},
  xgboost = { params = { rounds = 10 } },
}

local function names_of(list)
  local names = {}
  for name in pairs(list) do names[#names + 1] = name end
  table.sort(names)
  return names
end

return function(add)
  for _, name in ipairs(names_of(learners)) do
    local one = learners[name]
    local function learner() return cf.learner(name, one.params) end  -- some are optional
    add("rows", name, { time = one.rows, why = one.why_rows, quick = one.quick,
      to = one.to or one.many and 10000000,
      function(n, folder)
        if one.many and n >= 1000000 and not one.regression then
          return fit_and_predict(learner(), data.many(n, folder))
        end
        return fit_and_predict(learner(), data.of(n, { levels = one.levels, regression = one.regression }))
      end })
    add("columns", name, { time = one.columns, memory = one.columns_memory, why = one.why_columns, from = 10,
      to = one.most_columns or 10000, function(n)
        return fit_and_predict(learner(), data.of(one.rows_of_columns or 500,
          { columns = n, levels = one.levels, regression = one.regression }))
      end })
  end
  for _, name in ipairs { "naive_bayes", "decision_tree", "one_r" } do
    local is_tree = name == "decision_tree"
    add("levels", name, { memory = is_tree and 2 or 1, why = is_tree and "a child for each level at each node" or nil,
      from = 10, to = 50000, function(n)
      return fit_and_predict(cf.learner(name, learners[name].params), data.of(100000, { columns = 2, levels = n }))
    end })
  end
  for _, name in ipairs { "naive_bayes", "decision_tree", "knn", "lda", "featureless", "one_r" } do
    -- Probabilities of all classes for each row.
    add("classes", name, { from = 2, to = 1000, function(n)
      return fit_and_predict(cf.learner(name), data.of(5000, { classes = n }))
    end })
  end
  add("rows", "naive_bayes kernel", { time = 2, why = "a density at every training row", to = 100000, function(n)
    return fit_and_predict(cf.learner("naive_bayes", { numeric = "kernel" }), data.of(n))
  end })
end
