-- mpi_test.lua PROGRAM MPI_PROGRAM MPIRUN DATA PLUGINS SCRATCH: crossfold-mpi on ranks of this machine.
local lu = require "luaunit"

local program, mpi_program, mpirun, data, plugins, scratch = table.unpack(arg)
local here = arg[0]:match("^(.*)/") or "."
package.path = here .. "/?.lua;" .. package.path

-- As root and in containers, and with more ranks than cores.
local folder = require("scratch_folder").new(scratch .. "/mpi", program, "OMPI_ALLOW_RUN_AS_ROOT=1 "
  .. "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1 "
  .. "OMPI_MCA_btl_vader_single_copy_mechanism=none")

local function arguments(options, script, ...)
  return ("%s '%s' '%s' %s"):format(options, script or here .. "/experiment.lua", data,
    table.concat({ ... }, " "))
end

-- What starts a job of n ranks; `options` are those before run.
local function job(n, options)
  return ("'%s' -n %d --oversubscribe '%s' %s"):format(mpirun, n, mpi_program, options or "")
end

-- Runs on one machine, or on n ranks; returns status, stdout, stderr.
local function run_plain(...) return folder:run(("'%s' run %s"):format(program, arguments(...))) end

local function run_ranks(n, ...)
  return folder:run(("timeout 120 %s run %s"):format(job(n), arguments(...)))
end

TestMpi = {}

function TestMpi:test_any_number_of_ranks_gives_the_bytes_of_one_machine()
  local status, printed = run_plain("--store one.cfdb")
  lu.assertEquals(status, 3)
  local content = folder:export("one.cfdb")
  for _, n in ipairs { 1, 2, 4 } do
    local store = ("ranks_%d.cfdb"):format(n)
    local output, errors
    status, output, errors = run_ranks(n, "--store " .. store)
    lu.assertEquals({ status, output }, { 3, printed }, errors)
    lu.assertStrContains(errors, ("store %s: 0 cells found, 420 computed\n"):format(store))
    lu.assertStrContains(errors, "crossfold: 3 of 450 cells failed\n")
    lu.assertTrue(folder:export(store) == content)
  end
  status, printed = run_plain("--no-sharing")
  local again, output = run_ranks(3, "--no-sharing --workers 2")
  lu.assertEquals({ again, output }, { status, printed })
end

function TestMpi:test_isolation_holds_on_the_ranks()
  local script = folder:write("crash.lua", [[
local cf = require "crossfold"
local result = cf.evaluate {
  data = cf.read(arg[1] .. "/iris.csv", { target = "class" }),
  learners = { bayes = cf.learner("naive_bayes"), sleeps = cf.learner("debug", { action = "sleep" }),
    crashes = cf.learner("debug", { action = "crash", stage = "predict", when_row = 7 }),
    exits = cf.learner("debug", { action = "exit", stage = "predict", when_row = 8 }) },
  isolate = { crashes = "worker", exits = "fresh" },
  splitter = cf.splitter("kfold", { folds = 4, repeats = 2 }), metrics = "accuracy",
}
print(result)
for _, row in ipairs(result:failures()) do print(row.learner, row.fold, row.message) end
]])
  local status, printed = run_plain("", script)
  lu.assertEquals(status, 3)
  lu.assertStrContains(printed, "the process died of signal 11")
  local again, output, errors = run_ranks(3, "", script)
  lu.assertEquals({ again, output }, { 3, printed }, errors)
end

