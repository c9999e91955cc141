-- Intervals of levels whose rows are right or wrong, independently: Wilson's (1927) of each level, and of the gap
-- from intervals of the differences of all pairs that hold together. The interval of a difference is made of those
-- of the two shares, as R. G. Newcombe (1998), Statistics in Medicine 17, 873-890, does in method 10; all pairs
-- together by Bonferroni.
local stats = require "crossfold.stats.stats"

local wilson = {}

-- Why these intervals do not fit; nil = they do.
function wilson.refusal(scores, weights, units)
  if not scores then return "the metric is not a mean over rows" end
  if weights then return "rows have weights" end
  local seen = {}
  for i, score in ipairs(scores) do
    if score ~= 0 and score ~= 1 then return "the score of a row is not 0 or 1" end
    if seen[units[i]] then return "rows are predicted several times, or depend on each other in groups" end
    seen[units[i]] = true
  end
end

local function interval(row, confidence)
  local made = stats.accuracy_interval { correct = row.right, n = #row.places, confidence = confidence }
  return made.low, made.high
end

-- The ends of the interval of a - b.
local function difference(a, b, confidence)
  local low_a, high_a = interval(a, confidence)
  local low_b, high_b = interval(b, confidence)
  local d = a.value - b.value
  return d - math.sqrt((a.value - low_a) ^ 2 + (high_b - b.value) ^ 2),
    d + math.sqrt((high_a - a.value) ^ 2 + (b.value - low_b) ^ 2)
end

-- Sets the intervals of levels and gap.
function wilson.set(found, judged, scores, confidence)
  for _, row in ipairs(judged) do
    row.right = 0
    for _, place in ipairs(row.places) do row.right = row.right + math.tointeger(scores[place]) end
    row.low, row.high = interval(row, confidence)
  end
  local n = #judged
  if n < 2 then return end
  local each, low, high = 1 - (1 - confidence) / (n * (n - 1) / 2), 0, 0
  for a = 1, n do
    for b = a + 1, n do
      local from, to = difference(judged[a], judged[b], each)
      low, high = math.max(low, from, -to), math.max(high, to, -from)
    end
  end
  found.gap.low, found.gap.high = low, high
end

return wilson
