-- The class with the lowest expected cost: a step after a learner. Its probabilities should be
-- calibrated (C. Elkan, "The foundations of cost-sensitive learning", IJCAI 2001, 973-978).
--
--   cf.pipeline{ "naive_bayes", cf.minimum_cost{ costs = {{0, 1}, {5, 0}} } }
--
-- Without `costs` the cost matrix of the training data is meant.
local native = require "crossfold.native"
local adjusted = require "crossfold.adjust.adjusted"
local ensemble_model = require "crossfold.ensemble.model"
local learner = require "crossfold.learner"
local members = require "crossfold.ensemble.members"
local options = require "crossfold.options"

local minimum_cost = {}

local composite = adjusted.class("minimum_cost", "crossfold.CostSensitive", true)

function composite:check(data)
  adjusted.check(self, data)
  adjusted.costs("minimum_cost", self.costs, data)
end

local model = ensemble_model.class("minimum_cost", "crossfold.CostSensitiveModel")

function model:combine(rows)
  if #rows == 0 then return native.prediction(rows, {}, self.data) end
  local prediction = self.models[1]:predict(rows)
  if not prediction:probabilities() then
    native.fail("minimum_cost: learner '%s' gives no probabilities; use one that does", self.names[1])
  end
  return native.decide_by_cost(learner.prediction(rows, prediction, self.data), self.costs)
end

function model:parts() return { costs = self.costs }, members.parts(self) end

function model.restore(saved)
  local costs, k = saved.options.costs, #saved.outline:classes()
  if #saved.members ~= 1 or type(costs) ~= "table" or #costs ~= k * k then return nil end
  for _, cost in ipairs(costs) do
    if not (cost > -math.huge and cost < math.huge) then return nil end
  end
  local fields = members.restored(saved)
  fields.costs = costs
  return fields
end

-- Fits the learner on all rows of `data`.
function composite:fit(data, context)
  local seed = members.seed("minimum_cost:fit", data, context)
  self:check(data)
  local costs = {}
  for _, row in ipairs(adjusted.costs("minimum_cost", self.costs, data)) do
    table.move(row, 1, #row, #costs + 1, costs)
  end
  local fitted, detail = adjusted.fit_learner(self, data, seed)
  return ensemble_model.new(model, tostring(self), data, seed, {
    models = { fitted }, names = { learner.name(self.learner) }, costs = costs, detail = detail,
  })
end

local declared = options.declare("minimum_cost", {
  costs = { "table", doc = "The costs of wrong predictions, rows by truth; default those of the dataset." },
})

function minimum_cost.new(given)
  local o = options.check("minimum_cost", given, declared)
  return adjusted.step(composite, "minimum_cost", { costs = o.costs })
end

adjusted.public(composite)

return minimum_cost
