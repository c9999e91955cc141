-- Defines the models of ensembles (voting, bagging, stacking) and of steps that adjust predictions (calibration,
-- threshold, minimum_cost): their methods, and their files. A kind of model is a class made here, with
--   combine(self, rows)  the prediction for rows that have every feature
--   combine_with(self, rows, o)  the same with options of predict, of a kind that takes some
--   parts(self)          the options that combine needs, as data, and the list of members
--                        { name =, model =, features = } in a fixed order
--   restore(saved)       the fields of a model from { options =, members =, data = }, or nil if the
--                        options and the members do not make one
-- Every model has the fields name (of its ensemble), data (what it was fitted on, or a dataset
-- without rows that looks the same) and outline (what it remembers of that). A model that a fit made may
-- have `detail`, a table of what the fit chose (see result:tuning).
local native = require "crossfold.native"
local guarantee = require "crossfold.conformal.guarantee"
local options = require "crossfold.options"

local ensemble_model = {}

local classes = {}  -- kind -> class

-- The module that defines each kind.
local modules = {
  bagging = "crossfold.ensemble.bagging", calibration = "crossfold.adjust.calibration",
  conformal = "crossfold.conformal.conformal", minimum_cost = "crossfold.adjust.minimum_cost",
  stacking = "crossfold.ensemble.stacking", threshold = "crossfold.adjust.threshold",
  voting = "crossfold.ensemble.voting",
}

local base = {}

local predict_options = options.declare("Model:predict", {
  coverage = { "number", doc = "Share of rows whose truth is in the interval or the set of classes that they get, "
    .. "as 0.9. For models of cf.conformal." },
})

function base:combine_with(rows, o)
  if o.coverage ~= nil then native.refuse_coverage(self.name) end
  return self:combine(rows)
end

function base:predict(rows, given)
  local o = options.check("predict", given, predict_options)
  guarantee.check_coverage("predict", o.coverage)
  if native.kind(rows) ~= "dataset" then
    native.fail("predict: expected a dataset, got a %s", native.kind(rows) or type(rows))
  end
  self.outline:check(rows, self.name)
  return self:combine_with(rows, o)
end

-- Models of pipelines have formats.
function base:export()
  native.fail("cannot export '%s': the model of an ensemble has no format but its own; fit, save and export a learner "
    .. "of it", self.name)
end

function base:classes() return self.outline:classes() end
function base:features() return self.outline:features() end
function base:target() return self.outline:target() end

-- What save writes; `name` stands for the file in messages.
function base:to_bytes(name)
  local given, list = self:parts()
  local members = {}
  for i, member in ipairs(list) do
    members[i] = {
      name = member.name, features = member.features, bytes = member.model:to_bytes(name),
    }
  end
  return native.ensemble_bytes {
    kind = self.kind, name = self.name, outline = self.outline, options = given, members = members,
  }
end

function base:save(path)
  if type(path) ~= "string" then native.fail("save: expected the path of a file, got a %s", type(path)) end
  native.write_model(path, self:to_bytes(path))
end

local function model_tostring(self) return "model of " .. self.name end

-- The class of the models of cf.<kind>; combine, parts and restore are to be added.
function ensemble_model.class(kind, type_name)
  local class = { kind = kind, __name = type_name, __tostring = model_tostring, __kind = "model" }
  class.__index = class
  for name, method in pairs(base) do class[name] = method end
  classes[kind] = options.methods(class, { "predict", "save", "export" }, nil, { "predict" })
  return class
end

-- A model of `class` for an ensemble called `name`, fitted on `data`.
function ensemble_model.new(class, name, data, seed, fields)
  fields.name, fields.data, fields.outline = name, data, native.outline(data, seed)
  return setmetatable(fields, class)
end

-- Whether `value` is a model of an ensemble.
function ensemble_model.is(value)
  local class = type(value) == "table" and getmetatable(value)
  return class and classes[class.kind] == class or false
end

-- What cf.read needs of a model to read rows for it.
function ensemble_model.like(model)
  return ensemble_model.is(model) and model.outline or model
end

function ensemble_model.same_list(a, b)
  if #a ~= #b then return false end
  for i, value in ipairs(a) do
    if b[i] ~= value then return false end
  end
  return true
end

-- What native.load_model gave, as a model.
local function restore(loaded, name)
  if native.kind(loaded) == "model" then return loaded end
  if modules[loaded.kind] then require(modules[loaded.kind]) end
  local class = classes[loaded.kind]
  if not class then
    native.fail("cannot load model '%s': it is of kind '%s', Crossfold %s knows %s; use a newer Crossfold", name,
      loaded.kind, native.version, table.concat(options.sorted_keys(modules), ", "))
  end
  local whole = true
  for _, member in ipairs(loaded.members) do
    member.model = restore(native.model_from_bytes(member.bytes, name), name)
    member.bytes = nil
    whole = whole and ensemble_model.same_list(member.model:classes(), loaded.outline:classes())
  end
  local fields = whole and class.restore(loaded)
  if not fields then native.fail("cannot load model '%s': it is damaged or cut short; save it again", name) end
  fields.name, fields.data, fields.outline = loaded.name, loaded.data, loaded.outline
  return setmetatable(fields, class)
end

-- The model that save wrote, native or of an ensemble.
function ensemble_model.load(path)
  if type(path) ~= "string" then native.fail("load: expected the path of a file, got a %s", type(path)) end
  return restore(native.load_model(path), path)
end

function ensemble_model.from_bytes(bytes, name)
  return restore(native.model_from_bytes(bytes, name), name)
end

return ensemble_model
