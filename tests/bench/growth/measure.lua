-- Measures one subject at one size, in a process of its own:
--   crossfold run measure.lua FOLDER NAME SIZE    prints the seconds and the kilobytes that it takes
--   crossfold run measure.lua --list              prints the table of the subjects
-- Seconds are those of the processor, of all threads. Kilobytes are the peak of the resident memory above what the
-- process had when the work began, as the kernel counts it.
local here = arg[0]:match("^(.*)/[^/]*$") or "."
package.path = here .. "/?.lua;" .. package.path
local subjects = require "subjects"

local function memory(field)
  for line in io.lines("/proc/self/status") do
    local kilobytes = line:match("^" .. field .. ":%s*(%d+) kB")
    if kilobytes then return math.tointeger(kilobytes) end
  end
end

local function reset_peak()
  local file = assert(io.open("/proc/self/clear_refs", "w"))
  file:write("5")
  file:close()
end

local function measure(subject, n, folder)
  local work = subject.make(n, folder)
  collectgarbage()
  collectgarbage()
  reset_peak()
  local before, began = memory("VmRSS"), os.clock()
  local kept = work()
  local seconds = os.clock() - began
  print(("seconds %.6f"):format(seconds))
  print(("kilobytes %d"):format(math.max(memory("VmHWM") - before, 0)))
  return kept
end

if arg[1] == "--list" then
  for _, one in ipairs(subjects.list) do
    print(table.concat({ one.name, one.theme, one.time, one.memory, one.from, one.to, one.quick and "quick" or "",
      one.why or "" }, "\t"))
  end
else
  for _, one in ipairs(subjects.list) do
    if one.name == arg[2] then measure(one, math.tointeger(arg[3]), arg[1]) end
  end
end
