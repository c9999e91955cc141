-- Data and small functions that the tests of calibration and of thresholds share.
local cf = require "crossfold"

local adjust_data = {}

-- n rows of class no or yes (one in three), with two noisy features; the same on every machine.
function adjust_data.noisy(n, options)
  local x, z, y, group, weight = {}, {}, {}, {}, {}
  local state = 12345
  local function draw()  -- Park and Miller's minimal standard generator
    state = state * 16807 % 2147483647
    return state / 2147483647
  end
  for i = 1, n do
    local yes = i % 3 == 0
    x[i] = (yes and 0.6 or 0) + draw() + draw() - draw()
    z[i] = x[i] + 0.3 * draw()
    y[i] = yes and "yes" or "no"
    group[i] = (i + 1) // 2
    weight[i] = 0.5 + draw()
  end
  local o = options or {}
  local columns = {
    { name = "x", values = x }, { name = "z", values = z },
    { name = "y", values = o.target or y, levels = { "no", "yes" } },
  }
  if o.groups then columns[#columns + 1] = { name = "g", values = group } end
  if o.weights then columns[#columns + 1] = { name = "w", values = weight } end
  return cf.dataset { name = "noisy", target = "y", columns = columns, costs = o.costs,
    groups = o.groups and "g" or nil, weights = o.weights and "w" or nil }
end

-- { [row] = { p =, yes = } }: what `learner` predicts out of the inner folds of a fit with `seed`.
function adjust_data.out_of_fold(learner, data, seed, splitter)
  local splits = cf.split(splitter or cf.splitter("kfold", { folds = 5, stratify = true }), data,
    { seed = seed })
  local found = {}
  for s = 1, #splits do
    local p = learner:fit(splits:train(s)):predict(splits:test(s))
    local truth, probabilities = p:truth(), p:probabilities()
    for i, row in ipairs(p:row_ids()) do
      found[row] = { p = probabilities[i][2], yes = truth[i] == "yes" }
    end
  end
  return found
end

function adjust_data.bytes(result)
  local parts = {}
  for _, row in ipairs(result:scores()) do
    parts[#parts + 1] = row.value and string.pack("d", row.value) or row.undefined
  end
  return table.concat(parts, "|")
end

-- Raises unless `model`, saved and loaded, predicts the same numbers, and saves as the same bytes.
function adjust_data.check_saved(model, rows)
  local path = os.tmpname()
  model:save(path)
  local loaded = cf.load(path)
  os.remove(path)
  local expected, actual = model:predict(rows), loaded:predict(rows)
  for i, label in ipairs(expected:labels()) do assert(actual:labels()[i] == label) end
  local all, again = expected:probabilities(), actual:probabilities()
  for i, row in ipairs(all) do
    for c, number in ipairs(row) do assert(again[i][c] == number, "another probability") end
  end
  assert(tostring(loaded) == tostring(model))
  assert(loaded:to_bytes("m") == model:to_bytes("m"), "saved as other bytes")
end

return adjust_data
