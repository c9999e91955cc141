-- Computes the intervals of a lockbox's scores so that they hold together, whatever the number of openings. Each
-- opening has a share of the risk 1 - confidence, by one of three rules:
--   bonferroni  1/k of it where there are k openings (Bonferroni): all intervals widen with each opening
--   spending    1/2^k of it for opening k: the sum is at most 1 for any number of openings
--   adaptive    1/2^k of it for opening k, divided by the number of ways in which the earlier openings could have been
--               answered. Each of them might have led to another model, and the interval holds for all of these at once
--               (a union over transcripts: Dwork et al., STOC 2015, arXiv 1411.2664, section 1.1). It needs rows
--               that are right or wrong, so that the number of answers is finite, and uses the Chernoff bound
--               n kl(score, truth) <= log(2 / risk), which holds for any n and any risk
-- The first two hold if no model depends on the scores of earlier openings.
local native = require "crossfold.native"

local looks = {}

looks.rules = { "bonferroni", "spending", "adaptive" }

-- The logarithm of the risk of opening `number` among `count`; or nil and the reason why there is none.
local function log_risk(rule, openings, number, count, confidence)
  local log_alpha = math.log(1 - confidence)
  if rule == "bonferroni" then return log_alpha - math.log(count) end
  local log_share = log_alpha - number * math.log(2)
  if rule == "spending" then return log_share end
  for i = 1, number - 1 do
    local answer = openings[i].answer
    if not answer or answer.problem then
      return nil, ("opening %d has no score, so the number of its possible answers is not known"):format(i)
    elseif answer.method ~= "wilson" then
      return nil, ("opening %d is not a share of rows, so the number of its possible answers is not known"):format(i)
    end
    log_share = log_share - math.log(answer.rows + 1)
  end
  return log_share
end

-- The Kullback-Leibler divergence of two coins.
local function divergence(p, q)
  local sum = 0
  if p > 0 then sum = sum + p * math.log(p / q) end
  if p < 1 then sum = sum + (1 - p) * math.log((1 - p) / (1 - q)) end
  return sum
end

-- The value between `inside`, where n kl <= limit, and `outside` at which it is equal.
local function boundary(p, n, limit, outside)
  local inside = p
  for _ = 1, 200 do
    local middle = (inside + outside) / 2
    if middle == inside or middle == outside then break end
    if n * divergence(p, middle) <= limit then inside = middle else outside = middle end
  end
  return outside
end

local function chernoff(answer, log_level)
  local limit = math.log(2) - log_level
  return boundary(answer.score, answer.rows, limit, 0), boundary(answer.score, answer.rows, limit, 1)
end

-- Smaller risks are lost in 1 - risk, from which quantiles are computed.
local least_risk = 1e-12

-- The limits of an answer at a risk, within the range of its metric.
local function limits(answer, risk)
  if answer.method == "wilson" then
    local found = native.accuracy_interval(math.floor(answer.score * answer.rows + 0.5), answer.rows, "wilson",
      1 - risk)
    return found.low, found.high
  end
  local half = native.student_quantile(1 - risk / 2, answer.units - 1) * answer.standard_error
  local low, high = answer.score - half, answer.score + half
  return math.max(low, answer.least), math.min(high, answer.most)
end

-- The interval of opening `number` of the list by a rule: { low =, high =, level = of this interval alone }; or nil and
-- the reason why there is none.
function looks.interval(rule, openings, number, confidence)
  local answer = openings[number].answer
  if not answer or answer.problem then return nil, answer and answer.problem or "the opening was interrupted" end
  if not answer.method then return nil, answer.reason end
  local log_level, reason = log_risk(rule, openings, number, #openings, confidence)
  if not log_level then return nil, reason end
  local made = { level = 1 - math.exp(log_level) }
  if rule == "adaptive" then
    if answer.method ~= "wilson" then
      return nil, "the score is not a share of independent rows that are right or wrong; seal the rows with looks = "
        .. "\"spending\" for it"
    end
    made.low, made.high = chernoff(answer, log_level)
  elseif math.exp(log_level) < least_risk then
    return nil, "the lockbox was opened too often"
  else
    made.low, made.high = limits(answer, math.exp(log_level))
  end
  if made.high - made.low == math.huge then return nil, "its limits are infinite" end
  return made
end

return looks
