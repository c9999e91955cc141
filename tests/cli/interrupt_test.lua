-- interrupt_test.lua PROGRAM DATA PLUGIN SCRATCH: how the program stops on Ctrl-C. PLUGIN holds the
-- learner bad.hangs. Scripts interrupt their own process, so no signal comes before the handler.
package.path = arg[0]:match("^(.*)/") .. "/?.lua;" .. package.path
local lu = require "luaunit"
local Shell = require "shell"

local program, data, plugin, scratch = arg[1], arg[2], arg[3], arg[4]

local told = "crossfold: interrupted; nothing was stored; with --store FILE a run can go on where it "
  .. "stopped\n"

local function seconds()
  local clock = assert(io.popen("date +%s.%N"))
  local now = clock:read("n")
  clock:close()
  return now
end

-- What scripts begin with: send(delay, signal, ...) has signals sent to this process one after the
-- other, each after its delay in seconds.
local prelude = ([[
local function send(...)
  local command, arguments = "", table.pack(...)
  for i = 1, arguments.n, 2 do
    command = command .. ("sleep %%s; kill -%%s $PPID; "):format(arguments[i], arguments[i + 1])
  end
  return io.popen(command)  -- no wait; PPID is this process
end
local function iris()
  return require("crossfold").read("%s/iris.csv", { target = "class" })
end
local function evaluate(learner)
  local cf = require "crossfold"
  return cf.evaluate{ data = iris(), learners = learner, splitter = cf.splitter("kfold", { folds = 3 }),
    metrics = "accuracy" }
end
]]):format(data)

-- Runs a script; returns status, stdout, stderr and the time it took.
local function run(text, options)
  local path, errors = scratch .. "/interrupted.lua", scratch .. "/interrupted.txt"
  local file = assert(io.open(path, "wb"))
  assert(file:write(prelude, text))
  assert(file:close())
  local begin = seconds()
  local pipe = assert(io.popen(("HOME=/nowhere XDG_DATA_HOME= CROSSFOLD_PLUGIN_PATH= '%s' "
    .. "--plugin-path '%s' run %s '%s' 2>'%s'"):format(program, plugin, options or "", path, errors)))
  local output = pipe:read("a")
  local _, kind, status = pipe:close()
  lu.assertEquals(kind, "exit")
  return status, output, Shell.read(errors), seconds() - begin
end

-- The script, which sends itself one signal after 0.2 s, stops in time and tells. Loops that Lua can
-- stop do not need the 0.9 s after which the program is left.
local function assert_stops(script, options, most)
  local status, output, errors, time = run(script, options)
  lu.assertEquals({ status, output, errors }, { 130, "", told })
  lu.assertTrue(time < (most or 2), ("it took %.2f s"):format(time))
end

TestInterrupt = {}

function TestInterrupt:test_running_cells_are_abandoned()
  assert_stops [[
    local sender = send(0.2, "INT")
    evaluate(require("crossfold").learner("debug", { action = "sleep", sleep_ms = 60000 }))]]
end

function TestInterrupt:test_a_store_that_was_not_opened_yet_is_gone_on_with()
  local status, _, errors = run("local sender = send(0.2, 'INT') while true do end",
    ("--store '%s/later.cfdb'"):format(scratch))
  lu.assertEquals(status, 130)
  lu.assertStrContains(errors, "crossfold: interrupted; to go on: ")
  lu.assertStrContains(errors, "/later.cfdb")
end

function TestInterrupt:test_a_learner_that_never_asks_whether_to_stop_is_left()
  for _, workers in ipairs { 1, 2 } do
    assert_stops([[
      local sender = send(0.2, "INT")
      evaluate(require("crossfold").learner("bad.hangs"))]], "--workers " .. workers)
  end
end

function TestInterrupt:test_a_fit_of_a_model_that_hangs_is_left()
  assert_stops [[
    local sender = send(0.2, "INT")
    require("crossfold").learner("bad.hangs"):fit(iris())]]
end

function TestInterrupt:test_sigterm_is_the_same()
  assert_stops [[
    local sender = send(0.2, "TERM")
    evaluate(require("crossfold").learner("bad.hangs"))]]
end

function TestInterrupt:test_a_loop_in_lua_stops()
  assert_stops([[local sender = send(0.2, "INT") while true do end]], "", 0.9)
