-- script_names_test.lua PROGRAM SCRATCH: messages have the name of a script whole, as it was given. Lua itself shows
-- the last 56 bytes of a long one.
package.path = arg[0]:match("^(.*)/") .. "/?.lua;" .. package.path
local lu = require "luaunit"
local Shell = require "shell"

local program, scratch = arg[1], arg[2]
local folder = scratch .. "/a folder with an ü " .. ("and a long name "):rep(10)
os.execute(("mkdir -p '%s'"):format(folder))
local own = Shell.new(folder, program)

-- What the program prints to standard error for a script of that text.
local function errors_of(text, options)
  local path = own:write("script.lua", text)
  local status, _, errors = own:crossfold("run %s '%s'", options or "", path)
  lu.assertEquals(status, 1)
  return errors, path
end

local data = [[
local cf = require "crossfold"
local data = cf.dataset { target = "y", columns = { { name = "x", values = { 1, 2 } },
  { name = "y", values = { "a", "b" } } } }
]]

TestScriptNames = {}

function TestScriptNames:test_errors_of_every_kind_have_the_whole_name()
  for text, message in pairs {
    ["local t\nt.x = 1"] = ":2: attempt to index a nil value (local 't')",
    ["\nerror('mine')"] = ":2: mine",
    ["\nx = = 1"] = ":2: unexpected symbol near '='",
    ["local cf = require 'crossfold'\ncf.evaluate { kk = 1 }"] = ":2: evaluate: unknown option 'kk'",
    ["local cf = require 'crossfold'\ncf.parallel { function() return nil .. '' end }"] = ":2: attempt to concat",
    ["coroutine.wrap(function()\n  error('inside') end)()"] = ":2: inside",
  } do
    local errors, path = errors_of(text)
    lu.assertStrContains(errors, path .. message)
    lu.assertNotStrContains(errors, "...")
    lu.assertStrContains(errors_of(text, "--sandbox"), path .. message)
  end
end

function TestScriptNames:test_every_line_of_a_call_stack_has_the_whole_name()
  local errors, path = errors_of("local function f() error('mine') end\nlocal g = function() f() end\ng()",
    "--traceback")
  lu.assertStrContains(errors, ("\n\t%s:2: in "):format(path))
  lu.assertStrContains(errors, ("\n\t%s:3: in main chunk"):format(path))
  lu.assertNotStrContains(errors, "...folder")
end

function TestScriptNames:test_scripts_that_a_script_loads_have_whole_names()
  local part = own:write("part.lua", "local t\nreturn t.x")
  local wrong = own:write("wrong.lua", "\nx = = 1")
  local search = ("package.path = '%s/?.lua'\n"):format(folder)
  for text, message in pairs {
    [search .. "require 'part'"] = part .. ":2: attempt to index",
    [search .. "require 'wrong'"] = wrong .. ":2: unexpected symbol",
    [("dofile('%s')"):format(part)] = part .. ":2: attempt to index",
    [("assert(loadfile('%s'))"):format(wrong)] = wrong .. ":2: unexpected symbol",
  } do
    lu.assertStrContains(errors_of(text), message)
  end
end

-- Failures of folds are data, which results and stores keep.
function TestScriptNames:test_failures_of_what_is_written_in_lua_have_the_whole_name()
  local path = own:write("failures.lua", data .. [[
local metric = cf.metric { name = "mine", direction = "higher",
  score = function() local t; return t.x end }
local learner = cf.learner { name = "own", fit = function() local t
  return t.y end, predict = function() end }
local function show(result)
  for _, row in ipairs(result:failures()) do print(row.message) end
end
show(cf.evaluate { data = data, learners = "featureless", splitter = "leave_one_out", metrics = metric })
show(cf.evaluate { data = data, learners = learner, splitter = "leave_one_out", metrics = "accuracy" })]])
  local _, output = own:crossfold("run '%s'", path)
  lu.assertStrContains(output, path .. ":5: attempt to index a nil value")
  lu.assertStrContains(output, path .. ":7: attempt to index a nil value")
  lu.assertNotStrContains(output, "...")
end

os.exit(lu.LuaUnit.run("-v"))
