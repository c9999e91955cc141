-- What run_cases.lua says of programs that end in every way. The programs are shell scripts that print
-- what GoogleTest prints.
local run_cases = arg[0]:gsub("_test%.lua$", ".lua")

-- The last lines of the report on a program of these lines, and whether it succeeded.
local function report(script)
  local program = os.tmpname()
  local file = assert(io.open(program, "w"))
  file:write("#!/bin/sh\n", script)
  file:close()
  assert(os.execute("chmod +x " .. program))
  local pipe = assert(io.popen(("'%s' '%s' '%s'"):format(arg[-1], run_cases, program)))
  local text = pipe:read("a"):gsub(program:gsub("%p", "%%%0"), "PROGRAM")
  os.remove(program)
  return text, pipe:close() == true
end

local began = "echo '[==========] Running 3 tests from 1 test suite.'\n"
local function run(name) return ("echo '[ RUN      ] %s'\n"):format(name) end
local function done(result, name) return ("echo '[%10s] %s (0 ms)'\n"):format(result, name) end

local function check(what, script, expected, success)
  local text, succeeded = report(script)
  if text:sub(-#expected) ~= expected or succeeded ~= success then
    error(("%s: expected the end\n%s\nof\n%s"):format(what, expected, text), 0)
  end
end

check("all pass", began .. run "A.a" .. done("OK ", "A.a") .. run "A.b" .. done("OK ", "A.b")
  .. run "A.c" .. "printf 'no line end'\n" .. done("OK ", "A.c"), "cases: 3 passed, 0 failed\n", true)
check("one fails, and is named again in the summary", began .. run "A.a" .. done("OK ", "A.a")
  .. run "A.b" .. done("FAILED  ", "A.b") .. run "A.c" .. done("SKIPPED ", "A.c")
  .. done("FAILED  ", "A.b") .. "exit 1\n", "cases: 2 passed, 1 failed\n", false)
check("a crash", began .. run "A.a" .. done("OK ", "A.a") .. run "A.b" .. "exit 134\n",
  "PROGRAM: ended (exit 134) in A.b; 2 cases did not run to their end\n"
  .. "cases: 1 passed, 2 failed\n", false)
check("a leak", began .. run "A.a" .. done("OK ", "A.a") .. run "A.b" .. done("OK ", "A.b")
  .. run "A.c" .. done("OK ", "A.c") .. "exit 23\n",
  "PROGRAM: ended badly (exit 23) after its last case\ncases: 3 passed, 1 failed\n", false)
check("an early end without an error", began .. "exit 0\n",
  "PROGRAM: ended (exit 0) in no case; 3 cases did not run to their end\n"
  .. "cases: 0 passed, 3 failed\n", false)
check("no GoogleTest program", "exit 127\n",
  "PROGRAM: ended (exit 127) in no case; 1 cases did not run to their end\n"
  .. "cases: 0 passed, 1 failed\n", false)
check("no case of the part", "echo '[==========] Running 0 tests from 0 test suites.'\n",
  "cases: 0 passed, 0 failed\n", true)
