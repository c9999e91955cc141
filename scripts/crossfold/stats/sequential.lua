-- Means and proportions of rows that are seen one after the other: what holds at every moment, so that one may look
-- after each row and stop when the answer is clear. See core/include/crossfold/stats/confidence_sequence.h.
local native = require "crossfold.native"
local options = require "crossfold.options"

local sequential = {}

-- The row after which a sequence is narrowest.
local best_at = { "number", 100, doc = "Number of trials at which the interval is narrowest." }

local proportion_options = options.declare("stats.proportion_sequence", {
  successes = { "integer!", doc = "Number of successes so far." },
  trials = { "integer!", doc = "Number of trials so far." },
  best_at = best_at,
  confidence = options.confidence,
})

-- The interval of a proportion that holds at every moment: { estimate, low, high, ... }.
function sequential.proportion_sequence(given)
  local o = options.check("stats.proportion_sequence", given, proportion_options)
  local low, high = native.stats_proportion_sequence(o.successes, o.trials, o.best_at, o.confidence)
  return { low = low, high = high, confidence = o.confidence, successes = o.successes, trials = o.trials,
    estimate = o.trials > 0 and o.successes / o.trials or nil,
    undefined = o.trials == 0 and "there are no trials" or nil }
end

local boundary_options = options.declare("stats.normal_mixture_boundary", {
  variance = { "number!", doc = "The variance of the sum so far." },
  alpha = { "number", 0.05, doc = "The probability that the sum is ever outside." },
  best_at = { "number", 100, doc = "The variance at which the boundary is narrowest." },
})

-- The boundary that the sum of sub-Gaussian differences with mean 0 never exceeds, with probability 1 - alpha.
function sequential.normal_mixture_boundary(given)
  local o = options.check("stats.normal_mixture_boundary", given, boundary_options)
  return { boundary = native.stats_normal_mixture_boundary(o.variance, o.alpha, o.best_at), variance = o.variance,
    alpha = o.alpha, best_at = o.best_at }
end

local mean_options = options.declare("stats.sequential_mean", {
  largest = { "number", 1, doc = "The largest absolute difference that is possible." },
  confidence = options.confidence,
})

-- Whether the mean of differences that came one after the other is 0: { n, mean, low, high, evidence, p, decided }.
function sequential.sequential_mean(differences, given)
  local what = "stats.sequential_mean"
  local o = options.check(what, given, mean_options)
  options.list(what .. ": the differences", differences)
  local found = native.stats_sequential_mean(differences, o.largest, o.confidence)
  found.confidence = o.confidence
  if #differences == 0 then
    found.undefined = "there are no differences"
  elseif not found.low then
    found.undefined = "no mean fits all differences: they are not independent draws of one distribution"
  end
  return found
end

return sequential
