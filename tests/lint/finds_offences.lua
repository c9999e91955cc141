-- A lint script that finds nothing may be broken: `lua5.4 finds_offences.lua SCRIPT TREE EXPECTED [ARGUMENT...]`
-- runs it on a tree with known offences, whose report must be the expected one.
local script, tree, expected = arg[1], arg[2], arg[3]
local command = { arg[-1], script, tree, table.unpack(arg, 4) }
for i, word in ipairs(command) do command[i] = "'" .. word .. "'" end
local pipe = assert(io.popen(table.concat(command, " ")))
local report = pipe:read("a")
local _, _, status = pipe:close()
local file <close> = assert(io.open(expected, "rb"))
if report ~= file:read("a") or status ~= 1 then
  print(("status %d, report:\n%s"):format(status, report))
  os.exit(1)
end
