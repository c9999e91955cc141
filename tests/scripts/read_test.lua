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
    "cannot read 'x.csv': there is no format 'xls'; known: arff, arrow, ")
end

function TestRead:test_a_format_may_be_a_source_whose_parameters_are_options()
  local path = os.tmpname()
  local file <close> = assert(io.open(path, "w"))
  file:write("x;y\n1;a\n-;b\n")
  file:close()
  local data = cf.read(path, { format = "crossfold.csv", separator = ";", missing = { "-" }, target = "y" })
  lu.assertEquals(data:classes(), { "a", "b" })
  lu.assertEquals(data:column("x")[1], 1)
  lu.assertStrContains(fixtures.message(cf.read, path, { format = "crossfold.csv", seperator = ";" }),
    "read (csv): unknown option 'seperator'; did you mean 'separator'?")
  os.remove(path)
end

function TestRead:test_each_format_has_its_own_options()
  lu.assertStrContains(fixtures.message(cf.read, "x.svm", { header = true }),
    "read (svmlight): unknown option 'header'")
  lu.assertStrContains(fixtures.message(cf.read, "x.arff", { separator = ";" }),
    "read (arff): unknown option 'separator'")
  lu.assertStrContains(fixtures.message(cf.read, "x.csv", { header = "no" }),
    "read (csv): option 'header' must be a boolean, got a string")
  lu.assertStrContains(fixtures.message(cf.read, "x.svm", { task = "ranking" }),
    "task = 'ranking'")
end

function TestRead:test_threads_and_the_map_do_not_change_the_data()
  local path = data_folder .. "/iris.csv"
  local hash = cf.read(path, { target = "class" }):hash()
  lu.assertEquals(cf.read(path, { target = "class", threads = 3 }):hash(), hash)
  lu.assertEquals(cf.read(path, { target = "class", memory_map = false }):hash(), hash)
end

function TestRead:test_a_wrong_number_of_threads_is_refused()
  lu.assertStrContains(fixtures.message(cf.read, data_folder .. "/iris.csv", { threads = 0 }),
    "option 'threads' must be between 1 and 4096")
end

-- Python: gzip.compress(b"x,y\n1,a\n2,b\n", mtime=0)
local packed = "\x1f\x8b\x08\x00\x00\x00\x00\x00\x02\x03\xab\xd0\xa9\xe4\x32\xd4\x49\xe4\x32\xd2\x49"
  .. "\xe2\x02\x00\x79\xa3\x6e\x5e\x0c\x00\x00\x00"

function TestRead:test_a_compressed_file_reads_as_the_file_does()
  local path = write(".csv.gz", packed)
  local data = cf.read(path, { target = "y" })
  lu.assertEquals(data:classes(), { "a", "b" })
  lu.assertStrContains(fixtures.message(cf.read, path, { most_bytes = 5 }),
    "unpacked it has more than the limit of 5 bytes; raise most_bytes if that is right")
  os.remove(path)
end

function TestRead:test_the_ending_before_gz_chooses_the_format()
  local path = write(".TSV.GZ", "x\ty\n1\ta\n")
  lu.assertEquals(cf.read(path):column("y"), { "a" })
  os.remove(path)
end

function TestRead:test_a_german_file()
  local path = write(".csv", "// Preise\nname;preis\nM\xFCller;1,5\nWei\xDF;2\n")
  local data = cf.read(path, { separator = ";", decimal = ",", encoding = "latin1", comment = "//" })
  lu.assertEquals(data:column("preis"), { 1.5, 2 })
  lu.assertEquals(data:column("name"), { "M\xC3\xBCller", "Wei\xC3\x9F" })
  lu.assertStrContains(fixtures.message(cf.read, path, { separator = ";", comment = "//" }),
    'line 3, byte 2: this is not UTF-8; name the encoding, as in encoding = "windows-1252" or "latin1"')
  os.remove(path)
end

function TestRead:test_thousands_signs()
  local path = write(".csv", 'x;y\n1,234.50;a\n12.00;b\n-1,234,567;a\n')
  lu.assertEquals(cf.read(path, { separator = ";", thousands = "," }):column("x"), { 1234.5, 12, -1234567 })
  lu.assertStrContains(fixtures.message(cf.read, path, { separator = ";", thousands = "." }),
    "decimal sign and thousands sign are both '.'; name the other decimal sign, as in decimal = \",\"")
  lu.assertStrContains(fixtures.message(cf.read, path, { thousands = "" }),
    "thousands must be one character of ASCII")
  os.remove(path)
end

local sizes = { "small", "medium", "large" }

