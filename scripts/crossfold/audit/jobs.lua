-- A job is one learner on one audited split: { name =, learner =, place =, seed =, first = a unit, ... }.
local split_runs = require "crossfold.audit.split_runs"

local jobs = {}

-- What differs, as text: "the fitted model and the predictions for 3 of 15 untouched test rows".
function jobs.difference_text(found)
  local parts = {}
  if found.choice then parts[#parts + 1] = "the setting that is chosen" end
  if found.transformed then parts[#parts + 1] = "the features that it makes" end
  if found.state then parts[#parts + 1] = "the fitted model" end
  if found.untouched then
    parts[#parts + 1] = ("the predictions for %d of %d test rows"):format(found.untouched.differ, found.untouched.rows)
  end
  if found.train then
    parts[#parts + 1] = ("the predictions for %d of %d training rows"):format(found.train.differ, found.train.rows)
  end
  local text = #parts == 1 and parts[1] or table.concat(parts, ", ", 1, #parts - 1) .. " and " .. parts[#parts]
  local one = #parts == 1 and (found.state or found.choice)
  return text .. (one and " changes" or " change")
end

-- The rows that differ.
function jobs.count_of(found)
  return (found.untouched and found.untouched.differ or 0) + (found.train and found.train.differ or 0)
end

-- Adds a finding about the learner of a job on its split.
function jobs.add(context, job, found)
  found.learner, found.place = job.name, job.place
  context.findings:add(found)
end

-- Runs task(job) = a unit for each job of a list, all together; the units go into list[i][field].
function jobs.run(context, list, field, task)
  local tasks = {}
  for i, job in ipairs(list) do tasks[i] = function() return task(job) end end
  for i, unit in ipairs(split_runs.run_all(tasks, context.how)) do list[i][field] = unit end
end

return jobs
