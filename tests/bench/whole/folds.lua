-- Writes NAME.folds for each data set NAME.csv of a folder: the fold of every row, from 0, one line a repeat, as
-- experiment.lua has them.
-- usage: crossfold run folds.lua FOLDER REPEATS NAME ...
local cf = require "crossfold"

local folder, repeats = arg[1], math.tointeger(arg[2])
local splitter = cf.splitter("kfold", { folds = 10, repeats = repeats, stratify = "as far as possible" })
for i = 3, #arg do
  local path = ("%s/%s"):format(folder, arg[i])
  local data = cf.read(path .. ".csv", { target = "class", types = { class = "categorical" } })
  local splits, fold_of_row = cf.split(splitter, data, { seed = 1 }), {}
  for r = 1, repeats do fold_of_row[r] = {} end
  for s = 1, #splits do
    local repeat_, fold = splits:place(s)
    local _, test = splits:rows(s)
    for _, id in ipairs(test) do fold_of_row[repeat_][id] = fold - 1 end
  end
  local file = assert(io.open(path .. ".folds", "w"))
  for r = 1, repeats do file:write(table.concat(fold_of_row[r], " "), "\n") end
  file:close()
end
