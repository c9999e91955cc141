-- registry_pages_test.lua PROGRAM CENTROIDS SCRATCH: the pages of registries. CENTROIDS is a plugin that is a folder.
package.path = arg[0]:match("^(.*)/") .. "/?.lua;" .. package.path
local lu = require "luaunit"
local Shell = require "shell"

local program, centroids, scratch = table.unpack(arg, 1, 3)
local shell -- of a test, in a folder of its own, with the registry reg/

local function path(name) return shell.folder .. "/" .. name end
local function read(name) return Shell.read(path(name)) end
local function write(name, text) shell:write(name, text) end

-- Runs a line in the folder of the test, in which $X is the program. Returns what it prints.
local function must(line)
  local status, output = shell:run("{ " .. line:gsub("%$X", '"$CROSSFOLD"') .. " ; } 2>&1")
  lu.assertEquals(status, 0, line .. ":\n" .. output)
  return output
end

-- Makes a copy of the plugin with other strings in its crossfold.json or its learner.lua.
local function make(id, changes)
  local folder = id .. ".crossfold"
  must(("rm -rf %s && cp -r '%s' %s"):format(folder, centroids, folder))
  for _, name in ipairs { "crossfold.json", "learner.lua" } do
    local text = read(folder .. "/" .. name):gsub("org%.example%.centroids", id)
    for from, to in pairs(changes or {}) do
      local start, stop = text:find(from, 1, true)
      if start then text = text:sub(1, start - 1) .. to .. text:sub(stop + 1) end
    end
    write(folder .. "/" .. name, text)
  end
  return folder
end

local function add(id, changes) must("$X registry add --no-check reg " .. make(id, changes)) end

local function page(id) return read(("reg/docs/plugins/%s.html"):format(id)) end

-- What a reader sees of a page: no tags, and one blank between words.
local function seen(text)
  text = text:gsub("<style>.-</style>", ""):gsub("<script>.-</script>", ""):gsub("<[^>]*>", " ")
  text = text:gsub("&quot;", '"'):gsub("&#39;", "'"):gsub("&gt;", ">"):gsub("&lt;", "<"):gsub("&amp;", "&")
  return (text:gsub("%s+", " "))
end

local function make_registry()
  shell = Shell.in_new_folder(scratch, program)
  must "$X registry init reg --id org.example --title 'Plugins for us'"
end

local function remove_registry() shell:remove() end

-- Several plugins in one registry, whose pages are made once.
TestPages = {}

local function add_homepage(id, homepage)
  local folder = make(id)
  must(("mkdir %s && mv %s %s"):format(id, folder, id))
  write(id .. "/crossfold-plugin.json", ('{ "crossfold_plugin": 1, "id": "%s", "artifact": "%s", "homepage": "%s" }')
    :format(id, folder, homepage))
  must(("$X registry add --no-check reg %s/crossfold-plugin.json"):format(id))
end

local function make_pages()
  make_registry()
  add "org.example.near"
  add("org.example.near", { ['"version": "1.0.0"'] = '"version": "1.1.0"' })
  add("org.example.breaks", { ["function operations.fit(request)"] = "function operations.fit(request)\n  do return "
    .. [[reply('{"error": "unsupported_data", "message": "no luck"}') end]] })
  add("org.example.broken", { ["package.path = "] = 'error("out of order")\npackage.path = ' })
  add("org.example.evil", { ["Nearest centroid in Lua"] = "<script>alert(1)</script>",
    ["The Crossfold Authors"] = "<img src=x onerror=alert(1)>", ["How far"] = "</td><b onclick='x()'>" })
  add_homepage("org.example.web", "https://example.org/near")
  add_homepage("org.example.address", "javascript:alert(1)")
  lu.assertEquals(must "$X registry docs reg", "wrote reg/docs/index.html and the pages of 6 plugins\n")
end

local is_made = false

function TestPages:setUp()
  if not is_made then make_pages() end
  is_made = true
end

