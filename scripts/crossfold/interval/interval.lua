-- interval: how sure one score of a result is.
--
--   result:interval{ metric = "accuracy", method = "nested" }
--
-- A method is a table: `name`; `covers`, what its intervals are for; `needs_rows`, whether it takes scores of single
-- rows; refusal(design, composed) and refusal_of_options(design, options) give why it is not valid, and the valid way,
-- where composed() says whether the metric is known to be no mean over rows; compute(c) gives { mean, se, critical, n,
-- unit, ... }, or nil and why there is none in these scores, with `bounds` if it has limits of its own, and `corrected`
-- if the mean was cut to a bound; subject(c, found) says what the score is of, and caution(c, found) what goes wrong. A
-- method that `fits` has prepare(c), which gives the splits that it needs and their seed, and finds the predictions in
-- c.predictions. interval_rule says which is the default, and what was measured. See docs/intervals.md.
local native = require "crossfold.native"
local clipped = require "crossfold.result.clipped"
local clt = require "crossfold.interval.clt"
local conservative_z = require "crossfold.interval.conservative_z"
local corrected_t = require "crossfold.interval.corrected_t"
local execution = require "crossfold.execution"
local interval_fits = require "crossfold.interval.fits"
local interval_limits = require "crossfold.interval.limits"
local interval_rows = require "crossfold.interval.rows"
local interval_rule = require "crossfold.interval.rule"
local interval_text = require "crossfold.interval.text"
local metric = require "crossfold.metric"
local nested = require "crossfold.interval.nested"
local options = require "crossfold.options"
local splitters = require "crossfold.splitter"

local interval = {}

-- What result:interval returns: the list of its rows, which can be printed.
local interval_list = { __name = "crossfold.Intervals" }

local function several(rows, key)
  for _, row in ipairs(rows) do
    if row[key] ~= rows[1][key] then return true end
  end
  return false
end

local function has(rows, key)
  for _, row in ipairs(rows) do
    if row[key] ~= nil then return true end
  end
  return false
end

