-- search_result:corrected{ confidence =, samples =, seed = }: what the setting that a search chose is worth,
-- without the optimism of the choice and without an outer loop: the bootstrap bias corrected cross-validation of
-- Tsamardinos, Greasidou and Borboudakis 2018, Machine Learning 107. In each sample of the tested rows the rule of the
-- search chooses on the rows that were drawn, and the chosen candidate is scored on the rows that were not. The mean of
-- these scores is the corrected value.
local native = require "crossfold.native"
local choice = require "crossfold.search.choice"
local metric = require "crossfold.metric"
local options = require "crossfold.options"
local splitter = require "crossfold.splitter"

local corrected = {}

-- The share of the samples that may have no score.
local most_undefined = 0.1

corrected.options = options.declare("SearchResult:corrected", {
  confidence = options.confidence,
  samples = { "integer", 1000, doc = "Number of bootstrap samples." },
  seed = options.seed,
})

local report = options.class "crossfold.CorrectedScore"

function report:__tostring() return self.sentence end

local function number(x) return native.format_number(x, 4) end

local function plural(n, one, many) return ("%d %s"):format(n, n == 1 and one or many) end

local function sentence_of(found, source)
  if not found.value then
    return ("The %s of '%s' cannot be corrected for the choice: %s."):format(found.metric, found.candidate,
      found.undefined)
  end
  local better = found.optimism > 0 and ("%s, which is optimistic by %s"):format(number(found.pooled),
    number(found.optimism)) or number(found.pooled)
  local text = ("The %s of '%s' is %s (%s %% interval %s to %s) after correction for the choice among %s; before, "
    .. "pooled over the inner folds, it was %s."):format(found.metric, found.candidate, number(found.value),
    native.format_number(100 * found.confidence), number(found.low), number(found.high),
    plural(found.candidates, "candidate", "candidates"), better)
  if found.undefined_samples > 0 then
    text = ("%s %s had no score and %s not counted."):format(text,
      plural(found.undefined_samples, "bootstrap sample", "bootstrap samples"),
      found.undefined_samples == 1 and "is" or "are")
  end
  if source.n_dropped > 0 then
    text = ("%s The search dropped %s before; the correction does not know of that."):format(text,
      plural(source.n_dropped, "other candidate", "other candidates"))
  end
  return text
end

-- Raises if the rows of `data` follow time, or the inner folds of a search do.
function corrected.check_time(search, data, what)
  local finding = data:roles().time and "the rows are in order of time"
    or splitter.follows_time(search.splitter) and ("the folds of '%s' are in the order of the rows"):format(
      tostring(search.splitter))
  if finding then
    native.fail("%s: %s, so they are not exchangeable; evaluate the search in an outer loop over time, with "
      .. "cf.evaluate", what, finding)
  end
end

-- Raises what forbids to take the tested rows, or their groups, for exchangeable.
function corrected.check_rows(source, what)
  local search, splits = source.search, source.board.splits
  local data = splits:test(1)
  corrected.check_time(search, data, what)
  if data:roles().groups then
    native.refuse_torn_groups(splits, tostring(search.splitter), "search with inner folds that keep the rows of a "
      .. "group together, as those of kfold")
  end
end

-- Draws the samples: the left-out scores, how often each candidate was chosen, and how many samples have no score.
local function draw(repeated, o)
  local scores, times, undefined = {}, {}, 0
  for b = 1, o.samples do
    local seed = native.seed(o.seed, "sample", b)
    local i = repeated:choose(seed)
    local score = i and repeated:left_out(seed, i)
    if score and math.abs(score) < math.huge then
      scores[#scores + 1] = score
      times[i] = (times[i] or 0) + 1
    else
      undefined = undefined + 1
    end
  end
  return scores, times, undefined
end

-- How often each candidate was chosen, the most frequent first.
local function chosen_list(repeated, times, n)
  local list = {}
  for i, c in ipairs(repeated.places) do
    if times[i] then
      local entry = repeated.source.entries[c]
      list[#list + 1] = { candidate = entry.candidate, params = entry.params, share = times[i] / n, place = c }
    end
  end
  table.sort(list, function(a, b)
    if a.share ~= b.share then return a.share > b.share end
    return a.place < b.place
  end)
  for _, one in ipairs(list) do one.place = nil end
  return list
end

local function add_interval(found, scores, o)
  local summary = native.summary(scores)
  local interval = native.stats_interval_of_replicates(summary.mean, scores, {},
    { method = "percentile", confidence = o.confidence, samples = o.samples, seed = o.seed })
  found.value, found.low, found.high = summary.mean, interval.low, interval.high
end

function corrected.check_confidence(o, what)
  if not (o.confidence > 0 and o.confidence < 1) then
    native.fail("%s: confidence = %s is out of range; use a number between 0 and 1", what,
      native.format_number(o.confidence))
  end
end

local function check_numbers(o, what)
  corrected.check_confidence(o, what)
  if o.samples < 20 then native.fail("%s: samples = %d is out of range; use 20 or more", what, o.samples) end
end

-- `source` of the search (see search_result.lua), and checked options.
function corrected.of(source, o)
  local what = "corrected"
  check_numbers(o, what)
  corrected.check_rows(source, what)
  local value = source.search.metrics[1]
  local repeated = choice.new(source, value)
  local scores, times, undefined = draw(repeated, o)
  local entry = source.entries[source.place]
  local found = setmetatable({
    metric = metric.name(value), candidate = entry.candidate, params = entry.params, optimistic = entry.mean,
    confidence = o.confidence, samples = o.samples, seed = o.seed, candidates = #repeated.places,
    units = repeated.n_units, draws_groups = repeated.draws_groups, undefined_samples = undefined,
  }, report)
  for i, c in ipairs(repeated.places) do
    if c == source.place then found.pooled = repeated:bag(nil, false)[i] or nil end
  end
  if undefined > most_undefined * o.samples or #scores < 2 or not found.pooled then
    found.undefined = ("%s is undefined in %d of %d bootstrap samples"):format(found.metric, undefined, o.samples)
  else
    add_interval(found, scores, o)
    found.optimism = source.direction * (found.pooled - found.value)
    found.chosen = chosen_list(repeated, times, #scores)
  end
  found.sentence = sentence_of(found, source)
  return found
end

return corrected
