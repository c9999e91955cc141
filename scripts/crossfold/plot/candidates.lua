-- Collects the settings that a search tried over all outer folds, from result:tuning(learner).
local native = require "crossfold.native"
local options = require "crossfold.options"
local parameter_axis = require "crossfold.plot.parameter_axis"
local scale = require "crossfold.plot.scale"
local subject = require "crossfold.plot.subject"
local nested_field = require "crossfold.result.nested_field"

local candidates = {}

-- Whether a race or a halving search went on without the setting: its mean is of fewer inner folds, or of less
-- of the resource, than the means of those that stayed.
local function left_early(entry, rounds)
  if entry.mean == nil then return false end
  return entry.dropped_after ~= nil or entry.round ~= nil and rounds ~= nil and entry.round < #rounds
end

local function plain(params)
  local made = {}
  for name, value in pairs(params or {}) do made[name] = parameter_axis.plain(value) end
  return made
end

-- { candidate, params, means, sds, chosen = count, mean, sd, folds, early, failure } of each setting, in the
-- order in which they were tried; how many outer folds there are, and the metric. The mean is over the outer
-- folds in which the setting has one; sd is the root of the mean square of the inner folds' deviations;
-- `early` counts the outer folds in which it left the search before its end.
function candidates.of(result, o, name)
  local rows, list, known = result:tuning(o.learner, { dataset = o.dataset }), {}, {}
  local metric
  for _, row in ipairs(rows) do
    local inner, chosen = nested_field(row, "inner") or {}, nested_field(row, "candidate")
    local rounds = nested_field(row, "rounds")
    if #inner == 0 and row.learner then inner = nested_field(row.learner, "inner") or {} end
    metric = metric or nested_field(row, "metric")
    for _, entry in ipairs(inner) do
      local one = known[entry.candidate]
      if not one then
        one = { candidate = entry.candidate, params = plain(entry.params), means = {}, sds = {},
          chosen = 0, folds = 0, early = 0 }
        known[entry.candidate], list[#list + 1] = one, one
      end
      one.folds = one.folds + 1
      if left_early(entry, rounds) then one.early = one.early + 1 end
      if scale.is_finite(entry.mean) then table.insert(one.means, entry.mean) end
      if scale.is_finite(entry.sd) then table.insert(one.sds, entry.sd ^ 2) end
      one.failure = one.failure or entry.failure
    end
    if chosen and known[chosen] then known[chosen].chosen = known[chosen].chosen + 1 end
  end
  if #list == 0 then
    subject.fail(name, "the learner has no table of settings", "give a learner that is a search, as cf.grid_search")
  end
  for _, one in ipairs(list) do
    if #one.means > 0 then one.mean = native.summary(one.means).mean end
    if #one.sds > 0 then one.sd = math.sqrt(native.summary(one.sds).mean) end
  end
  return list, #rows, metric or "score"
end

-- The parameters of which the settings have several values (a missing one is a value, too), sorted;
-- if there is none, all.
function candidates.varied(list)
  local names, varied = {}, {}
  for _, one in ipairs(list) do
    for name in pairs(one.params) do names[name] = true end
  end
  for _, name in ipairs(options.sorted_keys(names)) do
    local first = parameter_axis.text(list[1].params[name])
    for _, one in ipairs(list) do
      if parameter_axis.text(one.params[name]) ~= first then
        varied[#varied + 1] = name
        break
      end
    end
  end
  return #varied > 0 and varied or options.sorted_keys(names)
end

-- Hover text of a setting.
function candidates.label(one, outer)
  local text = ("%s: %s"):format(one.candidate, scale.text(one.mean))
  if one.sd then text = ("%s +- %s"):format(text, scale.text(one.sd)) end
  text = ("%s, chosen in %d of %s"):format(text, one.chosen, subject.count(outer, "outer fold"))
  if one.mean and #one.means < outer then text = ("%s, a mean in %d"):format(text, #one.means) end
  return one.early > 0 and ("%s, left early in %d"):format(text, one.early) or text
end

local function settings(n, one, many) return n == 1 and "1 setting " .. one or n .. " settings " .. many end

-- What a figure of settings says about those without a mean in all or some of the `outer` folds, and about
-- means that are of less than those of the others.
function candidates.note(list, outer)
  local without, some, early, first = 0, 0, 0, nil
  for _, one in ipairs(list) do
    if one.mean == nil then
      without, first = without + 1, first or one
    elseif #one.means < outer then
      some = some + 1
    end
    if one.mean and one.early > 0 then early = early + 1 end
  end
  local notes = {}
  if early > 0 then
    notes[1] = ("%s the search early in some outer folds: their means there are of fewer inner folds or of "
      .. "less of the resource."):format(settings(early, "left", "left"))
  end
  if some > 0 then
    notes[#notes + 1] = ("%s a mean in some outer folds only."):format(settings(some, "has", "have"))
  end
  if without > 0 then
    notes[#notes + 1] = ("%s no mean in any fold; the first: %s%s."):format(
      settings(without, "has", "have"), first.candidate, first.failure and " (" .. tostring(first.failure) .. ")" or "")
  end
  return notes[1] and table.concat(notes, " ")
end

-- The smallest and the largest mean; the other way round for a metric of which lower values are better
-- (`direction` is -1).
function candidates.range(list, direction)
  local low, high
  for _, one in ipairs(list) do
    if one.mean then
      low, high = math.min(low or one.mean, one.mean), math.max(high or one.mean, one.mean)
    end
  end
  if direction < 0 then low, high = high, low end
  return low, high
end

return candidates
