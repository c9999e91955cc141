-- The public module: local cf = require "crossfold". Everything here is documented in docs/lua.md.
local native = require "crossfold.native"
local first_use = require "crossfold.first_use"
local options = require "crossfold.options"
local planning = require "crossfold.planning"

-- Every function that is written in Lua: the module whose function `new` it is, or the module and the name there.
-- The module is loaded when the function is called first.
local functions = {
  adversarial_validation = "audit.adversarial_validation",
  audit = "audit.audit",
  bagging = "ensemble.bagging",
  bias_variance = "estimate.bias_variance",
  bootstrap_632 = "estimate.bootstrap_632",
  calibration = "adjust.calibration",
  catalog = "catalog.catalog",
  check = "check.check",
  choice = "choice",
  compare = "compare.compare",
  conformal = "conformal.conformal",
  cross_predict = "cross_predict",
  curve = "curves.curve",
  dataset = "dataset",
  describe = "describe",
  evaluate = "evaluate",
  grid_search = { "search.full_search", "grid" },
  halving_search = "search.halving_search",
  hyperband = "search.hyperband",
  import_predictions = "import.predictions",
  label_issues = "audit.label_issues",
  learner = "learner",
  learning_curve = "curves.learning_curve",
  load = { "ensemble.model", "load" },
  lockbox = "lockbox.lockbox",
  metric = "metric",
  minimum_cost = "adjust.minimum_cost",
  model_search = "search.model_search",
  pipeline = "pipeline",
  race_search = "search.race_search",
  random_search = { "search.full_search", "random" },
  read = "read",
  read_lockbox = { "lockbox.lockbox", "read" },
  read_openml_splits = { "splitter", "read_openml_splits" },
  repeat_until = "variance.until",
  report = "report.report",
  rescore = "stored.rescore",
  run = { "cells", "run" },
  score = "score",
  soak = "compare.soak",
  split = { "splitter", "split_data" },
  splitter = "splitter",
  stacking = "ensemble.stacking",
  store_status = "stored.status",
  stored = "stored.stored",
  threshold = "adjust.threshold",
  transform = "transform",
  validation_curve = "curves.validation_curve",
  variance = "variance.variance",
  voting = "ensemble.voting",
}

-- Methods of datasets and predictions, in the same form.
local data_methods = { filter = { "dataset", "filter" }, with_roles = { "dataset", "with_roles" } }
local prediction_methods = {
  confusion = { "result.confusion", "of" }, coverage = { "conformal.coverage", "of_prediction" },
}

local function of_place(place)
  if type(place) == "string" then return first_use.call("crossfold." .. place, "new") end
  return first_use.call("crossfold." .. place[1], place[2])
end

local cf = {}
for name, place in pairs(functions) do cf[name] = of_place(place) end
options.public(cf, options.sorted_keys(functions), "cf.")

-- These call functions of the script, each of which plans on its own.
cf.parallel, cf.plan = native.entry(of_place { "cells", "parallel" }), native.entry(planning.plan)

cf.plot, cf.stats = require "crossfold.plot.plot", require "crossfold.stats.stats"

-- data:describe(options) is the same as cf.describe(data, options).
native.add_data_method("describe", cf.describe)
for name, place in pairs(data_methods) do native.add_data_method(name, native.entry(of_place(place))) end
for name, place in pairs(prediction_methods) do native.add_prediction_method(name, native.entry(of_place(place))) end

-- cf.seed(seed, step, ...): the seed at the end of a path of names and numbers.
cf.seed = native.seed

-- cf.format_number(x, decimals): text without the locale; without decimals the shortest that reads
-- back as the same number.
cf.format_number = native.format_number

cf._VERSION, cf.null = native.version, native.null

return cf
