-- catalog_command_test.lua PROGRAM DATA SCRATCH: crossfold catalog adds, lists, ranks, finds, queries and compares.
package.path = arg[0]:match("^(.*)/") .. "/?.lua;" .. package.path
local lu = require "luaunit"
local Shell = require "shell"
local printed, refused = Shell.printed, Shell.refused

local program, data = arg[1], arg[2]
local scratch = arg[3] .. "/catalog_command"
os.execute(("rm -rf '%s'; mkdir -p '%s'"):format(scratch, scratch))
local shell = Shell.new(scratch, program)

-- Runs a line in the folder of the test, so that paths are short.
local function run(line, ...) return shell:run(("cd '%s' && "):format(scratch) .. line, ...) end
local function catalog(arguments, ...) return run('"$CROSSFOLD" catalog ' .. arguments, ...) end

-- The real path of the folder, as the catalog has it.
local folder = select(2, run("pwd -P")):gsub("\n", "")

shell:write("script.lua", ([[
local cf = require "crossfold"
return cf.evaluate {
  data = cf.read("%s/iris.csv", { target = "class" }), metrics = "accuracy", seed = tonumber(arg[1]),
  learners = { knn = cf.learner("knn", { k = 5 }), forest = cf.learner("random_forest", { trees = 3 }) },
  splitter = cf.splitter("kfold", { folds = 5, repeats = tonumber(arg[2] or 1), shuffle = arg[2] ~= nil }),
}]]):format(data))

for name, arguments in pairs { ann = "1", bob = "2", carl = "1" } do
  assert(run("\"$CROSSFOLD\" run --quiet --store %s.cfdb script.lua %s >/dev/null", name, arguments) == 0)
end

TestCatalogCommand = {}

function TestCatalogCommand:setUp() run("rm -f *.catalog crossfold.catalog* && cp ann.cfdb gone.cfdb") end

function TestCatalogCommand:test_add_lists_what_it_added()
  lu.assertEquals({ catalog("add ann.cfdb bob.cfdb --who team") }, { 0, ([[
store     who   runs  cells  scores
--------  ----  ----  -----  ------
F/ann.cfdb  team     1     10       2
F/bob.cfdb  team     1     10       2
]]):gsub("store   ", "store" .. (" "):rep(utf8.len(folder) + 4))
    :gsub("%-%-%-%-%-%-%-%-  ", ("-"):rep(utf8.len(folder) + 9) .. "  ", 1)
    :gsub("F/", folder .. "/"), "" })
end

function TestCatalogCommand:test_who_is_the_owner_of_the_file_if_nobody_says_otherwise()
  catalog("add ann.cfdb")
  local _, owner = run("stat -c %%U ann.cfdb", nil)
  lu.assertEquals(select(2, catalog("query --csv 'SELECT who FROM stores'")), "who\n" .. owner)
end

function TestCatalogCommand:test_a_store_that_is_gone_is_named_and_stays()
  catalog("add gone.cfdb ann.cfdb --who ann")
  run("rm gone.cfdb")
  local status, _, errors = catalog("add")
  lu.assertEquals({ status, errors }, { 1, ("crossfold: cannot open store '%s/gone.cfdb': there is no such file; a run "
    .. "with --store makes it\n"):format(folder) })
  local _, listed = catalog("list --csv")
  lu.assertStrMatches(listed, "store,who,added,runs,cells,scores,damaged,state\n"
    .. "[^\n]*/ann.cfdb,ann,[^\n]*,1,10,2,0,current\n[^\n]*/gone.cfdb,ann,[^\n]*,1,10,2,0,gone\n")
  lu.assertEquals({ catalog("remove gone.cfdb") }, { 0, "", "" })
  lu.assertEquals(select(2, catalog("query --csv 'SELECT count(*) AS n FROM stores'")), "n\n1\n")
end

-- The names of learners in what the run asked for.
function TestCatalogCommand:test_damaged_rows_of_a_store_are_left_out_and_named()
  run("cp ann.cfdb damaged.cfdb")
  shell:write("damaged.cfdb", (shell.read(scratch .. "/damaged.cfdb"):gsub("forestiris", "farestiris")))
  local status, output, errors = catalog("add damaged.cfdb bob.cfdb --csv")
  lu.assertEquals(status, 1)
  lu.assertStrMatches(output, "store,who,runs,cells,scores,damaged,problem\n[^\n]*/damaged.cfdb,[^\n]*,1,10,[^\n]*\n"
    .. "[^\n]*/bob.cfdb,[^\n]*,1,10,2,0,\n")
  lu.assertEquals(errors, "crossfold: 1 item of store 'damaged.cfdb' is damaged and left out; the first: what run 1 "
    .. "asked for ('farest' on 'iris')\n")
end

