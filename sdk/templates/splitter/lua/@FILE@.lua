-- @NAME@: shuffles the rows and deals them into folds (k-fold cross-validation), as a splitter
-- written in Lua.
local cf = require "crossfold"

local folds = 5

-- The fold of each row, from 1. `input` has n, labels or values; never features. All randomness comes
-- from context.seed: every row gets a number of its own, and the rows are dealt in their order.
local function split(input, context)
  if input.n < folds then
    error(("%d folds exceed the %d rows; use fewer folds"):format(folds, input.n), 0)
  end
  local order, number = {}, {}
  for i = 1, input.n do
    order[i], number[i] = i, cf.seed(context.seed, "row", i)
  end
  table.sort(order, function(a, b)
    if number[a] ~= number[b] then return number[a] < number[b] end
    return a < b
  end)
  local fold_of_row = {}
  for i, row in ipairs(order) do fold_of_row[row] = (i - 1) % folds + 1 end
  return { folds = fold_of_row }
end

return cf.splitter { name = "@FILE@", split = split }
