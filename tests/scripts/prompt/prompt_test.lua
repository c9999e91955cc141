-- The prompt without a terminal: what it completes, shows and explains, and when a chunk is whole.
local lu = require "luaunit"
local cf = require "crossfold"
local cases = require "meta_cases"
local complete = require "crossfold.prompt.complete"
local fixtures = require "fixtures"
local help = require "crossfold.prompt.help"
local native = require "crossfold.native"
local open_text = require "crossfold.prompt.open_text"
local one_line = require "crossfold.prompt.one_line"
local options = require "crossfold.options"
local session = require "crossfold.prompt.session"
local show = require "crossfold.prompt.show"
local wrap = require "crossfold.prompt.wrap"

-- A table of globals as a prompt has it.
local function environment(more)
  return { globals = fixtures.with(setmetatable({ cf = cf }, { __index = _G }), more), module = cf }
end

local function completed(text, more)
  return complete.at_end(text, environment(more))
end

-- The candidates as one text, and what follows a single one.
local function candidates(text, more)
  local found = completed(text, more)
  return table.concat(found.candidates, " "), found.suffix
end

TestCompletion = {}

function TestCompletion:test_fields_of_the_module()
  lu.assertEquals(candidates("cf.gr"), "grid_search")
  lu.assertEquals(candidates("local x = cf.stats.boots"), "bootstrap_632 bootstrap_interval")
  lu.assertEquals(completed("print(cf.gr").from, #"print(cf." + 1)
end

function TestCompletion:test_globals_and_keywords()
  lu.assertEquals(candidates("wh"), "while")
  lu.assertEquals(candidates("my_r", { my_result = 1, my_rows = 2 }), "my_result my_rows")
end

function TestCompletion:test_methods_of_objects_behind_a_colon()
  lu.assertEquals(candidates("data:cl", { data = fixtures.iris() }), "classes")
  lu.assertEquals(candidates("knn:wi", { knn = cf.learner("knn") }), "with")
  lu.assertEquals(candidates("text:gs", { text = "a" }), "gsub")
  local class = { __index = { scores = function() end, summary = function() end, size = 3 } }
  local result = setmetatable({}, class)
  lu.assertEquals(candidates("result:s", { result = result }), "scores summary")
  lu.assertEquals(candidates("result.s", { result = result }), "scores size summary")
end

function TestCompletion:test_a_result_offers_its_methods()
  local result = cf.evaluate { data = fixtures.separable(), learners = "featureless",
    splitter = cf.splitter("kfold", { folds = 3 }), metrics = "accuracy" }
  lu.assertEquals(candidates("result:sc", { result = result }), "scores")
end

function TestCompletion:test_nothing_is_offered_for_what_is_not_there()
  lu.assertEquals(candidates("nothing.at.all"), "")
  lu.assertEquals(candidates("-- cf.gr"), "")
  lu.assertEquals(candidates("x = [[ cf.gr"), "")
end

function TestCompletion:test_ids_inside_the_makers_of_components()
  lu.assertEquals({ candidates('cf.learner("kn') }, { "knn", '"' })
  lu.assertEquals({ candidates("cf.splitter 'leave_one_o") }, { "leave_one_out", "'" })
  lu.assertEquals(candidates('x = cf.pipeline{ cf.transform("standard'), "standardize")
  lu.assertEquals(candidates('cf.metric("accu'), "accuracy")
end

function TestCompletion:test_ids_where_options_name_components()
  lu.assertEquals(candidates('cf.evaluate{ learners = "kn'), "knn")
  lu.assertEquals(candidates('cf.evaluate{ learners = { a = "kn'), "knn")
  lu.assertEquals(candidates('cf.evaluate{ metrics = { "accuracy", "log_'), "log_loss")
  lu.assertEquals(candidates('cf.grid_search{ metric = "accu'), "accuracy")
end

function TestCompletion:test_parameters_behind_a_component()
  lu.assertEquals({ candidates('cf.learner("knn", { ') }, { "distance k p weights", " = " })
  lu.assertEquals(candidates('cf.learner("knn", { k = 3, di'), "distance")
  lu.assertEquals(candidates('cf.learner("knn", { k = 3,\n  w'), "weights")
  lu.assertEquals(candidates('knn:with{ di', { knn = cf.learner("knn") }), "distance")
  lu.assertEquals(candidates('cf.learner("nothing", { k'), "")
end

function TestCompletion:test_choices_of_a_parameter()
  lu.assertEquals(candidates('cf.learner("knn", { distance = "man'), "manhattan")
end

function TestCompletion:test_parameters_in_a_grid_are_those_of_its_learner()
  lu.assertEquals(candidates('cf.grid_search{ learner = cf.learner("knn"), grid = { di'), "distance")
  lu.assertEquals(candidates('cf.grid_search{ learner = "knn", grid = { di'), "distance")
  lu.assertEquals(candidates('cf.grid_search{ learner = mine, grid = { di', { mine = cf.learner("knn") }),
    "distance")
end

function TestCompletion:test_options_of_functions()
  lu.assertEquals({ candidates("cf.evaluate{ da") }, { "data datasets", " = " })
  lu.assertEquals(candidates("cf.evaluate({ data = iris, spl"), "splitter")
  lu.assertEquals(candidates('cf.read("x.csv", { tar'), "target")
  lu.assertEquals(candidates('cf.read("x.libsvm", { n_f'), "n_features")
  lu.assertEquals(candidates("cf.split(a, b, { s"), "seed")
  lu.assertEquals(candidates('cf.metric{ dir'), "direction")
  lu.assertEquals(candidates("cf.report{ result, ti"), "title")
end

-- The list of functions of cf.parallel, and the result of cf.compare, are not options.
function TestCompletion:test_options_are_offered_where_they_stand_only()
  lu.assertEquals(candidates("cf.parallel({ f, g }, { wo"), "workers")
  lu.assertEquals(candidates("cf.parallel{ wo"), "")
  lu.assertEquals(candidates("cf.compare{ adj"), "")
end

local function small_result()
  return cf.evaluate { data = fixtures.iris(), learners = { floor = "featureless", nearest = "knn" },
    splitter = cf.splitter("kfold", { folds = 3 }), metrics = "accuracy", keep = "probabilities" }
end

function TestCompletion:test_options_of_methods()
  local result = small_result()
  local search = cf.grid_search { learner = "knn", grid = { k = { 1, 3 } }, metric = "accuracy",
    splitter = cf.splitter("kfold", { folds = 2 }) }
  local more = { result = result, search = search, data = fixtures.iris(), knn = cf.learner("knn"),
    curve = result:curve("roc", { learner = "nearest", positive = "setosa" }),
    figure = cf.plot.folds(result), comparison = cf.compare(result) }
  lu.assertEquals({ candidates("result:report{ fi", more) }, { "file", " = " })
  lu.assertEquals(candidates("result:confusion('knn', { ", more), "dataset")
  lu.assertEquals(candidates("result:curve('roc', { agg", more), "aggregation")
  lu.assertEquals(candidates("curve:to{ ", more), "csv gnuplot json svg")
  lu.assertEquals(candidates("comparison:to{ ", more), "csv json latex text")
  lu.assertEquals(candidates("figure:text({ wi", more), "width")
  lu.assertEquals(candidates("search:plan(data, { ", more), "seed splitter")
  lu.assertEquals(candidates("data:describe{ fo", more), "folds")
  lu.assertEquals(candidates("knn:fit(data, { se", more), "seed")
end

-- What a method without options would do may take long, or write a file.
function TestCompletion:test_methods_without_options_are_not_called()
  local called = false
  local class = { __name = "crossfold.Test", scores = function() called = true end }
  class.__index = class
  options.methods(class, { "scores" })
  lu.assertEquals(candidates("object:scores{ pri", { object = setmetatable({}, class) }), "print")
  lu.assertFalse(called)
end

-- Every method whose options crossfold.d.lua defines is asked, so that none is forgotten.
function TestCompletion:test_every_method_with_options_tells_them()
  local objects = cases.objects()
  local first = { fit = "data, ", plan = "data, ", predict = "data, ", confusion = "'knn', ", class_report = "'knn', ",
    tuning = "'knn', ", curve = "'roc', ", crossing = "'a', 'b', " }
  first.fit_of_LearningCurve, first.crossing_of_PowerLaw = "'knn', ", "object, "
  first.open_of_Lockbox, first.add_of_Catalog = "object, ", "'a.cfdb', "
  local object_of, parameters, tried = {}, "", 0
  local class
  for line in require("definitions").text():gmatch("[^\n]+") do
    class = line:match("^%-%-%-@class crossfold%.(%w+)") or class
    if line:find("^local (%w+) = {}$") then object_of[line:match("^local (%w+)")] = objects[class] end
    if line:find("^%-%-%-@param") then parameters = parameters .. line end
    local owner, method = line:match("^function (%w+):([%w_]+)%(")
    local takes_options = parameters:find("@param options") or parameters:find("@param output")
    if owner and takes_options then
      lu.assertNotNil(object_of[owner], owner)
      local before = first[method .. "_of_" .. owner] or first[method] or ""
      local text = ("object:%s(%s{ "):format(method, before)
      lu.assertEquals(completed(text, { object = object_of[owner], data = objects.Dataset }).suffix, " = ",
        owner .. ":" .. method)
      tried = tried + 1
    end
    if line:find("^function") then parameters = "" end
  end
  lu.assertTrue(tried >= 27, tried)
end

function TestCompletion:test_names_that_values_know()
  local result = small_result()
  local more = { result = result, data = fixtures.iris() }
  lu.assertEquals({ candidates("result:confusion('", more) }, { "floor nearest", "'" })
  lu.assertEquals({ candidates("result:class_report('", more) }, { "floor nearest", "'" })
  lu.assertEquals(candidates("result:tuning 'ne", more), "nearest")
  lu.assertEquals(candidates("cf.compare(result, { control = 'fl", more), "floor")
  lu.assertEquals(candidates("cf.plot.folds(result, { learners = { 'floor', 'ne", more), "nearest")
  lu.assertEquals(candidates("cf.plot.folds(result, { metric = '", more), "accuracy")
  lu.assertEquals(candidates("result:curve('roc', { positive = 'v", more), "versicolor virginica")
  lu.assertEquals(candidates("data:column('cl", more), "class")
end

function TestCompletion:test_columns_of_a_file_that_is_to_be_read()
  local text = ('cf.read("%s/iris.csv", { target = "'):format(data_folder)
  lu.assertEquals(candidates(text .. "cl"), "class")
  lu.assertEquals(candidates(text .. "petal w"), "petal width (cm)")
  lu.assertEquals(candidates('cf.read("there/is/none.csv", { target = "cl'), "")
end

function TestCompletion:test_keys_of_tables()
  local more = { rows = { { value = 1, learner = "a" } }, counts = { yes = 1, no = 2 } }
  lu.assertEquals({ candidates('counts["y', more) }, { "yes", '"' })
  lu.assertEquals(candidates('rows[1]["le', more), "learner")
  lu.assertEquals(candidates("print(rows[1].va", more), "value")
  lu.assertEquals(candidates("counts[rows[1].va", more), "value")
end

function TestCompletion:test_steps_of_a_pipeline()
  lu.assertEquals(candidates('cf.pipeline{ "standard'), "standardize")
  lu.assertEquals(candidates('cf.pipeline{ "standardize", "kn'), "knn")
end

function TestCompletion:test_words_that_an_option_takes()
  lu.assertEquals(candidates('cf.evaluate{ keep = "'), "labels none probabilities")
  lu.assertEquals(candidates('cf.curve("pre'), "precision_recall")
  lu.assertEquals(candidates('cf.evaluate{ data = iris, isolate = "w'), "worker")
end

-- Only functions of the module can be asked without running them.
function TestCompletion:test_functions_of_the_user_are_not_called()
  local called = false
  lu.assertEquals(candidates("mine{ pri", { mine = function() called = true end }), "print")
  lu.assertFalse(called)
end

function TestCompletion:test_a_value_may_follow_an_equal_sign()
  lu.assertEquals(candidates("cf.evaluate{ data = my_d", { my_data = 1 }), "my_data")
end

function TestCompletion:test_topics_inside_help()
  lu.assertEquals(candidates("help(grid"), "grid_search")
  lu.assertEquals(candidates('help("kn'), "knn")
end

function TestCompletion:test_files_inside_other_strings()
  local found = complete.at_end('cf.read("da', setmetatable({
    list_files = function(prefix) return prefix == "da" and { "data.csv" } or {} end,
  }, { __index = environment() }))
  lu.assertEquals(found, { from = 10, candidates = { "data.csv" }, suffix = '"' })
  found = complete.at_end("io.open('da", setmetatable({
    list_files = function() return { "data/" } end,
  }, { __index = environment() }))
  lu.assertEquals(found.suffix, "")
end

TestOpenText = {}

function TestOpenText:test_brackets_and_what_stands_in_front_of_them()
  local frames, string = open_text.read('f(a, { b = g["x"], c = h{ 1, "y')
  lu.assertEquals(#frames, 4)
  lu.assertEquals({ frames[2].callee, frames[2].index }, { "f", 2 })
  lu.assertEquals({ frames[4].callee, frames[4].index }, { "h", 2 })
  lu.assertNil(frames[4].key)
  lu.assertEquals({ string.quote, string.from }, { '"', 31 })
end

function TestOpenText:test_strings_and_comments_hide_brackets()
  lu.assertEquals(#open_text.read("f(\"(\", '{', [[ ( ]], -- (\n 1, --[==[ ( ]==] 2"), 2)
  lu.assertEquals(open_text.read('f("a", "b", ')[2].literals, { "a", "b" })
  lu.assertEquals(#open_text.read('x = "not closed\ny = ('), 2)
  lu.assertEquals(#open_text.read([[x = "a \" b" .. (]]), 2)
end

TestDeclared = {}

-- A function that checks other arguments before its options could not be asked for these.
function TestDeclared:test_functions_tell_their_options()
  local declared, what = options.declared(cf.evaluate)
  lu.assertEquals(what, "evaluate")
  lu.assertEquals(declared.data[1], "dataset")
  lu.assertEquals(options.declared(cf.read_openml_splits).ignore_groups[2], false)
  lu.assertNil(options.declared(cf.seed))
  lu.assertEquals(options.declared(cf.store_status).run[1], "integer")
  lu.assertNotNil(options.declared(cf.compare))
  lu.assertNotNil(options.declared(cf.read, "a.csv"))  -- a file that is not there is not opened
end

function TestDeclared:test_asking_changes_nothing()
  options.declared(cf.evaluate)
  lu.assertErrorMsgContains("evaluate: unknown option 'dta'", cf.evaluate, { dta = 1 })
end

TestShow = {}

function TestShow:test_numbers_are_written_without_the_locale()
  lu.assertEquals(show.text(3), "3")
  lu.assertEquals(show.text(3.0), "3.0")
  lu.assertEquals(show.text(0.1), "0.1")
  lu.assertEquals(show.text(-0.0), "-0.0")
  lu.assertEquals(show.text(0 / 0), "nan")
  lu.assertEquals(show.text(-1 / 0), "-inf")
  lu.assertEquals(show.text(1e100), "1e+100")
end

function TestShow:test_tables_have_sorted_keys_and_quoted_texts()
  lu.assertEquals(show.text { b = 1, a = "x\n", [3] = true }, '{ [3] = true, a = "x\\n", b = 1 }')
  lu.assertEquals(show.text { 1, "two", { 3 }, n = cf.null }, '{ 1, "two", { 3 }, n = cf.null }')
  lu.assertEquals(show.text {}, "{}")
  lu.assertEquals(show.text { f = print }, "{ f = function }")
end

function TestShow:test_depth_size_and_circles_are_bounded()
  local circle = {}
  circle.me = circle
  lu.assertEquals(show.text(circle), "{ me = { ... itself } }")
  lu.assertEquals(show.text { { { { { 5 } } } } }, "{ { { { { ... } } } } }")
  local long = {}
  for i = 1, 60 do long[i] = i end
  lu.assertStrContains(show.text(long), "... 10 more")
end

function TestShow:test_rows_are_an_aligned_table()
  lu.assertEquals(show.text { { fold = 1, learner = "knn", value = 0.5 }, { fold = 12, learner = "b" } },
    "learner  fold   value\n-------  ----  ------\nknn         1  0.5000\nb          12       -")
end

function TestShow:test_long_lists_of_rows_are_cut()
  local rows = {}
  for i = 1, 25 do rows[i] = { row = i } end
  lu.assertStrMatches(show.text(rows), ".*\n 20\n%.%.%. 5 more rows of 25")
end

function TestShow:test_objects_show_their_own_text()
  lu.assertEquals(show.text(cf.learner("knn", { k = 3 })), "knn{k=3}")
  lu.assertEquals(show.text("two\nlines\n"), "two\nlines")
  lu.assertEquals(show.all(table.pack(1, nil, "x")), "1\tnil\tx")
  lu.assertEquals(show.all(table.pack(1, "a\nb")), "1\na\nb")
end

TestHelp = {}

local function text_of(...) return help.text(cf, table.pack(...)) end

-- Every public function has a text: that of the reference, or at least its options.
function TestHelp:test_every_function_is_explained()
  for name, f in pairs(cf) do
    if type(f) == "function" then
      lu.assertNotStrContains(text_of(f), "has no text", name)
      lu.assertEquals(text_of(f), text_of(name), name)
    end
  end
end

function TestHelp:test_the_text_is_that_of_the_reference()
  local text = text_of(cf.load)
  lu.assertEquals(text,
    "cf.load(path): the model in another process, with the same predictions; its plugins must be\n"
    .. "  installed there")
end

function TestHelp:test_options_have_types_and_defaults()
  local text = text_of("evaluate")
  lu.assertStrMatches(text, ".*\nkeep +one of labels, probabilities, none, default \"labels\" +"
    .. "What is kept of the out%-of%-fold predictions%.\n.*")
  lu.assertStrMatches(text, ".*\nseed +integer, default 1 +Seed of all random numbers%.\n.*")
  lu.assertStrMatches(text, ".*\nlearners +learners, required +The learners, by name .*")
end

function TestHelp:test_a_component_is_described_as_the_program_does()
  lu.assertEquals(text_of("knn"), (native.component("knn").text:gsub("\n+$", "")))
  lu.assertStrMatches(text_of("knn"), ".*\nk +integer >= 1, default 5 +Number of neighbours%..*")
  lu.assertEquals(text_of(cf.metric("accuracy")), text_of("accuracy"))
end

function TestHelp:test_methods_and_sections()
  lu.assertStrContains(help.text(cf, table.pack(fixtures.iris().classes), "iris.classes"), "class names")
  lu.assertStrContains(text_of("result:scores"), "result:scores()")
  lu.assertStrContains(text_of("Data"), "cf.dataset{")
  lu.assertStrContains(text_of(fixtures.iris()), "a dataset with the methods classes, column,")
  lu.assertEquals(text_of(cf), text_of())
  lu.assertStrContains(text_of(cf.stats), "functions of cf.stats: accuracy_interval,")
  lu.assertStrContains(text_of(small_result()),
    "a Result with the methods class_report, confusion, coverage, curve, failures,")
  lu.assertEquals(text_of({ 1 }), "a table")
  lu.assertStrContains(text_of(io.stdout), "a userdata with the methods close, flush,")
end

function TestHelp:test_options_of_methods_stand_behind_their_text()
  local result = small_result()
  lu.assertStrMatches(help.text(cf, table.pack(result.report), "result:report", result),
    "result:report{ file =, .*\n\noption  takes +meaning\n.*\nmetric  string +The metric .*")
  lu.assertStrMatches(help.text(cf, table.pack(result.curve), "result:curve", result),
    ".*\naggregation +one of pooled, vertical, folds, default \"pooled\" +Whether folds .*")
end

-- The reference tells of cf.learner, cf.transform, cf.splitter and cf.metric in one paragraph.
function TestHelp:test_a_paragraph_about_several_functions_is_that_of_each()
  for _, name in ipairs { "learner", "transform", "splitter", "metric" } do
    lu.assertStrContains(text_of(name), "cf.learner(id, params), cf.transform(id, params)")
  end
  lu.assertNotStrContains(text_of("learner"), "oversample")
end

function TestHelp:test_the_overview_names_functions_and_sections()
  lu.assertStrContains(text_of(), "grid_search")
  lu.assertStrContains(text_of(), '"Data", "Components"')
end

function TestHelp:test_an_unknown_name_is_refused_with_the_nearest()
  lu.assertErrorMsgContains("help: there is nothing about 'knnn'; did you mean 'knn'?", text_of, "knnn")
  lu.assertErrorMsgContains("help: there is nothing about 'qqqqqqqqqq'; help() lists what there is", text_of,
    "qqqqqqqqqq")
end

TestWrap = {}

function TestWrap:test_prose_breaks_between_words()
  lu.assertEquals(wrap.text("one two three\n  four five six", 10), "one two\n  three\n  four\n    five\n    six")
  lu.assertEquals(wrap.text("äöü äöü", 7), "äöü äöü")
  lu.assertEquals(wrap.text("File: /a/path/that/is/long x", 10), "File: /a/path/that/is/long\n  x")
  lu.assertEquals(wrap.text("one two three", 80, 8), "one two\n  three")
end

local long_table = "name  values  meaning\n----  ------  ----------------------------------\n"
  .. "k     1       Number of neighbours that vote here\np             Exponent"

function TestWrap:test_a_last_column_of_prose_breaks_inside()
  lu.assertEquals(wrap.text(long_table, 40), table.concat({
    "name  values  meaning", "----  ------  --------------------------",
    "k     1       Number of neighbours that", "              vote here", "p             Exponent" }, "\n"))
  lu.assertEquals(wrap.text(long_table, 52), long_table)
end

function TestWrap:test_on_a_narrow_terminal_the_cells_stand_below_each_other()
  lu.assertEquals(wrap.text(long_table, 30), table.concat({
    "name  values", "      meaning", "----  ------------------------",
    "k     1", "      Number of neighbours", "      that vote here", "p     Exponent" }, "\n"))
end

function TestWrap:test_other_tables_break_between_columns()
  local text = "title\na   mean    low   high\n--  ----  -----  -----\nxä   0.5   0.25   0.75\n"
    .. "y    1.5   1.25   1.75\n(note)"
  lu.assertEquals(wrap.text(text, 16), table.concat({
    "title", "a   mean    low", "--  ----  -----", "xä   0.5   0.25", "y    1.5   1.25", "",
    "a    high", "--  -----", "xä   0.75", "y    1.75", "(note)" }, "\n"))
end

TestOneLine = {}

function TestOneLine:test_a_chunk_of_several_lines_is_one_line_that_means_the_same()
  lu.assertEquals(one_line("for i = 1, 2 do  -- twice\n  print(i)\nend"), "for i = 1, 2 do print(i) end")
  lu.assertEquals(one_line("x = {\n  'a -- b', --[[ c\nd ]] [[e]],\n}"), "x = { 'a -- b', [[e]], }")
  lu.assertEquals(one_line("f()\n-- the end"), "f()")
  lu.assertNil(one_line("x = [[a\nb]]"))
  lu.assertNil(one_line("x = 'a\\\nb'"))
end

TestSession = {}

-- Feeds lines; returns what the last one printed, or the step if it did not run.
local function feed(prompt, ...)
  local answer
  for _, line in ipairs { ... } do
    local step, f = prompt:feed(line)
    if step == "run" then answer = f() else answer = step end
  end
  return answer
end

local function new_session()
  local globals = setmetatable({}, { __index = _G })
  return session.new { globals = globals }, globals
end

function TestSession:test_expressions_are_shown_and_kept()
  local prompt, globals = new_session()
  lu.assertEquals(feed(prompt, "1 + 1"), "2")
  lu.assertEquals(globals._, 2)
  lu.assertEquals(feed(prompt, "_ * 10"), "20")
  lu.assertNil(feed(prompt, "x = 5"))
  lu.assertEquals(feed(prompt, "nil"), "nil")
  lu.assertEquals(globals._, 20)
end

function TestSession:test_a_chunk_goes_on_until_it_is_whole()
  local prompt = new_session()
  lu.assertEquals(feed(prompt, "for i = 1, 2 do"), "more")
  lu.assertNil(feed(prompt, "y = i", "end"))
  lu.assertEquals(feed(prompt, "y"), "2")
  lu.assertEquals(feed(prompt, "{ a = 1,", "  b = 2 }"), "{ a = 1, b = 2 }")
  lu.assertEquals(feed(prompt, "1 +", "2"), "3")
  lu.assertEquals(feed(prompt, "[[ a", "b ]]"), " a\nb ")
end

function TestSession:test_locals_stay()
  local prompt = new_session()
  feed(prompt, "local a <const>, b = 1, 2")
  lu.assertEquals(feed(prompt, "a + b"), "3")
  feed(prompt, "local function twice(x) return 2 * x end")
  lu.assertEquals(feed(prompt, "twice(a)"), "2")
  feed(prompt, "local a, c")
  lu.assertEquals(feed(prompt, "a"), "nil")
  lu.assertEquals(feed(prompt, "local c ="), "more")
  lu.assertNil(feed(prompt, "7"))
  lu.assertEquals(feed(prompt, "c"), "7")
  feed(prompt, "local d d = 4")
  lu.assertEquals(feed(prompt, "d"), "4")
end

-- As in Lua, where such a program is refused when it is read.
function TestSession:test_constants_stay_constants()
  local prompt, globals = new_session()
  lu.assertNil(feed(prompt, "local a <const>, b = 1, 2"))
  lu.assertEquals(feed(prompt, "a + b"), "3")
  lu.assertErrorMsgContains("attempt to assign to const variable 'a'", feed, prompt, "a = 5")
  lu.assertErrorMsgContains("attempt to assign to const variable 'a'", feed, prompt, "function f() a = 5 end")
  lu.assertNil(feed(prompt, "b = 7"))
  lu.assertEquals(feed(prompt, "{ a = a, b = b }"), "{ a = 1, b = 7 }")
  lu.assertEquals(globals.a, 1)
  lu.assertNil(feed(prompt, "local a = a + 1"))  -- another variable of the name
  lu.assertNil(feed(prompt, "a = a + 1"))
  lu.assertEquals(feed(prompt, "a"), "3")
  lu.assertErrorMsgContains("unknown attribute 'consta'", feed, prompt, "local c <consta> = 1")
end

function TestSession:test_variables_that_are_to_be_closed_are_closed_at_the_end()
  local prompt, globals = new_session()
  local closed = {}
  globals.make = function(name)
    return setmetatable({}, { __close = function() closed[#closed + 1] = name end })
  end
  feed(prompt, "local first <close> = make('first')")
  feed(prompt, "local second <close> = make('second')")
  feed(prompt, "local none <close> = nil")
  lu.assertErrorMsgEquals("variable 'wrong' got a non-closable value", feed, prompt, "local wrong <close> = 1")
  lu.assertErrorMsgContains("attempt to assign to const variable 'first'", feed, prompt, "first = nil")
  lu.assertEquals(closed, {})
  prompt:finish()()
  lu.assertEquals(closed, { "second", "first" })
  prompt:finish()()
  lu.assertEquals(#closed, 2)
end

function TestSession:test_help_takes_a_bare_name()
  local prompt = new_session()
  lu.assertStrContains(feed(prompt, "help(knn)"), "learner crossfold.knn")
  lu.assertStrContains(feed(prompt, "help knn"), "learner crossfold.knn")
  lu.assertStrContains(feed(prompt, "help(cf.load)"), "cf.load(path)")
  lu.assertEquals(feed(prompt, "help"), feed(prompt, ":help"))
  feed(prompt, "knn = cf.transform('standardize')")
  lu.assertStrContains(feed(prompt, "help(knn)"), "transform crossfold.standardize")
end

function TestSession:test_ways_to_leave()
  local prompt = new_session()
  for _, line in ipairs { ":quit", "exit", "quit()", "exit ()" } do lu.assertEquals(prompt:feed(line), "leave") end
  feed(prompt, "quit = 3")
  lu.assertEquals(feed(prompt, "quit"), "3")
end

function TestSession:test_commands()
  local prompt = new_session()
  lu.assertEquals(feed(prompt, ":traceback on"), "tracebacks are on")
  lu.assertTrue(prompt.traceback)
  lu.assertErrorMsgEquals("there is no command ':nope'; known: :help, :quit, :traceback on, :traceback off",
    feed, prompt, ":nope")
end

function TestSession:test_problems_of_one_line_have_no_position()
  local prompt = new_session()
  local _, f = prompt:feed("x = = 1")
  local _, problem = pcall(f)
  lu.assertEquals(prompt:problem(problem), "unexpected symbol near '='")
  feed(prompt, "do")
  _, f = prompt:feed("error('b') end")
  _, problem = pcall(f)
  lu.assertEquals(prompt:problem(problem), "input:2: b")
end

-- Lines that cannot end it are not looked at one by one: 3000 of them took half a minute.
function TestSession:test_a_long_chunk_is_whole_where_a_short_one_is()
  for _, brackets in ipairs { { "x = {", "}" }, { "function f(x)", "end" }, { "x = f(", ")" }, { "repeat", "until x" },
    { "{", "}" } } do
    local prompt, globals = new_session()
    globals.f, globals.x = function() return 3 end, 1
    lu.assertEquals(feed(prompt, brackets[1]), "more")
    for _ = 1, 300 do lu.assertEquals(feed(prompt, "  -- a comment of some length"), "more") end
    if brackets[2] == ")" then lu.assertEquals(feed(prompt, "1"), "more") end
    if brackets[2] == "end" then
      for _, line in ipairs { "if x then", "x = 1", "end" } do lu.assertEquals(feed(prompt, line), "more") end
    end
    lu.assertNotEquals(feed(prompt, brackets[2]), "more")
    lu.assertEquals(feed(prompt, "1 + 1"), "2")
  end
end

-- That of a statement would say that the first symbol is wrong.
function TestSession:test_the_problem_of_an_expression_is_told()
  local prompt = new_session()
  lu.assertErrorMsgContains("unexpected symbol near ')'", feed, prompt, "1 + )")
  lu.assertErrorMsgContains("unexpected symbol near '='", feed, prompt, "x = = 1")
  lu.assertErrorMsgContains("unexpected symbol near ')'", feed, prompt, ")")
end

function TestSession:test_a_string_in_quotes_ends_with_its_line()
  local prompt = new_session()
  lu.assertErrorMsgContains("unfinished string near <eof>", feed, prompt, 'x = "abc')
  lu.assertEquals(feed(prompt, 'x = "abc\\'), "more")
  lu.assertNil(feed(prompt, 'def"'))
  lu.assertEquals(feed(prompt, "x"), "abc\ndef")
end

-- Raises what the line raises, as the prompt shows it.
local function problem_of(prompt, line)
  local _, f = prompt:feed(line)
  local _, problem = pcall(f)
  return prompt:problem(problem)
end

function TestSession:test_a_misspelt_name_comes_with_the_one_that_may_be_meant()
  local prompt, globals = new_session()
  globals.result = small_result()
  lu.assertEquals(problem_of(prompt, 'cf.lerner("knn")'),
    "attempt to call a nil value (field 'lerner'); did you mean 'learner'?")
  lu.assertStrContains(problem_of(prompt, "x = { { f = result:score() } }"), "attempt to call a nil value (method "
    .. "'score'); did you mean 'scores'? known: class_report, confusion, coverage, curve, failures,")
  lu.assertEquals(problem_of(prompt, "resutl.x()"),
    "attempt to index a nil value (global 'resutl'); did you mean 'result'?")
  lu.assertEquals(problem_of(prompt, "qqqqqqqqqq()"), "attempt to call a nil value (global 'qqqqqqqqqq')")
end

function TestSession:test_the_module_is_shown_by_its_help()
  local prompt = new_session()
  lu.assertEquals(feed(prompt, "cf"), text_of())
  lu.assertStrContains(feed(prompt, "cf.stats"), "functions of cf.stats: accuracy_interval,")
end

function TestSession:test_values_are_as_wide_as_the_terminal()
  local globals = setmetatable({ figure = cf.plot.folds(small_result()) }, { __index = _G })
  local prompt = session.new { globals = globals, columns = function() return 50 end }
  for _, input in ipairs { "figure", "help(knn)", "{ 'aaaaaaaaaaaaaaaaaaaaaaaaa', 'bbbbbbbbbbbbbbbbbbbbbbbb' }" } do
    for line in (feed(prompt, input) .. "\n"):gmatch("([^\n]*)\n") do
      lu.assertTrue(utf8.len(line) <= 50, line)
    end
  end
  local long = ("word "):rep(20) .. "  end"
  globals.text = long
  lu.assertEquals(feed(prompt, "text"), long)  -- a text is what it is
end

function TestSession:test_the_history_keeps_chunks_that_are_not_very_long()
  local prompt = new_session()
  lu.assertEquals(prompt:history("x = {\n  1,\n}"), "x = { 1, }")
  lu.assertEquals(prompt:history("x = [[a\nb]]"), "x = [[a\nb]]")
  lu.assertEquals(prompt:history(("x = 1\n"):rep(2000)), "")
end

function TestSession:test_a_cleared_chunk_is_forgotten()
  local prompt = new_session()
  feed(prompt, "for i = 1, 2 do")
  lu.assertTrue(prompt:clear())
  lu.assertEquals(feed(prompt, "7"), "7")
end

function TestSession:test_completion_counts_from_the_current_line()
  local prompt = new_session()
  feed(prompt, 'x = cf.learner("knn", {')
  local from, suffix, found = prompt:complete("  di")
  lu.assertEquals({ from, suffix, found }, { 3, " = ", { "distance" } })
end
