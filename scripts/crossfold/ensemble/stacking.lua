-- Stacking: a learner that learns from the predictions of others (D. H. Wolpert, "Stacked
-- generalization", Neural Networks 5 (1992) 241-259; L. Breiman, "Stacked regressions", Machine
-- Learning 24 (1996) 49-64).
--
--   cf.stacking{
--     learners      = { cf.learner("knn"), "naive_bayes" },
--     combiner      = cf.learner("knn", { k = 9 }),
--     splitter      = cf.splitter("kfold", { folds = 10 }),
--     probabilities = true,    -- false: the predicted class instead
--     passthrough   = false,   -- true: the combiner sees the features, too
--   }
--
-- Every learner predicts every training row out of the inner folds. These predictions are the
-- features of the combiner: one number per class (or one category, or in regression one number) for
-- each learner, in their order. Then every learner is fitted again on all training rows. The inner
-- splitter must test every training row exactly once.
local native = require "crossfold.native"
local ensemble_model = require "crossfold.ensemble.model"
local learner = require "crossfold.learner"
local members = require "crossfold.ensemble.members"
local options = require "crossfold.options"
local splitter = require "crossfold.splitter"

local stacking = {}

local ensemble = options.class "crossfold.Stacking"

function ensemble:__tostring()
  return ("stacking{%s -> %s}"):format(members.names(self.learners), learner.name(self.combiner))
end

function ensemble:definition()
  return ("stacking{%s -> %s}"):format(learner.definitions(self.learners), learner.definition(self.combiner))
end

-- Raises what would stop the fit on any rows of `data`. What the combiner says is known at its fit.
function ensemble:check(data)
  members.check_data("stacking", data)
  members.check(self.learners, data)
  splitter.check_inner(self.splitter, data, "stack")
end

local function column_name(l, class)
  return class and ("learner %d: %s"):format(l, class) or ("learner %d"):format(l)
end

-- The columns that learner l adds to `rows`, from its predictions for them: one for all rows in order, or some
-- that have each row once. `data` is what it was trained on.
local function columns_of(self, l, rows, predictions, data, in_order)
  local classes = data:classes()
  local by_label = not self.probabilities
  local answers = native.member_answers(rows, predictions, data, by_label, in_order) or native.fail("learner '%s' of "
    .. "the ensemble gives no probabilities; use probabilities = false", learner.name(self.learners[l]))
  local columns = {}
  for c, values in ipairs(answers) do
    columns[c] = { name = column_name(l, not by_label and classes[c] or nil), values = values,
      levels = by_label and #classes > 0 and classes or nil }
  end
  return columns
end

-- `rows` as the combiner sees them, with the columns that each learner adds.
local function for_combiner(self, rows, columns_of_each)
  local columns = {}
  for _, list in ipairs(columns_of_each) do table.move(list, 1, #list, #columns + 1, columns) end
  return native.with_features(rows, self.passthrough and rows:features() or {}, columns)
end

local model = ensemble_model.class("stacking", "crossfold.StackingModel")

function model:combine(rows)
  if #rows == 0 then return native.prediction(rows, {}, self.data) end
  local columns = {}
  for l, base in ipairs(self.models) do
    columns[l] = columns_of(self.ensemble, l, rows, { base:predict(rows) }, self.data, true)
  end
  local seen = for_combiner(self.ensemble, rows, columns)
  return learner.prediction(rows, self.combiner:predict(seen), self.data)
end

-- The combiner is the last member.
function model:parts()
  local of = self.ensemble
  local list = {}
  for l, fitted in ipairs(self.models) do
    list[l] = { name = learner.name(of.learners[l]), model = fitted }
  end
  list[#list + 1] = {
    name = learner.name(of.combiner), model = self.combiner, features = self.seen,
  }
  return { probabilities = of.probabilities, passthrough = of.passthrough }, list
end

function model.restore(saved)
  local o = saved.options
  if type(o.probabilities) ~= "boolean" or type(o.passthrough) ~= "boolean" then return nil end
  if #saved.members < 2 then return nil end
  local last = table.remove(saved.members)
  if not last.features then return nil end
  local fields = members.restored(saved)
  return {
    models = fields.models, combiner = last.model, seen = last.features,
    ensemble = {
      learners = fields.names, combiner = last.name, probabilities = o.probabilities,
      passthrough = o.passthrough,
    },
  }
end

-- Fits the combiner on out-of-fold predictions, and every learner on all rows of `data`.
function ensemble:fit(data, context)
  local seed = members.seed("stacking:fit", data, context)
  self:check(data)
  local seeds, jobs = members.seeds(self.learners, seed), {}
  for l, value in ipairs(self.learners) do jobs[l] = { value, data, seeds[l] } end
  local splits = splitter.split(self.splitter, data, native.seed(seed, "splits"))
  local keep = self.probabilities and "probabilities" or "labels"
  local columns = {}
  for l, predictions in ipairs(members.out_of_fold(self.learners, splits, seeds, keep)) do
    columns[l] = columns_of(self, l, data, predictions, data)
  end
  local seen = for_combiner(self, data, columns)
  jobs[#jobs + 1] = { self.combiner, seen, native.seed(seed, "combiner") }
  local models = members.fit(jobs)
  local combiner = table.remove(models)
  return ensemble_model.new(model, tostring(self), data, seed, {
    ensemble = self, models = models, combiner = combiner, seen = seen:features(),
  })
end

local declared = options.declare("stacking", {
  learners = { "table!", is = "learner[]", doc = "The learners whose predictions are combined." },
  combiner = { "any!", is = "learner", doc = "The learner that learns from their out-of-fold predictions." },
  splitter = { "any!", is = "splitter", doc = "The splits of the out-of-fold predictions; each row is tested once." },
  passthrough = { "boolean", false, doc = "Whether the combiner gets the features, too." },
  probabilities = { "boolean", true, doc = "Whether it gets probabilities instead of predicted classes." },
})

function stacking.new(given)
  local o = options.check("stacking", given, declared)
  return setmetatable({
    learners = members.list(o.learners, "stacking: option 'learners'"),
    combiner = learner.check(o.combiner, "stacking: option 'combiner'"),
    splitter = splitter.check(o.splitter, "stacking: option 'splitter'"),
    passthrough = o.passthrough, probabilities = o.probabilities,
  }, ensemble)
end

-- The same with transforms before each learner (see learner.lua).
function ensemble:map_learners(before)
  if self.passthrough then
    native.fail("pipeline: '%s' passes the features on to its combiner, so it takes no transforms before it; give them "
      .. "to the learners inside it", tostring(self))
  end
  return members.map_learners(self, before)
end

function ensemble:splits_rows() return true end

members.add_parts(ensemble)
local parts_of_learners = ensemble.parts

-- See parameters.lua. The combiner is the last part.
function ensemble:parts()
  local parts = parts_of_learners(self)
  parts[#parts + 1] = { name = "combiner", value = self.combiner }
  return parts
end

function ensemble:with_parts(_, values)
  local n = #values
  return learner.copy(self, { learners = table.move(values, 1, n - 1, 1, {}), combiner = values[n] })
end

options.methods(ensemble, { "fit", "with" }, "stacking:", { "fit" })

return stacking