-- Cells of several calls, one of them stopped by its first failure, and more than one dataset.
function TestMpi:test_ranks_serve_one_call_after_the_other()
  local script = folder:write("calls.lua", [[
local cf = require "crossfold"
local folds = cf.splitter("kfold", { folds = 5 })
local function run(file, target, learners, on_error)
  return cf.evaluate { data = cf.read(arg[1] .. "/" .. file, { target = target }), splitter = folds,
    learners = learners, metrics = "accuracy", on_error = on_error }
end
print(run("iris.csv", "class", { "lda" }))
local _, stopped = pcall(run, "iris.csv", "class", { cf.learner("debug", { action = "throw_in_fit" }) }, "stop")
print((stopped:gsub("fold %d", "a fold")))  -- the one that failed first
print(run("iris.csv", "class", { "naive_bayes" }))
print(run("penguins.csv", "species", { "naive_bayes" }))
]])
  local status, printed, errors = run_plain("", script)
  lu.assertEquals(status, 3, errors)
  local again, output
  again, output, errors = run_ranks(3, "", script)
  lu.assertEquals({ again, output }, { status, printed }, errors)
end

-- Partitions and lists of rows that are long enough to go to all ranks at once: a repeat of 3000 rows has
-- 12 kB, a list 24 kB at least.
function TestMpi:test_large_splits_go_to_all_ranks_at_once()
  local script = folder:write("large_splits.lua", [[
local cf = require "crossfold"
local x, y = {}, {}
for i = 1, 3000 do x[i], y[i] = i * 7919 % 1009, i % 3 == 0 and "a" or "b" end
local data = cf.dataset { name = "long", target = "y", columns = { { name = "x", values = x },
  { name = "y", values = y } } }
for _, splitter in ipairs { cf.splitter("kfold", { folds = 2, repeats = 30 }),
  cf.splitter("bootstrap", { repeats = 20 }) } do
  print(cf.evaluate { data = data, learners = { cf.learner "naive_bayes" }, metrics = "log_loss",
    splitter = splitter })
end
]])
  local status, printed, errors = run_plain("", script)
  lu.assertEquals(status, 0, errors)
  local output
  status, output, errors = folder:run(("CROSSFOLD_MPI_TIMING=1 timeout 120 %s run %s"):format(job(3),
    arguments("", script)))
  lu.assertEquals({ status, output }, { 0, printed }, errors)
  local sent, broadcast = errors:match("sent (%d+) bytes, received %d+, broadcast (%d+) in")
  lu.assertTrue(tonumber(broadcast) > 30 * 12000 + 20 * 24000, errors)
  lu.assertTrue(tonumber(sent) < 100000, errors)
end

-- The process of a rank of the job whose command has `word` in it; nil if there is none yet. It works in this
-- folder: the tests of another build of the machine have jobs with the same commands.
local function pid_of(rank, word)
  local pipe = assert(io.popen(("for p in $(pgrep -f '%s'); do test /proc/$p/cwd -ef '%s' "
    .. "&& tr '\\0' '\\n' </proc/$p/environ 2>/dev/null | grep -qx OMPI_COMM_WORLD_RANK=%d && echo $p; done")
    :format(word, folder.path, rank)))
  local pid = pipe:read("n")
  pipe:close()
  return pid
end

-- The size of the logs beside a store: what cells have come.
local function bytes_of_logs(store)
  local pipe = assert(io.popen(("cat '%s/%s-log-'* 2>/dev/null | wc -c"):format(folder.path, store)))
  local bytes = pipe:read("n")
  pipe:close()
  return bytes
end

local function wait_until(is_so)
  for _ = 1, 1000 do
    if is_so() then return end
    os.execute("sleep 0.02")
  end
  error("nothing happens", 0)
end

-- Starts a job on four ranks and, when some cells have come, sends a signal to the processes that
-- `find_victims` says, a function of that of mpirun. Returns the status of mpirun; what it printed is in
-- the files "killed" and "killed_errors".
local function kill_job(store, options, milliseconds, signal, find_victims)
  folder:write("job.sh", ("echo $$\nexec %s run %s >killed 2>killed_errors\n"):format(job(4),
    arguments(options .. " --store " .. store, nil, milliseconds)))
  local started = assert(io.popen(folder:command("timeout 120 sh job.sh; echo $?")))
  local victims = find_victims(started:read("n"))  -- takes a while, so beforehand
  wait_until(function() return bytes_of_logs(store) > 20000 end)
  os.execute(("kill -%s %s"):format(signal, table.concat(victims, " ")))
  local status = started:read("n")
  started:close()
  return status
