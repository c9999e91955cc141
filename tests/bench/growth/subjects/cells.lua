-- Cells of an experiment: running them, keeping them in a store, reading them, tables, comparisons and reports.
local cf = require "crossfold"
local data = require "data"

local function fresh(folder, name, n)
  local path = ("%s/%s_%d.cfdb"):format(folder, name, n)
  for _, file in ipairs { path, path .. "-wal", path .. "-shm" } do os.remove(file) end
  return path
end

-- n cells of a learner that does nothing, in 10 repeats of 10 folds of 20 rows, times as many seeds as it takes.
local function cells(n)
  local rows, list = data.of(20, { columns = 1 }), {}
  local splits = cf.split(cf.splitter("kfold", { folds = 10, repeats = 10 }), rows)
  local learner, metrics = cf.learner("featureless"), { cf.metric("accuracy") }
  for i = 1, n do
    list[i] = { learner = learner, splits = splits, split = (i - 1) % 100 + 1, seed = 1 + (i - 1) // 100,
      metrics = metrics }
  end
  return list
end

-- The learners of a large comparison: fast ones, no two the same.
local function learners(n)
  local list = {}
  for i = 1, n do list[("learner %05d"):format(i)] = cf.learner("naive_bayes", { laplace = 1 + i / n }) end
  return list
end

-- An experiment of n cells: 20 learners on 25 rows in n / 100 repeats of five folds.
local function experiment(n, more)
  local o = { data = data.of(25, { columns = 1 }), learners = learners(20), metrics = "accuracy", seed = 1,
    splitter = cf.splitter("kfold", { folds = 5, repeats = math.max(n // 100, 1), stratify = false }), keep = "none" }
  for key, value in pairs(more or {}) do o[key] = value end
  return o
end

-- Of learners, data sets and ten folds.
local function comparison(n_learners, n_sets)
  local datasets = {}
  for d = 1, n_sets do datasets[("set %05d"):format(d)] = data.of(20, { columns = 1 }) end
  return cf.evaluate { datasets = datasets, learners = learners(n_learners), metrics = "accuracy", seed = 1,
    splitter = cf.splitter("kfold", { folds = 10, stratify = false }), keep = "none" }
end

local function of_result(f, more)
  return function(n)
    local result = cf.evaluate(experiment(n, more))
    return function() return f(result) end
  end
end

local function of_store(name, f)
  return function(n, folder)
    local path = fresh(folder, name, n)
    cf.evaluate(experiment(n, { store = path }))
    return function() return f(path) end
  end
end

return function(add)
  add("cells", "cf.run", { quick = true, function(n)
    local list = cells(n)
    return function() return cf.run(list) end
  end })
  add("cells", "cf.run into a store", { function(n, folder)
    local list, path = cells(n), fresh(folder, "run", n)
    return function() return cf.run(list, { store = path }) end
  end })
  add("cells", "evaluate", { function(n)
    local o = experiment(n)
    return function() return cf.evaluate(o) end
  end })
  add("cells", "evaluate, predictions kept", { function(n)
    local o = experiment(n, { keep = "probabilities" })
    return function() return cf.evaluate(o) end
  end })
  add("cells", "evaluate into a store", { function(n, folder)
    local o = experiment(n, { store = fresh(folder, "evaluate", n) })
    return function() return cf.evaluate(o) end
  end })
  add("cells", "evaluate from a store", { function(n, folder)
    local o = experiment(n, { store = fresh(folder, "found", n) })
    cf.evaluate(o)
    return function() return cf.evaluate(o) end
  end })
  add("cells", "cf.stored", { of_store("stored", function(path) return cf.stored { store = path } end) })
  add("cells", "cf.store_status", { of_store("status", function(path) return cf.store_status(path) end) })
  add("cells", "cf.rescore", { of_store("rescore", function(path)
    return cf.rescore { store = path, metrics = { "error_rate" } }
  end) })
  add("cells", "report of a store", { of_store("report", function(path)
    return cf.report { store = path, file = path .. ".html" }
  end) })
  for _, command in ipairs { "status", "verify --sample 1", "gc", "export" } do
    add("cells", "crossfold " .. command:match("%a+"), { of_store(command:match("%a+"), function(path)
      local made = command == "export" and " " .. path .. ".zip" or ""
      local program = io.open("/proc/self/cmdline"):read("a"):match("^[^\0]+")
      return os.execute(("%s %s %s%s > /dev/null"):format(program, command, path, made))
    end) })
  end
  add("cells", "result:scores", { of_result(function(r) return r:scores() end) })
  add("cells", "result:summary", { of_result(function(r) return r:summary() end) })
  add("cells", "result:folds", { of_result(function(r) return r:folds() end) })
  add("cells", "print(result)", { of_result(tostring) })
  add("cells", "result:interval", { of_result(function(r) return r:interval() end) })
  add("cells", "result:to csv", { of_result(function(r) return r:to { csv = true } end) })
  add("cells", "result:to json", { of_result(function(r) return r:to { json = true } end) })
  add("cells", "result:predictions", { of_result(function(r) return r:predictions() end, { keep = "labels" }) })
  add("cells", "result:pooled", { of_result(function(r) return r:pooled() end, { keep = "labels" }) })
  add("cells", "result:report", { of_result(function(r) return r:report { file = os.tmpname() } end) })
  add("cells", "compare", { of_result(function(r) return tostring(cf.compare(r)) end) })
  for _, f in ipairs { "folds", "summary", "times" } do
    add("cells", "plot." .. f, { of_result(function(r) return cf.plot[f](r):svg() end) })
  end
  add("learners", "evaluate", { from = 10, to = 5000, function(n)
    return function() return comparison(n, 1) end
  end })
  add("learners", "compare", { from = 10, to = 2000, time = 2, memory = 2, why = "every pair of learners has a test",
    function(n)
      local result = comparison(n, 1)
      return function() return tostring(cf.compare(result)) end
    end })
  add("learners", "compare with a control", { from = 10, to = 5000, function(n)
    local result = comparison(n, 1)
    return function() return tostring(cf.compare(result, { control = "learner 00001" })) end
  end })
  add("learners", "compare on ten data sets", { from = 10, to = 500, time = 2, memory = 2,
    why = "every pair of learners has a test", function(n)
      local result = comparison(n, 10)
      return function() return tostring(cf.compare(result)) end
    end })
  add("learners", "print(result)", { from = 10, to = 5000, function(n)
    local result = comparison(n, 1)
    return function() return tostring(result) end
  end })
  add("learners", "result:report", { from = 10, to = 1000, time = 2, memory = 2,
    why = "every pair of learners has a test", function(n)
      local result = comparison(n, 1)
      return function() return result:report { file = os.tmpname() } end
    end })
  add("data sets", "evaluate", { from = 10, to = 5000, function(n)
    return function() return comparison(5, n) end
  end })
  add("data sets", "print(result)", { from = 10, to = 5000, function(n)
    local result = comparison(5, n)
    return function() return tostring(result) end
  end })
  add("data sets", "compare", { from = 10, to = 5000, function(n)
    local result = comparison(5, n)
    return function() return tostring(cf.compare(result)) end
  end })
  add("data sets", "result:report", { from = 10, to = 1000, function(n)
    local result = comparison(5, n)
    return function() return result:report { file = os.tmpname() } end
  end })
end
