-- Voting: different learners on the same rows, and their votes.
--
--   cf.voting{
--     learners = { cf.learner("knn"), "naive_bayes" },
--     vote     = "majority" | "probabilities" | "mean",
--     weights  = { 2, 1 },
--   }
--
-- majority:      the class with the greatest sum of weights; the shares of the votes are the
--                probabilities. The default for classes.
-- probabilities: the weighted mean of the learners' probabilities, and its greatest.
-- mean:          the weighted mean of the values. The default for numbers.
--
-- Equal sums go to the lower class index. A learner with weight 0 is fitted and has no say.
local native = require "crossfold.native"
local ensemble_model = require "crossfold.ensemble.model"
local learner = require "crossfold.learner"
local members = require "crossfold.ensemble.members"
local options = require "crossfold.options"

local voting = {}

local ensemble = options.class "crossfold.Voting"

function ensemble:__tostring() return ("voting{%s}"):format(members.names(self.learners)) end

function ensemble:definition() return ("voting{%s}"):format(learner.definitions(self.learners)) end

-- Raises what would stop the fit on any rows of `data`.
function ensemble:check(data)
  members.check_data("voting", data)
  members.vote_for("voting", self.vote, data)
  members.check(self.learners, data)
end

local model = ensemble_model.class("voting", "crossfold.VotingModel")

function model:combine(rows) return members.combine(self, rows) end

function model:parts()
  return { vote = self.vote, weights = self.weights }, members.parts(self)
end

function model.restore(saved)
  local vote, weights = saved.options.vote, saved.options.weights
  if not (members.can_vote(vote, saved.data) and type(weights) == "table") then return nil end
  local total = 0
  for i = 1, math.max(#weights, #saved.members) do
    if not (weights[i] and saved.members[i] and weights[i] >= 0) then return nil end
    total = total + weights[i]
  end
  if not (total > 0 and total < math.huge) then return nil end
  return members.restored(saved, vote, weights)
end

-- Fits every learner on all rows of `data`.
function ensemble:fit(data, context)
  local seed = members.seed("voting:fit", data, context)
  self:check(data)
  local jobs, names, seeds = {}, {}, members.seeds(self.learners, seed)
  for i, value in ipairs(self.learners) do
    jobs[i] = { value, data, seeds[i] }
    names[i] = learner.name(value)
  end
  return ensemble_model.new(model, tostring(self), data, seed, {
    vote = members.vote_for("voting", self.vote, data), weights = self.weights, names = names,
    models = members.fit(jobs),
  })
end

-- One weight a learner.
local function check_weights(given, n)
  local weights, total = {}, 0
  if given == nil then
    for i = 1, n do weights[i] = 1 end
    return weights
  end
  options.list("voting: option 'weights'", given)
  if #given ~= n then native.fail("voting: there are %d weights for %d learners", #given, n) end
  for i, weight in ipairs(given) do
    if type(weight) ~= "number" or not (weight >= 0 and weight < math.huge) then
      native.fail("voting: weight %d is %s; weights are numbers from 0", i, tostring(weight))
    end
    weights[i], total = weight, total + weight
  end
  if not (total > 0 and total < math.huge) then
    native.fail("voting: the weights must have a sum above 0 that is finite")
  end
  return weights
end

local declared = options.declare("voting", {
  learners = { "table!", is = "learner[]", doc = "The learners that vote." },
  vote = members.vote,
  weights = { "table", is = "number[]", doc = "The weight of each learner; default 1." },
})

function voting.new(given)
  local o = options.check("voting", given, declared)
  local learners = members.list(o.learners, "voting: option 'learners'")
  return setmetatable({
    learners = learners, vote = o.vote, weights = check_weights(o.weights, #learners),
  }, ensemble)
end

-- The same with transforms before each learner (see learner.lua).
function ensemble:map_learners(before) return members.map_learners(self, before) end

function ensemble:splits_rows() return members.any_splits(self.learners) end

members.add_parts(ensemble)
options.methods(ensemble, { "fit", "with" }, "voting:", { "fit" })

return voting