end

local function kill_ranks(store, signal, ...)
  local ranks = { ... }
  return kill_job(store, "--workers 1", "60", signal, function()
    local pids = {}
    for i, rank in ipairs(ranks) do
      wait_until(function()
        pids[i] = pid_of(rank, "store " .. store)
        return pids[i]
      end)
    end
    return pids
  end)
end

-- The same line again finds some cells, and then all is as in the store that one machine made.
local function assert_goes_on(store, options, milliseconds, whole, printed)
  local again, output, errors = run_ranks(4, options .. " --store " .. store, nil, milliseconds)
  lu.assertEquals({ again, output }, { 3, printed }, errors)
  local found, computed = errors:match("store %S+: (%d+) cells found, (%d+) computed\n")
  lu.assertTrue(tonumber(found) > 0, errors)
  lu.assertEquals(found + computed, 420)
  lu.assertTrue(folder:export(store) == folder:export(whole))
end

function TestMpi:test_a_job_whose_rank_is_killed_goes_on_where_it_stopped()
  local status, printed = run_plain("--store kill_one.cfdb", nil, "60")
  lu.assertEquals(status, 3)
  for _, rank in ipairs { 0, 2 } do
    local store = ("kill_%d.cfdb"):format(rank)
    lu.assertTrue(kill_ranks(store, "KILL", rank) > 3)
    assert_goes_on(store, "", "60", "kill_one.cfdb", printed)
  end
end

function TestMpi:test_a_job_that_is_interrupted_says_how_to_go_on()
  lu.assertEquals(kill_ranks("interrupted.cfdb", "INT", 0), 130)
  lu.assertStrContains(folder:read("killed_errors"), "crossfold: interrupted; to go on: ")
end

-- As mpirun does: it kills the whole job once a rank is gone, so the others give rank 0 time.
function TestMpi:test_a_job_whose_ranks_are_all_told_to_end_says_how_to_go_on()
  lu.assertEquals(kill_ranks("terminated.cfdb", "TERM", 3, 2, 1, 0), 130)
  lu.assertStrContains(folder:read("killed_errors"), "crossfold: interrupted; to go on: ")
end

-- Open MPI tells the ranks a second later, and gives them one more second. What rank 0 still says in that
-- time depends on the machine; what is in the store does not.
function TestMpi:test_a_job_whose_mpirun_is_interrupted_goes_on_where_it_stopped()
  local status, printed = run_plain("--store ctrl_c_one.cfdb", nil, "200")
  lu.assertEquals(status, 3)
  local interrupted = kill_job("ctrl_c.cfdb", "--workers 1", "200", "INT", function(pid) return { pid } end)
  lu.assertNotEquals(interrupted, 0)
  lu.assertNotEquals(interrupted, 124)  -- of timeout
  assert_goes_on("ctrl_c.cfdb", "--workers 1", "200", "ctrl_c_one.cfdb", printed)
end

-- How scripts end -----------------------------------------------------------------------------------

local evaluates = [[
local cf = require "crossfold"
local function evaluate(learner)
  return cf.evaluate { data = cf.read(arg[1] .. "/iris.csv", { target = "class" }),
    learners = { cf.learner(learner) }, splitter = cf.splitter("kfold", { folds = 5 }),
    metrics = "accuracy" }
end
print(evaluate "naive_bayes")
]]

