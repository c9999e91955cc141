-- shards_test.lua PROGRAM DATA SCRATCH: run --shard, and merge.
local lu = require "luaunit"

local program, data, scratch = table.unpack(arg)
local here = arg[0]:match("^(.*)/") or "."
package.path = here .. "/?.lua;" .. package.path
local folder = require("scratch_folder").new(scratch .. "/shards", program)
local printed, refused = folder.printed, folder.refused

-- Runs the program in the folder and returns status, stdout, stderr.
local function run(command, ...) return folder:crossfold(command, ...) end

local function run_script(options, script)
  return run("run %s '%s' '%s'", options, script or here .. "/experiment.lua", data)
end

TestShards = {}

-- What cf.stored reads of a store: scores, choices of searches and failures, as JSON and texts.
local read_back = [[
local cf = require "crossfold"
for _, result in ipairs(cf.stored{ store = arg[1] }.results) do
  print(result:to{ json = true })
  for _, row in ipairs(result:failures()) do print(row.learner, row.fold, row.stage, row.message) end
  for _, row in ipairs(result:summary()) do
    local ok, tuning = pcall(result.tuning, result, row.learner)
    print(row.learner, ok and tostring(tuning))
  end
end
]]

function TestShards:test_a_merged_store_has_the_results_before_anything_runs_on_it()
  run_script("--store whole.cfdb")
  for i = 1, 2 do run_script(("--shard %d/2 --store half_%d.cfdb"):format(i, i)) end
  lu.assertEquals(run("merge halves.cfdb half_2.cfdb half_1.cfdb"), 0)
  local script = folder:write("read_back.lua", read_back)
  local status, whole = run("run '%s' whole.cfdb", script)
  lu.assertEquals(status, 0)
  lu.assertStrContains(whole, "accuracy")
  lu.assertEquals({ run("run '%s' halves.cfdb", script) }, { 0, whole, "" })
end

function TestShards:test_shards_and_a_merge_give_the_bytes_of_one_machine()
  local status, whole = run_script("--store one.cfdb")
  lu.assertEquals(status, 3)
  for i = 1, 3 do
    local of_part, output, errors = run_script(("--shard %d/3 --store part_%d.cfdb"):format(i, i))
    lu.assertEquals({ of_part, output }, { 3, "" })  -- each has a fold that fails
    lu.assertStrContains(errors, ("shard %d/3: "):format(i))
  end
  lu.assertStrContains(printed(run("merge all.cfdb part_1.cfdb part_2.cfdb part_3.cfdb")),
    "merged 420 cells, 420 new\n")
  local again, output, errors = run_script("--store all.cfdb")
  lu.assertEquals({ again, output }, { 3, whole })
  lu.assertStrContains(errors, "store all.cfdb: 420 cells found, 0 computed\n")
  lu.assertTrue(folder:export("all.cfdb") == folder:export("one.cfdb"))
end

-- Descriptors are closed with the store.
function TestShards:test_a_merge_has_no_bound_on_its_parts()
  run("merge a_part.cfdb half_1.cfdb")
  run("merge a_part.cfdb half_2.cfdb")
  local bytes, names = folder:read "a_part.cfdb", {}
  for i = 1, 60 do
    names[i] = ("many_%d.cfdb"):format(i)
    folder:write(names[i], bytes)
  end
  lu.assertStrMatches(printed(folder:run(("sh -c \"ulimit -n 40; '%s' merge many.cfdb %s\""):format(program,
    table.concat(names, " ")))), ".*merged %d+ cells, 420 new\n.*")
end

-- Whatever the order, and if it is made again.
function TestShards:test_a_merge_adds_nothing_twice()
  for i = 1, 2 do run_script(("--shard %d/2 --store half_%d.cfdb"):format(i, i)) end
  run("merge a.cfdb half_1.cfdb half_2.cfdb")
  run("merge b.cfdb half_2.cfdb")
  local _, output = run("merge b.cfdb half_1.cfdb half_2.cfdb")
  local computed = math.tointeger(tonumber(output:match("half_1%.cfdb +(%d+) +%d+\n")))
  lu.assertStrContains(output, ("merged 420 cells, %d new\n"):format(computed))
  local _, again = run("merge b.cfdb half_1.cfdb half_2.cfdb")
  lu.assertStrContains(again, "merged 420 cells, 0 new\n")
  lu.assertTrue(folder:export("a.cfdb") == folder:export("b.cfdb"))
  local _, status = run("status b.cfdb")
  lu.assertStrContains(status, "run 1, ")  -- both halves are one run
