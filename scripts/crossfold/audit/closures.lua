-- Checks the values that functions of the script capture: whether predictions depend on them.
local native = require "crossfold.native"
local captured = require "crossfold.audit.captured"
local jobs = require "crossfold.audit.jobs"
local learner = require "crossfold.learner"
local perturbed_splits = require "crossfold.audit.perturbed_splits"
local statistics = require "crossfold.audit.statistics"
local split_runs = require "crossfold.audit.split_runs"

local closures = {}

-- What becomes of test rows in the data that are captured.
local both = { features = true, target = true, beyond = true }

local function run_holding(context, job, slots)
  local before = { data = context.data, splits = context.splits }
  local function change(data) return perturbed_splits.changed(data, job.place, both) end
  return captured.with(slots, context.data, change, function()
    return split_runs.run_all({ function()
      return split_runs.run(job.learner, before, job.place, job.seed)
    end }, context.how)[1]
  end)
end

local function holding_difference(context, job, slots)
  local unit = run_holding(context, job, slots)
  return not unit.failure and split_runs.refit_difference(job.first, unit, true) or nil
end

local function check_held(context, job, slots)
  local found = #slots > 0 and holding_difference(context, job, slots)
  if not found then return false end
  local slot
  for _, one in ipairs(slots) do
    local alone = holding_difference(context, job, { one })
    if alone then
      slot, found = one, alone
      break
    end
  end
  slot = slot or slots[1]
  local what = slot.exact and "the whole dataset"
    or slot.kind == "dataset" and ("a dataset '%s' with the same number of rows"):format(slot.value:name())
    or ("column '%s' of all rows"):format(slot.column)
  local sure = slot.kind == "column" or slot.exact
  jobs.add(context, job, { severity = sure and "leak" or "risk", kind = "captured", stage = slot.stage,
    columns = slot.column and { slot.column } or nil, count = jobs.count_of(found),
    message = ("%s when test rows change in '%s', %s that %s holds; use only the data that a function "
      .. "is given"):format(jobs.difference_text(found), slot.name, what, slot.holder) })
  return true
end

-- Numbers held by functions that are statistics of all rows.
local function check_numbers(context, job, numbers)
  for _, number in ipairs(numbers) do
    local name, column = statistics.of_all_rows(context, job.place, number.value)
    if name then
      jobs.add(context, job, { severity = "leak", kind = "captured_statistic", stage = number.stage,
        columns = { column }, cause = "statistic", message = ("'%s', which %s holds, is the %s of column "
          .. "'%s' over all rows, test rows included; compute it in fit from the rows that it is given")
          :format(number.name, number.holder, name, column) })
    end
  end
end

-- A learner that predicts the test rows well, and the same when its training rows have other targets,
-- learned from something else.
local function check_blind(context, all)
  jobs.run(context, all, "blind", function(job)
    local data = perturbed_splits.relabelled(context.data, context.splits, job.place)
    local trial = { data = data, splits = native.splits_over(context.splits, data) }
    return split_runs.run(job.learner, trial, job.place, job.seed)
  end)
  for _, job in ipairs(all) do
    local same = not job.blind.failure and native.compare_predictions(job.first.all, job.blind.all).differ == 0
    local known = same and split_runs.knows_truth(job.first.all)
    if known then
      jobs.add(context, job, { severity = "risk", kind = "blind", stage = learner.name(job.learner),
        message = ("it predicts %s, and just the same when all its training rows have other targets: "
          .. "if it is not a fixed rule, it knows targets of test rows"):format(known) })
    end
  end
end

-- Adds what is found about the composites among some jobs, whose `first` units are there. context = {
-- data, splits, how, findings }.
function closures.check(context, all)
  local composites = {}
  for _, job in ipairs(all) do
    if native.kind(job.learner) ~= "learner" then composites[#composites + 1] = job end
  end
  if #composites == 0 then return end
  if not captured.available() then
    return context.findings:check("what functions hold", nil, "there is no debug library (sandbox)")
  end
  context.findings:check("what functions hold")
  local columns, scripted = captured.columns(context.data), {}
  for _, job in ipairs(composites) do
    local slots, numbers, has_script = captured.find(job.learner, context.data, columns)
    local found = check_held(context, job, slots)
    check_numbers(context, job, numbers)
    if has_script and not found then scripted[#scripted + 1] = job end
  end
  check_blind(context, scripted)
end

return closures
