-- start_test.lua PROGRAM MODULE SCRATCH: what a script loads before it uses anything, in the program and in stock Lua,
-- for which MODULE is the pattern of package.cpath; and that all of it is there when it is used.
package.path = arg[0]:match("^(.*)/") .. "/?.lua;" .. package.path
local lu = require "luaunit"
local Shell = require "shell"

local program, module, scratch = arg[1], arg[2], arg[3]
local own = Shell.new(scratch, program)

-- What a script that begins with require "crossfold" prints; the same in both hosts.
local function printed(text)
  local path = own:write("start.lua", 'local cf = require "crossfold"\n' .. text)
  local output = Shell.printed(own:crossfold("run '%s'", path))
  lu.assertEquals(Shell.printed(own:run("LUA_CPATH='%s' lua5.4 '%s'", module, path)), output)
  return output
end

local count_modules = [[
local function count()
  local n = 0
  for name in pairs(package.loaded) do
    if name:find("^crossfold") then n = n + 1 end
  end
  return n
end
]]

TestStart = {}

-- Of 250 modules. Each costs up to a millisecond: a new one belongs into the table of functions in init.lua, or
-- is taken with first_use where it is needed.
function TestStart:test_require_loads_few_modules()
  local n = tonumber(printed(count_modules .. "print(count())"))
  lu.assertTrue(n <= 9, n)
end

function TestStart:test_an_experiment_loads_neither_figures_nor_reports()
  local names = printed [[
  cf.evaluate { data = cf.dataset { target = "y", columns = { { name = "x", values = { 1, 2 } },
    { name = "y", values = { "a", "b" } } } }, learners = "featureless", splitter = "leave_one_out",
    metrics = "accuracy" }
  local names = {}
  for name in pairs(package.loaded) do names[#names + 1] = name:match("^crossfold.*") end
  table.sort(names)
  print(table.concat(names, "\n"))]]
  lu.assertStrContains(names, "crossfold.evaluate\n")
  local _, n = names:gsub("\n", "")
  lu.assertTrue(n <= 37, names)
end

-- What users may do with a table of functions.
function TestStart:test_the_module_is_a_plain_table_of_functions()
  lu.assertEquals(printed [[
  print(getmetatable(cf), cf.unknown, cf.evaluate == cf.evaluate, next(cf) ~= nil, type(cf.stats.wilcoxon))
  cf.mine = 1
  print(cf.mine, rawget(cf, "evaluate") == cf.evaluate, #cf.plot.names())]],
    "nil\tnil\ttrue\ttrue\tfunction\n1\ttrue\t22\n")
end

-- Modules that are loaded belong to each other even if a framework of tests has cleared package.loaded.
function TestStart:test_modules_stay_the_same_if_package_loaded_is_cleared()
  lu.assertEquals(printed [[
  local mine = cf.metric { name = "mine", direction = "higher", score = function() return 1 end }
  for name in pairs(package.loaded) do
    if name:find("^crossfold") then package.loaded[name] = nil end
  end
  print(cf.score { metrics = mine, truth = { "a" }, predicted = { "a" } }.mine)]], "1\n")
end

-- The first use may be in a coroutine that is about to yield to cf.parallel.
function TestStart:test_the_first_use_may_be_inside_parallel()
  lu.assertEquals(printed [[
  local data = cf.dataset { target = "y", columns = { { name = "x", values = { 1, 2, 3, 4 } },
    { name = "y", values = { "a", "b", "a", "b" } } } }
  local function evaluate()
    return cf.evaluate { data = data, learners = "featureless", splitter = "leave_one_out", metrics = "accuracy" }
  end
  local found = cf.parallel { evaluate, evaluate, coroutine.wrap(evaluate) }
  print(#found, #found[1][1]:scores(), #found[3][1]:scores())]], "3\t4\t4\n")
end

os.exit(lu.LuaUnit.run("-v"))
