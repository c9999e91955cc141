-- store_commands_test.lua PROGRAM DATA SCRATCH: status, rescore, verify, diff and export.
local lu = require "luaunit"

local program, data, scratch = arg[1], arg[2], arg[3]

local function read(path)
  local file = assert(io.open(path, "rb"))
  local text = file:read("a")
  file:close()
  return text
end

local function write(name, text)
  local path = scratch .. "/" .. name
  local file = assert(io.open(path, "wb"))
  assert(file:write(text))
  assert(file:close())
  return path
end

-- Runs the program and returns status, stdout, stderr. Only the bundled plugins are seen.
local function run(command, ...)
  local errors = scratch .. "/store_stderr"
  local pipe = assert(io.popen(("HOME=/nowhere XDG_DATA_HOME= CROSSFOLD_PLUGIN_PATH= '%s' %s 2>'%s'")
    :format(program, command:format(...), errors)))
  local output = pipe:read("a")
  local _, _, status = pipe:close()
  return status, output, read(errors)
end

local script = write("store_script.lua", ([[
local cf = require "crossfold"
return cf.evaluate{
  data = cf.read("%s/iris.csv", { target = "class" }),
  learners = { knn = cf.learner("knn", { k = tonumber(arg[1]) }), floor = cf.learner("featureless") },
  splitter = cf.splitter("kfold", { folds = 5, stratify = true }),
  metrics = "accuracy", keep = "probabilities", seed = 3,
}]]):format(data))

-- A new store with a run of the script for each k.
local function store_of(name, ...)
  local path = scratch .. "/" .. name
  for _, rest in ipairs { "", "-wal", "-shm" } do os.remove(path .. rest) end
  for _, k in ipairs { ... } do
    local status, _, errors = run("run --store '%s' '%s' %d", path, script, k)
    lu.assertEquals(status, 0, errors)
  end
  return path
end

TestStoreCommands = {}

function TestStoreCommands:test_rescore_prints_the_table_of_the_run_without_a_fit()
  local store = store_of("a.cfdb", 5)
  local status, output, errors = run("rescore '%s' --metric accuracy", store)
  lu.assertEquals({ status, errors }, { 0, "" })
  -- The floor predicts one of three classes of 50 rows.
  lu.assertStrContains(output, "floor    accuracy  0.3333  0.0000  0.3333  0.3333  5\n")
  local _, printed = run("run '%s' 5", script)
  lu.assertStrContains(printed, output)
end

function TestStoreCommands:test_rescore_knows_costs_subgroups_and_forms()
  local store = store_of("a.cfdb", 5)
  local _, classes = run("rescore '%s' --metric accuracy --subgroup 'class=x'", store)
  lu.assertEquals(classes, "")
  local status, output = run("rescore '%s' --metric 'f1{average=macro}' --csv", store)
  lu.assertEquals(status, 0)
  lu.assertStrContains(output, "dataset,learner,repeat,fold,metric,value,undefined\n")
  local errors
  status, _, errors = run("rescore '%s' --metric accuracy --subgroup 'clas=x'", store)
  lu.assertEquals(status, 1)
  lu.assertStrContains(errors, "crossfold: cannot use subgroup 'clas=x': dataset 'iris' has no "
    .. "column 'clas'; did you mean 'class'?")
  lu.assertEquals(run("rescore '%s'", store), 2)
end

function TestStoreCommands:test_verify_computes_cells_again()
  local store = store_of("a.cfdb", 5)
  local status, output, errors = run("verify '%s' --sample 100%%", store)
  lu.assertEquals({ status, output, errors },
    { 0, "checked 10 of 10 cells: 10 equal, 0 different, 0 not checkable\n", "" })
  lu.assertEquals(run("verify '%s' --sample much", store), 1)
end

function TestStoreCommands:test_diff_says_why_and_exits_with_3()
  local store = store_of("b.cfdb", 1, 60)
  lu.assertEquals(run("diff '%s#1' '%s#1'", store, store), 0)
  local status, output = run("diff '%s#1' '%s#2'", store, store)
  lu.assertEquals(status, 3)
  lu.assertStrContains(output, "parameter: knn: k = 1 and 60\n")
  lu.assertEquals(run("diff '%s' '%s/nothing.cfdb'", store, scratch), 1)
end

function TestStoreCommands:test_an_exported_run_can_be_verified_by_a_stranger()
  local store = store_of("a.cfdb", 5)
  local archive = scratch .. "/run.zip"
  lu.assertEquals(run("export '%s' '%s'", store, archive), 0)
  local first = read(archive)
  lu.assertEquals(run("export '%s' '%s'", store_of("c.cfdb", 7, 5), archive), 0)
  -- Another history, the same run: the same bytes, but for the arguments, which are the same too.
  lu.assertTrue(read(archive) == first)
  local status, output = run("verify '%s' --sample 4", archive)
  lu.assertEquals({ status, output },
    { 0, "checked 4 of 10 cells: 4 equal, 0 different, 0 not checkable\n" })
  lu.assertEquals(run("diff '%s' '%s'", store, archive), 0)
end

function TestStoreCommands:test_status_counts_cells()
  local status, output = run("status '%s' --csv", store_of("a.cfdb", 5))
  lu.assertEquals(status, 0)
  lu.assertEquals(output, "dataset,learner,cells,wanted,done,failed,stopped,missing,predictions\n"
    .. "iris,floor,outer,5,5,0,0,0,5\niris,knn,outer,5,5,0,0,0,5\n")
end

arg = {}  -- LuaUnit would take it for its own options
os.exit(lu.LuaUnit.run("--output", "text"))
