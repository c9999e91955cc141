-- cross_predict: out-of-fold predictions of one learner.
local native = require "crossfold.native"
local fitting = require "crossfold.fitting"
local learner = require "crossfold.learner"
local options = require "crossfold.options"
local splitter = require "crossfold.splitter"

local cross_predict = {}

-- A list with a prediction for each repeat: every row by a model that was not trained on it, in the
-- order of the data. Raises what went wrong in the first fold that failed.
function cross_predict.new(given)
  local o = options.check("cross_predict", given, {
    data = { "dataset!" },
    learner = { "any!" },
    splitter = { "any!" },
    seed = { "integer", native.defaults().seed },
    workers = { "integer" },
    keep = { "string", "labels" },
  })
  if o.keep ~= "labels" and o.keep ~= "probabilities" then
    native.fail(("cross_predict: keep = '%s' is none of labels, probabilities"):format(o.keep))
  end
  options.workers("cross_predict", o.workers)
  local chosen = learner.check(o.learner, "cross_predict: option 'learner'")
  if native.kind(chosen) ~= "learner" then
    native.fail(("cross_predict: '%s' is no learner of plugins; use cf.evaluate, which keeps the "
      .. "predictions of any learner"):format(learner.name(chosen)))
  end
  local how = splitter.check(o.splitter, "cross_predict: option 'splitter'")
  local data = splitter.prepare(how, o.data)
  fitting.check(chosen, data)
  local splits = splitter.split(how, data, native.seed(o.seed, "splits"))
  local seed = native.seed(o.seed, "learner", tostring(chosen))  -- as cf.evaluate has it
  return native.cross_predict(chosen, splits, seed, o.keep == "probabilities", o.workers)
end

return cross_predict
