-- cf.read: formats, their options, and how a file is read.
local lu = require "luaunit"
local cf = require "crossfold"
local fixtures = require "fixtures"

TestRead = {}

-- A file with this ending, removed by the test.
local function write(ending, text)
  local path = os.tmpname() .. ending
  local file <close> = assert(io.open(path, "wb"))
  file:write(text)
  return path
end

local arff = "@relation r\n@attribute x numeric\n@attribute y {no,yes}\n@data\n1,yes\n2.5,no\n"

function TestRead:test_the_ending_chooses_the_format()
  local path = write(".arff", arff)
  local data = cf.read(path, { target = "y" })
  os.remove(path)
  lu.assertEquals(data:classes(), { "no", "yes" })
  lu.assertEquals(data:column("x"), { 1, 2.5 })
end

function TestRead:test_a_tsv_file_has_tabs()
  local path = write(".tsv", "x\ty\n1\ta\n")
  lu.assertEquals(cf.read(path):column("y"), { "a" })
  os.remove(path)
end

function TestRead:test_the_format_can_be_named()
  local path = write(".txt", "+1 1:0.5 3:2\n-1 2:1\n")
  local data = cf.read(path, { format = "libsvm" })
  lu.assertEquals(data:features(), { "f1", "f2", "f3" })
  lu.assertEquals(data:classes(), { "-1", "1" })
  lu.assertEquals(data:column("f3"), { 2, 0 })
  lu.assertEquals(cf.read(path, { format = "libsvm", task = "regression" }):target(), { 1, -1 })
  os.remove(path)
end

function TestRead:test_an_unknown_format_is_refused()
  lu.assertStrContains(fixtures.message(cf.read, "x.csv", { format = "xls" }),
    "read: option 'format' is 'xls'; known: arff, csv, libsvm, tsv")
end

function TestRead:test_each_format_has_its_own_options()
  lu.assertStrContains(fixtures.message(cf.read, "x.svm", { target = "y" }),
    "read (LIBSVM): unknown option 'target'")
  lu.assertStrContains(fixtures.message(cf.read, "x.arff", { separator = ";" }),
    "read (ARFF): unknown option 'separator'")
  lu.assertStrContains(fixtures.message(cf.read, "x.svm", { task = "ranking" }),
    "option 'task' is 'ranking'; it must be classification or regression")
end

function TestRead:test_threads_and_the_map_do_not_change_the_data()
  local path = data_folder .. "/iris.csv"
  local hash = cf.read(path, { target = "class" }):hash()
  lu.assertEquals(cf.read(path, { target = "class", threads = 3 }):hash(), hash)
  lu.assertEquals(cf.read(path, { target = "class", memory_map = false }):hash(), hash)
end

function TestRead:test_a_wrong_number_of_threads_is_refused()
  lu.assertStrContains(fixtures.message(cf.read, data_folder .. "/iris.csv", { threads = 0 }),
    "option 'threads' must lie in 1 .. 4096")
end
