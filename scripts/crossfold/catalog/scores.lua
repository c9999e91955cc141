-- Collects the scores of all runs of a store, with intervals, as rows of a catalog.
local native = require "crossfold.native"
local interval = require "crossfold.interval.interval"
local metric = require "crossfold.metric"
local stored = require "crossfold.stored.stored"

local scores = {}

-- By name: the text of each learner, and the hash of each dataset.
local function texts_of(result)
  local settings, hashes = {}, {}
  for _, entry in ipairs(result.plan.learners) do settings[entry.name] = tostring(entry.learner) end
  local provenance = result.plan.provenance or { datasets = {} }
  for _, row in ipairs(provenance.datasets) do hashes[row.name] = row.hash end
  for _, job in ipairs(result.jobs) do
    hashes[job.dataset] = hashes[job.dataset] or job.data and job.data:hash()
  end
  return settings, hashes
end

-- Why a job has no score of metric m: a failure, or the reason of the first fold without one.
local function why_undefined(job, m)
  for _, fold in ipairs(job.folds) do
    if fold.failure then return ("failed at %s: %s"):format(fold.failure.stage, fold.failure.message) end
    if fold.reasons[m] then return fold.reasons[m] end
  end
  return "infinities of both signs have no mean"
end

-- The key of a metric; nil of one in Lua, whose name says nothing of what it computes.
local function key_of(value)
  return not metric.is_lua(value) and native.metric_key(value) or nil
end

-- The hash of a job's splits; those of the jobs of a dataset are the same.
local function splits_hash(job, known)
  if not job.splits then return nil end
  known[job.dataset] = known[job.dataset] or native.splits_hash(job.splits)
  return known[job.dataset]
end

-- Appends the rows of a result, which is experiment `number` of the run.
local function add_result(rows, result, run, number)
  local settings, hashes = texts_of(result)
  local summary, metrics, known_splits = result:summary(), result.plan.metrics, {}
  for m = 1, #metrics do
    for j, found in ipairs(interval.of_jobs(result, m)) do
      local job, row = result.jobs[j], summary[(j - 1) * #metrics + m]
      rows[#rows + 1] = {
        run = run, experiment = number, dataset = row.dataset, dataset_hash = hashes[row.dataset],
        learner = row.learner, settings = settings[row.learner], metric = row.metric,
        metric_key = key_of(metrics[m]), direction = metric.direction(metrics[m]), folds = row.folds,
        defined = row.defined, failed = row.failed, fallback = row.fallback, score = row.mean,
        low = row.mean and found.low, high = row.mean and found.high,
        confidence = row.mean and found.low and found.confidence, method = found.method, covers = found.covers,
        caution = found.caution, undefined = row.mean == nil and why_undefined(job, m) or found.undefined,
        design = found.design, splits = splits_hash(job, known_splits),
      }
    end
  end
end

-- The name of something damaged in a run, with the number of the run.
local function name_in(run, name)
  return name:find(("run %d "):format(run), 1, true) and name or ("run %d: %s"):format(run, name)
end

-- The rows of all runs, and the names of what could not be read.
function scores.of(path)
  local rows, damaged = {}, {}
  for _, run in ipairs(native.stored_runs(path)) do
    local ok, found = native.attempt(stored.new, { store = path, run = run })
    if ok then
      for _, name in ipairs(found.damaged) do damaged[#damaged + 1] = name_in(run, name) end
      for i, result in ipairs(found.results) do add_result(rows, result, run, i) end
    else
      damaged[#damaged + 1] = name_in(run, (tostring(found):gsub("^[^:\n]+:%d+: ", "")))
    end
  end
  return rows, damaged
end

return scores
