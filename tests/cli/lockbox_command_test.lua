-- lockbox_command_test.lua PROGRAM DATA SCRATCH: crossfold lockbox open evaluates a saved model and records it,
-- crossfold lockbox show lists the openings and refuses changed files.
package.path = arg[0]:match("^(.*)/") .. "/?.lua;" .. package.path
local lu = require "luaunit"
local Shell = require "shell"
local printed, refused = Shell.printed, Shell.refused

local program, data, scratch = arg[1], arg[2], arg[3]
local shell = Shell.new(scratch, program)
local box, model = scratch .. "/command.lockbox", scratch .. "/command.cfm"

TestLockboxCommand = {}

function TestLockboxCommand:setUp()
  os.remove(box)
  local script = scratch .. "/seal.lua"
  local file <close> = assert(io.open(script, "w"))
  file:write(([[
local cf = require "crossfold"
local iris = cf.read("%s/iris.csv", { target = "class" })
local rest = cf.lockbox(iris, { file = "%s", seed = 1 })
cf.learner("knn", { k = 5 }):fit(rest):save("%s")
]]):format(data, box, model))
  file:close()
  printed(shell:run("\"$CROSSFOLD\" run '%s'", script))
end

local function lockbox(arguments, ...) return shell:run("\"$CROSSFOLD\" lockbox " .. arguments, ...) end

function TestLockboxCommand:test_open_prints_the_score_and_the_log_has_the_key()
  local status, output, errors = lockbox("open '%s' --model '%s' --reason 'it is final'", box, model)
  lu.assertEquals(status, 0)
  lu.assertStrContains(output, "accuracy of 'command.cfm' on 30 sealed rows of 'iris': ")
  lu.assertStrContains(output, ("This is opening 1 of '%s', which was opened once."):format(box))
  lu.assertStrMatches(errors, ".*crossfold: lockbox '[^\n]*': opening 1 uses the key %x+\n.*")
  lu.assertStrContains(errors, "  reason = \"it is final\",\n")
end

function TestLockboxCommand:test_an_opening_is_not_silent_with_quiet()
  local _, _, errors = shell:run("\"$CROSSFOLD\" --quiet lockbox open '%s' --model '%s' --reason 'it is final'", box,
    model)
  lu.assertStrMatches(errors, ".*opening 1 uses the key %x+\n.*")
end

function TestLockboxCommand:test_the_same_model_is_answered_without_the_key()
  local _, first = lockbox("open '%s' --model '%s' --reason 'it is final'", box, model)
  local _, second, errors = lockbox("open '%s' --model '%s' --reason 'again'", box, model)
  lu.assertStrContains(second, (first:match("^[^\n]*\n[^\n]*\n")))
  lu.assertStrContains(second, "this is the same answer, and not another opening.")
  lu.assertNotStrContains(errors, "uses the key")
end

function TestLockboxCommand:test_show_lists_the_openings()
  lu.assertStrContains(printed(lockbox("show '%s'", box)), "30 of 150 rows of 'iris' are sealed, never opened\n")
  lockbox("open '%s' --model '%s' --reason 'it is final' --metric 'log_loss'", box, model)
  local _, after = lockbox("show '%s'", box)
  lu.assertStrContains(after, "opened once")
  lu.assertStrContains(after, "it is final")
  local _, json = lockbox("show '%s' --json", box)
  lu.assertStrContains(json, '"reason":"it is final"')
end

-- Anyone can write such a file without the key: the entries follow one another.
function TestLockboxCommand:test_show_says_whether_the_record_was_checked_against_a_key_apart()
  local key = scratch .. "/command.key"
  os.remove(key)
  os.remove(box)
  lu.assertEquals(shell:run("sed -i 's|seed = 1|seed = 1, key = \"%s\"|' '%s/seal.lua' && \"$CROSSFOLD\" run "
    .. "'%s/seal.lua'", key, scratch, scratch), 0)
  local _, unchecked = lockbox("show '%s'", box)
  lu.assertStrContains(unchecked, "\nits record was not checked against its key (--key)\n")
  lu.assertNotStrContains(unchecked, "intact")
  local _, json = lockbox("show '%s' --json", box)
  lu.assertStrContains(json, '"is_checked":false')
  local _, checked = lockbox("show '%s' --key '%s'", box, key)
  lu.assertStrContains(checked, "\nits record is intact\n")
