-- Makes the ledger of one learner: the components of the variance of its scores, of draws that are complete.
local bounded_mean = require "crossfold.stats.bounded_mean"
local native = require "crossfold.native"
local variance = require "crossfold.stats.variance"

local variance_ledger = {}

-- Number of scores in a draw of the first source.
local function scores_per_draw(facts)
  local n = 1
  for s = 2, #facts.sources do n = n * facts.sources[s].units end
  return n
end

-- Whether draw `i` of the first source has all of its scores; or the first reason why not.
local function problem_in(row, i, per_draw)
  for p = (i - 1) * per_draw + 1, i * per_draw do
    if not row.scores[p] then return row.problems[p] or "a score is missing" end
  end
end

-- The draws of the first source in which all rows have all scores: lists of their numbers; how many are left out, and
-- the first reason.
function variance_ledger.complete(facts, rows)
  local per_draw, kept, left_out, reason = scores_per_draw(facts), {}, 0, nil
  for i = 1, facts.sources[1].units do
    local problem
    for _, row in ipairs(rows) do problem = problem or problem_in(row, i, per_draw) end
    if problem then
      left_out, reason = left_out + 1, reason or problem
    else
      kept[#kept + 1] = i
    end
  end
  return kept, per_draw, left_out, reason
end

-- The scores of these draws, one list each.
function variance_ledger.scores_by_draw(row, kept, per_draw)
  local lists = {}
  for n, i in ipairs(kept) do
    lists[n] = table.move(row.scores, (i - 1) * per_draw + 1, i * per_draw, 1, {})
  end
  return lists
end

-- Why a component is exactly 0: nothing varies inside it.
local function add_notes(row, found)
  for i, component in ipairs(found.components) do
    local is_seed = component.source == "seed" and i == #found.components
    if is_seed and component.mean_square == 0 then
      component.low, component.high = 0, 0
      component.note = ("'%s' gives the same score for every seed, so its component is 0"):format(row.name)
    elseif component.source == "tuning" and not row.is_search then
      component.note = ("'%s' is not a search and has nothing to tune, so the expected component is 0"):format(row.name)
    end
  end
end

-- { name, mean, mean_standard_error, low, high, total, sd, components, scores = their number, left_out, reason } of
-- a learner; `undefined` says why there are no numbers. See stats/variance.lua.
function variance_ledger.of(facts, row)
  local kept, per_draw, left_out, reason = variance_ledger.complete(facts, { row })
  local made = { name = row.name, left_out = left_out, reason = reason, scores = #kept * per_draw }
  if #kept < 2 then
    made.undefined = ("%d of %d draws of %s have all scores; the first problem: %s"):format(#kept,
      facts.sources[1].units, facts.sources[1].source, reason)
    return made
  end
  local scores, units, names = {}, {}, {}
  for _, list in ipairs(variance_ledger.scores_by_draw(row, kept, per_draw)) do
    table.move(list, 1, #list, #scores + 1, scores)
  end
  for s, source in ipairs(facts.sources) do
    units[s], names[s] = s == 1 and #kept or source.units, source.source
  end
  local found = variance.variance_components { scores = scores, units = units, names = names,
    confidence = facts.confidence }
  add_notes(row, found)
  for _, key in ipairs { "mean", "mean_standard_error", "mean_df", "total", "components" } do made[key] = found[key] end
  made.sd = math.sqrt(found.total)
  local half = native.student_quantile((1 + facts.confidence) / 2, found.mean_df) * found.mean_standard_error
  made.low, made.high = bounded_mean.interval(found.mean, half, facts.least, facts.most)
  return made
end

return variance_ledger
