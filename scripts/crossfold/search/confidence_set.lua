-- search_result:confidence_set{ confidence =, samples =, seed =, metric = }: the candidates that cannot be
-- distinguished from the best, by cross-validation with confidence (Lei 2017, arXiv 1703.07904). With probability
-- `confidence` the set holds the candidate with the best expected score. The tests:
-- core/include/crossfold/stats/candidate_scores.h.
local native = require "crossfold.native"
local choice = require "crossfold.search.choice"
local corrected = require "crossfold.search.corrected"
local metric = require "crossfold.metric"
local options = require "crossfold.options"
local selection = require "crossfold.search.selection"

local confidence_set = {}

local default_samples = 1000

confidence_set.options = options.declare("SearchResult:confidence_set", {
  confidence = options.confidence,
  samples = { "integer", doc = "Number of draws of normal multipliers; default 1000, or more if the confidence needs "
    .. "more." },
  seed = options.seed,
  metric = { "any", is = "metric", doc = "A metric that is a mean over rows; default the metric that decided." },
})

local set = options.class "crossfold.ConfidenceSet"

function set:__tostring() return self.sentence end

local most_named = 6

local function sentence_of(found)
  local names = {}
  for i, entry in ipairs(found.set) do
    if i <= most_named then names[i] = entry.candidate end
  end
  local more = #found.set > most_named and (", and %d more"):format(#found.set - most_named) or ""
  local level = native.format_number(100 * found.confidence)
  if #found.candidates == 1 then return ("There is one candidate, '%s'."):format(names[1]) end
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

local function fail_for_metric(what, value, reason, instead)
  native.fail("%s: '%s' has no score of each row: %s; %s", what, metric.name(value), reason, instead)
end

-- The tests of all candidates with a mean: `repeated` (see choice.lua), and their results by number.
local function test(source, value, o, what, instead)
  corrected.check_rows(source, what)
  local repeated = choice.new(source, value)
  if repeated.not_a_mean then fail_for_metric(what, value, repeated.not_a_mean, instead) end
  return repeated, repeated:test { direction = metric.direction(value), level = o.confidence, samples = o.samples,
    seed = o.seed }
end

-- The number of draws, which must be able to reject a candidate.
local function samples_of(o, what)
  corrected.check_confidence(o, what)
  if o.samples == nil then return choice.multipliers(default_samples, o.confidence) end
  local least = native.least_set_samples(o.confidence)
  if o.samples < least then
    native.fail("%s: samples = %d is too few to reject a candidate at confidence = %s; use %d or more", what, o.samples,
      native.format_number(o.confidence), least)
  end
  return o.samples
end

-- `source` of the search (see search_result.lua), and checked options.
function confidence_set.of(source, o)
  local what = "confidence_set"
  local value = o.metric ~= nil and metric.check(o.metric, what .. ": option 'metric'") or source.search.metrics[1]
  if metric.direction(value) == 0 then
    native.fail("%s: metric '%s' has no better direction", what, metric.name(value))
  end
  if metric.needs_probabilities(value) and not source.board.has_probabilities then
    native.fail("%s: metric '%s' needs probabilities, and the search kept labels; let it decide the search", what,
      metric.name(value))
  end
  o.samples = samples_of(o, what)
  local repeated, tests = test(source, value, o, what, "give metric = one that is a mean over rows")
  local found = setmetatable({ confidence = o.confidence, samples = o.samples, seed = o.seed,
    metric = metric.name(value), candidates = {}, set = {} }, set)
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

local function name_of_rule(search) return search.kind.name .. ": choose = \"simplest in the set\"" end

local other_rule = "choose by \"within_noise\""

-- A prediction for all rows of `data`, right in some rows and wrong in others: every other row has the answer of the
-- next one. Nil if its task has none.
local function made_prediction(data, with_probabilities)
  local truth, answers = data:target(), {}
  for i, y in ipairs(truth) do answers[i] = i % 2 == 0 and y or truth[i % #truth + 1] end
  if data:task() == "regression" then return native.prediction(data, { values = answers }) end
  if data:task() ~= "classification" then return nil end
  if not with_probabilities then return native.prediction(data, { labels = answers }) end
  local rows, classes = {}, data:classes()
  for i, label in ipairs(answers) do
    rows[i] = {}
    for k, class in ipairs(classes) do rows[i][k] = (class == label and 0.5 or 0) + 0.5 / #classes end
  end
  return native.prediction(data, { probabilities = rows })
end

-- Raises if the metric of a search has no score of each row, as far as a made prediction shows it.
local function check_metric(search, data)
  local value = search.metrics[1]
  local ok, reason, is_composed = native.attempt(function()
    local prediction = made_prediction(data, metric.needs_probabilities(value))
    if prediction then return select(2, metric.row_scores(value, prediction)) end
  end)
  if ok and is_composed == true then
    fail_for_metric(name_of_rule(search), value, reason, other_rule)
  end
end

local of_one_row = { ["crossfold.leave_one_out"] = "row", ["crossfold.leave_one_group_out"] = "group" }

-- Raises what would forbid the rule of a search on rows of `data`, before anything is fitted, if it goes by the set.
function confidence_set.check_rule(search, data)
  if not selection.needs_set(search.rule) then return end
  local what = name_of_rule(search)
  corrected.check_time(search, data, what)
  local one = native.kind(search.splitter) == "splitter" and of_one_row[search.splitter:id()]
  if one then
    native.fail("%s: every fold of '%s' has one %s, which has no deviation from its mean; use folds of two %ss or more",
      what, tostring(search.splitter), one, one)
  end
  check_metric(search, data)
end

-- Notes in the entries of a search whether they are in the set, for the rule that takes the simplest in it.
function confidence_set.note(source, alpha, seed)
  local o = { confidence = 1 - alpha, samples = choice.multipliers(default_samples, 1 - alpha), seed = seed }
  local repeated, tests = test(source, source.search.metrics[1], o, name_of_rule(source.search), other_rule)
  for i, c in ipairs(repeated.places) do
    source.entries[c].in_set, source.entries[c].p = tests[i].in_set, tests[i].p
  end
end

return confidence_set
