-- sandbox_test.lua PROGRAM SCRIPTS PLUGINS SCRATCH: crossfold run --sandbox, in its child process.
package.path = arg[0]:match("^(.*)/") .. "/?.lua;" .. package.path
local lu = require "luaunit"
local Shell = require "shell"
local printed, refused = Shell.printed, Shell.refused

local program, scripts, plugins, scratch = arg[1], arg[2], arg[3], arg[4] .. "/sandbox"
os.execute(("mkdir -p '%s/inner'"):format(scratch))

local own = Shell.new(scratch, program, ("CROSSFOLD_PLUGIN_PATH='%s'"):format(plugins))
local function shell(command) return own:run(command) end

local function run(text, options, arguments)
  return shell(('"$CROSSFOLD" run --sandbox %s \'%s\' %s'):format(options or "", own:write("script.lua", text),
    arguments or ""))
end

local stopped = "crossfold: stopped '" .. scratch .. "/script.lua': "

TestSandbox = {}

function TestSandbox:test_output_arguments_and_value_pass_through()
  local status, output, errors = run("print('hello', ...) io.write(arg[1], '\\n') return #arg", "",
    "--sandbox-root b")
  lu.assertEquals({ status, output }, { 0, "hello\t--sandbox-root\tb\n--sandbox-root\n2\n" })
  lu.assertEquals(select(2, errors:gsub("after the script is an argument of the script", "")), 1)
end

function TestSandbox:test_errors_name_file_and_line()
  lu.assertEquals({ run("\nrequire 'os'") }, { 1, "", ("crossfold: %s/script.lua:2: cannot require 'os': "
    .. "a sandbox has the module 'crossfold' only; put what you need into the script\n"):format(scratch) })
end

-- A key file outside the root stays unread, whatever it is.
function TestSandbox:test_a_key_file_outside_the_root_is_not_read()
  local sealed, key = scratch .. "/inner/apart.lockbox", scratch .. "/apart.key"
  os.remove(sealed)
  os.remove(key)
  local seals = own:write("seal.lua", ([[
  local cf = require "crossfold"
  cf.lockbox(cf.read("%s/data/iris.csv", { target = "class" }), { file = "%s", key = "%s" })]]):format(scripts, sealed,
    key))
  lu.assertEquals(shell(("\"$CROSSFOLD\" run '%s'"):format(seals)), 0)
  local opens = own:write("inner/verify.lua", "local cf = require 'crossfold'\n"
    .. "cf.read_lockbox('apart.lockbox'):verify { key = '../apart.key' }")
  lu.assertStrContains(refused(shell(("cd '%s/inner' && \"$CROSSFOLD\" run --sandbox '%s'"):format(scratch, opens))),
    "cannot read '../apart.key': it is outside the sandbox's root folder")
end

local writer = [[
  local cf = require "crossfold"
  local data = cf.dataset{ target = "y", columns = { { name = "x", values = { 1, 2 } },
    { name = "y", values = { "a", "b" } } } }
  cf.evaluate{ data = data, learners = "featureless", splitter = "leave_one_out",
    metrics = "accuracy" }:to{ csv = ... }]]

function TestSandbox:test_a_script_writes_new_files_of_its_output_folder()
  own:write("relative.lua", writer)
  shell(("rm -r '%s/crossfold-output'"):format(scratch))
  local call = ("cd '%s' && \"$CROSSFOLD\" run --sandbox relative.lua "):format(scratch)
  lu.assertEquals({ shell(call .. "crossfold-output/relative.csv") }, { 0, "", "" })
  lu.assertStrContains(own.read(scratch .. "/crossfold-output/relative.csv"), "accuracy")
  lu.assertEquals({ shell(call .. "crossfold-output/relative.csv") },
    { 1, "", "crossfold: relative.lua:4: cannot write "
    .. "'crossfold-output/relative.csv': it exists already, and a sandbox replaces nothing; choose another name\n" })
end

-- The folder of the script may be a repository: what is executed or read there stays as it is.
function TestSandbox:test_a_script_replaces_nothing_beside_it()
  own:write("relative.lua", writer)
  own:write("build.sh", "#!/bin/sh\n")
  shell(("chmod +x '%s/build.sh'"):format(scratch))
  for _, name in ipairs { "build.sh", ".git/config", ".bashrc", "crossfold.lock", "new.csv" } do
    local line = ("cd '%s' && \"$CROSSFOLD\" run --sandbox relative.lua %s"):format(scratch, name)
    lu.assertStrContains(refused(shell(line)),
      ("cannot write '%s': it is outside the sandbox's output folder"):format(name))
  end
  lu.assertEquals(own.read(scratch .. "/build.sh"), "#!/bin/sh\n")
end

function TestSandbox:test_the_output_folder_can_be_another()
  own:write("relative.lua", writer)
  shell(("rm -r '%s/elsewhere'"):format(scratch))
  printed(shell(("cd '%s' && \"$CROSSFOLD\" run --sandbox --sandbox-output elsewhere relative.lua "
    .. "elsewhere/a.csv"):format(scratch)))
  lu.assertStrContains(own.read(scratch .. "/elsewhere/a.csv"), "accuracy")
