-- compare.lua DATA ID...: the learners predict the same classes on iris and wine.
local cf = require "crossfold"

local ids = table.move(arg, 2, #arg, 1, {})

-- The data with a column of weights, 1, 1/2, 1/3 and so on.
local function with_weights(data)
  local columns, weights = {}, {}
  for _, name in ipairs(data:features()) do columns[#columns + 1] = { name = name, values = data:column(name) } end
  for i = 1, #data do weights[i] = 1 / i end
  columns[#columns + 1] = { name = "class", values = data:target() }
  columns[#columns + 1] = { name = "weight of the row", values = weights }
  return cf.dataset { columns = columns, target = "class", weights = "weight of the row" }
end

-- Labels of all rows, by models that were fitted on every other one.
local function labels(id, shrink, data)
  local rows = {}
  for i = 1, #data, 2 do rows[#rows + 1] = i end
  local model = cf.learner(id, { shrink = shrink }):fit(data:select(rows))
  return table.concat(model:predict(data):labels(), " ")
end

local n_predicted = 0
for _, name in ipairs { "iris", "wine" } do
  local plain = cf.read(("%s/%s.csv"):format(arg[1], name), { target = "class" })
  local seen, n_seen = {}, 0
  for _, data in ipairs { plain, with_weights(plain) } do
    for _, shrink in ipairs { 0, 0.3, 0.9 } do
      local expected = labels(ids[1], shrink, data)
      if not seen[expected] then n_seen = n_seen + 1 end
      seen[expected] = true
      for _, id in ipairs(ids) do
        assert(labels(id, shrink, data) == expected,
          ("%s: %s predicts other classes than %s with shrink = %g"):format(name, id, ids[1], shrink))
        n_predicted = n_predicted + #data
      end
    end
  end
  assert(n_seen > 2, name .. ": neither shrink nor weights matter")
end
print(("%d learners predict the same: %d classes"):format(#ids, n_predicted))
