-- data_command_test.lua PROGRAM DATA SCRATCH: what `crossfold data` prints and how it exits.
package.path = arg[0]:match("^(.*)/") .. "/?.lua;" .. package.path
local lu = require "luaunit"
local Shell = require "shell"
local printed, refused = Shell.printed, Shell.refused

local program, data, scratch = arg[1], arg[2], arg[3]
local shell = Shell.new(scratch, program)

local function describe(arguments) return shell:crossfold("data describe " .. arguments) end

local penguins = [[
penguins: 344 rows, 8 columns, 7 features, classification

number             role     type  missing   distinct  min   median  mean    max   sd
-----------------  -------  ----  --------  --------  ----  ------  ------  ----  -------
bill_length_mm     feature  f64   2 (0.6%)       164  32.1  44.45   43.922  59.6  5.4596
bill_depth_mm      feature  f64   2 (0.6%)        80  13.1  17.3    17.151  21.5  1.9748
flipper_length_mm  feature  i64   2 (0.6%)        55  172   197     200.92  231   14.062
body_mass_g        feature  i64   2 (0.6%)        94  2700  4050    4201.8  6300  801.95
year               feature  i64   0                3  2007  2008    2008    2009  0.81836

category  role     type         missing    distinct  most frequent
--------  -------  -----------  ---------  --------  ------------------------------------
island    feature  categorical  0                 3  Biscoe 168, Dream 124, Torgersen 52
sex       feature  categorical  11 (3.2%)         2  male 168, female 165
species   target   categorical  0                 3  Adelie 152, Gentoo 124, Chinstrap 68

class      rows  share
---------  ----  -----
Adelie      152  44.2%
Chinstrap    68  19.8%
Gentoo      124  36.0%

Notes
  * 'year' is a whole number with 3 to 10 values; if they are codes without an order, give it the
    type categorical
]]

TestDataDescribe = {}

-- Smallest, median, largest, mean, deviation and distinct values as NumPy 1.24 gives them (ddof = 1): of
-- bill_length_mm 32.1, 44.45, 59.6, 43.92193, 5.459584, 164.
function TestDataDescribe:test_the_penguins()
  lu.assertEquals({ describe(("'%s/penguins.csv' --target species"):format(data)) }, { 0, penguins, "" })
end

function TestDataDescribe:test_rows_that_lack_an_entry_are_dropped_and_counted()
  lu.assertStrContains(printed(describe(("'%s/penguins.csv' --target sex --drop-missing target,year"):format(data))),
    "penguins: 333 rows (11 dropped), 8 columns, 7 features, classification\n")
  local _, json = describe(("'%s/penguins.csv' --target sex --drop-missing target --json"):format(data))
  lu.assertStrContains(json, '"dropped_rows": 11')
end

function TestDataDescribe:test_what_was_guessed_is_a_line_of_standard_error()
  local rows = {}
  for i = 1, 20 do rows[i] = i / 4 .. "," .. i .. "\n" end
  local path = shell:write("word.csv", "x,y\n" .. table.concat(rows) .. "unknown,21\n")
  local output = scratch .. "/word.arrow"
  os.remove(output)
  local status, text, problems = shell:crossfold(("data convert '%s' '%s'"):format(path, output))
  lu.assertEquals({ status, text }, { 0, ("wrote '%s': 21 rows, 2 columns\n"):format(output) })
  lu.assertEquals(problems, "crossfold: data 'word': 'x' is read as categories, but 95.2% of its entries are numbers; "
    .. "'unknown' is not a number: if it means that there is no value, name it in 'missing'\n")
end

function TestDataDescribe:test_infinite_entries_short_rows_and_duplicate_names_have_options()
  local path = shell:write("odd.csv", "x,x\ninf,1\n2\n3,4\n5,2\n")
  lu.assertStrContains(refused(describe(("'%s'"):format(path))), 'give duplicate_names = "number"')
  local _, text, problems = describe(("'%s' --infinite missing --ragged fill --duplicate-names number"):format(path))
  lu.assertStrContains(text, "odd: 4 rows, 2 columns, 2 features")
  lu.assertStrContains(problems, "1 row is shorter than the header and filled with missing entries (line 3)")
  lu.assertStrContains(refused(describe(("'%s' --ragged fill --duplicate-names number"):format(path))),
    "column 'x', row 1: the entry is infinite")
