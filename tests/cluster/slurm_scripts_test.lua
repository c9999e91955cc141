-- slurm_scripts_test.lua PROGRAM ROOT SCRATCH: scripts/cluster/slurm_array.sh with a program in place of
-- sbatch that runs what it is given at once, task by task.
local lu = require "luaunit"

local program, root, scratch = table.unpack(arg)
local here = arg[0]:match("^(.*)/") or "."
package.path = here .. "/?.lua;" .. package.path
local folder = require("scratch_folder").new(scratch .. "/slurm", program, "TMPDIR=\"$PWD\" ")
assert(os.execute(("mkdir '%s/bin'"):format(folder.path)))

-- A job is its number; the output of each of its tasks is in a file.
folder:write("bin/sbatch", [[
#!/bin/sh
jobs=$(cat jobs 2>/dev/null || echo 0)
echo $((jobs + 1)) >jobs
array=
while [ $# -gt 0 ]; do
  case $1 in
    --array=*) array=${1#--array=} && echo "job $((jobs + 1)): $1" >>options ;;
    --*) echo "job $((jobs + 1)): $1" >>options ;;
    *) break ;;
  esac
  shift
done
if [ -n "$array" ]; then
  for range in $(echo "$array" | tr , ' '); do
    for i in $(seq "${range%-*}" "${range#*-}"); do
      # A node that fails: its task never runs.
      [ "$i" = "${LOST:-}" ] || SLURM_ARRAY_TASK_ID=$i "$@" >"job_$((jobs + 1))_$i" 2>&1
    done
  done
else
  "$@" >"job_$((jobs + 1))" 2>"job_$((jobs + 1)).err"
fi
echo "$((jobs + 1));cluster"
]])
os.execute(("chmod +x '%s/bin/sbatch'"):format(folder.path))

local function submit(environment, arguments)
  return folder:run(("PATH=\"$PWD/bin:$PATH\" CROSSFOLD='%s' %s '%s/scripts/cluster/slurm_array.sh' %s")
    :format(program, environment, root, arguments))
end

-- What sbatch was asked for since the last call.
local function options()
  local text = folder:read("options")
  os.remove(folder.path .. "/options")
  return text
end

local script = ("'%s/tests/cluster/experiment.lua' '%s/scripts/data'"):format(root, root)

TestSlurmArray = {}

function TestSlurmArray:test_the_array_the_merge_and_the_last_run_give_the_bytes_of_one_machine()
  local status, printed = folder:run(("'%s' run --store one.cfdb %s"):format(program, script))
  lu.assertEquals(status, 3)
  os.remove(folder.path .. "/jobs")
  lu.assertEquals({ submit("N=4 SAVE=0 STORE=all.cfdb", script) }, { 0, "2;cluster\n", "" })
  lu.assertEquals(options(), "job 1: --parsable\njob 1: --array=1-4\njob 1: --job-name=shard\n"
    .. "job 2: --parsable\njob 2: --dependency=afterany:1\njob 2: --job-name=merge\njob 2: --export=ALL\n")
  lu.assertStrContains(folder:read("job_1_3"), "shard 3/4: ")
  lu.assertStrContains(folder:read("job_2"), "merged 420 cells, 420 new\n")
  lu.assertStrContains(folder:read("job_2"), printed)
  lu.assertStrContains(folder:read("job_2.err"), "store all.cfdb: 420 cells found, 0 computed\n")
  lu.assertTrue(folder:export("one.cfdb") == folder:export("all.cfdb"))
end

function TestSlurmArray:test_the_same_line_submits_the_lost_shards_only()
  local line = "N=3 SAVE=0 STORE=lost.cfdb PARTS='some parts'"
  lu.assertEquals(submit(line .. " LOST=2", script), 0)
  lu.assertStrContains(options(), "--array=1-3\n")
  lu.assertEquals(submit(line, script), 0)
  lu.assertStrContains(options(), "--array=2\n")
  -- Nothing is lost now: only the merge is submitted, and waits for nothing.
  lu.assertEquals(submit(line, script), 0)
  local asked = options()
  lu.assertNotStrContains(asked, "--array")
  lu.assertNotStrContains(asked, "--dependency")
  lu.assertEquals(submit(line .. " ALL=1", script), 0)
  lu.assertStrContains(options(), "--array=1-3\n")
end

function TestSlurmArray:test_after_a_change_of_the_script_all_shards_are_submitted()
  local changed = folder:write("changed.lua", "table.remove(arg, 1) return dofile((...))")
  local line, arguments = "N=2 SAVE=0 STORE=changed.cfdb", ("'%s' %s"):format(changed, script)
  lu.assertEquals(submit(line, arguments), 0)
  lu.assertStrContains(options(), "--array=1,2\n")
  folder:write("changed.lua", "table.remove(arg, 1) return dofile((...))  -- changed")
  lu.assertEquals(submit(line .. " LOST=2", arguments), 0)
  lu.assertStrContains(options(), "--array=1,2\n")
  lu.assertEquals(submit(line, arguments), 0)
  lu.assertStrContains(options(), "--array=2\n")
end

function TestSlurmArray:test_a_task_that_is_killed_has_brought_back_what_it_had()
  local status = folder:run(("TASK=1 N=1 SAVE=1 STORE=saved.cfdb RUN_ARGS='--workers 1' CROSSFOLD='%s' "
    .. "timeout -s KILL 2.5 '%s/scripts/cluster/slurm_array.sh' %s 200"):format(program, root, script))
  lu.assertEquals(status, 137)
  local _, text = folder:run(("'%s' merge back.cfdb saved.cfdb-parts/part_1.cfdb"):format(program))
  local cells = math.tointeger(tonumber(text:match("merged (%d+) cells")))
  lu.assertTrue(cells > 0 and cells < 420, text)
  lu.assertEquals({ folder:run(("'%s' status --missing --shards 1 saved.cfdb-parts"):format(program)) },
    { 0, "1\n", "" })
