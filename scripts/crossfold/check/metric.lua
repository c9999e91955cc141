-- Checks metrics that are written in Lua, under the names that the checks of plugins have.
local native = require "crossfold.native"
local check_data = require "crossfold.check.data"
local metric = require "crossfold.metric"

-- In the order in which they are run; see check/learner.lua. context.learner is the metric.
local checks = {}

local function declare(name, level, needs, run)
  checks[#checks + 1] = { name = name, level = level, needs = needs, run = run }
end

-- What a learner might have said about the truth of a case: every sixth row is wrong, or all are if
-- `share` is 1, or none if it is 0.
local function answer_of(shape, truth, share)
  local classes, answer = check_data.classes(shape), { labels = {}, probabilities = {} }
  if shape.task == "regression" then
    local values = {}
    for i, value in ipairs(truth) do values[i] = value + share * ((i % 5) - 2.5) end
    return { values = values }
  end
  for i, class in ipairs(truth) do
    local c = tonumber(class:sub(2)) + 1
    if share == 1 or share > 0 and i % 6 == 0 then c = c % #classes + 1 end
    local row = {}
    for k = 1, #classes do row[k] = (k == c and 0.75 or 0.25 / (#classes - 1)) end
    answer.labels[i], answer.probabilities[i] = classes[c], row
  end
  return answer
end

-- { value = } or { reason = } or { problem = the text of an error }.
local function score(context, columns, shape, share)
  local truth = columns[#columns].values
  local ok, value, reason = pcall(function()
    return metric.score(context.learner, native.prediction(check_data.dataset(columns), answer_of(shape, truth, share)))
  end)
  if not ok and value == native.cancelled then error(value, 0) end
  if not ok then return { problem = tostring(value) } end
  return { value = value, reason = reason }
end

-- The tasks for which the metric has a value.
local function cases_of(context)
  local cases, problems = {}, {}
  for _, shape in ipairs(check_data.shapes()) do
    local columns = check_data.columns(shape, context.seed)
    local outcome = score(context, columns, shape, 0.5)
    if outcome.value then
      cases[#cases + 1] = {
        shape = shape, columns = columns, name = check_data.describe(shape), value = outcome.value,
      }
    else
      problems[#problems + 1] = ("on a %s it ended with '%s'"):format(check_data.describe(shape),
        outcome.problem or outcome.reason)
    end
  end
  return cases, problems
end

declare("metric-smoke", 2, nil, function(context, found)
  local cases, problems = cases_of(context)
  if #cases > 0 then return end
  for _, problem in ipairs(problems) do found(problem) end
end)

declare("metric-direction", 3, "metric-smoke", function(context, found)
  local direction = metric.direction(context.learner)
  if direction == 0 then return "it has no direction" end
  for _, case in ipairs((cases_of(context))) do
    local best = score(context, case.columns, case.shape, 0).value
    local worst = score(context, case.columns, case.shape, 1).value
    if best and worst and direction * (best - worst) < 0 then
      found(("on a %s right predictions get %s and wrong ones %s"):format(case.name,
        native.format_number(best), native.format_number(worst)))
    end
  end
end)

declare("metric-undefined", 3, "metric-smoke", function(context, found)
  for _, case in ipairs((cases_of(context))) do
    for _, rows in ipairs { { 1 }, { 1, 1, 1 } } do
      local outcome = score(context, check_data.gather(case.columns, rows), case.shape, 0)
      if outcome.problem then
        found(("on %d equal rows of a %s it ended with '%s'"):format(#rows, case.name, outcome.problem))
      end
    end
  end
end)

declare("fit-idempotent", 3, "metric-smoke", function(context, found)
  for _, case in ipairs((cases_of(context))) do
    local again = score(context, case.columns, case.shape, 0.5).value
    if again ~= case.value then
      found(("on the same %s the value is %s and then %s"):format(case.name,
        native.format_number(case.value), again and native.format_number(again) or "none"))
    end
  end
end)

declare("row-order", 3, "fit-idempotent", function(context, found)
  for _, case in ipairs((cases_of(context))) do
    -- Whole blocks of six rows, so that the same rows are wrong.
    local n, rows = case.shape.rows, {}
    local block = case.shape.task == "regression" and 5 or 6
    for i = 1, n do rows[i] = (i - 1 + 3 * block) % n + 1 end
    local moved = score(context, check_data.gather(case.columns, rows), case.shape, 0.5).value
    if not moved or math.abs(moved - case.value) > 1e-9 * math.max(1, math.abs(case.value)) then
      found(("on the rows of a %s in another order the value is %s instead of %s"):format(case.name,
        moved and native.format_number(moved) or "none", native.format_number(case.value)))
    end
  end
end)

return checks
