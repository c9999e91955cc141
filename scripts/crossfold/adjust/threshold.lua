-- A threshold on the probability of the positive class, chosen inside the training rows: a step
-- after a learner of two classes.
--
--   cf.pipeline{ "naive_bayes", cf.threshold{
--     metric   = "f1",    -- or accuracy, balanced_accuracy, youden, mcc; or instead of it
--     costs    = {{0, 1}, {5, 0}},   -- rows by truth in class order, or "data": the dataset's
--     positive = "yes",   -- default: that of the data, else the second class
--     splitter = cf.splitter("kfold", { folds = 5, stratify = true }),
--   } }
--
-- The threshold is the best one on the out-of-fold probabilities of all training rows together (see
-- crossfold/best_threshold.h); then the learner is fitted on all training rows. A calibration
-- before it is part of the learner: every inner fold calibrates within its own training part.
local native = require "crossfold.native"
local adjusted = require "crossfold.adjust.adjusted"
local ensemble_model = require "crossfold.ensemble.model"
local learner = require "crossfold.learner"
local members = require "crossfold.ensemble.members"
local options = require "crossfold.options"

local threshold = {}

local goals = {
  f1 = "f_beta", accuracy = "accuracy", balanced_accuracy = "balanced_accuracy", youden = "youden",
  mcc = "mcc",
}

local composite = adjusted.class("threshold", "crossfold.Thresholded", true)

-- The place of the positive class among the two.
local function positive_place(self, data)
  local positive = self.positive or data:roles().positive
  if positive == nil then return 2 end
  return options.place_of("threshold: there is no class", positive, data:classes())
end

-- {{tn, fp}, {fn, tp}} for class `place`, or nil if a metric is the goal.
local function costs_for(self, place, data)
  if self.goal ~= "cost" then return nil end
  local costs, other = adjusted.costs("threshold", self.costs, data), 3 - place
  return {
    { costs[other][other], costs[other][place] }, { costs[place][other], costs[place][place] },
  }
end

function composite:check(data)
  adjusted.check(self, data)
  local classes = data:classes()
  if #classes ~= 2 then
    native.fail("threshold: '%s' has %d classes (%s), a threshold separates two; use cf.minimum_cost", data:name(),
      #classes, table.concat(classes, ", "))
  end
  costs_for(self, positive_place(self, data), data)
end

local model = ensemble_model.class("threshold", "crossfold.ThresholdModel")

function model:combine(rows)
  if #rows == 0 then return native.prediction(rows, {}, self.data) end
  local prediction = learner.prediction(rows, self.models[1]:predict(rows), self.data)
  return native.decide_by_threshold(prediction, self.place, self.threshold)
end

function model:parts()
  return { place = self.place, threshold = self.threshold }, members.parts(self)
end

function model.restore(saved)
  local place, value = saved.options.place, saved.options.threshold
  if #saved.members ~= 1 or #saved.outline:classes() ~= 2 then return nil end
  if (place ~= 1 and place ~= 2) or math.type(value) ~= "float" or value ~= value then return nil end
  local fields = members.restored(saved)
  fields.place, fields.threshold = place, value
  return fields
end

-- A reason to doubt the threshold: labels in the guise of probabilities, as those of a libsvm without
-- probability = true, have nothing to choose from. nil: there is none.
local function doubt(self, prediction)
  for _, row in ipairs(prediction:probabilities() or {}) do
    if row[1] ~= 0 and row[1] ~= 1 then return nil end
  end
  return ("the probabilities of '%s' are all 0 or 1, so a threshold between them changes no decision; "
    .. "take a learner with others (libsvm has them with probability = true)"):format(learner.name(self.learner))
end

-- Chooses the threshold on out-of-fold probabilities of the rows of `data`, and fits the learner.
function composite:fit(data, context)
  local seed = members.seed("threshold:fit", data, context)
  self:check(data)
  local classes = data:classes()
  local place = positive_place(self, data)
  local out_of_fold = adjusted.out_of_fold(self, data, seed)
  local best = native.best_threshold(out_of_fold, {
    positive = classes[place], goal = self.goal, beta = 1, costs = costs_for(self, place, data),
  })
  if best.undefined then
    native.fail("cannot choose a threshold for '%s' on '%s': %s", learner.name(self.learner), data:name(),
      best.undefined)
  end
  local fitted, detail = adjusted.fit_learner(self, data, seed)
  return ensemble_model.new(model, tostring(self), data, seed, {
    models = { fitted }, names = { learner.name(self.learner) }, place = place,
    threshold = best.threshold,
    detail = { threshold = best.threshold, positive = classes[place], metric = self.metric,
      value = best.value, tp = best.tp, fp = best.fp, tn = best.tn, fn = best.fn,
      learner = detail, warning = doubt(self, out_of_fold) },
  })
end

local declared = options.declare("threshold", {
  metric = { "string", names = options.sorted_keys(goals), doc = "The metric that the threshold maximizes." },
  costs = { "table|string", names = { "data" }, is = "costs",
    doc = "The costs that it minimizes, instead of `metric`: a matrix, or \"data\" for that of the dataset." },
  positive = { "string", doc = "The positive class; default that of the data, else the second one." },
  splitter = { "any", is = "splitter", doc = "The inner splits; default a stratified 5-fold cross-validation." },
})

function threshold.new(given)
  local o = options.check("threshold", given, declared)
  local by = options.one_of("threshold", o, { "metric", "costs" })
  if by == "metric" and not goals[o.metric] then
    native.fail("threshold: there is no metric '%s' to choose by; %s", o.metric,
      native.known_names(o.metric, declared.metric.names))
  elseif type(o.costs) == "string" and o.costs ~= "data" then
    native.fail("threshold: costs = '%s' is not a matrix; give {{0, 1}, {5, 0}}, or \"data\" for that of the dataset",
      o.costs)
  end
  local metric = by == "metric" and o.metric or "cost"
  return adjusted.step(composite, ("threshold{%s}"):format(metric), {
    metric = metric, goal = goals[metric] or "cost",
    costs = type(o.costs) == "table" and o.costs or nil, positive = o.positive,
    splitter = adjusted.splitter("threshold", o.splitter),
  })
end

adjusted.public(composite)

return threshold
