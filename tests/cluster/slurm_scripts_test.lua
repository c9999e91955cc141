-- slurm_scripts_test.lua PROGRAM ROOT SCRATCH: scripts/cluster/slurm_array.sh with a program in place of
-- sbatch that runs what it is given at once, task by task.
local lu = require "luaunit"

local program, root, scratch = table.unpack(arg)
local here = arg[0]:match("^(.*)/") or "."
package.path = here .. "/?.lua;" .. package.path
local folder = require("scratch_folder").new(scratch .. "/slurm")
assert(os.execute(("mkdir '%s/bin'"):format(folder.path)))

-- A job is its number; the output of each of its tasks is in a file.
folder:write("bin/sbatch", [[
#!/bin/sh
jobs=$(cat jobs 2>/dev/null || echo 0)
echo $((jobs + 1)) >jobs
array=
while [ $# -gt 0 ]; do
  case $1 in
    --array=*) array=${1#--array=1-} ;;
    --*) echo "job $((jobs + 1)): $1" >>options ;;
    *) break ;;
  esac
  shift
done
if [ -n "$array" ]; then
  for i in $(seq "$array"); do SLURM_ARRAY_TASK_ID=$i "$@" >"job_$((jobs + 1))_$i" 2>&1; done
else
  "$@" >"job_$((jobs + 1))" 2>"job_$((jobs + 1)).err"
fi
echo "$((jobs + 1));cluster"
]])
os.execute(("chmod +x '%s/bin/sbatch'"):format(folder.path))

local script = ("'%s/tests/cluster/experiment.lua' '%s/scripts/data'"):format(root, root)

TestSlurmArray = {}

function TestSlurmArray:test_the_array_the_merge_and_the_last_run_give_the_bytes_of_one_machine()
  local status, printed = folder:run(("'%s' run --store one.cfdb %s"):format(program, script))
  lu.assertEquals(status, 3)
  local submit = ("PATH=\"$PWD/bin:$PATH\" CROSSFOLD='%s' N=4 STORE=all.cfdb "
    .. "'%s/scripts/cluster/slurm_array.sh' %s"):format(program, root, script)
  lu.assertEquals({ folder:run(submit) }, { 0, "2;cluster\n", "" })
  lu.assertStrContains(folder:read("options"), "job 2: --dependency=afterany:1\n")
  lu.assertStrContains(folder:read("job_1_3"), "shard 3/4: ")
  lu.assertStrContains(folder:read("job_2"), "merged 420 cells, 420 new\n")
  lu.assertStrContains(folder:read("job_2"), printed)
  lu.assertStrContains(folder:read("job_2.err"), "store all.cfdb: 420 cells found, 0 computed\n")
  lu.assertTrue(folder:export(program, "one.cfdb") == folder:export(program, "all.cfdb"))
  -- The same line again finds everything.
  lu.assertEquals(folder:run(submit), 0)
  lu.assertStrMatches(folder:read("job_3_1"):match("store .*"),
    "store [^\n]*: %d+ cells found, 0 computed\n.*")
  lu.assertStrContains(folder:read("job_4"), "merged 420 cells, 0 new\n")
end

function TestSlurmArray:test_without_a_script_it_tells_how_it_is_used()
  local status, _, errors = folder:run(("'%s/scripts/cluster/slurm_array.sh'"):format(root))
  lu.assertEquals(status, 2)
  lu.assertStrContains(errors, "usage: ")
  lu.assertEquals(folder:run(("'%s/scripts/cluster/slurm_mpi.sh'"):format(root)), 2)
end

arg = {}  -- LuaUnit would take it for its own options
os.exit(lu.LuaUnit.run("--output", "text"))