end

function TestDataDescribe:test_json_has_every_fact()
  local path = shell:write("small.csv", "x,y\n1,a\n3,b\n?,a\n")
  lu.assertEquals(printed(describe(("'%s' --target y --folds 2 --json"):format(path))), [[
{
  "name": "small",
  "task": "classification",
  "rows": 3,
  "features": 1,
  "dropped_rows": 0,
  "duplicate_rows": 0,
  "contradicting_rows": 0,
  "classes": [
    {
      "value": "a",
      "count": 2
    },
    {
      "value": "b",
      "count": 1
    }
  ],
  "columns": [
    {
      "name": "x",
      "type": "i64",
      "role": "feature",
      "missing": 1,
      "distinct": 2,
      "min": 1,
      "median": 2.0,
      "mean": 2.0,
      "max": 3,
      "sd": 1.4142135623730951
    },
    {
      "name": "y",
      "type": "categorical",
      "role": "target",
      "missing": 0,
      "distinct": 2,
      "levels": 2,
      "most_frequent": [
        {
          "value": "a",
          "count": 2
        },
        {
          "value": "b",
          "count": 1
        }
      ]
    }
  ],
  "findings": [
    {
      "kind": "rare_class",
      "warning": true,
      "columns": [
        "y"
      ],
      "message": "1 class has fewer rows than 2 folds, so that ]]
    .. [[some test folds have none of them: 'b' (1); use fewer folds, or join classes"
    }
  ]
}
]])
end

function TestDataDescribe:test_the_reading_options()
  local path = shell:write("german.csv", "Titel\n'M\xFCller';1.001,5\n// it's\n-;2\n")
  lu.assertEquals(printed(describe(("'%s' --separator ';' --quote \"'\" --decimal , --thousands . "
    .. "--encoding latin1 --skip-lines 1 --comment // --no-header --names n,x --missing - --types n=categorical")
    :format(path))), [[
german: 2 rows, 2 columns, 2 features, no target

number  role     type  missing  distinct  min  median  mean    max     sd
------  -------  ----  -------  --------  ---  ------  ------  ------  ------
x       feature  f64   0               2  2    501.75  501.75  1001.5  706.75

category  role     type         missing    distinct  most frequent
--------  -------  -----------  ---------  --------  -------------
n         feature  categorical  1 (50.0%)         1  ]] .. "M\xC3\xBCller 1" .. [[


Warnings
  * 'n' has one value where it has any; only whether an entry is missing can be informative
  * 'n' is missing in half of the rows or more; is there another word for it, or should it be left
    out?
]])
end

-- Of 2^53 + 1 and 2^63 - 1, which no double is.
function TestDataDescribe:test_whole_numbers_have_all_their_digits()
  local path = shell:write("long.csv", "id\n9007199254740993\n9223372036854775807\n")
  local _, output = describe(("'%s'"):format(path))
  lu.assertStrContains(output, "9007199254740993")
  lu.assertStrContains(output, "9223372036854775807")
  _, output = describe(("'%s' --json"):format(path))
  lu.assertStrContains(output, '"min": 9007199254740993,')
  lu.assertStrContains(output, '"max": 9223372036854775807,')
end

function TestDataDescribe:test_other_formats()
  local _, output = describe(("'%s/weather_nominal.arff' --target play --folds 5"):format(data))
  lu.assertStrContains(output, "weather_nominal: 14 rows, 5 columns, 4 features, classification\n")
  lu.assertStrContains(output, "\nNothing striking was found.\n")
  _, output = describe(("'%s' --task regression"):format(shell:write("a.svm", "1.5 1:2\n2.5 2:1\n")))
  lu.assertStrContains(output, "a: 2 rows, 3 columns, 2 features, regression\n")
end

function TestDataDescribe:test_wrong_command_lines()
  lu.assertEquals(refused(describe(("'%s/iris.csv' --query 'select 1'"):format(data))),
    ("crossfold: cannot read '%s/iris.csv': it is not an SQLite "
    .. "database; read text files by their path\n"):format(data))
  lu.assertEquals(refused(describe(("'%s/weather_nominal.arff' --separator ';'"):format(data))),
    ("crossfold: cannot read '%s/weather_nominal.arff': --separator "
    .. "does not go with the format arff; leave it out, or name the format with --format\n"):format(data))
  lu.assertStrContains(refused(describe(("'%s/iris.csv' --target clas"):format(data))), "did you mean 'class'?")
  lu.assertEquals(refused(describe(("'%s/iris.csv' --types class"):format(data))),
    ("crossfold: cannot read '%s/iris.csv': 'class' in --types has no "
    .. "type; write NAME=TYPE\n"):format(data))
  lu.assertEquals((describe("")), 2)
  lu.assertEquals((describe(("'%s/iris.csv' --folds 1"):format(data))), 2)
end

function TestDataDescribe:test_a_limit_below_nothing_is_refused()
  local status, output, errors = describe(("'%s/iris.csv' --most-bytes=-1"):format(data))
  lu.assertEquals({ status, output }, { 2, "" })
  lu.assertEquals(errors, "crossfold: cannot use --most-bytes: '-1' is not a size; use bytes, or a unit as in 512M "
    .. "or 4G\n")
end

arg = {}  -- LuaUnit would take it for its own options
TestDataConvert = {}

local function convert(arguments) return shell:crossfold("data convert " .. arguments) end

function TestDataConvert:test_what_was_converted_reads_as_the_original()
  local out = scratch .. "/penguins.arrow"
  os.remove(out)
  lu.assertEquals({ convert(("'%s/penguins.csv' '%s' --target species"):format(data, out)) },
    { 0, ("wrote '%s': 344 rows, 8 columns\n"):format(out), "" })
  lu.assertEquals({ describe(("'%s'"):format(out)) }, { 0, penguins, "" })
end

function TestDataConvert:test_what_cannot_be_written_is_said_with_a_way_out()
  local csv = shell:write("small_again.csv", "x,y\n1,a\n2,b\n")
  lu.assertEquals(refused(convert(("'%s' '%s/out.csv'"):format(csv, scratch))),
    ("crossfold: cannot write '%s/out.csv': source 'crossfold.csv' does "
    .. "not write; choose one of arrow, arrows, feather, ipc\n"):format(scratch))
  lu.assertStrContains(refused(convert(("'%s' '%s'"):format(csv, csv))), "does not write")
  lu.assertEquals(refused(convert(("'%s' '%s' --to arrow"):format(csv, csv))),
    ("crossfold: cannot write '%s': it exists already; remove it or choose "
    .. "another name\n"):format(csv))
end

TestDataChecks = {}

function TestDataChecks:test_labels_shows_its_script_and_the_rows()
  local status, output, errors = shell:crossfold(("data labels '%s/iris.csv' --target class --learner naive_bayes")
    :format(data))
  lu.assertEquals({ status, errors:match("cf%.label_issues.*}") }, { 0, ([[
cf.label_issues {
  data = cf.read("%s/iris.csv", { target = "class" }),
  learner = "naive_bayes",
  seed = 1,
}]]):format(data) })
  lu.assertStrContains(output, "labels of 'iris' are wrong, as 'naive_bayes' sees it")
end

function TestDataChecks:test_compare_says_whether_new_rows_look_like_old_ones()
  local old, new = { "x,y" }, { "x,y" }
  for i = 1, 30 do
    old[i + 1], new[i + 1] = ("%d,a"):format(i), ("%d,a"):format(i + 20)
  end
  local output = printed(shell:crossfold(("--quiet data compare '%s' '%s' --target y --learner naive_bayes"):format(
    shell:write("old.csv", table.concat(old, "\n") .. "\n"), shell:write("new.csv", table.concat(new, "\n") .. "\n"))))
  lu.assertStrContains(output, "p = 0.0100 by 99 permutations: the new rows differ from the old ones.")
  lu.assertStrContains(output, "(505 fits; the target was not used)")
end

function TestDataChecks:test_what_cannot_be_checked_is_said_with_a_way_out()
  lu.assertEquals(refused(shell:crossfold(("--quiet data labels '%s/diabetes_regr.csv' --target target"):format(data))),
    "crossfold: data labels:3: cannot find label issues of 'diabetes_regr': its "
    .. "target is not categorical; residuals show numbers that look wrong\n")
  lu.assertEquals((shell:crossfold("data compare one.csv")), 2)
end

os.exit(lu.LuaUnit.run("--output", "text"))