end

-- The table of the library, the function of an upvalue, and coroutines in coroutines.
function TestInterrupt:test_a_loop_in_a_coroutine_stops()
  for _, call in ipairs {
    "coroutine.resume(coroutine.create(loop))",
    "coroutine.wrap(loop)()",
    "coroutine.wrap(function() coroutine.wrap(loop)() end)()",
    "require('crossfold').parallel{ function() end, loop }",
    "coroutine.wrap(function() coroutine.yield() end)() loop()",
    "local thread = coroutine.create(function() while true do coroutine.yield() end end)"
      .. " while true do coroutine.resume(thread) end",
  } do
    assert_stops("local sender = send(0.2, 'INT') local function loop() while true do end end " .. call,
      "", 0.9)
  end
end

function TestInterrupt:test_a_script_that_catches_errors_stops_all_the_same()
  for _, body in ipairs {
    "while true do pcall(loop) end",
    "while true do coroutine.resume(coroutine.create(loop)) end",
    "while true do pcall(coroutine.wrap(loop)) end",
    "coroutine.wrap(function() while true do pcall(pcall, loop) end end)()",
  } do
    assert_stops("local sender = send(0.2, 'INT') local function loop() while true do end end " .. body,
      "", 1.3)
  end
end

function TestInterrupt:test_a_finalizer_that_hangs_is_left()
  assert_stops [[
    local sender = send(0.2, "INT")
    setmetatable({}, { __gc = function() while true do end end })
    while true do end]]
end

-- 40 steps that each double the work.
function TestInterrupt:test_a_pattern_that_takes_for_ever_is_left()
  assert_stops [[
    local sender = send(0.2, "INT")
    print((("a"):rep(40):find(("a?"):rep(40) .. ("a"):rep(41))))]]
end

function TestInterrupt:test_files_of_the_script_are_closed()
  local path = scratch .. "/closed.txt"
  assert_stops(([[
    local sender = send(0.2, "INT")
    local function work()
      local file <close> = io.open("%s", "w")
      local guard <close> = setmetatable({}, { __close = function()
        for i = 1, 1000 do file:write(i, "\n") end
      end })
      while true do end
    end
    require("crossfold").parallel{ work }]]):format(path))
  lu.assertEquals(select(2, Shell.read(path):gsub("\n", "")), 1000)
end

-- So that evaluate takes no fold that was stopped for one that failed.
function TestInterrupt:test_scripts_see_the_same_error_as_from_cancelled_cells()
  assert_stops [[
    local cancelled = require("crossfold.native").cancelled
    local sender = send(0.2, "INT")
    local _, problem = pcall(function() while true do end end)
    if problem ~= cancelled then print(problem) end]]
end

function TestInterrupt:test_what_was_printed_before_is_not_lost()
  local status, output, errors = run [[
    print "before"
    local sender = send(0.2, "INT")
    evaluate(require("crossfold").learner("bad.hangs"))]]
  lu.assertEquals({ status, output, errors }, { 130, "before\n", told })
end

function TestInterrupt:test_the_second_signal_leaves_at_once()
  local status, output, errors, time = run [[
    local sender = send(0.2, "INT", 0.1, "INT")
    evaluate(require("crossfold").learner("bad.hangs"))]]
  lu.assertEquals({ status, output, errors }, { 130, "", "" })
  lu.assertTrue(time < 0.8, ("it took %.2f s"):format(time))
end

-- They may be taken for one.
function TestInterrupt:test_two_signals_at_once_stop_too()
  for _, second in ipairs { "INT", "TERM" } do
    local status, _, _, time = run(([[
      local sender = send(0.2, "INT", 0, "%s")
      evaluate(require("crossfold").learner("bad.hangs"))]]):format(second))
    lu.assertEquals(status, 130)
    lu.assertTrue(time < 2, ("it took %.2f s"):format(time))
  end
end

function TestInterrupt:test_a_script_that_catches_its_end_exits_with_130()
  assert_stops [[
    local sender = send(0.2, "INT")
    pcall(evaluate, require("crossfold").learner("debug", { action = "sleep", sleep_ms = 60000 }))]]
end

arg = {}  -- LuaUnit would take it for its own options
os.exit(lu.LuaUnit.run("--output", "text"))
