-- cf.stats.power_law: the inverse power law err(n) = a + b n^-c through given errors.
local native = require "crossfold.native"
local options = require "crossfold.options"

local stats_power_law = {}

local law = options.class "crossfold.StatsPowerLaw"

local function reason(self) return { undefined = self.undefined } end

-- The error at n rows: { estimate, se, low, high }.
function law:at(n)
  if self.undefined then return reason(self) end
  return self.native:at(n, self.confidence)
end

-- The rows at which the error is `target`: { rows, low, high, unreachable }.
function law:rows_for(target)
  if self.undefined then return reason(self) end
  return self.native:rows_for(target, self.confidence)
end

local crossing_options = options.declare("PowerLaw:crossing", {
  from = { "number!", doc = "The smallest number of rows." },
  to = { "number!", doc = "The largest number of rows." },
})

-- Where this law and another cross: { crosses = "yes", "no" or "not decided", rows, low, high,
-- first_lower_before }.
function law:crossing(other, given)
  if self.undefined then return reason(self) end
  if getmetatable(other) ~= law then native.fail("crossing: expected another power law") end
  if other.undefined then return reason(other) end
  local o = options.check("crossing", given, crossing_options)
  return self.native:crossing(other.native, o.from, o.to, self.confidence)
end

options.methods(law, { "at", "rows_for", "crossing" }, nil, { "crossing" })

local declared = options.declare("stats.power_law", {
  n = { "table!", is = "number[]", doc = "The sizes of the training sets." },
  errors = { "table", is = "number[]", doc = "The error at each size." },
  trials = { "table", is = "number[][]", doc = "The errors of several trials at each size, instead of `errors`." },
  weights = { "string", "equal", words = { "equal", "inverse_variance", "rank", "size" },
    doc = "The weight of each size in the fit." },
  test_to_train = { "number", 0, doc = "Test rows per training row, which corrects the variance of trials." },
  confidence = options.confidence,
})

function stats_power_law.power_law(given)
  local o = options.check("power_law", given, declared)
  if (o.errors == nil) == (o.trials == nil) then
    native.fail("power_law: give either 'errors' or 'trials'")
  end
  options.check_share("power_law", "confidence", o.confidence)
  if o.trials then
    for t, trial in ipairs(options.list("power_law: option 'trials'", o.trials)) do
      if type(trial) ~= "table" then
        native.fail("power_law: trial %d is a %s, not a list of errors", t, type(trial))
      end
    end
  end
  local made = o.errors and native.power_law(o.n, o.errors, o.weights)
    or native.power_law_of_trials(o.n, o.trials, o.weights, o.test_to_train)
  local figures = made:figures()
  figures.native, figures.confidence = made, o.confidence
  return setmetatable(figures, law)
end

return stats_power_law
