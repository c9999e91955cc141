-- Finds the stage of a learner that a leak comes from: the first that gives something else when rows change that
-- it must not see. A stage is a step of a pipeline, a member of an ensemble, or the learner itself.
local native = require "crossfold.native"
local learner = require "crossfold.learner"
local transform = require "crossfold.transform"
local split_runs = require "crossfold.audit.split_runs"

local stages = {}

local find

-- Steps 1 .. n of a native pipeline before a learner that shows what they make of the rows.
local function differs_up_to(steps, n, before, after, place, seed)
  for _, probe in ipairs { "featureless", "knn" } do
    local ok, made = pcall(function()
      local list = table.move(steps, 1, n, 1, {})
      list[n + 1] = native.spec("learner", probe, probe == "knn" and { k = 1, distance = "gower" } or nil)
      return native.pipeline(list)
    end)
    if ok then
      local a, b = split_runs.run(made, before, place, seed), split_runs.run(made, after, place, seed)
      if not a.failure and not b.failure and split_runs.refit_difference(a, b) then return true end
    end
  end
  return false
end

local function native_stage(value, before, after, place, seed)
  local steps = native.pipeline_steps(value)
  for n = 1, #steps - 1 do
    if differs_up_to(steps, n, before, after, place, seed) then return steps[n]:short_id() end
  end
  return steps[#steps]:short_id()
end

local function column_names(changes)
  local names = {}
  for i, change in ipairs(changes) do names[i] = change.column end
  return names
end

local function transform_stage(value, before, after, place, seed)
  local a = split_runs.transformed(value, before, place, seed)
  local b = split_runs.transformed(value, after, place, seed)
  for n, name in ipairs(a.names) do
    for part = 1, #a.rows[n] do
      local changes = split_runs.feature_changes(a.rows[n][part], b.rows[n][part])
      if #changes > 0 then return name, column_names(changes) end
    end
  end
  return learner.name(value.learner)
end

-- The transform in Lua whose answer for a row depends on the other rows, and its columns; nil if none
-- can be identified. Some training rows are asked for together, and then one by one.
function stages.of_batch(value, trial, place, seed)
  if not transform.is_composite(value) then return nil end
  local train = trial.splits:train(place.split)
  local list = { train:select(place.train_positions) }
  for i = 1, math.min(8, #place.train_positions) do
    list[i + 1] = train:select { place.train_positions[i] }
  end
  local traced = transform.trace(value, train, list, native.seed(seed, "stage"))
  for n, name in ipairs(traced.names) do
    local rows = traced.rows[n]
    for part = 2, #rows do
      local changes = split_runs.feature_changes(rows[1], rows[part], rows[part]:row_ids())
      if #changes > 0 then return name, column_names(changes) end
    end
  end
end

-- Learners inside `value`: { { name =, learner = }, ... }.
local function parts_of(value)
  local list = {}
  local function add(name, part)
    if native.kind(part) == "learner" or learner.is_composite(part) then
      list[#list + 1] = { name = name, learner = part }
    end
  end
  for i, part in ipairs(type(value.learners) == "table" and value.learners or {}) do
    add(("learner %d"):format(i), part)
  end
  add("learner", value.learner)
  add("combiner", value.combiner)
  return list
end

-- The part of a composite that differs by itself, or the composite.
local function composite_stage(value, before, after, place, seed)
  for i, part in ipairs(parts_of(value)) do
    local own = native.seed(seed, "part", i)
    local a = split_runs.run(part.learner, before, place, own)
    local b = split_runs.run(part.learner, after, place, own)
    if not a.failure and not b.failure and split_runs.refit_difference(a, b) then
      local inner, columns = find(part.learner, before, after, place, own)
      return inner, columns
    end
  end
  return learner.name(value)
end

function find(value, before, after, place, seed)
  if native.kind(value) == "learner" then return native_stage(value, before, after, place, seed) end
  if transform.is_composite(value) then
    return transform_stage(value, before, after, place, seed)
  end
  return composite_stage(value, before, after, place, seed)
end

-- The name of the first stage of `value` that differs between two trials of a place, and a list of the
-- columns that it gives another way (nil where that is not known). Runs inside run.parallel.
stages.find = find

return stages
