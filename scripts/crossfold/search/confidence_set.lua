-- search_result:confidence_set{ level =, samples =, seed =, metric = }: the candidates that cannot be distinguished
-- from the best, by cross-validation with confidence (Lei 2017, arXiv 1703.07904). With probability `level` the set
-- holds the candidate with the best expected score. The tests: core/include/crossfold/stats/candidate_scores.h.
local native = require "crossfold.native"
local choice = require "crossfold.search.choice"
local corrected = require "crossfold.search.corrected"
local metric = require "crossfold.metric"
local options = require "crossfold.options"

local confidence_set = {}

confidence_set.options = options.declare("SearchResult:confidence_set", {
  level = { "number", 0.95, doc = "Probability that the set holds the best candidate." },
  samples = { "integer", 1000, doc = "Number of draws of normal multipliers." },
  seed = options.seed,
  metric = { "any", is = "metric", doc = "A metric that is a mean over rows; default the metric that decided." },
})

local set = {}
set.__index = set
set.__name = "crossfold.ConfidenceSet"

function set:__tostring() return self.sentence end

local most_named = 6

local function sentence_of(found)
  local names = {}
  for i, entry in ipairs(found.set) do
    if i <= most_named then names[i] = entry.candidate end
  end
  local more = #found.set > most_named and (", and %d more"):format(#found.set - most_named) or ""
  local level = native.format_number(100 * found.level)
  if #found.candidates == #found.set then
    return ("None of the %d candidates can be distinguished from the best by %s at level %s %%."):format(#found.set,
      found.metric, level)
  end
  if #found.set == 1 then
    local others = #found.candidates - 1
    return ("'%s' is better by %s than %s, at level %s %%."):format(names[1], found.metric,
      others == 1 and "the other candidate" or ("each of the other %d candidates"):format(others), level)
  end
  return ("%d of %d candidates cannot be distinguished from the best by %s at level %s %%: %s%s."):format(#found.set,
    #found.candidates, found.metric, level, table.concat(names, ", "), more)
end

-- The tests of all candidates with a mean: `repeated` (see choice.lua), and their results by number.
local function test(source, value, o, what, instead)
  corrected.check_rows(source, what)
  local repeated = choice.new(source, value)
  if repeated.not_a_mean then
    native.fail(("%s: '%s' has no score of each row: %s; %s"):format(what, metric.name(value), repeated.not_a_mean,
      instead))
  end
  return repeated, repeated:test { direction = metric.direction(value), level = o.level, samples = o.samples,
    seed = o.seed }
end

-- `source` of the search (see search_result.lua), and checked options.
function confidence_set.of(source, o)
  local what = "confidence_set"
  local value = o.metric ~= nil and metric.check(o.metric, what .. ": option 'metric'") or source.search.metrics[1]
  if metric.direction(value) == 0 then
    native.fail(("%s: metric '%s' has no better direction"):format(what, metric.name(value)))
  end
  if metric.needs_probabilities(value) and not source.board.has_probabilities then
    native.fail(("%s: metric '%s' needs probabilities, and the search kept labels; let it decide the search"):format(
      what, metric.name(value)))
  end
  local repeated, tests = test(source, value, o, what, "give metric = one that is a mean over rows")
  local found = setmetatable({ level = o.level, samples = o.samples, seed = o.seed, metric = metric.name(value),
    candidates = {}, set = {} }, set)
  for i, c in ipairs(repeated.places) do
    local entry, one = source.entries[c], tests[i]
    local rival = one.rival and source.entries[repeated.places[one.rival]].candidate
    found.candidates[i] = { candidate = entry.candidate, params = entry.params, mean = entry.mean, p = one.p,
      in_set = one.in_set, rival = rival, statistic = one.statistic }
    if one.in_set then found.set[#found.set + 1] = found.candidates[i] end
  end
  found.sentence = sentence_of(found)
  return found
end

-- Notes in the entries of a search whether they are in the set, for the rule that takes the simplest in it.
function confidence_set.note(source, alpha, seed)
  local repeated, tests = test(source, source.search.metrics[1], { level = 1 - alpha, samples = 1000, seed = seed },
    source.search.kind.name .. ": choose = \"simplest in the set\"", "choose by \"within_noise\"")
  for i, c in ipairs(repeated.places) do
    source.entries[c].in_set, source.entries[c].p = tests[i].in_set, tests[i].p
  end
end

return confidence_set
