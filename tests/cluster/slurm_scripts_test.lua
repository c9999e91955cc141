-- slurm_scripts_test.lua PROGRAM ROOT SCRATCH: scripts/cluster/slurm_array.sh with a program in place of
-- sbatch that runs what it is given at once, task by task.
local lu = require "luaunit"

local program, root, scratch = table.unpack(arg)
scratch = scratch .. "/slurm"
os.execute(("rm -rf '%s' && mkdir -p '%s/bin'"):format(scratch, scratch))

local function read(name)
  local file = assert(io.open(scratch .. "/" .. name, "rb"))
  local text = file:read("a")
  file:close()
  return text
end

local function write(name, text)
  local file = assert(io.open(scratch .. "/" .. name, "wb"))
  assert(file:write(text))
  assert(file:close())
end

local function shell(command)
  local _, _, status = os.execute(("cd '%s' && HOME=/nowhere CROSSFOLD_PLUGIN_PATH= %s"):format(scratch,
    command))
  return status
end

-- A job is its number; the output of each of its tasks is in a file.
write("bin/sbatch", [[
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
os.execute(("chmod +x '%s/bin/sbatch'"):format(scratch))

local script = ("'%s/tests/cluster/experiment.lua' '%s/scripts/data'"):format(root, root)

TestSlurmArray = {}

function TestSlurmArray:test_the_array_the_merge_and_the_last_run_give_the_bytes_of_one_machine()
  lu.assertEquals(shell(("'%s' run --store one.cfdb %s >one.txt 2>one.err"):format(program, script)), 3)
  local submit = ("PATH=\"$PWD/bin:$PATH\" CROSSFOLD='%s' N=4 STORE=all.cfdb "
    .. "'%s/scripts/cluster/slurm_array.sh' %s >submitted 2>&1"):format(program, root, script)
  lu.assertEquals(shell(submit), 0)
  lu.assertEquals(read("submitted"), "2;cluster\n")
  lu.assertStrContains(read("options"), "job 2: --dependency=afterany:1\n")
  lu.assertStrContains(read("job_1_3"), "shard 3/4: ")
  lu.assertStrContains(read("job_2"), "merged 420 cells, 420 new\n")
  lu.assertStrContains(read("job_2"), read("one.txt"))
  lu.assertStrContains(read("job_2.err"), "store all.cfdb: 420 cells found, 0 computed\n")
  for _, store in ipairs { "one", "all" } do
    lu.assertEquals(shell(("'%s' export %s.cfdb %s.zip"):format(program, store, store)), 0)
  end
  lu.assertTrue(read("one.zip") == read("all.zip"))
  -- The same line again finds everything.
  lu.assertEquals(shell(submit), 0)
  lu.assertStrMatches(read("job_3_1"):match("store .*"), "store [^\n]*: %d+ cells found, 0 computed\n.*")
  lu.assertStrContains(read("job_4"), "merged 420 cells, 0 new\n")
end

function TestSlurmArray:test_without_a_script_it_tells_how_it_is_used()
  lu.assertEquals(shell(("'%s/scripts/cluster/slurm_array.sh' 2>usage"):format(root)), 2)
  lu.assertStrContains(read("usage"), "usage: ")
  lu.assertEquals(shell(("'%s/scripts/cluster/slurm_mpi.sh' 2>usage"):format(root)), 2)
end

arg = {}  -- LuaUnit would take it for its own options
os.exit(lu.LuaUnit.run("--output", "text"))
