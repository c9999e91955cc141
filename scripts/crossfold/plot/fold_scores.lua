-- Groups the scores of each learner fold by fold, with the mean and its interval: that which print(result) has, see
-- interval/interval.lua.
local clipped = require "crossfold.result.clipped"
local headline = require "crossfold.result.headline"
local interval = require "crossfold.interval.interval"
local interval_text = require "crossfold.interval.text"
local metric = require "crossfold.metric"
local metric_range = require "crossfold.plot.metric_range"
local native = require "crossfold.native"
local options = require "crossfold.options"
local scale = require "crossfold.plot.scale"
local subject = require "crossfold.plot.subject"

local fold_scores = {}

-- The values of a group and their mean, and how many are none.
local function summarise(group)
  group.values = {}
  for _, row in ipairs(group.rows) do
    if scale.is_finite(row.value) then
      group.values[#group.values + 1] = row.value
    elseif row.value then
      group.infinite = group.infinite + 1
    else
      group.undefined = group.undefined + 1
      group.reason = group.reason or row.undefined
    end
    group.fallback = group.fallback + (row.fallback and 1 or 0)
  end
  if group.infinite == 0 and #group.values > 0 then group.mean = native.summary(group.values).mean end
end

local function key_of(learner, dataset) return #learner .. ":" .. learner .. dataset end

-- Gives the groups the number of the table where it is another than the mean over folds, and the sentence that says so.
local function add_headlines(groups, result, place)
  for _, job in ipairs(result.jobs) do
    local group, found = groups[key_of(job.learner_name, job.dataset)], headline.of(result, job, place)
    if group then
      local value = result.plan.metrics[place]
      group.clipped = clipped.note(clipped.of(job, place, value), metric.name(value))
    end
    if group and found.aggregation ~= headline.mean then
      group.mean, group.about = found.value, headline.note(result.plan.metrics[place], job.splits)
      group.no_mean = found.undefined
    end
  end
end

-- Gives the groups their intervals.
local function add_intervals(groups, result, place, wanted, confidence)
  for _, row in ipairs(interval.of_jobs(result, place, confidence, wanted)) do
    local group = groups[key_of(row.learner, row.dataset)]
    group.interval, group.low, group.high = row, row.low, row.high
    if not row.low then group.no_interval = row.undefined end
  end
end

-- Groups { learner, dataset, label, rows (of result:scores()), values, mean, low, high, no_interval, interval (its
-- row), undefined, infinite, fallback (counts), reason }, in the order of the result, and the metric; and least
-- and most, the ends of what the metric can be, as far as it has them. `o` may have metric, learners, dataset
-- and confidence.
function fold_scores.of(result, o, name)
  local names = subject.metrics(result)
  local wanted_metric = subject.choose(name, "metric", names, o.metric)
  local places = subject.places(result)
  if not wanted_metric or #places == 0 then
    subject.fail(name, "the result has no scores", "evaluate with a metric")
  end
  if not (o.confidence > 0 and o.confidence < 1) then
    subject.fail(name, ("confidence = %s is not between 0 and 1"):format(
      native.format_number(o.confidence)), "use 0.95")
  end
  local groups, known, wanted = {}, {}, subject.filter(name, places, o)
  for _, row in ipairs(subject.scores(result, wanted_metric, wanted)) do
    local key = key_of(row.learner, row.dataset)
    if not known[key] then
      groups[#groups + 1] = { learner = row.learner, dataset = row.dataset, rows = {},
        undefined = 0, infinite = 0, fallback = 0 }
      known[key] = groups[#groups]
    end
    table.insert(known[key].rows, row)
  end
  local several = #subject.distinct(groups, "dataset") > 1
  groups.least, groups.most = metric_range.of_result(result, wanted_metric)
  for _, group in ipairs(groups) do
    group.label = several and ("%s on %s"):format(group.learner, group.dataset) or group.learner
    summarise(group)
  end
  for place, one in ipairs(names) do
    if one == wanted_metric then
      add_headlines(known, result, place)
      add_intervals(known, result, place, wanted, o.confidence)
    end
  end
  return groups, wanted_metric
end

-- The labels of groups, for an axis: each once.
function fold_scores.labels(groups)
  local names, seen = {}, {}
  for i, group in ipairs(groups) do
    local name = group.label
    while seen[name] do name = name .. "'" end
    names[i], seen[name] = name, true
  end
  return names
end

-- Sentences on what is undefined, infinite, of a fallback or without interval.
local function problems(groups)
  local list = {}
  for _, group in ipairs(groups) do
    local n = #group.rows
    if group.about and (#list == 0 or list[1] ~= group.about .. ".") then list[#list + 1] = group.about .. "." end
    if group.clipped then list[#list + 1] = ("%s: %s."):format(group.label, group.clipped) end
    if group.no_mean then list[#list + 1] = ("%s has no value: %s."):format(group.label, group.no_mean) end
    if group.undefined > 0 then
      list[#list + 1] = ("%s: %d of %s without a value (%s)."):format(group.label, group.undefined,
        subject.count(n, "fold"), group.reason or "no reason is known")
    end
    if group.no_interval then
      list[#list + 1] = ("%s has no interval: %s."):format(group.label, group.no_interval)
    end
    if group.fallback > 0 then
      list[#list + 1] = ("%s: %d of %s failed and have the scores of the fallback."):format(
        group.label, group.fallback, subject.count(n, "fold"))
    end
  end
  return list
end

-- What the means are, for a title.
function fold_scores.title(groups) return groups[1].about and "Score over all folds" or "Mean over folds" end

-- The note of a figure of such groups: which intervals they are, and what is missing.
function fold_scores.note(groups)
  local rows = {}
  for i, group in ipairs(groups) do rows[i] = group.interval end
  local parts = interval_text.caption(rows, groups.least ~= nil or groups.most ~= nil)
  local list, most = problems(groups), 6
  for i = 1, math.min(#list, most) do parts[#parts + 1] = list[i] end
  if #list > most then parts[#parts + 1] = ("And %d more such remarks."):format(#list - most) end
  return table.concat(parts, " ")
end

-- Options of the builders that draw such groups.
fold_scores.options = { metric = subject.options.metric, learners = subject.options.learners,
  dataset = subject.options.dataset, confidence = options.confidence }

-- "accuracy" or "accuracy on iris".
function fold_scores.place(name, groups)
  local datasets = subject.distinct(groups, "dataset")
  return #datasets == 1 and ("%s on %s"):format(name, datasets[1]) or name
end

return fold_scores
