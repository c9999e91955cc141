-- Prints the fold of every row, from 0, one line a repeat: what kfold{stratify = true} gives in
-- cf.evaluate with the same seed. usage: crossfold run folds.lua DATA.csv FOLDS REPEATS SEED
local cf = require "crossfold"

local data = cf.read(arg[1], { target = "class", types = { class = "categorical" } })
local n_folds, n_repeats = math.tointeger(arg[2]), math.tointeger(arg[3])
local splits = cf.split(
  cf.splitter("kfold", { folds = n_folds, repeats = n_repeats, stratify = true }), data,
  { seed = math.tointeger(arg[4]) })
local fold_of_row = {}
for r = 1, n_repeats do fold_of_row[r] = {} end
for s = 1, #splits do
  local repeat_, fold = splits:place(s)
  local _, test = splits:rows(s)
  for _, id in ipairs(test) do fold_of_row[repeat_][id] = fold - 1 end
end
for r = 1, n_repeats do print(table.concat(fold_of_row[r], " ")) end
