-- bootstrap_632: the .632 and .632+ estimates of a learner's error on some data (Efron 1983; Efron and
-- Tibshirani 1997). The formulas are cf.stats.bootstrap_632, no_information_error, out_of_bag_error.
local native = require "crossfold.native"
local bootstrap_632_result = require "crossfold.estimate.bootstrap_632_result"
local execution = require "crossfold.execution"
local findings = require "crossfold.stored.findings"
local fitting = require "crossfold.fitting"
local learner = require "crossfold.learner"
local members = require "crossfold.ensemble.members"
local options = require "crossfold.options"
local provenance = require "crossfold.result.provenance"
local run = require "crossfold.run"
local splitter = require "crossfold.splitter"
local stats = require "crossfold.stats.stats"

local bootstrap_632 = {}

-- The loss of one prediction, and what cf.stats calls it; by the name that the option has.
local losses = {
  error_rate = {
    task = "classification", name = "zero_one",
    of = function(truth, predicted) return truth == predicted and 0 or 1 end,
  },
  squared = {
    task = "regression", name = "squared",
    of = function(truth, predicted) return (truth - predicted) ^ 2 end,
  },
}

local function check_loss(name, data)
  local default = data:task() == "regression" and "squared" or "error_rate"
  local loss = losses[name or default]
  if data:task() ~= loss.task then
    native.fail("cannot estimate the error on '%s': loss = '%s' is for a %s, the task is %s", data:name(),
      name or default, loss.task, data:task())
  end
  return loss, name or default
end

local function predicted_of(prediction) return prediction:labels() or prediction:values() end

local function mean_loss(prediction, loss)
  local truth, predicted, sum = prediction:truth(), predicted_of(prediction), 0
  for i = 1, #truth do sum = sum + loss.of(truth[i], predicted[i]) end
  return sum / #truth
end

-- The losses on the rows out of bag, sample after sample, and which rows they are.
local function out_of_bag_losses(predictions, data, loss)
  local position = {}
  for i, id in ipairs(data:row_ids()) do position[id] = i end
  local tested, values = {}, {}
  for _, prediction in ipairs(predictions) do
    local truth, predicted = prediction:truth(), predicted_of(prediction)
    for i, id in ipairs(prediction:row_ids()) do
      tested[#tested + 1] = position[id]
      values[#values + 1] = loss.of(truth[i], predicted[i])
    end
  end
  return tested, values
end

-- The prediction of all rows by a model of all rows, and of the rows out of bag of each sample: cells,
-- if the learner is native.
local function predict(value, data, splits, o, how)
  local seed, of_all = native.seed(o.seed, "samples"), nil
  local purpose = { learner = learner.name(value), dataset = data:name(), inner = false }
  local tasks, defaults, predictions = { function()
    of_all = fitting.fit(value, data, native.seed(o.seed, "fit")):predict(data)
  end }, {}, {}
  if native.kind(value) == "learner" then
    tasks[2] = function()
      predictions = members.out_of_fold({ value }, splits, { seed }, "labels")[1]
    end
    defaults[2] = { purpose = not run.defaults().purpose and purpose or nil }
  else
    for split = 1, #splits do
      tasks[split + 1] = function()
        predictions[split] = fitting.predict_on_split(value, splits, split, seed)
      end
    end
  end
  run.parallel(tasks, how, defaults)
  return of_all, predictions
end

local declared = options.declare("bootstrap_632", execution.declare {
  learner = { "any!", is = "learner", doc = "The learner." },
  data = { "dataset!", doc = "The dataset." },
  repeats = { "integer", 50, doc = "Number of bootstrap samples." },
  seed = options.seed,
  stratify = { "boolean", false, doc = "Whether each class keeps its number of rows in every sample." },
  loss = { "string", words = { "error_rate", "squared" }, doc = "The loss; default that of the task." },
  method = { "string", "632+", words = { "632+", "632" }, doc = "The rule of the estimate." },
})

function bootstrap_632.new(given)
  local o = options.check("bootstrap_632", given, declared)
  local how = run.execution("bootstrap_632", o)
  local loss, loss_name = check_loss(o.loss, o.data)
  if o.data:roles().weights then
    native.fail("cannot estimate the error on '%s': the .632 rules count every row alike, and it has row weights; read "
      .. "the data without weights", o.data:name())
  end
  local value = learner.check(o.learner, "bootstrap_632: option 'learner'")
  fitting.check(value, o.data)
  local bootstrap = splitter.new("bootstrap", { repeats = o.repeats, stratify = o.stratify })
  local splits = splitter.split(bootstrap, o.data, native.seed(o.seed, "splits"))

  local of_all, of_samples = predict(value, o.data, splits, o, how)
  local tested, values = out_of_bag_losses(of_samples, o.data, loss)
  local out_of_bag = stats.out_of_bag_error { rows = #o.data, tested = tested, losses = values }
  local training_error = mean_loss(of_all, loss)
  local no_information_error = stats.no_information_error { truth = of_all:truth(),
    predictions = predicted_of(of_all), loss = loss.name }
  local combined = stats.bootstrap_632 { training_error = training_error,
    out_of_bag_error = out_of_bag.error, no_information_error = no_information_error }
  local plus = o.method == "632+"
  local found = bootstrap_632_result.new {
    learner = learner.name(value), data = o.data:name(), rows = #o.data,
    method = o.method, loss = loss_name, repeats = o.repeats,
    training_error = training_error, out_of_bag_error = out_of_bag.error,
    no_information_error = no_information_error,
    rows_used = out_of_bag.rows_used, rows_left_out = out_of_bag.rows_left_out,
    relative_overfitting = plus and combined.relative_overfitting or nil,
    weight = plus and combined.weight or 0.632,
    estimate = plus and combined.estimate_632_plus or not plus and combined.estimate_632 or nil,
    undefined = plus and combined.undefined or nil,
    where_from = {
      crossfold = native.version, seed = o.seed, splitter = tostring(bootstrap),
      learners = { provenance.learner(learner.name(value), value) },
      datasets = { provenance.dataset(o.data:name(), o.data) },
    },
  }
  findings.note(how, "bootstrap_632", found)
  return found
end

return bootstrap_632
