-- The public module: local cf = require "crossfold". Everything here is documented in docs/lua.md.
local native = require "crossfold.native"
local adversarial_validation = require "crossfold.audit.adversarial_validation"
local audit = require "crossfold.audit.audit"
local bagging = require "crossfold.ensemble.bagging"
local bias_variance = require "crossfold.estimate.bias_variance"
local bootstrap_632 = require "crossfold.estimate.bootstrap_632"
local calibration = require "crossfold.adjust.calibration"
local catalog = require "crossfold.catalog.catalog"
local check = require "crossfold.check.check"
local choice = require "crossfold.choice"
local compare = require "crossfold.compare.compare"
local conformal = require "crossfold.conformal.conformal"
local confusion = require "crossfold.result.confusion"
local coverage = require "crossfold.conformal.coverage"
local cross_predict = require "crossfold.cross_predict"
local curve = require "crossfold.curves.curve"
local dataset = require "crossfold.dataset"
local describe = require "crossfold.describe"
local ensemble_model = require "crossfold.ensemble.model"
local evaluate = require "crossfold.evaluate"
local execution = require "crossfold.execution"
local grid_search = require "crossfold.search.grid_search"
local halving_search = require "crossfold.search.halving_search"
local hyperband = require "crossfold.search.hyperband"
local import_predictions = require "crossfold.import.predictions"
local label_issues = require "crossfold.audit.label_issues"
local learner = require "crossfold.learner"
local learning_curve = require "crossfold.curves.learning_curve"
local lockbox = require "crossfold.lockbox.lockbox"
local metric = require "crossfold.metric"
local minimum_cost = require "crossfold.adjust.minimum_cost"
local model_search = require "crossfold.search.model_search"
local options = require "crossfold.options"
local pipeline = require "crossfold.pipeline"
local planning = require "crossfold.planning"
local plot = require "crossfold.plot.plot"
local race_search = require "crossfold.search.race_search"
local random_search = require "crossfold.search.random_search"
local read = require "crossfold.read"
local report = require "crossfold.report.report"
local rescore = require "crossfold.stored.rescore"
local run = require "crossfold.run"
local score = require "crossfold.score"
local soak = require "crossfold.compare.soak"
local splitter = require "crossfold.splitter"
local stacking = require "crossfold.ensemble.stacking"
local stats = require "crossfold.stats.stats"
local store_status = require "crossfold.stored.status"
local stored = require "crossfold.stored.stored"
local threshold = require "crossfold.adjust.threshold"
local transform = require "crossfold.transform"
local validation_curve = require "crossfold.curves.validation_curve"
local repeat_until = require "crossfold.variance.until"
local variance = require "crossfold.variance.variance"
local voting = require "crossfold.ensemble.voting"

require "crossfold.lua_learner"  -- declares the options of cf.learner{ ... }

local cf = { _VERSION = native.version, null = native.null }

cf.learner = learner.new
cf.transform = transform.new
cf.pipeline = pipeline.new
cf.choice = choice.new
cf.calibration = calibration.new
cf.conformal = conformal.new
cf.threshold = threshold.new
cf.minimum_cost = minimum_cost.new
cf.splitter = splitter.new
cf.metric = metric.new
cf.grid_search = grid_search.new
cf.random_search = random_search.new
cf.halving_search = halving_search.new
cf.hyperband = hyperband.new
cf.model_search = model_search.new
cf.race_search = race_search.new
cf.voting = voting.new
cf.bagging = bagging.new
cf.stacking = stacking.new
cf.evaluate = evaluate.new
cf.import_predictions = import_predictions.new
cf.cross_predict = cross_predict.new
cf.learning_curve = learning_curve.new
cf.lockbox = lockbox.new
cf.read_lockbox = lockbox.read
cf.validation_curve = validation_curve.new
cf.curve = curve.new
cf.dataset = dataset.new
cf.adversarial_validation = adversarial_validation.new
cf.audit = audit.new
cf.describe = describe.new
cf.label_issues = label_issues.new
cf.bias_variance = bias_variance.new
cf.bootstrap_632 = bootstrap_632.new
cf.variance = variance.new
cf.repeat_until = repeat_until.new
cf.rescore = rescore.new
cf.report = report.new
cf.score = score
cf.soak = soak.new
cf.store_status = store_status.new
cf.stored = stored.new
cf.compare = compare.new
cf.catalog = catalog.new
cf.check = check.new
cf.plot = plot
cf.stats = stats

-- cf.read(path, options): see read.lua.
function cf.read(path, given)
  return dataset.with_costs(read(path, given), given or type(path) == "table" and path or {})
end

-- cf.load(path): the model that model:save(path) wrote.
function cf.load(path)
  if type(path) ~= "string" then
    native.fail(("load: expected the path of a file, got a %s"):format(type(path)))
  end
  return ensemble_model.load(path)
