-- A copy of a list of rows and of each row, for callers who may change what they get.
local options = require "crossfold.options"

return function(rows)
  local copied = {}
  for i, row in ipairs(rows) do copied[i] = options.joined(row) end
  return copied
end
