-- Checks what a plot is made of: a result, curve or comparison, known by its methods, because a result may come
-- from cf.evaluate or out of a store.
local metric = require "crossfold.metric"
local native = require "crossfold.native"
local score_row = require "crossfold.result.score_row"
local options = require "crossfold.options"

local subject = {}

-- Options that several figures take.
subject.options = {
  metric = { "string", doc = "The metric; default the first one." },
  learner = { "string", doc = "The learner, where there are several." },
  learners = { "table", is = "string[]", doc = "The learners that are drawn; default all." },
  dataset = { "string", doc = "The dataset, where there are several." },
  positive = { "string", doc = "The positive class; default that of the data, else the second of two." },
}

local function has_methods(value, names)
  if type(value) ~= "table" then return false end
  for _, name in ipairs(names) do
    if type(value[name]) ~= "function" then return false end
  end
  return true
end

local kinds = {
  ["a result of cf.evaluate"] = { "scores", "summary", "predictions", "failures" },
  ["a learning curve"] = { "fit", "crossing", "summary" },
  ["a validation curve"] = { "rows", "summary", "to" },
  ["a comparison"] = { "over", "ranking", "rows" },
  ["a result of cf.variance"] = { "buy", "rows", "summary" },
  ["a result of result:subgroups"] = { "rows", "shown", "sentence" },
  ["a result of cf.bias_variance"] = { "per_row", "evaluated", "rows" },
}

function subject.is(value, kind) return has_methods(value, kinds[kind]) end

-- Raises `cannot plot <name>: ...` unless `value` is of the kind.
function subject.check(value, kind, name)
  if subject.is(value, kind) then return value end
  native.fail("cannot plot %s: the subject is %s, not %s; give one", name,
    value == nil and "missing" or "a " .. (native.kind(value) or type(value)), kind)
end

function subject.fail(name, finding, way)
  native.fail("cannot plot %s: %s; %s", name, finding, way)
end

-- "3 of 10 folds": a count with its noun.
function subject.count(n, noun) return ("%d %s%s"):format(n, noun, n == 1 and "" or "s") end

-- The names in column `key` of rows, each once, in order.
function subject.distinct(rows, key)
  local list, seen = {}, {}
  for _, row in ipairs(rows) do
    if row[key] ~= nil and not seen[row[key]] then
      seen[row[key]], list[#list + 1] = true, row[key]
    end
  end
  return list
end

-- { learner =, dataset = } of what a result has scores of.
function subject.places(result)
  local list = {}
  for i, job in ipairs(result.jobs) do list[i] = { learner = job.learner_name, dataset = job.dataset } end
  return list
end

-- The metrics of a result, in order.
function subject.metrics(result)
  local names = {}
  for m = 1, #result.plan.metrics do names[m] = metric.name(result.plan.metrics[m]) end
  return names
end

-- What figures call a metric of a result: its name, with the class that it is of.
function subject.title(result, name)
  for m, one in ipairs(subject.metrics(result)) do
    if one == name then return metric.titles({ result.plan.metrics[m] }, result.plan.datasets)[1] end
  end
  return name
end

-- The rows of result:scores() of one metric, learner by learner, where wanted(learner, dataset).
function subject.scores(result, name, wanted)
  local rows, m = {}, nil
  for i, one in ipairs(subject.metrics(result)) do
    if one == name then m = m or i end
  end
  for _, job in ipairs(result.jobs) do
    if wanted(job.learner_name, job.dataset) then
      for _, fold in ipairs(job.folds) do rows[#rows + 1] = score_row(job, fold, m, name) end
    end
  end
  return rows
end

-- The one of `names` that is asked for; without `wanted` the first.
function subject.choose(name, what, names, wanted)
  if wanted == nil then return names[1] end
  local meant = what == "metric" and metric.meant(names, wanted)
  if meant then return meant end
  return names[options.place_of(("cannot plot %s: there is no %s"):format(name, what), wanted, names)]
end

-- A test of learner and dataset by the options `learners` and `dataset`, whose names are known.
function subject.filter(name, rows, o)
  local wanted
  local learners, datasets = subject.distinct(rows, "learner"), subject.distinct(rows, "dataset")
  if o.learners then
    wanted = {}
    if #o.learners == 0 then
      subject.fail(name, "learners = {} names none", "leave the option out for all learners")
    end
    for _, one in ipairs(o.learners) do
      wanted[subject.choose(name, "learner", learners, one)] = true
    end
  end
  if o.dataset then subject.choose(name, "dataset", datasets, o.dataset) end
  return function(learner, dataset)
    return (not wanted or wanted[learner] ~= nil) and (not o.dataset or o.dataset == dataset)
  end
end

return subject
