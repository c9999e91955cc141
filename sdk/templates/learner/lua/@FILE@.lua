-- @NAME@: predicts the class whose mean of the training rows is nearest (nearest centroid), as a
-- learner written in Lua.
local cf = require "crossfold"

-- The sums and counts of the rows of each class become means. context.seed would seed random draws.
local function fit(data, _)
  if data:task() ~= "classification" then error("the target is not categorical", 0) end
  local model = { features = data:features(), classes = data:classes(), means = {} }
  local target = data:target()
  for j, feature in ipairs(model.features) do
    local sums, counts = {}, {}
    for i, x in ipairs(data:column(feature)) do
      if type(x) ~= "number" then
        error(("feature '%s' has a missing entry or is not a number"):format(feature), 0)
      end
      sums[target[i]] = (sums[target[i]] or 0) + x
      counts[target[i]] = (counts[target[i]] or 0) + 1
    end
    for class, sum in pairs(sums) do
      model.means[class] = model.means[class] or {}
      model.means[class][j] = sum / counts[class]
    end
  end
  return model
end

-- The class with the smallest squared distance; ties go to the class that comes first.
local function nearest(model, columns, i)
  local best, least
  for _, class in ipairs(model.classes) do
    local mean, distance = model.means[class], 0
    for j = 1, mean and #columns or 0 do
      distance = distance + (columns[j][i] - mean[j]) ^ 2
    end
    if mean and (not best or distance < least) then best, least = class, distance end
  end
  return best
end

-- One class name per row. `data` has no target here.
local function predict(model, data)
  local columns, labels = {}, {}
  for j, feature in ipairs(model.features) do columns[j] = data:column(feature) end
  for i = 1, #data do labels[i] = nearest(model, columns, i) end
  return labels
end

return cf.learner { name = "@FILE@", fit = fit, predict = predict }
