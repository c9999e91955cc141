-- Calls of public functions with options that bytes have changed. Whatever the options are, a call
-- returns, or raises one line that begins with the place of the call in this file and tells of a
-- mistake in the call, not of one inside the library. Loaded as "@lua_options.lua".
local weather = ...  -- the path of a small CSV file
local cf = require "crossfold"

-- ---- what options are made of --------------------------------------------------------------------

local function dataset(target, values)
  return cf.dataset {
    name = "rows", target = target,
    columns = {
      { name = "x", values = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12 } },
      { name = "z", values = { 5, 1, 4, 2, 3, 9, 8, 6, 7, 3, 2, 1 } },
      { name = "y", values = values },
    },
  }
end

local classes = dataset("y", { "a", "b", "a", "b", "a", "b", "b", "a", "b", "a", "b", "a" })
local numbers = dataset("y", { 1.5, 2, 2.5, 4, 4.5, 6, 7.5, 8, 8.5, 10, 12, 11 })
local kfold = cf.splitter("kfold", { folds = 3 })
local knn, bayes = cf.learner("knn", { k = 1 }), cf.learner("naive_bayes")
local search = cf.grid_search {
  learner = knn, grid = { k = { 1, 3 } }, splitter = kfold, metric = "accuracy",
}
local vote = cf.voting { learners = { knn, bayes } }
local own = cf.metric {
  name = "own", direction = "higher", score = function(truth) return #truth end,
}
local splits = cf.split(kfold, classes)
local result = cf.evaluate {
  data = classes, learners = { a = knn, b = bayes }, splitter = kfold, metrics = "accuracy",
  keep = "probabilities",
}
local prediction = knn:fit(classes):predict(classes)

local objects = {
  classes, numbers, kfold, knn, bayes, search, vote, own, splits, result, prediction,
  cf.transform("standardize"), cf.metric("accuracy"), cf.null, knn:fit(classes),
  cf.pipeline { cf.transform("standardize"), knn },
  cf.threshold { metric = "accuracy" }, cf.calibration { method = "platt" },
}

-- Not so large that what is asked for would take long and rightly so.
local constants = {
  true, false, 0, 1, 2, 3, 5, -1, 0.5, -0.0, 1.5, 1e-300, 0 / 0, 1 / 0, -1 / 0,
  math.mininteger, math.maxinteger, 2 ^ 53, "", "a", "b", "x", "y", "z", "knn", "k", "accuracy",
  "kfold", "own", "labels", "probabilities", "majority", "mean", "stop", "platt", "isotonic", "data",
  "error_rate", "log_loss", "nowhere.csv", "\0\xFF\n", ("long "):rep(100), "%d %s", "632",
}

local names = {
  "alpha", "budget", "choose", "columns", "combiner", "control", "correction", "count", "costs",
  "data", "datasets", "direction", "disagreement", "ensemble", "features", "fit", "folds", "from",
  "grid", "groups", "high", "k", "keep", "learner", "learners", "levels", "like", "list", "loss",
  "low", "method", "metric", "metrics", "missing", "n", "name", "on_error", "paired", "parameter",
  "passthrough", "points", "positive", "power", "predict", "predicted", "prediction",
  "probabilities", "replace", "row_costs", "rows", "scale", "schedule", "score", "scores", "seed",
  "separator", "simplest", "sizes", "space", "split", "splits", "splitter", "stratify", "target",
  "test", "test_share", "threshold", "time", "to", "train_size", "truth", "type", "types", "value",
  "values", "vote", "weights", "workers",
}

-- ---- the calls -----------------------------------------------------------------------------------

