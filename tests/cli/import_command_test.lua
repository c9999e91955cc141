-- import_command_test.lua PROGRAM DATA PREDICTIONS SCRATCH: crossfold import makes a script, shows it and runs it.
package.path = arg[0]:match("^(.*)/") .. "/?.lua;" .. package.path
local lu = require "luaunit"
local Shell = require "shell"
local printed = Shell.printed

local program, data, predictions, scratch = arg[1], arg[2], arg[3], arg[4]
local shell = Shell.new(scratch, program)

-- In the folder of the data.
local function import(arguments, ...)
  return shell:run(("cd '%s' && \"$CROSSFOLD\" import "):format(data) .. arguments, ...)
end

local iris = ("iris.csv '%s/iris_scikit_learn.csv' --target class --learner-column learner --row row --first-row 0 "
  .. "--fold fold --label y_pred --truth y_true --probabilities 'p_*' "):format(predictions)

-- A store that is not there yet.
local function new_store(name)
  local path = scratch .. "/" .. name
  for _, rest in ipairs { "", "-wal", "-shm" } do os.remove(path .. rest) end
  return path
end

TestImportCommand = {}

function TestImportCommand:test_the_table_is_on_standard_output_and_the_script_on_standard_error()
  local status, output, errors = import(iris .. "--metric accuracy,f1_macro")
  lu.assertEquals({ status, errors }, { 0, ([[
local cf = require "crossfold"

local result = cf.import_predictions {
  data = cf.read("iris.csv", { target = "class" }),
  file = "%s/iris_scikit_learn.csv",
  learner_column = "learner",
  row = "row",
  first_row = 0,
  fold = "fold",
  label = "y_pred",
  probabilities = "p_*",
  truth = "y_true",
  metrics = { "accuracy", cf.metric("f1", { average = "macro" }) },
}
return result

]]):format(predictions) })
  lu.assertEquals(output, [[
learner      accuracy  f1{average=macro}  folds
-----------  --------  -----------------  -----
logistic       0.9600             0.9599  5
gaussian_nb    0.9533             0.9533  5
(means over the folds in which the metric is defined, best first by accuracy; result:summary() has sd, min and max)
(no interval of accuracy: nobody knows whether these splits were drawn at random; name a method if they were, as in ]]
    .. 'result:interval{ method = "corrected_t" })\n')
end

function TestImportCommand:test_columns_of_probabilities_may_be_named_one_by_one()
  local columns = "'setosa=p_setosa,versicolor=p_versicolor,virginica=p_virginica'"
  local _, _, errors = import(iris:gsub("'p_%*'", columns))
  lu.assertStrContains(errors, '  probabilities = { setosa = "p_setosa", versicolor = "p_versicolor", '
    .. 'virginica = "p_virginica" },\n')
  local _, output, in_order = import(iris:gsub("'p_%*'", "p_setosa,p_versicolor,p_virginica"))
  lu.assertStrContains(in_order, '  probabilities = { "p_setosa", "p_versicolor", "p_virginica" },\n')
  lu.assertStrContains(output, "gaussian_nb    0.9533    0.1278  5\n")
end

function TestImportCommand:test_an_arrow_file_gives_the_same_scores()
  local path = scratch .. "/import_command.arrow"
  os.remove(path)
  lu.assertEquals(shell:crossfold("data convert '%s/iris_scikit_learn.csv' '%s'", predictions, path), 0)
  local _, expected = import(iris .. "--json --quiet")
  local _, output = import(iris:gsub("'[^']*%.csv'", "'" .. path .. "'") .. "--json --quiet")
  lu.assertEquals(output, expected)
end

function TestImportCommand:test_a_store_has_what_was_imported_and_says_so()
  local store = new_store("import_command.cfdb")
  lu.assertEquals(import(iris .. "--quiet --store '%s'", store), 0)
  local _, status_text = shell:crossfold("status '%s'", store)
  lu.assertStrContains(status_text,
    "iris     gaussian_nb  imported       5     5       0        0        0            5\n")
  -- sha256sum tests/scripts/import/iris_scikit_learn.csv
  local source = "imported from iris_scikit_learn.csv (SHA-256 "
    .. "5d759c7aac94678a90ffe644761c2f563394ff6ec667f9230d0b4b187ebf1bea)"
  local verified, report = shell:crossfold("verify '%s'", store)
  lu.assertEquals({ verified, report }, { 0, "checked 0 of 0 cells: 0 equal, 0 different, 0 not checkable\n"
    .. "scores of 10 imported folds, from their predictions: 10 equal, 0 different, 0 not checkable\n"
    .. "not checked: the predictions of 10 folds, " .. source .. ": another tool made them, so they cannot be computed "
    .. "again; their scores and checksums were checked\n" })
end

function TestImportCommand:test_other_predictions_differ()
  local first, second = new_store("import_first.cfdb"), new_store("import_second.cfdb")
  local changed = shell:write("iris_scikit_learn.csv",
    (shell.read(predictions .. "/iris_scikit_learn.csv"):gsub(",setosa,setosa,", ",setosa,versicolor,", 1)))
  lu.assertEquals(import(iris .. "--quiet --store '%s'", first), 0)
  local other = iris:gsub("'[^']*%.csv'", "'" .. changed .. "'") .. "--quiet --store '%s'"
  lu.assertEquals(import(other, second), 1)  -- its labels contradict their probabilities
  lu.assertEquals(import(other .. " --decided", second), 0)
  local status, output = shell:crossfold("diff '%s' '%s'", first, second)
  lu.assertEquals({ status, output }, { 3, [[
9 cells equal
1 cell different
  combined or imported in the script: 1

gaussian_nb on iris, repeat 1, fold 3: combined or imported in the script: its parts, the script or the imported file ]]
    .. "differ\n" })
end

function TestImportCommand:test_an_exported_run_is_verified_like_its_store()
  local store, archive = new_store("import_export.cfdb"), scratch .. "/import_export.zip"
  os.remove(archive)
  lu.assertEquals(import(iris .. "--quiet --store '%s'", store), 0)
  lu.assertEquals(shell:crossfold("export '%s' '%s'", store, archive), 0)
  local output = printed(shell:crossfold("verify '%s'", archive))
  lu.assertStrContains(output, "scores of 10 imported folds, from their predictions: 10 equal")
  lu.assertStrContains(output, "checked 6 files of the archive: 6 equal")
  local _, scores = shell:crossfold("rescore '%s' --metric accuracy", archive)
  lu.assertStrContains(scores, "logistic     accuracy  0.9600")
end

function TestImportCommand:test_wrong_lines_are_explained()
  lu.assertEquals({ import("iris.csv '%s/iris_scikit_learn.csv' --target class --learner a --label y_pred "
    .. "--quiet", predictions) }, { 1, "", "crossfold: import:3: cannot import '" .. predictions
    .. "/iris_scikit_learn.csv': more predictions than the 150 rows of 'iris' (entries 151, 152, 153, 154, 155 and 145 "
    .. "more); name the column of row numbers with row\n" })
  local usage, _, explained = import("iris.csv x.csv --learner a --learner-column b")
  lu.assertEquals(usage, 2)
  lu.assertStrContains(explained, "--learner-column")
end

arg = {}  -- LuaUnit would take it for its own options
os.exit(lu.LuaUnit.run("--output", "text"))
