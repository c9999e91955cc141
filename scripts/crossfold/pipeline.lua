-- cf.pipeline: transforms, a learner, and steps that adjust its predictions. Transforms and a learner of plugins are a
-- native learner; everything else is a composite.
local native = require "crossfold.native"
local adjusted = require "crossfold.adjust.adjusted"
local learner = require "crossfold.learner"
local options = require "crossfold.options"
local transform = require "crossfold.transform"

local pipeline = {}

local function are_native(transforms)
  for _, one in ipairs(transforms) do
    if transform.is_lua(one) then return false end
  end
  return true
end

-- Whether a native learner in `value` holds validation rows out of its training rows.
local function holds_rows_out(value)
  if native.kind(value) == "learner" then return value:params().early_stopping_share ~= nil end
  local found = false
  if learner.is_composite(value) and value.map_learners then
    value:map_learners(function(one)
      found = found or holds_rows_out(one)
      return one
    end)
  end
  return found
end

-- `value` after transforms. They come before the learners inside of what splits its rows, so that they are fitted
-- in its folds. Transforms of plugins come before all learners inside, as their fits are shared.
local function put_before(transforms, value)
  if #transforms == 0 then return value end
  if learner.is_composite(value) and value.map_learners and (learner.splits_rows(value) or are_native(transforms)) then
    return value:map_learners(function(one) return put_before(transforms, one) end)
  end
  local n = #transforms
  if native.kind(value) == "learner" then  -- with the transforms of plugins right before it
    while n > 0 and not transform.is_lua(transforms[n]) do n = n - 1 end
    local steps = table.move(transforms, n + 1, #transforms, 1, {})
    steps[#steps + 1] = value
    value = native.pipeline(steps)
  end
  if n > 0 and holds_rows_out(value) then
    native.fail("pipeline: '%s' holds validation rows out, and '%s', which is fitted in Lua, would see them; leave out "
      .. "early_stopping_share or use transforms of plugins", tostring(value), tostring(transforms[n]))
  end
  return transform.before(table.move(transforms, 1, n, 1, {}), value)
end

-- Steps 1 .. n: transforms and, last, the learner.
local function learner_of(steps, n)
  local transforms, all_native = {}, true
  for i = 1, n do
    local is_last, one = i == n, steps[i]
    if type(one) == "string" then one = options.spec(is_last and "learner" or "transform", one) end
    if not is_last and learner.is_composite(one) then
      native.fail("pipeline: step %d is '%s', a learner; the learner is the last step before those that adjust its "
        .. "predictions", i, learner.name(one))
    elseif is_last and transform.is_lua(one) then
      native.fail("pipeline: step %d is '%s', a transform; the last step must be a learner", i, tostring(one))
    end
    all_native = all_native and native.kind(one) ~= nil
    transforms[i] = one
  end
  if all_native then return native.pipeline(transforms) end
  local last = table.remove(transforms)
  for i, one in ipairs(transforms) do
    if not transform.is(one) then
      native.fail("pipeline: step %d is not a transform, but a %s", i, native.kind(one) or type(one))
    end
  end
  if native.kind(last) ~= "learner" and not learner.is_composite(last) then
    native.fail("pipeline: step %d is not a learner, but a %s", n, native.kind(last) or type(last))
  end
  return put_before(transforms, last)
end

-- cf.pipeline{ transform, ..., learner, cf.calibration{...}, cf.threshold{...} }
function pipeline.new(steps)
  options.list("pipeline", steps)
  local n = #steps
  for i = #steps, 1, -1 do
    if adjusted.is_step(steps[i]) then n = i - 1 end
  end
  if n == 0 and #steps > 0 then
    native.fail("pipeline: '%s' adjusts what a learner predicts; put one before it", tostring(steps[1]))
  end
  local made = learner_of(steps, n)
  for i = n + 1, #steps do
    if not adjusted.is_step(steps[i]) then
      native.fail("pipeline: step %d comes after '%s', which adjusts predictions; put it before the learner", i,
        tostring(steps[i - 1]))
    elseif made.decides then
      native.fail("pipeline: '%s' comes after '%s', which has decided already; leave one out", tostring(steps[i]),
        made.text)
    end
    made = steps[i]:around(made)
  end
  return made
end

return pipeline