end

function TestSandbox:test_an_endless_script_is_stopped()
  lu.assertEquals(refused(run("while true do pcall(function() while true do end end) end",
    "--sandbox-seconds 0.3")), stopped .. "it ran for 0.3 s, the time of this sandbox; give it "
    .. "more (--sandbox-seconds, SandboxLimits.seconds)\n")
end

-- A process that the kernel has stopped does not look at its clock.
function TestSandbox:test_a_script_that_does_not_stop_is_killed()
  local path = own:write("script.lua", "while true do end")
  local _, output, errors = shell(([[
    "$CROSSFOLD" run --sandbox --sandbox-seconds 1 '%s' & parent=$!
    for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
      child=$(cut -d ' ' -f 1 /proc/$parent/task/$parent/children); [ -n "$child" ] && break; sleep 0.05
    done
    kill -STOP $child; wait $parent; echo "status $?"]]):format(path))
  lu.assertEquals({ output, errors }, { "status 1\n", "crossfold: killed the script: it did not stop when its time was "
    .. "up; give it more (--sandbox-seconds)\n" })
end

function TestSandbox:test_a_greedy_script_is_stopped()
  lu.assertEquals(refused(run("local t = {} for i = 1, 1e12 do t[i] = i end", "--sandbox-memory 64M")),
    stopped .. "its values need more than 67108864 bytes, the memory "
    .. "of this sandbox; keep less at a time, or give it more (--sandbox-memory, SandboxLimits.memory)\n")
end

-- Each cell wants more than 120 MB for its weights.
local hungry = [[
  local cf = require "crossfold"
  local x, y = {}, {}
  for i = 1, 8 do x[i], y[i] = i, i % 2 == 0 and "a" or "b" end
  local data = cf.dataset{ target = "y", columns = { { name = "x", values = x }, { name = "y", values = y } } }
  return cf.evaluate{ data = data, learners = cf.learner("mlp", { hidden = { 3000, 5000 } }),
    splitter = "leave_one_out", metrics = "accuracy", isolate = ..., workers = 4 }]]

function TestSandbox:test_a_script_that_is_greedy_outside_lua_is_killed()
  lu.assertEquals(refused(run(hungry, "--sandbox-memory 64M", "none")),
    "crossfold: killed the script: its values, data, models and worker "
    .. "processes together took more than 67108864 bytes, the memory of this sandbox; keep less at a time, or "
    .. "give it more (--sandbox-memory)\n")
end

-- The most that the script's process and its workers have at once, as the kernel counts it.
function TestSandbox:test_worker_processes_share_the_memory_of_the_script()
  local path = own:write("script.lua", hungry)
  local _, output = shell(([[
    "$CROSSFOLD" run --sandbox --sandbox-memory 64M --sandbox-seconds 20 '%s' worker >/dev/null 2>&1 & parent=$!
    most=0; processes=0
    while kill -0 $parent 2>/dev/null; do
      tree=$(cat /proc/$parent/task/*/children 2>/dev/null)
      for child in $tree; do tree="$tree $(cat /proc/$child/task/*/children 2>/dev/null)"; done
      now=0; n=0
      for process in $tree; do
        bytes=$(grep RssAnon /proc/$process/status 2>/dev/null | tr -dc 0-9)
        now=$((now + ${bytes:-0})); n=$((n + 1))
      done
      [ $now -gt $most ] && most=$now
      [ $n -gt $processes ] && processes=$n
    done
    echo $most $processes $(getconf _NPROCESSORS_ONLN)]]):format(path))
  local kilobytes, processes, cores = output:match("(%d+) (%d+) (%d+)")
  lu.assertTrue(tonumber(kilobytes) < 128 * 1024, kilobytes .. " kB")
  lu.assertTrue(tonumber(processes) <= 1 + math.min(2, tonumber(cores)), processes)
  lu.assertTrue(tonumber(processes) >= 2, processes)
end

function TestSandbox:test_failed_cells_exit_with_3()
  local status, _, errors = run(([[
    local cf = require "crossfold"
    cf.evaluate{ data = cf.read("%s/data/iris.csv", { target = "class" }),
      learners = cf.learner("knn", { k = 1000 }), splitter = cf.splitter("kfold", { folds = 3 }),
      metrics = "accuracy" }]]):format(scripts), ("--sandbox-root '%s'"):format(scripts))
  lu.assertEquals({ status, errors }, { 3, "crossfold: 3 of 3 cells failed\n" })
end

function TestSandbox:test_json_is_all_that_standard_output_has()
  lu.assertEquals({ run("print 'for people' return { a = 1, b = { 2, 3 } }", "--json") },
    { 0, '{"a":1,"b":[2,3]}\n', "for people\n" })
end