end

-- A cell is in one shard, and shards are about equally large.
function TestShards:test_every_cell_is_in_one_shard()
  local total = 0
  for i = 1, 7 do
    local _, _, errors = run_script(("--shard %d/7 --store seventh_%d.cfdb"):format(i, i))
    local computed = math.tointeger(tonumber(errors:match("0 cells found, (%d+) computed")))
    lu.assertTrue(computed > 40 and computed < 80, errors)
    total = total + computed
  end
  lu.assertEquals(total, 420)
end

-- The store of a shard may hold what other shards did in an earlier round.
function TestShards:test_what_the_store_has_is_no_other_shards_affair()
  run_script("--store whole.cfdb")
  os.execute(("cd '%s' && for f in whole.cfdb*; do cp $f copy.cfdb${f#whole.cfdb}; done")
    :format(folder.path))
  local _, _, errors = run_script("--shard 1/2 --store copy.cfdb")
  -- The ensemble is put together in Lua, and only by the shard whose folds these are.
  lu.assertStrContains(errors, " left to other shards\nstore copy.cfdb: ")
  lu.assertStrContains(errors, " cells found, 0 computed\n")
  lu.assertEquals(errors:match("(%d+) left to other shards"), "15")
end

function TestShards:test_a_script_that_needs_all_results_ends_and_keeps_its_cells()
  local script = folder:write("needs_all.lua", [[
local cf = require "crossfold"
local iris = cf.read(arg[1] .. "/iris.csv", { target = "class" })
local made = cf.cross_predict { data = iris, learner = cf.learner("lda"),
  splitter = cf.splitter("kfold", { folds = 4 }) }
print(#made)
]])
  local status, output, errors = run_script("--shard 2/2 --store needs.cfdb", script)
  lu.assertEquals({ status, output }, { 0, "" })
  lu.assertStrContains(errors, "cannot predict across folds: other shards compute 2 of 4 splits; a run "
    .. "on the merged store has all")
  lu.assertStrContains(errors, "crossfold: shard 2/2 ends here, without results that other shards "
    .. "compute; its cells are kept\n")
  lu.assertStrContains(errors, "store needs.cfdb: 0 cells found, 2 computed\n")
end

function TestShards:test_an_error_of_the_script_is_one_in_a_shard()
  local script = folder:write("broken.lua", "error('broken', 0)")
  local status, _, errors = run_script("--shard 2/2 --store broken.cfdb", script)
  lu.assertEquals({ status, errors:sub(1, 18) }, { 1, "crossfold: broken\n" })
end

function TestShards:test_a_script_may_not_use_another_store()
  local script = folder:write("own_store.lua", [[
local cf = require "crossfold"
cf.evaluate { data = cf.read(arg[1] .. "/iris.csv", { target = "class" }), store = "own.cfdb",
  learners = { cf.learner("lda") }, splitter = cf.splitter("kfold", { folds = 4 }),
  metrics = "accuracy" }
]])
  lu.assertStrContains(refused(run_script("--shard 2/2 --store given.cfdb", script)),
    "cannot use store 'own.cfdb' in shard 2 of 2: its cells go to its own "
    .. "store; leave store out of the script")
end

function TestShards:test_shards_by_cost_give_the_bytes_of_one_machine()
  run_script("--store unevenly.cfdb")
  local output = printed(run_script("--plan --shard-costs costs.json"))
  lu.assertStrContains(output, "estimated time ")
  local costs = folder:read("costs.json")
  lu.assertStrMatches(costs:match("[^\n]*tuned_knn[^\n]*"),
    ' *{"dataset":"iris","learner":"tuned_knn","seconds":[%d.e-]+},?')
  for i = 1, 3 do
    local options = ("--shard %d/3 --shard-costs costs.json --store by_cost_%d.cfdb"):format(i, i)
    local status, part, errors = run_script(options)
    lu.assertEquals({ status, part }, { 3, "" })
    lu.assertStrContains(errors, ("shard %d/3: "):format(i))
  end
  lu.assertStrContains(printed(run("merge by_cost.cfdb by_cost_1.cfdb by_cost_2.cfdb by_cost_3.cfdb")),
    "merged 420 cells, 420 new\n")
  run_script("--store by_cost.cfdb")
  lu.assertTrue(folder:export("by_cost.cfdb") == folder:export("unevenly.cfdb"))
end

function TestShards:test_costs_that_cannot_be_used_are_refused()
  local ending = '; a costs file is a list of {"dataset": "iris", "learner": "knn", "seconds": 0.5}\n'
  for text, finding in pairs {
    ["[1,"] = "it is not JSON at byte 4",
    ["{}"] = "it has no list of learners",
    ['[{"dataset": "iris", "seconds": 1}]'] = "entry 1 has no dataset or no learner",
    ['[{"dataset": "iris", "learner": "a", "seconds": 0}]'] = "entry 1 has no seconds greater than 0",
    ['[{"dataset": "b", "learner": "a", "seconds": 1}, {"dataset": "b", "learner": "a", "seconds": 1}]'] =
      "learner 'a' on 'b' has two entries",
  } do
    folder:write("wrong.json", text)
    lu.assertEquals(refused(run_script("--shard 1/3 --shard-costs wrong.json --store s.cfdb")),
      "crossfold: cannot read the costs of shards 'wrong.json': " .. finding .. ending)
  end
  lu.assertEquals(refused(run_script("--shard 1/3 --shard-costs no.json --store s.cfdb")),
    "crossfold: cannot read the costs of shards 'no.json': there is no such file; --plan writes it\n")
  local status, _, errors = run_script("--shard-costs no.json")
  lu.assertEquals({ status, errors }, { 2, "crossfold: --shard-costs is for --plan, which writes the file, and "
    .. "--shard, which reads it\n" })
end

function TestShards:test_wrong_command_lines_are_refused()
  for _, shard in ipairs { "4/3", "0/3", "x", "1", "1/2/3", "-1/3" } do
    local status, _, errors = run_script(("--shard=%s --store s.cfdb"):format(shard))
    lu.assertEquals(status, 2)
    lu.assertStrContains(errors, ("cannot run shard '%s': it is not a shard; use I/N with 1 <= I <= N, as in "
      .. "2/10"):format(shard))
  end
  local status, _, errors = run_script("--shard 1/3")
  lu.assertEquals({ status, errors }, { 2, "crossfold: a shard needs a store of its own for its cells; "
    .. "use --store part_1.cfdb\n" })
  status, _, errors = run_script("--shard 1/3 --store s.cfdb --json")
  lu.assertEquals({ status, errors }, { 2, "crossfold: a shard has no result to print; use --json in the "
    .. "run on the merged store\n" })
  lu.assertEquals(run_script("--shard 1/3 --store s.cfdb --plan"), 2)
  lu.assertEquals(run_script("--shard 1/3 --store s.cfdb --sandbox"), 2)
end

TestMissingShards = {}

local function missing(options) return { run("status --missing " .. options) } end

function TestMissingShards:test_shards_without_an_end_are_printed_as_an_array()
  os.execute(("mkdir '%s/parts'"):format(folder.path))
  for _, i in ipairs { 1, 3, 4, 9 } do run_script(("--shard %d/10 --store parts/part_%d.cfdb"):format(i, i)) end
  lu.assertEquals(missing("parts"), { 0, "2,5-8,10\n", "" })
  lu.assertEquals(missing("parts/part_1.cfdb parts/part_4.cfdb"), { 0, "2,3,5-10\n", "" })
  lu.assertEquals(missing("--csv parts/part_1.cfdb parts"), { 0, "shard\n2\n5\n6\n7\n8\n10\n", "" })
  -- So is a merged store of them, of which archives say nothing.
  run("merge parts.cfdb parts/part_*.cfdb")
  lu.assertEquals(missing("parts.cfdb"), { 0, "2,5-8,10\n", "" })
end

function TestMissingShards:test_nothing_is_printed_if_all_have_come_to_their_end()
  for i = 1, 2 do run_script(("--shard %d/2 --store both_%d.cfdb"):format(i, i)) end
  lu.assertEquals(missing("both_1.cfdb both_2.cfdb"), { 0, "", "" })
  lu.assertEquals(missing("--json both_1.cfdb both_2.cfdb"), { 0, "[]\n", "" })
end

-- The script is killed in the middle; the next time it comes to its end.
function TestMissingShards:test_a_killed_shard_is_missing_until_it_is_run_again()
  local script = folder:write("dies.lua", [[
if not io.open("lives") then
  local cf = require "crossfold"
  print = function() io.open("lives", "w"):close() os.exit(9) end
end
dofile(arg[2] .. "/experiment.lua")
]])
  local command = ("run --shard 2/3 --store dies.cfdb '%s' '%s' '%s'"):format(script, data, here)
  lu.assertEquals(run(command), 9)
  lu.assertEquals(missing("--shards 3 dies.cfdb"), { 0, "1-3\n", "" })
  run(command)
  lu.assertEquals(missing("--shards 3 dies.cfdb"), { 0, "1,3\n", "" })
end

function TestMissingShards:test_a_store_of_another_script_does_not_count()
  local script = folder:write("other.lua", ("dofile '%s/experiment.lua'"):format(here))
  run_script("--shard 1/2 --store old_1.cfdb")
  os.execute("sleep 1.1")  -- runs are dated by seconds
  run_script("--shard 2/2 --store new_2.cfdb", script)
  lu.assertEquals(missing("old_1.cfdb new_2.cfdb"), { 0, "1\n", "" })
end

function TestMissingShards:test_what_cannot_be_said_is_refused()
  run_script("--shard 1/2 --store of_two.cfdb")
  run_script("--shard 1/4 --store of_four.cfdb")
  lu.assertEquals(missing("of_two.cfdb of_four.cfdb"), { 1, "", "crossfold: cannot find the missing shards of "
    .. "'of_two.cfdb': its stores are of 2 shards and of 4; say which with --shards\n" })
  lu.assertEquals(missing("--shards 4 of_two.cfdb of_four.cfdb"), { 0, "2-4\n", "" })
  os.execute(("mkdir '%s/empty'"):format(folder.path))
  lu.assertEquals(missing("--shards 12 empty"), { 0, "1-12\n", "" })
  lu.assertEquals(missing("empty"), { 1, "", "crossfold: cannot find the missing shards of 'empty': no shard has "
    .. "come to its end there; give their number, as in --shards 8\n" })
  lu.assertEquals(missing("--run 1 of_two.cfdb"), { 2, "", "crossfold: --missing is about shards; leave out "
    .. "--run\n" })
  lu.assertEquals({ run("status of_two.cfdb of_four.cfdb") }, { 2, "", "crossfold: only --missing takes several "
    .. "stores; merge them first\n" })
  lu.assertEquals({ run("status --shards 2 of_two.cfdb") }, { 2, "", "crossfold: --shards is for --missing; add "
    .. "it\n" })
end

TestMerge = {}

-- The same script with the same arguments, which reads something else on one of the machines.
function TestMerge:test_different_notes_of_an_experiment_are_told()
  local script = folder:write("depends.lua", [[
local cf = require "crossfold"
cf.evaluate { data = cf.read(arg[1] .. "/iris.csv", { target = "class" }), metrics = "accuracy",
  learners = { [os.getenv "NAME"] = cf.learner("lda") }, splitter = cf.splitter("kfold", { folds = 4 }) }
]])
  for i, name in ipairs { "one", "other" } do
    local status = folder:run(("NAME=%s '%s' run --shard %d/2 --store note_%d.cfdb '%s' '%s'"):format(name,
      program, i, i, script, data))
    lu.assertEquals(status, 0)
  end
  local status, output, errors = run("merge notes.cfdb note_1.cfdb note_2.cfdb")
  lu.assertEquals({ status, errors }, { 3, "crossfold: store 'note_2.cfdb': what experiment 1 noted "
    .. "(evaluate) differs from that in store 'notes.cfdb', which is kept\n" })
  lu.assertStrContains(output, "merged 4 cells, 4 new\n")
end

function TestMerge:test_what_is_no_store_is_refused()
  folder:write("text.cfdb", "no store")
  lu.assertStrContains(refused(run("merge out.cfdb text.cfdb")), "text.cfdb")
  lu.assertEquals(refused(run("merge out.cfdb gone.cfdb")),
    "crossfold: cannot merge stores into 'out.cfdb': there is no "
    .. "file 'gone.cfdb'; give the stores of shards that have run\n")
  run_script("--store itself.cfdb --shard 1/9")
  lu.assertEquals(refused(run("merge itself.cfdb ./itself.cfdb")),
    "crossfold: cannot merge stores into 'itself.cfdb': it is one "
    .. "of them; the first file is the one to write to\n")
end

arg = {}  -- LuaUnit would take it for its own options
os.exit(lu.LuaUnit.run("--output", "text"))