end

function TestLockboxCommand:test_a_changed_file_is_refused_with_exit_code_1()
  lockbox("open '%s' --model '%s' --reason 'it is final'", box, model)
  local file <close> = assert(io.open(box, "rb"))
  local bytes = file:read("a"):gsub("it is final", "it was final")
  local changed <close> = assert(io.open(box, "wb"))
  changed:write(bytes)
  changed:close()
  lu.assertStrContains(refused(lockbox("show '%s'", box)), ("cannot read lockbox '%s': entry "):format(box))
  lu.assertEquals(lockbox("open '%s' --model '%s' --reason x", box, model), 1)
end

-- Opens with a metric in Lua whose function has this body.
local function open_with(body)
  local script = scratch .. "/killed.lua"
  local file <close> = assert(io.open(script, "w"))
  file:write(([[
local cf = require "crossfold"
local hangs = cf.metric { name = "hangs", direction = "higher", score = function() %s end }
print(cf.read_lockbox("%s"):open("%s", { reason = "it is killed", metric = hangs }))
]]):format(body, box, model))
  file:close()
  return shell:run("\"$CROSSFOLD\" run '%s'", script)
end

-- Killed between the record of the opening and its score: the metric never ends.
function TestLockboxCommand:test_an_opening_that_is_killed_is_recorded_and_continued()
  lu.assertNotEquals(open_with("os.execute('kill -KILL $PPID') while true do end"), 0)
  local _, shown = lockbox("show '%s'", box)
  lu.assertStrContains(shown, "it is killed")
  lu.assertStrContains(shown, "interrupted")
  local _, output = open_with("return 0.5")
  lu.assertStrContains(output, "This is opening 1 of ")
end

function TestLockboxCommand:test_the_store_records_openings()
  local store = scratch .. "/lockbox_command.cfdb"
  for _, rest in ipairs { "", "-wal", "-shm" } do os.remove(store .. rest) end
  lu.assertEquals(shell:run("cp '%s' '%s.copy'", box, box), 0)
  lu.assertEquals(lockbox("open '%s' --model '%s' --reason 'it is final' --store '%s'", box, model, store), 0)
  lu.assertEquals(shell:run("\"$CROSSFOLD\" gc '%s' --keep-runs 0", store), 0)
  lu.assertEquals(shell:run("mv '%s.copy' '%s'", box, box), 0)
  lu.assertStrContains(refused(lockbox("open '%s' --model '%s' --reason 'again' --store '%s'", box, model, store)),
    ("cannot open lockbox '%s': it has 0 openings, and the store '%s' has 1 of them; use "
    .. "the newest copy"):format(box, store))
end

-- The last run of the store is an opening, which has no results of its own.
function TestLockboxCommand:test_the_report_of_a_store_is_about_the_run_before_an_opening()
  local store, script = scratch .. "/lockbox_report.cfdb", scratch .. "/evaluate.lua"
  for _, rest in ipairs { "", "-wal", "-shm" } do os.remove(store .. rest) end
  local file <close> = assert(io.open(script, "w"))
  file:write(([[
local cf = require "crossfold"
local iris = cf.read("%s/iris.csv", { target = "class" })
return cf.evaluate { data = cf.lockbox(iris, { file = "%s", seed = 1 }), learners = "knn", metrics = "accuracy",
  splitter = cf.splitter("kfold", { folds = 3 }) }
]]):format(data, box))
  file:close()
  lu.assertEquals(shell:run("\"$CROSSFOLD\" run --store '%s' '%s'", store, script), 0)
  lu.assertEquals(lockbox("open '%s' --model '%s' --reason 'it is final' --store '%s'", box, model, store), 0)
  local status, page = shell:run("\"$CROSSFOLD\" report '%s' -o -", store)
  lu.assertEquals(status, 0)
  lu.assertStrContains(page, "The lockbox was opened once.")
  lu.assertStrContains(page, "it is final")
end

function TestLockboxCommand:test_a_reason_and_a_model_are_required()
  local status, _, errors = lockbox("open '%s'", box)
  lu.assertEquals(status, 2)
  lu.assertStrContains(errors, "--model")
end

arg = {}  -- LuaUnit would take it for its own options
os.exit(lu.LuaUnit.run("--output", "text"))
