-- Evaluates every learner on every split of every dataset; all learners get the same splits.
local native = require "crossfold.native"
local execution = require "crossfold.execution"
local findings = require "crossfold.stored.findings"
local fitting = require "crossfold.fitting"
local headline = require "crossfold.result.headline"
local learner = require "crossfold.learner"
local metric = require "crossfold.metric"
local options = require "crossfold.options"
local outer_folds = require "crossfold.outer_folds"
local result = require "crossfold.result.result"
local run = require "crossfold.run"
local splitter = require "crossfold.splitter"

local evaluate = {}

-- { {name =, learner =}, ... }: a table by name in the order of the names, or a list in its order. `what`
-- is the function that takes them.
function evaluate.named_learners(given, what)
  if native.kind(given) == "learner" or learner.is_composite(given) or type(given) == "string" then
    given = { given }
  end
  options.list(what .. ": option 'learners'", given, true)
  local list, taken = {}, {}
  local function add(name, value)
    if taken[name] then
      native.fail("%s: two learners are called '%s'; name them, as in learners = { a = ... }", what, name)
    end
    taken[name] = true
    list[#list + 1] = { name = name, learner = value }
  end
  for i, value in ipairs(given) do
    local checked = learner.check(value, ("%s: learner %d"):format(what, i))
    if learner.is_composite(checked) and not (getmetatable(checked) or {}).__tostring then
      native.fail("%s: learner %d has no name; name it, as in learners = { a = ... }", what, i)
    end
    add(tostring(checked), checked)
  end
  local names = {}
  for key in pairs(given) do
    if type(key) == "string" then names[#names + 1] = key end
  end
  table.sort(names)
  for _, name in ipairs(names) do
    add(name, learner.check(given[name], ("%s: learner '%s'"):format(what, name)))
  end
  if #list == 0 then native.fail(what .. ": option 'learners' names no learner") end
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
    if native.kind(data) ~= "dataset" then native.fail("evaluate: dataset %d is a %s", i, type(data)) end
    list[i] = { name = data:name(), data = data }
  end
  for _, name in ipairs(options.sorted_keys(o.datasets)) do
    local data = o.datasets[name]
    if data ~= nil then
      if native.kind(data) ~= "dataset" then native.fail("evaluate: dataset '%s' is a %s", name, type(data)) end
      list[#list + 1] = { name = name, data = data }
    end
  end
  if #list == 0 then native.fail("evaluate: option 'datasets' names no dataset") end
  for _, entry in ipairs(list) do
    if taken[entry.name] then
      native.fail("evaluate: two datasets are called '%s'; name them, as in datasets = { a = ... }", entry.name)
    end
    taken[entry.name] = true
  end
  return list
end

-- What stores note about the cells of a job. Inside another experiment they are inner cells of that.
local function purposes(learner_name, dataset)
  local outer = run.defaults().purpose
  if outer then
    local inner = { learner = outer.learner, dataset = outer.dataset, inner = true,
      mine = outer.mine }
    return inner, inner
  end
  return { learner = learner_name, dataset = dataset, inner = false },
    { learner = learner_name, dataset = dataset, inner = true }
end

-- Sets the splits of a dataset and what is to be known of them; or why there are none, which fails its
-- folds if the splits of another dataset are there.
local function split_dataset(dataset, plan)
  local seed = native.seed(plan.seed, "splits")
  if plan.stopped or #plan.datasets == 1 then
    dataset.splits = splitter.split(plan.splitter, dataset.data, seed)
  else
    dataset.splits, dataset.refusal = splitter.try(plan.splitter, dataset.data, seed)
  end
  if dataset.splits then dataset.notes = splitter.notes(dataset.splits, plan.splitter) end
  return dataset.splits ~= nil
end

local function make_jobs(plan)
  local jobs, any_splits = {}, false
  for _, dataset in ipairs(plan.datasets) do
    dataset.data = splitter.prepare(plan.splitter, dataset.data)
    if dataset.data:task() == "none" then
      native.fail("cannot evaluate on '%s': the dataset has no target; read it with target = \"<column>\"",
        dataset.name)
    end
    for m = 1, #plan.metrics do
      if plan.metrics.index[m] then native.check_metric(plan.metrics[m], dataset.data) end
    end
    if plan.fallback then fitting.check(plan.fallback.learner, dataset.data) end
    any_splits = split_dataset(dataset, plan) or any_splits
    for _, entry in ipairs(plan.learners) do
      fitting.check(entry.learner, dataset.data)
      if dataset.splits then fitting.check_splits(entry.learner, dataset.splits) end
      local purpose, inner_purpose = purposes(entry.name, dataset.name)
      jobs[#jobs + 1] = {
        dataset = dataset.name, data = dataset.data, splits = dataset.splits,
        refusal = dataset.refusal,
        learner = entry.learner, learner_name = entry.name,
        seed = entry.seed, folds = {},
        isolate = plan.isolate[entry.name], purpose = purpose, inner_purpose = inner_purpose,
      }
    end
  end
  if not any_splits then native.fail(plan.datasets[1].refusal) end
  return jobs
end

local function names_of(learners)
  local names = {}
  for i, entry in ipairs(learners) do names[i] = entry.name end
  return names
end

-- The execution that the options ask for, and the modes of isolation by learner.
local function check_execution(o, learners)
  local modes = {}
  if type(o.isolate) == "table" then
    modes = execution.modes_by_name("evaluate", o.isolate, names_of(learners))
    o.isolate = nil
  end
  return run.execution("evaluate", o), modes
end

-- Sets the seed of each learner.
local function set_seeds(learners, o)
  for name, number in pairs(o.seeds or {}) do
    options.place_of("evaluate: option 'seeds': there is no learner", name, names_of(learners))
    if math.type(number) ~= "integer" then
      native.fail("evaluate: seeds.%s is %s; give an integer", name, tostring(number))
    end
  end
  for _, entry in ipairs(learners) do
    entry.seed = learner.seed(o.seed, entry.learner, o.seeds and o.seeds[entry.name])
  end
end

-- Sets what becomes of failures: plan.stopped (an error value of this evaluation), plan.fallback.
local function check_on_error(plan, on_error)
  if on_error == "record" then return end
  if on_error == "stop" then
    plan.stopped, plan.how = {}, execution.stopping(plan.how)
  elseif type(on_error) == "string" then
    native.fail("evaluate: on_error = '%s' is not one of record, stop; a learner as a fallback is cf.learner(\"%s\")",
      on_error, on_error)
  else
    local checked = learner.check(on_error, "evaluate: option 'on_error'")
    plan.fallback = { learner = checked, name = learner.name(checked), seed = learner.seed(plan.seed, checked) }
  end
end

-- Runs everything. A failure that stops the evaluation is raised where the script called it.
local function run_jobs(jobs, plan)
  if not plan.stopped then return outer_folds.run(jobs, plan) end
  local ok, problem = pcall(outer_folds.run, jobs, plan)
  if ok then return end
  if problem == plan.stopped then native.fail(problem.message) end
  error(problem, 0)
end

-- The options of what becomes of predictions and failures.
evaluate.keep = { "string", "labels", words = { "labels", "probabilities", "none" },
  doc = "What is kept of the out-of-fold predictions." }
evaluate.on_error = { "any", "record", names = { "record", "stop" }, is = "learner",
  doc = "What becomes of a fold that fails: \"record\" notes it in the result, \"stop\" starts no more cells and "
    .. "raises the error, a learner stands in for the one that failed." }

local declared = options.declare("evaluate", execution.declare {
  data = { "dataset", doc = "The dataset." },
  datasets = { "table", is = "table<string|integer, dataset>", doc = "Several datasets, by name or as a list." },
  learners = { "any!", is = "learners", doc = "The learners, by name (which gives the order) or as a list." },
  splitter = { "any!", is = "splitter|splits",
    doc = "What makes the splits, which are the same for all learners; or splits, as of another result." },
  metrics = { "any!", is = "metrics", doc = "The metrics that score the predictions." },
  seed = options.seed,
  seeds = { "table", is = "table<string, integer>",
    doc = "Numbers, by the name of a learner, that give it other random numbers than an equal learner." },
  on_error = evaluate.on_error,
  keep = evaluate.keep,
  isolate = execution.isolate_by_learner,
})

-- What is kept of predictions: what was asked for, and what metrics need that are scored on all folds together.
local function what_to_keep(plan)
  if plan.keep ~= "labels" then return plan.keep end
  for _, dataset in ipairs(plan.datasets) do
    for m = 1, #plan.metrics do
      local one = plan.metrics[m]
      if metric.needs_probabilities(one) and headline.aggregation(dataset.splits, one) == headline.pooled then
        return "probabilities"
      end
    end
  end
  return "labels"
end

-- The same as cf.evaluate, as a part of a study: a table with its `kind` and what it found beforehand,
-- which goes into the store.
function evaluate.of_study(given, study)
  local o = options.check("evaluate", given, declared)
  local learners = evaluate.named_learners(o.learners, "evaluate")
  local how, modes = check_execution(o, learners)
  set_seeds(learners, o)
  local plan = {
    datasets = named_datasets(o),
    learners = learners,
    splitter = splitter.check_outer(o.splitter, "evaluate: option 'splitter'"),
    metrics = metric.list(o.metrics, "evaluate: option 'metrics'"),
    seed = o.seed, keep = o.keep, how = how, isolate = modes,
  }
  check_on_error(plan, o.on_error)
  local jobs = make_jobs(plan)
  plan.cell_keep = metric.keep(plan.metrics, what_to_keep(plan))
  findings.begin(plan, jobs, study)
  run_jobs(jobs, plan)
  if plan.fallback then outer_folds.fall_back(jobs, plan) end
  plan.store_problem = native.store_problem(plan.how)
  return result.new(jobs, plan)
end

function evaluate.new(given) return evaluate.of_study(given, nil) end

return evaluate
