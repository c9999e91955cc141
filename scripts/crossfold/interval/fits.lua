-- Fits what some intervals need beyond the folds of a result, all of it as one batch: it uses all workers, and a store
-- keeps the cells and finds them again.
local native = require "crossfold.native"
local execution = require "crossfold.execution"
local imported = require "crossfold.import.learner"
local members = require "crossfold.ensemble.members"
local metric = require "crossfold.metric"
local run = require "crossfold.run"

local interval_fits = {}

-- Why the learner of a job cannot be fitted again, and the way out; nil if it can.
function interval_fits.refusal(job, plan)
  if plan.stored or not job.learner then
    return "it fits the learner again, and a stored result has none",
      "run cf.evaluate with the same store, which finds the folds, and ask its result"
  elseif imported.is(job.learner) then
    return "it fits the learner again, and these predictions are imported", "use another method"
  end
end

-- Positions of the rows in the data, by their ids.
function interval_fits.positions(data)
  local of = {}
  for i, id in ipairs(data:row_ids()) do of[id] = i end
  return of
end

-- Positions of rows, in order.
function interval_fits.sorted(positions, ids)
  local list = {}
  for i, id in ipairs(ids) do list[i] = positions[id] end
  table.sort(list)
  return list
end

-- What cells must keep for the metrics of a plan.
local function kept_for(plan)
  for _, one in ipairs(plan.metrics) do
    if metric.needs_probabilities(one) then return "probabilities" end
  end
  return "labels"
end

-- Predicts the test rows of each split of the jobs' own splits, by models of the training rows: a table by job of
-- { predictions }, or { problem } where one failed. `wanted` = { { job =, lists =, seed = }, ... }; `o` are the checked
-- options that say how cells run.
function interval_fits.run(wanted, plan, o)
  local how = execution.new("interval", o, plan.how)
  if how.workers == nil then how = execution.with_workers(how, plan.how.workers) end
  local found, tasks, defaults, keep = {}, {}, {}, kept_for(plan)
  for i, one in ipairs(wanted) do
    local job = one.job
    found[job] = {}
    defaults[i] = { isolate = job.isolate, purpose = job.inner_purpose }
    tasks[i] = function()
      local splits = native.splits_from_lists(job.data, one.lists)
      local ok, made = pcall(members.out_of_fold, { job.learner }, splits, { one.seed }, keep)
      if not ok and (made == native.cancelled or made == native.planned) then error(made, 0) end
      if ok then found[job].predictions = made[1] else found[job].problem = tostring(made) end
    end
  end
  run.parallel(tasks, how, defaults)
  return found
end

return interval_fits