-- y is "b" for sizes from "medium" on; in the order of bytes "medium" is not between the others.
local function sizes_file()
  local rows = { "size,y" }
  for i = 1, 30 do
    rows[#rows + 1] = ("%s,%s"):format(sizes[(i - 1) % 3 + 1], i % 3 == 1 and "a" or "b")
  end
  return write(".csv", table.concat(rows, "\n") .. "\n")
end

function TestRead:test_a_list_as_a_type_is_the_levels_in_their_order()
  local path = sizes_file()
  local data = cf.read(path, { target = "y", types = { size = sizes } })
  lu.assertEquals(data:describe():column("size").type, "ordered categorical")
  lu.assertStrContains(tostring(data:describe()), "ordered categorical")
  lu.assertEquals(data:select { 3, 2 }:describe():column("size").type, "ordered categorical")
  lu.assertNotEquals(data:hash(), cf.read(path, { target = "y" }):hash())
  lu.assertNotEquals(data:hash(),
    cf.read(path, { target = "y", types = { size = { "large", "medium", "small" } } }):hash())
  lu.assertStrContains(fixtures.message(cf.read, path, { types = { size = { "small", "large" } } }),
    "line 3, column 'size': 'medium' is not one of its levels; known: large, small")
  os.remove(path)
end

function TestRead:test_ordered_levels_reach_trees_transforms_and_saved_models()
  local path, saved = sizes_file(), os.tmpname()
  local data = cf.read(path, { target = "y", types = { size = sizes } })
  local function tree(rows) return cf.learner("decision_tree"):fit(rows):export("text") end
  lu.assertStrContains(tree(data), "size <= small: a (10)\nsize > small: b (20)\n")
  lu.assertStrContains(cf.pipeline { "ordinal", "decision_tree" }:fit(data):export("text"),
    "size <= 0.5: a (10)\nsize > 0.5: b (20)\n")
  local seen
  local same = cf.transform { name = "same", fit = function() return {} end,
    apply = function(_, rows) return rows:features() end }
  local spy = cf.learner { name = "spy", predict = function() return {} end,
    fit = function(rows) seen = rows:describe():column("size").type end }
  cf.pipeline { same, spy }:fit(data)
  lu.assertEquals(seen, "ordered categorical")
  cf.learner("decision_tree"):fit(data):save(saved)
  local again = cf.read(path, { target = "y", like = cf.load(saved) })
  lu.assertEquals(again:hash(), data:hash())
  os.remove(path)
  os.remove(saved)
end

-- The rows of the only test fold are of a size between those that a tree has seen. By thresholds they
-- are of the lower side; a level without an order that no training row has goes where most rows go.
function TestRead:test_workers_see_the_order_of_levels()
  local rows = { "size,y,fold" }
  for _ = 1, 10 do rows[#rows + 1] = "small,a,-1" end
  for _ = 1, 20 do rows[#rows + 1] = "large,b,-1" end
  for i = 1, 5 do rows[#rows + 1] = ("medium,%s,0"):format(i == 1 and "b" or "a") end
  local path = write(".csv", table.concat(rows, "\n") .. "\n")
  local function accuracy(types, isolate)
    return cf.evaluate { data = cf.read(path, { target = "y", folds = "fold", types = types }), isolate = isolate,
      learners = "decision_tree", metrics = "accuracy", splitter = "predefined" }:scores()[1].value
  end
  lu.assertEquals(accuracy({ size = sizes }, "none"), 0.8)
  lu.assertEquals(accuracy({ size = sizes }, "worker"), 0.8)
  lu.assertEquals(accuracy({}, "worker"), 0.2)
  os.remove(path)
end

-- 11 of the 344 penguins have no sex, and 2 of these no measures.
function TestRead:test_rows_without_an_entry_are_dropped_by_role_or_column()
  local path = data_folder .. "/penguins.csv"
  local data = cf.read(path, { target = "sex", drop_missing = { "target", "bill_length_mm" } })
  lu.assertEquals({ #data, data:dropped_rows() }, { 333, 11 })
  lu.assertEquals(tostring(data), "dataset 'penguins': 333 rows (11 dropped), 7 features")
  lu.assertEquals(data:describe().dropped_rows, 11)
  lu.assertEquals(data:row_ids()[333], 333)
  lu.assertEquals(cf.read(path, { drop_missing = { "bill_length_mm" } }):dropped_rows(), 2)
  lu.assertStrContains(fixtures.message(cf.read, path, { target = "sex" }),
    'the target is missing; read the data with drop_missing = { "target" } to leave such rows out')
  lu.assertStrContains(fixtures.message(cf.read, path, { target = "species", drop_missing = { "targt" } }),
    "drop_missing names 'targt', which is neither a role that was given nor a column; did you mean 'target'?")
end

function TestRead:test_provenance_says_how_many_rows_were_dropped()
  local data = cf.read(data_folder .. "/penguins.csv", { target = "sex", drop_missing = { "target" } })
  local store = fixtures.new_store()
  local result = cf.evaluate { data = data, learners = "featureless", metrics = "accuracy", store = store,
    splitter = cf.splitter("kfold", { folds = 2 }) }
  local wanted = { { name = "penguins", rows = 333, hash = data:hash(), dropped_rows = 11 } }
  lu.assertEquals(result:provenance().datasets, wanted)
  lu.assertEquals(cf.stored { store = store }.results[1]:provenance().datasets, wanted)
  lu.assertNil(cf.evaluate { data = fixtures.iris(), learners = "featureless", metrics = "accuracy",
    splitter = "kfold" }:provenance().datasets[1].dropped_rows)
  fixtures.remove_store(store)
end

function TestRead:test_types_that_are_neither_names_nor_lists_of_levels_are_refused()
  local function message(types) return fixtures.message(cf.read, "x.csv", { types = types }) end
  lu.assertStrContains(message { x = 5 }, "option 'types' must map column names to type names, or to lists")
  lu.assertStrContains(message { x = { 1, 2 } },
    "option 'types': the levels of 'x' must be a list of strings; element 1 is a number")
end

function TestRead:test_a_file_without_header_quotes_and_commas()
  local path = write(".txt", "title\n 1  it's\n 2  \"b\n")
  local data = cf.read(path, { separator = "space", quote = false, header = false, skip_lines = 1,
    names = { "x", "y" } })
  lu.assertEquals(data:features(), { "x", "y" })
  lu.assertEquals(data:column("y"), { "it's", '"b' })
  lu.assertEquals(cf.read(path, { separator = "space", quote = false, header = false, skip_lines = 1 })
    :features(), { "c1", "c2" })
  os.remove(path)
end

function TestRead:test_the_separator_is_found()
  local path = write(".csv", "x;y\n1;a\n2;b\n")
  lu.assertEquals(cf.read(path, { separator = "auto" }):features(), { "x", "y" })
  os.remove(path)
end

function TestRead:test_wrong_forms_are_refused()
  local function message(given) return fixtures.message(cf.read, "x.csv", given) end
  lu.assertStrContains(message { separator = "" }, "separator '' must be one character or a word")
  lu.assertStrContains(message { separator = "tabs" },
    "separator 'tabs' must be one character or a word; did you mean 'tab'?")
  lu.assertStrContains(message { quote = true }, "quote = true is of the wrong type; it must be a string, or none")
  lu.assertStrContains(message { quote = "''" }, "quote must be one character of ASCII")
  lu.assertStrContains(message { decimal = ",," }, "decimal must be one character of ASCII")
  lu.assertStrContains(message { skip_lines = -1 }, "skip_lines = -1 is out of range")
  lu.assertStrContains(message { comment = "" }, "comment is empty; leave it out for none")
  lu.assertStrContains(message { most_bytes = 0 }, "most_bytes = 0 is out of range")
  lu.assertStrContains(message { encoding = "utf9" }, "did you mean 'utf8'?")
  lu.assertStrContains(message { encoding = "UTF-8" }, "cannot read 'x.csv': there is no such file")
end

function TestRead:test_a_database_is_read_by_a_table_of_options()
  lu.assertStrContains(fixtures.message(cf.read, { table = "t" }),
    "read: a table of options alone reads a database: name it with sqlite = path")
  lu.assertStrContains(fixtures.message(cf.read, { sqlite = "no/such.db" }),
    "cannot read 'no/such.db': name a table, or give a query")
  lu.assertStrContains(fixtures.message(cf.read, { sqlite = "no/such.db", table = "t", query = "q" }),
    "a query and a table exclude each other")
  lu.assertStrContains(fixtures.message(cf.read, { sqlite = "no/such.db", table = "t" }),
    "cannot read 'no/such.db': there is no such file")
  lu.assertStrContains(fixtures.message(cf.read, { sqlite = "x", table = "t", separator = "," }),
    "read (sqlite): unknown option 'separator'")
end

-- The store of a run is a database as well: it has a table of metadata.
function TestRead:test_a_table_and_a_query_of_a_database()
  local path = os.tmpname() .. ".cfdb"
  cf.evaluate {
    data = fixtures.iris(), learners = { cf.learner("featureless") }, metrics = "accuracy",
    splitter = cf.splitter("kfold", { folds = 2 }), store = path,
  }
  local tables = cf.read { sqlite = path, target = "name",
    query = "SELECT name, type FROM sqlite_master WHERE type = 'table' ORDER BY name" }
  lu.assertEquals(tables:features(), { "type" })
  lu.assertTrue(#tables > 2)
  lu.assertEquals(tables:task(), "classification")
  lu.assertStrContains(fixtures.message(cf.read, { sqlite = path, query = "DELETE FROM sqlite_master" }),
    "cannot read '" .. path .. "': query refused: ")
  for _, ending in ipairs { "", "-wal", "-shm" } do os.remove(path .. ending) end
end
