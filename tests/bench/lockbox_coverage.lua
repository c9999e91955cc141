-- The coverage of the intervals of a lockbox over k openings, by simulation: how often all k intervals hold at once,
-- and how often that of the last model holds, on n sealed rows whose two classes are coin flips. So every model,
-- however it was made, has an accuracy of exactly 0.5 on new rows. Three users, who choose models by the
-- answers:
--   independent  k models that owe nothing to the lockbox
--   hill climb   each model is the best one so far with a tenth of its predictions changed at random
--   vote         k - 1 random models, then the majority vote of them, each turned around if it scored below 0.5: the
--                strongest of the known attacks (Blum and Hardt 2015, arXiv 1502.04585, section 4)
-- crossfold run tests/bench/lockbox_coverage.lua [DATASETS [ROWS]]; tests/bench/lockbox_coverage.md has its output.
require "crossfold"
local looks = require "crossfold.lockbox.looks"

local n_sets, n = tonumber(arg[1]) or 2000, tonumber(arg[2]) or 200
local counts = { 1, 2, 5, 10, 20 }
local confidence = 0.95

-- A model is the list of rows that it predicts correctly, as 0 and 1.
local function random_model()
  local rows = {}
  for i = 1, n do rows[i] = math.random(0, 1) end
  return rows
end

local function score(rows)
  local sum = 0
  for i = 1, n do sum = sum + rows[i] end
  return sum / n
end

local users = {}

function users.independent(k)
  local scores = {}
  for j = 1, k do scores[j] = score(random_model()) end
  return scores
end

users["hill climb"] = function(k)
  local best = random_model()
  local best_score = score(best)
  local scores = { best_score }
  for j = 2, k do
    local rows = {}
    for i = 1, n do rows[i] = math.random(10) == 1 and math.random(0, 1) or best[i] end
    scores[j] = score(rows)
    if scores[j] > best_score then best, best_score = rows, scores[j] end
  end
  return scores
end

-- Rows that the vote gets right: those where more than half of the turned models are right.
function users.vote(k)
  local scores, votes = {}, {}
  for i = 1, n do votes[i] = 0 end
  for j = 1, k - 1 do
    local rows = random_model()
    scores[j] = score(rows)
    local sign = scores[j] < 0.5 and -1 or 1
    for i = 1, n do votes[i] = votes[i] + sign * (2 * rows[i] - 1) end
  end
  local last = {}
  for i = 1, n do last[i] = votes[i] > 0 and 1 or votes[i] < 0 and 0 or math.random(0, 1) end
  scores[k] = score(last)
  return scores
end

local function openings_of(scores)
  local list = {}
  for j, value in ipairs(scores) do
    list[j] = { answer = { score = value, method = "wilson", rows = n, units = n } }
  end
  return list
end

local rules = {
  { "not widened", function(list, j) return looks.interval("bonferroni", { list[j] }, 1, confidence) end },
}
for _, rule in ipairs(looks.rules) do
  rules[#rules + 1] = { rule, function(list, j) return looks.interval(rule, list, j, confidence) end }
end

local function percent(x) return ("%.1f"):format(100 * x) end

local function study(name, k)
  math.randomseed(20261126, k)
  local all, last, width, mean = {}, {}, {}, 0
  for _ = 1, n_sets do
    local scores = users[name](k)
    local list = openings_of(scores)
    mean = mean + scores[k] / n_sets
    for r, rule in ipairs(rules) do
      local holds = true
      for j = 1, k do
        local found = rule[2](list, j)
        local held = found.low <= 0.5 and 0.5 <= found.high
        holds = holds and held
        if j == k then
          last[r] = (last[r] or 0) + (held and 1 or 0) / n_sets
          width[r] = (width[r] or 0) + (found.high - found.low) / n_sets
        end
      end
      all[r] = (all[r] or 0) + (holds and 1 or 0) / n_sets
    end
  end
  for r, rule in ipairs(rules) do
    print(("| %s | %d | %.3f | %s | %s | %s | %.3f |"):format(name, k, mean, rule[1], percent(all[r]), percent(last[r]),
      width[r]))
  end
end

print(("%d data sets of %d sealed rows; nominal %s %%."):format(n_sets, n, percent(confidence)))
print()
print("| user | openings | mean score of the last model | rule | all intervals hold, % | the last one holds, % "
  .. "| mean width of the last |")
print("|---|---|---|---|---|---|---|")
for _, name in ipairs { "independent", "hill climb", "vote" } do
  for _, k in ipairs(counts) do
    if k > 1 or name == "independent" then study(name, k) end
  end
end

