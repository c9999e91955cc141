-- Calibration: a step after a learner that turns its probabilities into ones that can be taken at
-- their word. The formulas are in crossfold/calibration.h and crossfold/stats/.
--
--   cf.pipeline{ "naive_bayes", cf.calibration{
--     method   = "platt" | "isotonic",
--     splitter = cf.splitter("kfold", { folds = 5, stratify = true }),
--     ensemble = false,
--   } }
--
-- ensemble = false: the maps are fitted on the out-of-fold probabilities of all training rows, then
-- the learner on all training rows. ensemble = true: one learner and its maps for every inner fold,
-- fitted on its training and its test part; the prediction is the mean of all.
local native = require "crossfold.native"
local adjusted = require "crossfold.adjust.adjusted"
local ensemble_model = require "crossfold.ensemble.model"
local learner = require "crossfold.learner"
local members = require "crossfold.ensemble.members"
local options = require "crossfold.options"

local calibration = {}

local composite = adjusted.class("calibration", "crossfold.Calibrated", false)

function composite:check(data) adjusted.check(self, data) end

local model = ensemble_model.class("calibration", "crossfold.CalibratedModel")

function model:combine(rows)
  if #rows == 0 then return native.prediction(rows, {}, self.data) end
  local predictions = {}
  for m, fitted in ipairs(self.models) do
    local prediction = learner.prediction(rows, fitted:predict(rows), self.data)
    predictions[m] = native.calibrate(prediction, self.maps[m])
  end
  return native.mean_prediction(predictions)
end

-- The lists of member m are options called "slope 1", ...
function model:parts()
  local given = {}
  for m, map in ipairs(self.maps) do
    for name, list in pairs(map:lists()) do given[("%s %d"):format(name, m)] = list end
  end
  return given, members.parts(self)
end

local list_names = { "slope", "intercept", "sizes", "x", "y" }

function model.restore(saved)
  local fields = members.restored(saved)
  fields.maps = {}
  for m in ipairs(saved.members) do
    local lists = {}
    for _, name in ipairs(list_names) do lists[name] = saved.options[("%s %d"):format(name, m)] end
    fields.maps[m] = native.calibration(lists, #saved.outline:classes())
    if not fields.maps[m] then return nil end
  end
  return fields
end

local function fit_maps(self, data, prediction)
  local maps, reason = native.fit_calibration(prediction, self.method)
  return maps or native.fail("cannot calibrate '%s' on '%s': %s", learner.name(self.learner), data:name(), reason)
end

-- The lists of the models, their maps, and the details that the learners report.
local fits = {}

fits[false] = function(self, data, seed)
  local maps = fit_maps(self, data, adjusted.out_of_fold(self, data, seed))
  local fitted, detail = adjusted.fit_learner(self, data, seed)
  return { fitted }, { maps }, { detail }
end

fits[true] = function(self, data, seed)
  local splits, jobs, maps = adjusted.splits(self, data, seed), {}, {}
  for s = 1, #splits do
    jobs[s] = { self.learner, splits:train(s), native.seed(seed, "member", s) }
  end
  local models, details = members.fit(jobs)
  for s, fitted in ipairs(models) do
    local prediction = adjusted.with_probabilities(self, fitted:predict(splits:test(s)))
    maps[s] = fit_maps(self, data, prediction)
  end
  return models, maps, details
end

-- Fits the maps on out-of-fold probabilities of the rows of `data`, and the learner.
function composite:fit(data, context)
  local seed = members.seed("calibration:fit", data, context)
  self:check(data)
  local models, maps, details = fits[self.ensemble](self, data, seed)
  local names, lists = {}, {}
  for m in ipairs(models) do
    names[m], lists[m] = learner.name(self.learner), maps[m]:lists()
  end
  return ensemble_model.new(model, tostring(self), data, seed, {
    models = models, names = names, maps = maps,
    detail = { calibration = self.method, maps = lists, learner = details[1] },
  })
end

local declared = options.declare("calibration", {
  method = { "string!", words = { "platt", "isotonic" }, doc = "The method of calibration." },
  splitter = { "any", is = "splitter", doc = "The inner splits; default a stratified 5-fold cross-validation." },
  ensemble = { "boolean", false,
    doc = "Whether the models of the inner folds predict together, each with a map of its own." },
})

function calibration.new(given)
  local o = options.check("calibration", given, declared)
  local text = ("calibration{%s%s}"):format(o.method, o.ensemble and ", ensemble" or "")
  return adjusted.step(composite, text, {
    method = o.method, ensemble = o.ensemble,
    splitter = adjusted.splitter("calibration", o.splitter),
  })
end

adjusted.public(composite)

return calibration
