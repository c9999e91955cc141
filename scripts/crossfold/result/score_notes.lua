-- What a reader of a table of scores has to know of its numbers: print, reports and the command line say it below.
local clipped = require "crossfold.result.clipped"
local headline = require "crossfold.result.headline"
local metric = require "crossfold.metric"
local native = require "crossfold.native"

local score_notes = {}

local function has_score(fold, m) return not fold.failure and fold.values[m] ~= nil end

local function count(job, m)
  local n = 0
  for _, fold in ipairs(job.folds) do n = n + (has_score(fold, m) and 1 or 0) end
  return n
end

-- Whether metric m is defined in other folds for one job than for another.
local function differ(a, b, m)
  for s, fold in ipairs(a.folds) do
    local other = b.folds[s]
    if other and has_score(fold, m) ~= has_score(other, m) then return true end
  end
  return false
end

-- The learners of a dataset whose mean of metric m is of fewer folds than that of others, as a text; nil if all means
-- are of the same folds. Learners without any score have no mean.
function score_notes.other_folds(result, dataset, m)
  local jobs, most, texts, any = {}, 0, {}, false
  if headline.aggregation(result.jobs[1].splits, result.plan.metrics[m]) == headline.pooled then return nil end
  for _, job in ipairs(result.jobs) do
    local n = job.dataset == dataset and count(job, m) or 0
    if n > 0 then
      jobs[#jobs + 1], most = job, math.max(most, n)
      any = any or differ(jobs[1], job, m)
    end
  end
  if not any then return nil end
  for _, job in ipairs(jobs) do
    local n = count(job, m)
    if n < most or #texts == 0 and job == jobs[#jobs] then
      texts[#texts + 1] = ("'%s' %d of %d"):format(job.learner_name, n, #job.folds)
    end
  end
  return table.concat(texts, ", ")
end

-- Texts, each once.
local function new_list()
  local list, seen = {}, {}
  return list, function(text)
    if text and not seen[text] then list[#list + 1], seen[text] = text, true end
  end
end

-- What concerns learners one by one: the first, and how many more.
local most_learners = 3

local function add_first(texts, add)
  for i = 1, math.min(#texts, most_learners) do add(texts[i]) end
  if #texts > most_learners then
    add(("the same holds for %d more learners"):format(#texts - most_learners))
  end
end

-- Why a learner has no number, or that it is of one fold.
local function missing_note(result, job, m, name)
  local found, n = headline.of(result, job, m), count(job, m)
  if found.aggregation == headline.pooled then
    return not found.value and found.undefined and ("no %s of '%s': %s"):format(name, job.learner_name, found.undefined)
  elseif n == 1 and #job.folds > 1 then
    return ("%s of '%s' is the score of one fold, the only one of %d that has one"):format(name, job.learner_name,
      #job.folds)
  end
end

-- Straight lines between the points of a precision-recall curve give a forecast without any skill a large area.
local function straight_lines_note(value, name)
  if metric.is_lua(value) or native.kind(value) ~= "metric" or value:params().interpolation ~= "trapezoid" then
    return nil
  end
  return ("%s: straight lines overestimate the area: the same forecast for all rows gets about (1 + share of "
    .. "positives) / 2, with interpolation = \"hyperbolic\" the share"):format(name)
end

-- The notes on the numbers of a result, metric by metric.
function score_notes.of(result)
  local list, add = new_list()
  for m = 1, #result.plan.metrics do
    local value, missing, clips = result.plan.metrics[m], {}, {}
    local name = metric.name(value)
    add(straight_lines_note(value, name))
    for _, job in ipairs(result.jobs) do
      add(headline.note(value, job.splits))
      missing[#missing + 1] = missing_note(result, job, m, name) or nil
      local clip = clipped.note(clipped.of(job, m, value), name)
      clips[#clips + 1] = clip and ("'%s': %s"):format(job.learner_name, clip)
    end
    add_first(missing, add)
    add_first(clips, add)
    for _, dataset in ipairs(result.plan.datasets) do
      local others = metric.direction(value) ~= 0 and score_notes.other_folds(result, dataset.name, m)
      add(others and ("%s: not all means%s are of the same folds (%s), so their order may be that of the folds; "
        .. "cf.compare takes the common ones"):format(name,
          #result.plan.datasets > 1 and (" on '%s'"):format(dataset.name) or "", others))
    end
  end
  return list
end

return score_notes
