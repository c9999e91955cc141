-- retries_test.lua PROGRAM DATA BAD_PLUGINS SCRATCH: cells that fail because of the machine, and what is said of them.
package.path = arg[0]:match("^(.*)/") .. "/?.lua;" .. package.path
local lu = require "luaunit"
local Shell = require "shell"
local printed = Shell.printed

local data, bad_plugins, scratch = arg[2], arg[3], arg[4]
local here = arg[0]:match("^(.*)/")
local shell = Shell.new(scratch, arg[1])
local tries, store, undisturbed_store = scratch .. "/tries", scratch .. "/retries.cfdb", scratch .. "/undisturbed.cfdb"

-- An experiment of three folds with bad.fails_at_first and knn, in one store. Prints the failures before the result.
local script = shell:write("retries.lua", ([[
  local cf = require "crossfold"
  local result = cf.evaluate { data = cf.read("%s/iris.csv", { target = "class" }),
    learners = { bad = "bad.fails_at_first", knn = "knn" }, splitter = cf.splitter("kfold", { folds = 3 }),
    metrics = { "accuracy", "log_loss" }, %%s }
  for _, f in ipairs(result:failures()) do
    print(f.learner, f.fold, f.cause, (f.message:gsub("; repeat it with .*%%%%)", "")))
  end
  return result]]):format(data))

-- The first fits fail as `failure` says. Returns as Shell.run, and how many fits each cell of the learner had.
local function run(failure, options, more)
  local text = Shell.read(script):format(more or "")
  local path = shell:write("retries_now.lua", text)
  lu.assertEquals(shell:run("rm -rf '%s' '%s'*; mkdir '%s'", tries, store, tries), 0)
  local status, output, errors = shell:run("BAD_PLUGIN_TRIES='%s' BAD_PLUGIN_FAILURE=%s \"$CROSSFOLD\" --plugin-path "
    .. "'%s/learners_of_hosts.crossfold.so' run --no-sharing --store '%s' %s '%s'", tries, failure, bad_plugins, store,
    options or "", path)
  local _, sizes = shell:run("for one in '%s'/*; do wc -c <\"$one\"; done", tries)
  return status, output, (errors:gsub("store [^\n]*\n", "")), (sizes:gsub("\n", " "))
end

-- What `crossfold status` prints before the list of runs.
local function status_text()
  local output = printed(shell:crossfold("status '%s'", store))
  return (output:gsub("\nrun 1, .*$", ""))
end

local wanted = [[
dataset  learner  cells  wanted  done  failed  stopped  missing  predictions
-------  -------  -----  ------  ----  ------  -------  -------  -----------
]]
local done = wanted .. [[
iris     bad      outer       3     3       0        0        0            3
iris     knn      outer       3     3       0        0        0            3
]]
local stopped = wanted .. [[
iris     bad      outer       3     0       0        3        0            0
iris     knn      outer       3     3       0        0        0            3
]]
local failed = wanted .. [[
iris     bad      outer       3     0       3        0        0            0
iris     knn      outer       3     3       0        0        0            3
]]

local _, undisturbed = run "nothing"
lu.assertEquals(shell:run("rm -f '%s'*; mv '%s' '%s'", undisturbed_store, store, undisturbed_store), 0)

TestRetries = {}

function TestRetries:test_cells_that_were_killed_twice_succeed_at_the_third_try_with_the_same_bytes()
  for _, workers in ipairs { 1, 4 } do
    local code, output, errors, fits = run("killed", "--isolate fresh --workers " .. workers)
    lu.assertEquals({ code, output, fits }, { 0, undisturbed, "3 3 3 " })
    lu.assertEquals(errors, "crossfold: 3 failed cells are tried again (try 2 of 3): 3 killed\n"
      .. "crossfold: 3 failed cells are tried again (try 3 of 3): 3 killed\n")
    lu.assertEquals({ shell:crossfold("diff '%s' '%s'", undisturbed_store, store) }, { 0, "6 cells equal\n", "" })
    lu.assertEquals(status_text(), done .. "\n3 cells needed more than one try\n")
  end
end

function TestRetries:test_cross_predictions_of_this_process_are_tried_again()
  local path = shell:write("cross.lua", ([[
    local cf = require "crossfold"
    local made = cf.cross_predict { data = cf.read("%s/iris.csv", { target = "class" }), learner = "bad.fails_at_first",
      splitter = cf.splitter("kfold", { folds = 3 }), seed = 1 }
    print(made ~= nil)]]):format(data))
  for retries, expected in pairs { [0] = 1, [2] = 0 } do
    lu.assertEquals(shell:run("rm -rf '%s'; mkdir '%s'", tries, tries), 0)
    local code = shell:run("BAD_PLUGIN_TRIES='%s' BAD_PLUGIN_FAILURE=disk \"$CROSSFOLD\" --plugin-path "
      .. "'%s/learners_of_hosts.crossfold.so' run --no-sharing --isolate none --retries %d '%s'", tries, bad_plugins,
      retries, path)
    lu.assertEquals(code, expected)
  end
