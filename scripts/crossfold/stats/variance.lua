-- Splits the variance of scores over the sources that were drawn one inside the other, and bounds the mean of values
-- with a known range.
local native = require "crossfold.native"
local options = require "crossfold.options"

local variance = {}

local components_options = options.declare("stats.variance_components", {
  scores = { "table!", is = "number[]",
    doc = "One score per unit of the last source; units of later sources vary faster." },
  units = { "table!", is = "integer[]", doc = "Number of units of each source within a unit of the source before." },
  names = { "table", is = "string[]", doc = "The names of the sources; default \"source 1\" and so on." },
  confidence = options.confidence,
})

-- What is said of a component; nil: nothing.
local function note_of(component)
  if component.estimate < 0 then return "the estimate is negative, which stands for a small variance or none" end
end

-- The balanced nested analysis of variance: { mean, mean_standard_error, mean_df, total, components }; a component is
-- { source, units, df, mean_square, estimate (may be negative), variance = that or 0, sd, share, standard_error, low,
-- high, note }.
function variance.variance_components(given)
  local what = "variance_components"
  local o = options.check(what, given, components_options)
  options.list(what .. ": option 'scores'", o.scores)
  options.list(what .. ": option 'units'", o.units)
  local names = options.list(what .. ": option 'names'", o.names or {})
  local found = native.stats_nested_variance(o.scores, o.units, o.confidence)
  found.total, found.confidence = 0, o.confidence
  for i, component in ipairs(found.components) do
    component.source = names[i] or ("source %d"):format(i)
    component.variance = math.max(0, component.estimate)
    component.sd = math.sqrt(component.variance)
    component.note = note_of(component)
    found.total = found.total + component.variance
  end
  for _, component in ipairs(found.components) do
    component.share = found.total > 0 and component.variance / found.total or nil
  end
  if found.total == 0 then found.undefined = "no score differs from another, so there are no shares" end
  return found
end

local betting_options = options.declare("stats.betting_interval", {
  least = { "number", 0, doc = "The least value that is possible." },
  most = { "number", 1, doc = "The greatest value that is possible." },
  confidence = options.confidence,
})

-- The interval of the mean of values that came one after the other, valid whenever one stops: { mean, low, high }.
function variance.betting_interval(values, given)
  local o = options.check("betting_interval", given, betting_options)
  options.list("betting_interval", values)
  local low, high = native.stats_betting_interval(values, o.least, o.most, o.confidence)
  local result = { low = low, high = high, confidence = o.confidence, values = #values }
  if #values > 0 then result.mean = native.summary(values).mean end
  if low > high then
    result.low, result.high = nil, nil
    result.undefined = "no mean fits all values: they are not independent draws of one distribution"
  end
  return result
end

return variance