end

local split_options = options.declare("split", { seed = options.seed })

-- cf.split(splitter, data, { seed = }): the splits as a value; those that cf.evaluate makes with this seed.
function cf.split(value, data, given)
  local o = options.check("split", given, split_options)
  if native.kind(data) ~= "dataset" then
    native.fail(("split: expected a dataset, got a %s"):format(type(data)))
  end
  local checked = splitter.check(value, "split")
  return splitter.split(checked, splitter.prepare(checked, data), native.seed(o.seed, "splits"))
end

local openml_options = options.declare("read_openml_splits", {
  ignore_groups = { "boolean", false, doc = "Whether a group of the data may be on both sides of a split." },
})

-- cf.read_openml_splits(path, data, { ignore_groups = }): the splits of an OpenML file, for `data`.
function cf.read_openml_splits(path, data, given)
  local o = options.check("read_openml_splits", given, openml_options)
  if type(path) ~= "string" then
    native.fail(("read_openml_splits: expected the path of a file, got a %s"):format(type(path)))
  end
  if native.kind(data) ~= "dataset" then
    native.fail(("read_openml_splits: expected a dataset, got a %s"):format(type(data)))
  end
  return native.read_openml_splits(path, data, o.ignore_groups)
end

local execution_options = options.declare("run", execution.options)
options.declare("parallel", execution.options)
local cell_options = options.declare("Cell", {
  learner = { "any!", is = "learner", doc = "The learner, which consists of plugins." },
  splits = { "splits!", doc = "The splits, as cf.split gives them." },
  split = { "integer", doc = "The number of the split; without it the cell stands for all splits." },
  count = { "integer", doc = "Number of splits from `split` on; default 1." },
  seed = options.seed,
  metrics = { "any", is = "metrics", doc = "The metrics that score the prediction." },
  keep = { "string", "none", names = evaluate.keep.words, doc = "What is kept of the prediction." },
  isolate = execution.options.isolate,
})

-- cf.run(cells, { workers =, store =, isolate =, limits = }), see execution.lua. A cell without `split`
-- stands for all splits of its plan, in order; with `count` for that number of splits from `split` on.
function cf.run(cells, given)
  local how = run.execution("run", options.check("run", given, execution_options))
  options.list("run", cells)
  local prepared, lists = {}, {}
  for i, cell in ipairs(cells) do
    local c = options.check(("run: cell %d"):format(i), cell, cell_options)
    if c.isolate then execution.check(("run: cell %d"):format(i), c) end
    c.learner = learner.check(c.learner, ("run: cell %d"):format(i))
    if native.kind(c.learner) ~= "learner" then
      native.fail(("run: cell %d: a cell's learner is native; a search or a learner written in Lua "
        .. "goes into cf.evaluate"):format(i))
    end
    if c.metrics then
      local list = lists[c.metrics]  -- cells that share a list of metrics share one check
      if not list then
        list = metric.list(c.metrics, ("run: cell %d"):format(i))
        lists[c.metrics] = list
      end
      if list.any_lua then
        native.fail(("run: cell %d: metrics written in Lua go into cf.evaluate"):format(i))
      end
      c.metrics = list.native
    end
    if not c.split then
      if c.count then
        native.fail(("run: cell %d: option 'count' goes with 'split'"):format(i))
      end
      c.split, c.count = 1, #c.splits
    end
    prepared[i] = c
  end
  return run.run(prepared, how)
end

-- cf.parallel({ f, g, ... }, options as of cf.run): what each function returned, as packed tables, in
-- order. The options hold for all that the functions run, unless it says otherwise.
local function parallel(functions, given)
  local how = run.execution("parallel", options.check("parallel", given, execution_options))
  options.list("parallel", functions)
  return run.parallel(functions, how, nil, true)
end

-- Everything so far is written in Lua; the two below are C functions already.
local functions = {}
for _, name in ipairs(options.sorted_keys(cf)) do
  if type(cf[name]) == "function" then functions[#functions + 1] = name end
end
options.public(cf, functions, "cf.")

-- These call functions of the script, each of which plans on its own.
cf.parallel, cf.plan = native.entry(parallel), native.entry(planning.plan)

-- data:describe(options) is the same as cf.describe(data, options).
native.add_data_method("describe", cf.describe)

native.add_prediction_method("confusion", native.entry(confusion.of))
native.add_prediction_method("coverage", native.entry(coverage.of_prediction))

-- cf.seed(seed, step, ...): the seed at the end of a path of names and numbers.
cf.seed = native.seed

-- cf.format_number(x, decimals): text without the locale; without decimals the shortest that reads
-- back as the same number.
cf.format_number = native.format_number

return cf
