-- Refits with changed test rows: what is fitted on the training rows, and what is predicted for rows that
-- were left alone, must stay the same in every bit.
local closures = require "crossfold.audit.closures"
local jobs = require "crossfold.audit.jobs"
local learner = require "crossfold.learner"
local perturbed_splits = require "crossfold.audit.perturbed_splits"
local planning = require "crossfold.planning"
local stages = require "crossfold.audit.stages"
local split_runs = require "crossfold.audit.split_runs"

local refit = {}

local both = { features = true, target = true, beyond = true }
local near_both = { features = true, target = true }

local change_texts = {
  features = "the features of other test rows become noise",
  target = "the targets of the test rows are changed",
  both = "test rows become noise and their targets are changed",
}

-- The learner of a job for the data of a trial: made again if a function of the script makes it.
local function learner_for(context, job, trial)
  if not context.make_learners then return job.learner end
  return context.learners_of(trial.data)[job.name]
end

local function run_on(context, job, trial)
  local value, problem = split_runs.try(learner_for, context, job, trial)
  if not value then
    return { failure = problem or "the learners of the changed data have other names" }
  end
  return split_runs.run(value, trial, job.place, job.seed)
end

-- What alone is enough for a difference: the features, the targets, or only both.
local function cause_of(context, job, beyond)
  for _, name in ipairs { "features", "target" } do
    local trial = perturbed_splits.trial(context, job.place, { [name] = true, beyond = beyond })
    local unit = run_on(context, job, trial)
    local found = not unit.failure and split_runs.refit_difference(job.first, unit, name == "target")
    if found then return name, found, trial end
  end
end

-- Finds out what leaks where. Runs inside run.parallel.
local function explain(context, job)
  local cause, found, trial = cause_of(context, job, job.beyond)
  if not cause then
    cause, found, trial = "both", split_runs.refit_difference(job.first, job.changed), job.trial
  end
  local stage, columns
  local before = { data = context.data, splits = context.splits }
  if context.make_learners then
    local same = split_runs.run(job.learner, trial, job.place, job.seed)
    if not same.failure and not split_runs.refit_difference(job.first, same) then
      stage = "learners"
    end
  end
  if not stage then
    local found_stage = split_runs.try(function()
      return { stages.find(job.learner, before, trial, job.place, job.seed) }
    end)
    stage, columns = table.unpack(found_stage or { learner.name(job.learner) }, 1, 2)
  end
  return { severity = "leak", kind = "refit", stage = stage, columns = columns, one = true,
    count = jobs.count_of(found), message = ("%s when %s: it is fitted on more than its training rows")
      :format(jobs.difference_text(found), change_texts[cause]) }
end

local function add_batch(context, job)
  -- Where the fit itself is another, predictions for changed rows say nothing about the batch.
  local comparable = not job.changed.failure and not job.explained
  local worst, is_rounding = split_runs.batch_difference(job.first, comparable and job.changed or nil, job.place)
  if not worst then return false end
  if is_rounding then
    jobs.add(context, job, { severity = "note", kind = "rounding", stage = "predict", count = worst.differ,
      message = "predictions differ in their last digits with the rows that are predicted together" })
  else
    local where = split_runs.try(function()
      return { stages.of_batch(job.learner, { data = context.data, splits = context.splits }, job.place, job.seed) }
    end)
    local stage, columns = table.unpack(where or {}, 1, 2)
    jobs.add(context, job, { severity = "leak", kind = "batch", stage = stage or "predict",
      columns = columns, one = true, count = worst.differ,
      message = ("the predictions for %d of %d rows depend on which other rows are predicted with "
        .. "them; predict each row from its own features and the fitted state"):format(worst.differ, worst.rows) })
  end
  return true
end

local function add_cell(context, job)
  local found, is_rounding = split_runs.cell_difference(job.first, job.changed, job.place)
  if not found then return end
  if is_rounding then
    return jobs.add(context, job, { severity = "note", kind = "rounding", stage = learner.name(job.learner),
      count = found.differ, message = "cells differ in their last digits with other test rows, as the "
        .. "learner takes the rows of a fold out of a fit on all rows; --no-sharing fits each fold" })
  end
  jobs.add(context, job, { severity = "leak", kind = "shared_work", stage = learner.name(job.learner),
    count = found.differ, message = ("the predictions for %d of %d untouched test rows change with "
      .. "other test rows only where work is shared between folds (prepare or cross_predict of the "
      .. "plugin); run with --no-sharing until the plugin is fixed"):format(found.differ, found.rows) })
