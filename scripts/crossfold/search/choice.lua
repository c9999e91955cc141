-- Repeats the choice of a search on samples of its inner out-of-fold predictions. What is drawn are rows, or groups
-- of rows; all predictions of a row go together, as those of repeated cross-validation.
local native = require "crossfold.native"
local metric = require "crossfold.metric"
local selection = require "crossfold.search.selection"

local choice = {}
choice.__index = choice

-- The scores of each row of all candidates, if the metric is a mean over rows; else the reason why not.
local function take_row_scores(sample, value, n)
  for i = 1, n do
    local scores, weights_or_reason = metric.row_scores(value, sample:prediction(i))
    if not scores then return weights_or_reason end
    sample:take_scores(i, scores, weights_or_reason)
  end
end

-- The rule of the search for its candidates that take part, numbered from 1.
local function rule_of(self)
  local rule = self.source.rule
  if not rule.keys then return rule end
  local keys = {}
  for i, c in ipairs(self.places) do keys[i] = rule.keys[c] end
  return { choose = rule.choose, alpha = rule.alpha, keys = keys }
end

-- `source` = { search =, board =, entries =, places =, direction = }. Candidates without a mean take no part.
-- `value` = the metric. Raises if no inner fold has the predictions of all candidates.
function choice.new(source, value)
  local self = setmetatable({ source = source, metric = value, worst = metric.worst(value), places = {}, numbers = {},
    entries = {} }, choice)
  for _, c in ipairs(source.places) do
    if source.entries[c].mean then
      local i = #self.places + 1
      self.places[i], self.numbers[i], self.entries[i] = c, i, {}
    end
  end
  self.rule = rule_of(self)
  self.sample = native.choice_sample(source.board.predictions, self.places)
  self.n_units, self.draws_groups = self.sample:units()
  self.folds = self.sample:folds()
  self.not_a_mean = take_row_scores(self.sample, value, #self.places)
  if self.not_a_mean and not metric.is_lua(value) then self.native_metric = value end
  return self
end

-- The score of candidate number i by a metric in Lua; `places` = numbers of folds, `left_out` as in sample:drawn.
-- Predictions of a repeat are pooled. Nil if it is undefined.
local function lua_score(self, seed, i, left_out, places)
  local parts, sum, n = {}, 0, 0
  for _, place in ipairs(places) do
    local drawn = self.sample:drawn(seed, i, left_out, place)
    local repeat_ = self.source.board.splits:place(self.folds[place])
    if drawn then
      parts[repeat_] = parts[repeat_] or {}
      table.insert(parts[repeat_], drawn)
    end
  end
  for repeat_ = 1, #self.source.board.splits do
    if parts[repeat_] then
      local score = metric.score(self.metric, native.pool(parts[repeat_]))
      if not score then return nil end
      sum, n = sum + score, n + 1
    end
  end
  return n > 0 and sum / n or nil
end

local function all_places(self)
  local places = {}
  for place = 1, #self.folds do places[place] = place end
  return places
end

-- As sample:bag, by a metric in Lua.
local function lua_bag(self, seed, by_fold)
  local all = {}
  for i = 1, #self.places do
    all[i] = by_fold and {} or lua_score(self, seed, i, false, all_places(self)) or false
    for part = 1, by_fold and #self.folds or 0 do
      all[i][part] = lua_score(self, seed, i, false, { part }) or false
    end
  end
  collectgarbage()  -- predictions are larger than the collector knows
  return all
end

-- The scores of all candidates on a sample (all rows without a seed): a list of them, or by fold a list per candidate;
-- false where there is none.
function choice:bag(seed, by_fold)
  if self.not_a_mean and not self.native_metric then return lua_bag(self, seed, by_fold) end
  return self.sample:bag(seed, by_fold, self.native_metric)
end

-- The score of candidate number i on the rows that a sample leaves out; nil if there is none.
function choice:left_out(seed, i)
  if self.not_a_mean and not self.native_metric then
    return lua_score(self, seed, i, true, all_places(self))
  end
  return self.sample:left_out(seed, i, self.native_metric)
end

-- Tests of which candidates are as good as the best: see stats/candidate_scores.h.
function choice:test(given, seed) return self.sample:test(given, seed) end

-- Entries as the search has them, from the scores of a sample in the folds: the folds with a score of all candidates
-- count, where one without a score has the worst value if others have one. Nil if there are fewer than two.
local function entries_by_fold(self, parts)
  local entries, counted = {}, {}
  for part = 1, #parts[1] do
    local all, any = true, false
    for _, scores in ipairs(parts) do any = any or scores[part] end
    for _, scores in ipairs(parts) do scores[part] = scores[part] or any and self.worst end
    for _, scores in ipairs(parts) do all = all and scores[part] and math.abs(scores[part]) < math.huge end
    if all then counted[#counted + 1] = part end
  end
  if #counted < 2 then return nil end
  for i, scores in ipairs(parts) do
    local values = {}
    for k, part in ipairs(counted) do values[k] = scores[part] end
    local summary = native.summary(values)
    entries[i] = { mean = summary.mean, sd = summary.sd, n_folds = #values, values = values }
  end
  return entries
end

-- The same of one score per candidate, in the entries that this choice reuses. Nil if one is undefined.
local function pooled_entries(self, scores)
  local any = false
  for _, score in ipairs(scores) do any = any or score end
  for i, score in ipairs(scores) do
    score = score or any and self.worst
    if not score or math.abs(score) == math.huge then return nil end
    self.entries[i].mean = score
  end
  return self.entries
end

-- The multipliers of a confidence set inside a sample, if its confidence needs no more.
local in_a_sample = 200

-- `usual`, or as many multipliers as a set of this confidence needs to reject a candidate.
function choice.multipliers(usual, confidence) return math.max(usual, native.least_set_samples(confidence) + 1) end

-- The number of the candidate that the rule of the search takes on a sample; nil if no score of it is defined.
function choice:choose(seed)
  local rule, by_fold = self.rule, selection.goes_by_folds(self.rule)
  local scores = self:bag(seed, by_fold)
  local entries
  if by_fold then entries = entries_by_fold(self, scores) else entries = pooled_entries(self, scores) end
  if not entries then return nil end
  if selection.needs_set(rule) then
    local level = 1 - rule.alpha
    local tests = self:test({ direction = self.source.direction, level = level,
      samples = choice.multipliers(in_a_sample, level), seed = native.seed(seed, "multipliers") }, seed)
    for i, test in ipairs(tests) do entries[i].in_set = test.in_set end
  end
  return (selection.choose(rule, entries, self.numbers, self.source.direction, self.source.test_share,
    self.source.different))
end

return choice