function TestMpi:test_os_exit_ends_all_ranks_with_its_status_and_keeps_the_cells()
  local ends = { ["os.exit(0)"] = 0, ["os.exit(true, true)"] = 0, ["os.exit(7)"] = 7,
    ["cf.parallel { function() evaluate 'lda' os.exit(9) end }"] = 9 }
  for last, expected in pairs(ends) do
    for _, n in ipairs { 1, 3 } do
      os.execute(("rm -f '%s/exit.cfdb'*"):format(folder.path))
      local script = folder:write("exit.lua", evaluates .. last)
      local status, output, errors = run_ranks(n, "--store exit.cfdb", script)
      lu.assertEquals(status, expected, last .. errors)
      lu.assertStrContains(output, "naive_bayes  accuracy")
      lu.assertNotStrContains(errors, "improperly")
      lu.assertStrMatches(folder.printed(folder:crossfold("status exit.cfdb")),
        ".*\niris +naive_bayes +outer +5 +5 .*")
    end
  end
end

function TestMpi:test_a_script_that_raises_ends_all_ranks()
  local script = folder:write("raises.lua", evaluates .. "error 'broken'")
  local status, _, errors = run_ranks(3, "", script)
  lu.assertEquals(status, 1, errors)
  lu.assertStrContains(errors, "crossfold: " .. script .. ":8: broken\n")
end

-- A folder "plugins" of its own, and a script that changes the file of naive_bayes as soon as rank 0 has
-- loaded it.
local function changes_plugin(rest)
  os.execute(("rm -rf '%s/plugins' && mkdir '%s/plugins' && cp '%s/naive_bayes.crossfold.so' '%s/plugins/'")
    :format(folder.path, folder.path, plugins, folder.path))
  return folder:write("other_file.lua", [[
local cf = require "crossfold"
local learner = cf.learner("naive_bayes")
os.execute("cd plugins && cp naive_bayes.crossfold.so new && echo >>new && mv new naive_bayes.crossfold.so")
local function evaluate(learners)
  return cf.evaluate { data = cf.read(arg[1] .. "/iris.csv", { target = "class" }),
    learners = learners, splitter = cf.splitter("kfold", { folds = 4 }), metrics = "accuracy" }
end
]] .. rest)
end

local function run_with_plugins(script)
  return folder:run(("timeout 60 %s run %s"):format(job(3, "--plugin-path plugins"),
    arguments("--workers 1", script)))
end

function TestMpi:test_a_rank_with_another_plugin_file_refuses()
  local _, output = run_with_plugins(changes_plugin "print(pcall(evaluate, { learner }))")
  lu.assertStrMatches(output, "false\t.*other_file.lua:%d+: cannot run cells on rank [12] .*\n")
  lu.assertStrContains(output, "cannot make learner 'naive_bayes': its plugin differs from that of "
    .. "the record (SHA-256 ")
  lu.assertStrContains(output, "; give all machines the same files at the same paths\n")
end

-- The other rank has a cell that never ends: it is left alone, and the job still comes to its end.
function TestMpi:test_a_cell_that_hangs_does_not_keep_the_error_of_another_rank()
  local status, output, errors = run_with_plugins(changes_plugin [[
local hangs = cf.learner("debug", { action = "hang", when_row = 7 })
print(pcall(evaluate, { hangs = hangs, refused = learner }))
print(evaluate { cf.learner "lda" })
]])
  lu.assertEquals(status, 0, errors)
  lu.assertStrMatches(output, "false\t[^\n]*: cannot run cells on rank [12] [^\n]*\n.*")
  lu.assertStrContains(output, "lda      accuracy  0.9")
end

function TestMpi:test_other_commands_are_refused()
  for _, rest in ipairs { "status a.cfdb", "run --sandbox script.lua" } do
    local status, _, errors = folder:run(job(2, rest))
    lu.assertEquals(status, 2)
    lu.assertStrContains(errors, "crossfold: crossfold-mpi is for run, without --sandbox; use "
      .. "crossfold itself\n")
  end
end

arg = {}  -- LuaUnit would take it for its own options
os.exit(lu.LuaUnit.run("--output", "text"))