-- The columns that people read.
local function shown_columns(rows)
  local columns = { "learner", "metric" }
  if several(rows, "dataset") then table.insert(columns, 1, "dataset") end
  for _, name in ipairs { "method", "mean", "low", "high", "se", "n", "unit" } do
    if has(rows, name) then columns[#columns + 1] = name end
  end
  return columns
end

function interval_list:__tostring()
  local sentences = {}
  for i, row in ipairs(self) do sentences[i] = row.sentence end
  return native.table_text(shown_columns(self), self) .. "\n\n" .. table.concat(sentences, "\n")
end

local function id_of(splitter)
  return native.kind(splitter) == "splitter" and splitter:id() or nil
end

-- Whether a splitter gives each test set the shares of the classes.
local function stratifies(splitter)
  local value = id_of(splitter) and splitter:params().stratify
  return value ~= nil and value ~= native.null and value ~= false and value ~= "false"
end

-- Whether rows are put into folds at random: a splitter that can shuffle does, unless it is said otherwise.
local function shuffles(splitter) return splitter:params().shuffle ~= false end

-- "10 folds", "3 times 10 folds".
local function folds_text(d)
  return d.repeats == 1 and ("%d folds"):format(d.folds) or ("%d times %d folds"):format(d.repeats, d.folds)
end

local function of_partition(d, facts)
  d.repeats, d.folds = facts.repeats, facts.folds
  d.kind, d.text = "folds", folds_text(d)
  if facts.folds == facts.rows then d.kind, d.text = "leave_one_out", "leave-one-out" end
end

-- By the splitter that made them.
local function name_kind(d, splitter, id)
  local in_time = splitters.follows_time(splitter)
  if in_time then
    d.kind, d.text = "time", ("the splits of %s"):format(tostring(splitter))
  elseif id == "crossfold.leave_p_out" then
    d.kind, d.text = "all_subsets", ("%d sets of rows that overlap"):format(d.size)
  elseif id == "crossfold.bootstrap" then
    d.kind, d.text = "bootstrap", ("%d bootstrap samples"):format(d.size)
  elseif id == "crossfold.holdout" and d.size > 1 then
    d.kind, d.text = "random_splits", ("%d random splits"):format(d.size)
  end
  local random = id == "crossfold.kfold" or id == "crossfold.holdout" or id == "crossfold.bootstrap"
  d.own = not (random and shuffles(splitter) or id == "crossfold.leave_one_out"
    or id == "crossfold.leave_p_out" or id == "crossfold.leave_one_group_out" or in_time)
end

local function tears_groups(splits)
  return not pcall(native.refuse_torn_groups, splits, "splits", "")
end

-- { kind, text, size = number of splits, rows, repeats and folds of folds, own = whether nobody knows that they were
-- made at random, groups, time, weights = columns of the data, torn = whether a group is on both sides of a split,
-- stratified }.
-- `kind` is one of one_split, folds, leave_one_out, random_splits, bootstrap, all_subsets, time, lists (other splits
-- that may overlap), unknown (a store has no splits).
local function design_of(job, splitter)
  if not job.splits then
    return { kind = "unknown", size = #job.folds, own = true,
      text = job.refusal or "the store does not have the splits" }
  end
  local facts, roles = job.splits:design(), job.data and job.data:roles() or {}
  local d = { kind = "lists", size = facts.size, rows = facts.rows, text = ("%d splits"):format(facts.size),
    groups = roles.groups, time = roles.time, weights = roles.weights, stratified = stratifies(splitter),
    units = facts.units }
  if facts.size == 1 then
    d.kind, d.text = "one_split", "one split"
  elseif facts.kind == "partition" then
    of_partition(d, facts)
  end
  name_kind(d, splitter, id_of(splitter))
  d.torn = d.groups ~= nil and tears_groups(job.splits)
  return d
end

local methods = { clt, nested, corrected_t, conservative_z }
local by_name, names = {}, {}
for i, method in ipairs(methods) do by_name[method.name], names[i] = method, method.name end

local declared = options.declare("Result:interval", execution.declare {
  metric = { "string", doc = "The metric; default all." },
  method = { "string", words = names,
    doc = "How the interval is made; default by the splits and the metric, see docs/intervals.md." },
  confidence = options.confidence,
  learner = { "string", doc = "The learner; default all." },
  dataset = { "string", doc = "The dataset; default all." },
  variance = { "string", "out", words = { "out", "within" },
    doc = "The variance of \"clt\": of all rows, or of the rows within each fold." },
  bias = { "string", "mlr3inferr", words = nested.biases,
    doc = "The factor of the bias that \"nested\" takes off, by the program that has it." },
  pairs = { "integer", conservative_z.least_pairs,
    doc = "How many times \"conservative_z\" divides the rows into halves, 10 or more." },
  bounds = { "string", "score", words = interval_limits.names,
    doc = "How the interval keeps to the bounds of the metric: \"score\" as Wilson's does, \"wald\" is symmetric and "
      .. "cut, as \"nested\" always is." },
})

-- Why no method here is valid for a design and the way out, or nil.
local function refusal_of_all(d)
  if d.kind == "unknown" then return d.text, "give cf.evaluate the same splits again" end
  if d.kind == "time" or d.time then
    return "rows in the order of time depend on each other, so neither rows nor splits are a sample",
      "look at the scores of the test blocks one by one (result:scores())"
  end
end

-- The scores of the rows of a job by the metric, made once; or nil, why there are none, and whether it is that the
-- metric is not a mean over rows.
local function rows_of(c)
  if not c.asked then
    c.asked = true
    c.rows, c.no_rows, c.composed = interval_rows.of_job(c.job, c.metric)
  end
  return c.rows, c.no_rows, c.composed
end

-- Whether the metric is known not to be a mean over rows.
local function is_composed(c)
  if c.in_haste then return false end
  local _, _, composed = rows_of(c)
  return composed or false
end

-- Why `method` is not valid for what is asked, and the way out; nil if it is.
local function refusal(method, c)
  local finding, way = refusal_of_all(c.design)
  if not finding then finding, way = method.refusal(c.design, function() return is_composed(c) end) end
  if not finding and method.refusal_of_options then finding, way = method.refusal_of_options(c.design, c.options) end
  if not finding and method.fits then finding, way = interval_fits.refusal(c.job, c.result.plan) end
  if finding or not method.needs_rows then return finding, way end
  local rows, _, composed = rows_of(c)
  if rows or not composed then return nil end
  return ("'%s' is not a mean over rows"):format(c.metric_name), c.design.size > 1
    and "use method = \"corrected_t\"" or "use several splits, and method = \"corrected_t\""
end

-- The scores of the rows that the default and the width of "corrected_t" look at, or nil and why there are none: not of
-- groups, and not where it takes long.
local function cheap_rows(c)
  if c.design.groups then return nil end
  if c.in_haste then return nil, "more than 200000 rows, or a metric in Lua, are not scored here" end
  return rows_of(c)
end

-- The rule of docs/intervals.md: the method for a design and a metric, or nil, the reason, and the way out.
local function default_method(c)
  local d = c.design
  local finding, way = refusal_of_all(d)
  if not finding then finding, way = interval_rule.refusal(c) end
  if finding then return nil, finding, way end
  local rows, no_rows = cheap_rows(c)
  local method = d.kind == "one_split" and rows and clt or corrected_t
  finding, way = refusal(method, c)
  if finding and c.no_rows then
    finding = ("%s, and %s"):format(c.composed and ("'%s' is not a mean over rows"):format(c.metric_name) or c.no_rows,
      finding)
  elseif not finding and not d.groups then
    finding, way = interval_rule.too_little(c, rows, no_rows)
  end
  return not finding and method or nil, finding, way
end

-- What a method finds and a row has.
local found_fields = { "mean", "se", "n", "unit", "variance", "bias", "inflation", "fits", "corrected" }

-- What is to be said against an interval.
local function cautions(method, c, found)
  local own, measured = method.caution and method.caution(c, found), interval_rule.caution(method.name, c, found)
  return own and measured and ("%s; %s"):format(own, measured) or own or measured
end

-- Fills a row with the interval, and returns it and what the score is of; or with the reason why there is none.
local function settle(row, c, method)
  row.method = method.name
  local found, reason, way = nil, interval_rule.clipping(c, true)
  if reason then
    reason = ("%s; %s"):format(reason, way)
  elseif method.needs_rows and not rows_of(c) then
    reason = c.no_rows
  elseif c.problem then
    reason = c.problem
  else
    found, reason = method.compute(c)
  end
  if not found then
    row.undefined = reason
    return row
  end
  for _, key in ipairs(found_fields) do row[key] = found[key] end
  row.low, row.high = interval_limits.of(found.mean, found.se, found.critical, found.of_rows or found.n, c.range,
    found.bounds or c.options.bounds)
  if not row.low then row.undefined = ("all %d %s have the same score"):format(found.n, found.unit) end
  row.covers = method.covers
  row.caution = row.low and cautions(method, c, found) or nil
  return row, method.subject(c, found)
end

local function new_row(c)
  return { learner = c.job.learner_name, dataset = c.job.dataset, metric = c.metric_name,
    confidence = c.options.confidence, design = c.design.text }
end

-- Raises unless the method that is asked for is valid.
local function check_method(c)
  local method = by_name[c.options.method]
  local finding, way = refusal(method, c)
  if not finding then return method end
  native.fail("interval: method = '%s' is not valid for '%s' on '%s': %s; %s", method.name, c.job.learner_name,
    c.job.dataset, finding, way)
end

-- The row of one job and metric by a method, or by the default one.
local function row_of(c, method)
  local row, finding, way, subject = new_row(c), nil, nil, nil
  if not method then method, finding, way = default_method(c) end
  if method then
    row, subject = settle(row, c, method)
  else
    row.undefined = ("%s; %s"):format(finding, way)
  end
  row.sentence = interval_text.sentence(row, subject)
  return row
end

-- Fits what a method needs, once for all metrics of a job.
local function fit(contexts, method, o)
  local wanted, seen = {}, {}
  for _, c in ipairs(contexts) do
    if not seen[c.job] and (not method.needs_rows or rows_of(c)) then
      local lists, seed = method.prepare(c)
      seen[c.job] = { problem = not lists and seed or nil }
      if lists then wanted[#wanted + 1] = { job = c.job, lists = lists, seed = seed } end
    end
  end
  local found = interval_fits.run(wanted, contexts[1].result.plan, o)
  for _, c in ipairs(contexts) do
    local of_job = found[c.job] or seen[c.job] or {}
    c.predictions, c.problem = of_job.predictions, of_job.problem
  end
end

-- What a row is made of: the job, the metric and its place in the plan, the design, the range, the options.
local function context_of(result, job, place, o, designs)
  local value = result.plan.metrics[place]
  designs[job] = designs[job] or design_of(job, result.plan.splitter)
  local least, most = metric.range(value)
  return { result = result, job = job, place = place, metric = value, metric_name = metric.name(value),
    design = designs[job], cheap_rows = cheap_rows, options = o,
    range = { least = least, most = most, unit = clipped.at(value) and 1 } }
end

-- The places of the metrics that are meant.
local function places_of(result, wanted)
  local metrics, known, places = result.plan.metrics, {}, {}
  for m = 1, #metrics do known[m] = metric.name(metrics[m]) end
  local meant = wanted and metric.meant(known, wanted)
  for m = 1, #metrics do
    if wanted == nil or known[m] == meant then places[#places + 1] = m end
  end
  if #places == 0 then
    native.fail("interval: the result has no metric '%s'; %s", wanted, native.known_names(wanted, known))
  end
  return places
end

-- Raises unless a job of the result has this name.
local function check_name(result, what, key, wanted)
  if wanted == nil then return end
  local known, seen = {}, {}
  for _, job in ipairs(result.jobs) do
    local name = job[key]
    if not seen[name] then seen[name], known[#known + 1] = true, name end
  end
  options.place_of("interval: the result has no " .. what, wanted, known)
end

local function check_options(result, given)
  local o = options.check("interval", given, declared)
  options.check_confidence("interval", o.confidence)
  local least = conservative_z.least_pairs
  if o.pairs < least then
    native.fail("interval: pairs = %d is too few for a standard error; use %d or more", o.pairs, least)
  end
  check_name(result, "learner", "learner_name", o.learner)
  check_name(result, "dataset", "dataset", o.dataset)
  return o
end

-- What is asked of a result: a context per job and metric.
local function contexts_of(result, o)
  local places, list, designs = places_of(result, o.metric), {}, {}
  for _, job in ipairs(result.jobs) do
    if (o.learner or job.learner_name) == job.learner_name and (o.dataset or job.dataset) == job.dataset then
      for _, place in ipairs(places) do list[#list + 1] = context_of(result, job, place, o, designs) end
    end
  end
  return list
end

-- result:interval{ ... }
function interval.of(result, given)
  local o = check_options(result, given)
  local contexts, rows, method = contexts_of(result, o), {}, nil
  if o.method then
    for _, c in ipairs(contexts) do method = check_method(c) end
    if method and method.fits then fit(contexts, method, o) end
  end
  for i, c in ipairs(contexts) do rows[i] = row_of(c, method) end
  return setmetatable(rows, interval_list)
end

-- What print, figures and reports show costs no more than the scores of this number of rows, which take about a second
-- per million; and no calls of metrics in Lua, which may take any time.
local most_rows = 200000

-- The intervals of metric `place` of all jobs (of those with wanted(learner, dataset), if it is given) by the default
-- method, as a list in their order. Where the rows are not scored, folds have the corrected resampled t.
function interval.of_jobs(result, place, confidence, wanted)
  local o, rows, designs, n = options.check("interval", { confidence = confidence }, declared), {}, {}, 0
  for _, job in ipairs(result.jobs) do
    if not wanted or wanted(job.learner_name, job.dataset) then
      local c = context_of(result, job, place, o, designs)
      n = n + interval_rows.count(job)
      c.in_haste = n > most_rows or metric.is_lua(c.metric)
      rows[#rows + 1] = row_of(c)
    end
  end
  return rows
end

return interval
