-- crossfold.d.lua has what the module has: every function, method and option, and no other.
-- The module is asked itself: an unknown option is refused with the names of those that are known.
local lu = require "luaunit"
local cf = require "crossfold"
local cases = require "meta_cases"
local definitions = require "definitions"
local fixtures = require "fixtures"
local options = require "crossfold.options"

options.load_all()

local defined = definitions.read()
local functions = defined.functions

-- Names of the fields or methods of a class and of those that it inherits.
local function fields_of(class) return fixtures.sorted_keys(defined:members(class)) end
local function methods_defined(class) return fixtures.sorted_keys(defined:members(class, "methods")) end

-- The options that the calls know, or nil and why they do not tell.
local function known_options(calls)
  local names, any, problem = {}, false, nil
  for _, call in ipairs(calls) do
    local _, message = pcall(call, { ["no option has this name"] = 1 })
    local list = tostring(message):match("unknown option 'no option has this name'; known: ([%w_, ]+)$")
    for name in (list or ""):gmatch("[%w_]+") do names[name], any = true, true end
    problem = problem or not list and tostring(message) or nil
  end
  return any and fixtures.sorted_keys(names) or nil, problem
end

local function check_functions(module, prefix)
  for _, name in ipairs(fixtures.sorted_keys(module)) do
    local path = prefix .. name
    if type(module[name]) == "function" then
      lu.assertNotNil(functions["cf." .. path], "not defined: cf." .. path)
    end
  end
end

TestMeta = {}

function TestMeta:test_every_function_is_defined_and_every_definition_is_a_function()
  check_functions(cf, "")
  for _, name in ipairs(fixtures.sorted_keys(cf)) do
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

-- Some take no table of options, and would do something if they got one.
local takes_none = { ["cf.format_number"] = true, ["cf.seed"] = true, ["Model:save"] = true,
  ["Result:save"] = true, ["Figure:save"] = true, ["Splits:to_openml"] = true,
  ["Spec:with"] = true, ["Component:with"] = true, ["Metric:with"] = true }

function TestMeta:test_the_options_of_every_function_and_method_are_those_that_it_knows()
  for _, name in ipairs(fixtures.sorted_keys(functions)) do
    local class, calls = defined:options_class(name), cases.options(name)
    if class then
      local known, problem = known_options(calls)
      lu.assertNotNil(known, name .. ": " .. tostring(problem))
      lu.assertEquals(fields_of(class), known, name)
    elseif not takes_none[name] then
      lu.assertNil(known_options(calls), name .. " has options, but no class of them")
    end
  end
end

-- What options.check calls the values of a type.
local kinds = {
  ["crossfold.Dataset"] = "dataset", ["crossfold.Model"] = "model", ["crossfold.Splits"] = "splits",
  ["crossfold.Prediction"] = "prediction",
}

local function kind_of(member)
  if member:find("%[%]$") or member:find("^table") then return "table" end
  if member:find('^"') then return "string" end
  if member == "true" or member == "false" then return "boolean" end
  if member:find("^fun%(") then return "function" end
  if member:find("^crossfold%.") then return kinds[member] or "table" end
  return member
end

-- A declaration may have a type for editors next to the one that is checked.
function TestMeta:test_the_types_for_editors_are_those_that_are_checked()
  local compared = 0
  for name, f in pairs(functions) do
    local class = defined:options_class(name)
    local own = name:gsub("^cf%.", "")
    local declared = class and (options.declaration(own) or options.declaration(name:match(":.*$") or ""))
    for option, one in pairs(declared or {}) do
      local checked, shown = {}, {}
      for kind in one[1]:gsub("!$", ""):gmatch("[^|]+") do checked[kind] = true end
      local members = defined:expanded(defined:members(class)[option].type)
      for _, member in ipairs(members) do shown[kind_of(member)] = true end
      if not checked.any then
        lu.assertEquals(fixtures.sorted_keys(shown), fixtures.sorted_keys(checked), name .. ": " .. option)
      end
      compared = compared + 1
    end
    lu.assertEquals(class ~= nil, declared ~= nil, f and name)
  end
  lu.assertTrue(compared > 200)
end

-- A C++ function checks these, so their declaration is compared with what it says.
function TestMeta:test_the_declared_types_of_the_options_of_a_fit_are_those_that_the_binding_checks()
  local learner, data = cf.learner("featureless"), cases.objects().Dataset
  for name, one in pairs(options.declarations["Spec:fit"]) do
    local ok, problem = pcall(learner.fit, learner, data, { [name] = coroutine.create(print) })
    lu.assertFalse(ok)
    local types = tostring(problem):match("option '" .. name .. "' must be an? (.-), got a thread")
      or tostring(problem):match("option '" .. name .. "' must be the (model) of [%w ]+, got a thread")
    lu.assertEquals(types, one[1], tostring(problem))
  end
end

function TestMeta:test_every_option_has_a_sentence()
  for name in pairs(options.declarations) do
    for option, one in pairs(options.declaration(name)) do
      lu.assertTrue(one.doc:find("^%u.*%.$") ~= nil, name .. ": " .. option)
    end
  end
end

-- Public methods of an object: functions of its class but those that make one and those of Lua.
local function methods_of(object)
  local index = debug.getmetatable(object).__index
  local names = {}
  for name, value in pairs(index) do
    if type(value) == "function" and not name:find("^__") and name ~= "new" then names[name] = true end
  end
  return fixtures.sorted_keys(names)
end

function TestMeta:test_the_methods_of_every_object_are_defined()
  local objects = cases.objects()
  -- What the library calls and scripts need not know.
  local internal = { Dataset = { num_rows = true }, Model = { to_bytes = true },
    Audit = { without_splits = true },
    Composite = { check = true, definition = true, map_learners = true, parts = true, splits_rows = true,
      with_parts = true },
    Component = { direction = true, range = true, needs_probabilities = true },
    LearningCurveFit = { crossing = true },
    Bootstrap632 = { of_stored = true, shown = true, title = true }, Outcomes = { elsewhere = true },
    RepeatUntil = { of_stored = true, shown = true, title = true },
    ValidationCurve = { of_cells = true }, Variance = { of_stored = true, shown = true, title = true },
    Splits = { unseen_levels = true },
    Search = { cells_for = true, check = true, definition = true, map_learners = true, parts = true, resolve = true,
      splits = true, splits_rows = true, with_parts = true } }
  for class in pairs(defined.classes) do
    local name = class:match("^crossfold%.(%w+)$")
    lu.assertEquals(objects[name] ~= nil, name ~= nil and #methods_defined(class) > 0, class)
  end
  for _, name in ipairs(fixtures.sorted_keys(objects)) do
    local methods = {}
    for _, method in ipairs(methods_of(objects[name])) do
      if not (internal[name] and internal[name][method]) then methods[#methods + 1] = method end
    end
    lu.assertEquals(methods_defined("crossfold." .. name), methods, name)
  end
end
