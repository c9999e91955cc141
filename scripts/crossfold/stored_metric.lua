-- Metrics of stored results: the plugin's own where it is there, else one that has a name and a
-- direction and no scores.
local native = require "crossfold.native"
local metric = require "crossfold.metric"

local stored_metric = {}

local directions = { [1] = "higher", [-1] = "lower", [0] = "neither" }

local function stand_in(row, why)
  return metric.new {
    name = row.text, direction = directions[row.direction] or "neither",
    needs_probabilities = row.needs_probabilities == true,
    score = function() return nil, why end,
  }
end

-- The metric of a design's row. `known` keeps those in Lua by their numbers, so that results of the
-- same metric have the same one.
function stored_metric.new(row, known)
  if row.lua then
    local key = ("%s %s"):format(tostring(row.lua), row.text)
    known[key] = known[key] or stand_in(row,
      ("metric '%s' is written in Lua, and the store has its scores fold by fold only"):format(row.text))
    return known[key]
  end
  local ok, made = pcall(native.spec_of_text, "metric", row.text)
  if ok then return made end
  known[row.text] = known[row.text]
    or stand_in(row, ("the plugin of metric '%s' is not there"):format(row.text))
  return known[row.text]
end

return stored_metric
