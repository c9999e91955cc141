-- lua5.4 run_cases.lua PROGRAM: runs the GoogleTest program and counts its cases, for builds in which
-- a process for every case would cost more than the cases. Prints what the program prints, then
-- "cases: <n> passed, <n> failed". A case that a crash cut short or kept from running has failed, and
-- so has a program that ends badly after its last case (a leak, say). ./build.sh adds the counts up.
local program = assert(arg[1], "usage: lua5.4 run_cases.lua PROGRAM")

local announced, passed, skipped, failed, running = nil, 0, 0, 0, nil

local function read(line)
  announced = announced or tonumber(line:match("^%[==========%] Running (%d+) tests? from"))
  running = line:match("^%[ RUN      %] (.+)$") or running
  -- Not at the start of the line if the case printed a text without a line end. The summary at the
  -- end of the program repeats failures, when no case is running.
  local result = running and line:match("%[ +([A-Z]+) +%] " .. running:gsub("%p", "%%%0"))
  if result == "OK" then
    passed, running = passed + 1, nil
  elseif result == "SKIPPED" then
    skipped, running = skipped + 1, nil
  elseif result == "FAILED" then
    failed, running = failed + 1, nil
  end
end

local pipe = assert(io.popen(("'%s' 2>&1"):format(program)))
for line in pipe:lines() do
  print(line)
  read(line)
end
local ended_well, how, status = pipe:close()

local cut_short = (announced or 1) - passed - skipped - failed
if cut_short > 0 then
  print(("%s: ended (%s %d) in %s; %d cases did not run to their end"):format(
    program, how, status, running or "no case", cut_short))
  failed = failed + cut_short
elseif not ended_well and failed == 0 then
  print(("%s: ended badly (%s %d) after its last case"):format(program, how, status))
  failed = 1
end
print(("cases: %d passed, %d failed"):format(passed + skipped, failed))
os.exit(failed == 0)
