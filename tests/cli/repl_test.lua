-- repl_test.lua PROGRAM ROOT SCRATCH: the prompt with lines from a pipe, scripts from standard input and
-- scripts that are programs.
package.path = arg[0]:match("^(.*)/") .. "/?.lua;" .. package.path
local lu = require "luaunit"
local Shell = require "shell"
local printed = Shell.printed

local program, root, scratch = arg[1], arg[2], arg[3]
local shell = Shell.new(scratch, program)
local iris = root .. "/scripts/data/iris.csv"

local function run(line) return shell:run(line) end

local function repl(text, options)
  return run(('"$CROSSFOLD" repl %s < \'%s\''):format(options or "", shell:write("repl_input", text)))
end

TestRepl = {}

function TestRepl:test_values_are_printed_without_prompts()
  lu.assertEquals({ repl('1 + 1\nx = 3\nx\n"text"\nfor i = 1, 2 do\n  print(i)\nend\n') },
    { 0, "2\n3\ntext\n1\n2\n", "" })
end

function TestRepl:test_an_error_is_one_line_and_the_session_goes_on()
  local status, output, errors = repl('cf.learner("knn", { kk = 1 })\nerror {}\nerror("a", 0)\n"on"\n')
  lu.assertEquals(status, 0)
  lu.assertEquals(output, "on\n")
  lu.assertEquals(errors, "cannot make learner 'knn': unknown parameter 'kk'; did you mean 'k'? known: "
    .. "distance, k, p, weights\n(the error is a table value)\na\n")
end

function TestRepl:test_call_stacks_are_shown_if_that_is_asked_for()
  local text = "function inner() error('broken') end\ninner()\n"
  local _, _, short = repl(text)
  lu.assertEquals(short, "broken\n")
  for _, call in ipairs { { text, "--traceback" }, { ":traceback on\n" .. text } } do
    local _, _, long = repl(call[1], call[2])
    lu.assertStrMatches(long, "broken\nstack traceback:\n.*in function 'inner'\n.*")
    lu.assertNotStrContains(long, "prompt/session.lua")
  end
end

function TestRepl:test_a_chunk_that_never_ends_is_told()
  lu.assertEquals({ repl("for i = 1, 2 do\n") },
    { 0, "", "the last lines were not run: they are incomplete\n" })
end

function TestRepl:test_what_is_to_be_closed_is_closed_when_the_session_ends()
  local make = "function make(name) return setmetatable({}, { __close = function() print(name) end }) end\n"
  local text = make .. "local a <close> = make('a')\nlocal b <close> = make('b')\nprint('last')\n"
  for _, way in ipairs { "", ":quit\n", "local c <close> = 3\n" } do
    local status, output, errors = repl(text .. way)
    lu.assertEquals({ status, output }, { 0, "last\nb\na\n" })
    lu.assertEquals(errors, way:find("close") and "variable 'c' got a non-closable value\n" or "")
  end
end

function TestRepl:test_files_run_first()
  local file = shell:write("first.lua", "answer = 42\nlocal hidden = 1\n")
  local _, output, errors = repl("answer\nhidden\n", ("'%s'"):format(file))
  lu.assertEquals({ output, errors }, { "42\nnil\n", "" })
  output, errors = select(2, repl("1\n", "/no/such.lua"))
  lu.assertEquals({ output, errors }, { "1\n", "cannot run '/no/such.lua': there is no such file\n" })
  errors = select(3, repl("", ("'%s'"):format(shell:write("broken.lua", "\nerror 'no'"))))
  lu.assertEquals(errors, scratch .. "/broken.lua:2: no\n")
end

function TestRepl:test_the_options_of_run_are_those_of_every_evaluation()
  local store = scratch .. "/repl.cfdb"
  os.remove(store)
  local text = ([[
local iris = cf.read("%s", { target = "class" })
local folds = cf.splitter("kfold", { folds = 3 })
local r = cf.evaluate{ data = iris, learners = "featureless", metrics = "accuracy", splitter = folds }
r:provenance().seed
]]):format(iris)
  local status, output, errors = repl(text, ("--seed 7 --store '%s'"):format(store))
  lu.assertEquals({ status, output }, { 0, "7\n" })
  lu.assertEquals(errors, ("store %s: 0 cells found, 3 computed\n"):format(store))
  errors = select(3, repl(text, ("--seed 7 --store '%s'"):format(store)))
  lu.assertEquals(errors, ("store %s: 3 cells found, 0 computed\n"):format(store))
