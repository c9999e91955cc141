-- folder_plugins_test.lua PROGRAM DATA FOLDER SCRATCH: plugins that are folders, by FOLDER, the learner in Lua of
-- tests/data/centroids.crossfold.
package.path = arg[0]:match("^(.*)/") .. "/?.lua;" .. package.path
local lu = require "luaunit"
local Shell = require "shell"
local printed, refused = Shell.printed, Shell.refused

local program, data, original, scratch = table.unpack(arg, 1, 4)
local shell, home, folder -- of a test

local function new_home()
  shell = Shell.in_new_folder(scratch, program)
  home = shell.folder
  folder = home .. "/centroids.crossfold"
  shell.environment = ("TMPDIR='%s/tmp'"):format(home)
  printed(shell:run("cp -r '%s' '%s' && chmod -R go-w '%s' && mkdir tmp", original, folder, folder))
end

local function case()
  return { setUp = new_home, tearDown = function() shell:remove() end }
end

local function run(arguments, ...) return shell:crossfold(arguments, ...) end

local function with_folder(arguments, ...)
  return run(("--plugin-path '%s' "):format(folder) .. arguments, ...)
end

-- The rows of iris with the number of each, from 0, modulo 5 as its fold.
local function write_iris()
  local lines, row = {}, -1
  for line in io.lines(data .. "/iris.csv") do
    lines[#lines + 1] = line .. "," .. (row < 0 and "fold" or row % 5)
    row = row + 1
  end
  shell:write("iris.csv", table.concat(lines, "\n") .. "\n")
end

local script = [[
local cf = require "crossfold"
local iris = cf.read("iris.csv", { target = "class" })
local result = cf.evaluate{ data = iris, learners = { centroids = cf.learner("org.example.centroids") },
  splitter = cf.splitter("predefined", { column = "fold" }), metrics = { "accuracy" }, seed = 1 }
local correct = 0
for _, score in ipairs(result:scores()) do correct = correct + 30 * score.value end
print(("%.0f of 150 are correct"):format(correct))
for _, failure in ipairs(result:failures()) do print(failure.message) end
]]

local function write_script()
  write_iris()
  shell:write("evaluate.lua", script)
end

local function hash()
  local _, output = with_folder("plugin list --json --kind learner")
  return output:match('"plugin": "org.example.centroids".-"sha256": "(%x+)"')
end

TestList = case()

function TestList:test_a_folder_is_listed_like_a_library()
  lu.assertStrMatches(printed(with_folder("plugin list --verbose")),
    ".*\norg.example.centroids +learner +1.0.0 +org.example.centroids +ready +"
    .. folder:gsub("%p", "%%%0") .. " +" .. hash():sub(1, 12) .. ".*")
end

function TestList:test_it_is_found_among_the_plugins_of_a_place()
  local _, output = shell:run("CROSSFOLD_PLUGIN_PATH='%s' \"$CROSSFOLD\" plugin list", home)
  lu.assertStrContains(output, "\norg.example.centroids ")
end

function TestList:test_json_says_that_it_is_a_folder()
  local _, output = with_folder("plugin list --json --kind learner")
  lu.assertStrContains(output, ('"file": "%s",\n    "folder": true,'):format(folder))
end

function TestList:test_a_damaged_description_is_the_reason()
  shell:write("centroids.crossfold/crossfold.json", "{")
  lu.assertStrContains(printed(with_folder("plugin list")),
    "\ndisabled, because:\n  " .. folder .. ": its crossfold.json is not valid JSON\n")
end

TestDescribe = case()

function TestDescribe:test_describe_shows_the_parameters_and_the_folder()
  for _, id in ipairs { "org.example.centroids", folder, folder .. "/" } do
    local output = printed(with_folder("plugin describe '%s'", id))
    for _, text in ipairs { "learner org.example.centroids 1.0.0 (lua 5.4)", "Nearest centroid in Lua",
      "shrinkage", "real in [0, 1], default 0", "Folder: " .. folder, "SHA-256: " .. hash() } do
      lu.assertStrContains(output, text)
    end
  end
end

function TestDescribe:test_annotations_have_its_parameters()
  -- Other folders need packages of Python and R that may be missing.
  local others = "CROSSFOLD_PLUGINS_DISABLE=sklearn.crossfold,r_formula.crossfold"
  lu.assertStrContains(printed(shell:run("%s \"$CROSSFOLD\" --plugin-path '%s' plugin annotate", others,
    folder)), "shrinkage")
end

function TestDescribe:test_a_scan_needs_no_trial()
  lu.assertEquals(printed(run("plugin scan \'%s\'", folder)),
    folder .. ": needs no trial, as it runs in its own process, org.example.centroids 1.0.0\n")
end

TestRun = case()

-- 139 by sklearn.neighbors.NearestCentroid 1.2 on the same folds.
function TestRun:test_it_is_evaluated_in_every_mode()
  write_script()
  for _, options in ipairs { "", "--isolate none", "--isolate worker", "--isolate fresh",
    "--isolate worker --workers 2" } do
    lu.assertEquals({ options, with_folder("run --quiet %s evaluate.lua", options) },
      { options, 0, "139 of 150 are correct\n", "" })
  end
end

-- Its program is in a process of its own anyway: without crossfold-worker nothing is missing.
function TestRun:test_by_default_it_needs_no_worker()
  write_script()
  lu.assertEquals({ shell:run("CROSSFOLD_WORKER=/nowhere \"$CROSSFOLD\" --plugin-path '%s' run --quiet evaluate.lua",
    folder) }, { 0, "139 of 150 are correct\n", "" })
end

function TestRun:test_a_saved_model_predicts_the_same()
  shell:write("save.lua", ([[
    local cf = require "crossfold"
    local iris = cf.read("%s/iris.csv", { target = "class" })
    cf.learner("org.example.centroids"):fit(iris):save("model.cfm")
    local wrong, truth = 0, iris:target()
    for i, label in ipairs(cf.load("model.cfm"):predict(iris):labels()) do
      if label ~= truth[i] then wrong = wrong + 1 end
    end
    print(wrong)]]):format(data))
  lu.assertEquals({ with_folder("run --quiet save.lua") }, { 0, "11\n", "" }) -- 150 - 139, NearestCentroid on all rows
end

TestTrust = case()

function TestTrust:test_a_lock_has_the_folder_and_the_hash_of_its_files()
  local sha256 = hash()
  lu.assertEquals(printed(run("plugin trust '%s/'", folder)),
    ("org.example.centroids 1.0.0  %s  %s\n1 plugin written to crossfold.lock, which has 1\n")
    :format(sha256, folder))
  lu.assertStrContains(Shell.read(home .. "/crossfold.lock"), ('"file": "centroids.crossfold",\n      "sha256": "%s"')
    :format(sha256))
end

function TestTrust:test_a_locked_run_uses_a_copy_that_is_gone_afterwards()
  write_script()
  lu.assertEquals(with_folder("plugin trust --installed"), 0)
  for _, options in ipairs { "", "--isolate worker --workers 2", "--isolate fresh" } do
    lu.assertEquals({ options, with_folder("--locked run --quiet %s evaluate.lua", options) },
      { options, 0, "139 of 150 are correct\n", "" })
    local _, left = shell:run("ls -A '%s/tmp'", home)
    lu.assertEquals({ options, left }, { options, "" })
  end
end

function TestTrust:test_a_changed_file_is_not_trusted()
  lu.assertEquals(run("plugin trust '%s'", folder), 0)
  local old = hash()
  shell:write("centroids.crossfold/notes.txt", "new\n")
  lu.assertStrContains(refused(with_folder("--locked plugin describe org.example.centroids")),
    ("cannot load plugin '%s': its SHA-256 is %s, lock 'crossfold.lock' has %s for "
    .. "'org.example.centroids'; if you trust it: crossfold plugin trust --lock 'crossfold.lock' '%s'")
    :format(folder, hash(), old, folder))
end

function TestTrust:test_places_without_a_plugin_are_named()
  os.execute(("mkdir '%s/empty'"):format(home))
  lu.assertStrContains(refused(run("plugin trust empty")),
    "cannot trust plugins: there is no file *.crossfold.so or folder *.crossfold in these "
    .. "places")
end

TestCheck = case()

function TestCheck:test_it_passes_the_checks()
  local output = printed(run("plugin check --skipped '%s/'", folder))
  lu.assertStrMatches(output, ".*\nok +file%-arch: 3 files, SHA%-256 " .. hash() .. "\n.*")
  for _, check in ipairs { "file-exports", "file-needed", "load-time", "load-clean", "load-twice",
    "abi-foreign-minor" } do
    lu.assertStrMatches(output, ".*skipped +" .. check:gsub("%-", "%%-") .. ": .*")
  end
  lu.assertStrMatches(output, ".*\nok +descriptor%-complete\n.*")
  lu.assertStrMatches(output, ".*\nok +id%-form\n.*")
end

function TestCheck:test_a_damaged_description_fails_and_the_rest_is_skipped()
  shell:write("centroids.crossfold/crossfold.json", "{}")
  local status, output = run("plugin check '%s'", folder)
  lu.assertEquals(status, 1)
  lu.assertStrContains(output, "file-arch: its crossfold.json is wrong: 'crossfold' is missing\n")
end

function TestCheck:test_a_program_that_does_not_start_fails_where_a_library_fails_to_load()
  shell:write("centroids.crossfold/learner.lua", "os.exit(4)\n")
  local status, output = run("plugin check '%s'", folder)
  lu.assertEquals(status, 1)
  lu.assertStrContains(output, "load-now-local: its process ended with exit code 4\n")
end

TestVersions = case()

-- Version 2.0 of the package that it pretends to use moves its means.
local function with_package(version, arguments, ...)
  return shell:run(("CENTROIDS_PACKAGE=%s \"$CROSSFOLD\" --plugin-path '%s' "):format(version, folder) .. arguments,
    ...)
end

function TestVersions:test_verify_says_which_package_has_moved_a_number()
  write_script()
  lu.assertEquals(with_package("1.0", "run --quiet --store a.cfdb evaluate.lua"), 0)
  lu.assertStrContains(printed(with_package("1.0", "verify a.cfdb --sample 100%")), "checked 5 of 5 cells: 5 equal")
  local status, output = with_package("2.0", "verify a.cfdb --sample 100%")
  lu.assertEquals(status, 3)
  lu.assertStrContains(output, "; 'org.example.centroids' is now 1.0.0 (centroids 2.0, lua 5.4), it was 1.0.0 "
    .. "(centroids 1.0, lua 5.4)\n")
end

function TestVersions:test_another_package_makes_other_cells_and_diff_says_why()
  write_script()
  for i = 1, 2 do
    lu.assertEquals(with_package(i .. ".0", "run --quiet --store %d.cfdb evaluate.lua", i), 0)
  end
  local _, output = with_package("1.0", "diff 1.cfdb 2.cfdb")
  lu.assertStrContains(output, "  plugin: ")
  lu.assertStrContains(output, "plugin: org.example.centroids 1.0.0 (centroids 1.0, lua 5.4) and 1.0.0 (centroids 2.0, "
    .. "lua 5.4)\n")
end

function TestVersions:test_another_file_is_not_the_plugin_of_the_store()
  write_script()
  lu.assertEquals(with_folder("run --quiet --store a.cfdb evaluate.lua"), 0)
  local old = hash()
  shell:write("centroids.crossfold/notes.txt", "new\n")
  local _, output = with_folder("verify a.cfdb --sample 100%")
  lu.assertStrContains(output, ("its plugin differs from that of the record (SHA-256 %s instead of %s); install "
    .. "org.example.centroids 1.0.0 from the build that was recorded"):format(hash():sub(1, 12), old:sub(1, 12)))
end

arg = { [0] = arg[0] } -- LuaUnit would take the others for its own options
os.exit(lu.LuaUnit.run("--output", "text"))
