-- A learner written in Lua:
--   cf.learner{
--     name = "nearest", params = { k = { type = "integer", low = 1, default = 5 } },
--     fit = function(data, context) ... end,     -- context.params.k, context.seed; returns any state
--     predict = function(state, data) ... end,
--   }
-- predict returns a list of class names or numbers, or { labels = }, { values = } or { probabilities = }.
local learner = require "crossfold.learner"
local options = require "crossfold.options"
local parameters = require "crossfold.parameters"

local lua_learner = {}

-- Its fit is that of a script: its name does not begin as those of the library's own (see fitting.lua).
local composite = { __name = "lua.Learner" }
composite.__index = composite

function composite:__tostring() return tostring(self.settings) end

function composite:fit(data, context)
  local given = self.functions
  local state = given.fit(data, { seed = context and context.seed, params = self.settings:params() })
  return {
    predict = function(_, rows) return given.predict(state, rows) end,
    save = function(_, path) learner.fail_to_save(path, tostring(self)) end,
  }
end

-- See parameters.lua.
function composite:with_parts(settings) return learner.copy(self, { settings = settings }) end

composite.with = parameters.with

options.methods(composite, { "with" }, "learner:")

local declared = options.declare("learner", {
  name = { "string", "lua", doc = "The name in results." },
  params = { "table", is = "table<string, crossfold.LuaParameter>",
    doc = "The parameters; `context.params` of `fit` has their values." },
  fit = { "function!", is = "fun(data: dataset, context: table): any",
    doc = "Returns what `predict` gets as its state." },
  predict = { "function!", is = "fun(state: any, data: dataset): table",
    doc = "Returns the predictions for the rows." },
})

function lua_learner.new(given)
  local o = options.check("learner", options.functions("learner", given, "knn"), declared)
  return setmetatable({
    functions = { fit = o.fit, predict = o.predict }, settings = parameters.declare("learner", o.name, o.params),
  }, composite)
end

return lua_learner