end

function TestRepl:test_failed_cells_do_not_end_it()
  lu.assertEquals(printed(repl(([[
iris = cf.read("%s", { target = "class" })
bad = cf.learner("debug", { action = "throw_in_predict", when_row = 3 })
folds = cf.splitter("kfold", { folds = 3, shuffle = false })
r = cf.evaluate{ data = iris, learners = { bad = bad }, metrics = "accuracy", splitter = folds }
#r:failures()
]]):format(iris))), "1\n")
end

function TestRepl:test_os_exit_leaves_with_its_status()
  lu.assertEquals(repl("os.exit(7)\n"), 7)
end

-- The block of docs/repl.md after the marker: what one types and what comes back.
function TestRepl:test_the_session_of_the_documentation()
  local block = shell.read(root .. "/docs/repl.md"):match("<!%-%- session %-%->\n```\n(.-\n)```\n")
  local typed, expected = {}, {}
  for line in block:gmatch("([^\n]*)\n") do
    local text = line:match("^cf> (.*)$") or line:match("^%.%.> (.*)$")
    if text then typed[#typed + 1] = text else expected[#expected + 1] = line end
  end
  lu.assertTrue(#typed >= 8 and #expected >= 15)
  local _, output, errors = run(("cd '%s' && \"$CROSSFOLD\" repl < '%s' 2>&1"):format(root,
    shell:write("documented", table.concat(typed, "\n") .. "\n")))
  lu.assertEquals(output, table.concat(expected, "\n") .. "\n")
  lu.assertEquals(errors, "")
end

TestStandardInput = {}

function TestStandardInput:test_a_script_from_standard_input_runs_with_its_arguments()
  for _, options in ipairs { "", "--sandbox" } do
    lu.assertEquals({ run(("printf 'print(arg[0], arg[1], ...)\\nerror(\"x\")' | "
      .. '"$CROSSFOLD" run %s - one --two'):format(options)) },
      { 1, "stdin\tone\tone\t--two\n", "crossfold: stdin:2: x\n" })
  end
end

function TestStandardInput:test_its_result_is_printed()
  lu.assertEquals(printed(run([[echo 'return require("crossfold").learner("knn")' | "$CROSSFOLD" run -]])), "knn\n")
end

function TestStandardInput:test_a_store_keeps_its_text()
  local store = scratch .. "/stdin.cfdb"
  os.remove(store)
  local script = shell:write("from_stdin.lua", ([[
local cf = require "crossfold"
cf.evaluate{ data = cf.read("%s", { target = "class" }), learners = "featureless", metrics = "accuracy",
  splitter = cf.splitter("kfold", { folds = 3 }) }
]]):format(iris))
  lu.assertEquals(run(("\"$CROSSFOLD\" run --store '%s' - < '%s'"):format(store, script)), 0)
  local _, archive = run(("\"$CROSSFOLD\" export '%s' '%s.zip' > /dev/null && python3 -c \""
    .. "import zipfile; z = zipfile.ZipFile('%s.zip'); print('\\n'.join(z.namelist())); "
    .. "print(b''.join(z.read(n) for n in z.namelist() if n.endswith('.lua')).decode())\""):format(store, store,
    store))
  lu.assertStrContains(archive, shell.read(script))
end

function TestStandardInput:test_a_first_line_for_the_shell_is_no_lua()
  for _, options in ipairs { "", "--sandbox" } do
    local _, _, errors = run(("printf '#!/usr/bin/env lua\\nerror(\"here\")' | \"$CROSSFOLD\" run %s -")
      :format(options))
    lu.assertEquals(errors, "crossfold: stdin:2: here\n")
  end
end

function TestStandardInput:test_a_script_is_a_program()
  local script = shell:write("shebang.lua", "#!/usr/bin/env -S crossfold run --seed 5\n"
    .. "print(#arg, arg[1], arg[2], require('crossfold.native').defaults().seed)\n"
    .. "print((arg[0]:gsub('.*/', '')))\n")
  local status, output = run(("chmod +x '%s' && PATH=\"${CROSSFOLD%%/*}:%s:$PATH\" shebang.lua 'a b' --json")
    :format(script, scratch))
  lu.assertEquals({ status, output }, { 0, "2\ta b\t--json\t5\nshebang.lua\n" })
end

arg = {}  -- LuaUnit would take it for its own options
os.exit(lu.LuaUnit.run("--output", "text"))
