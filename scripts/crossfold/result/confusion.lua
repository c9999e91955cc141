-- Counts how often each class was predicted for each true one.
local native = require "crossfold.native"

local confusion = {}

local matrix = { __name = "crossfold.Confusion" }

-- Of one prediction: { classes = {...}, counts = {rows by truth} }.
function confusion.of(prediction)
  local counts = native.confusion(prediction)
  if not counts then native.fail("confusion: the target is not categorical") end
  return setmetatable({ classes = prediction:classes(), counts = counts }, matrix)
end

function matrix:__tostring()
  local columns, rows = { "truth" }, {}
  for _, class in ipairs(self.classes) do columns[#columns + 1] = class end
  for t, class in ipairs(self.classes) do
    local row = { truth = class }
    for c, predicted in ipairs(self.classes) do row[predicted] = self.counts[t][c] end
    rows[t] = row
  end
  return native.table_text(columns, rows)
end

return confusion
