-- Counts the rows whose probability a metric clips. One of them adds -ln(clip) to the sum of a log loss, 34.5 by
-- default, so that the mean says little but how many there are.
local native = require "crossfold.native"

local clipped = {}

-- The probability that a metric clips to; nil for a metric that does not clip. With clip = 0 the score is infinite.
function clipped.at(value)
  if native.kind(value) ~= "metric" or value:id() ~= "crossfold.log_loss" then return nil end
  local clip = value:params().clip
  return clip > 0 and clip or nil
end

-- The most rows of a fold that can be clipped, by its score; nil with weights.
local function most_of(fold, place, job, clip)
  local value, weights = fold.values[place], job.data and job.data:roles().weights
  if weights or not fold.n_test then return nil end
  return value and math.floor(value * fold.n_test / -math.log(clip) + 1e-9) or 0
end

-- Counts over the folds of a job by metric `value` in `place` of the plan: { rows, clipped, at, exposed = rows whose
-- probability would be clipped if they were of another class }. Without kept probabilities `exposed` is nil, and
-- `clipped` the most that the scores allow, or nil. Nil for a metric that does not clip.
function clipped.of(job, place, value)
  local clip = clipped.at(value)
  if not clip then return nil end
  local found = { rows = 0, clipped = 0, exposed = 0, at = clip }
  for _, fold in ipairs(job.folds) do
    if not fold.failure then
      local one = fold.prediction and native.clipped_rows(fold.prediction, clip)
        or { rows = fold.n_test or 0, clipped = most_of(fold, place, job, clip) }
      found.rows = found.rows + one.rows
      found.clipped = found.clipped and one.clipped and found.clipped + one.clipped
      found.exposed = found.exposed and one.exposed and found.exposed + one.exposed
    end
  end
  return found
end

-- The same of one prediction; nil also without probabilities.
function clipped.count(value, prediction)
  local clip = clipped.at(value)
  local found = clip and native.clipped_rows(prediction, clip)
  if found then found.at = clip end
  return found
end

-- "3 of 320 tested rows gave their class a probability of at most 1e-15, where log_loss is clipped"; nil if none did.
function clipped.note(found, metric_name)
  if not found or found.clipped == 0 then return nil end
  if not found.clipped then
    return ("nobody knows how many rows %s clips at %g without kept probabilities; use keep = \"probabilities\"")
      :format(metric_name, found.at)
  end
  return ("%s%d of %d tested rows gave their class a probability of %g or less, where %s is clipped"):format(
    found.exposed and "" or "up to ", found.clipped, found.rows, found.at, metric_name)
end

-- Why an interval of such rows would not hold, and the way out; nil if it may. `exposed` also counts.
function clipped.reason(found, metric_name)
  local way = "use \"brier\", or a learner whose probabilities are not 0"
  if not found then return nil end
  if not found.exposed then
    return ("without probabilities nobody knows which rows %s clips"):format(metric_name),
      "evaluate with keep = \"probabilities\""
  elseif found.clipped > 0 then
    return clipped.note(found, metric_name) .. ", so that the mean is how many these are", way
  elseif found.exposed > 0 then
    return ("%d of %d tested rows gave some class a probability of %g or less, so that new rows may be clipped, and "
      .. "none of these was"):format(found.exposed, found.rows, found.at), way
  end
end

return clipped