function TestPages:test_a_page_shows_what_a_plugin_declares()
  local text = seen(page "org.example.near")
  for _, part in ipairs {
    "crossfold plugin install org.example.near", "Nearest centroid in Lua", "licence MIT",
    "tasks binary, multiclass accepts numeric capabilities crossfold.prepare/1, crossfold.serialize/1",
    "shrinkage real 0 ≥ 0, ≤ 1 How far the means move to the mean of all rows.",
    "crossfold plugin check was not run for this version.",
  } do
    lu.assertStrContains(text, part)
  end
end

function TestPages:test_the_newest_version_is_described_and_all_are_listed()
  local text = seen(page "org.example.near")
  lu.assertStrContains(text, "version 1.1.0 platform any")
  lu.assertStrMatches(text, ".* bytes SHA%-256 1%.1%.0 any 1%.0 %d+ %x+ 1%.0%.0 any 1%.0 %d+ %x+ .*")
end

-- By hand: every flower of the example is nearest to the mean of its own species.
function TestPages:test_a_page_shows_an_example_and_what_it_printed()
  local text = seen(page "org.example.near")
  lu.assertStrContains(text, 'learners = { "org.example.near" }, splitter')
  lu.assertStrMatches(text, ".* Output: learner metric .* org%.example%.near accuracy 1%.0000 .*")
end

function TestPages:test_an_example_that_fails_is_shown_with_its_message()
  local text = seen(page "org.example.breaks")
  lu.assertStrContains(text, "The example failed: it ended with status 3. ")
  lu.assertStrContains(text, "at fit org.example.breaks: no luck ")
end

function TestPages:test_a_plugin_that_does_not_start_has_a_page_that_says_why()
  local text = seen(page "org.example.broken")
  lu.assertStrContains(text, "The plugin cannot be described: it ended with status 1; ")
  lu.assertStrContains(text, "out of order")
end

function TestPages:test_the_list_has_hidden_words_that_the_search_finds()
  lu.assertStrMatches(read "reg/docs/index.html", '.*<a href="plugins/org%.example%.near%.html">org%.example%.near</a>'
    .. "<span hidden>[^<]* shrinkage</span>.*")
end

function TestPages:test_the_policy_allows_the_scripts_of_the_page_and_no_others()
  write("hash.py", [[
import base64, hashlib, re
page = open("reg/docs/index.html", encoding="utf-8", newline="").read()
hashes = [hashlib.sha256(text.encode()).digest() for text in re.findall("<script>(.*?)</script>", page, re.S)]
print(len(hashes), *["'sha256-" + base64.b64encode(value).decode() + "'" for value in hashes])
]])
  lu.assertEquals("2 " .. read "reg/docs/index.html":match('script%-src ([^"]*)"') .. "\n", must "python3 hash.py")
end

function TestPages:test_strings_of_plugins_are_only_text()
  for _, text in ipairs { page "org.example.evil", read "reg/docs/index.html" } do
    lu.assertNotStrContains(text, "<script>alert")
    lu.assertNotStrContains(text, "<img")
    lu.assertNotStrContains(text, "<b onclick")
    lu.assertStrContains(text, "&lt;script&gt;alert(1)&lt;/script&gt;")
  end
end

function TestPages:test_a_homepage_is_a_link_only_if_it_is_an_address_of_the_web()
  lu.assertStrContains(page "org.example.web",
    '<a href="https://example.org/near" rel="noreferrer nofollow">https://example.org/near</a>')
  lu.assertStrContains(page "org.example.address", "<p>javascript:alert(1)</p>")
end

-- Removing is last, as the other tests read the pages.
function TestPages:test_z_the_same_plugins_give_the_same_bytes_and_a_removed_one_has_no_page()
  must "cp -r reg/docs before && $X registry docs reg && diff -r before reg/docs"
  for _, name in ipairs { "near", "evil", "web", "address", "broken" } do
    must("$X registry remove reg org.example." .. name)
  end
  must "$X registry docs reg"
  lu.assertEquals(must "ls reg/docs/plugins", "org.example.breaks.html\n")
  remove_registry()
