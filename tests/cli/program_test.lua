-- program_test.lua PROGRAM DATA SCRATCH: what the program prints and how it exits.
package.path = arg[0]:match("^(.*)/") .. "/?.lua;" .. package.path
local lu = require "luaunit"
local Shell = require "shell"
local printed, refused = Shell.printed, Shell.refused

local program, data, scratch = table.unpack(arg)
local shell = Shell.new(scratch, program)

local function run(arguments) return shell:crossfold(arguments) end

local function run_script(text, options, arguments)
  return run(("run %s '%s' %s"):format(options or "", shell:write("script.lua", text), arguments or ""))
end

local evaluate_debug = ([[
local cf = require "crossfold"
print "text of the script"
return cf.evaluate{
  data = cf.read("%s/iris.csv", { target = "class" }),
  learners = { bad = cf.learner("debug", { action = "throw_in_predict", when_row = 3 }) },
  splitter = cf.splitter("kfold", { folds = 3, shuffle = false }), metrics = "accuracy",
}]]):format(data)

TestProgram = {}

function TestProgram:test_version_and_help_are_printed()
  local output = printed(run("--version"))
  lu.assertStrMatches(output, "crossfold %d+%.%d+%.%d+\n")
  lu.assertStrContains(printed(run("--help")), "plugin")
end

local commands = "catalog, data, diff, evaluate, export, gc, import, lockbox, merge, model, plugin, predict, "
  .. "registry, repair, repl, report, rescore, run, status, verify"

-- What each of these says on standard error, after "crossfold: ".
local wrong_lines = {
  ["rnu x.lua"] = "there is no command 'rnu'; did you mean 'run'? known: " .. commands,
  ["qqqqqq"] = "there is no command 'qqqqqq'; known: " .. commands,
  ["help rnu"] = "there is no command 'rnu'; did you mean 'run'? known: " .. commands,
  ["plugin lst"] = "there is no command 'plugin lst'; did you mean 'list'? known: annotate, check, describe, info, "
    .. "install, list, new, outdated, pack, remove, rollback, scan, trust, update",
  ["--verson"] = "there is no option '--verson'; did you mean '--version'? crossfold --help lists all",
  ["run --sed 3 x.lua"] = "run has no option '--sed'; did you mean '--seed'? crossfold run --help lists all",
  ["run --sed=3 x.lua"] = "run has no option '--sed'; did you mean '--seed'? crossfold run --help lists all",
  ["repl -x"] = "repl has no option '-x'; crossfold repl --help lists those that there are",
  ["--workers 3 run x.lua"] = "there is no option '--workers' before a command; put it after evaluate, repl, "
    .. "run, verify",
  ["run"] = "run: SCRIPT is missing; crossfold run --help shows what it takes",
  ["plugin describe"] = "plugin describe: ID is missing; crossfold plugin describe --help shows what it takes",
  ["model"] = "model: MODEL is missing; crossfold model --help shows what it takes",
  ["predict model.cfm"] = "predict: DATA is missing; crossfold predict --help shows what it takes",
  ["diff"] = "diff: STORE and OTHER are missing; crossfold diff --help shows what it takes",
  ["diff a b c"] = "diff takes no further 'c'; crossfold diff --help shows what it takes",
  ["run --workers"] = "cannot use --workers: the value after it is missing",
  ["run --workers many x.lua"] = "cannot use --workers 'many': it is not a number from 0 to 4096",
  ["run --time-limit -1 x.lua"] = "cannot use --time-limit '-1': it is not a number above 0",
  ["run --time-limit nan x.lua"] = "cannot use --time-limit 'nan': it is not a number above 0",
  ["run --seed many x.lua"] = "cannot use --seed 'many': it is not a number from 0 to 18446744073709551615",
  ["run --seed 08 x.lua"] = "cannot use --seed '08': it is not a number from 0 to 18446744073709551615",
  ["run --workers 1 --workers 2 x.lua"] = "cannot use --workers: it is given more than once",
  ["run --seed 18446744073709551616 x.lua"] = "cannot use --seed '18446744073709551616': it is not a number from 0 to "
    .. "18446744073709551615",
  ["run --json=maybe x.lua"] = "cannot use --json 'maybe': it is neither true nor false; leave the value out",
  ["status --run 0 x.cfdb"] = "cannot use --run '0': it is not a number from 1 on",
  ["run --isolate wroker x.lua"] = "cannot use --isolate 'wroker': did you mean 'worker'? known: auto, fresh, none, "
    .. "worker",
  ["run --memory 5Q x.lua"] = "cannot use --memory: '5Q' is not a size; use bytes, or a unit as in 512M or 4G",
  ["run --memory -5 x.lua"] = "cannot use --memory: '-5' is not a size; use bytes, or a unit as in 512M or 4G",
}

function TestProgram:test_a_wrong_command_line_is_explained()
  for line, expected in pairs(wrong_lines) do
    lu.assertEquals({ line, run(line) }, { line, 2, "", "crossfold: " .. expected .. "\n" })
  end
end

function TestProgram:test_a_command_that_needs_another_shows_its_help()
  local _, help = run("--help")
  lu.assertEquals({ run("") }, { 2, "", help })
  _, help = run("plugin --help")
  lu.assertEquals({ run("plugin") }, { 2, "", help })
  lu.assertStrContains(help, "Usage: crossfold plugin [OPTIONS] SUBCOMMAND\n")
end

function TestProgram:test_help_is_a_command_too()
  for line, same in pairs { ["help"] = "--help", ["help run"] = "run --help",
    ["help plugin check"] = "plugin check --help" } do
    lu.assertEquals({ run(line) }, { run(same) })
  end
  lu.assertStrContains(select(2, run("help run")), "Usage: crossfold run [OPTIONS] script\n")
end

function TestProgram:test_help_says_what_stands_behind_an_option()
  local _, help = run("help run")
  for _, text in ipairs { "--workers N from 0 to 4096 ", "--time-limit N above 0 ", "--memory SIZE ", "--store FILE ",
    "--isolate auto|none|worker|fresh\n", "--shard I/N ", "--shard-costs FILE ", "--seed N " } do
    lu.assertStrContains(help, "  " .. text)
  end
  lu.assertStrContains(select(2, run("help report")), "--run N from 1 on ")
  lu.assertStrContains(select(2, run("help plugin check")), "--timeout N from 0.001 to 10000000\n")
end

