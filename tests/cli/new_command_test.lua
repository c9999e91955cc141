-- new_command_test.lua PROGRAM SCRATCH: crossfold plugin new.
package.path = arg[0]:match("^(.*)/") .. "/?.lua;" .. package.path
local lu = require "luaunit"
local Shell = require "shell"
local refused = Shell.refused

local program, scratch = arg[1], arg[2]

-- Runs it in an empty folder; returns status, stdout, stderr and that folder.
local function new(options)
  local folder = scratch .. "/new_command"
  assert(os.execute(("rm -rf '%s' && mkdir -p '%s'"):format(folder, folder)))
  local pipe = assert(io.popen(("cd '%s' && '%s' plugin new %s 2>stderr"):format(folder, program, options)))
  local output = pipe:read("a")
  local _, _, status = pipe:close()
  return status, output, Shell.read(folder .. "/stderr"), folder
end

TestNewCommand = {}

-- The program of the build tree lies in no installed tree, so PREFIX is for the reader to fill in.
function TestNewCommand:test_it_says_what_it_made_and_what_to_type_next()
  local status, output, errors, folder = new("--kind metric --lang c 'a b'")
  lu.assertEquals({ status, errors }, { 0, "" })
  lu.assertEquals(output, [[
made metric 'org.example.a_b' in a_b:
  .clang-format
  .github/workflows/ci.yml
  .gitignore
  CMakeLists.txt
  LICENSE
  README.md
  ci.sh
  crossfold-plugin.json
  src/a_b.c
  tests/CMakeLists.txt
  tests/compare_output.cmake
  tests/use.expected
  tests/use.lua
org.example belongs to nobody: choose an id of your own (--id) before others use the plugin.

next:
  cd a_b
  cmake -S . -B build -DCMAKE_PREFIX_PATH=PREFIX
  cmake --build build
  ctest --test-dir build --output-on-failure
  crossfold plugin check build/a_b.crossfold.so
PREFIX is the folder of an installed Crossfold; this program is not in one. cmake --install makes one.
]])
  lu.assertTrue(Shell.exists(folder .. "/a_b/src/a_b.c"))
end

function TestNewCommand:test_lua_needs_no_build()
  local status, output, _, folder =
    new("--kind splitter --lang lua --id de.acme.deal --output 'my splitter' deal")
  lu.assertEquals(status, 0)
  lu.assertStrContains(output, "made splitter 'de.acme.deal' in my splitter:\n")
  lu.assertStrContains(output, [[

next:
  cd 'my splitter'
  crossfold run tests/use.lua
  sh ci.sh                 # and compare
]])
  lu.assertNotStrContains(output, "nobody's")
  lu.assertTrue(Shell.exists(folder .. "/my splitter/deal.lua"))
end

function TestNewCommand:test_cpp_has_two_names_and_is_the_default()
  for _, options in ipairs { "", "--lang c++", "--lang cpp" } do
    local status, _, _, folder = new("--kind learner x " .. options)
    lu.assertEquals(status, 0)
    lu.assertTrue(Shell.exists(folder .. "/x/src/x.cpp"))
  end
end

function TestNewCommand:test_wrong_usage_ends_with_2_and_makes_nothing()
  for _, options in ipairs { "--kind learner", "x", "--kind loss x", "--kind learner --lang go x" } do
    local status, _, errors, folder = new(options)
    lu.assertEquals(status, 2, options)
    lu.assertNotEquals(errors, "")
    lu.assertFalse(Shell.exists(folder .. "/x/README.md"))
  end
end

function TestNewCommand:test_python_and_r_need_no_build()
  for language, module in pairs { python = "crossfold_learner.py", R = "crossfold_learner.R" } do
    local status, output, _, folder = new("--kind learner --lang " .. language .. " 'a b'")
    lu.assertEquals(status, 0)
    lu.assertStrContains(output, [[

next:
  cd a_b
  crossfold --plugin-path a_b.crossfold run tests/use.lua
  crossfold plugin check a_b.crossfold
]])
    lu.assertTrue(Shell.exists(folder .. "/a_b/a_b.crossfold/" .. module))
  end
end

function TestNewCommand:test_rust_is_for_learners()
  local status, output, _, folder = new("--kind learner --lang rust x")
  lu.assertEquals(status, 0)
  lu.assertStrContains(output, "  src/crossfold.rs\n  src/lib.rs\n")
  lu.assertTrue(Shell.exists(folder .. "/x/src/lib.rs"))
  lu.assertEquals(refused(new("--kind metric --lang rust x")),
    "crossfold: cannot make project 'x': there is no template for a metric in Rust; "
    .. "use --kind learner, or --lang c++, c or lua\n")
end

function TestNewCommand:test_a_name_or_folder_that_cannot_be_is_an_error()
  lu.assertEquals(refused(new("--kind learner a/b")),
    "crossfold: cannot make plugin 'a/b': '/' cannot be part of it; use letters with "
    .. "or without accents, digits, spaces, '-', '_' and '.'\n")
  -- The folder has the file stderr in it.
  lu.assertEquals(refused(new("--kind learner --output . x")),
    "crossfold: cannot make project '.': the folder has files in it; "
    .. "name a folder that does not exist yet with --output\n")
  lu.assertEquals(refused(new("--kind learner --output /proc/x x")),
    "crossfold: cannot write '/proc/x/.clang-format': it cannot be written "
    .. "(No such file or directory); choose another place\n")
end

arg = {}  -- LuaUnit would take it for its own options
os.exit(lu.LuaUnit.run("--output", "text"))
