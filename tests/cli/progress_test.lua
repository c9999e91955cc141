-- progress_test.lua PROGRAM DATA PYTHON TERMINAL SCRATCH: what the program shows while a script runs.
-- TERMINAL is on_terminal.py.
package.path = arg[0]:match("^(.*)/") .. "/?.lua;" .. package.path
local lu = require "luaunit"
local Shell = require "shell"
local printed = Shell.printed

local program, data, python, terminal, scratch = table.unpack(arg)
local shell = Shell.new(scratch, program)

-- A search inside 4 folds, beside a learner of which every cell takes a while and one fold fails.
local script_path = shell:write("progress.lua", ([[
local cf = require "crossfold"
local iris = cf.read("%s/iris.csv", { target = "class" })
local result = cf.evaluate{
  data = iris,
  learners = {
    search = cf.grid_search{ learner = "knn", grid = { k = { 1, 3, 5 } }, metric = "accuracy",
      splitter = cf.splitter("kfold", { folds = 2 }) },
    slow = cf.learner("debug", { action = "sleep", sleep_ms = 250 }),
    failing = cf.learner("debug", { action = "throw_in_predict", when_row = 3 }),
  },
  splitter = cf.splitter("kfold", { folds = 4 }), metrics = "accuracy",
}
print "the script goes on"
]]):format(data))

local function run(arguments) return shell:crossfold(arguments) end

local function run_with(options) return run(("run %s '%s'"):format(options, script_path)) end

-- What a person would have seen on a terminal, every drawing of the bar on a line of its own.
local function on_terminal(options)
  local pipe = assert(io.popen(("'%s' '%s' '%s' run %s '%s'"):format(python, terminal, program, options,
    script_path)))
  local output = pipe:read("a")
  pipe:close()
  return (output:gsub("\r\27%[K", "\n"):gsub("\r\n", "\n"))
end

local end_of_run = "crossfold: 1 of 36 cells failed\n"

TestProgress = {}

function TestProgress:test_json_has_an_object_a_line_and_an_end_of_every_run()
  local status, output, errors = run_with("--workers 1 --progress json")
  lu.assertEquals({ status, output }, { 3, "the script goes on\n" })
  local events, last = {}, nil
  for line in errors:gmatch("[^\n]+") do
    local event = line:match('^{"event":"(%a+)",.*}$')
    if event then
      events[#events + 1] = event
      if event == "end" then last = line end
    end
  end
  -- The search chooses in the first run and is tested in the second.
  lu.assertEquals(events[1], "progress")
  lu.assertEquals(table.concat(events, " "):gsub("progress ", ""), "end end")
  lu.assertStrMatches(last, '{"event":"end","finished":4,"total":4,"failed":0,"found":0,'
    .. '"inner_finished":0,"inner_total":0,"folds_finished":12,"folds_total":12,"seconds":[%d.e-]+,'
    .. '"cells_per_second":[%d.e-]+,"seconds_left":0.0}')
  lu.assertStrContains(errors, '"inner_finished":24,"inner_total":24,"folds_finished":8,"folds_total":12')
end

function TestProgress:test_a_short_run_that_is_no_terminals_shows_nothing()
  lu.assertEquals({ run_with("") }, { 3, "the script goes on\n", end_of_run })
  lu.assertEquals({ run_with("--progress none") }, { 3, "the script goes on\n", end_of_run })
end

function TestProgress:test_a_bar_is_drawn_on_a_terminal_and_taken_away_before_the_script_prints()
  local seen = on_terminal("--workers 1")
  lu.assertStrMatches(seen, ".*\n%[=*>? *%] +%d+%%  %d+/12 folds, inner %d+/24 cells, .*")
  lu.assertStrMatches(seen, ".*\nthe script goes on\n" .. end_of_run)
end

function TestProgress:test_quiet_shows_no_bar_unless_it_is_asked_for()
  local pipe = assert(io.popen(("'%s' '%s' '%s' --quiet run --workers 1 '%s'"):format(python, terminal,
    program, script_path)))
  local seen = pipe:read("a")
  pipe:close()
  lu.assertEquals(seen, "the script goes on\r\n" .. end_of_run:gsub("\n", "\r\n"))
  local _, _, errors = run(("--quiet run --progress json '%s'"):format(script_path))
  lu.assertStrContains(errors, '{"event":"end"')
end

function TestProgress:test_cells_of_a_store_are_found()
  local store = scratch .. "/progress.cfdb"
  os.remove(store)
  run_with("--store '" .. store .. "'")
  local _, _, errors = run_with("--progress json --store '" .. store .. "'")
  lu.assertStrContains(errors, '"finished":32,"total":32,"failed":1,"found":32,')
  os.remove(store)
end

function TestProgress:test_a_style_that_does_not_exist_is_a_wrong_command_line()
  local status, _, errors = run_with("--progress loud")
  lu.assertEquals(status, 2)
  lu.assertEquals(errors, "crossfold: cannot use --progress 'loud': known: auto, bar, json, lines, none\n")
end

function TestProgress:test_dry_run_is_plan()
  lu.assertStrContains(printed(run_with("--dry-run --json")), '"fits_asked": 36')
end

-- The pipe is full before the program begins; when `sleep` ends, writing to it would kill the program.
function TestProgress:test_a_reader_that_stands_still_stops_no_run()
  local whole, status = scratch .. "/progress_whole.lua", scratch .. "/progress_status"
  local file = assert(io.open(whole, "wb"))
  file:write(([[
local cf = require "crossfold"
return cf.evaluate{
  data = cf.read("%s/iris.csv", { target = "class" }), learners = "knn", metrics = "accuracy",
  splitter = cf.splitter("kfold", { folds = 4 }),
}]]):format(data))
  file:close()
  os.remove(status)
  os.execute(("{ head -c 65536 /dev/zero; '%s' run --progress json '%s' 2>&1 >/dev/null; echo $? >'%s'; }"
    .. " | sleep 6"):format(program, whole, status))
  lu.assertEquals(shell.read(status), "0\n")
end

os.exit(lu.LuaUnit.run("--output", "text"))
