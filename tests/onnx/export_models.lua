-- crossfold run export_models.lua DATA FOLDER: fits learners on real data and writes, for each, an ONNX
-- model and what Crossfold predicts for all rows, as sdk/onnx/verify_onnx.py reads it. Prints the names.
local cf = require "crossfold"
local data_folder, folder = arg[1], arg[2]

local read = {
  iris = function() return cf.read(data_folder .. "/iris.csv", { target = "class" }) end,
  penguins = function() return cf.read(data_folder .. "/penguins.csv", { target = "species" }) end,

  diabetes = function() return cf.read(data_folder .. "/diabetes_regr.csv", { target = "target" }) end,
  digits = function() return cf.read(data_folder .. "/digits.csv",
    { target = "class", types = { class = "categorical" } }) end,
  votes = function() return cf.read(data_folder .. "/house_votes_84.csv", { target = "Class" }) end,
}

local step = function(id, options) return { id = id, options = options } end
local mixed = { step("impute", { indicator = true }), step("one_hot"), step("standardize") }
local cases = {
  -- trees on missing entries, categories, numbers
  { "iris", step("decision_tree") },
  { "penguins", step("decision_tree") },
  { "penguins", step("decision_tree", { nominal_split = "subset", laplace = 1 }) },
  { "votes", step("decision_tree", { criterion = "gain_ratio", pruning = "error_based" }) },
  { "iris", step("decision_tree", { splits = "oblique" }) },
  { "diabetes", step("decision_tree", { max_depth = 6 }) },
  { "penguins", step("random_forest", { trees = 30 }) },
  { "votes", step("random_forest", { trees = 30 }) },
  { "diabetes", step("random_forest", { trees = 20 }) },
  { "iris", step("adaboost") },
  { "penguins", step("adaboost", { max_depth = 3, rounds = 20 }) },
  { "votes", step("adaboost", { algorithm = "m1" }) },
  -- linear models
  { "iris", step("logistic_regression") },
  { "penguins", step("impute"), step("one_hot"), step("logistic_regression") },
  { "votes", step("one_hot", { missing = "column" }), step("logistic_regression") },
  { "iris", step("ridge") },
  { "diabetes", step("standardize"), step("ridge") },
  { "diabetes", step("least_squares") },
  { "iris", step("lda") },
  -- naive Bayes
  { "iris", step("naive_bayes") },
  { "penguins", step("naive_bayes", { laplace = 1 }) },
  { "votes", step("naive_bayes") },
  { "diabetes", step("discretize", { method = "equal_frequency", bins = 4 }), step("ordinal"), step("ridge") },
  { "digits", step("naive_bayes", { numeric = "poisson", laplace = 1 }) },
  { "digits", step("naive_bayes", { numeric = "binomial", trials = 16 }) },
  { "digits", step("naive_bayes", { numeric = "multinomial", laplace = 1 }) },
  -- networks and libraries
  { "iris", step("standardize"), step("mlp") },
  { "diabetes", step("standardize"), step("mlp", { activation = "tanh" }) },
  { "iris", step("liblinear"), library = true },
  { "iris", step("liblinear", { solver = "crammer_singer" }), library = true },
  { "votes", step("one_hot"), step("liblinear"), library = true },
  { "diabetes", step("standardize"), step("liblinear"), library = true },
  -- nearest neighbours
  { "iris", step("knn", { k = 7 }) },
  { "iris", step("knn", { k = 5, weights = "distance", distance = "manhattan" }) },
  { "iris", step("min_max"), step("knn", { distance = "chebyshev" }) },
  { "penguins", step("knn", { distance = "gower" }) },
  { "diabetes", step("knn", { k = 9, weights = "distance" }) },
  -- transforms
  { "penguins", mixed[1], mixed[2], mixed[3], step("knn") },
  { "penguins", step("impute", { numeric = "constant", constant = -1, categorical = "constant" }),
    step("decision_tree") },
  { "iris", step("discretize"), step("naive_bayes") },
  { "penguins", step("discretize", { columns = "bill*" }), step("ordinal"), step("decision_tree") },
  { "iris", step("pca", { components = 2 }), step("lda") },
  { "iris", step("robust"), step("select", { method = "anova_f", k = 2 }), step("logistic_regression") },
  { "iris", step("min_max", { low = -2, high = 3, clip = true }), step("oversample"), step("knn") },
  { "penguins", step("impute"), step("standardize", { columns = "numeric" }),
    step("one_hot", { drop = "first", columns = "categorical", except = "sex" }), step("random_forest",
      { trees = 10 }) },
  { "iris", step("featureless") },
  { "diabetes", step("featureless") },
}

local function quoted(text)
  return '"' .. text:gsub('[%c"\\]', function(c) return ("\\u%04x"):format(c:byte()) end) .. '"'
end

local function json(value)
  if value == cf.null then return "null" end
  if type(value) == "table" then
    local parts = {}
    for _, entry in ipairs(value) do parts[#parts + 1] = json(entry) end
    return "[" .. table.concat(parts, ",") .. "]"
  elseif type(value) == "string" then
    return quoted(value)
  elseif type(value) == "boolean" then
    return value and "1" or "0"
  end
  return math.type(value) == "integer" and tostring(value) or ("%.17g"):format(value)
end

local function write(path, bytes)
  local file = assert(io.open(path, "wb"))
  assert(file:write(bytes))
  assert(file:close())
end

local function learner_of(case)
  local steps = {}
  for i = 2, #case - 1 do steps[#steps + 1] = cf.transform(case[i].id, case[i].options) end
  local last = cf.learner(case[#case].id, case[#case].options)
  if #steps == 0 then return last end
  steps[#steps + 1] = last
  return cf.pipeline(steps)
end

local datasets = {}
-- Plugins that wrap a library may be missing.
local function is_there(case)
  return not case.library or pcall(cf.learner, case[#case].id)
end

local function write_case(number, case)
  datasets[case[1]] = datasets[case[1]] or read[case[1]]()
  local data = datasets[case[1]]
  local model = learner_of(case):fit(data, { seed = 1 })
  local predicted = model:predict(data)
  local parts = {}
  for _, name in ipairs(data:features()) do
    parts[#parts + 1] = quoted(name) .. ":" .. json(data:column(name))
  end
  parts = { '"columns":{' .. table.concat(parts, ",") .. "}" }
  if data:task() == "classification" then
    parts[#parts + 1] = '"labels":' .. json(predicted:labels())
    local ok, probabilities = pcall(predicted.probabilities, predicted)
    if ok and probabilities then parts[#parts + 1] = '"probabilities":' .. json(probabilities) end
  else
    parts[#parts + 1] = '"values":' .. json(predicted:values())
  end
  local base = ("%s/%02d"):format(folder, number)
  write(base .. ".onnx", model:export("onnx"))
  write(base .. ".json", "{" .. table.concat(parts, ",") .. "}")
  print(("%02d\t%s\t%s"):format(number, case[1], tostring(model:learner())))
end

for number, case in ipairs(cases) do
  if is_there(case) then write_case(number, case) end
end
