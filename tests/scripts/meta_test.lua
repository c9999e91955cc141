-- scripts/meta/crossfold.d.lua has what the module has: every function, method and option, and no other.
-- The module is asked itself: an unknown option is refused with the names of those that are known.
local lu = require "luaunit"
local cf = require "crossfold"
local fixtures = require "fixtures"

-- The definitions: functions[name] = { parameters = { {name =, type =}, ... } }, classes[name] =
-- { parents = {...}, fields = { name = true }, methods = { name = true } }.
local function read_definitions(path)
  local functions, classes, alias, parameters, class = {}, {}, {}, {}, nil
  for line in io.lines(path) do
    local name, parents = line:match("^%-%-%-@class%s+([%w_.]+):?%s*(.*)$")
    if not name then name, parents = line:match("^%-%-%-@class %(exact%)%s+([%w_.]+):?%s*(.*)$") end
    local field = line:match("^%-%-%-@field%s+([%w_]+)")
    local parameter, kind = line:match("^%-%-%-@param%s+([%w_.]+)%??%s+(.*)$")
    local object = line:match("^local (%w+) = {}$")
    local defined = line:match("^function ([%w_.:]+)%(")
    if name then
      class = { parents = {}, fields = {}, methods = {} }
      for parent in parents:gmatch("[%w_.]+") do table.insert(class.parents, parent) end
      classes[name] = class
    elseif field and class then
      class.fields[field] = true
    elseif parameter then
      parameters[#parameters + 1] = { name = parameter, type = kind }
    elseif object then
      alias[object] = class
    elseif defined then
      functions[defined], parameters = { parameters = parameters }, {}
      local owner, method = defined:match("^(%w+):([%w_]+)$")
      if owner then
        local of_object = assert(alias[owner], owner .. " is no object")
        of_object.methods[method] = true
      end
    end
  end
  return functions, classes
end

local functions, classes = read_definitions(data_folder .. "/../meta/crossfold.d.lua")

local function sorted(set)
  local names = {}
  for name in pairs(set) do names[#names + 1] = name end
  table.sort(names)
  return names
end

local function add(name, what, all)
  local class = assert(classes[name], "there is no class " .. name)
  for member in pairs(class[what]) do all[member] = true end
  for _, parent in ipairs(class.parents) do add(parent, what, all) end
end

-- Names of the "fields" or "methods" of a class and of those that it inherits.
local function members_of(name, what)
  local all = {}
  add(name, what, all)
  return sorted(all)
end

local function fields_of(name) return members_of(name, "fields") end

-- The options that a function knows when it is called with these arguments before them.
local function known_options(f, arguments)
  local given = table.pack(table.unpack(arguments or {}))
  given[given.n + 1] = { ["no option has this name"] = 1 }
  local _, problem = pcall(f, table.unpack(given, 1, given.n + 1))
  local list = tostring(problem):match("unknown option 'no option has this name'; known: ([%w_, ]+)$")
  if not list then return nil, tostring(problem) end
  local names = {}
  for name in list:gmatch("[%w_]+") do names[name] = true end
  return names
end

-- The class of options among a function's parameters; nil if there is none.
local function options_class(name)
  for _, parameter in ipairs(assert(functions[name], name .. " is not defined").parameters) do
    for class in parameter.type:gmatch("crossfold%.%w+") do
      if class:find("Options$") or class:find("^crossfold%.Lua%u%l+$") then return class end
    end
  end
end

local iris = fixtures.iris()
local two = { 1, 2, 3 }
-- What stands before the options of functions that take something else first.
local before = {
  read = { "x.csv" }, split = { "kfold", iris }, read_openml_splits = { "x", iris }, check = { "knn" },
  run = { {} }, parallel = { {} }, store_status = { "x" },
  ["stats.paired_t"] = { two }, ["stats.wilcoxon"] = { two }, ["stats.sign_test"] = { two },
  ["stats.adjust_p"] = { { 0.5 } }, ["stats.bootstrap_interval"] = { two },
  ["stats.friedman"] = { { { 1, 2 }, { 2, 1 } } }, ["stats.corrected_t"] = { two },
  ["stats.bayes_correlated_t"] = { two }, describe = { iris },
}
local kinds_of_curves = { "roc", "precision_recall", "det", "calibration", "lift", "cost", "thresholds" }

local function evaluated()
  return cf.evaluate {
    data = iris, splitter = cf.splitter("kfold", { folds = 2, repeats = 5 }), metrics = "accuracy",
    learners = { knn = "knn", bayes = "naive_bayes" }, keep = "probabilities",
  }
end

-- Options known for any kind of curve.
local function known_of_curves(f, self)
  local all = {}
  for _, kind in ipairs(kinds_of_curves) do
    local known = assert(known_options(f, self and { self, kind } or { kind }))
    for name in pairs(known) do all[name] = true end
  end
  return all
end

-- Options of cf.read for any kind of file.
local function known_of_files()
  local all = {}
  for _, name in ipairs { "x.csv", "x.arff", "x.svm" } do
    for option in pairs(assert(known_options(cf.read, { name }))) do all[option] = true end
  end
  for option in pairs(assert(known_options(function(given)
    given.sqlite = "x.db"
    return cf.read(given)
  end))) do all[option] = true end
  return all
end

local function check_functions(module, prefix)
  for _, name in ipairs(sorted(module)) do
    local path = prefix .. name
    if type(module[name]) == "function" then
      lu.assertNotNil(functions["cf." .. path], "not defined: cf." .. path)
    end
  end
end

TestMeta = {}

function TestMeta:test_every_function_is_defined_and_every_definition_is_a_function()
  check_functions(cf, "")
  for _, name in ipairs(sorted(cf)) do
    if type(cf[name]) == "table" then check_functions(cf[name], name .. ".") end
  end
  for name in pairs(functions) do
    local path = name:match("^cf%.(.*)$")
    if path then
      local value = cf
      for part in path:gmatch("[^.]+") do value = value[part] end
      lu.assertEquals(type(value), "function", name)
    end
  end
end

function TestMeta:test_the_options_of_every_function_are_those_that_it_knows()
  local result = evaluated()
  before.compare = { result }
  for _, name in ipairs(sorted(functions)) do
    local path = name:match("^cf%.(.*)$")
    local class = path and options_class(name)
    if class then
      local f = cf
      for part in path:gmatch("[^.]+") do f = f[part] end
      local known, problem
      if path == "curve" then
        known = known_of_curves(f)
      elseif path == "read" then
        known = known_of_files()
      elseif path:find("^plot%.") then
        known, problem = known_options(f, { result })
      else
        known, problem = known_options(f, before[path])
      end
      lu.assertNotNil(known, name .. ": " .. tostring(problem))
      lu.assertEquals(fields_of(class), sorted(known), name)
    elseif path and path ~= "format_number" and path ~= "seed" then
      local f = cf
      for part in path:gmatch("[^.]+") do f = f[part] end
      lu.assertNil(known_options(f, before[path]), name .. " has options, but no class of them")
    end
  end
  lu.assertEquals(fields_of("crossfold.ResultCurveOptions"), sorted(
    (function()
      local all = known_of_curves(result.curve, result)
      for _, aggregation in ipairs { "vertical", "folds", "pooled" } do
        local _, problem = pcall(result.curve, result, "roc", { aggregation = aggregation,
          ["no option has this name"] = 1 })
        for name in tostring(problem):match("known: (.*)$"):gmatch("[%w_]+") do all[name] = true end
      end
      return all
    end)()))
end

-- Public methods of an object: functions of its class but those that make one and those of Lua.
local function methods_of(object)
  local index = debug.getmetatable(object).__index
  local names = {}
  for name, value in pairs(index) do
    if type(value) == "function" and not name:find("^__") and name ~= "new" then names[name] = true end
  end
  return sorted(names)
end

function TestMeta:test_the_methods_of_every_object_are_defined()
  local knn, folds = cf.learner("knn"), cf.splitter("kfold", { folds = 2 })
  local search = cf.grid_search { learner = knn, grid = { k = { 1, 3 } }, splitter = folds,
    metric = "accuracy" }
  local result, model, splits = evaluated(), knn:fit(iris), cf.split(folds, iris)
  local objects = {
    Spec = knn, Dataset = iris, Model = model, Prediction = model:predict(iris), Splits = splits,
    Outcomes = cf.run { { learner = knn, splits = splits } }, Result = result,
    Comparison = cf.compare(result), Curve = result:curve("roc", { learner = "knn",
      positive = "setosa" }),
    LearningCurve = cf.learning_curve { data = iris, learners = "knn", metrics = "accuracy",
      sizes = { 20, 40 }, trials = 2 },
    ValidationCurve = cf.validation_curve { data = iris, learner = knn, parameter = "k",
      values = { 1, 3 }, splitter = folds, metric = "accuracy" },
    BiasVariance = cf.bias_variance { data = iris, learners = "knn", rounds = 2 },
    Search = search, DataReport = iris:describe(), Figure = cf.plot.folds(result),
    Audit = cf.audit { data = iris, learners = "naive_bayes", splitter = folds, near = false },
    Bootstrap632 = cf.bootstrap_632 { data = iris, learner = knn, repeats = 3 },
  }
  -- What the library calls and scripts need not know.
  local internal = { Dataset = { num_rows = true, with_folds = true }, Model = { to_bytes = true },
    Audit = { without_splits = true },
    Bootstrap632 = { of_stored = true, shown = true, title = true }, Outcomes = { is_planned = true, elsewhere = true },
    ValidationCurve = { of_cells = true }, Search = { cells_for = true, check = true, resolve = true, splits = true } }
  for _, name in ipairs(sorted(objects)) do
    local methods = {}
    for _, method in ipairs(methods_of(objects[name])) do
      if not (internal[name] and internal[name][method]) then methods[#methods + 1] = method end
    end
    lu.assertEquals(members_of("crossfold." .. name, "methods"), methods, name)
  end
end
