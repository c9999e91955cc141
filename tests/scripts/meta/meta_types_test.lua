-- The types of options in scripts/meta/crossfold.d.lua are those that the module checks, and what need
-- not be given is marked so. What the module declares as "any" it checks by hand; so does the test then
-- nothing.
local lu = require "luaunit"
local cases = require "meta_cases"
local definitions = require "definitions"
local options = require "crossfold.options"

local defined = definitions.read(data_folder .. "/../meta/crossfold.d.lua")

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

local function joined(set)
  local names = {}
  for name in pairs(set) do names[#names + 1] = name end
  table.sort(names)
  return table.concat(names, "|")
end

-- A type as the module would declare it, with its kinds sorted.
local function defined_kinds(members)
  local set = {}
  for _, member in ipairs(defined:expanded(members)) do set[kind_of(member)] = true end
  return joined(set)
end

local function declared_kinds(types)
  local set = {}
  for kind in types:gsub("!$", ""):gmatch("[^|]+") do set[kind] = true end
  return joined(set)
end

-- What all calls of a function declare: { option = { types, default } }; and how often each.
local function declared_by(name, calls)
  local all, count = {}, {}
  for _, call in ipairs(calls) do
    for option, types in pairs(assert(options.declared(call, {}), name)) do
      all[option], count[option] = types, (count[option] or 0) + 1
    end
  end
  return all, count
end

local function sorted_keys(set)
  local names = {}
  for name in pairs(set) do names[#names + 1] = name end
  table.sort(names)
  return names
end

-- What a call says that an option must be: no value that anything takes is a thread.
local function told_by(call, option)
  local _, problem = pcall(call, { [option] = coroutine.create(print) })
  local text = tostring(problem)
  local types = text:match("option '" .. option .. "' must be an? (.-), got a thread")
    or text:match("option '" .. option .. "' must be the (model) of [%w ]+, got a thread")
  return types and types:gsub(" or ", "|"), text
end

TestMetaTypes = {}

function TestMetaTypes:test_options_have_the_types_that_the_module_checks()
  local compared = 0
  for _, name in ipairs(sorted_keys(defined.functions)) do
    local class, calls = defined:options_class(name), cases.options(name)
    if class and name ~= "Spec:fit" then
      local fields, declared, count = defined:members(class), declared_by(name, calls)
      for _, option in ipairs(sorted_keys(declared)) do
        local types, field, where = declared[option][1], fields[option], name .. ": " .. option
        if types:gsub("!", "") ~= "any" then
          lu.assertEquals(defined_kinds(field.type), declared_kinds(types), where)
          compared = compared + 1
        end
        -- What only one form of a call needs may be left out in the others.
        local required = types:find("!", 1, true) ~= nil and count[option] == #calls
        lu.assertEquals(field.optional, not required, where .. " may be left out")
      end
    end
  end
  lu.assertTrue(compared > 200)
end

-- Those of one class are checked by a C function.
function TestMetaTypes:test_options_of_fits_have_the_types_that_the_module_checks()
  local fields = defined:members("crossfold.FitOptions")
  for _, option in ipairs(sorted_keys(fields)) do
    local types, text = told_by(cases.options("Spec:fit")[1], option)
    lu.assertNotNil(types, text)
    lu.assertEquals(defined_kinds(fields[option].type), declared_kinds(types), option)
    lu.assertTrue(fields[option].optional, option)
  end
end

function TestMetaTypes:test_options_inside_options_have_the_types_that_the_module_checks()
  local by_hand = { ["Cell: learner"] = "expected a learner, got a thread",
    ["Cell: metrics"] = "expected a metric or a list of metrics" }
  for _, class in ipairs(sorted_keys(cases.nested)) do
    local fields = defined:members("crossfold." .. class)
    for _, option in ipairs(sorted_keys(fields)) do
      local where, types, text = class .. ": " .. option, told_by(cases.nested[class], option)
      if by_hand[where] then
        lu.assertStrContains(text, by_hand[where])
      else
        lu.assertNotNil(types, where .. ": " .. text)
        lu.assertEquals(defined_kinds(fields[option].type), declared_kinds(types), where)
      end
    end
  end
end

function TestMetaTypes:test_options_inside_options_that_must_be_given()
  for _, class in ipairs(sorted_keys(cases.nested)) do
    local needed = cases.needed[class] or {}
    for option, field in pairs(defined:members("crossfold." .. class)) do
      lu.assertEquals(field.optional, needed[option] == nil, class .. ": " .. option)
    end
    for option in pairs(needed) do
      local _, problem = pcall(cases.nested[class], {}, option)
      lu.assertStrContains(tostring(problem), ("option '%s' is missing"):format(option))
    end
  end
end