function TestCatalogCommand:test_best_ranks_by_dataset_and_metric()
  catalog("add ann.cfdb carl.cfdb --who ann")
  lu.assertStrMatches(printed(catalog("best --metric accuracy --csv")),
    "dataset,metric,rank,learner,settings,score,[^\n]*\niris,accuracy,1,[^\n]*\n"
    .. "iris,accuracy,1,[^\n]*\niris,accuracy,3,[^\n]*\niris,accuracy,3,[^\n]*\n")
  lu.assertEquals({ catalog("best --dataset irsi") }, { 1, "", "crossfold: cannot find dataset 'irsi' in catalog "
    .. "'crossfold.catalog': no score is of it; did you mean 'iris'? known: iris\n" })
end

function TestCatalogCommand:test_the_best_scores_of_a_dataset_do_not_depend_on_its_name()
  run("cp '%s/iris.csv' flowers.csv", data)
  shell:write("flowers.lua", (Shell.read(scratch .. "/script.lua"):gsub("[^\"]*/iris.csv", "flowers.csv")))
  run "rm -f flowers.cfdb*; \"$CROSSFOLD\" run --quiet --store flowers.cfdb flowers.lua 1 >/dev/null"
  catalog("add ann.cfdb flowers.cfdb")
  local output = printed(catalog("best --dataset iris --csv"))
  lu.assertEquals(select(2, output:gsub("\nflowers,", "")), 2)
  lu.assertEquals({ catalog("best --dataset flowers --csv") }, { 0, output, "" })
end

function TestCatalogCommand:test_find_names_where_a_plugin_was_used()
  catalog("add ann.cfdb --who ann")
  local _, hash = catalog("query --csv \"SELECT sha256 FROM plugins WHERE id = 'crossfold.knn'\"")
  hash = hash:match("\n(%x+)")
  lu.assertStrMatches(printed(catalog("find %s --csv", hash:sub(1, 12))),
    "what,hash,name,who,store,cells\nplugin," .. hash .. ",crossfold.knn [^,]*,ann,"
    .. "[^,]*/ann.cfdb,5\n")
end

function TestCatalogCommand:test_query_prints_tables_json_and_csv_and_writes_nothing()
  catalog("add ann.cfdb --who ann")
  lu.assertEquals({ catalog("query 'SELECT who, count(*) AS n FROM cells, stores'") },
    { 0, "who   n\n---  --\nann  10\n", "" })
  lu.assertEquals({ catalog("query --json 'SELECT who FROM stores'") },
    { 0, "[\n  {\n    \"who\": \"ann\"\n  }\n]\n", "" })
  lu.assertEquals({ catalog("query 'DROP TABLE cells'") }, { 1, "", "crossfold: cannot query catalog "
    .. "'crossfold.catalog': it may only be read, by one SELECT; the query is: DROP TABLE cells\n" })
end

function TestCatalogCommand:test_agree_ends_with_3_if_cells_differ()
  catalog("add ann.cfdb --who ann")
  catalog("add carl.cfdb --who carl")
  lu.assertStrMatches(printed(catalog("agree --csv")),
    "dataset,[^\n]*\niris,forest,[^\n]*,5,5,5,0,0,,\niris,knn,[^\n]*,5,5,5,0,0,,\n")
  catalog("remove carl.cfdb")
  catalog("add bob.cfdb --who bob")
  local status, output = catalog("agree")
  lu.assertEquals(status, 3)
  lu.assertStrMatches(output, ".*\niris     forest   ann: ann.cfdb  bob: bob.cfdb      5            0 [^\n]*  seed\n"
    .. "iris     knn      ann: ann.cfdb  bob: bob.cfdb      5            0      5          0        0  %-\n"
    .. "forest on iris, seed: repeat 1, fold %d: seed %d+ and %d+\n")
end

function TestCatalogCommand:test_each_cell_is_compared_with_the_first_store_that_has_it()
  run("rm -f part.cfdb*; \"$CROSSFOLD\" run --quiet --shard 1/5 --store part.cfdb script.lua 1 >/dev/null")
  local found = {}
  for i, order in ipairs { "part ann bob", "ann bob part" } do
    run "rm -f crossfold.catalog*"
    for name in order:gmatch "%a+" do catalog("add %s.cfdb", name) end
    local status, output = catalog("agree --json")
    lu.assertEquals(status, 3)
    found[i] = { cells = 0, different = 0 }
    for name in pairs(found[i]) do
      for n in output:gmatch('"' .. name .. '": (%d+)') do found[i][name] = found[i][name] + n end
    end
  end
  lu.assertEquals(found[1], found[2])
  lu.assertTrue(found[1].cells > 10)
end

