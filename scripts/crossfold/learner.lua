-- Defines what can stand where a learner is meant:
--   * a native learner: a plugin's learner or a pipeline that ends in one, run in C++;
--   * a composite: a Lua table with one of
--       resolve(self, data, context) -> native learner, detail     (a search; see search/grid_search.lua)
--       fit(self, data, context) -> model with predict(self, data) (anything else)
--     and perhaps check(self, data), which raises what would stop every fold before any runs, and
--       map_learners(self, before) -> the same composite with before(learner) for each learner inside,
--       splits_rows(self) -> whether its fit splits the training rows.
--     parameters.lua has what gives it parameters.
--     A transform before a composite that splits its rows belongs before the learners inside: fitted
--     once on all rows it would know those that the inner folds test.
--     Voting, bagging and stacking are such, and pipelines with steps that adjust predictions (see
--     adjust/adjusted.lua). fitting.lua fits all of them.
--     `data` holds the training rows only, `context.seed` is this fit's own seed. A composite runs
--     in a coroutine, so the cells it asks for keep all cores busy.
local native = require "crossfold.native"
local options = require "crossfold.options"

local learner = {}

-- Raises that the model of a learner written in Lua cannot be saved.
function learner.fail_to_save(path, name)
  native.fail(("cannot save model '%s': learner '%s' cannot be saved (it is written in Lua); fit it "
    .. "again where it is needed"):format(tostring(path), name))
end

function learner.is_composite(value)
  return type(value) == "table" and
    (type(value.resolve) == "function" or type(value.fit) == "function")
end

-- A copy of a table, such as a composite, with some fields changed.
function learner.copy(value, fields)
  local copy = setmetatable({}, getmetatable(value))
  for key, field in pairs(value) do copy[key] = field end
  for key, field in pairs(fields) do copy[key] = field end
  return copy
end

-- Whether the fit of a learner splits its training rows, as far as it says so.
function learner.splits_rows(value)
  return learner.is_composite(value) and value.splits_rows ~= nil and value:splits_rows()
end

-- `value` as a learner; a string is the id of one with its defaults. `what` names the place.
function learner.check(value, what)
  if type(value) == "string" then
    return native.pipeline { options.spec("learner", value) }
  end
  if native.kind(value) == "learner" or learner.is_composite(value) then return value end
  native.fail(("%s: expected a learner, got a %s"):format(what,
    native.kind(value) or type(value)))
end

-- cf.learner(id, params), or cf.learner{ fit =, predict =, name = } for a learner written in Lua.
function learner.new(id, params)
  if type(id) == "string" then
    return native.pipeline { options.spec("learner", id, options.params("learner", params)) }
  end
  return require("crossfold.lua_learner").new(id)
end

-- The name of a learner in messages.
function learner.name(value)
  if type(value) == "table" and not (getmetatable(value) or {}).__tostring then return "lua" end
  return tostring(value)
end

-- Turns what a composite's predict returned into a checked prediction for `data`. `trained` is the
-- dataset whose classes are meant, if it is not `data`.
function learner.prediction(data, answer, trained)
  if native.kind(answer) == "prediction" then return native.prediction(data, answer, trained) end
  if type(answer) ~= "table" then
    error(("the learner's prediction is a %s, not a table"):format(type(answer)), 0)
  elseif not (answer.labels or answer.values or answer.probabilities) then
    local regression = (trained or data):task() == "regression"
    answer = { [regression and "values" or "labels"] = answer }
  end
  return native.prediction(data, answer, trained)
end

return learner
