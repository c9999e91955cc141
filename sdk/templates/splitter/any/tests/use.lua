-- 23 rows into 5 folds: three folds of 5 rows and two of 4. The rest follows from what k-fold
-- cross-validation means.
local cf = require "crossfold"
@LOAD@

local data = { columns = { { name = "x", values = {} }, { name = "y", values = {} } }, target = "y" }
for i = 1, 23 do
  data.columns[1].values[i], data.columns[2].values[i] = i, i / 2
end
data = cf.dataset(data)

local splits = cf.split(made, data, { seed = 1 })
local sizes, times_tested, shared = {}, {}, 0
for s = 1, #splits do
  local train, test = splits:rows(s)
  sizes[s] = #test
  local is_tested = {}
  for _, row in ipairs(test) do
    is_tested[row], times_tested[row] = true, (times_tested[row] or 0) + 1
  end
  for _, row in ipairs(train) do shared = shared + (is_tested[row] and 1 or 0) end
end
table.sort(sizes)
local each_once = true
for i = 1, #data do each_once = each_once and times_tested[i] == 1 end

print("rows in test folds: " .. table.concat(sizes, " "))
print("rows in training and test: " .. shared)
print("every row is tested once: " .. tostring(each_once))
print("same seed, same splits: " .. tostring(splits:same(cf.split(made, data, { seed = 1 }))))
print("another seed, same splits: " .. tostring(splits:same(cf.split(made, data, { seed = 2 }))))