-- As when a plugin was updated before the rest of a run.
function TestCatalogCommand:test_cells_of_one_store_in_several_series_are_all_compared()
  run("rm -f mixed.cfdb*; \"$CROSSFOLD\" run --quiet --shard 1/3 --store mixed.cfdb script.lua 1 >/dev/null")
  run("\"$CROSSFOLD\" run --quiet --store mixed.cfdb script.lua 2 >/dev/null")
  for _, order in ipairs { "mixed ann", "ann mixed" } do
    run "rm -f crossfold.catalog*"
    for name in order:gmatch "%a+" do catalog("add %s.cfdb", name) end
    local _, output = catalog("agree --json")
    local cells = 0
    for n in output:gmatch('"cells": (%d+)') do cells = cells + n end
    local _, of_second = catalog("query --csv 'SELECT count(fold) AS n FROM cells WHERE store = 2'")
    lu.assertEquals("n\n" .. cells .. "\n", of_second)
  end
end

-- Without them another process that closes the store would delete its log.
function TestCatalogCommand:test_a_script_that_adds_its_own_store_keeps_the_locks_on_it()
  shell:write("adds.lua", [[
    local cf = require "crossfold"
    dofile("script.lua")
    cf.catalog("own.catalog"):add("own.cfdb")
    pcall(cf.read, "own.cfdb")
    os.execute('"$CROSSFOLD" run --quiet --store own.cfdb script.lua 3 >/dev/null')
    local log <close> = io.open("own.cfdb-wal")
    print(log ~= nil)]])
  run("rm -f own.*")
  lu.assertEquals({ run("\"$CROSSFOLD\" run --quiet --store own.cfdb adds.lua 1") }, { 0, "true\n", "" })
end

function TestCatalogCommand:test_an_archive_is_added_like_a_store()
  run("rm -f ann.zip; \"$CROSSFOLD\" export ann.cfdb ann.zip")
  lu.assertEquals(catalog("add ann.zip carl.cfdb --who ann"), 0)
  lu.assertStrMatches(printed(catalog("agree --csv")),
    "dataset,[^\n]*\niris,forest,[^\n]*/ann.zip,ann,[^\n]*/carl.cfdb,5,5,5,0,0,,\n"
    .. "iris,knn,[^\n]*,5,5,5,0,0,,\n")
end

function TestCatalogCommand:test_page_writes_a_leaderboard()
  catalog("add ann.cfdb --who ann")
  lu.assertEquals({ catalog("page -o page.html --title Team") }, { 0, "page.html\n", "" })
  local page = shell.read(scratch .. "/page.html")
  lu.assertStrContains(page, "<title>Team</title>")
  lu.assertStrContains(page, "accuracy on iris</h2>")
  lu.assertEquals({ catalog("page -o ann.cfdb") }, { 1, "", "crossfold: cannot write 'ann.cfdb': it is a store or "
    .. "another database; choose another place\n" })
end

function TestCatalogCommand:test_a_damaged_catalog_is_refused_by_name()
  catalog("add ann.cfdb --who ann")
  local path = scratch .. "/crossfold.catalog"
  local bytes = shell.read(path):gsub("random_forest", "random_farest")
  shell:write("crossfold.catalog", bytes)
  for _, arguments in ipairs { "list", "best", "agree", "add bob.cfdb", "query 'SELECT 1'", "remove ann.cfdb" } do
    lu.assertStrMatches(refused(catalog(arguments)),
      "crossfold: cannot read catalog 'crossfold.catalog': it is damaged %([^\n]*%); remove "
      .. "it and add the stores again\n")
  end
end

function TestCatalogCommand:test_a_sandbox_reads_a_catalog_and_does_not_look_at_its_stores()
  catalog("add ann.cfdb --who ann")
  shell:write("sandbox.lua", "local c = require('crossfold').catalog()\nprint(c:query 'SELECT who FROM stores')\n"
    .. "c:list()\n")
  local status, output, errors = run("\"$CROSSFOLD\" run --sandbox sandbox.lua")
  lu.assertEquals({ status, output }, { 1, "who\n---\nann\n" })
  lu.assertEquals(errors, "crossfold: sandbox.lua:3: cannot look at the stores of a catalog: a sandbox does not open "
    .. "files of other folders; run the script without --sandbox\n")
end

-- Killed at any time, the catalog has the old entry or the new one.
function TestCatalogCommand:test_a_kill_leaves_the_old_entry_or_the_new_one()
  run("\"$CROSSFOLD\" run --quiet --store many.cfdb script.lua 1 40 >/dev/null")
  catalog("add many.cfdb --who first")
  local seen = {}
  for i = 1, 10 do
    run("\"$CROSSFOLD\" catalog add many.cfdb --who w%d >/dev/null & sleep 0.%03d; kill -KILL $!; wait $! || true", i,
      20 + 12 * i)
    local output = printed(catalog("query --csv 'SELECT who, (SELECT count(fold) FROM cells) AS n FROM stores'"))
    local who, n = output:match("^who,n\n(%w+),(%d+)\n$")
    lu.assertEquals(n, "400")
    lu.assertTrue(who == "w" .. i or seen[who] or who == "first")
    seen[who] = true
  end
end

arg = {}  -- LuaUnit would take it for its own options
os.exit(lu.LuaUnit.run("--output", "text"))
