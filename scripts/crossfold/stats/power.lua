-- What a comparison of two learners can show, before it runs: of rows, difference and power, each
-- follows from the two others.
local native = require "crossfold.native"
local options = require "crossfold.options"

local power = {}

local tests = { corrected_t = true, mcnemar = true }

-- Options that mean nothing for a test are refused, not passed over.
local function refuse(what, o, names, why)
  for _, name in ipairs(names) do
    if o[name] ~= nil then native.fail(("%s: option '%s' %s"):format(what, name, why)) end
  end
end

-- `declared` is what this question is asked with.
local function plan(what, wanted, given, declared)
  for name, types in pairs {
    disagreement = { "number", 0.1 }, alpha = { "number", 0.05 },
    training_sd = { "number" }, folds = { "integer" }, repeats = { "integer" },
    test_share = { "number" }, test = { "string", "corrected_t" },
  } do declared[name] = types end
  local o = options.check(what, given, declared)
  if not tests[o.test] then
    native.fail(("%s: unknown test '%s'; %s"):format(what, o.test,
      native.known_names(o.test, options.sorted_keys(tests))))
  end
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

-- cf.stats.power{ rows =, difference =, folds =, repeats =, test_share =, disagreement =,
--   training_sd =, alpha =, test = }
function power.power(given)
  return plan("power", "power", given, { rows = { "integer!" }, difference = { "number!" } })
end

-- cf.stats.detectable_difference{ rows =, power =, ... }
function power.detectable_difference(given)
  return plan("detectable_difference", "difference", given,
    { rows = { "integer!" }, power = { "number", 0.8 } })
end

-- cf.stats.rows_needed{ difference =, power =, ... }
function power.rows_needed(given)
  return plan("rows_needed", "rows", given,
    { difference = { "number!" }, power = { "number", 0.8 } })
end

return power
