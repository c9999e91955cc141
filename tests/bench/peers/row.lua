-- What the scripts of the rows share: reading, the clock, and the lines that ours.py reads.
--   seconds S             wall-clock time of what was measured
--   score GROUP KEY VALUE one number to compare with the peer's; names have no spaces
--
-- Every script is started as `crossfold run --workers N SCRIPT DATA.csv [NAME=VALUE ...]`. The data
-- of datasets.py has the class in `class`, the ten folds in `fold`, and five folds in `outer`.
local cf = require "crossfold"
local native = require "crossfold.native"

local row = {}

-- The settings NAME=VALUE of the command line; lists are written a,b,c.
row.settings = {}
for i = 2, #arg do
  local name, value = arg[i]:match("^([^=]*)=(.*)$")
  row.settings[name] = value
end

-- The numbers of a list on the command line.
function row.numbers(name)
  local list = {}
  for number in row.settings[name]:gmatch("[^,]+") do list[#list + 1] = math.tointeger(number) end
  return list
end

-- The data without a fold column, or with `fold` as its folds.
function row.read(folds)
  local types = { class = "categorical", outer = "ignore" }
  if not folds then types.fold = "ignore" end
  return cf.read(arg[1], { target = "class", types = types, folds = folds })
end

-- Runs `work`, prints how long it took, and returns what it returned.
function row.time(work)
  local began = native.seconds()
  local found = work()
  print(("seconds %.9f"):format(native.seconds() - began))
  return found
end

function row.print_score(group, key, value)
  print(("score %s %s %.17g"):format(group, key, value))
end

-- Mean accuracy of every candidate of a search. Its key is the values of the parameters `names` in
-- this order, joined by commas.
function row.print_candidates(detail, group, names)
  for _, entry in ipairs(detail.inner) do
    local values = {}
    for i, name in ipairs(names) do values[i] = tostring(entry.params[name]) end
    row.print_score(group, table.concat(values, ","), entry.mean)
  end
end

return row
