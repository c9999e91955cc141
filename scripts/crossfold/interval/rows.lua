-- Collects the scores of single rows over the folds of a job, for the intervals that treat rows as a sample.
local native = require "crossfold.native"
local metric = require "crossfold.metric"

local interval_rows = {}

-- Why the folds of a job have no predictions of all rows; nil if they have.
local function lacking(job)
  for _, fold in ipairs(job.folds) do
    if fold.failure then
      return ("fold %d of repeat %d failed, so not all rows were tested"):format(fold.fold, fold.repeat_)
    elseif not fold.prediction then
      return fold.missing or "no predictions were kept, so there are no scores of rows; evaluate with keep = \"labels\""
    end
  end
end

-- The scores of the rows of some predictions together: { ids, scores, weights (nil = all are 1) }; or nil, the reason,
-- and whether it is that the metric is not a mean over rows.
function interval_rows.of_predictions(predictions, value)
  local pooled = native.pool(predictions)
  local scores, weights, is_composed = metric.row_scores(value, pooled)
  if not scores then return nil, weights, is_composed end
  return { ids = pooled:row_ids(), scores = scores, weights = weights }
end

-- The weights of the rows that are tested, each once.
local function distinct_weights(rows)
  local seen, list, n = {}, {}, 0
  for i, id in ipairs(rows.ids) do
    if not seen[id] then
      seen[id], n = true, n + 1
      list[n] = rows.weights and rows.weights[i] or 1
    end
  end
  return list
end

-- How many rows of the same weight say as much as rows of these weights (Kish 1965, Survey sampling); those of weight 0
-- say nothing.
function interval_rows.effective(weights)
  local sum, squares = 0.0, 0.0
  for _, w in ipairs(weights) do sum, squares = sum + w, squares + w * w end
  return squares > 0 and sum * sum / squares or 0
end

-- Whether each score is 0 or 1.
local function all_right_or_wrong(scores)
  for _, x in ipairs(scores) do
    if x ~= 0 and x ~= 1 then return false end
  end
  return true
end

-- Those of all folds of a job; `first` and `last` are the places of the rows of each fold, `distinct` the number of
-- rows, `effective` that of rows of the same weight, `is_share` whether all scores are 0 or 1.
function interval_rows.of_job(job, value)
  local problem, predictions = lacking(job), {}
  if problem then return nil, problem, false end
  local first, last, n = {}, {}, 0
  for f, fold in ipairs(job.folds) do
    predictions[f] = fold.prediction
    first[f], last[f] = n + 1, n + #predictions[f]
    n = last[f]
  end
  local rows, reason, composed = interval_rows.of_predictions(predictions, value)
  if not rows then return nil, reason, composed end
  local weights = distinct_weights(rows)
  rows.first, rows.last, rows.is_share = first, last, all_right_or_wrong(rows.scores)
  rows.distinct, rows.effective = #weights, interval_rows.effective(weights)
  return rows
end

-- How many rows the folds of a job have predictions of.
function interval_rows.count(job)
  local n = 0
  for _, fold in ipairs(job.folds) do n = n + (fold.n_test or 0) end
  return n
end

return interval_rows
