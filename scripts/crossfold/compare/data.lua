-- Collects what cf.compare compares: the scores of some learners on the same datasets, split by split, taken out
-- of one or more results.
local native = require "crossfold.native"
local clipped = require "crossfold.result.clipped"
local headline = require "crossfold.result.headline"
local metric = require "crossfold.metric"
local options = require "crossfold.options"

local comparison_data = {}

-- The place of the metric that is called `name` in the plan of a result; nil = any, if there is one.
local function metric_place(result, name)
  local metrics, known = result.plan.metrics, {}
  for m = 1, #metrics do known[m] = metric.name(metrics[m]) end
  local meant = name and metric.meant(known, name)
  for m = 1, #metrics do
    if known[m] == meant then return m end
  end
  if name == nil then
    if #metrics == 1 then return 1 end
    native.fail("compare: the result has the metrics %s; name one with metric = ...", table.concat(known, ", "))
  end
  native.fail("compare: the result has no metric '%s'; %s", name, native.known_names(name, known))
end

-- The scores of one job: values[s] and reasons[s] of split s (see headline.split_values), and its folds, which have its
-- kept predictions. `sizes` of its splits, by these, are counted by comparison_tests.
local function entry_of(result, job, place, sizes)
  sizes[job.splits] = sizes[job.splits] or { train = {}, test = {} }
  local entry = { name = job.learner_name, data = job.data, splits = job.splits, folds = job.folds,
    sizes = sizes[job.splits] }
  entry.values, entry.reasons, entry.is_undefined = headline.split_values(result, job, place)
  local value = result.plan.metrics[place]
  entry.clipped = clipped.note(clipped.of(job, place, value), metric.name(value))
  entry.aggregation = headline.aggregation(job.splits, value)
  return entry
end

-- Whether the splits are repeated random ones, for which the correction of the t test was derived.
local function is_holdout(splitter)
  return native.kind(splitter) == "splitter" and splitter:id() == "crossfold.holdout"
end

