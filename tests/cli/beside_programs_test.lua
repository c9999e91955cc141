-- beside_programs_test.lua PROGRAM PLUGINS SCRATCH: the commands that crossfold leaves to crossfold-plugin and
-- crossfold-store, seen from outside: they are found, and are one process with what was typed.
package.path = arg[0]:match("^(.*)/") .. "/?.lua;" .. package.path
local lu = require "luaunit"
local Shell = require "shell"
local printed, refused = Shell.printed, Shell.refused

local program, plugins, scratch = arg[1], arg[2], arg[3]
local build = program:match("^(.*)/")

local function folder(name)
  local path = scratch .. "/" .. name
  assert(os.execute(("rm -rf '%s' && mkdir -p '%s'"):format(path, path)))
  return path
end

local shell = Shell.new(folder("beside_programs"), program)
local store = shell.folder .. "/run.cfdb"

-- The program without those beside it, as the first build of a tree has it; so deep that it does not find those of
-- the build.
local function alone()
  local path = folder("beside_programs_alone/1/2/3/4")
  assert(os.execute(("cp '%s' '%s/crossfold'"):format(program, path)))
  return Shell.new(path, path .. "/crossfold")
end

TestBesidePrograms = {}

function TestBesidePrograms:test_without_them_a_sentence_says_what_is_missing()
  local lonely = alone()
  for command, name in pairs { ["plugin check --list"] = "plugin", ["registry list"] = "plugin",
                               ["merge a.cfdb b.cfdb"] = "store", ["export a.cfdb a.zip"] = "store" } do
    local words = command:match("^plugin %a+") or command:match("^registry %a+") or command:match("^%a+")
    local message = refused(lonely:crossfold(command))
    lu.assertStrContains(message, ("crossfold: cannot run command '%s': there is no program crossfold-%s; searched: %s"
      .. "/crossfold-%s "):format(words, name, lonely.folder, name))
    lu.assertStrContains(message, "; ./build.sh build makes all programs, and cmake --install puts them there\n")
  end
end

-- Help, completion and manual are those of the whole program, with its messages about wrong lines.
function TestBesidePrograms:test_without_them_every_command_is_described()
  local lonely = alone()
  for _, line in ipairs { "--help", "manual", "help registry", "plugin check --help", "registry init --help",
                          "merge --help", "complete -- plugin ''", "complete -- merge --", "merge", "verify --seed x s",
                          "plugin check --fuzz never x", "plugin chek", "gc --keep 3 s" } do
    lu.assertEquals({ lonely:crossfold(line) }, { shell:crossfold(line) })
  end
  lu.assertEquals({ lonely:crossfold("complete -- plugin check --explain fit") }, { 0, "", "" })
end

function TestBesidePrograms:test_they_are_found_in_an_installed_tree()
  local tree = folder("beside programs tree")
  assert(os.execute(("mkdir -p '%s/bin' '%s/libexec/crossfold' && cp '%s' '%s/bin' && "
    .. "cp '%s/crossfold-plugin' '%s/crossfold-store' '%s/libexec/crossfold' && ln -s '%s/bin/crossfold' '%s/link'")
    :format(tree, tree, program, tree, build, build, tree, tree, tree)))
  local _, expected = shell:crossfold("plugin check --list")
  lu.assertStrContains(expected, "fit-smoke")
  for _, path in ipairs { "/bin/crossfold", "/link" } do
    lu.assertEquals({ Shell.new(shell.folder, tree .. path):crossfold("plugin check --list") }, { 0, expected, "" })
  end
  -- A name in PATH, and from another folder.
  lu.assertEquals(printed(shell:run("cd / && PATH='%s/bin:'$PATH crossfold plugin check --list", tree)), expected)
end

function TestBesidePrograms:test_status_output_and_the_options_before_the_command_pass()
  lu.assertEquals({ shell:crossfold("plugin check") },
    { 2, "", "crossfold: name a plugin file: crossfold plugin check FILE...\n" })
  lu.assertStrContains(refused(shell:crossfold("--quiet --locked=none.lock gc '%s'", store)), "none.lock")
  lu.assertStrContains(refused(shell:crossfold("merge '%s/a b.cfdb' ''", shell.folder)), "''")
  lu.assertEquals({ shell:run('cd "%s" && "$CROSSFOLD" plugin new --kind metric --lang lua --output "a  b" "" 2>&1',
    shell.folder) }, { 1, "crossfold: cannot make plugin '': it has no letter and no digit; give it a name\n", "" })
end

-- One process: what ends it, ends the work.
function TestBesidePrograms:test_a_signal_reaches_the_work()
  local status, output, errors = shell:run([["$CROSSFOLD" plugin check --fuzz 60s '%s/knn.crossfold.so' &
    process=$!
    for i in $(seq 100); do
      case "$(readlink /proc/$process/exe)" in *crossfold-plugin) break ;; esac
      sleep 0.1
    done
    sleep 0.5
    kill -TERM $process
    wait $process]], plugins)
  lu.assertEquals(status, 130)
  lu.assertStrContains(output, "knn.crossfold.so\n")
  lu.assertStrContains(errors, "interrupted\n")
end

function TestBesidePrograms:test_a_program_beside_runs_no_command_of_the_other()
  local beside = Shell.new(shell.folder, build .. "/crossfold-store")
  lu.assertStrContains(printed(beside:crossfold("status --help")), "crossfold status [OPTIONS] store")
  lu.assertEquals({ beside:crossfold("status '%s'", store) }, { shell:crossfold("status '%s'", store) })
end

os.exit(lu.LuaUnit.run("-o", "text"))
