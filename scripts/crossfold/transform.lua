-- Transforms: a plugin's, or a Lua table
--   cf.transform{ name =, fit = function(data, context) ... end, apply = function(state, data) ... end }
-- `fit` sees the training rows and returns any state; `apply` gets rows without their target and
-- returns the list of all features: names of those that stay, and new ones as
-- { name =, values = } with numbers, or { name =, values =, levels = {...} } with names of levels;
-- cf.null is missing. Features that stay come first. With params = { ... } it has parameters, as a learner in Lua
-- (learner.lua): `context.params` holds them. With `columns` and `except`, as transforms of plugins have them,
-- both functions get the chosen features only, and the others stay as they are. Transforms and the learner after
-- them are a composite (see learner.lua) unless all come from plugins.
local native = require "crossfold.native"
local fitting = require "crossfold.fitting"
local learner = require "crossfold.learner"
local members = require "crossfold.ensemble.members"
local options = require "crossfold.options"
local parameters = require "crossfold.parameters"
local run = require "crossfold.run"

local transform = {}

local lua_transform = options.class "crossfold.LuaTransform"

function lua_transform:__tostring() return tostring(self.settings) end

-- See parameters.lua.
function lua_transform:with_parts(settings) return learner.copy(self, { settings = settings }) end

lua_transform.with = parameters.with

local declared = options.declare("transform", {
  name = { "string!", doc = "The name in results." },
  params = { "table", is = "table<string, crossfold.LuaParameter>",
    doc = "The parameters; `context.params` has their values." },
  fit = { "function!", is = "fun(data: dataset, context: table): any",
    doc = "Returns what `apply` gets as its state." },
  apply = { "function!", is = "fun(state: any, data: dataset): table",
    doc = "Returns the list of all features." },
  columns = { "string|table", is = "string|string[]",
    doc = "The features that it gets: names, patterns such as \"lab_*\", types such as \"numeric\"; default all." },
  except = { "string|table", is = "string|string[]", doc = "Features that it does not get." },
})

function transform.new(id, params)
  if type(id) == "string" then
    return options.spec("transform", id, options.params("transform", params))
  end
  local o = options.check("transform", options.functions("transform", id, "standardize"), declared)
  local settings = parameters.declare("transform", o.name, o.params)
  return setmetatable({
    name = o.name, functions = { fit = o.fit, apply = o.apply },
    settings = settings:with { columns = o.columns, except = o.except },
  }, lua_transform)
end

function transform.is_lua(value) return getmetatable(value) == lua_transform end

function transform.is(value) return transform.is_lua(value) or native.kind(value) == "transform" end

-- One new feature as native.with_features takes it: levels by number, missing entries as NaN or 0.
local function checked_column(what, given)
  local c = options.check(what, given, {
    name = { "string!" }, values = { "table!" }, levels = { "table" },
  })
  local index = {}
  for l, level in ipairs(c.levels or {}) do index[level] = l end
  local values = {}
  for i, value in ipairs(options.list(("%s: '%s'"):format(what, c.name), c.values)) do
    if value == native.null then
      values[i] = c.levels and 0 or 0 / 0
    elseif c.levels then
      values[i] = index[value] or native.fail("%s: entry %d of '%s' is '%s', which is not one of its levels", what, i,
        c.name, tostring(value))
    elseif type(value) == "number" then
      values[i] = value
    else
      native.fail("%s: entry %d of '%s' is a %s, not a number", what, i, c.name, type(value))
    end
  end
  return { name = c.name, values = values, levels = c.levels }
end