function TestProgram:test_a_script_that_is_none_is_told()
  lu.assertEquals({ run("run /no/such.lua") },
    { 1, "", "crossfold: cannot run '/no/such.lua': there is no such file\n" })
  lu.assertEquals({ run("run /") },
    { 1, "", "crossfold: cannot run '/': it is a folder; give the path of a script\n" })
  run_script("")
  local path = scratch .. "/script"
  lu.assertEquals({ run(("run --sandbox '%s'"):format(path)) }, { 1, "", ("crossfold: cannot run '%s': there is no "
    .. "such file; did you mean '%s.lua'?\n"):format(path, path) })
end

function TestProgram:test_a_script_in_the_place_of_a_command_is_told_how_to_run()
  local status, _, errors = run("'my study.lua' --fast")
  lu.assertEquals(status, 2)
  lu.assertEquals(errors,
    "crossfold: 'my study.lua' is not a command; to run a script: crossfold run 'my study.lua'\n")
end

function TestProgram:test_an_empty_script_succeeds_in_silence()
  lu.assertEquals({ run_script("") }, { 0, "", "" })
end

function TestProgram:test_a_syntax_error_names_file_and_line()
  lu.assertEquals(refused(run_script("local a = 1\nlocal b = = 2\n")),
    ("crossfold: %s/script.lua:2: unexpected symbol near '='\n"):format(scratch))
end

function TestProgram:test_a_usage_error_names_the_users_line()
  lu.assertEquals(refused(run_script("local cf = require 'crossfold'\n\ncf.learner('knn', { k = 0 })")),
    ("crossfold: %s/script.lua:3: cannot make learner 'knn': k = 0 is out of "
    .. "range; it must be an integer >= 1\n"):format(scratch))
end

function TestProgram:test_traceback_shows_where_an_error_in_a_coroutine_came_from()
  local script = "local cf = require 'crossfold'\n"
    .. "local function inner() error('broken') end\n"
    .. "cf.parallel{ function() inner() end }"
  local _, _, short = run_script(script)
  lu.assertNotStrContains(short, "traceback")
  local _, _, long = run_script(script, "--traceback")
  lu.assertStrContains(long, "stack traceback")
  lu.assertStrContains(long, "'inner'")
end

function TestProgram:test_failed_cells_exit_with_3()
  local status, output, errors = run_script(evaluate_debug)
  lu.assertEquals(status, 3)
  lu.assertStrContains(output, "1 fold failed; the first: bad, repeat 1, fold 1, at predict debug")
  lu.assertEquals(errors, "crossfold: 1 of 3 cells failed\n")
end

function TestProgram:test_json_keeps_standard_output_for_the_result()
  local status, output, errors = run_script(evaluate_debug, "--json")
  lu.assertEquals(status, 3)
  lu.assertEquals(output:sub(1, 1), "[")
  lu.assertStrContains(output, '"value": null')
  lu.assertStrContains(errors, "text of the script")
end

-- Searches in pipelines and alone, a learner that cross-predicts, one with a path, one that fails.
local share = ([[
local cf = require "crossfold"
local inner = cf.splitter("kfold", { folds = 3, stratify = true })
local function search(learner, grid)
  return cf.grid_search { learner = learner, grid = grid, metric = "accuracy", splitter = inner }
end
return cf.evaluate{
  data = cf.read("%s/iris.csv", { target = "class" }),
  learners = {
    knn = search("knn", { k = { 1, 3, 9, 200 }, distance = { "euclidean", "manhattan" } }),
    forest = search("random_forest", { trees = { 2, 5 } }), tree = search("decision_tree",
      { max_depth = { 1, 2, 4 } }), bayes = cf.learner("naive_bayes"),
    scaled = search(cf.pipeline { cf.transform("standardize"), cf.learner("knn") },
      { k = { 2, 5 } }),
    bad = cf.learner("debug", { action = "throw_in_predict", when_row = 3 }),
  },
  splitter = cf.splitter("kfold", { folds = 5, stratify = true, repeats = 2 }),
  metrics = { "accuracy", "log_loss" },
}]]):format(data)

function TestProgram:test_sharing_changes_no_number()
  local status, shared, failures = run_script(share, "--json --workers 2")
  lu.assertEquals(status, 3)
  lu.assertEquals(failures, "crossfold: 62 of 510 cells failed\n")
  for _, options in ipairs { "--no-sharing", "--workers 1 --verify", "--workers 3 --memory 1K" } do
    local again, output, errors = run_script(share, "--json " .. options)
    lu.assertEquals(again, 3)
    lu.assertEquals(output, shared, options)
    lu.assertEquals(errors, failures, options)
  end
end

function TestProgram:test_memory_is_a_size()
  for _, size in ipairs { "1000000", "512M", "4G", "64KB", "1gb" } do
    lu.assertEquals(run_script("", "--memory " .. size), 0, size)
  end
  for _, size in ipairs { "much", "-1", "-4G", "12 parsecs", "1.5" } do
    local status, output, errors = run_script("", ("--memory '%s'"):format(size))
    lu.assertEquals(status, 2, size)
    lu.assertEquals(output, "")
    lu.assertStrContains(errors, "--memory", false, size)
  end
end

