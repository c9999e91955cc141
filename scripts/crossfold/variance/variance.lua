-- variance: how much of the spread of a score is due to the data, the split, the tuning and the learner's seed.
--
--   cf.variance{ data = data, learner = "decision_tree", metric = "accuracy",
--     sources = { data = 10, split = 3, seed = 2 } }
--
-- The sources are those of X. Bouthillier et al. 2021, "Accounting for variance in machine learning benchmarks",
-- MLSys. They vary one of them at a time, and find a variance at one point of the others. Here the draws are nested,
-- so that the components add up to the variance of a score by the law of total variance; see docs/variance.md.
local native = require "crossfold.native"
local evaluate = require "crossfold.evaluate"
local execution = require "crossfold.execution"
local findings = require "crossfold.stored.findings"
local metric = require "crossfold.metric"
local options = require "crossfold.options"
local planning = require "crossfold.planning"
local provenance = require "crossfold.result.provenance"
local run = require "crossfold.run"
local scored_units = require "crossfold.variance.scored_units"
local splitter = require "crossfold.splitter"
local variance_result = require "crossfold.variance.result"
local variance_units = require "crossfold.variance.units"

local variance = {}

local what = "variance"

local declared = options.declare(what, execution.declare {
  data = { "dataset", doc = "The dataset, of which samples are drawn with replacement." },
  datasets = { "table", is = "dataset[]", doc = "Independent samples of one population, instead of `data`." },
  learner = { "any", is = "learner", doc = "The learner; a search has the source \"tuning\", too." },
  learners = { "any", is = "learners", doc = "Two or more learners, which get the same samples and splits." },
  metric = { "any!", is = "metric", doc = "The metric that scores the predictions." },
  splitter = { "any", is = "splitter", doc = "What splits a sample; default a holdout of a third of its rows. The "
    .. "score of several folds is their mean." },
  sources = { "table", is = "string[]|table<\"data\"|\"split\"|\"tuning\"|\"seed\", integer>",
    doc = "The sources that vary, with the number of draws inside each draw of the source before; default all that "
      .. "the learners have, 10 of the first and 2 of each other. The rest is held fixed." },
  confidence = options.confidence,
  seed = options.seed,
})

local order = { "data", "split", "tuning", "seed" }

-- The numbers that are given for sources, by name; `true` where a list names them.
local function given_counts(sources)
  options.list(what .. ": option 'sources'", sources, true)
  local counts = {}
  for key, value in pairs(sources) do
    local name = math.type(key) == "integer" and value or key
    options.place_of(what .. ": there is no source", name, order)
    counts[name] = math.type(key) == "integer" and true or value
  end
  return counts
end

local function check_count(name, count)
  if math.type(count) == "integer" and count >= 2 then return end
  native.fail("%s: sources.%s = %s; a variance takes at least 2 draws; leave the source out to hold it fixed", what,
    name, tostring(count))
end

local function any_search(learners)
  for _, entry in ipairs(learners) do
    if native.kind(entry.learner) ~= "learner" and entry.learner.resolve then return true end
  end
  return false
end

local function default_sources(o)
  local names = { "data", "split", "seed" }
  if any_search(o.learners) then table.insert(names, 3, "tuning") end
  return names
end

