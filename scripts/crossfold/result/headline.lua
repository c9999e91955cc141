-- The number that stands for the scores of a learner on all test sets. It is their mean, except where that is a number
-- of something else: the rule is in crossfold/test_sets.h, what was measured in docs/metrics_scores.md.
--   "mean over folds"          of the folds in which the metric is defined
--   "weighted by rows"         the same, folds counting by the weight of their rows: a mean over rows with weights
--   "pooled over predictions"  one score of all predictions: metrics that need larger folds than these
local native = require "crossfold.native"
local metric = require "crossfold.metric"

local headline = { mean = "mean over folds", by_weight = "weighted by rows", pooled = "pooled over predictions" }

local by_splits = setmetatable({}, { __mode = "k" })  -- { sets =, [metric] = its aggregation }

local function known(splits)
  by_splits[splits] = by_splits[splits] or { sets = native.test_sets(splits), of = setmetatable({}, { __mode = "k" }) }
  return by_splits[splits]
end

-- Which of the three it is for a metric on splits; nobody knows their sizes without them.
function headline.aggregation(splits, value)
  if not splits then return headline.mean end
  local of = known(splits).of
  of[value] = of[value] or native.aggregation(splits, not metric.is_lua(value) and value or nil,
    metric.test_size(value))
  return of[value]
end

-- The weight of the rows of each split.
function headline.weights(splits) return known(splits).sets.weights end

-- All kept predictions of a job in one (of `without`, the number of a fold, none); or nil and why there are none. Where
-- the store has those of some folds only, they do not pass for all.
function headline.pool(result, job, without)
  local parts, unkept = {}, 0
  for f, fold in ipairs(job.folds) do
    if fold.prediction and f ~= without then parts[#parts + 1] = fold.prediction end
    if fold.unkept then unkept = unkept + 1 end
  end
  if unkept > 0 and result.plan.keep ~= "none" then
    return nil, ("the store has no predictions of %d of %d folds"):format(unkept, #job.folds)
  elseif #parts == 0 then
    return nil, result.plan.keep == "none" and "no predictions were kept; evaluate with keep = \"labels\""
      or "no fold has predictions"
  end
  return native.pool(parts)
end

-- The score of metric m of the plan over all kept predictions (without those of a fold); or nil, why there is none, and
-- whether it is that predictions are lacking.
function headline.pooled_score(result, job, m, without)
  local value = result.plan.metrics[m]
  if metric.needs_probabilities(value) and result.plan.cell_keep ~= "probabilities" then
    return nil, "no probabilities were kept; evaluate with keep = \"probabilities\"", true
  end
  local pooled, reason = headline.pool(result, job, without)
  if not pooled then return nil, reason, true end
  return metric.score(value, pooled)
end

-- That pooling compares the predictions of several models with each other, though their probabilities need not be on
-- one scale: for metrics that rank rows by them. nil for a mean over rows, and of one model.
function headline.pooling_note(result, job, m)
  local value, n = result.plan.metrics[m], 0
  for _, fold in ipairs(job.folds) do n = n + (fold.prediction and 1 or 0) end
  if n < 2 or not metric.needs_probabilities(value) or metric.is_mean_over_rows(value, job.data) then return nil end
  return ("it ranks or bins the rows of %d models together, and their probabilities need not be comparable: a constant "
    .. "forecast by leave-one-out gets an AUC of 0"):format(n)
end

-- The mean of values[i] that count by weights[i]; values may have holes.
function headline.weighted_mean(values, weights)
  local sum, total = 0.0, 0.0
  for i, weight in ipairs(weights) do
    if values[i] then sum, total = sum + weight * values[i], total + weight end
  end
  if total > 0 then return sum / total, total end
end

local function values_of(job, m)
  local values, reasons, n = {}, {}, 0
  for s, fold in ipairs(job.folds) do
    if fold.failure then
      reasons[s] = ("failed at %s: %s"):format(fold.failure.stage, fold.failure.message)
    else
      values[s], reasons[s] = fold.values[m], fold.reasons[m]
      n = n + (values[s] and 1 or 0)
    end
  end
  return values, reasons, n
end

-- The number of metric m for a job, if it is another than the mean over folds: { aggregation, value, undefined }.
function headline.of(result, job, m)
  local found = { aggregation = headline.aggregation(job.splits, result.plan.metrics[m]) }
  if found.aggregation == headline.by_weight then
    found.value = headline.weighted_mean(values_of(job, m), headline.weights(job.splits))
  elseif found.aggregation == headline.pooled then
    found.value, found.undefined = headline.pooled_score(result, job, m)
  end
  return found
end

-- Turns the scores of the pool without each fold into values whose mean is `all`, by the jackknife.
local function to_pseudo_values(values, all, n)
  local sum = 0.0
  for _, value in pairs(values) do sum = sum + value end
  for s, value in pairs(values) do values[s] = all + (n - 1) * (sum / n - value) end
end

-- The pseudo-values of a pooled score: of the folds that have predictions.
local function pooled_values(result, job, m)
  local values, reasons, n = {}, {}, 0
  local all, reason, lacks = headline.pooled_score(result, job, m)
  for s, fold in ipairs(job.folds) do
    if fold.failure then
      reasons[s] = ("failed at %s: %s"):format(fold.failure.stage, fold.failure.message)
    elseif fold.missing or not all then
      reasons[s] = fold.missing or reason
    else
      values[s], reasons[s] = headline.pooled_score(result, job, m, s)
      n = n + (values[s] and 1 or 0)
    end
  end
  to_pseudo_values(values, all, n)
  return values, reasons, all == nil and not lacks
end

-- What each split adds to the number of a job: values[split], whose mean is this number, and reasons[split] where there
-- is none. They are the scores, or for the other two how much the number changes with the split. And whether a pooled
-- number is undefined in spite of predictions.
function headline.split_values(result, job, m)
  local aggregation = headline.aggregation(job.splits, result.plan.metrics[m])
  if aggregation == headline.pooled then return pooled_values(result, job, m) end
  local values, reasons, n = values_of(job, m)
  if aggregation == headline.mean then return values, reasons end
  local weights = headline.weights(job.splits)
  local mean, total = headline.weighted_mean(values, weights)
  if mean and math.abs(mean) < math.huge then
    for s, value in pairs(values) do values[s] = mean + n * weights[s] / total * (value - mean) end
  end
  return values, reasons
end

-- "5 rows", "4 rows of the rarest class": the size of folds that are too small for a metric.
local function size_text(value, splits)
  local sets, least = known(splits).sets, metric.test_size(value)
  local of_rows = sets.rows < least
  return ("%.3g rows%s"):format(of_rows and sets.rows or sets.class_rows, of_rows and "" or " of the rarest class")
end

-- What is to be said of the numbers of a metric below a table; nil of a mean over folds.
function headline.note(value, splits)
  local name, aggregation = metric.name(value), headline.aggregation(splits, value)
  if aggregation == headline.by_weight then return ("%s: the mean over the rows by their weights"):format(name) end
  if aggregation ~= headline.pooled then return nil end
  return ("%s: one score of all predictions together; folds of %s are too small for a mean of scores: "
    .. "docs/metrics_scores.md"):format(name, size_text(value, splits))
end

-- The same where there is nothing but the mean of scores, as in a curve that fits each of its points several times.
function headline.too_small(value, splits)
  if headline.aggregation(splits, value) ~= headline.pooled then return nil end
  return ("%s: test sets of %s are too small for a mean of scores, which is not that of new rows; use larger ones: "
    .. "docs/metrics_scores.md"):format(metric.name(value), size_text(value, splits))
end

return headline
