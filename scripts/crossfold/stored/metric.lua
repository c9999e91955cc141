-- Finds the metrics of stored results: the plugin's own where it is there, one in Lua that the caller has, else
-- one that has a name and a direction and no scores.
local native = require "crossfold.native"
local metric = require "crossfold.metric"
local options = require "crossfold.options"

local stored_metric = {}

local directions = { [1] = "higher", [-1] = "lower", [0] = "neither" }

local function stand_in(row, why)
  return metric.new {
    name = row.text, direction = directions[row.direction] or "neither",
    needs_probabilities = row.needs_probabilities == true,
    score = function() return nil, why end,
  }
end

-- What stored_metric.new knows: metrics in Lua that the caller gave (by name), which of them a store
-- asked for, and by their numbers those that stand for others, so that results of the same metric have
-- the same one.
function stored_metric.known(given)
  local known = { given = {}, used = {}, stand_ins = {} }
  for i, value in ipairs(options.list("stored: option 'metrics'", given or {})) do
    if not metric.is_lua(value) then
      native.fail("stored: metric %d is a %s; only those written in Lua are needed, as cf.metric{ name =, direction =, "
        .. "score = } makes them", i, native.kind(value) or type(value))
    end
    known.given[metric.name(value)] = value
  end
  return known
end

-- Raises if a metric was given that no result in the store has, or one that is unlike its own.
function stored_metric.check_used(known, path)
  if known.problem then native.fail(known.problem) end
  for _, name in ipairs(options.sorted_keys(known.given)) do
    if not known.used[name] then
      native.fail("stored: no result in '%s' has a metric '%s' that is written in Lua", path, name)
    end
  end
end

-- The one that the caller gave for a row. What is wrong with it is reported when everything is read.
local function given_for(row, known)
  local value = known.given[row.text]
  if not value then return nil end
  known.used[row.text] = true
  local direction, wanted = directions[metric.direction(value)], directions[row.direction]
  if direction ~= wanted then
    known.problem = ("stored: metric '%s' has direction '%s', the one in the store '%s'"):format(row.text,
      direction, tostring(wanted))
  end
  return value
end

-- The metric of a design's row.
function stored_metric.new(row, known)
  if row.lua then
    local given = given_for(row, known)
    if given then return given end
    local key = ("%s %s"):format(tostring(row.lua), row.text)
    known.stand_ins[key] = known.stand_ins[key] or stand_in(row,
      ("metric '%s' is written in Lua, and the store has its scores fold by fold only; "
        .. "give it to cf.stored in the option metrics"):format(row.text))
    return known.stand_ins[key]
  end
  local ok, made = pcall(native.spec_of_text, "metric", row.text)
  if ok then return made end
  known.stand_ins[row.text] = known.stand_ins[row.text]
    or stand_in(row, ("the plugin of metric '%s' is not there"):format(row.text))
  return known.stand_ins[row.text]
end

return stored_metric
