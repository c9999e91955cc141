-- evaluate: every learner on every split of every dataset, on the same splits for all learners.
local native = require "crossfold.native"
local fitting = require "crossfold.fitting"
local learner = require "crossfold.learner"
local metric = require "crossfold.metric"
local options = require "crossfold.options"
local result = require "crossfold.result"
local run = require "crossfold.run"
local splitter = require "crossfold.splitter"

local evaluate = {}

-- { {name =, learner =}, ... }: a table by name in the order of the names, or a list in its order.
local function named_learners(given)
  if native.kind(given) == "learner" or learner.is_composite(given) or type(given) == "string" then
    given = { given }
  end
  options.list("evaluate: option 'learners'", given, true)
  local list, taken = {}, {}
  local function add(name, value)
    if taken[name] then
      native.fail(("evaluate: two learners are called '%s'; name them, as in learners = { a = ... }")
        :format(name))
    end
    taken[name] = true
    list[#list + 1] = { name = name, learner = value }
  end
  for i, value in ipairs(given) do
    local checked = learner.check(value, ("evaluate: learner %d"):format(i))
    if learner.is_composite(checked) and not (getmetatable(checked) or {}).__tostring then
      native.fail(("evaluate: learner %d has no name; name it, as in learners = { a = ... }"):format(i))
    end
    add(tostring(checked), checked)
  end
  local names = {}
  for key in pairs(given) do
    if type(key) == "string" then names[#names + 1] = key end
  end
  table.sort(names)
  for _, name in ipairs(names) do
    add(name, learner.check(given[name], ("evaluate: learner '%s'"):format(name)))
  end
  if #list == 0 then native.fail("evaluate: option 'learners' names no learner") end
  return list
end

local function named_datasets(o)
  if (o.data == nil) == (o.datasets == nil) then
    native.fail("evaluate: give either 'data' or 'datasets'")
  end
  if o.data then return { { name = o.data:name(), data = o.data } } end
  options.list("evaluate: option 'datasets'", o.datasets, true)
  local list, taken = {}, {}
  for i, data in ipairs(o.datasets) do
    if native.kind(data) ~= "dataset" then
      native.fail(("evaluate: dataset %d is a %s"):format(i, type(data)))
    end
    list[i] = { name = data:name(), data = data }
  end
  for _, name in ipairs(options.sorted_keys(o.datasets)) do
    local data = o.datasets[name]
    if data ~= nil then
      if native.kind(data) ~= "dataset" then
        native.fail(("evaluate: dataset '%s' is a %s"):format(name, type(data)))
      end
      list[#list + 1] = { name = name, data = data }
    end
  end
  if #list == 0 then native.fail("evaluate: option 'datasets' names no dataset") end
  for _, entry in ipairs(list) do
    if taken[entry.name] then
      native.fail(("evaluate: two datasets are called '%s'; name them, as in datasets = { a = ... }")
        :format(entry.name))
    end
    taken[entry.name] = true
  end
  return list
end

-- A job is one learner on one dataset; its fold entries are filled in by the functions below.
local function new_fold(job, split)
  local repeat_, fold = job.splits:place(split)
  return { repeat_ = repeat_, fold = fold, split = split }
end

local function cell_of(job, chosen, split, plan)
  return {
    learner = chosen, splits = job.splits, split = split, seed = job.seed,
    metrics = plan.metrics.native, keep = plan.cell_keep,
  }
end

local function fill(fold, outcomes, i, plan)
  if native.planning() then return end
  local warnings = outcomes:warnings(i)
  if #warnings > 0 then fold.warnings = warnings end
  if not outcomes:ok(i) then
    fold.failure = outcomes:failure(i)
    return
  end
  fold.values, fold.reasons = metric.scores(plan.metrics, outcomes, i)
  fold.prediction = plan.keep ~= "none" and outcomes:prediction(i) or nil
  fold.n_train, fold.n_test = outcomes:sizes(i)
  fold.fit_s, fold.predict_s = outcomes:seconds(i)
end

-- All folds of a native learner as one batch.
local function native_task(job, plan)
  return function()
    local cells = cell_of(job, job.learner, 1, plan)
    cells.count = #job.splits
    local outcomes = run.run { cells }
    for s = 1, #job.splits do
      job.folds[s] = new_fold(job, s)
      fill(job.folds[s], outcomes, s, plan)
    end
  end
end

-- A search: choose inside the training rows, then run the chosen learner on the split.
local function resolve_and_run(job, fold, plan)
  local chosen, detail = fitting.resolve_on_split(job.learner, job.splits, fold.split, job.seed,
    function(kept) fold.tuning = kept end)
  fold.tuning = detail
  native.check_learner(chosen, job.data)
  fill(fold, run.run { cell_of(job, chosen, fold.split, plan) }, 1, plan)
end

-- Any other composite: fits and predicts here, and is checked like a plugin.
local function fit_and_score(job, fold, plan)
  local prediction, n_train, n_test, detail =
    fitting.predict_on_split(job.learner, job.splits, fold.split, job.seed)
  if native.planning() then return end
  fold.tuning = detail
  fold.values, fold.reasons = {}, {}
  for m = 1, #plan.metrics do
    fold.values[m], fold.reasons[m] = metric.score(plan.metrics[m], prediction)
  end
  fold.prediction = plan.keep ~= "none" and prediction or nil
  fold.n_train, fold.n_test = n_train, n_test
  native.count_cell(true)
end

-- One fold of a composite. What goes wrong inside is data of this fold; a cancellation is not.
local function composite_task(job, split, plan)
  local work = job.learner.resolve and resolve_and_run or fit_and_score
  return function()
    local fold = new_fold(job, split)
    job.folds[split] = fold
    local ok, problem = pcall(work, job, fold, plan)
    if ok then return end
    if problem == native.cancelled then error(problem, 0) end
    local readable, message = pcall(tostring, problem)
    fold.failure = {
      stage = "fit " .. job.learner_name,
      message = readable and message or "an error that has no text: " .. type(problem),
    }
    native.count_cell(false)
  end
end

local function make_jobs(plan)
  local jobs = {}
  for _, dataset in ipairs(plan.datasets) do
    dataset.data = splitter.prepare(plan.splitter, dataset.data)
    if dataset.data:task() == "none" then
      native.fail(("cannot evaluate on '%s': the dataset has no target; read it with "
        .. "target = \"<column>\""):format(dataset.name))
    end
    for m = 1, #plan.metrics do
      if plan.metrics.index[m] then native.check_metric(plan.metrics[m], dataset.data) end
    end
    local splits = splitter.split(plan.splitter, dataset.data, native.seed(plan.seed, "splits"))
    for _, entry in ipairs(plan.learners) do
      fitting.check(entry.learner, dataset.data)
      jobs[#jobs + 1] = {
        dataset = dataset.name, data = dataset.data, splits = splits,
        learner = entry.learner, learner_name = entry.name,
        seed = native.seed(plan.seed, "learner", entry.name), folds = {},
      }
    end
  end
  return jobs
end

local function stop_on_failure(jobs)
  for _, job in ipairs(jobs) do
    for _, fold in ipairs(job.folds) do
      if fold.failure then
        native.fail(("cannot evaluate '%s' on '%s': repeat %d, fold %d failed at %s: %s")
          :format(job.learner_name, job.dataset, fold.repeat_, fold.fold, fold.failure.stage,
            fold.failure.message))
      end
    end
  end
end

function evaluate.new(given)
  local o = options.check("evaluate", given, {
    data = { "dataset" },
    datasets = { "table" },
    learners = { "any!" },
    splitter = { "any!" },
    metrics = { "any!" },
    seed = { "integer", native.defaults().seed },
    workers = { "integer" },
    on_error = { "string", "record" },
    keep = { "string", "labels" },
  })
  if o.on_error ~= "record" and o.on_error ~= "stop" then
    native.fail(("evaluate: on_error = '%s' is none of record, stop"):format(o.on_error))
  end
  if o.keep ~= "labels" and o.keep ~= "probabilities" and o.keep ~= "none" then
    native.fail(("evaluate: keep = '%s' is none of labels, probabilities, none"):format(o.keep))
  end
  options.workers("evaluate", o.workers)
  local plan = {
    datasets = named_datasets(o),
    learners = named_learners(o.learners),
    splitter = splitter.check(o.splitter, "evaluate: option 'splitter'"),
    metrics = metric.list(o.metrics, "evaluate: option 'metrics'"),
    seed = o.seed, keep = o.keep,
  }
  plan.cell_keep = metric.keep(plan.metrics, o.keep)
  local jobs = make_jobs(plan)
  local tasks = {}
  for _, job in ipairs(jobs) do
    if native.kind(job.learner) == "learner" then
      tasks[#tasks + 1] = native_task(job, plan)
    else
      for split = 1, #job.splits do tasks[#tasks + 1] = composite_task(job, split, plan) end
    end
  end
  run.parallel(tasks, o.workers)
  if native.planning() then return nil end
  if o.on_error == "stop" then stop_on_failure(jobs) end
  return result.new(jobs, plan)
end

return evaluate