end

TestCompatibility = { setUp = make_registry, tearDown = remove_registry }

-- Changes the only result: it failed now, and there is a result of another host for other bytes.
local function change_results()
  local checks = read "reg/checks.json":gsub('"passed": true', '"passed": false')
    :gsub('"outcome": "skipped"', '"outcome": "failed"', 1)
  local start, result, stop = checks:match("^(.-%[)(.*)(%].-)$")
  local other = result:gsub('"package_sha256": "%x%x%x%x', '"package_sha256": "0000')
    :gsub('"host": "0.1.0"', '"host": "0.0.9"')
  write("reg/checks.json", start .. result .. "," .. other .. stop)
  return checks:match('"check": "([^"]+)",%s*"component": "",%s*"outcome": "failed",%s*"text": "([^"]*)"')
end

function TestCompatibility:test_the_table_has_a_column_for_each_host_that_checked_these_bytes_and_names_what_failed()
  add "org.example.near"
  must "$X registry check reg --host 0.1.0"
  local name, finding = change_results()
  must "$X registry check reg --host 0.10.0"
  local text = seen(read "reg/compatibility.html")
  lu.assertStrContains(text, "plugin version platform 0.1.0 0.10.0 ")
  lu.assertStrContains(text, ("org.example.near 1.0.0 any failed : %s passed "):format(name))
  lu.assertStrContains(text, ("org.example.near 1.0.0 0.1.0 %s failed %s "):format(name, finding))
end

-- A registry of its own.
TestDamage = {}

function TestDamage:setUp()
  self.shared = shell
  make_registry()
end

function TestDamage:tearDown()
  remove_registry()
  shell = self.shared
end

function TestDamage:test_a_missing_package_costs_no_other_page()
  add "org.example.near"
  add "org.example.gone"
  must "rm reg/packages/org.example.gone-*.zip"
  must "$X registry docs reg"
  lu.assertStrContains(seen(page "org.example.gone"),
    "The package of this plugin cannot be used: there is no such file.")
  lu.assertStrContains(seen(page "org.example.near"), "Nearest centroid in Lua")
end

-- Ctrl-C reaches all processes of a terminal. Those that a shell puts into the background ignore it.
local interrupts = [[
import os, signal, subprocess, sys, time
signal.signal(signal.SIGINT, signal.SIG_DFL)
docs = subprocess.Popen(sys.argv[1:], start_new_session=True, stderr=subprocess.PIPE, text=True)
while not os.path.exists("it_fits") and docs.poll() is None:
    time.sleep(0.05)
os.killpg(docs.pid, signal.SIGINT)
print(docs.communicate()[1] + str(docs.returncode))
]]

function TestDamage:test_an_interrupt_ends_the_examples_and_leaves_the_pages_as_they_were()
  add "org.example.near"
  must "$X registry docs reg"
  local before = must "cat reg/docs/index.html reg/docs/plugins/*"
  add("org.example.slow", { ["function operations.fit(request)"] = ("function operations.fit(request)\n"
    .. "  io.open('%s', 'w'):close()\n  while true do end"):format(path "it_fits") })
  write("interrupts.py", interrupts)
  lu.assertEquals(must "python3 interrupts.py $X registry docs reg",
    "crossfold: interrupted; the pages are as before\n130\n")
  lu.assertEquals(must "cat reg/docs/index.html reg/docs/plugins/*", before)
end

function TestDamage:test_a_name_of_a_host_that_could_not_be_read_again_is_refused()
  add "org.example.near"
  lu.assertEquals(must "$X registry check reg --host \"$(printf 'new\\nline')\" || echo $?",
    "crossfold: cannot check registry 'reg': the name of the host is not one line of text; choose another\n1\n")
end

arg = {} -- LuaUnit would take it for its own options
os.exit(lu.LuaUnit.run("--output", "text"))
