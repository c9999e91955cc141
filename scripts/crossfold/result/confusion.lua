-- Counts how often each class was predicted for each true one.
local native = require "crossfold.native"

local confusion = {}

local matrix = { __name = "crossfold.Confusion" }

-- "(without 2 of 10 folds: 2 failed)" below a table of the predictions of all folds; "" if all are there.
function confusion.left_out(made)
  local parts = {}
  for _, one in ipairs { { made.failed, "failed" }, { made.missing, "not in the store" } } do
    if (one[1] or 0) > 0 then parts[#parts + 1] = ("%d %s"):format(one[1], one[2]) end
  end
  if #parts == 0 then return "" end
  return ("\n(without %d of %d folds: %s)"):format(made.failed + made.missing, made.folds, table.concat(parts, ", "))
end

-- Of one prediction: { classes = {...}, counts = {rows by truth} }; see result:confusion for the counts of folds.
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
  return native.table_text(columns, rows) .. confusion.left_out(self)
end

return confusion
