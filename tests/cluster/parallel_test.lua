-- parallel_test.lua PROGRAM ROOT SCRATCH: scripts/cluster/parallel.sh with GNU parallel.
local lu = require "luaunit"

local program, root, scratch = table.unpack(arg)
local here = arg[0]:match("^(.*)/") or "."
package.path = here .. "/?.lua;" .. package.path
local folder = require("scratch_folder").new(scratch .. "/parallel", program, "PARALLEL_HOME=.parallel ")

local script = ("'%s/tests/cluster/experiment.lua' '%s/scripts/data'"):format(root, root)

-- The first start of shard 3 is killed.
folder:write("killed_once", ([[
#!/bin/sh
case "$*" in
  *"--shard 3/"*) [ -e killed ] || { : >killed && kill -KILL $PPID; } ;;
esac
exec '%s' "$@"
]]):format(program))
os.execute(("chmod +x '%s/killed_once'"):format(folder.path))

local function parallel(environment)
  return folder:run(("%s N=5 JOBS=2 STORE=all.cfdb '%s/scripts/cluster/parallel.sh' %s"):format(environment, root,
    script))
end

TestParallel = {}

function TestParallel:test_a_killed_shard_is_started_again_and_the_store_has_the_bytes_of_one_machine()
  local _, printed = folder:run(("'%s' run --store one.cfdb %s"):format(program, script))
  local status, output, errors = parallel('CROSSFOLD="$PWD/killed_once"')
  lu.assertEquals(status, 3)  -- the experiment has a learner that fails
  lu.assertTrue(folder:read("killed") == "")
  lu.assertStrContains(output, "merged 420 cells, 420 new\n" .. printed)
  lu.assertStrContains(errors, "store all.cfdb: 420 cells found, 0 computed\n")
  lu.assertTrue(folder:export("one.cfdb") == folder:export("all.cfdb"))
end

function TestParallel:test_the_same_line_starts_only_shards_that_have_not_come_to_their_end()
  parallel(("CROSSFOLD='%s'"):format(program))
  os.remove(folder.path .. "/all.cfdb-parts/part_2.cfdb")
  local status = parallel(("CROSSFOLD='%s'"):format(program))
  lu.assertEquals(status, 3)
  local _, jobs = folder:read("all.cfdb-parts/joblog"):gsub("\n", "")
  lu.assertEquals(jobs, 2)  -- the header, and a line per job
  lu.assertStrContains(folder:read("all.cfdb-parts/part_2.log"), "shard 2/5: ")
end

function TestParallel:test_stores_in_which_nothing_was_stored_yet_or_which_are_damaged_count_as_missing()
  parallel(("CROSSFOLD='%s'"):format(program))
  folder:write("all.cfdb-parts/part_2.cfdb", "")
  lu.assertEquals({ folder:run(("'%s' status --missing all.cfdb-parts"):format(program)) }, { 0, "2\n", "" })
  local _, merged = folder:run(("'%s' merge few.cfdb all.cfdb-parts/part_*.cfdb"):format(program))
  lu.assertStrMatches(merged, ".*merged 3%d%d cells, 3%d%d new\n.*")
  folder:write("all.cfdb-parts/part_4.cfdb", "not a store, but a file that someone has put there")
  lu.assertEquals({ folder:run(("'%s' status --missing all.cfdb-parts"):format(program)) }, { 0, "2,4\n",
    "crossfold: cannot open store 'all.cfdb-parts/part_4.cfdb': it is not a Crossfold store; use another path; its "
    .. "shard counts as missing\n" })
  os.remove(folder.path .. "/all.cfdb-parts/part_4.cfdb")
  lu.assertEquals(parallel(("CROSSFOLD='%s'"):format(program)), 3)
  local _, jobs = folder:read("all.cfdb-parts/joblog"):gsub("\n", "")
  lu.assertEquals(jobs, 3)  -- the header, and two shards
end

arg = {}  -- LuaUnit would take it for its own options
os.exit(lu.LuaUnit.run("--output", "text"))
