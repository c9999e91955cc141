-- Fits and predictions of one learner on checked data, and how they differ: what the checks of
-- check/learner.lua compare.
local native = require "crossfold.native"
local check_data = require "crossfold.check.data"
local fitting = require "crossfold.fitting"
local options = require "crossfold.options"

local check_cases = {}

-- What Lua itself says when code is wrong. A learner that means to refuse data says so in its words.
local mistakes = {
  "attempt to ", "bad argument #", "stack overflow", "number has no integer representation",
  "table index is ", "the learner's prediction is ", " predicted ",
}

-- What came of an error: { problem =, refused = whether the learner meant it }.
local function failure(problem)
  if type(problem) ~= "string" then
    return { problem = ("an error that is a %s, not a text"):format(type(problem)) }
  end
  if problem == "" then return { problem = "an error without a text" } end
  for _, mistake in ipairs(mistakes) do
    if problem:find(mistake, 1, true) then return { problem = ("'%s'"):format(problem) } end
  end
  return { problem = ("'%s'"):format(problem), refused = true }
end

-- A model, or nil and the failure.
function check_cases.fit(learner, data, seed)
  local ok, made = native.attempt(function()
    fitting.check(learner, data)
    return (fitting.fit(learner, data, seed or 1))
  end)
  if ok then return made end
  return nil, failure(made)
end

-- { labels =, values =, probabilities = }, or the failure.
function check_cases.predict(model, rows)
  local ok, made = native.attempt(function()
    local prediction = model:predict(rows)
    return {
      labels = prediction:labels(), values = prediction:values(),
      probabilities = prediction:probabilities(),
    }
  end)
  return ok and made or failure(made)
end

function check_cases.run(learner, train, rows, seed)
  local model, failed = check_cases.fit(learner, train, seed)
  return failed or check_cases.predict(model, rows)
end

local function same(a, b, tolerance)
  if a == b or a ~= a and b ~= b then return true end
  return type(a) == "number" and type(b) == "number" and math.abs(a - b) <= tolerance * math.max(1, math.abs(b))
end

local function show(value)
  return type(value) == "number" and native.format_number(value) or ("'%s'"):format(value)
end

-- The first entry of `got` that is not that of `expected`, as a sentence; nil = none.
local function difference_of_lists(what, got, expected, tolerance)
  if not got or not expected then
    return got ~= expected and ("there are %s %ss"):format(got and "" or "no", what) or nil
  end
  if #got ~= #expected then return ("there are %d %ss instead of %d"):format(#got, what, #expected) end
  for i = 1, #expected do
    if not same(got[i], expected[i], tolerance) then
      return ("%s %d is %s instead of %s"):format(what, i, show(got[i]), show(expected[i]))
    end
  end
end

local function flat(rows)
  if not rows then return nil end
  local all = {}
  for _, row in ipairs(rows) do table.move(row, 1, #row, #all + 1, all) end
  return all
end

-- How one prediction differs from another; nil = not at all. With a tolerance above 0 labels are
-- compared only where there are no probabilities: a tie may fall either way.
function check_cases.difference(got, expected, tolerance)
  tolerance = tolerance or 0
  if got.problem ~= expected.problem then
    return ("it ended with %s instead of %s"):format(got.problem or "a prediction", expected.problem or "a prediction")
  end
  if got.problem then return nil end
  if tolerance == 0 or not expected.probabilities then
    local found = difference_of_lists("label", got.labels, expected.labels, tolerance)
    if found then return found end
  end
  return difference_of_lists("value", got.values, expected.values, tolerance)
    or difference_of_lists("probability", flat(got.probabilities), flat(expected.probabilities), tolerance)
end

-- For data that a learner may refuse in its own words: what is wrong; nil = nothing.
function check_cases.problem(outcome)
  return outcome.problem and not outcome.refused and "it ended with " .. outcome.problem or nil
end

-- A case of a shape: { shape, columns, data, name, expected = the prediction for all rows after a fit
-- on all }.
function check_cases.make(context, shape)
  local columns = check_data.columns(shape, context.seed)
  local data = check_data.dataset(columns)
  return {
    shape = shape, columns = columns, data = data, name = check_data.describe(shape),
    expected = check_cases.run(context.learner, data, data),
  }
end

-- Of one feature, which is all that some methods take.
check_cases.one_feature = { { numbers = 1, categories = 0 }, { numbers = 0, categories = 1 } }

-- The usual shape of every task that works, with categories or one feature where that is refused.
function check_cases.usual(context)
  local cases = {}
  for _, shape in ipairs(check_data.shapes()) do
    local case = check_cases.make(context, shape)
    for _, kinds in ipairs { { numbers = 0, categories = 2 }, table.unpack(check_cases.one_feature) } do
      if not case.expected.refused then break end
      case = check_cases.make(context, options.joined(shape, kinds))
    end
    if not case.expected.problem then cases[#cases + 1] = case end
  end
  return cases
end

-- A fit on other columns than those of the case, and what it predicts for `rows` (nil = the case's).
function check_cases.on(context, case, columns, rows, weights)
  return check_cases.run(context.learner, check_data.dataset(columns, weights), rows or case.data)
end

-- Whether another seed gives another prediction.
function check_cases.depends_on_seed(context, case)
  local other = check_cases.run(context.learner, case.data, case.data, 2)
  return check_cases.difference(other, case.expected) ~= nil
end

return check_cases
