-- plugins_test.lua PROGRAM DATA PLUGINS TESTS SCRATCH: finding, describing, trusting and trying
-- plugins. TESTS is the folder of plugins that were built for tests.
package.path = arg[0]:match("^(.*)/") .. "/?.lua;" .. package.path
local lu = require "luaunit"
local Shell = require "shell"
local printed, refused = Shell.printed, Shell.refused

local program, data, plugins, tests, scratch = table.unpack(arg, 1, 5)
local crashes = tests .. "/scanned_plugins/crashes_on_load/crashes_on_load.crossfold.so"
local unlisted = tests .. "/scanned_plugins/unlisted_plugin/unlisted_plugin.crossfold.so"
local fixture = tests .. "/fixture_plugins/fixture_plugin.crossfold.so"
local shell, home -- of a test: a folder of its own for cache, locks, files

local function write(name, text) return shell:write(name, text) end
-- The path as a word of a command.
local function script_word(text) return "'" .. write("x.lua", text) .. "'" end

local function copy(from, name) return write(name, Shell.read(from)) end

-- Runs the program in the folder of the test and returns status, stdout, stderr. `environment` is
-- put before it.
local function run(command, environment)
  return shell:run(('%s "$CROSSFOLD" '):format(environment or "") .. command)
end

local function sha256(path) return printed(shell:run("sha256sum '%s'", path)):match("^%x+") end

local function count_of(path) return Shell.exists(path) and #Shell.read(path) or 0 end

local function case()
  return {
    setUp = function()
      shell = Shell.in_new_folder(scratch, program)
      home = shell.folder
    end,
    tearDown = function() shell:remove() end,
  }
end

TestList = case()

function TestList:test_list_shows_every_bundled_component()
  local output = printed(run("plugin list"))
  for _, id in ipairs { "accuracy", "debug", "error_rate", "featureless", "holdout", "kfold", "knn",
    "leave_one_out", "log_loss", "naive_bayes", "predefined", "standardize" } do
    lu.assertStrContains(output, "\n" .. id .. " ")
  end
  lu.assertNotStrContains(output, "disabled")
end

function TestList:test_kind_leaves_the_others_out()
  local output = printed(run("plugin list --kind splitter"))
  lu.assertStrContains(output, "\nkfold ")
  lu.assertNotStrContains(output, "\nknn ")
  lu.assertEquals(run("plugin list --kind lerner"), 2)
end

function TestList:test_json_has_an_object_for_every_component()
  local output = printed(run(("--plugin-path '%s' plugin list --json --kind splitter"):format(fixture)))
  lu.assertEquals(output:match("^%[\n(.-})"), ([[
  {
    "id": "org.example.first_row",
    "short_id": "org.example.first_row",
    "kind": "splitter",
    "version": "1.0.0",
    "plugin": "crossfold.fixture",
    "file": "%s",
    "folder": false,
    "abi": "1.0",
    "sha256": "%s",
    "manifest": true,
    "status": "ready",
    "reason": null
  }]]):format(fixture, sha256(fixture)))
end

function TestList:test_verbose_tells_files_and_where_was_searched()
  local _, output = run("plugin list --verbose")
  lu.assertStrContains(output, "searched, in this order:")
  lu.assertStrContains(output, "lib/crossfold/plugins")
  lu.assertStrContains(output, "knn.crossfold.so")
end

