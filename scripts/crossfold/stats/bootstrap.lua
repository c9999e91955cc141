-- Bootstrap intervals, and the errors that the .632 rule weighs.
local class_codes = require "crossfold.stats.class_codes"
local native = require "crossfold.native"
local options = require "crossfold.options"

local bootstrap = {}

local methods = { percentile = true, bca = true }
local statistics = { mean = true, median = true }
local losses = { zero_one = true, squared = true }

local function check_name(what, value, known)
  if known[value] then return end
  native.fail(("%s '%s'; %s"):format(what, value,
    native.known_names(value, options.sorted_keys(known))))
end

local function call(statistic, values, where)
  local result = statistic(values)
  if type(result) ~= "number" then
    native.fail(("bootstrap_interval: the statistic of %s is a %s, not a number"):format(where,
      type(result)))
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
    replicates[i] = call(o.statistic, native.stats_bootstrap_sample(values, seed),
      ("sample %d"):format(i))
  end
  if o.method == "bca" then
    for i = 1, #values do
      leave_one_out[i] = call(o.statistic, without(values, i),
        ("the values without value %d"):format(i))
    end
  end
  return native.stats_interval_of_replicates(estimate, replicates, leave_one_out, o)
end

-- cf.stats.bootstrap_interval({ numbers }, { statistic =, method =, samples =, confidence =,
--   seed = })
function bootstrap.bootstrap_interval(values, given)
  local o = options.check("bootstrap_interval", given, {
    statistic = { "string|function", "mean" }, method = { "string", "bca" },
    samples = { "integer", 2000 }, confidence = { "number", 0.95 },
    seed = { "integer", native.defaults().seed },
  })
  options.list("bootstrap_interval", values)
  check_name("bootstrap_interval: unknown method", o.method, methods)
  local result
  if type(o.statistic) == "function" then
    result = interval_of_function(values, o)
  else
    check_name("bootstrap_interval: unknown statistic", o.statistic, statistics)
    result = native.stats_bootstrap(values, o.statistic, o)
  end
  result.method, result.confidence, result.samples = o.method, o.confidence, o.samples
  return result
end

-- cf.stats.bootstrap_632{ training_error =, out_of_bag_error =, no_information_error = }
function bootstrap.bootstrap_632(given)
  local o = options.check("bootstrap_632", given, {
    training_error = { "number!" }, out_of_bag_error = { "number!" },
    no_information_error = { "number" },
  })
  return native.stats_bootstrap_632(o.training_error, o.out_of_bag_error, o.no_information_error)
end

-- cf.stats.no_information_error{ truth =, predictions =, loss = }: a number.
function bootstrap.no_information_error(given)
  local what = "no_information_error"
  local o = options.check(what, given, {
    truth = { "table!" }, predictions = { "table!" }, loss = { "string", "zero_one" },
  })
  check_name(what .. ": unknown loss", o.loss, losses)
  options.list(what .. ": option 'truth'", o.truth)
  options.list(what .. ": option 'predictions'", o.predictions)
  if o.loss == "squared" then
    return native.stats_no_information_error(o.truth, o.predictions, true)
  end
  local codes = class_codes.of(what, { o.truth, o.predictions })
  return native.stats_no_information_error(codes:encode(o.truth), codes:encode(o.predictions), false)
end

-- cf.stats.out_of_bag_error{ rows =, tested =, losses = }: losses[i] is the loss on row tested[i] of
-- a model that was fitted without that row.
function bootstrap.out_of_bag_error(given)
  local what = "out_of_bag_error"
  local o = options.check(what, given, {
    rows = { "integer!" }, tested = { "table!" }, losses = { "table!" },
  })
  options.list(what .. ": option 'tested'", o.tested)
  options.list(what .. ": option 'losses'", o.losses)
  if #o.tested ~= #o.losses then
    native.fail(("%s: there are %d tested rows and %d losses"):format(what, #o.tested, #o.losses))
  end
  for i, row in ipairs(o.tested) do
    if not (math.tointeger(row) and row >= 1 and row <= o.rows) then
      native.fail(("%s: option 'tested': element %d is %s; rows are 1 to %d"):format(what, i,
        tostring(row), o.rows))
    end
  end
  return native.stats_out_of_bag_error(o.rows, o.tested, o.losses)
end

return bootstrap
