-- Runs the folds of an evaluation: the learner of a job runs on them, and the outcome of each is noted.
--
-- A job is one learner on one dataset: { learner =, learner_name =, dataset =, data =, splits =,
-- seed =, folds = {}, isolate =, purpose =, inner_purpose = }. A fold that failed has `failure` and no
-- values; one that has the scores of a fallback has `fallback` instead, the failure that it had. A job
-- whose data could not be split has `refusal` instead of splits, and one fold, which failed.
local native = require "crossfold.native"
local findings = require "crossfold.stored.findings"
local fitting = require "crossfold.fitting"
local metric = require "crossfold.metric"
local run = require "crossfold.run"
local tries = require "crossfold.tries"

local outer_folds = {}

local function new_fold(job, split)
  local repeat_, fold = job.splits:place(split)
  return { repeat_ = repeat_, fold = fold, split = split }
end

-- The cells of `count` splits from `split` on.
local function cell_of(job, chosen, split, count, plan, purpose)
  return {
    learner = chosen, splits = job.splits, split = split, count = count, seed = job.seed,
    metrics = plan.metrics.native, keep = plan.cell_keep, purpose = purpose,
  }
end

-- With on_error = "stop" a fold that failed ends the evaluation. A batch of cells has ended before it
-- gets here; this is for what fails in Lua.
local function check_stop(job, fold, plan)
  if not (plan.stopped and fold.failure) or fold.failure.of_another_shard then return end
  plan.stopped.message = ("cannot evaluate '%s' on '%s': repeat %d, fold %d failed at %s: %s"):format(
    job.learner_name, job.dataset, fold.repeat_, fold.fold, fold.failure.stage, fold.failure.message)
  error(plan.stopped, 0)
end

local function fill(job, fold, outcomes, i, plan)
  tries.take_warnings(fold, outcomes:warnings(i))
  if outcomes:ok(i) then
    local reasons
    fold.values, reasons = metric.scores(plan.metrics, outcomes, i)
    if fold.values then fold.reasons = reasons else fold.failure = reasons end
  else
    fold.failure = outcomes:failure(i)
  end
  if fold.failure then return check_stop(job, fold, plan) end
  fold.prediction = plan.keep ~= "none" and outcomes:prediction(i) or nil
  fold.n_train, fold.n_test = outcomes:sizes(i)
  fold.fit_s, fold.predict_s = outcomes:seconds(i)
end