-- Good arguments of each, made again for every call, because they are edited.
local calls = {
  { cf.learner, function() return "knn", { k = 3, distance = "manhattan" } end },
  { cf.learner, function()
    return {
      name = "first", fit = function(data) return data:classes() end,
      predict = function(state, data)
        local labels = {}
        for i = 1, #data do labels[i] = state[1] end
        return labels
      end,
    }
  end },
  { cf.transform, function() return "standardize", {} end },
  { cf.splitter, function() return "kfold", { folds = 3, repeats = 2, stratify = true } end },
  { cf.splitter, function()
    return { name = "halves", split = function() return { { train = { 1, 2 }, test = { 3 } } } end }
  end },
  { cf.metric, function() return "accuracy", {} end },
  { cf.metric, function()
    return { name = "one", direction = "lower", score = function() return 1 end,
      needs_probabilities = true }
  end },
  { cf.pipeline, function() return { cf.transform("standardize"), knn } end },
  { cf.pipeline, function() return { knn, cf.threshold { metric = "accuracy" } } end },
  { cf.calibration, function() return { method = "platt", splitter = kfold, ensemble = false } end },
  { cf.threshold, function() return { costs = { { 0, 1 }, { 5, 0 } }, positive = "a" } end },
  { cf.minimum_cost, function() return { costs = { a = { b = 5 } } } end },
  { cf.grid_search, function()
    return { learner = knn, grid = { k = { 1, 3 } }, splitter = kfold, metric = "accuracy",
      metrics = { "error_rate" }, choose = "best" }
  end },
  { cf.random_search, function()
    return { learner = knn, space = { k = { low = 1, high = 3 }, distance = { "manhattan" } },
      n = 2, splitter = kfold, metric = "accuracy" }
  end },
  { cf.halving_search, function()
    return { learner = knn, grid = { k = { 1, 2, 3, 4 } }, splitter = kfold, metric = "accuracy" }
  end },
  { cf.model_search, function()
    return { learner = knn, space = { k = { low = 1, high = 3 }, distance = { "manhattan" } }, candidates = 4,
      initial = 2, batch = 1, surrogate = "tpe", splitter = kfold, metric = "accuracy", budget = { evaluations = 3 } }
  end },
  { cf.hyperband, function()
    return { learner = knn, space = { k = { low = 1, high = 3 } }, min_resource = 0.3, factor = 3, splitter = kfold,
      metric = "accuracy" }
  end },
  { cf.race_search, function()
    return { learner = knn, grid = { k = { 1, 3 } }, splitter = kfold, metric = "accuracy" }
  end },
  { cf.voting, function()
    return { learners = { knn, bayes }, vote = "probabilities", weights = { 1, 2 } }
  end },
  { cf.bagging, function()
    return { learner = knn, n = 3, rows = 0.8, replace = true, features = 0.5 }
  end },
  { cf.stacking, function()
    return { learners = { knn, bayes }, combiner = bayes, splitter = kfold, passthrough = true }
  end },
  { cf.evaluate, function()
    return { data = classes, learners = { a = knn, b = "naive_bayes" }, splitter = kfold,
      metrics = { "accuracy", own }, seed = 3, keep = "probabilities", on_error = "stop" }
  end },
  { cf.evaluate, function()
    return { datasets = { one = classes, two = classes }, learners = { search }, splitter = "kfold",
      metrics = "accuracy" }
  end },
  { cf.cross_predict, function()
    return { data = classes, learner = knn, splitter = kfold, seed = 1, keep = "labels" }
  end },
  { cf.learning_curve, function()
    return { data = classes, learners = { a = knn }, metrics = "accuracy", sizes = { 4, 6 },
      trials = 2, test_share = 0.3 }
  end },
  { cf.validation_curve, function()
    return { data = classes, learner = knn, parameter = "k", values = { 1, 2 }, splitter = kfold,
      metric = "accuracy" }
  end },
  { cf.curve, function() return "roc", { truth = { true, false, true }, scores = { .9, .2, .4 } } end },
  { cf.curve, function()
    return "calibration", { truth = { "a", "b", "a" }, scores = { .9, .2, .4 }, positive = "a" }
  end },
  { result.curve, function() return result, "roc", { learner = "a", positive = "a" } end },
  { result.confusion, function() return result, "a", { dataset = "rows" } end },
  { result.class_report, function() return result, "a", { dataset = "rows" } end },
  { result.to, function() return result, { csv = true } end },
  { cf.bias_variance, function()
    return { data = classes, learners = { a = knn }, rounds = 3, train_size = 0.5, test_share = 0.3 }
  end },
  { cf.check, function()
    return cf.learner("knn", { k = 3 }), { seed = 1, strictness = 3, include = "fit", exclude = "x" }
  end },
  { cf.bootstrap_632, function() return { learner = knn, data = classes, repeats = 3 } end },
  { cf.variance, function()
    return { data = classes, learner = knn, metric = "accuracy", sources = { split = 2, seed = 2 }, splitter = kfold }
  end },
  { cf.repeat_until, function()
    return { data = classes, learner = knn, metric = "accuracy", width = 0.5, splitter = kfold, first_repeats = 5,
      max_repeats = 6 }
  end },
  { cf.score, function()
    return { truth = { "a", "b" }, predicted = { "a", "a" }, metrics = { "accuracy" } }
  end },
  { cf.score, function()
    return { truth = { "a", "b" }, classes = { "a", "b" }, probabilities = { { .9, .1 }, { .2, .8 } },
      predicted = { "a", "b" }, weights = { 1, 2 }, costs = { { 0, 1 }, { 2, 0 } },
      metrics = "accuracy" }
  end },
  { cf.compare, function()
    return result, { metric = "accuracy", control = "a", alpha = 0.1, test = "corrected_t" }
  end },
  { cf.dataset, function()
    return { name = "d", target = "c", weights = "w", columns = {
      { name = "c", values = { "a", "b", "a" }, levels = { "b", "a" } },
      { name = "n", values = { 1, cf.null, 3 } },
      { name = "w", values = { 1, 2, 0.5 } },
    }, costs = { { 0, 1 }, { 5, 0 } }, infinite = "missing" }
  end },
  { cf.read, function()
    return weather, { target = "play", types = { humidity = "f64" }, missing = { "?" },
      separator = ",", quote = '"', decimal = ".", thousands = ",", encoding = "utf-8", skip_lines = 0, header = true,
      ragged = "fill", duplicate_names = "number", infinite = "keep", most_bytes = 100000 }
  end },
  { cf.read, function()
    return { sqlite = weather, table = "t", target = "play", types = { humidity = "f64" }, most_bytes = 9 }
  end },
  { cf.describe, function() return classes, { folds = 3, most_frequent = 2, threads = 1 } end },
  { cf.split, function() return kfold, classes, { seed = 4 } end },
  { cf.run, function()
    return { { learner = knn, splits = splits, split = 1, count = 2, seed = 1,
      metrics = { "accuracy" }, keep = "labels" } }, { workers = 1 }
  end },
  { cf.parallel, function() return { function() return 1 end }, { workers = 1 } end },
  { cf.seed, function() return 7, "learner", "knn", 3 end },
  { cf.format_number, function() return 1.25, 1 end },
  { cf.load, function() return "nowhere.cfm" end },
  { cf.read_openml_splits, function() return "nowhere.arff", classes, {} end },
  { knn.with, function() return knn, { k = 5 } end },
  { knn.fit, function() return knn, classes, { seed = 2 } end },
  { search.fit, function() return search, classes, { seed = 2 } end },
  { vote.fit, function() return vote, classes, { seed = 2 } end },
  { classes.select, function() return classes, { 1, 3, 5 } end },
  { classes.with_costs, function() return classes, { { 0, 1 }, { 2, 0 } } end },
  { splits.rows, function() return splits, 2 end },
  { cf.stats.accuracy_interval, function() return { correct = 75, n = 100, confidence = 0.9 } end },
  { cf.stats.two_proportions, function() return { error_rates = { .15, .25 }, n = { 30, 5000 } } end },
  { cf.stats.paired_t, function() return { .1, -.2, .3, .2 }, { confidence = 0.9 } end },
  { cf.stats.corrected_t, function()
    return { .1, -.2, .3, .2 }, { test_size = 10, train_size = 90 }
  end },
  { cf.stats.five_by_two, function() return { { .1, .2 }, { .1, 0 }, { 0, .1 }, { .2, .1 }, { .1, .1 } } end },
  { cf.stats.bayes_correlated_t, function()
    return { .1, -.2, .3, .2 }, { rope = 0.01, correlation = 0.1 }
  end },
  { cf.stats.bayes_hierarchical, function()
    return { { .1, -.2, .3 }, { .2, .1, .3 }, { .2, .4 } }, { rope = 0.01, rho = 0.1, samples = 400, seed = 1 }
  end },
  { cf.stats.bayes_signed_rank, function()
    return { .1, -.2, .3, .2 }, { rope = 0.01, prior_strength = 0.6, samples = 100, seed = 1 }
  end },
  { cf.stats.mcnemar, function() return { only_first = 5, only_second = 12 } end },
  { cf.stats.cochran_q, function() return { { 1, 0, 1 }, { 1, 1, 0 }, { 0, 0, 1 } } end },
  { cf.stats.wilcoxon, function() return { .1, -.2, .3, .2 }, {} end },
  { cf.stats.sign_test, function() return { .1, -.2, .3, .2 }, {} end },
  { cf.stats.adjust_p, function() return { .01, .2, .03 }, { method = "holm" } end },
  { cf.stats.friedman, function()
    return { { 1, 2, 3 }, { 2, 1, 3 }, { 1, 3, 2 } }, { higher_is_better = true, alpha = 0.1 }
  end },
  { cf.stats.critical_difference, function() return { learners = 4, datasets = 10, alpha = 0.05 } end },
  { cf.stats.power, function() return { rows = 300, difference = 0.05, disagreement = 0.1 } end },
  { cf.stats.rows_needed, function() return { difference = 0.02, disagreement = 0.05 } end },
  { cf.stats.detectable_difference, function()
    return { rows = 300, folds = 10, repeats = 10, disagreement = 0.05, power = 0.8 }
  end },
  { cf.stats.power_law, function() return { sizes = { 10, 20, 40, 80 }, scores = { .6, .7, .8, .85 } } end },
  { cf.stats.bias_variance, function()
    return { truth = { 0, 1, 1 }, predictions = { { 0, 1, 0 }, { 1, 1, 1 } } }
  end },
  { cf.stats.bootstrap_interval, function()
    return { 1, 2, 3, 4, 5 }, { repeats = 20, seed = 1, method = "percentile" }
  end },
}

