-- @NAME@: subtracts the mean of the training rows and divides by their standard deviation, as a
-- transform written in Lua. In a pipeline it comes before the transforms of plugins.
local cf = require "crossfold"

-- The mean of f(x) over the numbers of a list; missing entries do not count.
local function mean_of(values, f)
  local sum, count = 0, 0
  for _, x in ipairs(values) do
    if x ~= cf.null then sum, count = sum + f(x), count + 1 end
  end
  return count > 0 and sum / count or 0
end

local function is_numeric(values)
  for _, x in ipairs(values) do
    if x ~= cf.null then return type(x) == "number" end
  end
  return true
end

-- What is learned of each numeric feature, from training rows alone.
local function fit(data, _)
  local changes = {}
  for _, feature in ipairs(data:features()) do
    local values = data:column(feature)
    if is_numeric(values) then
      local mean = mean_of(values, function(x) return x end)
      local variance = mean_of(values, function(x) return (x - mean) ^ 2 end)
      changes[feature] = { mean = mean, sd = variance > 0 and math.sqrt(variance) or 1 }
    end
  end
  return changes
end

-- All features: those that stay by their names, the others as new columns.
local function apply(changes, data)
  local columns = {}
  for i, feature in ipairs(data:features()) do
    local change = changes[feature]
    columns[i] = feature
    if change then
      local values = data:column(feature)
      for row, x in ipairs(values) do
        if x ~= cf.null then values[row] = (x - change.mean) / change.sd end
      end
      columns[i] = { name = feature, values = values }
    end
  end
  return columns
end

return cf.transform { name = "@FILE@", fit = fit, apply = apply }
