-- cf.pipeline: transforms, a learner, and steps that adjust its predictions. Without the last it is a
-- native learner, with them a composite.
local native = require "crossfold.native"
local adjusted = require "crossfold.adjusted"
local learner = require "crossfold.learner"
local options = require "crossfold.options"

local pipeline = {}

-- The steps before the first one that adjusts, as a learner.
local function learner_of(steps, n)
  if n == 1 and learner.is_composite(steps[1]) then return steps[1] end
  local resolved = {}
  for i = 1, n do
    local step = steps[i]
    if learner.is_composite(step) then
      native.fail(("pipeline: step %d is '%s', which takes no transforms in front of it; give them "
        .. "to the learners inside it"):format(i, learner.name(step)))
    end
    resolved[i] = type(step) == "string" and native.spec(i < n and "transform" or "learner", step)
      or step
  end
  return native.pipeline(resolved)
end

-- cf.pipeline{ transform, ..., learner, cf.calibration{...}, cf.threshold{...} }
function pipeline.new(steps)
  options.list("pipeline", steps)
  local n = #steps
  for i = #steps, 1, -1 do
    if adjusted.is_step(steps[i]) then n = i - 1 end
  end
  if n == 0 and #steps > 0 then
    native.fail(("pipeline: '%s' adjusts what a learner predicts; put one in front of it"):format(
      tostring(steps[1])))
  end
  local made = learner_of(steps, n)
  for i = n + 1, #steps do
    if not adjusted.is_step(steps[i]) then
      native.fail(("pipeline: step %d stands behind '%s', which adjusts predictions; put it in front "
        .. "of the learner"):format(i, tostring(steps[i - 1])))
    elseif made.decides then
      native.fail(("pipeline: '%s' stands behind '%s', which has decided already; leave one out")
        :format(tostring(steps[i]), made.text))
    end
    made = steps[i]:around(made)
  end
  return made
end

return pipeline
