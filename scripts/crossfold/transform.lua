-- Transforms: a plugin's, or a Lua table
--   cf.transform{ name =, fit = function(data, context) ... end, apply = function(state, data) ... end }
-- `fit` sees the training rows and returns any state; `apply` gets rows without their target and
-- returns the list of all features: names of those that stay, and new ones as
-- { name =, values = } with numbers, or { name =, values =, levels = {...} } with names of levels;
-- cf.null is missing. Features that stay come first. In cf.pipeline they stand in front of the
-- transforms of plugins; with the learner behind them they are a composite (see learner.lua).
local native = require "crossfold.native"
local fitting = require "crossfold.fitting"
local learner = require "crossfold.learner"
local members = require "crossfold.members"
local options = require "crossfold.options"

local transform = {}
local lua_transforms = setmetatable({}, { __mode = "k" })

function transform.new(id, params)
  if type(id) == "string" then
    return options.spec("transform", id, options.params("transform", params))
  end
  local o = options.check("transform", options.functions("transform", id, "standardize"), {
    name = { "string!" }, fit = { "function!" }, apply = { "function!" },
  })
  local made = setmetatable({}, {
    __tostring = function() return o.name end, __name = "crossfold.LuaTransform",
  })
  lua_transforms[made] = o
  return made
end

function transform.is_lua(value) return lua_transforms[value] ~= nil end

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
      values[i] = index[value] or native.fail(("%s: entry %d of '%s' is '%s', which is none of its "
        .. "levels"):format(what, i, c.name, tostring(value)))
    elseif type(value) == "number" then
      values[i] = value
    else
      native.fail(("%s: entry %d of '%s' is a %s, not a number"):format(what, i, c.name, type(value)))
    end
  end
  return { name = c.name, values = values, levels = c.levels }
end

-- What apply returned, as names of kept features and new columns.
local function checked_answer(o, data, answer)
  local what = ("transform '%s'"):format(o.name)
  local is_feature, kept, columns = {}, {}, {}
  for _, name in ipairs(data:features()) do is_feature[name] = true end
  for _, one in ipairs(options.list(what .. ": what apply returned", answer)) do
    if type(one) == "table" then
      columns[#columns + 1] = checked_column(what, one)
    elseif is_feature[one] then
      kept[#kept + 1] = one
    else
      native.fail(("%s: '%s' is no feature of '%s'"):format(what, tostring(one), data:name()))
    end
  end
  return kept, columns
end

-- `data` with the features that the transform makes of it.
local function changed(o, state, data)
  local kept, columns = checked_answer(o, data, o.apply(state, data:without_target()))
  return native.with_features(data, kept, columns)
end

-- Fits transforms written in Lua one after the other. Returns their states and what they make of `data`.
function transform.fit_all(transforms, data, seed)
  local states, rows = {}, data
  for i, one in ipairs(transforms) do
    local o = lua_transforms[one]
    states[i] = o.fit(rows, { seed = native.seed(seed, "transform", i) })
    rows = changed(o, states[i], rows)
  end
  return states, rows
end

-- What fitted transforms make of `rows`.
function transform.apply_all(transforms, states, rows)
  for i, one in ipairs(transforms) do rows = changed(lua_transforms[one], states[i], rows) end
  return rows
end

-- "a|b|learner"
function transform.names_before(transforms, name)
  local names = {}
  for i, one in ipairs(transforms) do names[i] = tostring(one) end
  names[#names + 1] = name
  return table.concat(names, "|")
end

local composite = {}
composite.__index = composite
composite.__name = "crossfold.TransformedLearner"

function composite:__tostring()
  return transform.names_before(self.transforms, learner.name(self.learner))
end

function composite:check(data) members.check_data("pipeline", data) end

function composite:fit(data, context)
  local seed = members.seed("pipeline:fit", data, context)
  local states, rows = transform.fit_all(self.transforms, data, seed)
  fitting.check(self.learner, rows)
  local fitted = fitting.fit(self.learner, rows, native.seed(seed, "fit"))
  return {
    predict = function(_, new_rows)
      return fitted:predict(transform.apply_all(self.transforms, states, new_rows))
    end,
    save = function(_, path) learner.fail_to_save(path, tostring(self)) end,
  }
end

options.methods(composite, { "fit" }, "learner:", { "fit" })

function transform.is_composite(value) return getmetatable(value) == composite end

-- { fit =, apply = } of a transform written in Lua.
function transform.functions(value)
  local o = lua_transforms[value]
  return o and { fit = o.fit, apply = o.apply }
end

-- What each transform of a composite, fitted on `data`, makes of the datasets `list`: { names = {...},
-- rows = { what the first makes of each, ... } }.
function transform.trace(value, data, list, seed)
  local traced, states = { names = {}, rows = {} }, transform.fit_all(value.transforms, data, seed)
  for i, one in ipairs(value.transforms) do
    traced.names[i], traced.rows[i] = tostring(one), {}
    for part, before in ipairs(i == 1 and list or traced.rows[i - 1]) do
      traced.rows[i][part] = changed(lua_transforms[one], states[i], before)
    end
  end
  return traced
end

-- The composite of transforms written in Lua and the learner after them, which may be such a composite itself.
function transform.before(transforms, value)
  if transform.is_composite(value) then
    transforms = table.move(value.transforms, 1, #value.transforms, #transforms + 1,
      table.move(transforms, 1, #transforms, 1, {}))
    value = value.learner
  end
  return setmetatable({ transforms = transforms, learner = value }, composite)
end

return transform
