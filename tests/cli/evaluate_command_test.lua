-- evaluate_command_test.lua PROGRAM DATA SCRATCH: crossfold evaluate makes a script, shows it and runs it.
package.path = arg[0]:match("^(.*)/") .. "/?.lua;" .. package.path
local lu = require "luaunit"
local Shell = require "shell"
local printed, refused = Shell.printed, Shell.refused

local program, data, scratch = arg[1], arg[2], arg[3]
local shell = Shell.new(scratch, program)

-- In the folder of the data.
local function evaluate(arguments, ...)
  return shell:run(("cd '%s' && \"$CROSSFOLD\" evaluate "):format(data) .. arguments, ...)
end

local function fresh(name)
  local path = scratch .. "/" .. name
  os.remove(path)
  return path
end

-- A file with two classes and the roles of the columns.
local function roles_file(name)
  local lines = { "x,g,t,w,s,y" }
  for i = 1, 40 do lines[#lines + 1] = ("%d,%d,%d,%d,%d,%s"):format(i % 7, i % 10, i, 1 + i % 3, i % 2,
    i % 2 == 0 and "yes" or "no") end
  return shell:write(name, table.concat(lines, "\n") .. "\n")
end

TestEvaluateCommand = {}

function TestEvaluateCommand:test_the_table_is_on_standard_output_and_the_script_on_standard_error()
  local status, output, errors = evaluate("iris.csv --target class --learner knn,decision_tree "
    .. "--splitter 'kfold{folds=5}' --metric accuracy")
  lu.assertEquals({ status, errors }, { 0, [[
local cf = require "crossfold"

local result = cf.evaluate {
  data     = cf.read("iris.csv", { target = "class" }),
  learners = { "knn", "decision_tree" },
  splitter = cf.splitter("kfold", { folds = 5 }),
  metrics  = { "accuracy" },
  seed     = 1,
}
return result

]] })
  lu.assertStrMatches(output, "learner        metric      mean .*\n%-+.*\nknn            accuracy  0%.9.*  5\n"
    .. "decision_tree  accuracy  0%.9.*  5\n%(mean.*\n")
end

