-- Random clean experiments, of which cf.audit must call none a leak: audit_random.lua COUNT [FIRST].
-- And the same experiments with a leak planted, which it must find. Prints what is wrong and raises.
local cf = require "crossfold"

local count, first = math.tointeger(arg[1]), math.tointeger(arg[2] or 1)

local function pick(list) return list[math.random(#list)] end
local function chance(share) return math.random() < share end

-- ---- data --------------------------------------------------------------------------------------------

local entries = {
  real = function(y) return y + 3 * math.random() end,
  ties = function() return math.random(0, 3) end,
  constant = function() return 7.25 end,
  signed_zero = function() return pick { 0.0, -0.0, 1.5 } end,
  far = function(y) return 1e6 + y + math.random() end,
  tiny = function(y) return 1e-9 * (y + math.random()) end,
  integer = function() return math.random(0, 500) end,
  bool = function() return chance(0.5) end,
  category = function() return pick { "a", "b", "c", "d" } end,
  missing = function(y) return chance(0.1) and cf.null or y + math.random() end,
  missing_category = function() return chance(0.1) and cf.null or pick { "u", "v" } end,
}
local mixtures = {
  { "real" }, { "real", "ties" }, { "real", "constant", "signed_zero" }, { "ties", "integer" },
  { "far", "real" }, { "tiny", "real" }, { "bool", "category", "real" }, { "category", "integer" },
  { "missing", "real" }, { "missing", "missing_category", "category", "ties" },
}

local function add_role(columns, options, n)
  local role = pick { "none", "none", "weights", "groups", "time", "strata" }
  if role == "none" then return end
  local values = {}
  for i = 1, n do
    values[i] = role == "weights" and pick { 0.5, 1.0, 2.0 } or role == "time" and i
      or math.random(n // 4 + 2)
  end
  columns[#columns + 1] = { name = "role", values = values }
  options[role] = "role"
end

local function make_data(number)
  local n, classes = pick { 12, 30, 60, 120 }, pick { 2, 2, 3 }
  local regression = chance(0.3)
  local targets, names, mixture, columns = {}, {}, pick(mixtures), {}
  for i = 1, n do
    targets[i] = math.random(classes)
    names[i] = regression and targets[i] + math.random() or "c" .. targets[i]
  end
  for j = 1, pick { 1, 2, 4, 8 } do
    local kind, values = entries[pick(mixture)], {}
    for i, y in ipairs(targets) do values[i] = kind(y) end
    columns[j] = { name = "x" .. j, values = values }
  end
  if chance(0.2) then  -- rows that are equal
    for _, column in ipairs(columns) do
      for i = 2, n, 5 do column.values[i] = column.values[i - 1] end
    end
  end
  columns[#columns + 1] = { name = "y", values = names }
  local options = { name = "data" .. number, columns = columns, target = "y" }
  add_role(columns, options, n)
  local data = cf.dataset(options)
  if not chance(0.3) then return data end
  local rows = {}
  for i = 1, n do
    if chance(0.8) then table.insert(rows, math.random(#rows + 1), i) end
  end
  return data:select(rows)
end

-- ---- learners ----------------------------------------------------------------------------------------

local class_learners = { "knn", "naive_bayes", "decision_tree", "random_forest", "adaboost", "bayes_net",
  "logistic_regression", "lda", "qda", "one_r", "prism", "ripper", "featureless", "mlp" }
local number_learners = { "knn", "decision_tree", "random_forest", "ridge", "least_squares",
  "featureless", "mlp" }
local transforms = { "standardize", "impute", "one_hot", "discretize", "pca", "min_max", "robust",
  "ordinal", "power" }
local class_transforms = { "oversample", "undersample", "smote" }

-- Subtracts the means of the training rows.
local centered = cf.transform {
  name = "centered",
  fit = function(data)
    local means = {}
    for _, name in ipairs(data:features()) do
      local sum, n = 0.0, 0
      for _, value in ipairs(data:column(name)) do
        if type(value) == "number" then sum, n = sum + value, n + 1 end
      end
      means[name] = n > 0 and sum / n or nil
    end
    return means
  end,
  apply = function(means, data)
    local kept, made = {}, {}
    for _, name in ipairs(data:features()) do
      local values = data:column(name)
      for i, value in ipairs(values) do
        if type(value) == "number" and means[name] then values[i] = value - means[name] end
      end
      if means[name] then made[#made + 1] = { name = name, values = values } else kept[#kept + 1] = name end
    end
    return table.move(made, 1, #made, #kept + 1, kept)
  end,
}

local function simple(is_class)
  local steps = {}
  for i = 1, pick { 0, 1, 1, 2 } do
    steps[i] = cf.transform(is_class and chance(0.2) and pick(class_transforms) or pick(transforms))
  end
  local ok, learner = pcall(cf.learner, pick(is_class and class_learners or number_learners))
  steps[#steps + 1] = ok and learner or cf.learner("featureless")
  return cf.pipeline(steps)
end

local function some_learner(is_class)
  local inner = cf.splitter("kfold", { folds = 3, reduce = true, stratify = false })
  local kind = pick { "simple", "simple", "simple", "lua", "search", "voting", "bagging", "stacking",
    "threshold" }
  if kind == "lua" then return cf.pipeline { centered, simple(is_class) } end
  if kind == "search" then
    return cf.grid_search { learner = cf.learner("knn"), grid = { k = { 1, 3, 5 } }, splitter = inner,
      metric = is_class and "accuracy" or "mae" }
  elseif kind == "voting" then
    return cf.voting { learners = { simple(is_class), simple(is_class) } }
  elseif kind == "bagging" then
    return cf.bagging { learner = simple(is_class), n = 3, rows = 0.8, replace = false }
  elseif kind == "stacking" then
    return cf.stacking { learners = { simple(is_class), "knn" }, splitter = inner,
      combiner = cf.learner(is_class and "naive_bayes" or "ridge") }
  elseif kind == "threshold" and is_class then
    return cf.pipeline { "naive_bayes", cf.calibration { method = "platt", splitter = inner } }
  end
  return simple(is_class)
end

local function some_splitter(data)
  local roles = data:roles()
  local list = {
    { "kfold", { folds = 4, repeats = 2, reduce = true, stratify = false } },
    { "holdout", { repeats = 3, stratify = false } }, { "bootstrap", { repeats = 3 } },
  }
  if not roles.groups then
    list[#list + 1] = { "leave_one_out" }
    list[#list + 1] = { "time_series", { folds = 3, order = not roles.time and "rows" or nil } }
  end
  local id, params = table.unpack(pick(list))
  return cf.splitter(id, params)
end

-- ---- what must hold ----------------------------------------------------------------------------------

-- Puts a leak into the learner or into what is done before the split; the kinds that tell it.
local function planted(given)
  local data = given.data
  local labels = data:target()
  local known = cf.learner { name = "known", fit = function() return true end,
    predict = function(_, rows)
      local place, answer = {}, {}
      for p, id in ipairs(data:row_ids()) do place[id] = p end
      for i, id in ipairs(rows:row_ids()) do answer[i] = labels[place[id]] end
      return answer
    end }
  local counted = cf.learner { name = "counted", fit = function(train)
    return train:task() == "regression" and 0.5 or train:classes()[1]
  end, predict = function(state, rows)
    local answer, classes = {}, data:classes()
    for i = 1, #rows do
      answer[i] = data:task() == "regression" and state + #rows + i or classes[(#rows + i) % #classes + 1]
    end
    return answer
  end }
  local kind = pick { "known", "counted" }
  return { data = data, splitter = given.splitter, seed = given.seed, folds = 2,
    learners = { planted = kind == "known" and known or counted } },
    kind == "known" and "captured" or "batch"
end

local function has_leak(result, kind)
  for _, row in ipairs(result:findings()) do
    if row.severity == "leak" and (not kind or row.kind == kind) then return true end
  end
  return false
end

-- Whether a column is called an encoding of the target, which none is.
local function has_encoding(result)
  for _, row in ipairs(result:findings()) do
    if row.kind == "target_encoded" then return true end
  end
  return false
end

local wrong, refused, learners_audited, caught = 0, 0, 0, 0
for number = first, first + count - 1 do
  math.randomseed(number)
  local data = make_data(number)
  local is_class = data:task() == "classification"
  local learners = {}
  for i = 1, 3 do learners["learner " .. i] = some_learner(is_class) end
  local given = { data = data, learners = learners, splitter = some_splitter(data), folds = 2,
    seed = math.random(100) }
  local done, result = pcall(cf.audit, given)
  if not done then
    refused = refused + 1
  else
    learners_audited = learners_audited + 3
    if has_leak(result) or has_encoding(result) then
      wrong = wrong + 1
      print(("experiment %d is called a leak:\n%s"):format(number, tostring(result)))
      for name, learner in pairs(learners) do print(name, tostring(learner)) end
    end
    local with_leak, kind = planted(given)
    local found = cf.audit(with_leak)
    if has_leak(found, kind) then
      caught = caught + 1
    else
      print(("experiment %d: %s was not found:\n%s"):format(number, kind, tostring(found)))
      wrong = wrong + 1
    end
  end
end
print(("%d experiments, %d refused, %d learners audited, %d leaks caught, %d wrong"):format(count, refused,
  learners_audited, caught, wrong))
assert(wrong == 0, wrong .. " experiments are wrong")
