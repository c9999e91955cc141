-- The probability that one learner gets the better score than another when all sources are drawn again (X. Bouthillier
-- et al. 2021, MLSys, section 4), with an interval.
--
-- They take pairs of scores that are all drawn independently, and a bootstrap of the pairs. Pairs of one draw of the
-- first source depend on each other here, so the interval is one of the mean over the draws of the first source,
-- which are independent: t, between 0 and 1 (see stats/bounded_mean.lua). If all draws agree there is no spread to
-- estimate: if each says all or nothing, the interval is that of C. J. Clopper and E. S. Pearson 1934 (Biometrika 26,
-- 404-413) for the number of draws, else that of the largest spread a share can have.
local bounded_mean = require "crossfold.stats.bounded_mean"
local native = require "crossfold.native"
local number_text = require "crossfold.text.number_text"
local variance_ledger = require "crossfold.variance.ledger"

local outperforming = {}

-- The share of pairs that `first` wins; a tie is half.
local function share_won(first, second, direction)
  local won = 0
  for i, score in ipairs(first) do
    local difference = direction * (score - second[i])
    won = won + (difference > 0 and 1 or difference == 0 and 0.5 or 0)
  end
  return won / #first
end

local function interval(shares, mean, confidence)
  local n, sd = #shares, native.summary(shares).sd
  local tail = (1 - confidence) / 2
  if mean == 0 then return 0, 1 - tail ^ (1 / n) end
  if mean == 1 then return tail ^ (1 / n), 1 end
  if sd == 0 then sd = math.sqrt(mean * (1 - mean)) end
  return bounded_mean.interval(mean, native.student_quantile(1 - tail, n - 1) * sd / math.sqrt(n), 0, 1)
end

-- What the interval says, as the paper decides: gamma is the least probability that matters.
local function verdict(found)
  if found.low <= 0.5 and found.high >= 0.5 then return "not shown which one is better" end
  local better = found.low > 0.5 and found.first or found.second
  local reachable = found.low > 0.5 and found.high or 1 - found.low
  if reachable <= found.gamma then
    return ("'%s' is better, but less than %s of the time, which is not meaningful"):format(better,
      number_text.chosen(found.gamma))
  end
  return ("'%s' is better, and that may matter (its probability may exceed %s)"):format(better,
    number_text.chosen(found.gamma))
end

-- { first, second, probability, low, high, pairs, draws, gamma, verdict } of two learners of a ledger.
function outperforming.of(facts, first, second, gamma)
  local kept, per_draw, left_out, reason = variance_ledger.complete(facts, { first, second })
  local found = { first = first.name, second = second.name, gamma = gamma, draws = #kept, pairs = #kept * per_draw,
    left_out = left_out }
  if #kept < 2 then
    found.undefined = ("%d draws of %s have all scores of both; the first problem: %s"):format(#kept,
      facts.sources[1].source, reason)
    return found
  end
  local of_first = variance_ledger.scores_by_draw(first, kept, per_draw)
  local of_second, shares = variance_ledger.scores_by_draw(second, kept, per_draw), {}
  for i, scores in ipairs(of_first) do shares[i] = share_won(scores, of_second[i], facts.metric.direction) end
  found.probability = native.summary(shares).mean
  found.low, found.high = interval(shares, found.probability, facts.confidence)
  found.verdict = verdict(found)
  return found
end

function outperforming.sentence(facts, found)
  if found.undefined then
    return ("P('%s' beats '%s') is undefined: %s."):format(found.first, found.second, found.undefined)
  end
  return ("'%s' gets the better %s than '%s' with probability %s (%s interval %s to %s, from %d pairs in %d draws "
    .. "of %s): %s."):format(found.first, facts.metric.text, found.second, number_text.fixed(found.probability, 2),
    number_text.confidence(facts.confidence), number_text.fixed(found.low, 2), number_text.fixed(found.high, 2),
    found.pairs, found.draws, facts.sources[1].source, found.verdict)
end

return outperforming
