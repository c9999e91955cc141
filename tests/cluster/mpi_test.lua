-- mpi_test.lua PROGRAM MPI_PROGRAM MPIRUN DATA PLUGINS SCRATCH: crossfold-mpi on ranks of this machine.
local lu = require "luaunit"

local program, mpi_program, mpirun, data, plugins, scratch = table.unpack(arg)
local here = arg[0]:match("^(.*)/") or "."
scratch = scratch .. "/mpi"
os.execute(("rm -rf '%s' && mkdir -p '%s'"):format(scratch, scratch))

local function read(name)
  local file = io.open(scratch .. "/" .. name, "rb")
  if not file then return "" end
  local text = file:read("a")
  file:close()
  return text
end

local function write(name, text)
  local file = assert(io.open(scratch .. "/" .. name, "wb"))
  assert(file:write(text))
  assert(file:close())
  return scratch .. "/" .. name
end

-- As root and in containers, and with more ranks than cores. The sessions are in a short folder, as
-- sockets need.
local environment = "HOME=/nowhere CROSSFOLD_PLUGIN_PATH= OMPI_ALLOW_RUN_AS_ROOT=1 "
  .. "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1 "
  .. "OMPI_MCA_btl_vader_single_copy_mechanism=none"

local function shell(command)
  local _, kind, status = os.execute(("cd '%s' && %s %s"):format(scratch, environment, command))
  return kind == "signal" and 128 + status or status
end

local function arguments(options, script, ...)
  return ("%s '%s' '%s' %s"):format(options, script or here .. "/experiment.lua", data,
    table.concat({ ... }, " "))
end

-- Runs on one machine, or on n ranks; returns status, stdout, stderr.
local function run_plain(...)
  local status = shell(("'%s' run %s >out 2>err"):format(program, arguments(...)))
  return status, read("out"), read("err")
end

local function run_ranks(n, ...)
  local status = shell(("timeout 120 '%s' -n %d --oversubscribe '%s' run %s >out 2>err"):format(mpirun,
    n, mpi_program, arguments(...)))
  return status, read("out"), read("err")
end

local function export(store)
  lu.assertEquals(shell(("'%s' export %s %s.zip"):format(program, store, store)), 0)
  return read(store .. ".zip")
end

TestMpi = {}

function TestMpi:test_any_number_of_ranks_gives_the_bytes_of_one_machine()
  local status, printed = run_plain("--store one.cfdb")
  lu.assertEquals(status, 3)
  local content = export("one.cfdb")
  for _, n in ipairs { 1, 2, 4 } do
    local store = ("ranks_%d.cfdb"):format(n)
    local output, errors
    status, output, errors = run_ranks(n, "--store " .. store)
    lu.assertEquals({ status, output }, { 3, printed }, errors)
    lu.assertStrContains(errors, ("store %s: 0 cells found, 420 computed\n"):format(store))
    lu.assertStrContains(errors, "crossfold: 3 of 450 cells failed\n")
    lu.assertTrue(export(store) == content)
  end
  status, printed = run_plain("--no-sharing")
  local again, output = run_ranks(3, "--no-sharing --workers 2")
  lu.assertEquals({ again, output }, { status, printed })
end