function TestEvaluateCommand:test_objects_are_json_and_tables_in_the_script()
  local status, _, errors = evaluate([[iris.csv --target class --metric accuracy --splitter 'holdout' ]]
    .. [[--learner 'standardize|debug{settings={"b":[1,2.0],"a":"it]] .. [['\'']] .. [[s, {|"}},knn' ]]
    .. [[--learner 'debug{settings.a=[],settings.b="x|y"}' --learner 'debug{settings={"a":{"b":null,"c d":[1,"2"]}}}']])
  lu.assertEquals(status, 0)
  lu.assertStrContains(errors, [=[
  learners = {
    cf.pipeline { "standardize", cf.learner("debug", { settings = "{\"a\":\"it's, {|\",\"b\":[1,2.0]}" }) },
    "knn",
    cf.learner("debug", { settings = "{\"a\":[],\"b\":\"x|y\"}" }),
    cf.learner("debug", { settings = { a = { b = cf.null, ["c d"] = { 1, "2" } } } }),
  },
]=])
end

function TestEvaluateCommand:test_the_results_of_an_object_have_its_text()
  local function output_of(learner)
    local _, output = evaluate(("iris.csv --target class --metric accuracy --splitter holdout --learner '%s'")
      :format(learner))
    return output
  end
  local learner = [[debug{settings={"a":{"b":[1,2.5]},"c":"x","d":1.0}}]]
  lu.assertStrContains(output_of(learner), learner)
  lu.assertEquals(output_of [[debug{settings.c=x,settings.d=1.0,settings.a={ "b" : [1, 2.5] }}]], output_of(learner))
end

function TestEvaluateCommand:test_the_script_that_is_kept_gives_the_same_numbers_again()
  local path = fresh("evaluate_kept.lua")
  local output = printed(evaluate("--script '%s' wine.csv --target class --seed 7 --json "
    .. "--learner 'standardize|knn{k=3,distance=manhattan}' --learner naive_bayes --metric f1_macro,log_loss", path))
  lu.assertEquals(shell.read(path), [[
local cf = require "crossfold"

local result = cf.evaluate {
  data     = cf.read("wine.csv", { target = "class" }),
  learners = {
    cf.pipeline { "standardize", cf.learner("knn", { distance = "manhattan", k = 3 }) },
    "naive_bayes",
  },
  splitter = cf.splitter("kfold", { folds = 10 }),
  metrics  = { cf.metric("f1", { average = "macro" }), "log_loss" },
  seed     = 7,
}
return result
]])
  local again, same = shell:run("cd '%s' && \"$CROSSFOLD\" run --json '%s'", data, path)
  lu.assertEquals({ again, same }, { 0, output })
  lu.assertStrContains(output, '"learner": "standardize|knn{distance=manhattan,k=3}"')
end

function TestEvaluateCommand:test_a_script_that_was_changed_since_is_not_overwritten()
  local path = fresh("evaluate_edited.lua")
  local line = ("iris.csv --target class --learner knn --metric accuracy --script '%s'"):format(path)
  lu.assertEquals(evaluate(line), 0)
  lu.assertEquals(evaluate(line), 0)
  local edited = shell.read(path):gsub("knn", "naive_bayes")
  shell:write("evaluate_edited.lua", edited)
  lu.assertEquals({ evaluate(line) }, { 1, "", ("crossfold: cannot write '%s': there is another file of that name; "
    .. "crossfold run runs it, or choose another name with --script\n"):format(path) })
  lu.assertEquals(shell.read(path), edited)
end

function TestEvaluateCommand:test_a_report_has_curves_of_probabilities()
  local page = fresh("evaluate.html")
  local status, _, errors = evaluate("iris.csv --target class --learner knn,naive_bayes --metric accuracy "
    .. "--report '%s'", page)
  lu.assertEquals(status, 0)
  lu.assertStrContains(errors, ('\n  keep     = "probabilities",  -- of the predictions, for the curves of the report\n'
    .. '  seed     = 1,\n}\nresult:report { file = "%s" }\nreturn result\n'):format(page))
  local text = shell.read(page)
  lu.assertStrContains(text, "<!DOCTYPE html>")
  lu.assertStrContains(text, "ROC")
end

function TestEvaluateCommand:test_several_files_are_several_datasets()
  local status, output, errors = evaluate("iris.csv wine.csv --target class --learner featureless "
    .. "--metric accuracy")
  lu.assertEquals(status, 0)
  lu.assertStrContains(errors, [[
  datasets = {
    cf.read("iris.csv", { target = "class" }),
    cf.read("wine.csv", { target = "class" }),
  },
]])
  lu.assertStrContains(output, "\niris     featureless")
  lu.assertStrContains(output, "\nwine     featureless")
end

function TestEvaluateCommand:test_roles_and_the_form_of_a_file_arrive()
  local path = roles_file("evaluate_roles.csv")
  local status, output, errors = evaluate("--types s=categorical '%s' --target y --groups g --time t --weights w "
    .. "--strata s --missing '?,-' --separator comma --quote none --learner naive_bayes --metric accuracy "
    .. "--splitter 'leave_one_group_out'", path)
  lu.assertEquals(status, 0)
  lu.assertStrContains(errors, ('cf.read("%s", { target = "y", weights = "w", groups = "g", time = "t", strata = "s", '
    .. 'types = { s = "categorical" }, missing = { "?", "-" }, quote = false, separator = "comma" })'):format(path))
  lu.assertStrContains(output, "  10\n(mean")  -- a fold for each of the ten groups
end

function TestEvaluateCommand:test_the_positive_class_is_named()
  local path = shell:write("evaluate_positive.csv", "x,y\n" .. ("1,10\n2,2\n2,10\n3,2\n1,2\n"):rep(12))
  local options = " --target y --types y=categorical --learner naive_bayes --metric recall --splitter 'kfold{folds=2}'"
  local status, output, errors = evaluate("'%s'" .. options .. " --positive 2", path)
  lu.assertEquals(status, 0)
  lu.assertStrContains(errors, 'positive = "2"')
  lu.assertStrContains(output, "recall (2)")
  lu.assertStrContains(select(2, evaluate("'%s'" .. options, path)), "recall (10) is of the second class in order")
  lu.assertStrContains(refused(evaluate("'%s'" .. options .. " --positive 20", path)),
    "positive = '20' is not a class; did you mean '10'? known: 10, 2")
end

function TestEvaluateCommand:test_levels_get_their_order()
  local path = shell:write("evaluate_levels.csv", "size,y\n" .. ("s,a\nl,b\nm,a\n"):rep(10))
  local options = " --target y --learner decision_tree --metric accuracy --types "
  local status, _, errors = evaluate("'%s'" .. options .. "'size=s<m<l'", path)
  lu.assertEquals(status, 0)
  lu.assertStrContains(errors, ('cf.read("%s", { target = "y", types = { size = { "s", "m", "l" } } })'):format(path))
  lu.assertStrContains(refused(evaluate("'%s'" .. options .. "'size=s<m'", path)),
    "column 'size': 'l' is not one of its levels")
end

function TestEvaluateCommand:test_no_text_of_the_command_line_becomes_code()
  local name = 'evaluate "quote\nos.exit(7) --.csv'
  local path = shell:write(name, 'x,"a""] = os.exit(8)} --"\n' .. ("1,b\n2,c\n"):rep(20))
  local status, output, errors = evaluate([['%s' --target 'a"] = os.exit(8)} --' --types 'x=f64' --learner knn \
    --metric accuracy --splitter 'kfold{folds=2}']], path)
  lu.assertEquals(status, 0)
  lu.assertStrContains(output, "knn      accuracy")
  lu.assertStrContains(errors, [[\"quote\nos.exit(7) --.csv", { target = "a\"] = os.exit(8)} --", ]])
  status, output, errors = evaluate([[iris.csv --target '"} os.exit(9) --\' --types '"]=1 end --=f64' \
    --learner knn --metric accuracy]])
  lu.assertEquals({ status, output }, { 1, "" })
  lu.assertStrContains(errors, [[{ target = "\"} os.exit(9) --\\", types = { ["\"]=1 end --"] = "f64" } }]])
  lu.assertStrContains(errors, [[a type is given for '"]=1 end --', which is not a column;]])
end

function TestEvaluateCommand:test_parameters_of_every_type_are_written_as_lua_reads_them()
  local status, output, errors = evaluate("iris.csv --target class --metric accuracy "
    .. "--splitter 'kfold{folds=2,stratify=true}' --learner 'mlp{hidden={3,2},epochs=2,learning_rate=1e-2}' "
    .. "--learner 'naive_bayes,crossfold.knn{distance=minkowski,p=1.5}'")
  lu.assertEquals(status, 0)
  lu.assertStrContains(errors, 'cf.learner("mlp", { epochs = 2, hidden = { 3, 2 }, learning_rate = 0.01 })')
  lu.assertStrContains(errors, 'cf.learner("crossfold.knn", { distance = "minkowski", p = 1.5 })')
  lu.assertStrContains(errors, 'cf.splitter("kfold", { folds = 2, stratify = true })')
  lu.assertStrContains(output, "mlp{epochs=2,hidden={3, 2},learning_rate=0.01}")
end

function TestEvaluateCommand:test_a_store_is_found_again()
  local store = fresh("evaluate.cfdb")
  local line = ("iris.csv --target class --learner knn --metric accuracy --store '%s' --workers 2"):format(store)
  local _, first, errors = evaluate(line)
  lu.assertStrContains(errors, ": 0 cells found, 10 computed\n")
  local _, second, again = evaluate(line)
  lu.assertStrContains(again, ": 10 cells found, 0 computed\n")
  lu.assertEquals(second, first)
  local _, page = shell:crossfold("report '%s' -o -", store)
  lu.assertStrContains(page, "cf.evaluate {")  -- the script that ran
end

function TestEvaluateCommand:test_quiet_shows_no_script_and_plan_runs_nothing()
  local line = "iris.csv --target class --learner knn --metric accuracy --quiet"
  printed(evaluate(line))
  local _, plan = evaluate(line .. " --plan")
  lu.assertStrContains(plan, "fits asked         10\n")
end

function TestEvaluateCommand:test_folds_that_fail_exit_with_3()
  local status = evaluate("iris.csv --target class --learner 'debug{action=throw_in_fit}' --metric accuracy")
  lu.assertEquals(status, 3)
end

-- What each of these says on standard error, after "crossfold: ", and its exit code.
local wrong_lines = {
  ["iris.csv"] = { 2, "evaluate: --learner and --metric are missing; crossfold evaluate --help shows what it takes" },
  ["iris.csv --target class --learner 'knn{kk=3}' --metric accuracy"] = { 1, "cannot make learner 'knn': unknown "
    .. "parameter 'kk'; did you mean 'k'? known: distance, k, p, weights" },
  ["iris.csv --target class --learner knn --metric accuracy --script -"] = { 1, "cannot write '-': it is not a file; "
    .. "the script is shown without --script" },
  ["iris.csv --target class --learner 'knn{k=3' --metric accuracy"] = { 1, "cannot make learner 'knn{k=3': the brace "
    .. "is not closed; write it as in ID{NAME=VALUE,NAME=VALUE}" },
  ["weather_nominal.arff --target play --learner knn --metric accuracy --decimal ,"] = { 1, "cannot read "
    .. "'weather_nominal.arff': --decimal does not go with the format arff; leave it out, or name the format with "
    .. "--format" },
}

function TestEvaluateCommand:test_a_wrong_line_is_explained()
  for line, expected in pairs(wrong_lines) do
    lu.assertEquals({ line, evaluate(line) }, { line, expected[1], "", "crossfold: " .. expected[2] .. "\n" })
  end
end

-- A source may name the target itself, so the run finds out.
function TestEvaluateCommand:test_data_without_a_target_are_refused_by_the_run()
  lu.assertEquals({ evaluate("iris.csv --learner knn --metric accuracy --quiet") },
    { 1, "", "crossfold: evaluate:3: cannot evaluate on 'iris': the dataset "
    .. "has no target; read it with target = \"<column>\"\n" })
end

function TestEvaluateCommand:test_parameters_of_any_source_arrive()
  local path = shell:write("evaluate_parameter.csv", "x;y\n" .. ("1;a\n2;b\n"):rep(10))
  local status, _, errors = evaluate("'%s' --target y --learner knn --metric accuracy --parameter 'separator=;' "
    .. "--parameter header=true", path)
  lu.assertEquals(status, 0)
  lu.assertStrContains(errors, ('cf.read("%s", { target = "y", header = true, separator = ";" })'):format(path))
  lu.assertEquals(refused(evaluate("iris.csv --target class --learner knn --metric accuracy --parameter separatr=x")),
    "crossfold: cannot read 'iris.csv': parameter 'separatr' does not go "
    .. "with the format csv; leave it out, or name the format with --format\n")
  lu.assertEquals(refused(evaluate("iris.csv --target class --learner knn --metric accuracy --parameter separator")),
    "crossfold: cannot read 'iris.csv': 'separator' in --parameter has no "
    .. "value; write NAME=VALUE\n")
end

function TestEvaluateCommand:test_an_unknown_name_has_the_hints_of_scripts()
  local _, _, errors = evaluate("iris.csv --target class --learner tree --metric accuracy")
  lu.assertStrContains(errors, "cannot find learner 'tree': did you mean 'decision_tree'? known: ")
  _, _, errors = evaluate("iris.csv --target class --learner knn --metric acuracy")
  lu.assertStrContains(errors, "cannot find metric 'acuracy': did you mean 'accuracy'? known: ")
end

arg = {}  -- LuaUnit would take it for its own options
os.exit(lu.LuaUnit.run("--output", "text"))
