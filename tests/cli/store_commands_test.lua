-- store_commands_test.lua PROGRAM DATA SCRATCH: status, gc, repair, rescore, verify, diff, export.
package.path = arg[0]:match("^(.*)/") .. "/?.lua;" .. package.path
local lu = require "luaunit"
local Shell = require "shell"
local printed, refused = Shell.printed, Shell.refused

local program, data, scratch = arg[1], arg[2], arg[3]
local shell = Shell.new(scratch, program)

local function run(arguments, ...) return shell:crossfold(arguments, ...) end

local script = shell:write("store_script.lua", ([[
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
  shell:run("rm -f '%s'*", path)
  for _, k in ipairs { ... } do
    local status, _, errors = run("run --store '%s' '%s' %d", path, script, k)
    lu.assertEquals(status, 0, errors)
  end
  return path
end

TestStoreCommands = {}

function TestStoreCommands:test_rescore_prints_the_table_of_the_run_without_a_fit()
  local store = store_of("a.cfdb", 5)
  local output = printed(run("rescore '%s' --metric accuracy", store))
  -- The floor predicts one of three classes of 50 rows.
  lu.assertStrContains(output, "floor    accuracy  0.3333  0.0000  0.3333  0.3333  5\n")
  -- The script prints the same means, with intervals in place of the sd.
  local _, result = run("run '%s' 5", script)
  for learner, mean in output:gmatch("(%w+) +accuracy +(%d%.%d+)") do
    lu.assertStrMatches(result, (".*\n%s +accuracy +%s .*"):format(learner, mean))
  end
end

function TestStoreCommands:test_rescore_knows_costs_subgroups_and_forms()
  local store = store_of("a.cfdb", 5)
  local _, classes = run("rescore '%s' --metric accuracy --subgroup 'class=x'", store)
  lu.assertEquals(classes, "")
  lu.assertStrContains(printed(run("rescore '%s' --metric 'f1{average=macro}' --csv", store)),
    "dataset,learner,repeat,fold,metric,value,undefined\n")
  lu.assertStrContains(refused(run("rescore '%s' --metric accuracy --subgroup 'clas=x'", store)),
    "crossfold: cannot use subgroup 'clas=x': dataset 'iris' has no "
    .. "column 'clas'; did you mean 'class'?")
  lu.assertEquals(run("rescore '%s'", store), 2)
end

function TestStoreCommands:test_verify_computes_cells_again()
  local store = store_of("a.cfdb", 5)
  lu.assertEquals({ run("verify '%s' --sample 100%%", store) },
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
  local first = shell.read(archive)
  lu.assertEquals(run("export '%s' '%s'", store_of("c.cfdb", 7, 5), archive), 0)
  -- Another history, the same run: the same bytes, but for the arguments, which are the same too.
  lu.assertTrue(shell.read(archive) == first)
  lu.assertEquals(printed(run("verify '%s' --sample 4", archive)),
    "checked 4 of 10 cells: 4 equal, 0 different, 0 not checkable\n"
      .. "checked 6 files of the archive: 6 equal, 0 different, 0 not checkable\n"
      .. "not checked: 6 cells outside the sample, except their checksums\n")
  lu.assertEquals(run("diff '%s' '%s'", store, archive), 0)
end

-- Changes the last character but line ends of a file of an archive, and its entry in the manifest on request.
local forge = [==[
import hashlib, json, sys, zipfile
old, new, name, forged = sys.argv[1:]
with zipfile.ZipFile(old) as archive:
    files = {n: archive.read(n) for n in archive.namelist()}
digits = files[name].rstrip(b"\n,")
files[name] = digits[:-1] + bytes([digits[-1] ^ 1]) + files[name][len(digits):]
if forged == "forged":
    manifest = json.loads(files["manifest.json"])
    for one in manifest["files"]:
        one["sha256"] = hashlib.sha256(files[one["name"]]).hexdigest()
    files["manifest.json"] = json.dumps(manifest).encode()
with zipfile.ZipFile(new, "w") as archive:
    for name, content in files.items():
        archive.writestr(name, content)
]==]

function TestStoreCommands:test_an_archive_with_a_changed_file_is_refused_by_its_name()
  local archive, changed = scratch .. "/run.zip", scratch .. "/changed.zip"
  lu.assertEquals(run("export '%s' '%s'", store_of("a.cfdb", 5), archive), 0)
  local python = "python3 '" .. shell:write("forge.py", forge) .. "'"
  local made_again = { "script.lua", "splits.csv", "predictions.csv", "scores.csv" }
  for _, name in ipairs { "store.cfdb", "manifest.json", table.unpack(made_again) } do
    lu.assertTrue(os.execute(("%s '%s' '%s' %s no"):format(python, archive, changed, name)))
    lu.assertStrContains(refused(run("verify '%s'", changed)), "'" .. name .. "'")
  end
  for _, name in ipairs(made_again) do
    lu.assertTrue(os.execute(("%s '%s' '%s' %s forged"):format(python, archive, changed, name)))
    local status, output = run("verify '%s'", changed)
    lu.assertEquals(status, 3)
    lu.assertStrContains(output, "\ndifferent: " .. name .. ": line ")
    local errors
    status, output, errors = run("verify '%s' --csv", changed)
    lu.assertEquals({ status, output:match("^[^,]*") }, { 3, "learner" })
    lu.assertStrContains(errors, "\ndifferent: " .. name)
  end
end

local status_columns = "dataset,learner,cells,wanted,done,failed,stopped,missing,predictions,data,plugin,time,memory,"
  .. "killed,disk,lost,unknown,retried\n"

function TestStoreCommands:test_status_counts_cells()
  lu.assertEquals(printed(run("status '%s' --csv", store_of("a.cfdb", 5))), status_columns
    .. "iris,floor,outer,5,5,0,0,0,5,0,0,0,0,0,0,0,0,0\niris,knn,outer,5,5,0,0,0,5,0,0,0,0,0,0,0,0,0\n")
end

function TestStoreCommands:test_gc_removes_what_late_runs_did_not_ask_for()
  local store = store_of("b.cfdb", 1, 60)
  local output = printed(run("gc '%s'", store))
  -- The floor is in both runs.
  lu.assertStrContains(output, "removed 1 run, 5 cells, 5 predictions, 1 learner, 0 datasets\n")
  local before, now = output:match("(%d+) bytes before, (%d+) now\n")
  lu.assertTrue(tonumber(now) < tonumber(before))
  local _, left = run("status '%s' --csv", store)
  lu.assertStrContains(left, "iris,knn,outer,5,5,0,0,0,5,")
  lu.assertEquals(select(2, run("gc '%s' --keep-runs 2", store)):match("[^\n]*"),
    "removed 0 runs, 0 cells, 0 predictions, 0 learners, 0 datasets")
  lu.assertEquals(run("gc '%s' --keep-runs -1", store), 2)
  lu.assertStrContains(refused(run("gc '%s/nothing.cfdb'", scratch)),
    "there is no such file; a run with --store makes it")
end

-- The store with one page, counted from 1, overwritten.
local function damaged(store, page)
  local bytes = shell.read(store)
  return shell:write("damaged.cfdb", bytes:sub(1, (page - 1) * 4096) .. ("x"):rep(4096)
    .. bytes:sub(page * 4096 + 1))
end

function TestStoreCommands:test_repair_saves_what_is_whole()
  local store, new = store_of("a.cfdb", 5), scratch .. "/new.cfdb"
  os.remove(new)
  lu.assertStrContains(printed(run("repair '%s' '%s'", store, new)), "saved 10 cells, lost 0\n")
  lu.assertEquals(run("diff '%s' '%s'", store, new), 0)
  local again, _, why = run("repair '%s' '%s'", store, new)
  lu.assertEquals(again, 1)
  lu.assertStrContains(why, "the file exists already; use another path")
end

function TestStoreCommands:test_a_store_with_any_page_lost_is_repaired_and_run_again()
  local store, new = store_of("a.cfdb", 5), scratch .. "/new.cfdb"
  local _, whole = run("run '%s' 5", script)
  local saved = 0
  for page = 2, #shell.read(store) // 4096, 3 do
    for _, rest in ipairs { "", "-wal", "-shm" } do os.remove(new .. rest) end
    local status, output, errors = run("repair '%s' '%s'", damaged(store, page), new)
    lu.assertEquals({ status, errors }, { 0, "" }, page)
    saved = saved + tonumber(output:match("saved (%d+) cell"))
    status, output = run("run --store '%s' '%s' 5", new, script)
    lu.assertEquals({ status, output }, { 0, whole }, page)
  end
  lu.assertTrue(saved > 0)
end

-- Every page is met by every command: it does its work, or tells what it leaves out and exits with 1.
function TestStoreCommands:test_what_is_damaged_is_told_with_exit_code_1()
  local store, archive = store_of("a.cfdb", 5), scratch .. "/damaged.zip"
  local partly = 0
  for page = 2, #shell.read(store) // 4096, 3 do
    for _, command in ipairs { "rescore '%s' --metric f1_macro", "export '%s' '%s'" } do
      local status, _, errors = run(command, damaged(store, page), archive)
      local is_told = errors:find("crossfold repair", 1, true) ~= nil
      lu.assertEquals(status, is_told and 1 or 0, errors)
      if errors:find("damaged and left out: ", 1, true) then partly = partly + 1 end
    end
  end
  lu.assertTrue(partly > 0)
end

-- Two evaluations; between them the shell line in the first argument is run.
local two = shell:write("two.lua", ([[
local cf = require "crossfold"
local function evaluate(folds, on_store_error)
  return cf.evaluate{
    data = cf.read("%s/iris.csv", { target = "class" }), learners = "knn", metrics = "accuracy",
    splitter = cf.splitter("kfold", { folds = folds, repeats = 40 }), on_store_error = on_store_error,
  }
end
evaluate(2)
os.execute(arg[1])
local result = evaluate(30, arg[2])
print(#result:folds(), #result:notes(), result:notes()[1])
]]):format(data))

-- Files of 256 blocks of 512 bytes at most stand for a disk that is full.
local full = "trap '' XFSZ; ulimit -f 256; \"$CROSSFOLD\" "

function TestStoreCommands:test_a_full_disk_is_told_at_once_and_the_results_are_delivered()
  local store = store_of("full.cfdb")
  local status, output, errors = shell:run(full .. "run --store '%s' '%s' 'echo filling >&2'", store, two)
  lu.assertEquals(status, 1, errors)
  lu.assertStrMatches(output, "1200\t1\tstore '.*' lacks %d+ computed cells.*: cannot write to .*\n")
  lu.assertStrMatches(errors, "filling\ncrossfold: cannot write to .* %(cells still run and are delivered%)\n"
    .. ".*crossfold: store '.*full.cfdb' lacks %d+ computed cells.*: cannot write to .*\n"
    .. "store .*full.cfdb: 0 cells found, %d+ computed\n")
  status, output, errors = run("run --store '%s' '%s' true", store, two)
  lu.assertEquals({ status, output }, { 0, "1200\t0\tnil\n" }, errors)
end

function TestStoreCommands:test_a_full_disk_stops_a_run_that_asks_for_that()
  for _, way in ipairs { { "--on-store-error stop", "" }, { "", "stop" } } do
    local store = store_of("full.cfdb")
    local status, output, errors = shell:run(full .. "run %s --store '%s' '%s' true %s", way[1], store, two, way[2])
    lu.assertEquals({ status, output }, { 1, "" }, errors)
    lu.assertStrMatches(errors, ".*crossfold: .*two.lua:3: .*cannot write to .*")
  end
  lu.assertEquals(run("run --on-store-error wait '%s'", two), 2)
end

function TestStoreCommands:test_a_store_that_is_removed_under_a_run_is_told_and_found_again()
  local store = store_of("removed.cfdb")
  local status, output, errors = run("run --store '%s' '%s' \"rm '%s'\"", store, two, store)
  lu.assertEquals(status, 1, errors)
  lu.assertStrContains(output, "1200\t")
  local rescued = errors:match("was removed or moved while it was used; .* cells are in '(.-)'; move")
  lu.assertTrue(os.rename(rescued, store))
  lu.assertEquals({ run("run --store '%s' '%s' true", store, two) },
    { 0, "1200\t0\tnil\n", ("store %s: 1280 cells found, 0 computed\n"):format(store) })
end

function TestStoreCommands:test_a_store_that_is_removed_after_its_last_cell_is_told_and_found_again()
  local store = store_of("removed.cfdb", 5)
  local last = shell:write("last.lua", ([[
local cf = require "crossfold"
cf.evaluate{
  data = cf.read("%s/iris.csv", { target = "class" }), learners = "knn", metrics = "accuracy",
  splitter = cf.splitter("kfold", { folds = 5 }),
}
os.remove(arg[1])
]]):format(data))
  local status, _, errors = run("run --store '%s' '%s' '%s'", store, last, store)
  lu.assertEquals(status, 1, errors)
  local rescued = errors:match("was removed or moved while it was used; .* cells are in '(.-)'; move")
  lu.assertTrue(os.rename(rescued, store))
  status, _, errors = run("run --store '%s' '%s' '%s'", store, last, scratch .. "/nothing")
  lu.assertEquals(status, 0, errors)
  lu.assertStrContains(errors, "5 cells found, 0 computed\n")
end

function TestStoreCommands:test_a_metric_may_be_named_with_its_average()
  local store = store_of("a.cfdb", 5)
  local _, long = run("rescore '%s' --metric 'f1{average=macro}'", store)
  local status, short = run("rescore '%s' --metric f1_macro", store)
  lu.assertEquals({ status, short }, { 0, long })
end

function TestStoreCommands:test_verify_stops_when_it_is_interrupted()
  local sleepy = shell:write("sleepy.lua", ([[
local cf = require "crossfold"
return cf.evaluate{
  data = cf.read("%s/iris.csv", { target = "class" }),
  learners = cf.learner("debug", { action = "sleep", sleep_ms = 1000 }),
  splitter = cf.splitter("kfold", { folds = 30 }), metrics = "accuracy",
}]]):format(data))
  local store = store_of("sleepy.cfdb")
  lu.assertEquals(run("run --workers 30 --store '%s' '%s'", store, sleepy), 0)
  -- In the foreground: else timeout signals the process and its group, and the second signal ends the
  -- program without a word. Late enough for it to have started on a busy machine.
  local stopping = ("timeout --foreground --preserve-status -s INT 3 '%s'"):format(program)
  local errors = scratch .. "/store_stderr"
  local begin = os.time()
  local pipe = assert(io.popen(("%s verify '%s' --sample 100%% --workers 1 2>'%s'")
    :format(stopping, store, errors)))
  lu.assertEquals(pipe:read("a"), "")
  local _, _, status = pipe:close()
  lu.assertEquals(status, 130)
  lu.assertStrContains(shell.read(errors), "crossfold: interrupted; nothing was changed; to check again: ")
  lu.assertTrue(os.time() - begin < 20)  -- all cells take 30 s
end

arg = {}  -- LuaUnit would take it for its own options
os.exit(lu.LuaUnit.run("--output", "text"))