function TestList:test_broken_files_stay_listed_as_disabled_and_the_rest_works()
  local text = write("text.crossfold.so", "this is no library\n")
  local whole = Shell.read(plugins .. "/knn.crossfold.so")
  local cut = write("cut.crossfold.so", whole:sub(1, #whole // 2))
  local options = ("--plugin-path '%s' --plugin-path '%s'"):format(text, cut)
  local output = printed(run(options .. " plugin list"))
  lu.assertStrContains(output, "\nknn ")
  lu.assertStrContains(output, "\ndisabled, because:\n  " .. text .. ": it is not an ELF shared library "
    .. "(a text file?)\n  " .. cut .. ": truncated")
  local _, json = run(options .. " plugin list --json")
  lu.assertStrContains(json, '"id": null')
  lu.assertStrContains(json, '"reason": "it is not an ELF shared library (a text file?)"')
end

function TestList:test_switched_off_plugins_stay_listed_with_the_reason()
  local _, output = run("plugin list", "CROSSFOLD_PLUGINS_DISABLE='knn,lib*'")
  lu.assertStrMatches(output, ".*\nknn +learner +%S+ +knn +disabled.*")
  lu.assertStrContains(output, "knn.crossfold.so: switched off by 'knn' of CROSSFOLD_PLUGINS_DISABLE\n")
  local script = script_word("require('crossfold').learner('knn')")
  lu.assertStrContains(refused(run("run " .. script, "CROSSFOLD_PLUGINS_DISABLE=knn")),
    "knn.crossfold.so': switched off by 'knn' of CROSSFOLD_PLUGINS_DISABLE")
end

-- Once, by whatever command searches.
function TestList:test_a_glob_that_switches_nothing_off_is_told_once()
  local warning = "crossfold: cannot switch off 'no_such*' of CROSSFOLD_PLUGINS_DISABLE: it matches no plugin "
    .. "that was found; crossfold plugin list lists them\n"
  local environment = "CROSSFOLD_PLUGINS_DISABLE='knn*, no_such*'"
  local script = script_word("require('crossfold').learner('ridge')")
  for _, command in ipairs { "plugin list", "plugin list --json", "run " .. script,
    "plugin trust --installed", "plugin describe ridge" } do
    local status, _, errors = run(command, environment)
    lu.assertEquals({ command, status, errors }, { command, 0, warning
      .. (command:find("^plugin trust") and "crossfold: cannot trust plugin '" .. plugins .. "/knn.crossfold.so': "
        .. "switched off by 'knn*' of CROSSFOLD_PLUGINS_DISABLE; it was left out\n" or "") })
  end
  local _, _, errors = run("run --quiet " .. script, environment)
  lu.assertEquals(errors, "")
end

function TestList:test_plugins_only_leaves_all_others_out()
  local _, output = run("--plugins-only 'k*' plugin list")
  lu.assertStrMatches(output, ".*\nknn +learner +%S+ +knn +ready.*")
  lu.assertStrContains(output, "ridge.crossfold.so: left out: only plugins that match 'k*' are wanted")
  local script = script_word("require('crossfold').learner('knn') print 'made'")
  local status, made = run("run --plugins-only knn " .. script)
  lu.assertEquals({ status, made }, { 0, "made\n" })
end

function TestList:test_a_place_of_the_environment_that_is_left_out_is_told()
  local status, output, errors = run("plugin list", "CROSSFOLD_PLUGIN_PATH=plugins")
  lu.assertEquals({ status, errors }, { 0, "crossfold: cannot search 'plugins' of CROSSFOLD_PLUGIN_PATH: "
    .. "it is not an absolute path; it was left out\n" })
  lu.assertStrContains(output, "\nknn ")
end

-- Also in the sandbox: what is in the folders of a user or of the environment takes no bundled plugin's place.
function TestList:test_a_plugin_that_claims_a_bundled_id_is_refused_and_listed()
  local script = script_word("print(require('crossfold').learner('knn'))")
  os.execute(("mkdir -p '%s/crossfold/plugins' '%s/path'"):format(home, home))
  for place, environment in pairs { ["crossfold/plugins"] = "XDG_DATA_HOME='" .. home .. "'",
    path = "CROSSFOLD_PLUGIN_PATH='" .. home .. "/path'" } do
    local false_one = copy(plugins .. "/knn.crossfold.so", place .. "/false.crossfold.so")
    local reason = "claims 'crossfold.knn', and ids that begin with 'crossfold.' are reserved for bundled plugins; "
      .. "give it another id, or name its path (--plugin-path)"
    lu.assertStrContains(printed(run("plugin list", environment)), "\ndisabled, because:\n  " .. false_one .. ": "
      .. reason .. "\n")
    for _, command in ipairs { "run", "run --sandbox --sandbox-root /" } do
      local status, _, errors = run(command .. " " .. script, environment)
      lu.assertEquals({ status, errors }, { 0, "crossfold: cannot use plugin '" .. false_one .. "': " .. reason
        .. "\n" })
    end
    local _, described = run("plugin describe knn --json", environment)
    lu.assertStrContains(described, plugins .. "/knn.crossfold.so")
  end
end

function TestList:test_a_file_that_everyone_may_write_is_refused_with_the_way_out()
  os.execute(("mkdir '%s/path'"):format(home))
  local file = copy(tests .. "/bad_plugins/good.crossfold.so", "path/good.crossfold.so")
  local environment = "CROSSFOLD_PLUGIN_PATH='" .. home .. "/path'"
  lu.assertEquals(run("plugin describe bad.good", environment), 0)
  for _, path in ipairs { file, home .. "/path" } do
    os.execute(("chmod o+w '%s'"):format(path))
    local _, output = run("plugin list", environment)
    lu.assertStrContains(output, file .. ": everyone may write to '" .. path .. "' (mode ")
    lu.assertStrContains(output, "if this is not intended: chmod go-w '" .. path .. "'")
    lu.assertStrContains(refused(run("plugin describe bad.good", environment)),
      "cannot load plugin '" .. file .. "': everyone may write to '" .. path)
    os.execute(("chmod go-w '%s'"):format(path))
  end
  lu.assertEquals(run("plugin describe bad.good", environment), 0)
end

-- Before a command and after it, because one may be an alias of the shell.
function TestList:test_choices_in_front_of_a_command_and_behind_it_add_up()
  local script = script_word("local cf = require 'crossfold' cf.learner('knn') cf.splitter('kfold') print 'made' "
    .. "print(pcall(cf.learner, 'ridge'))")
  lu.assertStrMatches(printed(run("--plugins-only knn run --plugins-only kfold " .. script)),
    "made\nfalse\t.*ridge.crossfold.so': left out: only plugins that match 'knn', 'kfold' are wanted\n")
  for _, line in ipairs { "--plugin-path /no/a run %s", "--plugin-path /no/a run --plugin-path /no/b %s" } do
    local _, _, errors = run(line:format(script))
    lu.assertStrContains(errors, "cannot use plugin '/no/a': there is no such file or folder")
    lu.assertEquals(errors:find("/no/b", 1, true) ~= nil, line:find("/no/b", 1, true) ~= nil)
  end
  local both = select(3, run("--locked=a.lock run --locked=b.lock " .. script))
  lu.assertEquals(both, "crossfold: cannot use two locks; leave out one --locked\n")
end

TestDescribe = case()

function TestDescribe:test_a_parameter_without_bound_shows_none()
  local _, output = run("plugin describe purged")
  lu.assertStrContains(output, "horizon        real >= 0, in time, default 0  ")
  lu.assertNotStrContains(output, "e+308")
end

function TestDescribe:test_describe_shows_parameters_and_promises()
  local output = printed(run("plugin describe knn"))
  for _, text in ipairs { "learner crossfold.knn", "integer >= 1",
    "one of manhattan, euclidean, chebyshev, minkowski", "only with distance=minkowski",
    "classification with two classes", "crossfold.proba/1", "the same bytes for any number of threads",
    "any calls may run at the same time", "SHA-256: " .. sha256(plugins .. "/knn.crossfold.so"),
    "File: " .. plugins .. "/knn.crossfold.so" } do
    lu.assertStrContains(output, text)
  end
end

function TestDescribe:test_what_a_component_also_does_is_in_words()
  lu.assertStrContains(printed(run("plugin describe arrow")),
    "also        writes data in its format (crossfold.write/1)\n")
end

function TestDescribe:test_json_is_complete()
  local status, output = run("plugin describe svm --json")
  if status ~= 0 then status, output = run("plugin describe ridge --json") end
  lu.assertEquals(status, 0)
  for _, key in ipairs { "id", "short_id", "kind", "version", "title", "doc", "source", "params", "name",
    "type", "default", "low", "high", "low_open", "high_open", "scale", "choices", "nullable", "unit",
    "active_if", "flags", "tasks", "accepts", "needs", "capabilities", "threading", "determinism",
    "process", "plugin", "vendor", "license", "build_info", "file", "sha256" } do
    lu.assertStrContains(output, '"' .. key .. '":')
  end
end

function TestDescribe:test_json_of_a_parameter_has_bounds_and_the_condition()
  local _, output = run("plugin describe knn --json")
  lu.assertStrContains(output, [[
      "name": "k",
      "type": "integer",
      "default": 5,
      "low": 1,
      "high": null,
      "low_open": false,
      "high_open": false,
      "scale": "linear",
      "choices": [],]])
  lu.assertStrContains(output, [[
      "active_if": {
        "param": "distance",
        "values": [
          "minkowski"
        ]
      },]])
end

function TestDescribe:test_a_path_means_the_whole_plugin()
  local output = printed(run(("plugin describe '%s'"):format(fixture)))
  lu.assertStrContains(output, "Plugin: crossfold.fixture 1.0.0, The Crossfold Authors, MIT\nFile: " .. fixture)
  lu.assertStrContains(output, "learner crossfold.first_class 1.2.0")
  lu.assertStrContains(output, "splitter org.example.first_row")
  local json = printed(run(("plugin describe '%s' --json"):format(fixture)))
  lu.assertStrContains(json, '"id": "crossfold.fixture"')
  lu.assertStrContains(json, '"id": "org.example.first_row"')
end

function TestDescribe:test_the_id_of_a_plugin_that_is_no_component_means_the_plugin()
  local output = printed(run(("--plugin-path '%s' plugin describe crossfold.fixture"):format(fixture)))
  lu.assertStrContains(output, "Plugin: crossfold.fixture 1.0.0")
  lu.assertStrContains(printed(run("plugin describe --plugin knn")), "Plugin: crossfold.knn")
end

function TestDescribe:test_describe_of_an_unknown_id_tells_the_nearest()
  lu.assertStrContains(refused(run("plugin describe knnn")), "cannot find component 'knnn': did you mean 'knn'?")
end

TestTrust = case()

local use_knn = [[
local cf = require "crossfold"
return cf.evaluate { data = cf.read("%s/iris.csv", { target = "class" }), learners = { knn = "knn" },
  splitter = cf.splitter("kfold", { folds = 2 }), metrics = "accuracy" %s }]]

function TestTrust:test_a_lock_has_an_entry_for_each_plugin_and_is_stable()
  lu.assertStrContains(printed(run(("plugin trust '%s' '%s/knn.crossfold.so'"):format(fixture, plugins))),
    "2 plugins written to crossfold.lock, which has 2\n")
  local lock = Shell.read(home .. "/crossfold.lock")
  lu.assertEquals(lock:gsub('"version": "[^"]*"', '"version": "V"', 2), ([[
{
  "crossfold_lock": 1,
  "plugins": [
    {
      "id": "crossfold.fixture",
      "version": "V",
      "file": "fixture_plugin.crossfold.so",
      "sha256": "%s",
      "abi": "1.0"
    },
    {
      "id": "crossfold.knn",
      "version": "V",
      "file": "knn.crossfold.so",
      "sha256": "%s",
      "abi": "1.0"
    }
  ]
}
]]):format(sha256(fixture), sha256(plugins .. "/knn.crossfold.so")))
  run(("plugin trust '%s/knn.crossfold.so'"):format(plugins))
  lu.assertEquals(Shell.read(home .. "/crossfold.lock"), lock)
end

function TestTrust:test_trust_needs_paths_or_installed_and_whole_files()
  lu.assertEquals(run("plugin trust"), 2)
  local text = write("text.crossfold.so", "this is no library\n")
  lu.assertEquals(refused(run(("plugin trust '%s'"):format(text))), "crossfold: cannot trust plugin '" .. text
    .. "': it is not an ELF shared library (a text file?)\n")
  lu.assertFalse(Shell.exists(home .. "/crossfold.lock"))
end

function TestTrust:test_a_file_name_that_is_no_line_of_text_is_not_trusted()
  copy(fixture, "new\nline.crossfold.so")
  lu.assertStrContains(refused(run("plugin trust new*line.crossfold.so")),
    "the name of its file has a control character; rename it\n")
  lu.assertFalse(Shell.exists(home .. "/crossfold.lock"))
end

function TestTrust:test_locked_runs_what_was_trusted_also_in_worker_processes()
  lu.assertEquals(run("plugin trust --installed --lock a.lock"), 0)
  for _, isolate in ipairs { "none", "worker", "fresh" } do
    local script = write("x.lua", use_knn:format(data, ""))
    lu.assertStrContains(printed(run(("--locked=a.lock run --isolate %s '%s'"):format(isolate, script))), "accuracy")
  end
end

function TestTrust:test_locked_refuses_what_was_not_trusted_and_tells_the_way_out()
  lu.assertEquals(run(("plugin trust '%s'"):format(fixture)), 0)
  local script = write("x.lua", use_knn:format(data, ""))
  local sources = plugins .. "/text_files.crossfold.so"  -- the first that the script needs
  lu.assertStrContains(refused(run(("run --locked '%s'"):format(script))),
    ("text_files.crossfold.so': 'crossfold.text_files' with SHA-256 %s is not in lock "
    .. "'crossfold.lock'; if you trust it: crossfold plugin trust --lock 'crossfold.lock' '%s'")
    :format(sha256(sources), sources))
end

function TestTrust:test_locked_refuses_a_file_with_other_bytes_and_names_both_hashes()
  local mine = copy(fixture, "mine.crossfold.so")
  lu.assertEquals(run("plugin trust mine.crossfold.so"), 0)
  local before = sha256(mine)
  write("mine.crossfold.so", Shell.read(mine) .. "x")
  lu.assertStrContains(refused(run("--locked --plugin-path mine.crossfold.so plugin describe first_class")),
    ("cannot load plugin '%s': its SHA-256 is %s, lock 'crossfold.lock' has %s "
    .. "for 'crossfold.fixture'; if you trust it: "):format(mine, sha256(mine), before))
  lu.assertEquals(run("plugin trust mine.crossfold.so"), 0)
  lu.assertEquals(run("--locked --plugin-path mine.crossfold.so plugin describe first_class"), 0)
end

-- The file is swapped by the script, after the program has loaded it and before a worker process
-- does.
function TestTrust:test_a_worker_process_refuses_a_file_that_was_swapped()
  local knn = copy(plugins .. "/knn.crossfold.so", "knn.crossfold.so")
  lu.assertEquals(run("plugin trust --installed"), 0)
  local script = write("x.lua", ([[
    local cf = require "crossfold"
    local knn = cf.learner("knn")
    os.rename("%s", "%s.old")
    local file = io.open("%s", "wb")
    file:write(%q)
    file:close()
    local result = cf.evaluate { data = cf.read("%s/iris.csv", { target = "class" }), learners = { k = knn },
      splitter = cf.splitter("kfold", { folds = 2 }), metrics = "accuracy", isolate = "worker" }
    print(result:failures()[1].message)]]):format(knn, knn, knn, "bytes", data))
  local status, output = run(("--locked --plugin-path '%s' run '%s'"):format(knn, script))
  lu.assertEquals(status, 3)
  lu.assertStrContains(output, "knn.crossfold.so': it is not an ELF shared library")
  write("knn.crossfold.so", Shell.read(plugins .. "/knn.crossfold.so"))
  script = write("y.lua", Shell.read(script):gsub('file:write%b()', function()
    return ('file:write(io.open("%s.old", "rb"):read("a") .. "x")'):format(knn)
  end))
  status, output = run(("--locked --plugin-path '%s' run '%s'"):format(knn, script))
  lu.assertEquals(status, 3)
  lu.assertStrContains(output, ("its SHA-256 is %s, the lock of this run has %s for 'crossfold.knn'")
    :format(sha256(knn), sha256(knn .. ".old")))
end

-- A plugin and the library that it brings along, in the folder of the test.
local function copy_with_library()
  os.execute(("cp -r '%s/scanned_plugins/neighbour_plugin/.' '%s'"):format(tests, home))
  return home .. "/neighbour_plugin.crossfold.so", home .. "/neighbours/libcrossfold_neighbour.so"
end

function TestTrust:test_a_lock_covers_the_libraries_beside_a_plugin()
  local plugin, library = copy_with_library()
  lu.assertStrContains(printed(run("plugin trust neighbour_plugin.crossfold.so")), "  with its library "
    .. sha256(library) .. "  neighbours/libcrossfold_neighbour.so\n")
  local describe = "--locked --plugin-path neighbour_plugin.crossfold.so plugin describe org.example.neighbour"
  lu.assertStrContains(printed(run(describe)), "42")
  local before = sha256(library)
  copy(crashes, "neighbours/libcrossfold_neighbour.so") -- counts the runs of its constructor
  local counts = "CROSSFOLD_TESTS_COUNT_CRASHES='" .. home .. "/count'"
  lu.assertStrContains(refused(run(describe, counts)), ("cannot load plugin '%s': its library "
    .. "'neighbours/libcrossfold_neighbour.so' has SHA-256 %s, lock 'crossfold.lock' has %s; if you trust "
    .. "it: crossfold plugin trust --lock 'crossfold.lock' '%s'"):format(plugin, sha256(library), before, plugin))
  lu.assertFalse(Shell.exists(home .. "/count"))
end

-- The script does it after the program has loaded the plugin and before a worker process does.
function TestTrust:test_a_worker_process_refuses_a_library_that_was_swapped()
  local library = select(2, copy_with_library())
  lu.assertEquals(run("plugin trust --installed"), 0)
  lu.assertEquals(run("plugin trust neighbour_plugin.crossfold.so"), 0)
  local script = write("x.lua", ([[
    local cf = require "crossfold"
    local learner = cf.learner("org.example.neighbour")
    if ... == "swap" then
      os.remove("%s")
      os.execute("cp '%s' '%s'")
    end
    local result = cf.evaluate { data = cf.read("%s/iris.csv", { target = "class" }), learners = { l = learner },
      splitter = cf.splitter("kfold", { folds = 2 }), metrics = "accuracy", isolate = "worker" }
    local failure = result:failures()[1]
    print(failure and failure.message or "no failure")]]):format(library, crashes, library, data))
  local counts = "CROSSFOLD_TESTS_COUNT_CRASHES='" .. home .. "/count'"
  local command = ("--locked --plugin-path neighbour_plugin.crossfold.so run '%s'"):format(script)
  local status, output = run(command, counts)
  lu.assertEquals({ status, output }, { 0, "no failure\n" })
  status, output = run(command .. " swap", counts)
  lu.assertEquals(status, 3)
  lu.assertStrContains(output, "its library 'neighbours/libcrossfold_neighbour.so' has SHA-256 " .. sha256(library)
    .. ", the lock of this run has ")
  lu.assertFalse(Shell.exists(home .. "/count"))
end

-- Whatever is written, and whenever, what runs is what was hashed.
function TestTrust:test_a_file_that_is_overwritten_in_place_all_the_time_runs_no_other_code()
  local good, other = Shell.read(fixture), Shell.read(crashes)
  local size = math.max(#good, #other)
  write("good", good .. ("\0"):rep(size - #good))
  write("other", other .. ("\0"):rep(size - #other))
  copy(home .. "/good", "mine.crossfold.so")
  lu.assertEquals(run("plugin trust mine.crossfold.so"), 0)
  local pipe = io.popen(("cd '%s' && export CROSSFOLD_TESTS_COUNT_CRASHES=count; while [ ! -e stop ]; do "
    .. "cat other 1<>mine.crossfold.so; cat good 1<>mine.crossfold.so; done & i=0; while [ $i -lt 40 ]; do "
    .. "'%s' --locked --plugin-path mine.crossfold.so plugin describe first_class >/dev/null; echo exit $?; "
    .. "i=$((i+1)); done 2>errors; touch stop; wait"):format(home, program))
  local output = pipe:read("a")
  lu.assertTrue(pipe:close())
  lu.assertEquals(count_of(home .. "/count"), 0)
  -- Each try ran what was trusted or was refused; none ended the program.
  lu.assertEquals(select(2, output:gsub("exit %d+\n", "")), 40)
  lu.assertEquals(output:gsub("exit [01]\n", ""):match("exit %d+"), nil)
end

function TestTrust:test_a_missing_lock_is_told_with_the_command_that_writes_it()
  lu.assertEquals(refused(run("--locked plugin list")),
    "crossfold: cannot read lock 'crossfold.lock': there is no such file; "
    .. "crossfold plugin trust writes it\n")
end

function TestTrust:test_twenty_processes_at_once_lose_no_entry()
  local files = io.popen(("ls '%s'/*.crossfold.so | head -n 20"):format(plugins))
  local commands, count = {}, 0
  for file in files:lines() do
    count = count + 1
    commands[count] = ("'%s' plugin trust '%s' &"):format(program, file)
  end
  files:close()
  lu.assertEquals(count, 20)
  os.execute(("cd '%s' && ( %s wait ) >output"):format(home, table.concat(commands, " ")))
  local _, entries = Shell.read(home .. "/crossfold.lock"):gsub('"sha256"', "")
  lu.assertEquals(entries, 20)
  lu.assertEquals(select(2, Shell.read(home .. "/output"):gsub("1 plugin written", "")), 20)
  lu.assertFalse(Shell.exists(home .. "/crossfold.lock.new"))
end

-- What waits would be ended by `timeout` with the status 124.
function TestTrust:test_a_lock_or_a_plugin_that_is_no_regular_file_is_told_at_once()
  os.execute(("mkfifo '%s/pipe'"):format(home))
  os.execute(("mkdir '%s/folder'"):format(home))
  local function told(command)
    local status, output = shell:run('timeout 20 "$CROSSFOLD" ' .. command .. " 2>&1")
    lu.assertEquals(status, 1, command .. ": " .. output)
    return output
  end
  local trust = ("plugin trust '%s' --lock "):format(fixture)
  for _, command in ipairs { "--locked=%s plugin list", trust .. "%s" } do
    for path, finding in pairs {
      pipe = "it is a device or a pipe; name a file",
      ["/dev/zero"] = "it is a device or a pipe; name a file",
      folder = "it is a folder; name a file",
    } do
      lu.assertEquals(told(command:format(path)),
        ("crossfold: cannot read lock '%s': %s\n"):format(path, finding))
    end
  end
  for _, path in ipairs { home .. "/pipe", "/dev/zero" } do
    lu.assertEquals(told(("plugin trust '%s'"):format(path)),
      ("crossfold: cannot trust plugin '%s': it is not a file\n"):format(path))
  end
  lu.assertFalse(Shell.exists(home .. "/crossfold.lock"))
end

-- Runs the program without the right of root to read everything.
local function run_with_few_rights(command, environment)
  local drop = "setpriv --bounding-set=-dac_override,-dac_read_search"
  if os.execute("test $(id -u) != 0") then drop = "" end
  if not os.execute(("mkdir -m 0 '%s/closed' && ! %s ls '%s/closed' >'%s/ls' 2>&1")
    :format(home, drop, home, home)) then
    lu.skip("these rights cannot be dropped here")
  end
  return shell:run(('%s %s "$CROSSFOLD" '):format(environment or "", drop) .. command .. " 2>&1")
end

function TestTrust:test_a_named_folder_that_cannot_be_read_is_told_and_nothing_is_trusted()
  local status, output = run_with_few_rights(("plugin trust '%s' closed"):format(fixture))
  lu.assertEquals({ status, output }, { 1, "crossfold: cannot search '" .. home
    .. "/closed': Permission denied; nothing was trusted: name what you may read\n" })
  lu.assertFalse(Shell.exists(home .. "/crossfold.lock"))
end

function TestTrust:test_a_file_that_cannot_be_read_is_told()
  local mine = copy(fixture, "mine.crossfold.so")
  os.execute(("chmod 0 '%s'"):format(mine))
  for _, place in ipairs { "mine.crossfold.so", "." } do
    local status, output = run_with_few_rights("plugin trust " .. place)
    lu.assertEquals(status, 1)
    lu.assertEquals(output, "crossfold: cannot trust plugin '" .. home
      .. "/mine.crossfold.so': it cannot be read: Permission denied\n")
    os.execute(("rmdir '%s/closed'"):format(home))
  end
  local status, output = run_with_few_rights("plugin trust closed/mine.crossfold.so")
  lu.assertEquals({ status, output }, { 1, "crossfold: cannot trust plugin '" .. home
    .. "/closed/mine.crossfold.so': it cannot be read: Permission denied\n" })
  lu.assertFalse(Shell.exists(home .. "/crossfold.lock"))
end

function TestTrust:test_a_folder_of_the_search_that_cannot_be_read_is_told_and_the_rest_is_trusted()
  local environment = ("CROSSFOLD_PLUGIN_PATH='%s/closed'"):format(home)
  local status, output = run_with_few_rights("plugin trust --installed", environment)
  lu.assertEquals(status, 0)
  lu.assertStrContains(output, ("crossfold: cannot search '%s/closed': Permission denied\n"):format(home))
  lu.assertStrContains(output, " written to crossfold.lock, which has ")
end

function TestTrust:test_check_runs_what_is_not_trusted_yet_and_takes_no_lock()
  lu.assertEquals(run(("plugin trust '%s'"):format(fixture)), 0)
  local status, _, errors = run(("--locked plugin check '%s'"):format(fixture))
  lu.assertEquals({ status, errors }, { 2,
    "crossfold: check is for plugins that are not trusted yet; leave out --locked\n" })
end

function TestTrust:test_a_sandboxed_script_keeps_to_the_lock()
  lu.assertEquals(run(("plugin trust '%s'"):format(fixture)), 0)
  local script = write("x.lua", use_knn:format(data, ""))
  lu.assertStrContains(refused(run(("--locked run --sandbox --sandbox-root / '%s'"):format(script))),
    "'crossfold.text_files' with SHA-256 ")
end

TestScan = case()

function TestScan:test_a_plugin_without_a_manifest_works_from_the_cached_scan()
  local script = script_word("print(require('crossfold').learner('org.example.unlisted'))")
  local options = ("--plugin-path '%s'"):format(unlisted)
  lu.assertStrContains(printed(run(options .. " run " .. script)), "org.example.unlisted")
  lu.assertTrue(Shell.exists(home .. "/.cache/crossfold/scan.json"))
  -- Nobody is asked again.
  lu.assertStrContains(printed(run(options .. " run " .. script, "CROSSFOLD_WORKER=/nowhere")), "org.example.unlisted")
  local evaluate = use_knn:format(data, ", isolate = 'worker'"):gsub('"knn"', '"org.example.unlisted"')
  printed(run(options .. " run " .. script_word(evaluate)))
end

function TestScan:test_a_crash_is_remembered_until_it_is_scanned_again()
  local mine = copy(crashes, "mine.crossfold.so")
  local counts = "CROSSFOLD_TESTS_COUNT_CRASHES='" .. home .. "/count'"
  local options = "--plugin-path mine.crossfold.so "
  local script = script_word("require('crossfold').learner('org.example.crashes')")
  local reason = "crashed while it was scanned (signal 11 (Segmentation fault)); it is not loaded until "
    .. "its file changes or 'crossfold plugin scan --again " .. mine .. "' succeeds"
  for _ = 1, 2 do
    lu.assertStrContains(refused(run(options .. "run " .. script, counts)),
      "cannot load plugin '" .. mine .. "': " .. reason)
  end
  lu.assertEquals(count_of(home .. "/count"), 1)
  local _, output = run(options .. "plugin list", counts)
  lu.assertStrContains(output, mine .. ": " .. reason)
  lu.assertEquals(count_of(home .. "/count"), 1)
  local status
  status, output = run("plugin scan --again mine.crossfold.so", counts)
  lu.assertEquals(status, 1)
  lu.assertStrContains(output, mine .. ": " .. reason)
  lu.assertEquals(count_of(home .. "/count"), 2)
  _, output = run(options .. "plugin list --rescan", counts)
  lu.assertNotStrContains(output, "crashed")
  write("mine.crossfold.so", Shell.read(fixture))
  lu.assertEquals(printed(run("plugin scan mine.crossfold.so", counts)), mine .. ": works, crossfold.fixture 1.0.0\n")
end

function TestScan:test_a_damaged_cache_is_ignored()
  run(("--plugin-path '%s' plugin list"):format(unlisted))
  write(".cache/crossfold/scan.json", '{"crossfold_scan":1,"files":{"/')
  lu.assertStrMatches(printed(run(("--plugin-path '%s' plugin list"):format(unlisted))),
    ".*\norg.example.unlisted +learner +1.0.0 +org.example.unlisted +ready.*")
end

function TestScan:test_a_folder_that_cannot_be_read_is_told()
  local status, output = run_with_few_rights("plugin scan closed")
  lu.assertEquals({ status, output },
    { 1, ("crossfold: cannot search '%s/closed': Permission denied\n"):format(home) })
end

function TestScan:test_bundled_plugins_are_used_without_a_scan()
  local status = run("run " .. script_word("require('crossfold').learner('knn')"))
  lu.assertEquals(status, 0)
  lu.assertFalse(Shell.exists(home .. "/.cache"))
end

TestAnnotate = case()

-- What the language server would read: annotations line by line.
local function parse(text)
  local classes, overloads, last = {}, {}, nil
  for line in text:gmatch("[^\n]+") do
    local class = line:match("^%-%-%-@class %(exact%) ([%a_][%w_.]*)$")
      or line:match("^%-%-%-@class ([%a_][%w_.]*)$")
    local name, kind = line:match('^%-%-%-@field ([%a_][%w_]*)%?? (.+)$')
    if not name then name, kind = line:match('^%-%-%-@field (%b[])%?? (.+)$') end
    local id, options, result = line:match(
      '^%-%-%-@overload fun%(id: (.-), params%?: ([%w_.]+)%): crossfold%.(%w+)$')
    if class then
      lu.assertNil(classes[class], class)
      last = {}
      classes[class] = last
    elseif name then
      lu.assertNil(last[name], name)
      last[name] = kind
    elseif id then
      overloads[#overloads + 1] = { id = id, options = options, result = result }
    elseif line:find("^%-%-%-@") then
      lu.assertTrue(line:find("^%-%-%-@meta %a+$") ~= nil or line:find("^%-%-%-@nodiscard$") ~= nil
        or line:find("^%-%-%-@param [%a_]+%?? [%w_.|<>, ]+$") ~= nil
        or line:find("^%-%-%-@return [%w_.]+$") ~= nil, line)
    end
  end
  return classes, overloads
end

-- What crossfold.d.lua calls a component of each kind.
local results = { learner = "Spec", transform = "Component", splitter = "Component", metric = "Metric" }

function TestAnnotate:test_the_file_is_lua_and_has_a_class_for_every_component()
  -- Folders need packages of Python and R that may be missing.
  local text = printed(run(("--plugin-path '%s' plugin annotate"):format(fixture),
    "CROSSFOLD_PLUGINS_DISABLE='*.crossfold'"))
  lu.assertEquals(text:sub(1, 18), "---@meta crossfold")
  lu.assertNotNil(load(text))
  local classes, overloads = parse(text)
  local knn = classes["crossfold.params.learner.knn"]
  lu.assertStrContains(knn.k, "integer ")
  lu.assertStrContains(knn.k, "integer >= 1, default 5")
  lu.assertStrContains(knn.distance, '"manhattan"|"euclidean"|')
  lu.assertNotNil(classes["crossfold.params.splitter.org.example.first_row"])
  local of = {}
  for _, overload in ipairs(overloads) do
    lu.assertNotNil(classes[overload.options], overload.options)
    of[overload.id] = overload.options
    local kind = overload.options:match("^crossfold%.params%.(%l+)%.")
    lu.assertEquals(overload.result, results[kind], overload.id)
  end
  lu.assertEquals(of['"knn"|"crossfold.knn"'], "crossfold.params.learner.knn")
  lu.assertEquals(of['"org.example.first_row"'], "crossfold.params.splitter.org.example.first_row")
  local _, list = run("plugin list --json", "CROSSFOLD_PLUGINS_DISABLE='*.crossfold'")
  -- Each but the sources, which are not made; and the two of the fixture.
  local count = select(2, list:gsub('"kind": "', "")) - select(2, list:gsub('"kind": "source"', ""))
    - select(2, list:gsub('"folder": true', "")) + 2
  lu.assertEquals(#overloads, count)
end

function TestAnnotate:test_the_file_is_the_same_each_time_and_goes_where_it_is_told()
  local _, text = run("plugin annotate")
  local status, output = run("plugin annotate -o plugins.d.lua")
  lu.assertEquals({ status, output }, { 0, "" })
  lu.assertEquals(Shell.read(home .. "/plugins.d.lua"), text)
end

arg = {}  -- LuaUnit would take it for its own options
os.exit(lu.LuaUnit.run("--output", "text"))