end

function TestRetries:test_a_cell_that_needs_more_processor_time_than_the_shell_allows_is_not_tried_again()
  local path = shell:write("spins.lua", ([[
    local cf = require "crossfold"
    local result = cf.evaluate { data = cf.read("%s/iris.csv", { target = "class" }), metrics = "accuracy",
      learners = cf.learner("debug", { action = "spin" }), splitter = cf.splitter("holdout", { test_share = 0.2 }) }
    for _, f in ipairs(result:failures()) do print(f.cause) end]]):format(data))
  local code, output, errors = shell:run("ulimit -t 3; \"$CROSSFOLD\" run --isolate worker '%s'", path)
  lu.assertEquals({ code, output, errors }, { 3, "time\n", "crossfold: 1 of 1 cells failed\n" })
end

-- `ulimit -t` counts all that a worker has computed; --cpu-limit is about one cell.
function TestRetries:test_a_worker_that_used_up_the_time_of_the_shell_costs_no_cell_that_needs_little()
  local path = shell:write("works.lua", ([[
    local cf = require "crossfold"
    local function evaluate(trees, folds, isolate)
      return cf.evaluate { data = cf.read("%s/iris.csv", { target = "class" }), metrics = "accuracy",
        learners = cf.learner("random_forest", { trees = trees }), splitter = cf.splitter("kfold", { folds = folds }),
        isolate = isolate }
    end
    local before = os.clock()
    evaluate(1000, 2, "none")
    local trees_in_a_second = 2000 / (os.clock() - before)
    -- Cells of 0.4 s, and 4.8 s of all.
    print(#evaluate(trees_in_a_second * 0.4 // 1 | 0, 12):failures())]]):format(data))
  local code, output = shell:run("ulimit -t 3; \"$CROSSFOLD\" run --isolate worker --workers 1 --cpu-limit 100 '%s'",
    path)
  lu.assertEquals({ code, output }, { 0, "0\n" })
end

function TestRetries:test_a_program_of_a_folder_that_is_killed_is_tried_again()
  local path = shell:write("killed_program.lua", ([[
    local cf = require "crossfold"
    local result = cf.evaluate { data = cf.read("%s/iris.csv", { target = "class" }), metrics = "accuracy",
      learners = cf.learner("org.example.probe", { action = "killed" }),
      splitter = cf.splitter("holdout", { test_share = 0.2 }) }
    for _, f in ipairs(result:failures()) do print(f.cause, f.message) end]]):format(data))
  for _, limit in ipairs { "", "--memory-limit 8G" } do
    local code, output, errors = shell:run("\"$CROSSFOLD\" --plugin-path '%s/../data/probe.crossfold' run %s '%s'",
      here, limit, path)
    lu.assertEquals({ code, output }, { 3, "disk\tits process was ended from outside by signal 9 (Killed); "
      .. "it was tried 3 times\n" })
    lu.assertStrContains(errors, "crossfold: 1 failed cell is tried again (try 3 of 3): 1 disk\n")
  end
end

-- A process has models of several cells if there are more workers than cores.
function TestRetries:test_a_crash_of_a_program_fails_no_cell_whose_model_it_had()
  local path = shell:write("crash_beside.lua", ([[
    local cf = require "crossfold"
    local result = cf.evaluate { data = cf.read("%s/iris.csv", { target = "class" }), metrics = "accuracy",
      learners = { good = "org.example.probe", bad = cf.learner("org.example.probe", { action = "exit" }) },
      splitter = cf.splitter("kfold", { folds = 15 }), workers = 8 }
    local failed = { good = 0, bad = 0 }
    for _, f in ipairs(result:failures()) do failed[f.learner] = failed[f.learner] + 1 end
    print(failed.good, failed.bad)]]):format(data))
  for _ = 1, 3 do
    local code, output = shell:run("\"$CROSSFOLD\" --plugin-path '%s/../data/probe.crossfold' run '%s'", here, path)
    lu.assertEquals({ code, output }, { 3, "0\t15\n" })
  end
end

function TestRetries:test_archives_do_not_depend_on_tries()
  run("killed", "--isolate fresh")
  lu.assertEquals(shell:run("rm -f '%s'/*.zip", scratch), 0)
  for name, of in pairs { retried = store, plain = undisturbed_store } do
    lu.assertEquals(shell:run("\"$CROSSFOLD\" export '%s' '%s/%s.zip' >/dev/null", of, scratch, name), 0)
    lu.assertEquals(shell:run([[python3 -c 'import sys, zipfile
sys.stdout.buffer.write(zipfile.ZipFile(sys.argv[1]).read("store.cfdb"))' '%s/%s.zip' >'%s/%s.copy']], scratch, name,
      scratch, name), 0)
  end
  lu.assertEquals(shell:run("cmp '%s/retried.copy' '%s/plain.copy'", scratch, scratch), 0)
end

function TestRetries:test_stores_of_retried_and_undisturbed_cells_are_merged_without_a_conflict()
  run("killed", "--isolate fresh")
  local merged = scratch .. "/merged.cfdb"
  lu.assertEquals(shell:run("rm -f '%s'*", merged), 0)
  local code, _, errors = shell:crossfold("merge '%s' '%s' '%s'", merged, undisturbed_store, store)
  lu.assertEquals({ code, errors }, { 0, "" })
end

function TestRetries:test_a_cell_that_is_always_killed_fails_after_the_last_try_and_the_next_run_tries_it_again()
  local code, output, errors, fits = run("killed", "--isolate fresh --retries 1")
  lu.assertEquals({ code, fits }, { 3, "2 2 2 " })
  lu.assertStrContains(output, "bad\t1\tkilled\tthe process died of signal 9 (Killed); it was tried 2 times\n"
    .. "bad\t2\tkilled\tthe process died of signal 9 (Killed); it was tried 2 times\n"
    .. "bad\t3\tkilled\tthe process died of signal 9 (Killed); it was tried 2 times\n")
  lu.assertEquals(errors, "crossfold: 3 failed cells are tried again (try 2 of 2): 3 killed\n"
    .. "crossfold: 3 of 6 cells failed\n")
  lu.assertEquals(status_text(), stopped .. [[

dataset  learner  cells  cause   failures
-------  -------  -----  ------  --------
iris     bad      outer  killed         3

3 cells needed more than one try
]])
  local again, same = shell:crossfold("--plugin-path '%s/learners_of_hosts.crossfold.so' run --quiet --no-sharing "
    .. "--store '%s' '%s/retries_now.lua'", bad_plugins, store, scratch)
  lu.assertEquals({ again, same }, { 0, undisturbed })
end

function TestRetries:test_a_result_read_back_from_the_store_has_the_causes_and_the_tries()
  local read_back = shell:write("read_back.lua", ([[
    local result = require("crossfold").stored { store = "%s" }.results[1]
    for _, f in ipairs(result:failures()) do print(f.learner, f.fold, f.cause) end
    for _, w in ipairs(result:warnings()) do print(w.learner, w.fold, w.message) end]]):format(store))
  local first = "run: try 1 failed (killed): the process died of signal 9 (Killed)\n"
  local second = "run: try 2 failed (killed): the process died of signal 9 (Killed)\n"
  run("killed", "--isolate fresh --retries 1")
  lu.assertEquals({ shell:crossfold("run '%s'", read_back) }, { 0, "bad\t1\tkilled\nbad\t2\tkilled\nbad\t3\tkilled\n"
    .. "bad\t1\t" .. first .. "bad\t2\t" .. first .. "bad\t3\t" .. first, "" })
  run("killed", "--isolate fresh")
  lu.assertEquals({ shell:crossfold("run '%s'", read_back) }, { 0, "bad\t1\t" .. first .. "bad\t1\t" .. second
    .. "bad\t2\t" .. first .. "bad\t2\t" .. second .. "bad\t3\t" .. first .. "bad\t3\t" .. second, "" })
end

function TestRetries:test_without_retries_a_killed_cell_fails_at_once()
  local code, output, errors, fits = run("killed", "--isolate fresh", "retries = 0")
  lu.assertEquals({ code, errors, fits }, { 3, "crossfold: 3 of 6 cells failed\n", "1 1 1 " })
  lu.assertStrContains(output, "bad\t1\tkilled\tthe process died of signal 9 (Killed)\n")
end

function TestRetries:test_a_full_disk_is_tried_again_in_this_process_too()
  local code, output, errors, fits = run("disk", "--isolate none")
  lu.assertEquals({ code, output, fits }, { 0, undisturbed, "3 3 3 " })
  lu.assertEquals(errors, "crossfold: 3 failed cells are tried again (try 2 of 3): 3 disk\n"
    .. "crossfold: 3 failed cells are tried again (try 3 of 3): 3 disk\n")
end

function TestRetries:test_what_the_data_did_is_tried_once_and_kept()
  local code, output, errors, fits = run("data", "--isolate worker")
  lu.assertEquals({ code, errors, fits }, { 3, "crossfold: 3 of 6 cells failed\n", "1 1 1 " })
  lu.assertStrContains(output, "bad\t1\tdata\tnot these data\n")
  lu.assertEquals(status_text(), failed .. [[

dataset  learner  cells  cause  failures
-------  -------  -----  -----  --------
iris     bad      outer  data          3
]])
end

function TestRetries:test_a_crash_is_the_doing_of_the_plugin_and_is_tried_once()
  local code, output, errors, fits = run("crash", "--isolate fresh")
  lu.assertEquals({ code, errors, fits }, { 3, "crossfold: 3 of 6 cells failed\n", "1 1 1 " })
  lu.assertStrContains(output, "bad\t1\tplugin\tthe process died of signal 6 (Aborted)\n")
  local _, csv = shell:crossfold("status --csv '%s'", store)
  lu.assertEquals(csv, "dataset,learner,cells,wanted,done,failed,stopped,missing,predictions,data,plugin,time,memory,"
    .. "killed,disk,lost,unknown,retried\niris,bad,outer,3,0,0,3,0,0,0,3,0,0,0,0,0,0,0\n"
    .. "iris,knn,outer,3,3,0,0,0,3,0,0,0,0,0,0,0,0,0\n")
end

function TestRetries:test_a_cell_that_needs_more_than_its_memory_gets_twice_as_much()
  local code, output, errors, fits = run("memory", "--memory-limit 64M --memory-limit-max 256M --workers 4")
  lu.assertEquals({ code, output, fits }, { 0, undisturbed, "2 2 2 " })
  lu.assertEquals(errors, "crossfold: 3 failed cells are tried again (try 2 of 3): 3 memory\n")
  lu.assertEquals({ shell:crossfold("diff '%s' '%s'", undisturbed_store, store) }, { 0, "6 cells equal\n", "" })
end

function TestRetries:test_memory_grows_up_to_its_maximum_and_not_without_one()
  local code, output, _, fits = run("memory", "", 'limits = { memory = "20M", memory_max = "60M" }, retries = 9')
  lu.assertEquals({ code, fits }, { 3, "3 3 3 " })
  lu.assertStrContains(output, "bad\t1\tmemory\tthe process needed more than 60 MiB, the limit of a cell; it was "
    .. "tried 3 times\n")
  code, output, _, fits = run("memory", "--memory-limit 60M")
  lu.assertEquals({ code, fits }, { 3, "1 1 1 " })
  lu.assertStrContains(output, "bad\t1\tmemory\tthe process needed more than 60 MiB, the limit of a cell\n")
  lu.assertEquals(status_text(), stopped .. [[

dataset  learner  cells  cause   failures
-------  -------  -----  ------  --------
iris     bad      outer  memory         3
]])
end

function TestRetries:test_a_status_in_lua_has_the_causes()
  run("data", "--isolate worker")
  local _, output = shell:crossfold("run '%s'", shell:write("causes.lua", ([[
    local cf = require "crossfold"
    local learner = cf.store_status("%s").learners[1]
    print(learner.learner, learner.causes.data, learner.causes.killed, learner.retried)]]):format(store)))
  lu.assertEquals(output, "bad\t3\t0\t0\n")
end

function TestRetries:test_options_out_of_range_are_refused()
  local function message(more)
    local code, _, errors = run("nothing", "", more)
    lu.assertEquals(code, 1)
    return errors
  end
  lu.assertStrContains(message "retries = 101", "evaluate: retries = 101 is out of range; use 0 to 100\n")
  lu.assertStrContains(message 'limits = { memory = "2M", memory_max = "1M" }',
    "evaluate: limits.memory_max = 1048576 is less than limits.memory = 2097152\n")
  for options, expected in pairs {
    ["--memory-limit-max 1G"] = "--memory-limit-max needs a limit to begin with; use --memory-limit\n",
    ["--memory-limit 2G --memory-limit-max 1G"] = "--memory-limit-max is less than --memory-limit; leave it out, or "
      .. "use a larger size\n",
  } do
    local code, _, errors = run("nothing", options)
    lu.assertEquals(code, 2)
    lu.assertStrContains(errors, expected)
  end
end

arg = {}  -- LuaUnit would take it for its own options
os.exit(lu.LuaUnit.run("--output", "text"))
