-- A lint script that finds nothing may be broken: `lua5.4 finds_offences.lua SCRIPT TREE EXPECTED`
-- runs it on a tree with known offences, whose report must be the expected one.
package.path = arg[0]:match("^(.*)/") .. "/?.lua;" .. package.path
local source = require "source_files"

local script, tree, expected = arg[1], arg[2], arg[3]
local pipe = assert(io.popen(("'%s' '%s' '%s'"):format(arg[-1], script, tree)))
local report = pipe:read("a")
local _, _, status = pipe:close()
if report ~= source.read(expected) or status ~= 1 then
  print(("status %d, report:\n%s"):format(status, report))
  os.exit(1)
end
