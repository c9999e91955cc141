-- Searches along candidates, rows and folds, and what chooses among candidates.
local cf = require "crossfold"
local data = require "data"

local two = cf.splitter("kfold", { folds = 2, stratify = false })

local function small() return data.of(40, { columns = 2 }) end

-- n values of a number, the smallest `low`.
local function spread(n, low)
  local values = {}
  for i = 1, n do values[i] = low + i / n end
  return values
end

local function whole(n)
  local values = {}
  for i = 1, n do values[i] = i end
  return values
end

local function grid(n, o)
  local given = { learner = "naive_bayes", grid = { laplace = spread(n, 0.5) }, splitter = two, metric = "accuracy" }
  for key, value in pairs(o or {}) do given[key] = value end
  return given
end

local random = { space = { laplace = { low = 0.1, high = 10 } }, splitter = two, metric = "accuracy",
  learner = "naive_bayes" }

local function with(o, more)
  local both = {}
  for key, value in pairs(o) do both[key] = value end
  for key, value in pairs(more) do both[key] = value end
  return both
end

local function fit(make)
  return function(n)
    local rows = small()
    return function()
      local model, detail = make(n):fit(rows, { seed = 1 })
      return { model, detail, tostring(detail) }
    end
  end
end

return function(add)
  local function search(name, o, make) add("candidates", name, with({ from = 100, to = 100000, fit(make) }, o)) end
  search("grid_search", { quick = true }, function(n) return cf.grid_search(grid(n)) end)
  search("grid_search of k", {}, function(n)
    return cf.grid_search { learner = "knn", grid = { k = whole(math.min(n, 15)), p = spread(math.max(n // 15, 1), 1),
      distance = { "minkowski" } }, splitter = two, metric = "accuracy" }
  end)
  search("grid_search of depth", {}, function(n)
    return cf.grid_search { learner = "decision_tree", grid = { max_depth = whole(n) }, splitter = two,
      metric = "accuracy" }
  end)
  search("grid_search of a pipeline", {}, function(n)
    return cf.grid_search(grid(n, { learner = cf.pipeline { "standardize", "naive_bayes" } }))
  end)
  search("grid_search, one_se", {}, function(n)
    return cf.grid_search(grid(n, { choose = "one_se", simplest = { laplace = "lower" } }))
  end)
  search("grid_search, within_noise", {}, function(n)
    return cf.grid_search(grid(n, { choose = "within_noise", simplest = { laplace = "lower" },
      splitter = cf.splitter("kfold", { folds = 5, stratify = false }) }))
  end)
  search("grid_search, three metrics", { time = 2, why = "a candidate of the front is compared with all", to = 2000 },
    function(n)
      return cf.grid_search(grid(n, { metrics = { "log_loss", "brier" } }))
    end)
  search("random_search", {}, function(n) return cf.random_search(with(random, { candidates = n })) end)
  search("halving_search", {}, function(n)
    return cf.halving_search(grid(n, { min_resource = 0.5, factor = 2 }))
  end)
  -- The number of brackets, and so of candidates, follows from the smallest resource: 1,2,5 -> powers of two.
  search("hyperband", { to = 20000 }, function(n)
    return cf.hyperband(with(random, { learner = "decision_tree", space = { min_gain = { low = 0, high = 0.5 } },
      resource = "max_depth", min_resource = 1, max_resource = 2 ^ math.floor(math.log(n, 2) - 1), factor = 2 }))
  end)
  search("race_search", {}, function(n)
    return cf.race_search(grid(n, { splitter = cf.splitter("kfold", { folds = 6, stratify = false }) }))
  end)
  search("model_search tpe", { time = 2, to = 2000, why = "each proposal weighs all trials" }, function(n)
    return cf.model_search(with(random, { candidates = n }))
  end)
  search("model_search random_forest", { time = 2, to = 1000, why = "each proposal grows a forest of all trials" },
    function(n) return cf.model_search(with(random, { candidates = n, surrogate = "random_forest" })) end)
  add("rows", "grid_search knn", { time = 2, why = "every row is compared with every other", to = 50000, function(n)
    local rows = data.of(n, { columns = 4 })
    local search_ = cf.grid_search { learner = "knn", grid = { k = { 1, 5, 15 } }, metric = "accuracy",
      splitter = cf.splitter("kfold", { folds = 5, stratify = true }) }
    return function() return (search_:fit(rows, { seed = 1 })) end
  end })
  add("rows", "nested naive_bayes", { function(n)
    local rows = data.of(n, { columns = 4 })
    local search_ = cf.grid_search { learner = "naive_bayes", grid = { laplace = { 0, 1 } }, metric = "accuracy",
      splitter = cf.splitter("kfold", { folds = 5, stratify = true }) }
    return function()
      return cf.evaluate { data = rows, learners = { search_ }, metrics = "accuracy", seed = 1,
        splitter = cf.splitter("kfold", { folds = 5, stratify = true }) }
    end
  end })
  -- Outer folds of a nested search on 2,000 rows: each outer fold divides all rows again.
  add("folds", "nested naive_bayes", { from = 2, to = 500, function(n)
    local rows = data.of(2000, { columns = 2 })
    local search_ = cf.grid_search { learner = "naive_bayes", grid = { laplace = { 0, 1 } }, metric = "accuracy",
      splitter = two }
    return function()
      return cf.evaluate { data = rows, learners = { search_ }, metrics = "accuracy", seed = 1,
        splitter = cf.splitter("kfold", { folds = n, stratify = false }) }
    end
  end })
  add("candidates", "nested tuning", { from = 10, to = 10000, function(n)
    local rows = small()
    return function()
      local result = cf.evaluate { data = rows, learners = { search = cf.grid_search(grid(n)) }, metrics = "accuracy",
        splitter = two, seed = 1 }
      return { tostring(result:tuning("search")), result }
    end
  end })
end
