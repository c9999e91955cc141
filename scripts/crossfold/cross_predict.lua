-- cross_predict: out-of-fold predictions of one learner.
local native = require "crossfold.native"
local execution = require "crossfold.execution"
local fitting = require "crossfold.fitting"
local learner = require "crossfold.learner"
local options = require "crossfold.options"
local run = require "crossfold.run"
local splitter = require "crossfold.splitter"

local cross_predict = {}

local declared = options.declare("cross_predict", execution.declare {
  data = { "dataset!", doc = "The dataset." },
  learner = { "any!", is = "learner", doc = "The learner, which consists of plugins." },
  splitter = { "any!", is = "splitter", doc = "The splits; the test rows of a fold are predicted." },
  seed = options.seed,
  keep = { "string", "labels", words = { "labels", "probabilities" }, doc = "What the predictions hold." },
})

-- A list with a prediction for each repeat: every row by a model that was not trained on it, in the
-- order of the data. Raises what went wrong in the first fold that failed.
function cross_predict.new(given)
  local o = options.check("cross_predict", given, declared)
  local how = run.execution("cross_predict", o)
  local chosen = learner.check(o.learner, "cross_predict: option 'learner'")
  if native.kind(chosen) ~= "learner" then
    native.fail("cross_predict: '%s' is not a learner of plugins; use cf.evaluate, which keeps the predictions of any "
      .. "learner", learner.name(chosen))
  end
  local folds = splitter.check(o.splitter, "cross_predict: option 'splitter'")
  local data = splitter.prepare(folds, o.data)
  fitting.check(chosen, data)
  local splits = splitter.split(folds, data, native.seed(o.seed, "splits"))
  local seed = learner.seed(o.seed, chosen)  -- as cf.evaluate has it
  local purpose = run.defaults().purpose or { learner = tostring(chosen), dataset = data:name(), inner = false }
  return native.cross_predict(chosen, splits, seed, o.keep == "probabilities", how, purpose)
end

return cross_predict