function TestSandbox:test_files_are_those_of_the_scripts_folder()
  own:write("inner/in.csv", "x,y\n1,a\n2,b\n")
  own:write("outside.csv", "x,y\n1,a\n2,b\n")
  local script = own:write("inner/script.lua", "return #require 'crossfold'.read(...)")
  local call = ('cd \'%s\' && "$CROSSFOLD" run --sandbox '):format(scratch)
  local _, output = shell(call .. "inner/script.lua inner/in.csv")
  lu.assertEquals(output, "2\n")
  _, output = shell(("cd '%s/inner' && \"$CROSSFOLD\" run --sandbox script.lua in.csv"):format(scratch))
  lu.assertEquals(output, "2\n")
  lu.assertStrContains(refused(shell(("%s'%s' inner/../outside.csv"):format(call, script))),
    "cannot read 'inner/../outside.csv': it is outside the sandbox's root folder")
  _, output = shell(call .. "--sandbox-root . inner/script.lua outside.csv")
  lu.assertEquals(output, "2\n")
end

-- The limits of the process, as the kernel has them; the script waits in a loop meanwhile.
function TestSandbox:test_the_process_has_given_up_its_rights()
  local path = own:write("script.lua", "while true do end")
  local _, output = shell(([[
    "$CROSSFOLD" run --sandbox --sandbox-seconds 5 '%s' 2>/dev/null & parent=$!
    for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
      child=$(cut -d ' ' -f 1 /proc/$parent/task/$parent/children); [ -n "$child" ] && break; sleep 0.05
    done
    sleep 0.5
    grep NoNewPrivs /proc/$child/status
    grep -E 'core file|open files|cpu time' /proc/$child/limits
    ls -l /proc/$child/fd | grep -c -- '->'
    kill -INT $parent; wait $parent; echo "status $?"]]):format(path))
  lu.assertStrMatches(output:gsub("%s+", " "), "NoNewPrivs: 1 Max cpu time %d+ %d+ seconds Max core file size 0 "
    .. "0 bytes Max open files 256 256 files 3 status 130 ")
end

function TestSandbox:test_sigterm_is_told_as_an_interrupt()
  local path = own:write("script.lua", "while true do end")
  local _, output, errors = shell(([[
    "$CROSSFOLD" run --sandbox --sandbox-seconds 5 '%s' & parent=$!
    sleep 0.5; kill -TERM $parent; wait $parent; echo "status $?"]]):format(path))
  lu.assertEquals({ output, errors }, { "status 130\n", "crossfold: interrupted; what was finished is kept "
    .. "in the store of the run, if it has one (--store)\n" })
end

function TestSandbox:test_a_killed_process_is_told()
  local path = own:write("script.lua", "while true do end")
  local _, output, errors = shell(([[
    "$CROSSFOLD" run --sandbox --sandbox-seconds 5 '%s' & parent=$!
    for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
      child=$(cut -d ' ' -f 1 /proc/$parent/task/$parent/children); [ -n "$child" ] && break; sleep 0.05
    done
    sleep 0.3; kill -SEGV $child; wait $parent; echo "status $?"]]):format(path))
  lu.assertEquals(output, "status 1\n")
  lu.assertStrContains(errors, "crossfold: the script's process was killed by signal 11 (Segmentation fault); "
    .. "run it without --sandbox only if you trust it\n")
end

-- Killed like this the parent can do nothing; the kernel ends the child.
function TestSandbox:test_the_process_ends_with_its_parent()
  local path = own:write("script.lua", "while true do end")
  local _, output = shell(([[
    "$CROSSFOLD" run --sandbox --sandbox-seconds 20 '%s' & parent=$!
    for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
      child=$(cut -d ' ' -f 1 /proc/$parent/task/$parent/children); [ -n "$child" ] && break; sleep 0.05
    done
    sleep 0.3; kill -KILL $parent; wait $parent; sleep 0.5
    state=$(cat /proc/$child/stat 2>/dev/null | cut -d ' ' -f 3)
    case "$state" in ''|Z|X) echo ended;; *) echo "still $state"; kill -KILL $child;; esac]]):format(path))
  lu.assertEquals(output, "ended\n")
end

-- Those that need no file outside `scripts`; lectures/ and examples/ read its data.
function TestSandbox:test_examples_print_what_they_print_outside()
  for _, name in ipairs { "examples/quickstart", "examples/ensembles", "examples/plots", "examples/row_by_row",
    "examples/spatial_blocks", "lectures/golden_nested", "lectures/tree_id3_weather", "lectures/adaboost_stumps",
    "lectures/power_law" } do
    local status, output, errors = shell(("\"$CROSSFOLD\" run --sandbox --sandbox-root '%s' '%s/%s.lua'")
      :format(scripts, scripts, name))
    lu.assertEquals({ status, errors }, { 0, "" }, name)
    lu.assertEquals(output, own.read(("%s/%s.expected"):format(scripts, name)), name)
  end
end

function TestSandbox:test_a_wrong_limit_exits_with_2()
  lu.assertEquals(run("", "--sandbox-seconds -1"), 2)
  lu.assertEquals(run("", "--sandbox-memory much"), 2)
end

function TestSandbox:test_a_missing_script_is_told()
  lu.assertEquals(refused(shell("\"$CROSSFOLD\" run --sandbox /nowhere/x.lua")),
    "crossfold: cannot run '/nowhere/x.lua': there is no such file\n")
end

arg = {}  -- LuaUnit would take it for its own options
os.exit(lu.LuaUnit.run("--output", "text"))
