-- isolation_test.lua PROGRAM DATA BAD_PLUGINS SCRATCH: what a bad plugin does to a run, and what the program
-- says when its process ends too early.
package.path = arg[0]:match("^(.*)/") .. "/?.lua;" .. package.path
local lu = require "luaunit"
local Shell = require "shell"
local printed, refused = Shell.printed, Shell.refused

local data, bad_plugins = arg[2], arg[3]
local shell = Shell.new(arg[4], arg[1])

-- Runs a script in which `evaluate(learner, more)` is an experiment of three folds with it and knn.
local function run(text, plugin, options, environment)
  local path = shell:write("isolation.lua", ([[
    local cf = require "crossfold"
    local function evaluate(learner, more)
      local given = { data = cf.read("%s/iris.csv", { target = "class" }), learners = { bad = learner, knn = "knn" },
        splitter = cf.splitter("kfold", { folds = 3 }), metrics = { "accuracy", "log_loss" } }
      for name, value in pairs(more or {}) do given[name] = value end
      return cf.evaluate(given)
    end
    ]]):format(data) .. text)
  return shell:run("%s \"$CROSSFOLD\" --plugin-path '%s/%s.crossfold.so' run --no-sharing %s '%s'",
    environment or "", bad_plugins, plugin, options or "", path)
end

TestAuto = {}

function TestAuto:test_a_plugin_that_ends_the_process_fails_its_cells_alone()
  for _, name in ipairs { "exits_in_fit", "aborts_in_fit" } do
    lu.assertEquals({ run(([[
      for _, failure in ipairs(evaluate("bad.%s"):failures()) do print(failure.learner, failure.fold, failure.stage) end
      ]]):format(name), "learners_process") }, { 3, "bad\t1\trun\nbad\t2\trun\nbad\t3\trun\n",
      "crossfold: 3 of 6 cells failed\n" })
  end
end

function TestAuto:test_the_numbers_are_those_of_every_mode()
  local status, expected = run('return evaluate "bad.good_smoother"', "sound", "--json --isolate none")
  lu.assertEquals(status, 0)
  for _, mode in ipairs { "auto", "worker", "fresh" } do
    local _, output = run(('return evaluate("bad.good_smoother", { isolate = "%s" })'):format(mode), "sound",
      "--json --isolate none")
    lu.assertEquals(output, expected)
  end
end

function TestAuto:test_bundled_plugins_need_no_process()
  printed(run('evaluate(cf.pipeline { "standardize", "knn" })', "good", "",
    "CROSSFOLD_WORKER=/nowhere"))
end

function TestAuto:test_a_metric_of_another_plugin_is_computed_in_a_process_too()
  lu.assertEquals({ run('print(#evaluate("featureless", { metrics = "bad.good_metric" }):failures())',
    "sound") }, { 0, "0\n", "" })
  local _, _, note = run('evaluate("featureless", { metrics = "bad.good_metric" })', "sound", "",
    "CROSSFOLD_WORKER=/nowhere")
  lu.assertStrContains(note, "run in this process")
end

function TestAuto:test_without_worker_processes_cells_run_here_and_a_note_says_so_once()
  local status, output, errors = run('evaluate "bad.good"; print(#evaluate("bad.good"):failures())', "good", "",
    "CROSSFOLD_WORKER=/nowhere")
  lu.assertEquals({ status, output }, { 0, "0\n" })
  lu.assertEquals(errors, "crossfold: cells of 'bad.good' run in this process, which ends if a plugin crashes: "
    .. "cannot start a worker process: there is no program crossfold-worker; searched: /nowhere; set CROSSFOLD_WORKER "
    .. "to its path, or set isolate = \"none\"\n")
end

function TestAuto:test_limits_are_not_given_up_without_worker_processes()
  lu.assertStrContains(refused(run('evaluate "bad.good"', "good", "--time-limit 5", "CROSSFOLD_WORKER=/nowhere")),
    "there is no program crossfold-worker")
end

TestWorkers = {}