-- ---- edits ---------------------------------------------------------------------------------------

local Source = {}
Source.__index = Source

-- The next byte; 0 after the last.
function Source:byte()
  self.at = self.at + 1
  return self.bytes:byte(self.at) or 0
end

function Source:one_of(list) return list[self:byte() % #list + 1] end

-- Keys in an order that is the same in every process.
local function keys_of(t)
  local keys = {}
  for key in pairs(t) do keys[#keys + 1] = key end
  table.sort(keys, function(a, b)
    local ta, tb = type(a), type(b)
    if ta ~= tb then return ta < tb end
    if ta == "number" or ta == "string" then return a < b end
    return tostring(a) < tostring(b)
  end)
  return keys
end

local value_of

local function table_of(source, depth)
  local t = {}
  for _ = 1, source:byte() % 4 do
    local key = source:byte() % 2 == 0 and #t + 1 or source:one_of(names)
    t[key] = value_of(source, depth + 1)
  end
  return t
end

local functions = {
  function() end,
  function(...) return ... end,
  function() return {} end,
  function() return "a" end,
  function() return 0 / 0 end,
  function() error("callback") end,
  function(data) return data and #data end,
  coroutine.wrap(function() while true do coroutine.yield(1) end end),
}

function value_of(source, depth)
  local kind = source:byte() % 8
  if kind < 3 then return source:one_of(constants) end
  if kind < 5 then return source:one_of(objects) end
  if kind == 5 then return source:one_of(functions) end
  if kind == 6 then return source:one_of(names) end
  return depth < 4 and table_of(source, depth) or {}
end

local edits = {
  function(t, key, source) t[key] = value_of(source, 0) end,
  function(t, key) t[key] = nil end,
  function(t, _, source) t[source:one_of(names)] = value_of(source, 0) end,
  function(t, key, source) t[key] = t[source:one_of(keys_of(t))] end,
  function(t, _, source) t[#t + 1] = value_of(source, 0) end,
}

-- One edit of the arguments, or of a table somewhere inside.
local function edit(t, source)
  while true do
    local keys = keys_of(t)
    if #keys == 0 then
      t[1] = value_of(source, 0)
      return
    end
    local key = source:one_of(keys)
    local inner = t[key]
    if type(inner) ~= "table" or getmetatable(inner) ~= nil or source:byte() % 4 == 0 then
      return source:one_of(edits)(t, key, source)
    end
    t = inner
  end
end

-- ---- the law -------------------------------------------------------------------------------------

local inside = { "[crossfold]", "[string", "attempt to", "stack overflow", "(field",
  "(local", "(upvalue" }

local function judge(ok, message)
  if ok then return end
  if type(message) ~= "string" then error("no text was raised but a " .. type(message), 0) end
  if message:find("callback", 1, true) then return end
  if not message:find("^lua_options%.lua:%d+: ") then
    error("no place of the script in front: " .. message, 0)
  end
  for _, sign in ipairs(inside) do
    if message:find(sign, 1, true) then error("a mistake inside the library: " .. message, 0) end
  end
end

-- Calls, so that the place before messages is in this file.
local function try(f, ...)
  local arguments = table.pack(...)
  local answer = table.pack(pcall(function()
    local made = f(table.unpack(arguments, 1, arguments.n))
    return made
  end))
  judge(answer[1], answer[2])
  return answer[1] and answer[2] or nil
end

local function is_learner(value)
  local meta = type(value) == "table" and getmetatable(value)
  return type(meta) == "table" and type(meta.__index) == "table" and meta.__index.fit ~= nil
end

return function(bytes)
  local source = setmetatable({ bytes = bytes, at = 0 }, Source)
  local call = calls[source:byte() % #calls + 1]
  local arguments = table.pack(call[2]())
  local n = arguments.n
  arguments.n = nil
  for _ = 1, source:byte() % 4 do edit(arguments, source) end
  local made = try(call[1], table.unpack(arguments, 1, n))
  if made ~= nil then
    try(tostring, made)
    if is_learner(made) or math.type(made) == nil and made == knn then
      try(made.fit, made, source:byte() % 4 == 0 and numbers or classes, { seed = 1 })
    end
  end
end