-- What apply returned, as names of kept features and new columns.
local function checked_answer(one, data, answer)
  local what = ("transform '%s'"):format(one.name)
  local kept, columns = {}, {}
  local is_feature = options.set_of(data:features())
  for _, feature in ipairs(options.list(what .. ": what apply returned", answer)) do
    if type(feature) == "table" then
      columns[#columns + 1] = checked_column(what, feature)
    elseif is_feature[feature] then
      kept[#kept + 1] = feature
    else
      native.fail("%s: '%s' is not a feature of '%s'", what, tostring(feature), data:name())
    end
  end
  return kept, columns
end

-- `rows` with the features that the transform gets, and their names if it has a choice. Nil if the choice takes none.
local function chosen_part(one, rows)
  local names = native.chosen_features(rows, one.settings)
  if not names then return rows end
  if #names > 0 then return native.with_features(rows, names, {}), names end
end

local not_fitted = {}  -- the state of a transform in a plan, where none is fitted

-- What a fitted transform makes of `rows`: the same rows with other features.
function transform.apply(one, state, rows)
  if state == not_fitted then return rows end
  if not transform.is_lua(one) then return state:apply(rows) end
  local part, names = chosen_part(one, rows)
  if not part then return rows end
  local kept, columns = checked_answer(one, part, run.limited(one.functions.apply, state, part:without_target()))
  local made = native.with_features(part, kept, columns)
  return names and native.put_back(rows, names, made) or made
end

-- Fits one transform. Returns its state and what it makes of the training rows: a transform of a plugin may make
-- other rows of them.
function transform.fit(one, rows, seed)
  if native.planning() then return not_fitted, rows end
  if not transform.is_lua(one) then return native.fit_transform(one, rows, seed) end
  local part = chosen_part(one, rows)
  local state = part and run.limited(one.functions.fit, part, { seed = seed, params = one.settings:params() })
  return state, transform.apply(one, state, rows)
end

local function fit_all(transforms, data, seed)
  local states, rows = {}, data
  for i, one in ipairs(transforms) do
    states[i], rows = transform.fit(one, rows, native.seed(seed, "transform", i))
  end
  return states, rows
end

local function apply_all(transforms, states, rows)
  for i, one in ipairs(transforms) do rows = transform.apply(one, states[i], rows) end
  return rows
end

-- "a|b|learner"
function transform.names_before(transforms, name)
  local names = {}
  for i, one in ipairs(transforms) do names[i] = tostring(one) end
  names[#names + 1] = name
  return table.concat(names, "|")
end

local composite = options.class "crossfold.TransformedLearner"

function composite:__tostring()
  return transform.names_before(self.transforms, learner.name(self.learner))
end

function composite:definition()
  local texts = {}
  for i, one in ipairs(self.transforms) do
    texts[i] = native.definition(transform.is_lua(one) and one.settings or one)
  end
  return ("%s|%s"):format(table.concat(texts, "|"), learner.definition(self.learner))
end

function composite:check(data) members.check_data("pipeline", data) end

function composite:fit(data, context)
  local seed = members.seed("pipeline:fit", data, context)
  local states, rows = fit_all(self.transforms, data, seed)
  if states[1] ~= not_fitted then fitting.check(self.learner, rows) end
  local fitted = fitting.fit(self.learner, rows, native.seed(seed, "fit"))
  return {
    predict = function(_, new_rows)
      return fitted:predict(apply_all(self.transforms, states, new_rows))
    end,
    save = function(_, path) learner.fail_to_save(path, tostring(self)) end,
  }
end

-- See parameters.lua.
function composite:parts()
  local parts = {}
  for i, one in ipairs(self.transforms) do parts[i] = parameters.part(one) end
  parts[#parts + 1] = parameters.part(self.learner)
  return parts
end

function composite:with_parts(_, values)
  local n = #values
  return transform.before(table.move(values, 1, n - 1, 1, {}), values[n])
end

composite.with = parameters.with

options.methods(lua_transform, { "with" }, "transform:")
options.methods(composite, { "fit", "with" }, "learner:", { "fit" })

function transform.is_composite(value) return getmetatable(value) == composite end

-- { fit =, apply = } of a transform written in Lua.
function transform.functions(value) return transform.is_lua(value) and value.functions or nil end

-- What each transform of a composite, fitted on `data`, makes of the datasets `list`: { names = {...},
-- rows = { what the first makes of each, ... } }.
function transform.trace(value, data, list, seed)
  local traced, states = { names = {}, rows = {} }, fit_all(value.transforms, data, seed)
  for i, one in ipairs(value.transforms) do
    traced.names[i], traced.rows[i] = tostring(one), {}
    for part, before in ipairs(i == 1 and list or traced.rows[i - 1]) do
      traced.rows[i][part] = transform.apply(one, states[i], before)
    end
  end
  return traced
end

-- The composite of transforms and the learner after them, which may be such a composite itself.
function transform.before(transforms, value)
  if #transforms == 0 then return value end
  if transform.is_composite(value) then
    transforms = table.move(value.transforms, 1, #value.transforms, #transforms + 1,
      table.move(transforms, 1, #transforms, 1, {}))
    value = value.learner
  end
  return setmetatable({ transforms = transforms, learner = value }, composite)
end

return transform
