-- Scores a prediction of sealed rows, with what an interval needs: the number of independent units and the standard
-- error of the score.
--   wilson     each row is right or wrong, as for accuracy; rows are independent and have no weights
--   clt        a (weighted) mean over rows: the standard error of a ratio of sums over units, which are rows or groups
--              (linearised, with n - 1; Cochran, Sampling Techniques, 1977, section 6.4)
--   bootstrap  any other metric: the standard deviation over bootstrap samples of units (Efron 1979)
local native = require "crossfold.native"
local clipped = require "crossfold.result.clipped"
local metric = require "crossfold.metric"
local row_groups = require "crossfold.row_groups"

local answer = {}

local n_samples = 400
local fewest_units = 5

-- Whether rows can only have the scores 0 and 1. Scores of probabilities may be others on other rows.
local function are_right_or_wrong(value, scores)
  if metric.is_lua(value) or metric.needs_probabilities(value) then return false end
  local least, most = metric.range(value)
  if least ~= 0 or most ~= 1 then return false end
  for _, score in ipairs(scores) do
    if score ~= 0 and score ~= 1 then return false end
  end
  return true
end

-- The standard error of the mean of scores by weights.
local function error_of_mean(score, scores, weights, units)
  local n, total, sum = #units, 0, 0
  for _, unit in ipairs(units) do
    local of_unit = 0
    for _, i in ipairs(unit) do
      local w = weights and weights[i] or 1
      of_unit, total = of_unit + w * (scores[i] - score), total + w
    end
    sum = sum + of_unit * of_unit
  end
  return math.sqrt(n / (n - 1) * sum) / total
end

-- The rows of a sample of units, as one prediction.
local function sampled(prediction, rows, units, seed)
  local numbers, places = {}, {}
  for i = 1, #units do numbers[i] = i end
  for _, unit in ipairs(native.stats_bootstrap_sample(numbers, seed)) do
    for _, i in ipairs(units[math.tointeger(unit)]) do places[#places + 1] = i end
  end
  local function taken(list)
    if not list then return nil end
    local made = {}
    for i, place in ipairs(places) do made[i] = list[place] end
    return made
  end
  local labels, probabilities = prediction.labels, prediction.probabilities
  return native.prediction(rows:select(places), { labels = taken(labels), probabilities = taken(probabilities),
    values = taken(prediction.values) })
end

-- The standard error by bootstrap samples; or nil and the reason.
local function error_of_samples(value, prediction, rows, units)
  local lists = { labels = prediction:labels(), values = prediction:values(),
    probabilities = prediction:probabilities() }
  local found, first_reason = {}, nil
  for s = 1, n_samples do
    local score, reason = metric.score(value, sampled(lists, rows, units, native.seed(1, "lockbox", s)))
    found[#found + 1], first_reason = score, first_reason or reason
  end
  if #found < 0.9 * n_samples then
    return nil, ("%s has no value on %d of %d bootstrap samples: %s"):format(metric.name(value), n_samples - #found,
      n_samples, first_reason)
  end
  return native.summary(found).sd
end

local function is_finite(number) return number - number == 0 end

local function with_error(made, method, error_of_score, reason)
  if not error_of_score then
    made.reason = reason
  elseif not is_finite(error_of_score) then
    made.reason = "its standard error is not finite"
  elseif error_of_score > 1e-12 * math.max(1, math.abs(made.score)) then
    made.method, made.standard_error = method, error_of_score
  else
    made.reason = "all rows have the same score, so its spread is not known"
  end
  return made
end

-- { score =, rows =, units =, method =, standard_error = }, without a method but with `reason` where there is no
-- interval; or { problem = } if there is no score. `rows` are the sealed ones, in the order of the prediction.
function answer.of(value, prediction, rows)
  local score, problem = metric.score(value, prediction)
  if not score then return { problem = problem } end
  if not is_finite(score) then return { problem = "the score is infinite" } end
  local units, has_groups = row_groups(rows)
  local made = { score = score, rows = #rows, units = #units }
  if #units < fewest_units then
    made.reason = ("%d %s are too few for an interval"):format(#units, has_groups and "groups" or "rows")
    return made
  end
  made.reason = clipped.reason(clipped.count(value, prediction), metric.name(value))
  if made.reason then return made end
  local scores, weights = metric.row_scores(value, prediction)
  if scores and not weights and not has_groups and are_right_or_wrong(value, scores) then
    made.method = "wilson"
    return made
  elseif scores then
    return with_error(made, "clt", error_of_mean(score, scores, weights, units))
  end
  return with_error(made, "bootstrap", error_of_samples(value, prediction, rows, units))
end

return answer
