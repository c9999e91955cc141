-- Fits whatever can stand for a learner (see learner.lua), on given rows or on one split. This is the only
-- place that distinguishes native learners, searches and learners with a fit of their own.
local native = require "crossfold.native"
local ensemble_model = require "crossfold.ensemble.model"
local learner = require "crossfold.learner"
local run = require "crossfold.run"

local fitting = {}

-- A model whose predictions are checked, whatever its own predict returns.
local model = {}
model.__index = model
model.__name = "crossfold.CompositeModel"

function model:__tostring() return "model of " .. self.name end

-- `given`, options of predict, is for models of the library.
function model:predict(rows, given)
  local answer
  if self.is_ours then
    answer = self.inner:predict(rows:without_target(), given)
  else
    answer = run.limited(self.inner.predict, self.inner, rows:without_target(), given)
  end
  return learner.prediction(rows, answer, self.trained)
end

-- What save writes into the file of the ensemble that has this member.
function model:to_bytes(name)
  if ensemble_model.is(self.inner) then return self.inner:to_bytes(name) end
  learner.fail_to_save(name, self.name)
end

-- Whether fit and resolve of a composite are the library's own, which asks for native work.
local function is_ours(value)
  local meta = getmetatable(value)
  return type(meta) == "table" and type(meta.__name) == "string" and meta.__name:find("crossfold.", 1, true) == 1
end

-- The learner that a search chooses on `data`, and how. keep(detail) (may be nil) is called with the
-- table of a search that has nothing to choose, before it raises.
local function resolve(search, data, seed, keep)
  local call = is_ours(search) and search.resolve or function(...) return run.limited(search.resolve, ...) end
  local chosen, detail = call(search, data, { seed = seed, keep = keep })
  if native.kind(chosen) ~= "learner" then native.fail("resolve returned a %s, not a native learner", type(chosen)) end
  return chosen, detail
end

-- Raises what would stop any fit on rows of `data`.
function fitting.check(value, data)
  if native.kind(value) == "learner" then
    native.check_learner(value, data)
  elseif type(value.check) == "function" then
    value:check(data)
  end
end

-- Raises if `value` cannot run on `splits`.
function fitting.check_splits(value, splits)
  if native.kind(value) ~= "learner" and value.check_splits then
    value:check_splits(splits)
  else
    native.require_training_rows(splits)
  end
end

-- A model of `value`, fitted on all rows of `data`; its predict gives a prediction. Also what was
-- chosen for that, as a table: by a search, or in the field `detail` of a model that a fit returned.
function fitting.fit(value, data, seed)
  if native.kind(value) == "learner" then return run.fit(value, data, seed) end
  if value.resolve then
    local chosen, detail = resolve(value, data, native.seed(seed, "inner"))
    return run.fit(chosen, data, seed), detail
  end
  local ours = is_ours(value)
  local inner, reported
  if ours then
    inner, reported = value:fit(data, { seed = seed })
  else
    local instead = native.replace_lua_fit(data)
    if instead then return instead end
    inner = run.limited(value.fit, value, data, { seed = seed })
  end
  local detail = reported or ensemble_model.is(inner) and inner.detail or nil
  return setmetatable({ inner = inner, is_ours = ours, trained = data, name = learner.name(value) }, model), detail
end

local function place_seed(splits, split, seed, purpose)
  local repeat_, fold = splits:place(split)
  return native.seed(seed, "repeat", repeat_, "fold", fold, purpose)
end

-- What a search chooses on the training rows of a split, and how. `seed` is that of all splits; `keep`
-- as above.
function fitting.resolve_on_split(search, splits, split, seed, keep)
  return resolve(search, splits:train(split), place_seed(splits, split, seed, "inner"), keep)
end

-- The prediction for the test rows of a split by a composite with a fit, the sizes of both parts, and
-- what was chosen (see fit). begins(stage) (may be nil) is called with "predict" after the fit.
function fitting.predict_on_split(value, splits, split, seed, begins)
  if value.predict_on_split then return value:predict_on_split(splits, split) end
  local train, test = splits:train(split), splits:test(split)
  local fitted, detail = fitting.fit(value, train, place_seed(splits, split, seed, "fit"))
  if begins then begins "predict" end
  return fitted:predict(test, value.predict_options), #train, #test, detail
end

return fitting
