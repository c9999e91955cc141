--###begin metric
local cf = require "crossfold"

return cf.metric {
  name = "largest_miss",
  direction = "lower",
  score = function(truth, predicted)
    if #truth == 0 then return nil, "there are no rows" end
    local largest = 0
    for i, value in ipairs(truth) do largest = math.max(largest, math.abs(value - predicted[i])) end
    return largest
  end,
}
--###end metric
