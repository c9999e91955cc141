-- Computes what a comparison of two learners can show, before it runs: of rows, difference and power, each
-- follows from the two others.
local native = require "crossfold.native"
local options = require "crossfold.options"

local power = {}

local design = {
  test = { "string", "corrected_t", names = { "corrected_t", "mcnemar" }, doc = "The test of the comparison." },
  folds = { "integer", doc = "Number of folds of the cross-validation; default 10." },
  repeats = { "integer", doc = "Number of repeats; default 10." },
  test_share = { "number", doc = "Share of the rows that test, of random splits instead of folds." },
  disagreement = { "number", 0.1, doc = "Share of the rows on which only one of both models is correct." },
  training_sd = { "number", doc = "Standard deviation of the difference over training sets; default 0." },
  alpha = { "number", 0.05, doc = "Level of the test." },
}
local rows = { "integer!", doc = "Number of rows of the data." }
local difference = { "number!", doc = "Difference of the accuracies." }
local wanted_power = { "number", 0.8, doc = "Probability of finding the difference." }

-- Options that mean nothing for a test are refused, not passed over.
local function refuse(what, o, names, why)
  for _, name in ipairs(names) do
    if o[name] ~= nil then native.fail("%s: option '%s' %s", what, name, why) end
  end
end

local function plan(what, wanted, given, declared)
  local o = options.check(what, given, declared)
  options.place_of(what .. ": unknown test", o.test, design.test.names)
  if o.test == "mcnemar" then
    refuse(what, o, { "folds", "repeats", "test_share", "training_sd" },
      "does not go with McNemar's test, which has one test set")
  elseif o.test_share then
    refuse(what, o, { "folds" }, "does not go with 'test_share', which means random splits")
    if o.test_share == 0 then native.fail(what .. ": option 'test_share' must not be 0") end
  end
  local result = native.stats_plan {
    wanted = wanted, rows = o.rows, difference = o.difference, power = o.power,
    disagreement = o.disagreement, alpha = o.alpha, test = o.test,
    training_sd = o.training_sd or 0, folds = o.folds or 10, repeats = o.repeats or 10,
    test_share = o.test_share or 0,
  }
  result.disagreement, result.alpha, result.test = o.disagreement, o.alpha, o.test
  return result
end

local power_options = options.declare("stats.power", options.joined(design, { rows = rows, difference = difference }))

function power.power(given) return plan("power", "power", given, power_options) end

local difference_options = options.declare("stats.detectable_difference",
  options.joined(design, { rows = rows, power = wanted_power }))

function power.detectable_difference(given)
  return plan("detectable_difference", "difference", given, difference_options)
end

local rows_options = options.declare("stats.rows_needed",
  options.joined(design, { difference = difference, power = wanted_power }))

function power.rows_needed(given) return plan("rows_needed", "rows", given, rows_options) end

return power
