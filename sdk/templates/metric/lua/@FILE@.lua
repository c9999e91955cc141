-- @NAME@: the mean over the classes of the share of their rows that is right (balanced accuracy), as
-- a metric written in Lua.
local cf = require "crossfold"

-- A number, or nil and the reason why there is none: undefined is never a number.
local function score(truth, predicted, info)
  local right, all = {}, {}
  for i, class in ipairs(truth) do
    all[class] = (all[class] or 0) + 1
    if predicted[i] == class then right[class] = (right[class] or 0) + 1 end
  end
  local sum = 0
  for _, class in ipairs(info.classes) do
    if not all[class] then return nil, ("class '%s' has no row"):format(class) end
    sum = sum + (right[class] or 0) / all[class]
  end
  return sum / #info.classes
end

return cf.metric { name = "@FILE@", direction = "higher", score = score }
