-- manual_test.lua PROGRAM PAGE SCRATCH: the manual page names every command and option.
package.path = arg[0]:match("^(.*)/") .. "/?.lua;" .. package.path
local lu = require "luaunit"
local Shell = require "shell"

local program, page, scratch = arg[1], arg[2], arg[3]

local function output_of(line)
  local pipe = assert(io.popen(line))
  local text = pipe:read("a")
  pipe:close()
  return text
end

-- Without the escapes of roff.
local text = Shell.read(page):gsub("\\f.", ""):gsub("\\%-", "-"):gsub("\\e", "\\")

local function exists(name) return output_of(("command -v %s || true"):format(name)) ~= "" end

-- The part of the page about a command, from its heading to the next.
local function part_of(command)
  local from = text:find(("\n.SS crossfold %s "):format(command), 1, true)
    or text:find(("\n.SS crossfold %s\n"):format(command), 1, true)
  if not from then return nil end
  return text:sub(from, (text:find("\n%.S[SH] ", from + 1) or #text + 1) - 1)
end

TestManual = {}

-- Every command that --help shows, with the commands below it, and every option in its --help.
function TestManual:test_every_command_and_option_is_in_it()
  local commands, options = 0, 0
  local function visit(path)
    local help = output_of(("'%s' %s --help"):format(program, path))
    local below = help:match("\nSubcommands:\n(.*)$")
    if below then
      for name in below:gmatch("\n?  ([%l%-]+) ") do visit(path == "" and name or path .. " " .. name) end
      return
    end
    local part = part_of(path)
    lu.assertNotNil(part, path)
    commands = commands + 1
    for option in help:gmatch("%-%-[%l][%l%-]*") do
      if option ~= "--help" then
        lu.assertStrContains(part:find(option, 1, true) and option or part, option)
        options = options + 1
      end
    end
  end
  visit("")
  lu.assertTrue(commands >= 15 and options >= 60, ("%d commands, %d options"):format(commands, options))
end

function TestManual:test_the_options_in_front_of_commands_are_in_it()
  local part = text:match("\n%.SH OPTIONS\n(.-)\n%.SH COMMANDS\n")
  for option in output_of(("'%s' --help"):format(program)):match("\nOptions:\n(.-)\n\n"):gmatch("%-%-[%l%-]+") do
    lu.assertStrContains(part, option)
  end
end

function TestManual:test_what_is_hidden_is_not_in_it()
  lu.assertNil(part_of("complete"))
  lu.assertNil(part_of("manual"))
  lu.assertNotStrContains(text, "sandbox-child")
end

function TestManual:test_groff_has_no_warnings()
  if not exists "groff" then lu.skip("there is no groff") end
  lu.assertEquals(output_of(("groff -man -Tutf8 -ww '%s' 2>&1 > '%s/manual.txt'"):format(page, scratch)), "")
  lu.assertStrContains(Shell.read(scratch .. "/manual.txt"), "measure how good a machine-learning method really is")
end

function TestManual:test_man_has_no_warnings()
  if not exists "man" then lu.skip("there is no man") end
  lu.assertEquals(output_of(("LC_ALL=C.UTF-8 man --warnings -E UTF-8 -l -Tutf8 -Z '%s' 2>&1 > '%s/manual.z'")
    :format(page, scratch)), "")
end

arg = {}  -- LuaUnit would take it for its own options
os.exit(lu.LuaUnit.run("--output", "text"))
