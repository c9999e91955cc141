-- cf.pipeline: transforms, a learner, and steps that adjust its predictions. Without the last, and
-- without transforms written in Lua, it is a native learner, with them a composite.
local native = require "crossfold.native"
local adjusted = require "crossfold.adjusted"
local learner = require "crossfold.learner"
local options = require "crossfold.options"
local transform = require "crossfold.transform"

local pipeline = {}

-- `value` after transforms that `before` puts before a learner: inside the folds of what splits its rows, and,
-- with `inside`, before the learners of any composite that says which they are.
local function put_before(value, before, inside)
  local opens = learner.is_composite(value) and value.map_learners
  if opens and (inside or learner.splits_rows(value)) then
    return value:map_learners(function(one) return put_before(one, before, inside) end)
  end
  return before(value)
end

-- Steps first .. n, the transforms of plugins and the learner behind them.
local function native_learner(steps, first, n)
  local last = steps[n]
  if first == n and learner.is_composite(last) then return last end
  local resolved = {}
  for i = first, n do
    local step = steps[i]
    if transform.is_lua(step) then
      native.fail(("pipeline: step %d is '%s', a transform written in Lua; put it in front of all "
        .. "other steps"):format(i, tostring(step)))
    elseif learner.is_composite(step) and (i < n or not step.map_learners) then
      native.fail(("pipeline: step %d is '%s', which takes no transforms in front of it; give them "
        .. "to the learners inside it"):format(i, learner.name(step)))
    end
    resolved[#resolved + 1] = type(step) == "string"
      and options.spec(i < n and "transform" or "learner", step) or step
  end
  if not learner.is_composite(last) then return native.pipeline(resolved) end
  return put_before(last, function(one)
    if native.kind(one) ~= "learner" then
      native.fail(("pipeline: '%s' takes no transforms in front of it; give them to the learners inside it")
        :format(learner.name(one)))
    end
    resolved[#resolved] = one
    return native.pipeline(resolved)
  end, true)
end

-- The steps before the first one that adjusts, as a learner.
local function learner_of(steps, n)
  local in_lua = {}
  while transform.is_lua(steps[#in_lua + 1]) do in_lua[#in_lua + 1] = steps[#in_lua + 1] end
  local made = native_learner(steps, #in_lua + 1, n)
  if #in_lua == 0 then return made end
  return put_before(made, function(one) return transform.before(in_lua, one) end, false)
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
