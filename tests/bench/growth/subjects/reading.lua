-- Data sets: reading, making, describing, auditing; curves; studies and ensembles of a small learner.
local cf = require "crossfold"
local data = require "data"

local function kept(n)
  return cf.evaluate { data = data.of(n, { columns = 3, groups = 10 }), learners = { a = "naive_bayes", b = "lda" },
    keep = "probabilities", metrics = "accuracy", seed = 1, splitter = cf.splitter("kfold", { folds = 5 }) }
end

local function wide(n, folder)
  local path, cells = ("%s/wide_%d.csv"):format(folder, n), {}
  local file = assert(io.open(path, "w"))
  for i = 1, n do cells[i] = "x" .. i end
  file:write(table.concat(cells, ","), "\n")
  for _ = 1, 100 do
    for i = 1, n do cells[i] = ("%.3f"):format(math.random()) end
    file:write(table.concat(cells, ","), "\n")
  end
  file:close()
  return path
end

local function levels(n, folder)
  local path = ("%s/levels_%d.csv"):format(folder, n)
  local file = assert(io.open(path, "w"))
  file:write("a,b\n")
  for i = 1, 500000 do file:write("level", i % n, ",", i % 7, "\n") end
  file:close()
  return path
end

return function(add)
  add("rows", "cf.read csv", { to = 10000000, function(n, folder)
    local path = data.file(n, folder)
    return function() return cf.read(path, { target = "y" }) end
  end })
  add("columns", "cf.read csv", { from = 10, to = 20000, function(n, folder)
    local path = wide(n, folder)
    return function() return cf.read(path, { target = "x1" }) end
  end })
  add("levels", "cf.read csv", { from = 10, to = 500000, function(n, folder)
    local path = levels(n, folder)
    return function() return cf.read(path, { types = { b = "categorical" } }) end
  end })
  add("rows", "data:hash", { to = 10000000, function(n, folder)
    local rows = data.many(n, folder)
    return function() return rows:hash() end
  end })
  add("rows", "data:select", { to = 10000000, function(n, folder)
    local rows, places = data.many(n, folder), {}
    for i = 1, n // 2 do places[i] = 2 * i end
    return function() return rows:select(places) end
  end })
  add("rows", "cf.dataset", { function(n) return function() return data.of(n, { columns = 3 }) end end })
  add("columns", "cf.dataset", { from = 10, to = 10000, function(n)
    return function() return data.of(20, { columns = n }) end
  end })
  add("columns", "evaluate", { from = 10, to = 10000, function(n)
    local rows = data.of(50, { columns = n })
    return function()
      return cf.evaluate { data = rows, learners = { "naive_bayes", "decision_tree", "knn" }, metrics = "accuracy",
        seed = 1, splitter = cf.splitter("kfold", { folds = 5 }) }
    end
  end })
  add("columns", "pipeline of some columns", { from = 10, to = 10000, function(n)
    local rows = data.of(50, { columns = n })
    local learner = cf.pipeline { cf.transform("standardize", { columns = { "x1*", "x2" } }), "naive_bayes" }
    return function() return learner:fit(rows):predict(rows) end
  end })
  add("columns", "model:save and cf.load", { from = 10, to = 10000, function(n, folder)
    local rows = data.of(50, { columns = n })
    local model, path =
      cf.learner("naive_bayes"):fit(rows), folder .. "/model.cfm"
    return function()
      model:save(path)
      return cf.load(path):predict(rows)
    end
  end })
  add("columns", "model:importance", { from = 10, to = 10000, function(n)
    local model = cf.learner("decision_tree"):fit(data.of(200, { columns = n }))
    return function() return model:importance() end
  end })
  add("rows", "cf.describe", { to = 5000000, function(n, folder)
    local rows = data.many(n, folder)
    return function() return tostring(cf.describe(rows)) end
  end })
  add("columns", "cf.describe", { from = 10, to = 10000, time = 2, why = "pairs of equal columns", function(n)
    local rows = data.of(100, { columns = n })
    return function() return tostring(cf.describe(rows)) end
  end })
  add("levels", "cf.describe", { from = 10, to = 100000, function(n)
    local rows = data.of(200000, { columns = 1, levels = n })
    return function() return tostring(cf.describe(rows)) end
  end })
  local kinds = { "roc", "precision_recall", "det", "lift", "calibration", "reliability", "decision", "cost" }
  for _, kind in ipairs(kinds) do
    add("rows", "curve " .. kind, { from = 200, to = 500000, function(n)
      local result = kept(n)
      return function() return result:curve(kind, { learner = "a", positive = "c2" }) end
    end })
  end
  add("rows", "plot.roc", { to = 200000, function(n)
    local result = kept(n)
    return function() return cf.plot.roc(result, { positive = "c2" }):svg() end
  end })
  for _, what in ipairs { "confusion", "class_report" } do
    add("rows", "result:" .. what, { to = 1000000, function(n)
      local result = kept(n)
      return function() return result[what](result, "a") end
    end })
  end
  add("rows", "result:predictions csv", { to = 500000, function(n)
    local result = kept(n)
    return function() return result:predictions { csv = true } end
  end })
  add("rows", "result:label_issues", { to = 200000, function(n)
    local result = kept(n)
    return function() return tostring(result:label_issues { learner = "a" }) end
  end })
  add("rows", "result:subgroups", { to = 200000, function(n)
    local result = kept(n)
    return function() return tostring(result:subgroups { learner = "a", by = "group" }) end
  end })
  add("rows", "result:report", { from = 200, to = 200000, function(n)
    local result = kept(n)
    return function() return result:report { file = os.tmpname() } end
  end })
  add("rows", "cf.audit", { to = 20000, function(n)
    local rows = data.of(n, { columns = 3 })
    return function()
      return tostring(cf.audit { data = rows, learners = { "naive_bayes" }, splitter = cf.splitter("kfold") })
    end
  end })
  add("rows", "cf.adversarial_validation", { to = 200000, function(n)
    local old, new = data.of(n, { columns = 3 }), data.of(n, { columns = 3 })
    return function()
      return tostring(cf.adversarial_validation { old = old, new = new, learner = "naive_bayes", permutations = 19,
        rows = n })
    end
  end })
  add("rows", "learning_curve", { to = 500000, function(n)
    local rows = data.of(n, { columns = 3 })
    return function()
      return tostring(cf.learning_curve { data = rows, learners = { "naive_bayes" }, metrics = "accuracy", trials = 3,
        seed = 1 })
    end
  end })
  add("sizes", "learning_curve", { from = 5, to = 500, function(n)
    local rows, sizes = data.of(2000, { columns = 3 }), {}
    for i = 1, n do sizes[i] = 200 + i end
    return function()
      return tostring(cf.learning_curve { data = rows, learners = { "naive_bayes" }, metrics = "accuracy", trials = 3,
        sizes = sizes, seed = 1 })
    end
  end })
  for _, one in ipairs {
    { "bagging", function() return cf.bagging { learner = "naive_bayes", n = 5 } end },
    { "voting", function() return cf.voting { learners = { "naive_bayes", "lda" } } end },
    { "stacking", function() return cf.stacking { learners = { "naive_bayes", "lda" }, combiner = "logistic_regression",
      splitter = cf.splitter("kfold", { folds = 3 }) } end },
    { "conformal", function() return cf.conformal { learner = "naive_bayes", method = "aps" } end },
    { "calibration", function() return cf.pipeline { "naive_bayes", cf.calibration { method = "isotonic" } } end },
    { "threshold", function() return cf.pipeline { "naive_bayes", cf.threshold { metric = "f1" } } end },
  } do
    local name, make = one[1], one[2]
    add("rows", name, { to = 500000, function(n)
      local rows, learner = data.of(n, { columns = 3 }), make()
      return function()
        return cf.evaluate { data = rows, learners = { one = learner }, metrics = "accuracy", seed = 1,
          splitter = cf.splitter("kfold", { folds = 3 }) }
      end
    end })
  end
  add("members", "bagging", { from = 10, to = 2000, function(n)
    local rows = data.of(500, { columns = 3 })
    return function() return cf.bagging { learner = "naive_bayes", n = n }:fit(rows, { seed = 1 }):predict(rows) end
  end })
  add("rounds", "bias_variance", { from = 10, to = 1000, function(n)
    local rows = data.of(300, { columns = 3 })
    return function()
      return tostring(cf.bias_variance { data = rows, learners = { "naive_bayes" }, rounds = n, seed = 1 })
    end
  end })
  add("rows", "bootstrap_632", { to = 200000, function(n)
    local rows = data.of(n, { columns = 3 })
    return function()
      return tostring(cf.bootstrap_632 { data = rows, learner = "naive_bayes", repeats = 5, seed = 1 })
    end
  end })
end
