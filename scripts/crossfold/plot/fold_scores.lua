-- Groups the scores of each learner fold by fold, with the mean and its interval.
--
-- Scores of the folds of one experiment are not independent: their training sets share rows. The interval
-- is that of the corrected resampled t (Nadeau and Bengio 2003): mean +- t * sqrt((1/n + test rows /
-- training rows) * variance), as cf.compare uses it for differences, with the sizes of the folds that
-- have a value; where the metric has bounds, kept between them as stats/bounded_mean.lua says.
local bounded_mean = require "crossfold.stats.bounded_mean"
local metric_range = require "crossfold.plot.metric_range"
local native = require "crossfold.native"
local number_text = require "crossfold.text.number_text"
local scale = require "crossfold.plot.scale"
local options = require "crossfold.options"
local subject = require "crossfold.plot.subject"

local fold_scores = {}

-- Sizes of the folds of a result as a function of row of result:scores(): { n_train, n_test }. A row that was drawn
-- twice into a training set counts once if the splits are known.
local function sizes_of(result)
  local sizes, of_splits = {}, {}
  local function of_fold(job, split, fold)
    local known = job.splits and of_splits[job.splits] or {}
    if not job.splits then return fold.n_train and fold.n_test and { fold.n_train, fold.n_test } end
    of_splits[job.splits] = known
    known[split] = known[split] or { job.splits:distinct_rows(split) }
    return known[split]
  end
  for _, job in ipairs(result.jobs) do
    local by_dataset, of = sizes[job.learner_name] or {}, {}
    sizes[job.learner_name], by_dataset[job.dataset] = by_dataset, of
    for split, fold in ipairs(job.folds) do
      of[fold.repeat_] = of[fold.repeat_] or {}
      of[fold.repeat_][fold.fold] = of_fold(job, split, fold)
    end
  end
  return function(row)
    local of = sizes[row.learner] and sizes[row.learner][row.dataset]
    return of and of[row.repeat_] and of[row.repeat_][row.fold]
  end
end

-- The mean and interval of a group: fills mean, low, high, or `no_interval`, the reason.
local function summarise(group, size_of, confidence, least, most)
  local values, train, test, sized = {}, 0.0, 0.0, true
  for _, row in ipairs(group.rows) do
    local size = row.value and size_of(row)
    if scale.is_finite(row.value) then
      values[#values + 1] = row.value
      if size then train, test = train + size[1], test + size[2] else sized = false end
    elseif row.value then
      group.infinite = group.infinite + 1
    else
      group.undefined = group.undefined + 1
      group.reason = group.reason or row.undefined
    end
    group.fallback = group.fallback + (row.fallback and 1 or 0)
  end
  group.values = values
  if #values + group.infinite == 0 then
    group.no_interval = "no fold has a value"
  elseif group.infinite > 0 then
    group.no_interval = ("%s infinite, so there is no mean"):format(
      group.infinite == 1 and "one value is" or group.infinite .. " values are")
  elseif #values == 1 then
    group.mean, group.no_interval = values[1], "one value has no spread, so there is no interval"
  elseif not sized or train == 0 then
    group.mean = native.summary(values).mean
    group.no_interval = "the sizes of the folds are unknown, so there is no interval"
  else
    local t = native.paired_t(values, test / train, confidence)
    group.mean = t.mean
    if t.low then
      group.low, group.high = bounded_mean.interval(t.mean, t.mean - t.low, least, most)
    else
      group.no_interval = ("all %d values are equal, so there is no interval"):format(#values)
    end
  end
end

-- Groups { learner, dataset, label, rows (of result:scores()), values, mean, low, high, no_interval,
-- undefined, infinite, fallback (counts), reason }, in the order of the result, and the metric; and least
-- and most, the ends of what the metric can be, as far as it has them. `o` may have metric, learners, dataset
-- and confidence.
function fold_scores.of(result, o, name)
  local metric = subject.choose(name, "metric", subject.metrics(result), o.metric)
  local places = subject.places(result)
  if not metric or #places == 0 then
    subject.fail(name, "the result has no scores", "evaluate with a metric")
  end
  if not (o.confidence > 0 and o.confidence < 1) then
    subject.fail(name, ("confidence = %s is not between 0 and 1"):format(
      native.format_number(o.confidence)), "use 0.95")
  end
  local groups, known = {}, {}
  for _, row in ipairs(subject.scores(result, metric, subject.filter(name, places, o))) do
    local key = #row.learner .. ":" .. row.learner .. row.dataset
    if not known[key] then
      groups[#groups + 1] = { learner = row.learner, dataset = row.dataset, rows = {},
        undefined = 0, infinite = 0, fallback = 0 }
      known[key] = groups[#groups]
    end
    table.insert(known[key].rows, row)
  end
  local several, size_of = #subject.distinct(groups, "dataset") > 1, sizes_of(result)
  groups.least, groups.most = metric_range.of_result(result, metric)
  for _, group in ipairs(groups) do
    group.label = several and ("%s on %s"):format(group.learner, group.dataset) or group.learner
    summarise(group, size_of, o.confidence, groups.least, groups.most)
  end
  return groups, metric
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
    if group.undefined > 0 then
      list[#list + 1] = ("%s: %d of %s without a value (%s)."):format(group.label, group.undefined,
        subject.count(n, "fold"), group.reason or "no reason is known")
    end
    if group.no_interval then
      list[#list + 1] = ("%s: %s."):format(group.label, group.no_interval)
    end
    if group.fallback > 0 then
      list[#list + 1] = ("%s: %d of %s failed and have the scores of the fallback."):format(
        group.label, group.fallback, subject.count(n, "fold"))
    end
  end
  return list
end

-- The note of a figure of such groups: which interval it is, and what is missing.
function fold_scores.note(groups, o)
  local parts, drawn = {}, false
  for _, group in ipairs(groups) do drawn = drawn or group.low ~= nil end
  if drawn then
    parts[1] = ("Intervals: %s of the mean, corrected resampled t (Nadeau and Bengio 2003), because the "
      .. "training sets of folds overlap%s."):format(number_text.confidence(o.confidence),
      (groups.least or groups.most) and "; within the bounds of the metric" or "")
  end
  local list, most = problems(groups), 6
  for i = 1, math.min(#list, most) do parts[#parts + 1] = list[i] end
  if #list > most then parts[#parts + 1] = ("And %d more such remarks."):format(#list - most) end
  return table.concat(parts, " ")
end

-- Options of the builders that draw such groups.
fold_scores.options = { metric = subject.options.metric, learners = subject.options.learners,
  dataset = subject.options.dataset, confidence = options.confidence }

-- "accuracy" or "accuracy on iris".
function fold_scores.place(metric, groups)
  local datasets = subject.distinct(groups, "dataset")
  return #datasets == 1 and ("%s on %s"):format(metric, datasets[1]) or metric
end

return fold_scores
