-- report_command_test.lua PROGRAM DATA SCRATCH: crossfold report.
package.path = arg[0]:match("^(.*)/") .. "/?.lua;" .. package.path
local lu = require "luaunit"
local Shell = require "shell"
local printed, refused = Shell.printed, Shell.refused

local program, data, scratch = arg[1], arg[2], arg[3]
local shell = Shell.new(scratch, program)

local function run(arguments, ...) return shell:crossfold("--quiet " .. arguments, ...) end

local script = shell:write("report_script.lua", ([[
-- The script of the <run>.
local cf = require "crossfold"
local learners = { knn = cf.learner("knn", { k = tonumber(arg[1]) }), floor = cf.learner("featureless") }
local kfold = cf.splitter("kfold", { folds = 5, stratify = true })
if arg[2] == "damage" then
  learners.fails = cf.learner("debug", { action = "throw_in_predict", when_row = 7 })
  learners.search = cf.grid_search{ learner = "knn", grid = { k = { 1, 5 } }, splitter = kfold, metric = "accuracy" }
end
if arg[2] == "stop" then
  local fits = 0
  learners.stop = cf.learner { name = "stop", predict = function() return {} end, fit = function()
    fits = fits + 1
    if fits == 3 then os.exit(9) end
    error("not yet", 0)
  end }
end
return cf.evaluate{
  data = cf.read("%s/iris.csv", { target = "class" }), learners = learners,
  splitter = kfold, metrics = { "accuracy", "log_loss" }, keep = "probabilities", seed = 3,
}]]):format(data))

-- A new store with a run of the script for each list of arguments.
local function store_of(name, ...)
  local path = scratch .. "/" .. name
  for _, rest in ipairs { "", "-wal", "-shm" } do os.remove(path .. rest) end
  for _, arguments in ipairs { ... } do run("run --store '%s' '%s' %s", path, script, arguments) end
  return path
end

TestReportCommand = {}

function TestReportCommand:test_the_page_lies_beside_the_store_and_its_path_is_printed()
  local store = store_of("report_a.cfdb", "5")
  local page = scratch .. "/report_a.html"
  os.remove(page)
  lu.assertEquals({ run("report '%s'", store) }, { 0, page .. "\n", "" })
  local text = shell.read(page)
  lu.assertNotNil(text:find("<title>report_a</title>", 1, true))
  lu.assertNotNil(text:find("-- The script of the &lt;run&gt;.", 1, true))
  lu.assertNotNil(text:find("<dt>finished</dt><dd>yes</dd>", 1, true))
  lu.assertNil(text:find("has not finished", 1, true))
end

function TestReportCommand:test_a_dash_is_standard_output_and_bytes_are_the_same_each_time()
  local store = store_of("report_a.cfdb", "5")
  local status, first = run("report '%s' -o -", store)
  lu.assertEquals(status, 0)
  lu.assertEquals(first:sub(1, 15), "<!DOCTYPE html>")
  local page = scratch .. "/report_other.html"
  lu.assertEquals({ run("report '%s' --output '%s'", store, page) }, { 0, page .. "\n", "" })
  lu.assertTrue(shell.read(page) == first)
end

function TestReportCommand:test_run_title_and_metric_choose()
  local store = store_of("report_b.cfdb", "5", "7")
  local _, last = run("report '%s' -o -", store)
  local _, first = run("report '%s' -o - --run 1 --title 'A & B' --metric log_loss", store)
  lu.assertNotNil(last:find("knn{k=7}", 1, true))
  lu.assertNotNil(first:find("knn{k=5}", 1, true))
  lu.assertNil(first:find("knn{k=7}", 1, true))
  lu.assertNotNil(first:find("<h1>A &amp; B</h1>", 1, true))
  lu.assertNotNil(first:find("By log_loss, ", 1, true))
  lu.assertNotNil(last:find("By accuracy, ", 1, true))
end

function TestReportCommand:test_a_run_that_was_stopped_is_reported_as_far_as_it_got()
  local store = store_of("report_c.cfdb", "5 stop")
  local text = printed(run("report '%s' -o -", store))
  lu.assertNotNil(text:find("This run has not finished: the page shows what the store has so "
    .. "far.", 1, true))
  lu.assertNotNil(text:find("%d+ of %d+ folds are not computed yet; means are over the others%."))
  lu.assertNotNil(text:find("<dt>finished</dt><dd>no</dd>", 1, true))
end

