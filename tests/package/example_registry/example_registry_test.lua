-- example_registry_test.lua SDK PROGRAM TESTS SCRATCH: a registry with outside plugins, in C, Rust and Python, is made
-- of the projects of `plugin new`, signed, served, installed from and updated. SDK is the folder of the SDK's sources,
-- TESTS has shell.lua. A language whose compiler is not installed is left out.
local sdk, program, tests, scratch = table.unpack(arg, 1, 4)
package.path = tests .. "/?.lua;" .. package.path
local lu = require "luaunit"
local Shell = require "shell"

local home = scratch .. "/example_registry"

local function quoted(text) return "'" .. text:gsub("'", "'\\''") .. "'" end
local shell = Shell.new(home, program, "PATH=/usr/bin:$PATH no_proxy=127.0.0.1")
shell.home, shell.start = home .. "/user", ("cd '%s' && "):format(home)

local function read(name) return Shell.read(home .. "/" .. name) end
local function write(name, text) shell:write(name, text) end

-- Runs a line in the folder of the test, in which $X is the program. Returns whether it succeeded, and what it printed.
local function execute(line)
  local status, output = shell:run("{ " .. line:gsub("%$X", '"$CROSSFOLD"') .. " ; } 2>&1")
  return status == 0, output
end

local function must(line)
  local ok, output = execute(line)
  lu.assertTrue(ok, line .. ":\n" .. output)
  return output
end

-- rustup finds its compilers in the home of the one who installed them.
local user_home = quoted(os.getenv("HOME") or "")
local linked = "-shared -fPIC -fvisibility=hidden -O2 -ffp-contract=off -Wl,-z,defs -Wl,--version-script="
  .. quoted(sdk .. "/cmake/crossfold_plugin.map") .. " -I" .. quoted(sdk .. "/include")
local languages = {
  { name = "c", needs = "command -v gcc", source = "src/mine.c",
    build = "gcc -std=c99 " .. linked .. " src/mine.c -lm -o build/mine.crossfold.so" },
  { name = "rust", needs = "HOME=" .. user_home .. " rustc --version", source = "src/lib.rs",
    build = "HOME=" .. user_home .. " rustc --edition 2021 --crate-type cdylib -C opt-level=2 -C strip=debuginfo "
      .. "src/lib.rs -o build/mine.crossfold.so" },
  { name = "python", needs = "/usr/bin/python3 -c 'import numpy'", source = "mine.crossfold/crossfold.json",
    build = "true", add = "--no-check" }, -- package.new_learner_python checks it, for 15 s
}

local function id_of(language) return "net.acme." .. language.name end

-- The projects with a version, each with a file crossfold-plugin.json.
local function build(version)
  for _, language in ipairs(languages) do
    local folder = language.name .. "-" .. version
    must(("$X plugin new --kind learner --lang %s --id %s --vendor Acme --output %s mine && mkdir -p %s/build"):format(
      language.name, id_of(language), folder, folder))
    local source = folder .. "/" .. language.source
    write(source, (read(source):gsub("0%.1%.0", version)))
    must(("cd %s && %s"):format(folder, language.build))
  end
end

local function add(version, registry)
  for _, language in ipairs(languages) do
    must(("$X registry add %s %s %s-%s/crossfold-plugin.json"):format(language.add or "", registry, language.name,
      version))
  end
  must(("$X registry sign %s --key acme.key"):format(registry))
end

