-- Computes bootstrap intervals, and the errors that the .632 rule weighs.
local class_codes = require "crossfold.stats.class_codes"
local native = require "crossfold.native"
local options = require "crossfold.options"

local bootstrap = {}

local function call(statistic, values, where)
  local result = statistic(values)
  if type(result) ~= "number" then
    native.fail("bootstrap_interval: the statistic of %s is a %s, not a number", where, type(result))
  end
  return result
end

local function without(values, left_out)
  local others = {}
  for i, value in ipairs(values) do
    if i ~= left_out then others[#others + 1] = value end
  end
  return others
end

-- A statistic written in Lua sees the same samples as the native ones.
local function interval_of_function(values, o)
  local seeds, reason = native.stats_bootstrap_plan(values, o)
  local estimate = call(o.statistic, without(values), "the values")
  if not seeds then
    local finite = estimate == estimate and math.abs(estimate) < math.huge
    return { estimate = finite and estimate or nil, undefined = reason }
  end
  local replicates, leave_one_out = {}, {}
  for i, seed in ipairs(seeds) do
    replicates[i] = call(o.statistic, native.stats_bootstrap_sample(values, seed), ("sample %d"):format(i))
  end
  if o.method == "bca" then
    for i = 1, #values do
      leave_one_out[i] = call(o.statistic, without(values, i), ("the values without value %d"):format(i))
    end
  end
  return native.stats_interval_of_replicates(estimate, replicates, leave_one_out, o)
end

local interval_options = options.declare("stats.bootstrap_interval", {
  statistic = { "string|function", "mean", names = { "mean", "median" }, is = "fun(values: number[]): number",
    doc = "The figure whose interval is wanted." },
  method = { "string", "bca", names = { "bca", "percentile" }, doc = "The method of the interval." },
  samples = { "integer", 2000, doc = "Number of bootstrap samples." },
  confidence = options.confidence,
  seed = options.seed,
})

function bootstrap.bootstrap_interval(values, given)
  local o = options.check("bootstrap_interval", given, interval_options)
  options.list("bootstrap_interval", values)
  options.place_of("bootstrap_interval: unknown method", o.method, interval_options.method.names)
  local result
  if type(o.statistic) == "function" then
    result = interval_of_function(values, o)
  else
    options.place_of("bootstrap_interval: unknown statistic", o.statistic, interval_options.statistic.names)
    result = native.stats_bootstrap(values, o.statistic, o)
  end
  result.method, result.confidence, result.samples = o.method, o.confidence, o.samples
  return result
end

local errors_options = options.declare("stats.bootstrap_632", {
  training_error = { "number!", doc = "Error on the training rows." },
  out_of_bag_error = { "number!", doc = "Error on the rows that a bootstrap sample leaves out." },
  no_information_error = { "number", doc = "Error without any relation of features and target, for .632+." },
})

function bootstrap.bootstrap_632(given)
  local o = options.check("bootstrap_632", given, errors_options)
  return native.stats_bootstrap_632(o.training_error, o.out_of_bag_error, o.no_information_error)
end

local no_information_options = options.declare("stats.no_information_error", {
  truth = { "table!", is = "any[]", doc = "The true class or value of each row." },
  predictions = { "table!", is = "any[]", doc = "The prediction for each row." },
  loss = { "string", "zero_one", names = { "squared", "zero_one" }, doc = "The loss whose mean is the error." },
})

function bootstrap.no_information_error(given)
  local what = "no_information_error"
  local o = options.check(what, given, no_information_options)
  options.place_of(what .. ": unknown loss", o.loss, no_information_options.loss.names)
  options.list(what .. ": option 'truth'", o.truth)
  options.list(what .. ": option 'predictions'", o.predictions)
  if o.loss == "squared" then
    return native.stats_no_information_error(o.truth, o.predictions, true)
  end
  local codes = class_codes.of(what, { o.truth, o.predictions })
  return native.stats_no_information_error(codes:encode(o.truth), codes:encode(o.predictions), false)
end

local out_of_bag_options = options.declare("stats.out_of_bag_error", {
  rows = { "integer!", doc = "Number of rows of the data." },
  tested = { "table!", is = "integer[]", doc = "The row of each loss; it may occur several times." },
  losses = { "table!", is = "number[]", doc = "The loss on each tested row, by a model fitted without it." },
})

function bootstrap.out_of_bag_error(given)
  local what = "out_of_bag_error"
  local o = options.check(what, given, out_of_bag_options)
  options.list(what .. ": option 'tested'", o.tested)
  options.list(what .. ": option 'losses'", o.losses)
  if #o.tested ~= #o.losses then
    native.fail("%s: there are %d tested rows and %d losses", what, #o.tested, #o.losses)
  end
  for i, row in ipairs(o.tested) do
    if not (math.tointeger(row) and row >= 1 and row <= o.rows) then
      native.fail("%s: option 'tested': element %d is %s; rows are 1 to %d", what, i, tostring(row), o.rows)
    end
  end
  return native.stats_out_of_bag_error(o.rows, o.tested, o.losses)
end

return bootstrap