-- Replaces the first `most` occurrences of a text in a file by one of its length.
local function spoil(path, old, new, most)
  local name, text, n = path:match("([^/]*)$"), shell.read(path), 0
  assert(#old == #new)
  text = text:gsub(old:gsub("%p", "%%%0"), function()
    n = n + 1
    if not most or n <= most then return new end
  end)
  assert(n > 0, "the store does not have " .. old)
  shell:write(name, text)
end

-- Checksums of rows tell: a cell and what is noted of it, then what is noted of a fold of a search, which
-- says where its cell is.
function TestReportCommand:test_damaged_folds_are_no_folds_that_are_not_computed_yet()
  local store = store_of("report_f.cfdb", "5 damage")
  local status, whole = run("report '%s' -o -", store)
  lu.assertEquals(status, 0)
  lu.assertNil(whole:find("damaged", 1, true))
  spoil(store, "thrown in predict, as asked", "thrown in predict; as asked")
  local _, one = run("report '%s' -o -", store)
  lu.assertNotNil(one:find("<p>1 of 20 folds are damaged in the store; means are over the others.</p>", 1, true))
  lu.assertNotNil(one:find("<li>accuracy of &#39;fails&#39; on &#39;iris&#39;: damaged in the store</li>", 1, true))
  lu.assertNil(one:find("not computed yet", 1, true))
  spoil(store, '"tuning":', '"Tuning":', 1)
  local _, two = run("report '%s' -o -", store)
  lu.assertNotNil(two:find("<p>2 of 20 folds are damaged in the store; means are over the others.</p>", 1, true))
  lu.assertNotNil(two:find('<th scope="col" class="n">damaged</th>', 1, true))
  lu.assertNil(two:find("not computed yet", 1, true))
end

function TestReportCommand:test_the_store_is_never_overwritten_by_its_page()
  local store = store_of("report_d.cfdb", "5")
  local bytes = shell.read(store)
  local refusal = "crossfold: cannot write '%s': it is the store that the page is about; choose another file "
    .. "with -o\n"
  lu.assertEquals({ run("report '%s' -o '%s'", store, store) }, { 1, "", refusal:format(store) })
  local detour = scratch .. "/./report_d.cfdb"
  lu.assertEquals({ run("report '%s' -o '%s'", store, detour) }, { 1, "", refusal:format(detour) })
  local html = scratch .. "/report_d.html"  -- a store whose own name is that of the page
  os.remove(html)
  os.rename(store, html)
  lu.assertEquals({ run("report '%s'", html) }, { 1, "", refusal:format(html) })
  lu.assertTrue(shell.read(html) == bytes)
end

function TestReportCommand:test_a_page_that_standard_output_does_not_take_is_an_error()
  local full = io.open("/dev/full", "w")
  if not full then return end
  full:close()
  lu.assertEquals(refused(run("report '%s' -o - > /dev/full", store_of("report_e.cfdb", "5"))),
    "crossfold: cannot write to standard output: the page is not complete there\n")
end

function TestReportCommand:test_mistakes_have_their_exit_code_and_message()
  local store = store_of("report_a.cfdb", "5")
  lu.assertEquals({ run("report /nosuch.cfdb") }, { 1, "", "crossfold: cannot open store '/nosuch.cfdb': "
    .. "there is no such file; a run with --store makes it\n" })
  lu.assertEquals({ run("report '%s' --run 4", store) }, { 1, "", ("crossfold: cannot read store '%s': there "
    .. "is no run 4; known: 1\n"):format(store) })
  lu.assertEquals({ run("report '%s' --metric log_los", store) }, { 1, "", "crossfold: report: there is no "
    .. "metric 'log_los'; did you mean 'log_loss'? known: accuracy, log_loss\n" })
  lu.assertEquals({ run("report '%s' -o /nosuch/page.html", store) }, { 1, "",
    "crossfold: cannot write '/nosuch/page.html': it cannot be written (No such file or directory); choose another "
      .. "place\n" })
  lu.assertEquals(run("report"), 2)
  lu.assertEquals(run("report '%s' --run 0", store), 2)
end

function TestReportCommand:test_a_script_writes_no_page_over_a_store()
  local store = store_of("report_store.html", "5")
  local before = shell.read(store)
  local slip = shell:write("report_slip.lua", 'require("crossfold").report{ store = arg[1], file = arg[2] }')
  local other = scratch .. "/./report_store.html"
  lu.assertEquals({ run("run '%s' '%s' '%s'", slip, store, other) }, { 1, "", ("crossfold: %s:1: cannot write "
    .. "'%s': it is a store or another database; choose another place\n"):format(slip, other) })
  lu.assertTrue(shell.read(store) == before)
end

arg = {}  -- LuaUnit would take it for its own options
os.exit(lu.LuaUnit.run("--output", "text"))