end

local function job_text(job) return ("learner '%s'"):format(job.name) end

-- Two runs of the same must agree, or nothing can be compared. Returns those that do.
local function reproducible(context, all)
  local good = {}
  for _, job in ipairs(all) do
    if job.first.failure then
      jobs.add(context, job, { severity = "note", kind = "failed", stage = learner.name(job.learner),
        message = "cannot be audited: " .. job.first.failure })
      context.findings:check("refit", job_text(job), "it fails: " .. job.first.failure)
    elseif job.second.failure or not split_runs.same(job.first, job.second, job.place) then
      jobs.add(context, job, { severity = "risk", kind = "not_reproducible",
        stage = learner.name(job.learner), message = "two fits on the same rows with the same seed "
          .. "differ, so no refit can show a leak; draw from context.seed, and keep nothing from one fit to the next" })
      context.findings:check("refit", job_text(job), "two equal fits differ")
    else
      good[#good + 1] = job
    end
  end
  return good
end

-- Runs with changed test rows; where the noise is refused, with values that the columns have.
local function run_changed(context, all)
  local function run_with(list, what)
    jobs.run(context, list, "changed", function(job)
      job.trial, job.beyond = perturbed_splits.trial(context, job.place, what), what.beyond
      return run_on(context, job, job.trial)
    end)
  end
  run_with(all, both)
  local again = {}
  for _, job in ipairs(all) do
    if job.changed.failure then again[#again + 1] = job end
  end
  run_with(again, near_both)
  -- A single test row is touched itself; its prediction must still not depend on its target.
  local single = {}
  for _, job in ipairs(all) do
    if #job.place.untouched == 0 then single[#single + 1] = job end
  end
  jobs.run(context, single, "relabelled", function(job)
    return run_on(context, job, perturbed_splits.trial(context, job.place, { target = true }))
  end)
end

local function explain_all(context, all)
  local leaking = {}
  for _, job in ipairs(all) do
    if job.changed.failure then
      jobs.add(context, job, { severity = "note", kind = "failed_on_noise",
        stage = learner.name(job.learner),
        message = "cannot be compared, as it fails with changed test rows: " .. job.changed.failure })
      context.findings:check("refit", job_text(job), "it fails with changed test rows")
    else
      context.findings:check("refit", job_text(job))
      local relabelled = job.relabelled and not job.relabelled.failure
        and split_runs.refit_difference(job.first, job.relabelled, true)
      if relabelled or split_runs.refit_difference(job.first, job.changed) then
        leaking[#leaking + 1] = job
      end
    end
  end
  jobs.run(context, leaking, "explained", function(job) return explain(context, job) end)
  for _, job in ipairs(leaking) do jobs.add(context, job, job.explained) end
end

local function new_jobs(context)
  local all = {}
  for _, place in ipairs(context.places) do
    for _, entry in ipairs(context.learners) do
      all[#all + 1] = {
        name = entry.name, learner = entry.learner, place = place,
        seed = learner.seed(context.seed, entry.learner),
      }
    end
  end
  return all
end

-- Adds what refits of the learners show. context = { data, splits, places, learners, make_learners,
-- learners_of, seed, how, findings }.
function refit.check(context)
  local all = new_jobs(context)
  local before = { data = context.data, splits = context.splits }
  for _, field in ipairs { "first", "second" } do
    jobs.run(context, all, field, function(job)
      return split_runs.run(job.learner, before, job.place, job.seed)
    end)
  end
  all = reproducible(context, all)
  run_changed(context, all)
  planning.needs_results()
  explain_all(context, all)
  for _, job in ipairs(all) do
    if not add_batch(context, job) and not job.changed.failure and not job.explained then
      add_cell(context, job)
    end
    context.findings:check("rows alone and together", job_text(job))
  end
  closures.check(context, all)
end

return refit
