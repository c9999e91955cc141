-- Bagging: one learner on many samples of the rows, or of the features (L. Breiman, "Bagging
-- predictors", Machine Learning 24 (1996) 123-140; T. K. Ho, "The random subspace method for
-- constructing decision forests", IEEE PAMI 20 (1998) 832-844).
--
--   cf.bagging{
--     learner  = "naive_bayes",
--     n        = 25,           -- samples
--     rows     = 1,            -- rows of a sample, as a share of the training rows (default 1)
--     replace  = true,         -- a row may come more than once (default true: the bootstrap)
--     features = 0.5,          -- features of a sample, as a share, without replacement (default 1)
--     vote     = "majority",   -- or "probabilities", "mean": as in cf.voting, with equal weights
--   }
--
-- Shares round to the nearest whole number, at least 1. Sample t depends on the seed and t alone, so
-- the first ten of 25 are those of n = 10. A class that a sample lacks gets probability 0 and no vote
-- there. With replace, a learner that splits its rows again (a search) meets the copies of a row on
-- both sides, which is refused; give it replace = false and rows = 0.632.
local native = require "crossfold.native"
local ensemble_model = require "crossfold.ensemble.model"
local fitting = require "crossfold.fitting"
local learner = require "crossfold.learner"
local members = require "crossfold.ensemble.members"
local options = require "crossfold.options"
local parameters = require "crossfold.parameters"

local bagging = {}

local ensemble = options.class "crossfold.Bagging"

function ensemble:__tostring()
  local text = ("%s, n=%d"):format(learner.name(self.learner), self.n)
  if self.rows ~= 1 then text = ("%s, rows=%s"):format(text, native.format_number(self.rows)) end
  if self.features ~= 1 then text = ("%s, features=%s"):format(text, native.format_number(self.features)) end
  if not self.replace then text = text .. ", replace=false" end
  return ("bagging{%s}"):format(text)
end

function ensemble:definition() return ("bagging{%s}"):format(learner.definition(self.learner)) end

-- Raises what would stop the fit on any rows of `data`.
function ensemble:check(data)
  members.check_data("bagging", data)
  members.vote_for("bagging", self.vote, data)
  fitting.check(self.learner, data)
end

-- `share` of n as a whole number from 1.
local function share_of(share, n) return math.max(1, math.floor(share * n + 0.5)) end

-- The names of the features of one sample, or nil for all.
local function draw_features(self, data, seed)
  if self.features == 1 then return nil end
  local all, kept = data:features(), {}
  if #all == 0 then return nil end
  for i, j in ipairs(native.draw(#all, share_of(self.features, #all), false, seed)) do
    kept[i] = all[j]
  end
  return kept
end

local function with_features(data, kept)
  return kept and native.with_features(data, kept, {}) or data
end

local model = ensemble_model.class("bagging", "crossfold.BaggingModel")

function model:combine(rows)
  return members.combine(self, rows, function(m, all) return with_features(all, self.kept[m]) end)
end

function model:parts()
  local list = members.parts(self)
  for t, member in ipairs(list) do member.features = self.kept[t] end
  return { vote = self.vote }, list
end

-- Whether every name of the list `some` is in the list `all`.
local function is_part(some, all)
  local known = options.set_of(all)
  for _, name in ipairs(some) do
    if not known[name] then return false end
  end
  return true
end

function model.restore(saved)
  local vote, all = saved.options.vote, saved.outline:features()
  if not members.can_vote(vote, saved.data) then return nil end
  local weights, kept = {}, {}
  for t, member in ipairs(saved.members) do
    weights[t], kept[t] = 1, member.features
    if kept[t] and not is_part(kept[t], all) then return nil end
  end
  local fields = members.restored(saved, vote, weights)
  fields.kept = kept
  return fields
end

-- Fits the learner on `n` samples of the rows of `data`.
function ensemble:fit(data, context)
  local seed = members.seed("bagging:fit", data, context)
  self:check(data)
  if #data == 0 then native.fail("cannot fit bagging on '%s': there are no rows", data:name()) end
  local jobs, names, weights, kept = {}, {}, {}, {}
  local count = share_of(self.rows, #data)
  for t = 1, self.n do
    local of_sample = native.seed(seed, "member", t)
    local rows = native.draw(#data, count, self.replace, native.seed(of_sample, "rows"))
    kept[t] = draw_features(self, data, native.seed(of_sample, "features"))
    local sample = with_features(data:select(rows), kept[t])
    jobs[t] = { self.learner, sample, native.seed(of_sample, "fit") }
    names[t], weights[t] = learner.name(self.learner), 1
  end
  return ensemble_model.new(model, tostring(self), data, seed, {
    vote = members.vote_for("bagging", self.vote, data), weights = weights, names = names,
    kept = kept, models = members.fit(jobs),
  })
end

local function check_share(name, share)
  if not (share > 0 and share <= 1) then
    native.fail("bagging: %s = %s is out of range; use a share above 0, at most 1", name, native.format_number(share))
  end
end

local declared = options.declare("bagging", {
  learner = { "any!", is = "learner", doc = "The learner that is fitted on each sample." },
  n = { "integer!", doc = "Number of samples." },
  rows = { "number", 1, doc = "Share of the rows in a sample." },
  features = { "number", 1, doc = "Share of the features in a sample, which are drawn without replacement." },
  replace = { "boolean", true, doc = "Whether rows are drawn with replacement." },
  vote = members.vote,
})

function bagging.new(given)
  local o = options.check("bagging", given, declared)
  if o.n < 1 or o.n > 100000 then native.fail("bagging: n = %d is out of range; use 1 to 100000", o.n) end
  check_share("rows", o.rows)
  check_share("features", o.features)
  local share = function(default) return { type = "real", low = 0, low_open = true, high = 1, default = default } end
  return setmetatable({
    learner = learner.check(o.learner, "bagging: option 'learner'"), n = o.n, rows = o.rows,
    features = o.features, replace = o.replace, vote = o.vote,
    settings = parameters.declare("learner", "bagging", {
      n = { type = "integer", low = 1, high = 100000, default = o.n }, rows = share(o.rows),
      features = share(o.features), replace = { type = "boolean", default = o.replace },
    }),
  }, ensemble)
end

-- The same with transforms before the learner (see learner.lua).
function ensemble:map_learners(before) return members.map_learners(self, before) end

function ensemble:splits_rows() return learner.splits_rows(self.learner) end

members.add_parts(ensemble)

-- See parameters.lua.
function ensemble:with_parts(settings, values)
  local fields = settings:params()
  fields.settings, fields.learner = settings, values[1]
  return learner.copy(self, fields)
end

options.methods(ensemble, { "fit", "with" }, "bagging:", { "fit" })

return bagging