local function add_job(datasets, result, job, place, sizes)
  if not job.splits then
    native.fail("compare: the store does not have the splits of learner '%s' on dataset '%s'; compare where they are",
      job.learner_name, job.dataset)
  end
  local dataset = datasets[job.dataset]
  if not dataset then
    dataset = { name = job.dataset, data = job.data, entries = {}, random = is_holdout(result.plan.splitter) }
    datasets[job.dataset] = dataset
    datasets[#datasets + 1] = dataset
  end
  if dataset.entries[job.learner_name] then
    native.fail("compare: two results have a learner '%s' on dataset '%s'; give them different names in cf.evaluate",
      job.learner_name, job.dataset)
  end
  local entry = entry_of(result, job, place, sizes)
  dataset.entries[job.learner_name] = entry
  dataset.entries[#dataset.entries + 1] = entry
end

-- The names to compare, in order, all of them known.
local function chosen_learners(datasets, o)
  local known, seen = {}, {}
  for _, dataset in ipairs(datasets) do
    for _, entry in ipairs(dataset.entries) do
      if not seen[entry.name] then known[#known + 1] = entry.name end
      seen[entry.name] = true
    end
  end
  local names = o.learners and options.list("compare: option 'learners'", o.learners) or known
  local twice = {}
  for _, name in ipairs(names) do
    options.place_of("compare: there is no learner", name, known)
    if twice[name] then native.fail("compare: learner '%s' is named twice", name) end
    twice[name] = true
  end
  if #names < 2 then native.fail("compare: there is one learner, '%s'; a comparison needs two", tostring(names[1])) end
  if o.control and not twice[o.control] then
    native.fail("compare: the control '%s' is not among the learners; %s", o.control,
      native.known_names(o.control, names))
  end
  return names
end

-- Keeps the named learners of each dataset, in that order. A learner that one dataset lacks would make
-- means over datasets that are not of the same datasets.
local function keep_learners(datasets, names)
  for _, dataset in ipairs(datasets) do
    local kept = {}
    for i, name in ipairs(names) do
      kept[i] = dataset.entries[name] or native.fail("compare: learner '%s' was not evaluated on dataset '%s'; choose "
        .. "with learners = {...} or datasets = {...}", name, dataset.name)
      kept[name] = kept[i]
    end
    dataset.entries = kept
  end
end

local function require_same_splits(dataset)
  local first = dataset.entries[1]
  for i = 2, #dataset.entries do
    local other = dataset.entries[i]
    if first.data:hash() ~= other.data:hash() then
      native.fail("compare: the data called '%s' of learners '%s' and '%s' differ (in rows, columns, their order or "
        .. "roles), so their scores are not pairs; evaluate both on the same data, or ask for an unpaired test with "
        .. "paired = false", dataset.name, first.name, other.name)
    end
    if not first.splits:same(other.splits) then
      native.fail("compare: learners '%s' and '%s' were tested on different splits of dataset '%s', so their scores "
        .. "are not pairs; evaluate both with the same splitter and seed (or in one cf.evaluate), or ask for an "
        .. "unpaired test with paired = false", first.name, other.name, dataset.name)
    end
  end
end

-- Where a metric has no value because of a learner's prediction, which may be constant, though the truth of the split
-- allows one, the learner gets the worst value. Left out, the split would spare it.
local function take_worst(dataset, value)
  local worst, entries = metric.worst(value), dataset.entries
  for _, entry in ipairs(worst and entries or {}) do
    for s, fold in ipairs(entry.folds) do
      local undefined = not (fold.failure or fold.missing) and entry.values[s] == nil
      if undefined and (entry.is_undefined or entry.aggregation == headline.mean)
          and metric.has_value(value, entry.splits, s) then
        entry.values[s], entry.n_worst = worst, (entry.n_worst or 0) + 1
        entry.why_worst = entry.why_worst or entry.reasons[s]
      end
    end
  end
end

local function chosen_datasets(datasets, wanted)
  if wanted == nil then return datasets end
  local chosen, known = {}, {}
  for i, dataset in ipairs(datasets) do known[i] = dataset.name end
  for i, name in ipairs(options.list("compare: option 'datasets'", wanted)) do
    chosen[i] = datasets[name] or native.fail("compare: there is no dataset '%s'; %s", tostring(name),
      native.known_names(tostring(name), known))
    if chosen[name] then native.fail("compare: dataset '%s' is named twice", name) end
    chosen[name] = chosen[i]
  end
  return chosen
end

-- Results name metrics; a metric written in Lua may have the name of another one.
local function require_same_metric(first, other)
  local name = metric.name(first)
  if metric.name(other) ~= name then
    native.fail("compare: the results have different metrics, %s and %s; name one with metric = ...", name,
      metric.name(other))
  end
  if (metric.is_lua(first) or metric.is_lua(other)) and first ~= other then
    native.fail("compare: the results have different metrics that are both called '%s'; evaluate both with the same "
      .. "cf.metric{...}, made once", name)
  end
end

-- The positive class is not part of what the hash of the data covers.
local function require_same_class(value, datasets)
  for _, dataset in ipairs(datasets) do
    for _, entry in ipairs(dataset.entries) do
      local class = entry.data and metric.class_of(value, entry.data)
      if class and dataset.positive and class ~= dataset.positive then
        native.fail("compare: %s of '%s' is of class '%s', that of '%s' of class '%s'; evaluate both with the same "
          .. "positive class", metric.name(value), dataset.entries[1].name, dataset.positive, entry.name, class)
      end
      dataset.positive = dataset.positive or class
    end
  end
end

-- { metric = name, title = as tables call it, direction =, learners = {names}, datasets = { { name =, splits =, entries
-- = {one a learner} } }, refused = { [dataset] = why it was not split } } of a list of results. o: metric, learners,
-- datasets, control, paired.
function comparison_data.collect(results, o)
  local datasets, refused, sizes, metric_value = {}, {}, {}, nil
  for _, result in ipairs(results) do
    local place = metric_place(result, o.metric)
    local found = result.plan.metrics[place]
    if metric_value then require_same_metric(metric_value, found) end
    metric_value = metric_value or found
    for _, job in ipairs(result.jobs) do
      if job.refusal then
        refused[job.dataset] = job.refusal
      else
        add_job(datasets, result, job, place, sizes)
      end
    end
  end
  datasets = chosen_datasets(datasets, o.datasets)
  local names = chosen_learners(datasets, o)
  keep_learners(datasets, names)
  for _, dataset in ipairs(datasets) do
    if o.paired then require_same_splits(dataset) end
    take_worst(dataset, metric_value)
  end
  require_same_class(metric_value, datasets)
  return {
    metric = metric.name(metric_value), direction = metric.direction(metric_value),
    title = metric.titles({ metric_value }, datasets)[1], metric_value = metric_value, learners = names,
    datasets = datasets, refused = refused,
  }
end

return comparison_data
