-- Runs learners on splits with seeds that are given, all units together as one batch, and notes the score of each.
--
-- A unit is { learner =, splits =, tuning_seed =, seeds = { ... } }: all folds of the splits, once per seed. A search
-- chooses once per fold, with the tuning seed; what it chose is fitted once per seed. Afterwards the unit has scores[s]
-- = the mean of the metric over the folds for seed s, or false, and problems[s] = the reason why there is none. Of
-- a search it also has tuning_cells = the number of inner cells of all folds. In a shard, elsewhere = true says that
-- another shard computes some of it.
local native = require "crossfold.native"
local fitting = require "crossfold.fitting"
local learner = require "crossfold.learner"
local metric = require "crossfold.metric"
local run = require "crossfold.run"

local scored_units = {}

-- Values and reasons of fold `split` for seed s.
local function note(unit, s, split, values, reasons)
  if values then
    unit.values[s][split] = values[1]
    if values[1] == nil and not unit.problems[s] then
      unit.problems[s] = ("the metric is undefined in fold %d: %s"):format(split, reasons[1])
    end
    return
  end
  unit.elsewhere = unit.elsewhere or reasons.of_another_shard
  if not unit.problems[s] then
    unit.problems[s] = ("fold %d failed at %s: %s"):format(split, reasons.stage, reasons.message)
  end
end

local function note_outcome(unit, s, split, outcomes, i, metrics)
  if outcomes:ok(i) then
    note(unit, s, split, metric.scores(metrics, outcomes, i))
  else
    note(unit, s, split, nil, outcomes:failure(i))
  end
end

-- The cells of some splits of a unit, seed by seed.
local function run_cells(unit, chosen, first, count, plan)
  local cells = {}
  for s, seed in ipairs(unit.seeds) do
    cells[s] = { learner = chosen, splits = unit.splits, split = first, count = count, seed = seed,
      metrics = plan.metrics.native, keep = plan.keep }
  end
  local outcomes = run.run(cells)
  for s in ipairs(unit.seeds) do
    for split = first, first + count - 1 do
      note_outcome(unit, s, split, outcomes, (s - 1) * count + split - first + 1, plan.metrics)
    end
  end
end

local function native_task(unit, plan)
  return function() run_cells(unit, unit.learner, 1, #unit.splits, plan) end
end

local of_another_shard = { stage = "shard", message = "another shard computes it", of_another_shard = true }

-- The failure that the error `problem` is.
local function failure_of(unit, problem)
  local readable, text = pcall(tostring, problem)
  return { stage = "fit " .. learner.name(unit.learner),
    message = readable and native.whole_names(text) or "an error that has no text: " .. type(problem) }
end

-- Calls f; what goes wrong in it is a problem of the fold for the seeds from `first` to `last`. A task of another shard
-- only looks whether the store has all of it, if it can.
local function attempt(unit, split, first, last, mine, f)
  local ok, problem
  if mine == false and not unit.learner.resolve then
    ok = false
  else
    ok, problem = pcall(f)
  end
  if ok or problem == native.planned then return end
  if problem == native.cancelled then error(problem, 0) end
  local failure = mine == false and of_another_shard or failure_of(unit, problem)
  for s = first, last do note(unit, s, split, nil, failure) end
  if mine == false then native.leave_task() else native.count_cell(false) end
end

local function search_task(unit, plan, mine, split)
  return function()
    attempt(unit, split, 1, #unit.seeds, mine, function()
      local chosen, detail = fitting.resolve_on_split(unit.learner, unit.splits, split, unit.tuning_seed)
      local cells = type(detail) == "table" and math.tointeger(detail.cells) or 0
      unit.tuning_cells = (unit.tuning_cells or 0) + cells
      run_cells(unit, chosen, split, 1, plan)
    end)
  end
end

local function composite_task(unit, plan, mine, split, s)
  return function()
    attempt(unit, split, s, s, mine, function()
      local prediction = fitting.predict_on_split(unit.learner, unit.splits, split, unit.seeds[s])
      note(unit, s, split, metric.score_all(plan.metrics, prediction))
      native.count_cell(true)
    end)
  end
end

-- Adds the tasks of a unit, and what their cells are for: `purpose`, and whether a task that is not of cells alone is
-- one of this shard.
local function add_tasks(tasks, defaults, unit, plan, purpose)
  if native.kind(unit.learner) == "learner" then
    tasks[#tasks + 1] = native_task(unit, plan)
    defaults[#tasks] = { purpose = purpose }
    return
  end
  local function add(make, split, s)
    local mine = purpose.mine
    if mine == nil then mine = native.take_task(purpose.dataset, purpose.learner) end
    tasks[#tasks + 1] = make(unit, plan, mine, split, s)
    defaults[#tasks] = { purpose = { learner = purpose.learner, dataset = purpose.dataset, inner = purpose.inner,
      mine = mine } }
  end
  for split = 1, #unit.splits do
    if unit.learner.resolve then
      add(search_task, split)
    else
      for s = 1, #unit.seeds do add(composite_task, split, s) end
    end
  end
end

local function is_finite(x) return x == x and math.abs(x) < math.huge end

-- Sets the scores of a unit: means over its folds.
local function summarise(unit)
  unit.scores = {}
  for s in ipairs(unit.seeds) do
    for split = 1, #unit.splits do
      local value = unit.values[s][split]
      if value and not is_finite(value) and not unit.problems[s] then
        unit.problems[s] = ("the score of fold %d is %s"):format(split, native.format_number(value))
      end
    end
    unit.scores[s] = not unit.problems[s] and native.summary(unit.values[s]).mean or false
  end
  unit.values = nil
end

-- Raises what would stop every fit of `value` on `data`, or scores by the metric.
function scored_units.check(value, metrics, data)
  if not metric.is_lua(metrics[1]) then native.check_metric(metrics[1], data) end
  fitting.check(value, data)
end

-- Runs all units; `metrics` is a list of one, as of metric.list. In a plan it only counts. Returns whether this is
-- all: in a shard it may not be.
function scored_units.run(units, metrics, how)
  local plan, tasks, defaults = { metrics = metrics, keep = metric.keep(metrics, "none") }, {}, {}
  local outer = run.defaults().purpose
  for _, unit in ipairs(units) do
    unit.values, unit.problems = {}, {}
    for s in ipairs(unit.seeds) do unit.values[s] = {} end
    fitting.check_splits(unit.learner, unit.splits)
    add_tasks(tasks, defaults, unit, plan, outer or { learner = unit.name, dataset = unit.dataset, inner = true })
  end
  run.parallel(tasks, how, defaults)
  if native.planning() then return false end
  local is_all = true
  for _, unit in ipairs(units) do
    summarise(unit)
    is_all = is_all and not unit.elsewhere
  end
  return is_all
end

return scored_units