function TestProgram:test_predictions_that_a_store_has_are_read_from_it_and_are_those_kept_in_memory()
  local script = [[
local cf = require "crossfold"
local x, y = {}, {}
for i = 1, 300000 do x[i], y[i] = i * 7919 % 1009, "class " .. (i * i + i // 3) % 8 end
local data = cf.dataset { name = "many", target = "y", columns = {
  { name = "x", values = x }, { name = "y", values = y } } }
local result = cf.evaluate { data = data, learners = cf.learner("naive_bayes"), metrics = { "accuracy", "log_loss" },
  splitter = cf.splitter("kfold", { folds = 4 }), keep = "probabilities", seed = 5 }
for _, row in ipairs(result:pooled()) do print(row.metric, row.value) end
print(result:confusion())
]]
  local store = scratch .. "/predictions.cfdb"
  for _, ending in ipairs { "", "-log", "-wal", "-shm" } do os.remove(store .. ending) end  -- of an earlier run
  local _, expected = run_script(script)
  lu.assertStrContains(expected, "log_loss")
  for _, found in ipairs { "0 cells found, 4 computed", "4 cells found, 0 computed" } do
    local status, output, errors = run_script(script, ("--memory 60M --workers 2 --store '%s'"):format(store))
    lu.assertEquals({ status, output }, { 0, expected }, errors)
    lu.assertStrContains(errors, found)
  end
end

function TestProgram:test_predictions_that_exceed_the_memory_of_the_run_are_refused_before_it_starts()
  local script = [[
    local cf = require "crossfold"
    local x, y = {}, {}
    for i = 1, 6000 do x[i], y[i] = i, "c" .. i % 3000 end
    local data = cf.dataset{ name = "many", target = "y", columns = { { name = "x", values = x },
      { name = "y", values = y } } }
    cf.evaluate{ data = data, learners = "featureless", metrics = "accuracy", keep = "probabilities",
      splitter = cf.splitter("kfold", { folds = 2 }) }]]
  local status, output, errors = run_script(script, "--memory 100M")
  lu.assertEquals({ status, output }, { 1, "" })
  -- 6,000 rows of 3,000 classes of 8 bytes, a label of 4 bytes and a row id of 8.
  lu.assertStrMatches(errors, ".*:%d+: cannot run the cells: the predictions that they keep, of 3000 classes, take "
    .. "144072000 bytes and the limit is 104857600; use keep = \"labels\" or \"none\", or fewer learners, repeats or "
    .. "classes\n")
end

local evaluate_grid = ([[
local cf = require "crossfold"
print "text of the script"
local debug = cf.learner("debug", { action = "sleep" })
local result = cf.evaluate{
  data = cf.read("%s/iris.csv", { target = "class" }),
  learners = { s = cf.grid_search{ learner = debug, grid = { sleep_ms = { 1, 2 } },
    splitter = cf.splitter("kfold", { folds = 3 }), metric = "accuracy" } },
  splitter = cf.splitter("kfold", { folds = 2 }), metrics = "accuracy",
}
error("made-up results got out")]]):format(data)

-- 2 outer folds with 3 x 2 inner cells and one of the chosen setting. No predictions of inner cells are
-- kept, of outer ones 150 rows of 12 bytes.
function TestProgram:test_a_plan_is_printed_instead_of_the_run()
  local output = printed(run_script(evaluate_grid, "--workers 1 --plan"))
  output = output:gsub("[%d.]+ s with", "# s with"):gsub("%-%-%-+", "---")
  lu.assertEquals(output, ([[
text of the script
plan of cf.evaluate at %s/script.lua:4
quantity           amount
---  ---
fits asked         14
fits done          14
transform fits     0
shared passes      0
shared structures  0
estimated time     # s with 1 worker
estimated memory   0.0 MB
probed: crossfold.debug on 'iris' (fit by fit)
]]):format(scratch))
end

function TestProgram:test_a_plan_as_json_keeps_standard_output_for_it()
  local status, output, errors = run_script(evaluate_grid, "--workers 1 --plan --json")
  lu.assertEquals({ status, errors }, { 0, "text of the script\n" })
  output = output:gsub('"seconds": [%d.e-]+', '"seconds": #')
  lu.assertStrContains(output, '"fits_asked": 14')
  lu.assertStrContains(output, '"fits_done": 14')
  lu.assertStrContains(output, '"seconds": #')
  lu.assertStrContains(output, '"bytes": 5400')  -- predictions of the folds, and those of the candidates
  lu.assertStrContains(output, '"at_most": false')
end

function TestProgram:test_a_script_may_plan_on_its_own_while_it_is_planned()
  local script = ([[
local cf = require "crossfold"
local data = cf.read("%s/iris.csv", { target = "class" })
local debug = cf.learner("debug")
print(cf.plan(function() debug:fit(data) end).fits_asked)
cf.cross_predict{ data = data, learner = debug, splitter = cf.splitter("kfold", { folds = 3 }) }]])
    :format(data)
  lu.assertStrMatches(printed(run_script(script, "--plan")),
    "1\nplan of cf.cross_predict at .-script.lua:5\n.*fits asked +3\n.*")
end

function TestProgram:test_a_plan_of_a_script_that_runs_nothing_says_so()
  lu.assertEquals(refused(run_script("return 3", "--plan")),
    "crossfold: cannot plan: the script runs no cells; plan one that does\n")
end

function TestProgram:test_an_error_before_the_work_is_no_plan()
  lu.assertStrContains(refused(run_script("local cf = require 'crossfold'\ncf.learner 'knnn'", "--plan")),
    "script.lua:2:")
end

function TestProgram:test_json_of_something_else_is_refused()
  for value, kind in pairs { ['"x"'] = "string", ["5"] = "number" } do
    lu.assertStrContains(refused(run_script("return " .. value, "--json")),
      "cannot print the script's result as JSON: it returned a " .. kind
      .. "; return the result of cf.evaluate")
  end
end

function TestProgram:test_print_of_many_values_goes_to_standard_error_whole()
  local _, _, errors = run_script(
    'local t = {} for i = 1, 5000 do t[i] = i end print("a\\0b") print(table.unpack(t))', "--json")
  lu.assertStrContains(errors, "a\0b\n1\t2\t")
  lu.assertStrContains(errors, "\t4999\t5000\n")
end

function TestProgram:test_what_stands_behind_the_script_is_its_own()
  local status, output = run_script("print(table.concat(arg, ' '), ...)", "--workers 1",
    "--workers 9 x")
  lu.assertEquals(status, 0)
  lu.assertEquals(output, "--workers 9 x\t--workers\t9\tx\n")
end

function TestProgram:test_an_option_of_run_after_the_script_is_pointed_out()
  local said = "crossfold: '--store' after the script is an argument of the script and has no effect here; if it "
    .. "is meant for crossfold, put it before the script (after '--' this is not checked)\n"
  for _, words in ipairs { "--store x.cfdb", "--store=x.cfdb" } do
    local status, output, errors = run_script("print(#arg)", "", words)
    lu.assertEquals({ status, errors }, { 0, said })
    lu.assertStrMatches(output, "[12]\n")
  end
  for _, words in ipairs { "--mine --folds 3", "-- --store x.cfdb", "store" } do
    lu.assertEquals(select(3, run_script("print(#arg)", "", words)), "")
  end
  lu.assertEquals(select(3, run("--quiet run '" .. shell:write("script.lua", "print(1)") .. "' --store x")), "")
end

function TestProgram:test_a_script_may_have_many_arguments()
  local numbers = {}
  for i = 1, 300 do numbers[i] = tostring(i) end
  lu.assertEquals(printed(run_script("print(#arg, select('#', ...), arg[300])", "",
    table.concat(numbers, " "))), "300\t300\t300\n")
end

function TestProgram:test_the_seed_option_changes_the_default()
  local script = "print(require('crossfold.native').defaults().seed)"
  local _, output = run_script(script, "--seed 77")
  lu.assertEquals(output, "77\n")
end

function TestProgram:test_the_seed_option_is_that_of_the_samples_of_curves_and_subgroups()
  local script = "require('crossfold.subgroups.subgroups') local cf = require('crossfold') "
    .. "local o = { truth = {}, scores = {}, samples = 50 } "
    .. "for i = 1, 40 do o.truth[i], o.scores[i] = i % 3 == 0, (i * 7 % 40) / 40 end "
    .. "local csv = cf.curve('decision', o):to { csv = true } o.seed = 77 "
    .. "print(csv == cf.curve('decision', o):to { csv = true }, "
    .. "require('crossfold.options').declaration('Result:subgroups').seed[2])"
  local _, output = run_script(script, "--seed 77")
  lu.assertEquals(output, "true\t77\n")
  _, output = run_script(script, "--seed 76")
  lu.assertEquals(output, "false\t76\n")
end

TestModelCommands = {}

local weather = ('cf.read("%s/weather_nominal.csv", { target = "play" })'):format(data)

-- Lua for a dataset of a target.
local function target_of(values)
  return ('cf.dataset{ name = "d", target = "y", columns = { { name = "y", values = { %s } } } }'):format(values)
end

-- Fits the learner to the rows, which are both Lua, and saves the model.
local function save(name, learner, rows)
  local path = ("%s/%s.cfm"):format(scratch, name)
  printed(run_script(('local cf = require "crossfold"\n%s:fit(%s, { seed = 3 }):save("%s")'):format(
    learner, rows, path)))
  return path
end

-- Of 14 rows, 9 of them yes.
local function save_model() return save("weather", 'cf.learner("featureless")', weather) end

-- The votes of featureless (yes) and naive_bayes.
local function save_ensemble()
  return save("ensemble", 'cf.voting{ learners = { "featureless", "naive_bayes" }, weights = { 1, 3 } }', weather)
end

-- A model and an ensemble of the weather, by what messages call them.
local function both_models()
  return pairs { ["featureless"] = save_model(), ["voting{featureless, naive_bayes}"] = save_ensemble() }
end

function TestModelCommands:test_predict_prints_one_line_a_row()
  local rows = shell:write("new.csv", "id,windy,outlook,temperature,humidity\n1,true,sunny,hot,high\n"
    .. "2,false,rainy,mild,normal\n")
  lu.assertEquals({ run(("predict '%s' '%s'"):format(save_model(), rows)) },
    { 0, "row,predicted\n1,yes\n2,yes\n", "" })
end

-- 5 of 14 no, 9 of 14 yes.
function TestModelCommands:test_probabilities_stand_behind_the_class()
  lu.assertStrContains(printed(run(("predict --probabilities '%s' '%s/weather_nominal.csv'"):format(
    save_model(), data))),
    "row,predicted,p(no),p(yes)\n1,yes,0.35714285714285715,0.6428571428571429\n")
end

function TestModelCommands:test_predict_writes_the_file_that_was_asked_for()
  local target = shell:write("predicted.csv", "old")
  lu.assertEquals({ run(("predict '%s' '%s/weather_nominal.csv' -o '%s'"):format(save_model(), data, target)) },
    { 0, "", "" })
  lu.assertEquals(shell.read(target), "row,predicted\n" .. ("%d,yes\n"):rep(14):format(1, 2, 3, 4, 5, 6, 7,
    8, 9, 10, 11, 12, 13, 14))
  lu.assertNil(io.open(target .. ".tmp"))
end

function TestModelCommands:test_a_place_that_cannot_be_written_is_named()
  lu.assertEquals(refused(run(("predict '%s' '%s/weather_nominal.csv' -o /nowhere/x"):format(save_model(), data))),
    "crossfold: cannot write '/nowhere/x': it cannot be written (No such file or directory); choose another place\n")
end

function TestModelCommands:test_names_with_commas_and_quotes_are_quoted()
  local model = save("quoted", 'cf.learner("featureless")', target_of [['a "b", c', 'a "b", c', "d"]])
  local rows = shell:write("one.csv", "x\n5\n")
  local _, output = run(("predict '%s' '%s' --probabilities"):format(model, rows))
  lu.assertEquals(output, 'row,predicted,"p(a ""b"", c)",p(d)\n'
    .. '1,"a ""b"", c",0.6666666666666666,0.3333333333333333\n')
end

function TestModelCommands:test_regression_prints_numbers_and_has_no_probabilities()
  local rows = shell:write("one.csv", "x\n2\n")
  local numbers = [[cf.dataset{ name = "d", target = "y", columns = { { name = "x", values = { 1, 2 } },
    { name = "y", values = { 0.1, 0.2 } } } }]]
  for name, case in pairs { ["featureless"] = { 'cf.learner("featureless")', "0.15000000000000002" },
    ["voting{featureless, knn{k=1}}"] = { 'cf.voting{ learners = { "featureless", cf.learner("knn", { k = 1 }) } }',
      "0.17500000000000002" } } do
    local model = save("line", case[1], numbers)
    local _, output = run(("predict '%s' '%s'"):format(model, rows))
    lu.assertEquals(output, "row,predicted\n1," .. case[2] .. "\n")
    lu.assertEquals({ run(("predict '%s' '%s' --probabilities"):format(model, rows)) }, { 1, "", "crossfold: cannot "
      .. "print probabilities of '" .. name .. "': it gives none; leave out --probabilities\n" })
  end
end

local function widest(text)
  local most = 0
  for line in text:gmatch("[^\n]+") do most = math.max(most, utf8.len(line)) end
  return most
end

function TestModelCommands:test_model_is_no_wider_than_the_terminal()
  local model = save("forest", 'cf.learner("random_forest")',
    ('cf.read("%s/house_votes_84.csv", { target = "Class" })'):format(data))
  local _, narrow = shell:run(([[COLUMNS=80 "$CROSSFOLD" model '%s']]):format(model))
  lu.assertEquals(widest(narrow), 80)
  local _, piped = shell:run(([[COLUMNS= "$CROSSFOLD" model '%s']]):format(model))
  lu.assertTrue(widest(piped) > 80 and widest(piped) <= 100)
  local function words(text) return (text:gsub("[%s-]+", " ")) end
  lu.assertEquals(words(narrow), words(piped))
end

function TestProgram:test_a_figure_is_as_wide_as_what_it_is_printed_on()
  local script = shell:write("figure.lua", ([[local cf = require "crossfold"
local data = cf.read("%s/iris.csv", { target = "class" })
print(cf.plot.folds(cf.evaluate{ data = data, learners = { "knn" }, splitter = "kfold", metrics = "accuracy" }))
]]):format(data))
  for columns, width in pairs { [""] = 78, ["0"] = 78, ["wide"] = 78, ["60"] = 59, ["100"] = 99, ["10"] = 30,
    ["400"] = 120 } do
    local status, output = shell:run(([[COLUMNS='%s' "$CROSSFOLD" run '%s']]):format(columns, script))
    lu.assertEquals({ columns, status }, { columns, 0 })
    local axis = output:match("\n( *\u{2514}[^\n]*)")
    lu.assertEquals({ columns, utf8.len(axis) }, { columns, width })
  end
end

function TestModelCommands:test_model_shows_what_it_is()
  local output = printed(run(("model '%s'"):format(save_model())))
  lu.assertStrMatches(output, ".*model +featureless\n.*")
  lu.assertStrContains(output, "'weather_nominal', 14 rows")
  lu.assertStrMatches(output, ".*seed +3\n.*")
  lu.assertStrMatches(output, ".*classes +no, yes\n.*")
  lu.assertStrMatches(output, ".*featureless +learner +crossfold%.featureless +%d.*")
  lu.assertStrMatches(output, ".*outlook +categorical +overcast, rainy, sunny\n.*")
end

function TestModelCommands:test_the_positive_class_of_a_threshold_has_its_name()
  local path = save("threshold", [[cf.pipeline { "naive_bayes", cf.threshold { metric = "f1", positive = "no",
    splitter = cf.splitter("kfold", { folds = 2, stratify = true }) } }]], weather)
  local _, output = run(("model '%s'"):format(path))
  lu.assertStrMatches(output, ".*positive class +no\n.*")
  lu.assertStrMatches(output, ".*threshold +%d.*")
end

function TestModelCommands:test_a_format_that_is_not_offered_is_refused()
  lu.assertEquals(refused(run(("model '%s' --export text"):format(save_model()))),
    "crossfold: cannot export 'featureless': learner 'featureless' offers no crossfold.export/1; use a learner that "
    .. "does\n")
end

function TestModelCommands:test_an_onnx_model_goes_to_a_file()
  local model, file = save_model(), scratch .. "/model.onnx"
  lu.assertEquals({ run(("model '%s' --export onnx -o '%s'"):format(model, file)) }, { 0, "", "" })
  lu.assertStrContains(shell.read(file), "crossfold.learner\18\11featureless")
  lu.assertEquals({ run(("model '%s' --export onnx"):format(model)) }, { 1, "", "crossfold: cannot export "
    .. "'featureless': an ONNX model is not text; name its file with --output\n" })
  lu.assertEquals({ run(("model '%s' --export text --verify x.csv"):format(model)) }, { 1, "",
    "crossfold: cannot export 'featureless': only --export onnx can be verified\n" })
  lu.assertEquals({ run(("model '%s' --verify x.csv"):format(model)) }, { 1, "",
    "crossfold: cannot export 'featureless': only --export onnx can be verified\n" })
end

-- A Python with onnx is not needed for what these do: tests/onnx has the comparison itself.
function TestModelCommands:test_an_onnx_model_that_cannot_be_verified_is_an_error()
  local file = scratch .. "/model.onnx"
  local line = ("model '%s' --export onnx -o '%s' --verify '%s/weather_nominal.csv' --python "):format(save_model(),
    file, data)
  lu.assertEquals({ run(line .. "/bin/false") }, { 1, "", "crossfold: cannot verify '" .. file
    .. "': '/bin/false' ended with 1; its lines above say why\n" })
  lu.assertStrContains(refused(run(line .. "/nowhere/python")),
    "crossfold: cannot verify '" .. file .. "': there is no program '/nowhere/python'; name "
    .. "a Python that has numpy and onnx with --python\n")
end

function TestModelCommands:test_files_that_do_not_fit_exit_with_1()
  for name, model in both_models() do
    lu.assertStrContains(refused(run(("predict '%s' '%s/iris.csv'"):format(model, data))),
      "cannot predict with '" .. name .. "' on dataset 'iris': it has no "
      .. "feature 'outlook', which the model was trained on; known: ")
    local whole = shell.read(model)
    local cut = shell:write("cut.cfm", whole:sub(1, #whole // 2))
    for _, command in ipairs { "model '%s'", "predict '%s' x.csv" } do
      lu.assertEquals({ run(command:format(cut)) }, { 1, "", ("crossfold: cannot load model '%s': it is damaged or cut "
        .. "short; save it again\n"):format(cut) })
    end
  end
end

function TestModelCommands:test_a_model_may_come_through_a_pipe_and_from_no_device()
  local model = save_model()
  local _, expected = run(("model '%s'"):format(model))
  lu.assertEquals(printed(shell:run("cat '%s' | \"$CROSSFOLD\" model /dev/stdin", model)), expected)
  for line, attempt in pairs { ["model /dev/zero"] = "cannot load model", ["run /dev/zero"] = "cannot read script",
      ["predict /dev/zero x.csv"] = "cannot load model" } do
    lu.assertEquals(refused(shell:run("ulimit -t 20; \"$CROSSFOLD\" " .. line)),
      "crossfold: " .. attempt .. " '/dev/zero': it is a device; name a file\n")
  end
end

-- The level is new; featureless takes missing values.
function TestModelCommands:test_an_unknown_level_is_told_on_standard_error()
  local rows = shell:write("new.csv", "windy,outlook,temperature,humidity\ntrue,foggy,hot,high\n")
  lu.assertEquals({ run(("predict '%s' '%s'"):format(save_model(), rows)) }, { 0, "row,predicted\n1,yes\n",
    "crossfold: dataset 'new': feature 'outlook' has level 'foggy' (1 row), "
    .. "which the training data did not declare; it counts as missing\n" })
end

TestEnsembleCommands = {}

-- Naive Bayes says no to the first and yes to the second (I. H. Witten, E. Frank, Data Mining).
function TestEnsembleCommands:test_predict_works_as_for_other_models()
  local model = save_ensemble()
  local rows = shell:write("new.csv", "id,windy,outlook,temperature,humidity\n1,true,sunny,cool,high\n"
    .. "2,false,overcast,mild,normal\n")
  lu.assertEquals({ run(("predict '%s' '%s' --probabilities"):format(model, rows)) },
    { 0, "row,predicted,p(no),p(yes)\n1,no,0.75,0.25\n2,yes,0,1\n", "" })
  local target = scratch .. "/predicted.csv"
  lu.assertEquals({ run(("predict '%s' '%s' -o '%s'"):format(model, rows, target)) }, { 0, "", "" })
  lu.assertEquals(shell.read(target), "row,predicted\n1,no\n2,yes\n")
end

-- Of 0 and 3 each is predicted by the other, so both errors are 3: 3 + 3 and 0 - 3 are the bounds.
function TestEnsembleCommands:test_predict_prints_the_intervals_of_a_coverage()
  local model = save("intervals", 'cf.conformal{ learner = "featureless", method = "jackknife_plus" }',
    target_of "0, 3.0")
  local rows = shell:write("one.csv", "x\n5\n")
  local status, output, errors = run(("predict '%s' '%s' --coverage 0.5"):format(model, rows))
  lu.assertEquals({ status, output }, { 0, "row,predicted,low,high\n1,1.5,-3,6\n" })
  lu.assertStrContains(errors, "50% intervals by jackknife+, from 2 rows in 2 folds. ")
  lu.assertEquals({ run(("predict '%s' '%s'"):format(model, rows)) }, { 0, "row,predicted\n1,1.5\n", "" })
  status, output = run(("predict '%s' '%s' --coverage 0.9"):format(model, rows))
  lu.assertEquals({ status, output }, { 0, "row,predicted,low,high\n1,1.5,-inf,inf\n" })
end

-- The scores of a, a and b are 0, 0 and 1. Two of them are below the score of b, and fewer than 0.5 * 4 may be.
function TestEnsembleCommands:test_predict_prints_the_class_sets_of_a_coverage()
  local model = save("sets", 'cf.conformal{ learner = "featureless", method = "aps", splitter = "leave_one_out" }',
    target_of '"a", "a", "b"')
  local rows = shell:write("one.csv", "x\n5\n")
  local status, output = run(("predict '%s' '%s' --coverage 0.5"):format(model, rows))
  lu.assertEquals({ status, output }, { 0, "row,predicted,in(a),in(b)\n1,a,1,0\n" })
  status, output = run(("predict '%s' '%s' --coverage 0.6"):format(model, rows))
  lu.assertEquals({ status, output }, { 0, "row,predicted,in(a),in(b)\n1,a,1,1\n" })
end

function TestEnsembleCommands:test_coverage_is_refused_where_a_model_knows_no_errors()
  for name, model in both_models() do
    lu.assertEquals(refused(run(("predict '%s' '%s/weather_nominal.csv' --coverage 0.9"):format(model, data))),
      "crossfold: predict: the model of '" .. name .. "' has no out-of-fold errors, which intervals and sets are made "
      .. "of; fit cf.conformal{ learner = ..., method = ... }, and give coverage to its model\n")
  end
end

function TestEnsembleCommands:test_model_shows_the_members()
  local output = printed(run(("model '%s'"):format(save_ensemble())))
  lu.assertStrMatches(output, ".*model +voting{featureless, naive_bayes}\n.*")
  lu.assertStrContains(output, "'weather_nominal', 14 rows")
  lu.assertStrMatches(output, ".*seed +3\n.*")
  lu.assertStrMatches(output, ".*classes +no, yes\n.*")
  lu.assertStrMatches(output, ".*vote +majority\n.*")
  lu.assertStrMatches(output, ".*weights +{1, 3}\n.*")
  lu.assertStrMatches(output, ".*\n +2 +naive_bayes +all\n.*")
  lu.assertStrMatches(output, ".*outlook +categorical +overcast, rainy, sunny\n.*")
end

function TestEnsembleCommands:test_an_ensemble_has_no_export_formats()
  lu.assertEquals({ run(("model '%s' --export text"):format(save_ensemble())) }, { 1, "", "crossfold: cannot export "
    .. "'voting{featureless, naive_bayes}': the model of an ensemble has no format but its own; fit, "
    .. "save and export a learner of it\n" })
end

TestStores = {}

function TestStores:setUp()
  self.store = scratch .. "/program_test.cfdb"
  for _, ending in ipairs { "", "-wal", "-shm" } do os.remove(self.store .. ending) end
end

-- A nested search and a learner that fails in one fold: 5 x (2 x 3 + 1) + 5 cells.
local stored = ([[
local cf = require "crossfold"
return cf.evaluate{
  data = cf.read("%s/iris.csv", { target = "class" }),
  learners = {
    bad = cf.learner("debug", { action = arg[1], when_row = 5, stage = arg[2] }),
    tuned = cf.grid_search{ learner = "knn", grid = { k = { 1, 5 } }, metric = "accuracy",
      splitter = cf.splitter("kfold", { folds = 3 }) },
  },
  splitter = cf.splitter("kfold", { folds = 5, shuffle = false, stratify = false }),
  metrics = "accuracy",
}]]):format(data)

function TestStores:test_a_second_run_computes_nothing_and_prints_the_same()
  local options = ("--store '%s'"):format(self.store)
  local status, plain, errors = run_script(stored, "", "throw_in_predict")
  lu.assertEquals({ status, errors }, { 3, "crossfold: 1 of 40 cells failed\n" })
  local output
  status, output, errors = run_script(stored, options, "throw_in_predict")
  lu.assertEquals({ status, output }, { 3, plain })
  lu.assertEquals(errors, ("store %s: 0 cells found, 40 computed\ncrossfold: 1 of 40 cells failed\n")
    :format(self.store))
  status, output, errors = run_script(stored, options, "throw_in_predict")
  lu.assertEquals({ status, output }, { 3, plain })
  lu.assertEquals(errors, ("store %s: 40 cells found, 0 computed\ncrossfold: 1 of 40 cells failed\n")
    :format(self.store))
  lu.assertEquals({ run(("--quiet run %s '%s' throw_in_predict"):format(options,
    scratch .. "/script.lua")) }, { 3, plain, "crossfold: 1 of 40 cells failed\n" })
end

-- 2 + 2 + 2 x (2 x 2 + 1) cells.
local named = ([==[
local cf = require "crossfold"
local forest = cf.learner("random_forest", { trees = 3 })
local folds = cf.splitter("kfold", { folds = 2 })
return cf.evaluate{
  data = cf.read("%s/iris.csv", { target = "class" }), splitter = folds, metrics = "accuracy",
  learners = { [arg[1]] = forest, [arg[2]] = cf.learner("mlp", { epochs = 2 }),
    [arg[3]] = cf.grid_search{ learner = forest, grid = { max_depth = { 1, 2 } }, metric = "accuracy",
      splitter = folds } },
}]==]):format(data)

function TestStores:test_other_names_in_another_order_compute_nothing()
  local options = ("--store '%s'"):format(self.store)
  local _, first, errors = run_script(named, options, "a b c")
  lu.assertEquals(errors, ("store %s: 0 cells found, 14 computed\n"):format(self.store))
  local _, second, again = run_script(named, options, "z y x")
  lu.assertEquals(again, ("store %s: 14 cells found, 0 computed\n"):format(self.store))
  for one, other in pairs { a = "z", b = "y", c = "x" } do
    lu.assertEquals(second:match("\n" .. other .. "( [^\n]*)"), first:match("\n" .. one .. "( [^\n]*)"))
  end
end

-- The number of the format is at byte 60 of a file of SQLite.
function TestStores:test_a_store_whose_seeds_came_from_names_is_read_and_not_resumed()
  local options = ("--store '%s'"):format(self.store)
  run_script(named, options, "a b c")
  local file <close> = assert(io.open(self.store, "r+b"))
  file:seek("set", 60)
  file:write(string.pack(">I4", 2))
  file:close()
  local status, output, errors = run_script(named, options, "a b c")
  lu.assertEquals({ status, output }, { 1, "" })
  lu.assertStrContains(errors, ("cannot resume store '%s': an older Crossfold wrote it (format 2), whose random "
    .. "numbers came from the names of learners, so that no cell of it could be used again; use another path"):format(
    self.store))
  lu.assertNotStrContains(errors, "computed")
  for _, command in ipairs { "status '%s'", "rescore '%s' --metric accuracy", "export '%s' '%s.zip'" } do
    local read, text = run(command:format(self.store, self.store))
    lu.assertEquals(read, 0, command)
    lu.assertNotEquals(text, command)
  end
end

function TestStores:test_a_learner_in_lua_is_held_to_the_limit_and_not_stored()
  local script = ([[
local cf = require "crossfold"
return cf.evaluate{
  data = cf.read("%s/iris.csv", { target = "class" }), splitter = cf.splitter("kfold", { folds = 2 }),
  metrics = "accuracy", learners = { knn = "knn", hangs = cf.learner{ name = "hangs",
    fit = function() while true do end end, predict = function() end } },
}]]):format(data)
  for _, counts in ipairs { "0 cells found, 2 computed", "2 cells found, 0 computed" } do
    local status, output, errors = run_script(script, ("--time-limit 0.2 --store '%s'"):format(self.store))
    lu.assertEquals(status, 3, errors)
    lu.assertStrContains(errors, counts)
    lu.assertStrContains(output, "2 folds failed; the first: hangs, repeat 1, fold 1, at fit hangs: it was stopped "
      .. "after 0.2 s, the time limit of a cell")
    lu.assertStrContains(errors, "\n2 cells outside of stores, as folds of learners in Lua, which every run computes\n")
  end
  local _, status = run(("status '%s'"):format(self.store))
  lu.assertStrMatches(status, ".*\niris +hangs +in Lua +2 +0 +2 .*")
  lu.assertStrContains(status, "\nfolds in Lua have predictions here, and every run computes them again\n")
  local _, plan = run_script(script, "--plan")
  lu.assertStrContains(plan, "2 fits of learners written in Lua, and what they ask for; no store keeps these fits\n")
end

function TestStores:test_failed_cells_are_computed_again_on_request()
  run_script(stored, ("--store '%s'"):format(self.store), "throw_in_predict")
  local _, _, errors = run_script(stored, ("--retry-failed --store '%s'"):format(self.store),
    "throw_in_predict")
  lu.assertEquals(errors, ("store %s: 39 cells found, 1 computed\ncrossfold: 1 of 40 cells failed\n")
    :format(self.store))
end

function TestStores:test_a_script_may_name_its_store()
  local script = stored:gsub("metrics = ", ("store = \"%s\", metrics = "):format(self.store))
  local _, _, errors = run_script(script, "", "none")
  lu.assertEquals(errors, ("store %s: 0 cells found, 40 computed\n"):format(self.store))
end

function TestStores:test_without_predictions_nothing_can_be_scored_again()
  run_script(stored, ("--store-predictions 0 --store '%s'"):format(self.store), "none")
  local _, output = run_script(("return require('crossfold').store_status('%s').predictions"):format(
    self.store))
  lu.assertEquals(output, "0\n")
end

function TestStores:test_what_is_no_store_is_refused()
  local path = shell:write("no_store.cfdb", ("this is text\n"):rep(100))
  lu.assertStrContains(refused(run_script(stored, ("--store '%s'"):format(path), "none")),
    ("script.lua:2: cannot open store '%s'"):format(path))
end

function TestStores:test_a_crash_is_a_failed_cell_in_both_modes()
  local status, expected = run_script(stored, "", "throw_in_predict")
  lu.assertEquals(status, 3)
  for _, mode in ipairs { "worker", "fresh" } do
    local crashed, output, errors = run_script(stored, "--isolate " .. mode, "crash predict")
    lu.assertEquals({ crashed, errors }, { 3, "crossfold: 1 of 40 cells failed\n" })
    lu.assertEquals(output:match("^.-\n1 fold failed"), expected:match("^.-\n1 fold failed"))
    lu.assertStrContains(output, "; the first: bad, repeat 1, fold 1, at run: the process died of "
      .. "signal 11 (Segmentation fault)")
  end
end

function TestStores:test_limits_put_cells_into_processes()
  local script = stored:gsub("action = arg%[1%]", "action = 'sleep', sleep_ms = 600000")
  local status, output, errors = run_script(script, "--time-limit 0.5", "- predict")
  lu.assertEquals({ status, errors }, { 3, "crossfold: 1 of 40 cells failed\n" })
  lu.assertStrContains(output, "at run: the process was stopped after 0.5 s, the limit of a cell")
end

function TestStores:test_wrong_options_exit_with_2()
  for _, options in ipairs { "--store ''", "--isolate thread", "--time-limit 0", "--cpu-limit -1",
    "--memory-limit -5", "--memory-limit much", "--store-predictions -1" } do
    lu.assertEquals(run_script("", options), 2, options)
  end
  local status, _, errors = run_script("", "--isolate none --time-limit 1")
  lu.assertEquals({ status, errors },
    { 2, "crossfold: limits need a process of their own; use --isolate worker\n" })
end

function TestStores:test_options_with_values_do_not_hide_the_script()
  local status = run_script("print(arg[1], arg[2])", "--isolate none --time-limit=5 --store x"
    .. " --memory-limit 1G --retry-failed --cpu-limit 5 --store-predictions 1M", "--isolate x")
  lu.assertEquals(status, 2)  -- none with limits
  local output
  status, output = run_script("print(arg[1], arg[2])", "--isolate worker --time-limit=5 --store x"
    .. " --memory-limit 1G --retry-failed --cpu-limit 5 --store-predictions 1M", "--isolate x")
  lu.assertEquals({ status, output }, { 0, "--isolate\tx\n" })
end

TestOutput = {}

function TestOutput:test_output_that_is_not_taken_is_an_error()
  local script = shell:write("script.lua", "print('a result')")
  lu.assertEquals(refused(run(("run '%s' >/dev/full"):format(script))),
    "crossfold: cannot write to standard output: not all of it was "
    .. "taken; choose another place\n")
end

function TestOutput:test_a_folder_of_plugins_may_be_called_run()
  shell:write("script.lua", "print(arg[1])")
  local line = "cd '%s' && mkdir -p run && \"$CROSSFOLD\" --plugin-path run run script.lua --own"
  lu.assertEquals({ shell:run(line, scratch) }, { 0, "--own\n", "" })
end

arg = {}  -- LuaUnit would take it for its own options
-- A pipe into which nobody writes. A pipe with a writer is data, or a script, like a file.
function TestProgram:test_no_command_waits_for_ever_on_a_pipe()
  local script = shell:write("pipe.lua", ([[local cf = require "crossfold"
    print(#cf.read("%s/iris.csv", { target = "class" }))]]):format(data))
  local pipe = scratch .. "/pipe"
  os.remove(pipe)
  lu.assertEquals(shell:run("mkfifo '%s'", pipe), 0)
  local nobody, no_file = "it is a pipe without a writer", "it is a device or a pipe"
  for line, finding in pairs { ["run '%s'"] = nobody, ["data describe '%s'"] = nobody, ["model '%s'"] = nobody,
      ["status '%s'"] = no_file, ["report '%s'"] = no_file } do
    local status, _, errors = shell:run("timeout 30 \"$CROSSFOLD\" " .. line, pipe)
    lu.assertEquals(status, 1, line)
    lu.assertStrContains(errors, "'" .. pipe .. "': " .. finding)
  end
  local evaluate = shell:write("pipe_store.lua", (evaluate_debug:gsub("throw_in_predict", "log")))
  local status, _, errors = shell:run("timeout 30 \"$CROSSFOLD\" run --store '%s' '%s'", pipe, evaluate)
  lu.assertEquals(status, 1)
  lu.assertStrContains(errors, "cannot open store '" .. pipe .. "': " .. no_file)
  local read, output = shell:run("bash -c '\"$CROSSFOLD\" run <(cat \"%s\")'", script)
  lu.assertEquals({ read, output }, { 0, "150\n" })
  read, output = shell:run("cat '%s/iris.csv' | \"$CROSSFOLD\" data describe /dev/stdin", data)
  lu.assertEquals(read, 0)
  lu.assertStrContains(output, "150 rows")
end

-- Whether the program starts with so little memory: not if it was built with a sanitizer.
local small = "ulimit -v 1500000; "
local function has_small_start() return (shell:run(small .. "\"$CROSSFOLD\" --version >/dev/null")) == 0 end

function TestProgram:test_memory_that_gives_out_is_told_with_the_file_and_the_way_out()
  lu.skipIf(not has_small_start(), "it needs more memory to start")
  lu.assertStrContains(refused(shell:run(small .. "\"$CROSSFOLD\" data describe --most-bytes 100G /dev/zero")),
    "crossfold: cannot read '/dev/zero': there is not enough memory; choose columns "
    .. "(types) or rows, or give the process more (ulimit -v)")
end

-- A matrix of 10,000 x 10,000 classes is 2.4 GB, and the probabilities of a fold are 320 MB.
function TestProgram:test_ten_thousand_classes_take_little_memory()
  lu.skipIf(not has_small_start(), "it needs more memory to start")
  local script = shell:write("many_classes.lua", [[local cf = require "crossfold"
    local x, y = {}, {}
    for i = 1, 40000 do x[i] = i; y[i] = "c" .. (i <= 8000 and 0 or i % 10000) end
    local data = cf.dataset{ name = "many", target = "y", columns = { { name = "x", values = x },
      { name = "y", values = y } } }
    local function run(keep)
      return cf.evaluate{ data = data, learners = "featureless", metrics = "accuracy", keep = keep,
        splitter = cf.splitter("kfold", { folds = 10, shuffle = false }) }
    end
    local result = run()
    print(#result:failures(), result:summary()[1].mean)
    print(select(2, pcall(run, "probabilities")))]])
  local status, output, errors = shell:run(small .. "\"$CROSSFOLD\" run --workers 2 '%s'", script)
  lu.assertEquals(status, 0, errors)
  -- The class of most rows is c0, that of the first 8,000 and of every 10,000th: 8,004 of 40,000.
  lu.assertStrMatches(output, "0\t0%.2001\n.*: cannot run the cells: the predictions that they keep, of 10000 classes, "
    .. "take 3200480000 bytes and the limit is 1536000000; use keep = \"labels\" or \"none\", or fewer learners, "
    .. "repeats or classes\n")
end

function TestProgram:test_a_run_goes_on_with_the_threads_that_there_are()
  lu.skipIf(not has_small_start(), "it needs more memory to start")
  local script = shell:write("many_workers.lua", ([[local cf = require "crossfold"
    local splitter = cf.splitter("kfold", { folds = 10, repeats = 50 })
    print(#cf.evaluate{ data = cf.read("%s/iris.csv", { target = "class" }), learners = "decision_tree",
      splitter = splitter, metrics = "accuracy" }:scores())]]):format(data))
  local status, output, errors = shell:run(small .. "\"$CROSSFOLD\" run --workers 4096 '%s'", script)
  lu.assertEquals({ status, output }, { 0, "500\n" }, errors)
  lu.assertStrContains(errors, "cannot start 500 workers: the system allows no more threads; the run continues with ")
  -- A sandbox takes no more workers than there are cores.
  lu.assertEquals({ shell:run(small .. "\"$CROSSFOLD\" run --sandbox --sandbox-root / --workers 4096 '%s'",
    script) }, { 0, "500\n", "" })
end

os.exit(lu.LuaUnit.run("--output", "text"))
