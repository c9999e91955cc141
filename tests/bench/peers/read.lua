-- Reads a file of numbers. usage: crossfold run read.lua DATA.csv
local row = dofile((arg[0]:match("^(.*/)") or "./") .. "row.lua")
local cf = require "crossfold"

local data = row.time(function() return cf.read(arg[1]) end)
row.print_score("rows", "all", #data)
for _, name in ipairs(data:features()) do
  local sum = 0
  for _, value in ipairs(data:column(name)) do sum = sum + value end
  row.print_score("mean", name, sum / #data)
end
