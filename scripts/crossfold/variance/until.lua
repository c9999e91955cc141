-- repeat_until: repeats of cross-validation until the interval of their mean is narrow enough, by a rule that stays
-- valid although it looks at the scores.
--
--   cf.repeat_until{ data = data, learner = "knn", metric = "accuracy", width = 0.01 }
--
-- The interval is that of the expected score over all partitions of this dataset, which repeats can narrow, and not
-- of the score on new rows. See until_rules.lua and docs/variance.md.
local native = require "crossfold.native"
local execution = require "crossfold.execution"
local findings = require "crossfold.stored.findings"
local learner = require "crossfold.learner"
local metric = require "crossfold.metric"
local options = require "crossfold.options"
local planning = require "crossfold.planning"
local provenance = require "crossfold.result.provenance"
local run = require "crossfold.run"
local scored_units = require "crossfold.variance.scored_units"
local splitter = require "crossfold.splitter"
local until_result = require "crossfold.variance.until_result"
local until_rules = require "crossfold.variance.until_rules"

local repeat_until = {}

local what = "repeat_until"

local declared = options.declare(what, execution.declare {
  width = { "number!", doc = "The width that the interval is to have." },
  data = { "dataset!", doc = "The dataset." },
  learner = { "any!", is = "learner", doc = "The learner." },
  metric = { "any!", is = "metric", doc = "The metric that scores the predictions." },
  splitter = { "any", is = "splitter",
    doc = "What splits the rows in each repeat; default kfold with 10 folds, stratified for classes." },
  rule = { "string", "normal", words = until_rules.names,
    doc = "What ends the repeats: \"normal\" takes their scores to be close to normal; \"bounded\" needs the range "
      .. "of the metric, and many more repeats." },
  first_repeats = { "integer", 20, doc = "Number of repeats before the first look, and of each batch of \"bounded\"." },
  max_repeats = { "integer", 500, doc = "Maximum number of repeats." },
  least = { "number", doc = "The least value of a metric that does not say its range." },
  most = { "number", doc = "The greatest value of a metric that does not say its range." },
  confidence = options.confidence,
  seed = options.seed,
})

local function check_numbers(o)
  if not (o.width > 0 and o.width < math.huge) then
    native.fail("%s: width = %s is not above 0", what, native.format_number(o.width))
  end
  options.check_share(what, "confidence", o.confidence)
  if o.first_repeats < 5 then
    native.fail("%s: first_repeats = %d is out of range; a spread takes 5 or more", what, o.first_repeats)
  end
  if o.max_repeats < o.first_repeats then
    native.fail("%s: max_repeats = %d is below first_repeats = %d", what, o.max_repeats, o.first_repeats)
  end
end

-- Sets the range of the metric, and refuses what the rule "bounded" cannot reach.
local function check_range(o)
  local least, most = metric.range(o.metrics[1])
  if o.rule ~= "bounded" then
    if o.least or o.most then native.fail("%s: 'least' and 'most' are for rule = \"bounded\"; leave them out", what) end
    o.least, o.most = least, most
    return
  end
  o.least, o.most = o.least or least, o.most or most
  if not (o.least and o.most) then
    native.fail("%s: rule 'bounded' needs the range of '%s', which has none that is known; give 'least' and 'most' if "
      .. "it has one, or use rule = \"normal\"", what, metric.name(o.metrics[1]))
  end
  if o.least >= o.most then
    native.fail("%s: least = %s is not below most = %s", what, native.format_number(o.least),
      native.format_number(o.most))
  end
  local reachable = until_rules.least_width(o, o.max_repeats)
  if reachable > o.width then
    native.fail("%s: rule 'bounded' cannot reach width %s with max_repeats = %d: even equal scores give %s; allow more "
      .. "repeats or a greater width, or use rule = \"normal\"", what, native.format_number(o.width), o.max_repeats,
      native.format_number(reachable, 4))
  end
end

local function check(given)
  local o = options.check(what, given, declared)
  execution.check(what, o)
  check_numbers(o)
  o.learner = learner.check(o.learner, what .. ": option 'learner'")
  o.metrics = metric.list({ o.metric }, what .. ": option 'metric'")
  o.splitter = splitter.check(o.splitter or splitter.default_folds(o.data, 10), what .. ": option 'splitter'")
  o.data = splitter.prepare(o.splitter, o.data)
  scored_units.check(o.learner, o.metrics, o.data)
  o.first = o.first_repeats
  check_range(o)
  return o
end

-- Repeats of one partition are one score, so there would be nothing to average.
local function check_varied(o, units)
  for r = 2, #units do
    if not units[1].splits:same_sets(units[r].splits) then return end
  end
  native.fail("%s: splitter '%s' makes the same splits for every seed, so a repeat says nothing new; evaluate once, "
    .. "with cf.evaluate", what, native.short_spec(tostring(o.splitter)))
end

-- Repeats `first` to `last`. Each has its own seeds, so that it does not matter in which batch it runs.
local function units_of(o, first, last)
  local units, name = {}, learner.name(o.learner)
  for r = first, last do
    units[#units + 1] = {
      learner = o.learner, name = name, dataset = o.data:name(),
      splits = splitter.split(o.splitter, o.data, native.seed(o.seed, "splits", r)),
      seeds = { native.seed(o.seed, "learner", r) }, tuning_seed = native.seed(o.seed, "tuning", r),
    }
  end
  return units
end

-- The scores of all repeats and the sizes of their batches, or those before the first that has none, and why. The
-- last result is whether all of it was computed, and nothing left to another shard.
local function run_repeats(o, how)
  local values, batches = {}, {}
  while true do
    local more = until_rules.more(o, values)
    if more == 0 then return values, batches, nil, true end
    local units = units_of(o, #values + 1, #values + more)
    if #values == 0 then check_varied(o, units) end
    local is_all = scored_units.run(units, o.metrics, how)
    planning.needs_results()
    batches[#batches + 1] = more
    for _, unit in ipairs(units) do
      if not unit.scores[1] then
        return values, batches, ("repeat %d has no score: %s"):format(#values + 1, unit.problems[1]), is_all
      end
      values[#values + 1] = unit.scores[1]
    end
  end
end

-- cf.repeat_until{ width =, data =, learner =, metric =, ... }: see docs/variance.md.
function repeat_until.new(given)
  local o = check(given)
  local how = run.execution(what, o)
  local values, batches, undefined, is_all = run_repeats(o, how)
  local facts = {
    metric = metric.name(o.metrics[1]), learner = learner.name(o.learner), data = o.data:name(), rows = #o.data,
    splitter = native.short_spec(tostring(o.splitter)), rule = o.rule, width = o.width, confidence = o.confidence,
    first = o.first, max_repeats = o.max_repeats, least = o.least, most = o.most, values = values, batches = batches,
    undefined = undefined, seed = o.seed,
    where_from = { crossfold = native.version, seed = o.seed, splitter = tostring(o.splitter),
      learners = { provenance.learner(learner.name(o.learner), o.learner) },
      datasets = { provenance.dataset(o.data:name(), o.data) } },
  }
  if is_all then findings.note(how, what, facts) end
  return until_result.new(facts)
end

return repeat_until