-- The steps that all tests need: a published registry with version 0.1.0 of each, and projects with version 0.2.0.
local function prepare()
  assert(os.execute(("rm -rf %s && mkdir -p %s/user"):format(quoted(home), quoted(home))))
  local there = {}
  for _, language in ipairs(languages) do
    if execute(language.needs) then
      there[#there + 1] = language
    else
      print("skipped: " .. language.name .. " is not installed")
    end
  end
  languages = there
  build "0.1.0"
  build "0.2.0"
  must "$X registry key acme && $X registry init first --id net.acme"
  add("0.1.0", "first")
end

TestExampleRegistry = {}

local is_prepared = false

function TestExampleRegistry:setUp()
  if not is_prepared then prepare() end
  is_prepared = true
  must "rm -rf reg user && mkdir user && cp -a first reg"
end

local function install_all(from)
  for _, language in ipairs(languages) do
    must(("$X plugin install %s --from %s --key acme.pub"):format(id_of(language), from))
  end
end

-- The version of each plugin that the program would use.
local function assert_versions(version)
  local list = must "$X plugin list"
  for _, language in ipairs(languages) do
    lu.assertStrMatches(list, (".*%s +learner +%s[^\n]*ready.*"):format(id_of(language):gsub("%.", "%%."),
      version:gsub("%.", "%%.")))
  end
end

-- What a script prints that evaluates the installed plugins.
local function accuracies()
  local learners = {}
  for i, language in ipairs(languages) do learners[i] = ("%q"):format(id_of(language)) end
  write("use.lua", ([[
local cf = require "crossfold"
local x, class = {}, {}
for i = 1, 20 do x[i], class[i] = i, i <= 10 and "low" or "high" end
local columns = { { name = "x", values = x }, { name = "class", values = class } }
local result = cf.evaluate {
  data = cf.dataset { columns = columns, target = "class" },
  learners = { %s },
  splitter = cf.splitter("leave_one_out"),
  metrics = "accuracy",
}
for _, row in ipairs(result:summary()) do print(row.learner, row.mean) end
]]):format(table.concat(learners, ", ")))
  return must "$X run --quiet use.lua"
end

-- By hand: every row of 1 to 20 is nearer to the mean of its own half, also without itself.
function TestExampleRegistry:test_the_plugins_are_installed_from_the_folder_and_predict()
  install_all "reg"
  assert_versions "0.1.0"
  local expected = {}
  for i, language in ipairs(languages) do expected[i] = id_of(language) .. "\t1.0\n" end
  lu.assertEquals(accuracies(), table.concat(expected))
end

function TestExampleRegistry:test_new_versions_are_installed_by_update_and_taken_back_by_rollback()
  install_all "reg"
  add("0.2.0", "reg")
  local output = must "$X plugin update"
  for _, language in ipairs(languages) do
    lu.assertStrContains(output, ("installed %s 0.2.0, instead of 0.1.0\n"):format(id_of(language)))
  end
  assert_versions "0.2.0"
  for _, language in ipairs(languages) do
    lu.assertEquals(must("$X plugin rollback " .. id_of(language)),
      ("rolled back %s from 0.2.0 to 0.1.0, which is pinned now\n"):format(id_of(language)))
  end
  assert_versions "0.1.0"
end

function TestExampleRegistry:test_a_web_server_serves_plugins_and_pages()
  if not os.execute("command -v curl >/dev/null 2>&1") then lu.skip("curl is not installed") end
  must "$X registry docs reg"
  write("serve.py", [[
import functools, http.server
class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *args): pass
server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory="reg"))
print(server.server_port, flush=True)
server.serve_forever()
]])
  must "python3 serve.py > port 2>&1 & echo $! > pid; while ! [ -s port ]; do sleep 0.02; done"
  local url = "http://127.0.0.1:" .. read("port"):match("%d+")
  local ok, output = execute(("$X plugin install %s --from %s --key acme.pub"):format(id_of(languages[1]), url))
  local _, page = execute(("curl -s %s/docs/plugins/%s.html"):format(url, id_of(languages[1])))
  must "kill $(cat pid)"
  lu.assertEquals(ok, true, output)
  lu.assertStrContains(output, ("installed %s 0.1.0\n"):format(id_of(languages[1])))
  lu.assertEquals(page, read("reg/docs/plugins/" .. id_of(languages[1]) .. ".html"))
end

function TestExampleRegistry:test_each_language_has_a_page_with_its_parameter_and_the_output_of_its_example()
  must "$X registry docs reg"
  for _, language in ipairs(languages) do
    local page = read("reg/docs/plugins/" .. id_of(language) .. ".html")
    lu.assertStrContains(page, "Share by which the class means move to the overall mean.")
    lu.assertStrMatches(page, (".*\n%s +accuracy +1%%.0000 .*"):format(id_of(language):gsub("%.", "%%.")))
  end
end

-- What the examples of the other kinds print.
local shown = {
  transform = "net%.acme%.transform|decision_tree +accuracy +%d",
  splitter = "%d+ splits\nsplit 1: %d+ rows to train, %d+ ",
  metric = "decision_tree +net%.acme%.metric +%d",
}

function TestExampleRegistry:test_transforms_splitters_and_metrics_have_examples_that_work()
  if languages[1].name ~= "c" then lu.skip("gcc is not installed") end
  must "rm -rf kinds && $X registry init kinds --id net.acme"
  for kind in pairs(shown) do
    local make = "rm -rf KIND && $X plugin new --kind KIND --lang c --id net.acme.KIND --output KIND mine"
    must((make:gsub("KIND", kind)))
    must(("mkdir %s/build"):format(kind))
    must(("cd %s && %s && $X registry add --no-check ../kinds crossfold-plugin.json"):format(kind, languages[1].build))
  end
  must "$X registry docs kinds"
  for kind, pattern in pairs(shown) do
    local page = read(("kinds/docs/plugins/net.acme.%s.html"):format(kind))
    lu.assertNotStrContains(page, "The example failed")
    lu.assertStrMatches(page, ".*" .. pattern .. ".*")
  end
end

function TestExampleRegistry:test_a_package_of_another_builder_is_added_with_the_checks_that_it_came_with()
  local language = languages[1]
  must(("cd %s-0.2.0 && $X plugin pack -o ../mine.zip"):format(language.name))
  lu.assertStrMatches(must "$X registry add reg mine.zip", ("packed %s 0%%.2%%.0 for linux%%-[%%w_]+: %%d+ ok.*")
    :format(id_of(language):gsub("%.", "%%.")))
end

arg = {} -- LuaUnit would take it for its own options
os.exit(lu.LuaUnit.run("--output", "text"))