end

function TestSlurmArray:test_a_task_that_is_asked_to_end_brings_back_what_it_has()
  local status, _, errors = folder:run(("TASK=1 N=1 SAVE=0 STORE=ended.cfdb RUN_ARGS='--workers 1' CROSSFOLD='%s' "
    .. "timeout --foreground 1 '%s/scripts/cluster/slurm_array.sh' %s 200"):format(program, root, script))
  lu.assertEquals(status, 124)
  lu.assertStrContains(errors, "interrupted")
  local _, text = folder:run(("'%s' merge ended_back.cfdb ended.cfdb-parts/part_1.cfdb"):format(program))
  local cells = math.tointeger(tonumber(text:match("merged (%d+) cells")))
  lu.assertTrue(cells > 0 and cells < 420, text)
  lu.assertEquals({ folder:run(("'%s' status --missing --shards 1 ended.cfdb-parts"):format(program)) },
    { 0, "1\n", "" })
end

-- The program, in whose place `merge` first does what `then_do` says; $2 is the store that it makes.
local function merging(then_do)
  folder:write("merging", ([[
#!/bin/sh
if [ "$1" = merge ]; then %s; fi
exec '%s' "$@"
]]):format(then_do, program))
  os.execute(("chmod +x '%s/merging'"):format(folder.path))
end

-- What is computed again differs from what was saved before, so each save begins with nothing.
function TestSlurmArray:test_a_shard_saves_what_it_has_anew_each_time()
  merging '[ ! -e "$2" ] || exit 3'
  local status = folder:run(("TASK=1 N=1 SAVE=1 STORE=anew.cfdb RUN_ARGS='--workers 1' CROSSFOLD=\"$PWD/merging\" "
    .. "'%s/scripts/cluster/slurm_array.sh' %s 20"):format(root, script))
  lu.assertEquals(status, 3)  -- the experiment has a learner that fails
  local _, text = folder:run(("'%s' status --missing --shards 1 anew.cfdb-parts"):format(program))
  lu.assertEquals(text, "")
end

function TestSlurmArray:test_a_shard_that_cannot_be_saved_says_where_its_store_is()
  merging "exit 1"
  local status, _, errors = folder:run(("TASK=1 N=1 SAVE=0 STORE=unsaved.cfdb CROSSFOLD=\"$PWD/merging\" "
    .. "'%s/scripts/cluster/slurm_array.sh' %s"):format(root, script))
  lu.assertEquals(status, 74)
  local place = errors:match "slurm_array.sh: cannot save shard 1; its store stays in '([^']+)'\n"
  lu.assertEquals({ folder:run(("'%s' status --missing --shards 1 '%s'"):format(program, place)) }, { 0, "", "" })
end

function TestSlurmArray:test_a_damaged_store_of_a_shard_is_recovered_and_kept()
  local line = ("TASK=1 N=1 SAVE=0 STORE=cut.cfdb CROSSFOLD='%s' '%s/scripts/cluster/slurm_array.sh' %s")
    :format(program, root, script)
  lu.assertEquals(folder:run(line), 3)
  folder:write("cut.cfdb-parts/part_1.cfdb", folder:read("cut.cfdb-parts/part_1.cfdb"):sub(1, 20000))
  local status, _, errors = folder:run(line)
  lu.assertEquals(status, 3)
  lu.assertStrContains(errors, "slurm_array.sh: 'part_1.cfdb' was damaged, and is in 'cut.cfdb-parts/damaged-")
  folder:write("cut.cfdb-parts/part_1.cfdb", "not a store, but a file that someone has put there")
  status, _, errors = folder:run(line)
  lu.assertEquals(status, 3)
  lu.assertStrContains(errors, "slurm_array.sh: nothing of it can be read, so all of it is computed again\n")
  lu.assertEquals({ folder:run(("'%s' status --missing --shards 1 cut.cfdb-parts"):format(program)) }, { 0, "", "" })
end

function TestSlurmArray:test_the_script_runs_though_results_of_shards_differ()
  local line = "N=1 SAVE=0 STORE=differ.cfdb"
  lu.assertEquals(folder:run(("TASK=1 %s CROSSFOLD='%s' '%s/scripts/cluster/slurm_array.sh' %s"):format(line, program,
    root, script)), 3)
  merging(("'%s' \"$@\" && exit 3"):format(program))
  local status, _, errors = folder:run(("TASK=merge %s CROSSFOLD=\"$PWD/merging\" "
    .. "'%s/scripts/cluster/slurm_array.sh' %s"):format(line, root, script))
  lu.assertEquals(status, 3)
  lu.assertStrContains(errors, "store differ.cfdb: 420 cells found, 0 computed\n")
end

function TestSlurmArray:test_without_a_script_it_tells_how_it_is_used()
  local status, _, errors = folder:run(("'%s/scripts/cluster/slurm_array.sh'"):format(root))
  lu.assertEquals(status, 2)
  lu.assertStrContains(errors, "usage: ")
  lu.assertEquals(folder:run(("'%s/scripts/cluster/slurm_mpi.sh'"):format(root)), 2)
end

arg = {}  -- LuaUnit would take it for its own options
os.exit(lu.LuaUnit.run("--output", "text"))