function TestMpi:test_isolation_holds_on_the_ranks()
  local script = write("crash.lua", [[
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
  local script = write("calls.lua", [[
local cf = require "crossfold"
local folds = cf.splitter("kfold", { folds = 5 })
local function run(file, target, learners, on_error)
  return cf.evaluate { data = cf.read(arg[1] .. "/" .. file, { target = target }), splitter = folds,
    learners = learners, metrics = "accuracy", on_error = on_error }
end
print(run("iris.csv", "class", { "lda" }))
print(pcall(run, "iris.csv", "class", { cf.learner("debug", { action = "throw_in_fit" }) }, "stop"))
print(run("iris.csv", "class", { "naive_bayes" }))
print(run("penguins.csv", "species", { "naive_bayes" }))
]])
  local status, printed, errors = run_plain("", script)
  lu.assertEquals(status, 3, errors)
  local again, output
  again, output, errors = run_ranks(3, "", script)
  lu.assertEquals({ again, output }, { status, printed }, errors)
end

-- The process of a rank of the job whose command has `word` in it.
local function pid_of(rank, word)
  local pipe = assert(io.popen(("for p in $(pgrep -f '%s'); do tr '\\0' '\\n' </proc/$p/environ "
    .. "2>/dev/null | grep -qx OMPI_COMM_WORLD_RANK=%d && echo $p; done"):format(word, rank)))
  local pid = pipe:read("n")
  pipe:close()
  return pid
end

-- The size of the logs beside a store: what cells have come.
local function bytes_of_logs(store)
  local pipe = assert(io.popen(("cat '%s/%s-log-'* 2>/dev/null | wc -c"):format(scratch, store)))
  local bytes = pipe:read("n")
  pipe:close()
  return bytes
end

-- Starts a job on four ranks and kills one when some cells have come.
local function kill_rank(rank, signal, store)
  local finished = io.popen(("cd '%s' && %s timeout 120 '%s' -n 4 --oversubscribe '%s' run %s 2>killed "
    .. ">/dev/null; echo $?"):format(scratch, environment, mpirun, mpi_program,
    arguments("--store " .. store, nil, "60")))
  for _ = 1, 400 do
    if bytes_of_logs(store) > 20000 then break end
    os.execute("sleep 0.02")
  end
  local pid = pid_of(rank, "run --store " .. store)
  lu.assertNotNil(pid)
  os.execute(("kill -%s %d"):format(signal, pid))
  local status = finished:read("n")
  finished:close()
  return status
end

function TestMpi:test_a_job_whose_rank_is_killed_goes_on_where_it_stopped()
  local status, printed = run_plain("--store kill_one.cfdb", nil, "60")
  lu.assertEquals(status, 3)
  for rank, signal in pairs { [0] = "KILL", [2] = "KILL" } do
    local store = ("kill_%d.cfdb"):format(rank)
    lu.assertTrue(kill_rank(rank, signal, store) > 3)
    local again, output, errors = run_ranks(4, "--store " .. store, nil, "60")
    lu.assertEquals({ again, output }, { 3, printed }, errors)
    local found, computed = errors:match("store %S+: (%d+) cells found, (%d+) computed\n")
    lu.assertTrue(tonumber(found) > 0 and tonumber(computed) > 0, errors)
    lu.assertEquals(found + computed, 420)
    lu.assertTrue(export(store) == export("kill_one.cfdb"))
  end
end

function TestMpi:test_a_job_that_is_interrupted_says_how_to_go_on()
  lu.assertEquals(kill_rank(0, "INT", "interrupted.cfdb"), 130)
  lu.assertStrContains(read("killed"), "crossfold: interrupted; to go on: ")
end

function TestMpi:test_a_rank_with_another_plugin_file_refuses()
  os.execute(("mkdir -p '%s/plugins' && cp '%s/naive_bayes.crossfold.so' '%s/plugins/'"):format(scratch, plugins,
    scratch))
  -- Another file under the same name as soon as rank 0 has loaded it.
  local script = write("other_file.lua", [[
local cf = require "crossfold"
local learner = cf.learner("naive_bayes")
os.execute("cd plugins && cp naive_bayes.crossfold.so new && echo >>new && mv new naive_bayes.crossfold.so")
print(pcall(cf.evaluate, { data = cf.read(arg[1] .. "/iris.csv", { target = "class" }),
  learners = { learner }, splitter = cf.splitter("kfold", { folds = 4 }), metrics = "accuracy" }))
]])
  shell(("timeout 60 '%s' -n 3 --oversubscribe '%s' --plugin-path plugins run %s >out 2>err"):format(
    mpirun, mpi_program, arguments("", script)))
  local output = read("out")
  lu.assertStrMatches(output, "false\t.*other_file.lua:4: cannot run cells on rank [12] .*\n")
  lu.assertStrContains(output, "cannot make learner 'naive_bayes': its plugin is another one than that of "
    .. "the record (SHA-256 ")
  lu.assertStrContains(output, "; give all machines the same files at the same paths\n")
end

function TestMpi:test_other_commands_are_refused()
  for _, rest in ipairs { "status a.cfdb", "run --sandbox script.lua" } do
    local status = shell(("'%s' -n 2 --oversubscribe '%s' %s >out 2>err"):format(mpirun, mpi_program,
      rest))
    lu.assertEquals(status, 2)
    lu.assertStrContains(read("err"), "crossfold: crossfold-mpi is for run, without --sandbox; use "
      .. "crossfold itself\n")
  end
end

arg = {}  -- LuaUnit would take it for its own options
os.exit(lu.LuaUnit.run("--output", "text"))
