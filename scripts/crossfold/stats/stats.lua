-- cf.stats: tests, intervals and fits over plain numbers, without any experiment. The functions stand
-- in the modules below; each takes one table of named options or a list of numbers, and returns a table
-- with named figures. A figure that does not exist is nil, and `undefined` says why.
local options = require "crossfold.options"
local printable = require "crossfold.stats.table"

local stats = {}

for _, name in ipairs {
  "bias_variance",
  "bootstrap",
  "paired",
  "power",
  "power_law",
  "ranks",
  "sequential",
  "variance",
} do
  local functions = require("crossfold.stats." .. name)
  for _, key in ipairs(options.sorted_keys(functions)) do stats[key] = printable(functions[key]) end
end

return options.public(stats, options.sorted_keys(stats))