function TestWorkers:test_a_plugin_that_maps_over_the_columns_changes_no_cell_of_another()
  local script = [[
    local learners = { before = "knn", bad = arg[1], after = "naive_bayes", stump = "one_r" }
    local result = evaluate("knn", { learners = learners, isolate = "worker", workers = 1, seed = arg[2] })
    for _, row in ipairs(result:summary()) do
      if row.learner ~= "bad" then print(row.learner, row.metric, row.n, row.mean) end
    end
    local failures = result:failures()
    print(#failures, failures[1] and failures[1].learner, failures[1] and failures[1].message)]]
  for seed = 1, 3 do
    local _, expected = run(script:gsub("arg%[1%]", '"knn"'):gsub("arg%[2%]", seed), "learners_of_hosts")
    local status, output = run(script:gsub("arg%[1%]", '"bad.maps_over_columns"'):gsub("arg%[2%]", seed),
      "learners_of_hosts")
    lu.assertEquals(status, 3)
    lu.assertEquals(output:gsub("[^\n]*\n$", ""), expected:gsub("[^\n]*\n$", ""))
    lu.assertStrContains(output, "3\tbad\tthe process exited with code 70; it wrote: 'crossfold-worker: a plugin "
      .. "mapped other memory in place of the dataset'; repeat it with ")
  end
end

function TestWorkers:test_a_plugin_that_leaves_files_open_fails_no_cell_of_another()
  local script = [[
    local result = evaluate("bad.descriptor_in_fit", { splitter = cf.splitter("kfold", { folds = 60 }), workers = 1 })
    for _, row in ipairs(result:summary()) do print(row.learner, row.metric, row.mean) end
    for _, failure in ipairs(result:failures()) do print(failure.learner, failure.fold, failure.message) end]]
  local _, expected = run(script, "learners_process", "--isolate none")
  lu.assertEquals(printed(run(script, "learners_process", "--isolate worker", "ulimit -n 40;")), expected)
end

function TestWorkers:test_a_process_that_closed_its_socket_ends_with_the_program()
  local status, output = run('evaluate "bad.outlives_its_host"', "learners_of_hosts", "",
    ("rm -f '%s/pid'; export BAD_PLUGIN_PID='%s/pid';"):format(shell.folder, shell.folder))
  lu.assertEquals({ status, output }, { 128 + 9, "" })
  local pid = Shell.read(shell.folder .. "/pid"):match("%d+")
  lu.assertEquals(shell:run("for i in 1 2 3 4 5 6; do kill -0 %s 2>/dev/null || exit 0; sleep 0.5; done; kill -9 %s; "
    .. "exit 1", pid, pid), 0)
end

function TestWorkers:test_a_run_needs_the_descriptors_of_one_worker_and_loses_nothing_where_there_are_fewer()
  local script = [[
    local result = evaluate("bad.good_smoother", { workers = tonumber(os.getenv "WORKERS"), isolate = "worker" })
    for _, row in ipairs(result:summary()) do print(row.learner, row.metric, row.n, row.mean) end]]
  local store = shell.folder .. "/descriptors.cfdb"
  local function evaluate(environment)
    os.remove(store)
    return run(script, "sound", ("--store '%s'"):format(store), environment)
  end
  local _, expected = evaluate "WORKERS=1"
  local some_fail, some_work = false, false
  for n = 6, 30, 2 do
    local status, output, errors = evaluate(("ulimit -n %d; WORKERS=1"):format(n))
    lu.assertEquals({ status, output }, status == 0 and { 0, expected } or { 1, "" })
    if status == 1 then
      some_fail = true
      lu.assertStrContains(errors, "crossfold: ")
      if errors:find("cannot start worker process", 1, true) then
        lu.assertStrContains(errors, "crossfold-worker': Too many open files; raise the limit (ulimit -n)")
      end
    else
      some_work = true
      local as_well, same = evaluate(("ulimit -n %d; WORKERS=4"):format(n))
      lu.assertEquals({ as_well, same }, { 0, expected })
    end
    local again, whole = run(script, "sound", ("--store '%s'"):format(store), "WORKERS=1")
    lu.assertEquals({ again, whole }, { 0, expected })
  end
  lu.assertTrue(some_fail and some_work)
end

TestEarlyEnd = {}

function TestEarlyEnd:test_exit_in_a_plugin_is_told_and_no_success()
  lu.assertEquals({ run('print "before"; evaluate "bad.exits_in_fit"; print "after"', "learners_process",
    "--isolate none") }, { 1, "before\n", "crossfold: the process ended before its work was "
    .. "done: a plugin or a library called exit(); with --isolate worker, only the cell of the plugin would have "
    .. "failed\n" })
end

function TestEarlyEnd:test_a_crash_in_a_plugin_is_told()
  local status, _, errors = run('evaluate "bad.aborts_in_fit"', "learners_process", "--isolate none")
  lu.assertEquals(status, 128 + 6)
  lu.assertStrContains(errors, "crossfold: the process ended before its work was done: it crashed; with --isolate "
    .. "worker, only the cell of the plugin would have failed\n")
end

function TestEarlyEnd:test_a_plugin_that_uses_up_the_stack_is_told_on_every_thread()
  lu.skipIf(shell:run("ulimit -v 1500000; \"$CROSSFOLD\" --version >/dev/null") ~= 0, "sanitizers handle crashes")
  for _, workers in ipairs { 1, 4, 4, 4, 4 } do -- threads that crash together race for the line
    local status, _, errors = run(('evaluate("bad.overflows_stack", { workers = %d })'):format(workers),
      "learners_process", "--isolate none")
    lu.assertEquals(status, 128 + 11)
    lu.assertStrContains(errors, "crossfold: the process ended before its work was done: it crashed; with --isolate "
      .. "worker, only the cell of the plugin would have failed\n")
  end
end

function TestEarlyEnd:test_a_script_may_exit()
  for _, close in ipairs { "false", "true" } do
    lu.assertEquals({ run(('print "before"; os.exit(7, %s)'):format(close), "good") }, { 7, "before\n", "" })
  end
end

function TestEarlyEnd:test_an_exit_of_a_script_that_fails_ends_nothing_and_hides_no_exit_of_a_plugin()
  local status, output, errors = run('print(pcall(os.exit, {})); evaluate "bad.exits_in_fit"', "learners_process",
    "--isolate none")
  lu.assertEquals(status, 1)
  lu.assertStrMatches(output, "false\tbad argument #1 to '%S+' %(number expected, got table%)\n")
  lu.assertStrContains(errors, "a plugin or a library called exit()")
end

function TestEarlyEnd:test_a_file_that_may_not_grow_is_an_error_that_is_told()
  lu.assertStrContains(refused(run(([[
    evaluate("knn", { splitter = cf.splitter("kfold", { folds = 50 }) }):to { csv = "%s/too_large.csv" }]]):format(
    shell.folder), "good", "", "ulimit -f 1;")), "too_large.csv': it cannot be written (File too large)")
end

arg = {}  -- LuaUnit would take it for its own options
os.exit(lu.LuaUnit.run("--output", "text"))