-- Sets o.varied, the sources in their order with their units, and o.counts, the units by source.
local function check_sources(o)
  local given = given_counts(o.sources or default_sources(o))
  if given.tuning and not any_search(o.learners) then
    native.fail(what .. ": the source 'tuning' is the seed of a search, and no learner is one whose candidates are "
      .. "plugins; leave it out: the seed of the learner stands for all that it draws")
  end
  if o.datasets and given.data ~= nil and given.data ~= true and given.data ~= #o.datasets then
    native.fail("%s: sources.data = %s, but there are %d datasets; leave the number out", what, tostring(given.data),
      #o.datasets)
  end
  o.varied, o.counts = {}, {}
  for _, name in ipairs(order) do
    local count = given[name]
    if name == "data" and o.datasets then count = #o.datasets end
    if count == true then count = #o.varied == 0 and 10 or 2 end
    if count then
      check_count(name, count)
      o.varied[#o.varied + 1] = { source = name, units = count }
      o.counts[name] = count
    end
  end
  if #o.varied == 0 then native.fail(what .. ": option 'sources' names no source") end
end

local function check_datasets(list)
  options.list(what .. ": option 'datasets'", list)
  local known = {}
  for i, data in ipairs(list) do
    options.dataset(("%s: dataset %d"):format(what, i), data)
    if known[data:hash()] then
      native.fail("%s: datasets %d and %d are the same; give independent samples", what, known[data:hash()], i)
    end
    known[data:hash()] = i
  end
  if #list < 2 then
    native.fail(what .. ": one of the datasets is not a source of variance; give two or more, or one as 'data'")
  end
end

-- Rows in the order of time are not independent draws.
local function check_data(o)
  if (o.data == nil) == (o.datasets == nil) then native.fail(what .. ": give either 'data' or 'datasets'") end
  if o.datasets then return check_datasets(o.datasets) end
  if o.counts.data and o.data:roles().time then
    native.fail("%s: the rows of '%s' have a time, so that a sample with replacement is not like new data; leave "
      .. "'data' out of sources, or give independent series as 'datasets'", what, o.data:name())
  end
end

local function default_splitter(o)
  local data = o.data or o.datasets[1]
  return splitter.new("holdout", { stratify = splitter.stratification(data) })
end

local function check(given)
  local o = options.check(what, given, declared)
  execution.check(what, o)
  if (o.learner == nil) == (o.learners == nil) then
    native.fail(what .. ": give either 'learner' or 'learners'")
  end
  if o.datasets then check_datasets(o.datasets) end
  o.learners = evaluate.named_learners(o.learners or { o.learner }, what)
  check_sources(o)
  check_data(o)
  options.check_share(what, "confidence", o.confidence)
  o.splitter = splitter.check(o.splitter or default_splitter(o), what .. ": option 'splitter'")
  o.metrics = metric.list({ o.metric }, what .. ": option 'metric'")
  for _, data in ipairs(o.datasets or { o.data }) do
    for _, entry in ipairs(o.learners) do scored_units.check(entry.learner, o.metrics, data) end
  end
  return o
end

-- Scores and problems of a learner in the order of the draws, and the mean number of inner cells of a tuning.
local function learner_row(entry, units, first, count)
  local row = { name = entry.name, scores = {}, problems = {} }
  local cells, tunings = 0, 0
  for u = first, first + count - 1 do
    for s, score in ipairs(units[u].scores) do
      row.scores[#row.scores + 1] = score
      row.problems[#row.scores] = units[u].problems[s] or false
    end
    if units[u].tuning_cells then cells, tunings = cells + units[u].tuning_cells, tunings + 1 end
  end
  if tunings > 0 then row.cells_per_tuning = cells / tunings end
  row.is_search = native.kind(entry.learner) ~= "learner" and entry.learner.resolve ~= nil
  return row
end

-- Everything that the result and the store have of it, as a plain table.
local function facts_of(o, units, folds)
  local data = o.data or o.datasets[1]
  local facts = {
    metric = findings.metric(o.metrics[1]), data = data:name(), rows = #data,
    drawn = o.datasets and "datasets" or "bootstrap", splitter = native.short_spec(tostring(o.splitter)),
    folds = folds, sources = o.varied, held = {}, learners = {},
    confidence = o.confidence, seed = o.seed,
    where_from = { crossfold = native.version, seed = o.seed, splitter = tostring(o.splitter), learners = {},
      datasets = {} },
  }
  for _, name in ipairs(order) do
    local is_there = name ~= "tuning" or any_search(o.learners)
    if is_there and not o.counts[name] then facts.held[#facts.held + 1] = name end
  end
  facts.least, facts.most = metric.range(o.metrics[1])
  local count = #units // #o.learners
  for i, entry in ipairs(o.learners) do
    facts.learners[i] = learner_row(entry, units, (i - 1) * count + 1, count)
    facts.where_from.learners[i] = provenance.learner(entry.name, entry.learner)
  end
  for i, one in ipairs(o.datasets or { o.data }) do
    facts.where_from.datasets[i] = provenance.dataset(one:name(), one)
  end
  return facts
end

-- cf.variance{ data | datasets =, learner | learners =, metric =, sources =, ... }; see docs/variance.md.
function variance.new(given)
  local o = check(given)
  local how = run.execution(what, o)
  local units, folds = variance_units.draw(o)
  local is_all = scored_units.run(units, o.metrics, how)
  planning.needs_results()
  local facts = facts_of(o, units, folds)
  if is_all then findings.note(how, what, facts) end
  return variance_result.new(facts)
end

return variance
