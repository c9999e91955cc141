-- What is said of data however they come in: notes, infinite entries, levels that no training row has.
local lu = require "luaunit"
local cf = require "crossfold"
local fixtures = require "fixtures"

TestDataNotes = {}

local function write(text)
  local path = os.tmpname() .. ".csv"
  local file <close> = assert(io.open(path, "wb"))
  file:write(text)
  return path
end

local function columns(x, n)
  local y = {}
  for i = 1, n or #x do y[i] = i % 2 == 0 and "a" or "b" end
  return { { name = "x", values = x }, { name = "y", values = y } }
end

local function numbers(n, other)
  local list = {}
  for i = 1, n do list[i] = tostring(i / 2) end
  list[n + 1] = other
  return list
end

local function scores(data)
  return cf.evaluate { data = data, learners = { "naive_bayes" }, splitter = cf.splitter("kfold", { folds = 3 }),
    metrics = "accuracy" }
end

function TestDataNotes:test_a_result_says_that_a_column_of_numbers_is_read_as_categories()
  local path = write("x,y\n1.5,a\n2.5,b\n3,a\n4,b\n5,a\n6,b\n7,a\n8,b\n9,a\nunknown,b\n")
  local note = "'x' is read as categories, but 90.0% of its entries are numbers; 'unknown' is not a number"
  local data = cf.read(path, { target = "y" })
  lu.assertStrContains(tostring(data), note)
  lu.assertStrContains(scores(data):notes()[1], note)
  lu.assertStrContains(tostring(scores(data:with_roles { groups = false }:select { 1, 2, 3, 4, 5, 6, 7, 8 })), note)
  lu.assertEquals(cf.read(path, { target = "y", types = { x = "categorical" } }):notes(), {})
  lu.assertEquals(cf.read(path, { target = "y", missing = { "unknown" } }):notes(), {})
  os.remove(path)
end

function TestDataNotes:test_lists_have_the_same_notes()
  local function notes(column)
    return cf.dataset { target = "y", columns = { column, columns({}, 31)[2] } }:notes()
  end
  lu.assertStrContains(notes({ name = "x", values = numbers(30, "-") })[1], "'x' is read as categories")
  lu.assertEquals(notes { name = "x", values = numbers(30, "-"), type = "categorical" }, {})
  lu.assertStrContains(notes({ name = "x", values = numbers(30, cf.null) })[1], "'x' holds numbers as categories")
end

function TestDataNotes:test_a_regression_that_a_word_makes_a_classification_is_noted()
  local rows = {}
  for i = 1, 30 do rows[i] = ("%g,%g\n"):format(i, i / 4) end
  local path = write("x,y\n" .. table.concat(rows) .. "31,n/a\n")
  lu.assertStrContains(cf.read(path, { target = "y" }):notes()[1], "'y' is read as categories")
  os.remove(path)
end

function TestDataNotes:test_infinities_are_refused_unless_an_option_says_otherwise()
  local values = { 1, -math.huge, 3, cf.null }
  local function make(infinite) return cf.dataset { columns = columns(values), infinite = infinite } end
  lu.assertStrContains(fixtures.message(make), "cannot make dataset 'dataset': column 'x', row 2: the entry is "
    .. "infinite; give infinite = \"missing\"")
  lu.assertEquals(make("missing"):column("x"), { 1, cf.null, 3, cf.null })
  lu.assertEquals(make("keep"):column("x"), values)
  lu.assertStrContains(fixtures.message(make, "drop"), "infinite = 'drop' is not one of")
  local path = write("x,y\n1,a\nInf,b\n")
  lu.assertStrContains(fixtures.message(cf.read, path), "column 'x', row 2: the entry is infinite")
  lu.assertEquals(cf.read(path, { infinite = "missing" }):column("x"), { 1, cf.null })
  lu.assertEquals(cf.read(path, { types = { x = "ignore" } }):features(), { "y" })
  lu.assertStrContains(fixtures.message(cf.read, path, { target = "x", infinite = "missing" }),
    "target 'x' is missing in 1 row")
  os.remove(path)
end

function TestDataNotes:test_whole_numbers_that_lose_digits_are_noted()
  local function notes(x) return cf.dataset { columns = columns(x) }:notes() end
  lu.assertStrContains(notes({ 9007199254740993, 3.8e32 })[1], "'x' has whole numbers beyond 2^53")
  lu.assertEquals(notes { 9007199254740992, 3.8e32 }, {})
  lu.assertEquals(notes { 9007199254740993, 5 }, {})
  local path = write("x,y\n9007199254740993,a\n3.8e32,b\n")
  local report = cf.read(path):describe()
  lu.assertStrContains(report.findings[1].message, "'x' has 1 integer beyond 2^53 among real numbers, which f64 rounds "
    .. "(9007199254740993 in line 2)")
  lu.assertEquals(report.findings[1].kind, "reading")
  os.remove(path)
end

function TestDataNotes:test_levels_that_no_training_row_has_are_counted()
  local x, y = {}, {}
  for i = 1, 30 do x[i], y[i] = i % 3 == 0 and "p" or "q", i % 2 == 0 and "a" or "b" end
  x[7], x[8] = "once", "twice"
  x[21] = "twice"
  local data = cf.dataset { target = "y", columns = { { name = "x", values = x }, { name = "y", values = y } } }
  local function notes(splits) return cf.evaluate { data = data, learners = { "naive_bayes" }, splitter = splits,
    metrics = "accuracy" }:notes() end
  lu.assertEquals(notes("leave_one_out"), { "'x' has 1 level that no training row of a split has, in 1 test row: "
    .. "the models do not know it" })
  local apart = cf.splitter { name = "apart", split = function()
    return { splits = { { train = { 1, 2, 3, 4, 5 }, test = { 7, 8, 21, 22 } } } }
  end }
  lu.assertEquals(notes(apart), { "'x' has 2 levels that no training row of a split has, in 3 test rows: the models do "
    .. "not know them" })
end

-- Looking a column up takes no longer for many columns, and a mistyped name does not print them all.
function TestDataNotes:test_a_report_on_many_columns()
  local wide = {}
  for i = 1, 3000 do wide[i] = { name = "gene" .. i, values = { i, i + 1.5 } } end
  local report = cf.dataset { columns = wide }:describe()
  local begin = os.clock()
  for i = 1, 3000 do assert(report:column("gene" .. i).name == "gene" .. i) end
  lu.assertTrue(os.clock() - begin < 0.5)
  local message = fixtures.message(report.column, report, "gen17")
  lu.assertStrContains(message, "did you mean 'gene17'? known: ")
  lu.assertStrContains(message, " and 2990 more")
  lu.assertTrue(#message < 300, message)
end
