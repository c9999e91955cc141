-- Random experiments, everything of whose results is printed: sharing_random.lua COUNT MODE [ONLY].
-- What is printed must not depend on the workers, on the memory, or, in the mode "exact" (without
-- the learners that declare a tolerance; else "all"), on sharing; see sharing_random.cmake. The mode
-- "store" is "all" with ensembles, thresholds and other things that are put together from cells, for
-- what must not depend on a store or a process either; see store_random.cmake. ONLY is the number of
-- the one experiment to run.
local cf = require "crossfold"

local count, exact, only = math.tointeger(arg[1]), arg[2] == "exact", math.tointeger(arg[3])
local composed = arg[2] == "store"

local function pick(list) return list[math.random(#list)] end
local function chance(share) return math.random() < share end

-- Any value as text: floats with all bits, tables with sorted keys.
local function text_of(value)
  if math.type(value) == "float" then return ("%a"):format(value) end
  if type(value) ~= "table" then return tostring(value) end
  local keys, parts = {}, {}
  for key in pairs(value) do keys[#keys + 1] = key end
  table.sort(keys, function(a, b) return tostring(a) < tostring(b) end)
  for i, key in ipairs(keys) do parts[i] = tostring(key) .. "=" .. text_of(value[key]) end
  return "{" .. table.concat(parts, " ") .. "}"
end

local function show(kind, rows)
  for _, row in ipairs(rows) do print(kind, text_of(row)) end
end

-- ---- data --------------------------------------------------------------------------------------

local entries = {
  real = function(y) return y + math.random() end,
  ties = function() return math.random(0, 3) end,
  constant = function() return 7.25 end,
  nearly_constant = function(_, i) return i == 3 and 1.0 or 0.0 end,
  signed_zero = function() return pick { 0.0, -0.0, 1.5 } end,
  far = function(y) return 1e12 + y + math.random() end,
  tiny = function(y) return 1e-150 * (y + math.random()) end,
  huge = function(y) return 1e150 * (y + math.random()) end,
  integer = function() return (1 << 53) + math.random(0, 5) end,
  bool = function() return chance(0.5) end,
  category = function() return pick { "a", "b", "c", "d" } end,
  missing = function(y) return chance(0.1) and cf.null or y + math.random() end,
  missing_category = function() return chance(0.1) and cf.null or pick { "u", "v" } end,
}
local mixtures = {
  { "real" }, { "real", "ties" }, { "real", "constant", "nearly_constant", "signed_zero" },
  { "constant", "constant", "constant", "real" }, { "ties", "integer" }, { "far", "real" },
  { "tiny", "huge", "real" }, { "bool", "category" }, { "category", "real" },
  { "missing", "real" }, { "missing", "missing_category", "category", "ties" },
}

local function values_of(kind, targets)
  local values = {}
  for i, y in ipairs(targets) do values[i] = entries[kind](y, i) end
  return values
end

-- A column of weights or groups, and the option that names it.
local function add_role(columns, options, n)
  local role = pick { "none", "none", "none", "weights", "groups" }
  if role == "none" then return end
  local values = {}
  for i = 1, n do
    values[i] = role == "weights" and pick { 0.5, 1.0, 2.0, 1e-9 } or math.random(n // 4 + 2)
  end
  columns[#columns + 1] = { name = "role", values = values }
  options[role] = "role"
end

local function make_data(number)
  math.randomseed(1000 + number)
  local n, classes = pick { 6, 12, 25, 60, 90 }, pick { 2, 2, 3, 5 }
  local task = pick { "classification", "classification", "regression" }
  local targets, names, mixture, columns = {}, {}, pick(mixtures), {}
  local rare = chance(0.2)  -- all classes but the first have a row or two
  for i = 1, n do
    targets[i] = rare and math.max(1, classes - i // 2) or math.random(classes)
    names[i] = task == "regression" and targets[i] + math.random() or "c" .. targets[i]
  end
  for j = 1, pick { 1, 2, 4, 14 } do
    columns[j] = { name = "x" .. j, values = values_of(pick(mixture), targets) }
  end
  if chance(0.3) then  -- rows that are equal
    for _, column in ipairs(columns) do
      for i = 2, n, 3 do column.values[i] = column.values[i - 1] end
    end
  end
  columns[#columns + 1] = { name = "y", values = names }
  local options = { name = "data" .. number, columns = columns, target = "y" }
  add_role(columns, options, n)
  return cf.dataset(options)
end

-- Some of the rows in another order, of the same dataset: what is prepared for it serves them, too.
local function some_rows(data)
  local rows = {}
  for i = 1, #data do
    if chance(0.8) then table.insert(rows, math.random(#rows + 1), i) end
  end
  return #rows < 4 and data or data:select(rows)
end

-- ---- learners ----------------------------------------------------------------------------------

local settings = {
  knn = { k = { 1, 2, 5, 9, 40 }, distance = { "euclidean", "manhattan", "chebyshev", "minkowski",
    "mahalanobis", "gower" }, p = { 1.5, 3.0 }, weights = { "uniform", "distance" } },
  naive_bayes = { laplace = { 0.0, 1.0 }, numeric = { "normal", "kernel", "poisson", "bernoulli",
    "multinomial" }, prior = { "learned", "uniform" }, variance = { "ml", "sample" },
    min_sd = { 0.0, 0.001 }, var_smoothing = { 0.0, 0.1 } },
  decision_tree = { criterion = { "auto", "entropy", "gain_ratio", "random" },
    max_depth = { 0, 1, 2, 5 }, min_leaf = { 1.0, 2.5 }, ties = { "earlier", "random" },
    nominal_split = { "multiway", "subset" }, pruning = { "none", "reduced_error", "error_based",
    "cost_complexity" }, ccp_alpha = { 0.0, 0.01, 0.2 } },
  random_forest = { trees = { 1, 3, 8 }, max_depth = { 1, 4 }, bootstrap = { true, false } },
  adaboost = { rounds = { 1, 3, 9 }, max_depth = { 1, 2 }, algorithm = { "m1", "samme" } },
  bayes_net = { structure = { "tan", "naive" } },
  logistic_regression = { l2 = { 0.1, 1.0 } },
  ridge = { l2 = { 0.0, 0.1, 10.0 }, intercept = { true, false } },
  least_squares = { intercept = { true, false } },
  lda = { shrinkage = { 0.0, 0.5 } },
  qda = { reg = { 0.0, 0.5 } },
  debug = { action = { "throw_in_fit", "throw_in_predict", "change_rounding", "predict_nan" },
    when_row = { -1, 0, 3 } },
}
local exact_names = { "knn", "knn", "naive_bayes", "naive_bayes", "decision_tree", "decision_tree",
  "random_forest", "adaboost", "bayes_net", "logistic_regression", "debug" }
local other_names = { "ridge", "least_squares", "lda", "qda", "knn" }
local regression_names =
  { "knn", "decision_tree", "random_forest", "debug", "ridge", "ridge", "least_squares" }
local transforms =
  { "standardize", "impute", "one_hot", "oversample", "smote", "discretize", "pca" }

local column_lists = { "numeric", "categorical", "bool", "*1", "*2, categorical" }

-- Of all features, or of some; those that change the rows refuse a choice.
local function some_transform()
  local name, params = pick(transforms), {}
  for _, list in ipairs { "columns", "except" } do
    if chance(0.2) then params[list] = pick(column_lists) end
  end
  local made, step = pcall(cf.transform, name, params)
  return made and step or cf.transform(name)
end

local function sorted_keys(map)
  local keys = {}
  for key in pairs(map) do keys[#keys + 1] = key end
  table.sort(keys)
  return keys
end

-- Settings that the learner may refuse.
local function some_params(name)
  local params, share = {}, pick { 0, 0.2, 0.5 }
  for _, key in ipairs(sorted_keys(settings[name])) do
    if chance(share) then params[key] = pick(settings[name][key]) end
  end
  return params
end

-- Learners of one kind in many settings, most after the same transforms.
local function family(name)
  local before, list = {}, {}
  for i = 1, pick { 0, 0, 1, 2 } do before[i] = some_transform() end
  for _ = 1, math.random(2, 6) do
    local made, learner = pcall(cf.learner, name, some_params(name))
    if made then
      local steps = chance(0.2) and {} or table.move(before, 1, #before, 1, {})
      steps[#steps + 1] = learner
      list[#list + 1] = cf.pipeline(steps)
    end
  end
  return list
end

local function search(name)
  local grid = {}
  for _ = 1, 2 do
    local key = pick(sorted_keys(settings[name]))
    grid[key] = settings[name][key]
  end
  local make = pick { cf.grid_search, cf.halving_search, cf.race_search }
  local made, learner = pcall(make, {
    learner = cf.learner(name), grid = grid, inactive = "drop",
    metric = "accuracy", splitter = cf.splitter("kfold", { folds = 3 }),
    min_resource = make == cf.halving_search and 0.4 or nil,
    min_folds = make == cf.race_search and 2 or nil,
  })
  return made and learner or cf.learner(name)
end

local function some_splitter()
  local id, params = table.unpack(pick {
    { "kfold", { folds = 4, repeats = 2 } }, { "kfold", { folds = 3, stratify = true } },
    { "kfold", { folds = 10, reduce = true } }, { "leave_one_out" }, { "leave_one_out" },
    { "holdout", { repeats = 2 } }, { "bootstrap", { repeats = 3 } },
    { "time_series", { folds = 3, order = "rows" } },
  })
  return cf.splitter(id, params)
end

-- ---- experiments -------------------------------------------------------------------------------

local function evaluate(data, name)
  local learners = {}
  for i, learner in ipairs(family(name)) do learners["family " .. i] = learner end
  if data:task() == "classification" then learners.search = search(name) end
  local metrics = data:task() == "classification" and { "accuracy", "log_loss" } or { "rmse" }
  local result = cf.evaluate {
    data = data, learners = learners, splitter = some_splitter(), metrics = metrics,
    seed = math.random(100), keep = pick { "labels", "probabilities" },
  }
  show("score", result:scores())
  show("prediction", result:predictions())
  show("failure", result:failures())
  show("warning", result:warnings())
  local tuned, rows = pcall(result.tuning, result, "search")
  if tuned then show("tuning", rows) end
end

local function cross_predict(data, name)
  local list = cf.cross_predict {
    data = data, learner = cf.learner(name), splitter = some_splitter(),
    seed = math.random(100), keep = "probabilities",
  }
  for _, p in ipairs(list) do
    print("rows", text_of(p:row_ids()))
    print("predicted", text_of(p:labels() or p:values()), text_of(p:probabilities()))
  end
end

-- Cells of several splitters, learners, seeds and wishes, some of them twice, in any order.
local function run_batch(data, name)
  local plans, learners, cells = {}, family(name), {}
  for i = 1, 2 do plans[i] = cf.split(some_splitter(), data, { seed = i }) end
  for i = 1, 30 do
    local plan = pick(plans)
    cells[i] = {
      learner = pick(learners), splits = plan, split = math.random(#plan), seed = math.random(2),
      keep = pick { "labels", "probabilities", "none" },
    }
  end
  local outcomes = cf.run(cells)
  for i = 1, #outcomes do
    local p = outcomes:prediction(i)
    print("outcome", text_of {
      failure = outcomes:failure(i), warnings = outcomes:warnings(i), sizes = { outcomes:sizes(i) },
      predicted = p and (p:labels() or p:values()), probabilities = p and p:probabilities(),
    })
  end
end

-- ---- experiments on what is put together from cells --------------------------------------------

local function some_learner(name)
  local list = family(name)
  return list[1] or cf.learner(name)
end

local function show_result(result)
  show("score", result:scores())
  show("pooled", result:pooled())
  show("prediction", result:predictions())
  show("failure", result:failures())
  show("warning", result:warnings())
end

local function ensembles(data, name)
  local others = { some_learner(name), cf.learner("knn"),
    some_learner(data:task() == "regression" and "ridge" or pick(exact_names)) }
  local folds = cf.splitter("kfold", { folds = 3, reduce = true, stratify = false })
  local is_class = data:task() == "classification"
  local learners = {
    voting = cf.voting { learners = others },
    bagging = cf.bagging { learner = others[1], n = 3, rows = 0.8 },
    stacking = cf.stacking {
      learners = others, splitter = folds, combiner = cf.learner(is_class and "naive_bayes" or "ridge"),
    },
  }
  show_result(cf.evaluate {
    data = data, learners = learners, splitter = some_splitter(), seed = math.random(100),
    metrics = is_class and { "accuracy", "log_loss" } or { "rmse", "mae" }, keep = "probabilities",
  })
end

local function sized(data, name)
  local result = cf.learning_curve {
    data = data, learners = { a = some_learner(name), b = "knn" }, points = 3, trials = 3,
    metrics = { data:task() == "classification" and "accuracy" or "mae" },
    seed = math.random(100), keep = "labels",
  }
  show("curve", result:rows())
  show("failure", result:failures())
end

local function decisions(data, name)
  local folds = cf.splitter("kfold", { folds = 3, reduce = true, stratify = false })
  if data:task() ~= "classification" then return sized(data, name) end
  local learner = some_learner(name)
  local learners = {
    calibrated = cf.pipeline { learner, cf.calibration { method = pick { "platt", "isotonic" }, splitter = folds } },
    plain = learner,
  }
  if #(data:classes() or {}) == 2 then
    learners.threshold = cf.pipeline { learner, cf.threshold { metric = "f1", splitter = folds,
      positive = data:classes()[2] } }
    local costs = data:with_costs { { 0, 1 }, { math.random(5), 0 } }
    learners.cost = cf.pipeline { learner, cf.threshold { costs = costs:costs(), splitter = folds,
      positive = data:classes()[1] } }
    data = costs
  end
  show_result(cf.evaluate {
    data = data, learners = learners, splitter = some_splitter(), seed = math.random(100),
    metrics = { "accuracy", "brier", "matthews_correlation" }, keep = "labels",
    on_error = chance(0.3) and cf.learner("featureless") or nil,
  })
end

local function resampled(data, name)
  local result = cf.bootstrap_632 {
    data = data, learner = some_learner(name), repeats = 4, seed = math.random(100),
  }
  print("632", text_of(result))
end

local function nested(data, name)
  local kind = pick { cf.grid_search, cf.random_search, cf.halving_search, cf.race_search }
  local is_class = data:task() == "classification"
  local is_random = kind == cf.random_search
  local key = pick(sorted_keys(settings[name]))
  local values = settings[name][key]
  local learner = kind {
    learner = cf.learner(name), inactive = not is_random and "drop" or nil,
    grid = not is_random and { [key] = values } or nil,
    space = is_random and { [key] = values } or nil,
    candidates = is_random and math.min(2, #values) or nil,
    metric = is_class and "log_loss" or "mae",
    splitter = cf.splitter("kfold", { folds = 3, reduce = true, stratify = false }),
    min_resource = kind == cf.halving_search and 0.4 or nil,
    min_folds = kind == cf.race_search and 2 or nil,
  }
  local result = cf.evaluate {
    data = data, learners = { search = learner, plain = name }, splitter = some_splitter(),
    metrics = is_class and { "accuracy" } or { "rmse" }, seed = math.random(100), keep = "labels",
  }
  show_result(result)
  local tuned, rows = pcall(result.tuning, result, "search")
  if tuned then show("tuning", rows) end
end

local made_of_cells = composed and { ensembles, decisions, resampled, sized, nested } or {}
local experiments = table.move(made_of_cells, 1, #made_of_cells, 5,
  { evaluate, evaluate, cross_predict, run_batch })

local datasets = {}
for i = 1, 20 do datasets[i] = make_data(i) end
for number = 1, count do
  math.randomseed(number)
  local data = some_rows(pick(datasets))
  local name = pick((exact or chance(0.7)) and exact_names or other_names)
  if composed and data:task() == "regression" then name = pick(regression_names) end
  local experiment = pick(experiments)
  if not only or number == only then
    print("experiment", number, data:name(), name)
    local done, problem = pcall(experiment, data, name)
    if not done then print("refused", problem) end
  end
end
