-- Defines what can stand where a learner is meant:
--   * a native learner: a plugin's learner or a pipeline that ends in one, run in C++;
--   * a composite: a Lua table with one of
--       resolve(self, data, context) -> native learner, detail     (a search; see search/search.lua)
--       fit(self, data, context) -> model with predict(self, data) (anything else)
--     and perhaps check(self, data), which raises what would stop every fold before any runs, and
--       map_learners(self, before) -> the same composite with before(learner) for each learner inside,
--       splits_rows(self) -> whether its fit splits the training rows,
--       definition(self) -> what learner.definition gives.
--     parameters.lua has what gives it parameters.
--     A transform before a composite that splits its rows belongs before the learners inside: fitted
--     once on all rows it would know those that the inner folds test.
--     Voting, bagging and stacking are such, and pipelines with steps that adjust predictions (see
--     adjust/adjusted.lua). fitting.lua fits all of them.
--     `data` holds the training rows only, `context.seed` is this fit's own seed. A composite runs
--     in a coroutine, so the cells it asks for keep all cores busy.
local native = require "crossfold.native"
local options = require "crossfold.options"
local parameters = require "crossfold.parameters"

local learner = {}

-- Raises that the model of a learner written in Lua cannot be saved.
function learner.fail_to_save(path, name)
  native.fail("cannot save model '%s': learner '%s' cannot be saved (it is written in Lua); fit it again where it is "
    .. "needed", tostring(path), name)
end

function learner.is_composite(value)
  return type(value) == "table" and (type(value.resolve) == "function" or type(value.fit) == "function")
end

-- A copy of a table, such as a composite, with some fields changed.
function learner.copy(value, fields)
  return setmetatable(options.joined(value, fields), getmetatable(value))
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
  native.fail("%s: expected a learner, got a %s", what, native.kind(value) or type(value))
end

-- A learner written in Lua:
--   cf.learner{
--     name = "nearest", params = { k = { type = "integer", low = 1, default = 5 } },
--     fit = function(data, context) ... end,     -- context.params.k, context.seed; returns any state
--     predict = function(state, data) ... end,
--   }
-- predict returns a list of class names or numbers, or { labels = }, { values = } or { probabilities = }.
--
-- Its fit is that of a script: its name does not begin as those of the library's own (see fitting.lua).
local lua_learner = options.class "lua.Learner"

function lua_learner:__tostring() return tostring(self.settings) end

function lua_learner:definition() return native.definition(self.settings) end

function lua_learner:fit(data, context)
  local given = self.functions
  local state = given.fit(data, { seed = context and context.seed, params = self.settings:params() })
  return {
    predict = function(_, rows) return given.predict(state, rows) end,
    save = function(_, path) learner.fail_to_save(path, tostring(self)) end,
  }
end

-- See parameters.lua.
function lua_learner:with_parts(settings) return learner.copy(self, { settings = settings }) end

lua_learner.with = parameters.with

options.methods(lua_learner, { "with" }, "learner:")

local declared = options.declare("learner", {
  name = { "string", "lua", doc = "The name in results." },
  params = { "table", is = "table<string, crossfold.LuaParameter>",
    doc = "The parameters; `context.params` of `fit` has their values." },
  fit = { "function!", is = "fun(data: dataset, context: table): any",
    doc = "Returns what `predict` gets as its state." },
  predict = { "function!", is = "fun(state: any, data: dataset): table",
    doc = "Returns the predictions for the rows." },
})

local function new_lua_learner(given)
  local o = options.check("learner", options.functions("learner", given, "knn"), declared)
  return setmetatable({
    functions = { fit = o.fit, predict = o.predict }, settings = parameters.declare("learner", o.name, o.params),
  }, lua_learner)
end

-- cf.learner(id, params), or cf.learner{ fit =, predict =, name = } for a learner written in Lua.
function learner.new(id, params)
  if type(id) == "string" then
    return native.pipeline { options.spec("learner", id, options.params("learner", params)) }
  end
  return new_lua_learner(id)
end

-- The name of a learner in messages.
function learner.name(value)
  if type(value) == "table" and not (getmetatable(value) or {}).__tostring then return "lua" end
  return tostring(value)
end

-- What stands for a learner in the path of its random numbers: a text of what it is, without the names that scripts
-- gave to it or to the learners inside, their order, and the parameters that one fit serves. A learner in Lua has its
-- own name and parameters.
function learner.definition(value)
  if native.kind(value) == "learner" then return native.family(value) end
  if type(value.definition) == "function" then return value:definition() end
  return learner.name(value)
end

-- "knn, naive_bayes": the definitions of a list, in an order of their own.
function learner.definitions(list)
  local texts = {}
  for i, value in ipairs(list) do texts[i] = learner.definition(value) end
  table.sort(texts)
  return table.concat(texts, ", ")
end

-- The seed of a learner in an experiment with `seed`, as in core/experiment/experiment.cpp. `number` (may be nil) tells
-- equal learners apart that are to have different random numbers.
function learner.seed(seed, value, number)
  local own = native.seed(seed, "learner", learner.definition(value))
  return number and native.seed(own, number) or own
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
