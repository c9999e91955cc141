-- What the tree costs beside tests/budget.txt: `lua5.4 budget.lua ROOT [--write] [reference=MS [COMMAND=MS...]]`.
--   MS: milliseconds of processor time, of tests/reference_compile.cpp and of commands that have a row.
--   --write puts what is there now into the file: lines, and the times that are given.
package.path = (arg[0]:match("^(.*)/") or ".") .. "/?.lua;" .. package.path
local budget = require "rules.budget"
local tree = require("tree").read(arg[1])
local counts = budget.count_lines(tree)

local times, write = {}, false
for _, argument in ipairs { table.unpack(arg, 2) } do
  local name, milliseconds = argument:match("^([%w-]+)=(%d+)$")
  if name then times[name] = tonumber(milliseconds) else write = write or argument == "--write" end
end

-- What a row counts, as the file writes it, or nil.
local function now(row)
  if row.unit == "lines" then return counts[row.name] and ("%d"):format(counts[row.name]) end
  return (times.reference or 0) > 0 and times[row.name] and ("%.1f"):format(times[row.name] / times.reference)
end

local rows = budget.read_rows(tree)
for _, row in ipairs(rows) do rows[row.name] = row end
for name in pairs(times) do
  if name ~= "reference" and not rows[name] then rows[#rows + 1] = { name = name, unit = "reference compiles" } end
end
print(("%-20s %9s %9s"):format("budget", "now", "allowed"))
for _, row in ipairs(rows) do
  local found = now(row)
  local note = found and tonumber(found) > (row.maximum or math.huge) and ", more than allowed" or ""
  print(("%-20s %9s %9s %s%s"):format(row.name, found or "-", row.maximum or "-", row.unit, note))
  if write and found then
    local file = tree.by_name[budget.file]
    file.text = ("\n" .. file.text):gsub("\n" .. row.name:gsub("%p", "%%%0") .. " +[%d.]+ ",
      ("\n%-17s %8s "):format(row.name, found)):sub(2)
  end
end
if times.reference then print(("a reference compile takes %.1f s"):format(times.reference / 1000)) end
if write then
  local file <close> = assert(io.open(tree.by_name[budget.file].path, "w"))
  file:write(tree.by_name[budget.file].text)
end
