-- Compares two models that are fixed on the rows of one test set, row by row in a random order: the p-value and the
-- interval hold at every moment, so that one may look after each row and stop as soon as the answer is clear (Howard et
-- al. 2021; Waudby-Smith and Ramdas 2024, the methods of cf.stats.sequential_mean).
--
-- The rows of several splits are not such a sequence: their models differ, and learned from each other's test rows.
local native = require "crossfold.native"
local metric = require "crossfold.metric"
local splitter = require "crossfold.splitter"
local stats = require "crossfold.stats.stats"

local anytime = { name = "anytime-valid test by rows" }

-- The greatest absolute difference of two scores; nil if the metric is not bounded.
local function largest_difference(value)
  local least, most = metric.range(value)
  return least and most and most - least
end

-- Why the pairs of a dataset cannot be compared so, with the way out; nil if they can.
function anytime.refusal(c, dataset, design)
  if design.size > 1 then
    return ("it follows two fixed models over the rows of one test set, and these are %s, whose models learned from "
      .. "each other's test rows; use splitter = \"holdout\", or test = 'corrected_t'"):format(design.text)
  end
  if not largest_difference(c.metric_value) then
    return ("it needs scores of rows with known bounds, which '%s' does not have; use metric = 'accuracy' or 'brier'")
      :format(c.metric)
  end
  for _, result in ipairs(c.results) do
    if splitter.follows_time(result.plan.splitter) then
      return ("it takes rows for exchangeable, and '%s' tests rows that come after the others; use several splits, and "
        .. "test = 'corrected_t'"):format(tostring(result.plan.splitter))
    end
  end
  for _, role in ipairs { "groups", "weights", "time" } do
    if dataset.data:roles()[role] then
      return ("it takes rows for exchangeable, and these have %s; use a splitter with several splits, and test = "
        .. "'corrected_t'"):format(role == "time" and "a time" or role)
    end
  end
end

-- The scores of the rows of an entry, or nil and the reason.
local function row_scores(c, entry)
  local prediction = entry.folds[1].prediction
  if not prediction then
    return nil, entry.reasons[1] or "no predictions were kept; evaluate with keep = \"labels\""
  end
  local scores, reason = metric.row_scores(c.metric_value, prediction)
  if not scores then return nil, ("'%s' cannot be followed row by row: %s"):format(c.metric, reason) end
  return scores, prediction:row_ids()
end

-- The places 1 .. #ids in a random order that depends on the seed and the rows only.
local function random_order(ids, seed)
  local order, keys = {}, {}
  for i, id in ipairs(ids) do order[i], keys[i] = i, native.seed(seed, "row", id) end
  table.sort(order, function(i, j)
    if keys[i] ~= keys[j] then return keys[i] < keys[j] end
    return ids[i] < ids[j]
  end)
  return order
end

-- Fills `row` with the figures of entries a and b.
function anytime.fill(row, c, a, b)
  local first, ids = row_scores(c, a)
  local second, reason = row_scores(c, b)
  row.splits, row.splits_of = first and second and 1 or 0, 1
  if not (first and second) then
    row.undefined = not first and ids or reason
    return row
  end
  local differences = {}
  for i, place in ipairs(random_order(ids, c.options.seed)) do differences[i] = first[place] - second[place] end
  local found = stats.sequential_mean(differences, { largest = largest_difference(c.metric_value),
    confidence = c.options.confidence })
  row.mean_a, row.mean_b = native.summary(first).mean, native.summary(second).mean
  row.difference, row.rows, row.decided_at = found.mean, found.n, found.decided
  row.low, row.high, row.p, row.statistic = found.low, found.high, found.p, found.evidence
  row.undefined = found.undefined
  return row
end

-- What a reader should know about it.
function anytime.note(row)
  if not row.rows then return nil end
  local enough = row.decided_at and ("%d were enough"):format(row.decided_at) or "all left it open"
  return ("the p-value and the interval of '%s' and '%s' hold after any number of rows; of %d rows in a random "
    .. "order, %s"):format(row.a, row.b, row.rows, enough)
end

return anytime
