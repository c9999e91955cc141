-- Shares the code of cf.calibration, cf.threshold and cf.minimum_cost. Each is a step after a learner in
-- cf.pipeline; the two together are a composite with the fields of the step and `learner`. What it
-- learns comes from out-of-fold predictions of the training rows alone.
local native = require "crossfold.native"
local fitting = require "crossfold.fitting"
local learner = require "crossfold.learner"
local members = require "crossfold.ensemble.members"
local options = require "crossfold.options"
local splitter = require "crossfold.splitter"

local adjusted = {}

local step = options.class "crossfold.Adjustment"

function step:__tostring() return self.text end

-- The composite of a learner and this step.
function step:around(value)
  return setmetatable(options.joined({ learner = value }, self.fields), self.class)
end

-- The class of composites of one kind of step; check and fit are to be added, `decides` says whether
-- it fixes the predicted classes.
function adjusted.class(what, type_name, decides)
  local class = { what = what, decides = decides, __name = type_name }
  class.__index = class
  -- See learner.lua.
  function class:map_learners(before) return members.map_learners(self, before) end
  function class:splits_rows() return true end  -- its out-of-fold predictions
  members.add_parts(class)
  function class:__tostring() return ("%s|%s"):format(learner.name(self.learner), self.text) end
  function class:definition() return ("%s|%s"):format(learner.definition(self.learner), self.text) end
  return class
end

-- A step that makes composites of `class` with these fields; `text` shows it.
function adjusted.step(class, text, fields)
  fields.text = text
  return setmetatable({ class = class, text = text, fields = fields }, step)
end

function adjusted.is_step(value) return getmetatable(value) == step end

local function fail_without_probabilities(self)
  native.fail("%s: learner '%s' gives no probabilities; use one that does", self.what, learner.name(self.learner))
end

-- Raises what would stop the fit on any rows of `data`.
function adjusted.check(self, data)
  members.check_data(self.what, data)
  if data:task() ~= "classification" then
    native.fail("%s: the target of '%s' has numbers; it is for classes", self.what, data:name())
  end
  fitting.check(self.learner, data)
  if members.lacks_probabilities(self.learner) then fail_without_probabilities(self) end
  if self.splitter then splitter.check_inner(self.splitter, data, "choose folds") end
end

-- Raises if some class of `data` has no row here; `where` names the rows.
local function check_classes(self, rows, where)
  local missing = native.missing_class(rows)
  if missing then
    native.fail("%s: class '%s' has no row in %s, so nothing can be learned about it", self.what, missing, where)
  end
end

-- The inner splits of `data`; every training part has all classes.
function adjusted.splits(self, data, seed)
  check_classes(self, data, ("the training rows of '%s'"):format(data:name()))
  local value = self.splitter or splitter.default_folds(data, 5)
  local splits = splitter.split(value, data, native.seed(seed, "splits"))
  for s = 1, #splits do
    check_classes(self, splits:train(s), ("the training part of inner fold %d"):format(s))
  end
  return splits
end

-- `prediction`, which must have probabilities unless it has no rows.
function adjusted.with_probabilities(self, prediction)
  if #prediction > 0 and not prediction:probabilities() then fail_without_probabilities(self) end
  return prediction
end

-- The out-of-fold predictions of the learner for the rows of `data`, in one.
function adjusted.out_of_fold(self, data, seed)
  local splits = adjusted.splits(self, data, seed)
  local seeds = { native.seed(seed, "member", 1) }
  local predictions = members.out_of_fold({ self.learner }, splits, seeds, "probabilities")[1]
  for _, prediction in ipairs(predictions) do adjusted.with_probabilities(self, prediction) end
  return native.pool(predictions)
end

-- The learner fitted on all rows of `data`, and the detail that its fit reports.
function adjusted.fit_learner(self, data, seed)
  local models, details = members.fit { { self.learner, data, native.seed(seed, "fit") } }
  return models[1], details[1]
end

-- The option 'splitter' of a step, which may be nil.
function adjusted.splitter(what, given)
  return given and splitter.check(given, what .. ": option 'splitter'")
end

-- The cost matrix that a step means for `data`: its own, or that of the dataset.
function adjusted.costs(what, costs, data)
  if costs ~= nil then return data:with_costs(costs):costs() end
  return data:costs() or native.fail("%s: dataset '%s' has no cost matrix; give costs = {{0, 1}, {5, 0}} here or when "
    .. "it is read", what, data:name())
end

-- Wraps fit in native.entry, as every function that scripts call.
function adjusted.public(class) return options.methods(class, { "fit", "with" }, "learner:", { "fit" }) end

return adjusted