-- All splits of some ranges, in their order.
local function splits_of(ranges)
  local splits = {}
  for _, range in ipairs(ranges) do
    for split = range.first, range.first + range.count - 1 do splits[#splits + 1] = split end
  end
  return splits
end

-- Splits of a native learner as one batch.
local function native_task(job, ranges, plan)
  return function()
    local cells, folds = {}, {}
    for i, range in ipairs(ranges) do
      cells[i] = cell_of(job, job.learner, range.first, range.count, plan, job.purpose)
    end
    local outcomes = run.run(cells)
    for i, split in ipairs(splits_of(ranges)) do
      folds[i] = new_fold(job, split)
      job.folds[split] = folds[i]
      fill(job, folds[i], outcomes, i, plan)
    end
    findings.folds(job, folds, plan)
  end
end

-- A search: choose inside the training rows, then run the chosen learner on the split.
local function resolve_and_run(job, fold, plan, purpose)
  local chosen, detail = fitting.resolve_on_split(job.learner, job.splits, fold.split, job.seed,
    function(kept) fold.tuning = kept end)
  fold.tuning, fold.cell = detail, native.learner_key(chosen)
  native.check_learner(chosen, job.data)
  fill(job, fold, run.run { cell_of(job, chosen, fold.split, 1, plan, purpose) }, 1, plan)
end

local evaluations = {}  -- by store, dataset and learner: how many have folds in the store

-- A store keeps a fold of a run by the names of learner and dataset: a second evaluation of the same
-- names is "name, evaluation 2" there, or its folds would replace some of the first.
function outer_folds.name_in_store(store, dataset, learner)
  local key = table.concat({ tostring(store), dataset, learner }, "\0")
  evaluations[key] = (evaluations[key] or 0) + 1
  if evaluations[key] == 1 then return learner end
  return ("%s, evaluation %d"):format(learner, evaluations[key])
end

-- Puts a fold that no cell stands for into the store, if there is one. What a learner in Lua evaluates
-- inside is not a fold of the experiment.
local function record(job, fold, plan, prediction, n_train)
  if job.purpose.inner or not native.has_store(plan.how) then return end
  local failure = fold.failure
  job.name_in_store = job.name_in_store
    or outer_folds.name_in_store(plan.how.store, job.purpose.dataset, job.purpose.learner)
  fold.composed = job.name_in_store
  native.record_composed(plan.how, {
    learner = job.name_in_store, dataset = job.purpose.dataset, data = job.data,
    repeat_ = fold.repeat_, fold = fold.fold, n_train = n_train or 0, prediction = prediction,
    failure = failure and ("%s: %s"):format(failure.stage, failure.message),
  })
end

-- Any other composite: fits and predicts here, and is checked like a plugin. Returns the prediction and
-- the number of training rows.
local function fit_and_score(job, fold, plan, _, begins)
  local prediction, n_train, n_test, detail =
    fitting.predict_on_split(job.learner, job.splits, fold.split, job.seed, begins)
  fold.tuning = detail
  if type(detail) == "table" and detail.warning then fold.warnings = { detail.warning } end
  local values, reasons = metric.score_all(plan.metrics, prediction)
  native.count_cell(values ~= nil)
  if values then
    fold.values, fold.reasons = values, reasons
    fold.prediction = plan.keep ~= "none" and prediction or nil
    fold.regions = fold.prediction and native.prediction_regions(prediction)
    fold.n_train, fold.n_test = n_train, n_test
  else
    fold.failure = reasons
  end
  return prediction, n_train
end

-- `purpose` for a task of this shard, or of another one; nil: this is not a shard, or it is known already.
local function of_shard(purpose, mine)
  if mine == nil or purpose.mine ~= nil then return purpose end
  return { learner = purpose.learner, dataset = purpose.dataset, inner = purpose.inner, mine = mine }
end

-- A search on a fold of another shard looks whether the store has all of its cells; anything else does
-- not begin.
local function left_to_others(job, fold, plan, purpose)
  if not job.learner.resolve then return true end
  local ok, made = pcall(resolve_and_run, job, fold, plan, purpose)
  if not ok and made == native.cancelled then error(made, 0) end
  return not ok or fold.failure and fold.failure.of_another_shard
end

-- One fold of a composite. What goes wrong inside is data of this fold; a cancellation is not.
local function composite_task(job, split, plan, purpose)
  local work = job.learner.resolve and resolve_and_run or fit_and_score
  return function()
    local fold = new_fold(job, split)
    job.folds[split] = fold
    if purpose.mine == false then
      if not left_to_others(job, fold, plan, purpose) then return end
      fold.tuning = nil
      fold.failure = {
        stage = "shard", message = "another shard computes it", of_another_shard = true,
      }
      return native.leave_task()
    end
    local stage = "fit"
    local ok, made, n_train = pcall(work, job, fold, plan, purpose, function(next_stage) stage = next_stage end)
    if not ok then
      if made == native.cancelled or made == plan.stopped then error(made, 0) end
      if made == native.planned then return end  -- as far as a plan of this fold goes
      local readable, message = pcall(tostring, made)
      fold.failure = {
        stage = ("%s %s"):format(stage, job.learner_name), cause = readable and run.cause(made) or nil,
        message = readable and native.whole_names(message) or "an error that has no text: " .. type(made),
      }
      native.count_cell(false)
      record(job, fold, plan)
    elseif made then
      record(job, fold, plan, made, n_train)
    end
    findings.folds(job, { fold }, plan)
    check_stop(job, fold, plan)
  end
end

-- Adds the tasks of the splits of a job in some ranges, { { first =, count = }, ... }, and the defaults of their
-- cells for run.parallel.
local function add_tasks(tasks, defaults, job, ranges, plan)
  local function add(task, purpose)
    tasks[#tasks + 1] = task
    defaults[#tasks] = { isolate = job.isolate, purpose = purpose }
  end
  if native.kind(job.learner) == "learner" then
    return add(native_task(job, ranges, plan), job.inner_purpose)
  end
  for _, split in ipairs(splits_of(ranges)) do
    local mine
    if job.purpose.mine == nil then mine = native.take_task(job.purpose.dataset, job.purpose.learner) end
    add(composite_task(job, split, plan, of_shard(job.purpose, mine)), of_shard(job.inner_purpose, mine))
  end
end

-- The only fold of data that could not be split, for the reason `refusal`.
function outer_folds.refused(refusal)
  return { repeat_ = 1, fold = 1, split = 1, failure = { stage = "split", message = refusal, cause = "data" } }
end

-- Every shard has such a fold: there is nothing to compute.
local function fail_refused(job, plan)
  job.folds[1] = outer_folds.refused(job.refusal)
  native.count_cell(false)
  record(job, job.folds[1], plan)
end

-- Runs all folds of all jobs.
function outer_folds.run(jobs, plan)
  local tasks, defaults = {}, {}
  for _, job in ipairs(jobs) do
    local count = job.refusal and 1 or #job.splits
    if not job.purpose.inner then native.begin_folds(count) end
    if job.refusal then
      fail_refused(job, plan)
    else
      add_tasks(tasks, defaults, job, { { first = 1, count = count } }, plan)
    end
  end
  run.parallel(tasks, plan.how, defaults)
end

-- The splits of the folds of a job that failed, as ranges, and their number.
local function failed_ranges(job)
  local ranges, n = {}, 0
  for _, fold in ipairs(job.refusal and {} or job.folds) do
    if fold.failure and not fold.failure.of_another_shard then
      local last = ranges[#ranges]
      if last and last.first + last.count == fold.split then
        last.count = last.count + 1
      else
        ranges[#ranges + 1] = { first = fold.split, count = 1 }
      end
      n = n + 1
    end
  end
  return ranges, n
end

-- The job of the fallback for `job`. Like a learner of that name in the experiment.
local function fallback_job(job, plan)
  local name = plan.fallback.name
  local purpose = ("%s (fallback %s)"):format(job.learner_name, name)
  return {
    learner = plan.fallback.learner, learner_name = name, dataset = job.dataset, data = job.data,
    splits = job.splits, seed = plan.fallback.seed, folds = {},
    key = native.kind(plan.fallback.learner) == "learner" and native.learner_key(plan.fallback.learner) or nil,
    purpose = { learner = purpose, dataset = job.dataset, inner = job.purpose.inner },
    inner_purpose = { learner = purpose, dataset = job.dataset, inner = true },
  }
end

local function take_fallback(fold, from, other)
  if from.failure then
    fold.failure.message = ("%s; the fallback failed, too, at %s: %s"):format(fold.failure.message,
      from.failure.stage, from.failure.message)
    return
  end
  fold.fallback, fold.failure = fold.failure, nil
  fold.from = { learner = other.purpose.learner, cell = from.cell or other.key, composed = from.composed }
  for _, name in ipairs { "values", "reasons", "prediction", "regions", "n_train", "n_test", "fit_s", "predict_s" } do
    fold[name] = from[name]
  end
end

-- Gives every fold that failed what the fallback predicts on the same split.
function outer_folds.fall_back(jobs, plan)
  local tasks, defaults, replaced = {}, {}, {}
  for _, job in ipairs(jobs) do
    local ranges, count = failed_ranges(job)
    if count > 0 then
      local other = fallback_job(job, plan)
      replaced[#replaced + 1] = { job = job, other = other }
      if not job.purpose.inner then native.begin_folds(count) end
      add_tasks(tasks, defaults, other, ranges, plan)
    end
  end
  run.parallel(tasks, plan.how, defaults)
  for _, pair in ipairs(replaced) do
    local folds = {}
    for _, fold in ipairs(pair.job.folds) do
      local from = pair.other.folds[fold.split]
      if from then
        take_fallback(fold, from, pair.other)
        folds[#folds + 1] = fold
      end
    end
    findings.folds(pair.job, folds, plan)
  end
end

return outer_folds
