-- Defines the result of cf.learning_curve: rows, summaries, fits.
local native = require "crossfold.native"
local bounded_mean = require "crossfold.stats.bounded_mean"
local equal_means = require "crossfold.stats.equal_means"
local headline = require "crossfold.result.headline"
local learning_curve_fit = require "crossfold.curves.learning_curve_fit"
local metric = require "crossfold.metric"
local metric_range = require "crossfold.plot.metric_range"
local options = require "crossfold.options"
local result_class = require "crossfold.result.class"
local text_output = require "crossfold.text.text_output"

local result = result_class.new "crossfold.LearningCurve"

function result.new(plan) return setmetatable({ plan = plan }, result) end

-- The result of evaluate, whose folds are trial 1 at each size, trial 2 at each size, ...
function result:evaluated() return self.plan.evaluated end

function result:failures() return self.plan.evaluated:failures() end

-- Why sizes in rows cannot be extrapolated; nil if they can. plan.groups = how many groups the rows come in, if any.
local function not_extrapolated(plan)
  return plan.groups and ("the rows come in %d groups, and a larger training set has more rows of the same groups, "
    .. "which is not what more data would be; a law would need sizes in groups"):format(plan.groups)
end

-- What is to be known of the splits, as result:notes.
function result:notes()
  local evaluated = self.plan.evaluated
  local notes, metrics = evaluated:notes(), evaluated.plan.metrics
  for m = 1, #metrics do notes[#notes + 1] = headline.too_small(metrics[m], evaluated.jobs[1].splits) end
  local reason = not_extrapolated(self.plan)
  if reason then notes[#notes + 1] = "no power law is fitted: " .. reason end
  return notes
end

-- As that of a result of cf.evaluate, with the seed that was given: the evaluation has one that is made
-- of it. A store of an older Crossfold does not have it.
function result:provenance()
  local plan, found = self.plan, self.plan.evaluated:provenance()
  found.seed = plan.seed
  found.splitter = ("%d trials of nested training sets of %s rows%s"):format(plan.trials,
    table.concat(plan.sizes, ", "), plan.fixed_test and "; test rows of their own" or "")
  return found
end

-- Trial and place of the size of a fold.
local function place(self, fold)
  local m = #self.plan.sizes
  return (fold - 1) // m + 1, (fold - 1) % m + 1
end

-- One row per learner, metric, size and trial: { learner, metric, size, trial, value, undefined }.
function result:rows()
  local rows = self.plan.evaluated:scores()
  for i, row in ipairs(rows) do
    local trial, s = place(self, row.fold)
    rows[i] = {
      learner = row.learner, metric = row.metric, size = self.plan.sizes[s], trial = trial,
      value = row.value, undefined = row.undefined,
    }
  end
  return rows
end

-- values[s][t] of every learner and metric, in order: { learner =, metric =, values = }. What is
-- undefined is nil.
local function curves(self)
  local list, known = {}, {}
  for _, row in ipairs(self.plan.evaluated:scores()) do
    local key = #row.learner .. ":" .. row.learner .. row.metric
    local entry = known[key]
    if not entry then
      entry = { learner = row.learner, metric = row.metric, values = {} }
      for s = 1, #self.plan.sizes do entry.values[s] = {} end
      known[key] = entry
      list[#list + 1] = entry
    end
    local trial, s = place(self, row.fold)
    entry.values[s][trial] = row.value
  end
  return list
end

local function defined(values, trials)
  local list = {}
  for t = 1, trials do list[#list + 1] = values[t] end
  return list
end

local function is_finite(x) return x == x and x ~= math.huge and x ~= -math.huge end

local function all_finite(list)
  for _, value in ipairs(list) do
    if not is_finite(value) then return false end
  end
  return true
end

-- Of a sorted list, which is not empty.
local function median(sorted)
  local half = #sorted // 2
  if #sorted % 2 == 1 then return sorted[half + 1] end
  if sorted[half] == sorted[half + 1] then return sorted[half] end
  return sorted[half] + (sorted[half + 1] - sorted[half]) / 2
end

-- The most frequent value of a sorted list; nil if no value occurs twice or several are equally
-- frequent.
local function mode(sorted)
  local best, most, tie, run = nil, 1, false, 0
  for i, value in ipairs(sorted) do
    run = value == sorted[i - 1] and run + 1 or 1
    if run > most then
      best, most, tie = value, run, false
    elseif run == most and run > 1 then
      tie = true
    end
  end
  return not tie and best or nil
end

-- The variance of a mean over T trials is that of one trial times this.
local function variance_factor(self, trials, correction)
  return 1 / trials + (correction == "none" and 0 or self.plan.test_to_train)
end

local function summarise(self, values, metric_name, o)
  local list = defined(values, self.plan.trials)
  local row = { trials = self.plan.trials, defined = #list }
  if #list == 0 then return row end
  local finite = all_finite(list)
  local summary = finite and native.summary(list) or {}
  row.mean, row.sd = summary.mean, summary.sd
  table.sort(list)
  row.min, row.max, row.median, row.mode = list[1], list[#list], median(list), mode(list)
  if row.sd and not equal_means.are(row.min, row.max) then  -- equal values have no spread to go by
    local half = native.student_quantile(0.5 + o.confidence / 2, #list - 1)
      * row.sd * math.sqrt(variance_factor(self, #list, o.correction))
    row.low, row.high = bounded_mean.interval(row.mean, half, metric_range.of_result(self, metric_name))
  end
  return row
end

local summary_options = options.declare("LearningCurve:summary", {
  confidence = options.confidence,
  correction = { "string", "nadeau_bengio", words = { "nadeau_bengio", "none" },
    doc = "Whether the variance is corrected for training sets that overlap." },
})

-- One row per learner, metric and size: { learner, metric, size, trials, defined, mean, median, mode, sd,
-- min, max, low, high }; low and high are the interval of the mean.
function result:summary(given)
  local o = options.check("summary", given, summary_options)
  options.check_share("summary", "confidence", o.confidence)
  local rows = {}
  for _, entry in ipairs(curves(self)) do
    for s, size in ipairs(self.plan.sizes) do
      local row = summarise(self, entry.values[s], entry.metric, o)
      row.learner, row.metric, row.size = entry.learner, entry.metric, size
      rows[#rows + 1] = row
    end
  end
  return rows
end

local function find_metric(self, name, what)
  local names = {}
  for i, value in ipairs(self.plan.metrics) do names[i] = metric.name(value) end
  local meant = name and metric.meant(names, name)
  for i, value in ipairs(self.plan.metrics) do
    if name == nil and #names == 1 or meant and names[i] == meant then return value end
  end
  if name == nil then native.fail(what .. ": there are several metrics; name one with metric = ...") end
  native.fail("%s: there is no metric '%s'; %s", what, name, native.known_names(name, names))
end

local function find_curve(self, learner, metric_name, what)
  local names = {}
  for _, entry in ipairs(curves(self)) do
    if entry.metric == metric_name then
      if entry.learner == learner then return entry end
      names[#names + 1] = entry.learner
    end
  end
  if learner == nil and #names == 1 then return find_curve(self, names[1], metric_name, what) end
  native.fail("%s: there is no learner '%s'; %s", what, tostring(learner), native.known_names(tostring(learner), names))
end

-- 1 - value if higher is better. Raises where no error comes of it.
local function error_of(what, name, direction, value)
  local err = direction > 0 and 1 - value or value
  if err < 0 then
    native.fail("%s: metric '%s' is %s somewhere, so it gives no error of 0 or more; fit another metric", what, name,
      native.format_number(value))
  end
  return err
end

-- Sizes at which every trial has a finite value, and there the errors of each trial; the other sizes.
local function errors_of(self, entry, direction, o)
  local sizes, trials, left_out = {}, {}, {}
  for t = 1, self.plan.trials do trials[t] = {} end
  for s, size in ipairs(self.plan.sizes) do
    local list = defined(entry.values[s], self.plan.trials)
    if size < o.from then
      left_out[#left_out + 1] = size
    elseif #list < self.plan.trials or not all_finite(list) then
      left_out[#left_out + 1] = size
    else
      sizes[#sizes + 1] = size
      for t, value in ipairs(list) do
        trials[t][#sizes] = error_of("fit", entry.metric, direction, value)
      end
    end
  end
  return sizes, trials, left_out
end

local function means_of(sizes, trials)
  local means = {}
  for s in ipairs(sizes) do
    local list = {}
    for t, trial in ipairs(trials) do list[t] = trial[s] end
    means[s] = native.summary(list).mean
  end
  return means
end

local fit_options = options.declare("LearningCurve:fit", options.joined(summary_options, {
  metric = { "string", doc = "The metric; default the first one." },
  weights = { "string", "equal", words = { "equal", "inverse_variance", "rank", "size" },
    doc = "The weight of each size in the fit." },
  from = { "number", 0, doc = "Smaller sizes are left out." },
}))

-- From this many trials on, their spread says more about the noise than the scatter of a few points.
local fewest_trials = 3

-- The power law of one learner's curve.
function result:fit(learner, given)
  local o = options.check("fit", given, fit_options)
  options.check_share("fit", "confidence", o.confidence)
  local chosen = find_metric(self, o.metric, "fit")
  local name, direction = metric.name(chosen), metric.direction(chosen)
  if direction == 0 then
    native.fail("fit: metric '%s' has no better and no worse, so its curve is not an error curve", name)
  end
  local entry = find_curve(self, learner, name, "fit")
  local sizes, trials, left_out = errors_of(self, entry, direction, o)
  local plan = {
    learner = entry.learner, metric = name, higher = direction > 0, confidence = o.confidence,
    sizes = sizes, left_out = left_out, trials = self.plan.trials,
    interval = self.plan.trials >= fewest_trials and "trials" or "points",
  }
  plan.least, plan.most = metric_range.of_result(self, name)
  if o.weights == "inverse_variance" and plan.interval == "points" then
    native.fail("fit: weights = 'inverse_variance' are taken from the spread of %d trials or more, there are %d; draw "
      .. "more trials or choose equal, rank or size", fewest_trials, self.plan.trials)
  end
  plan.undefined = not_extrapolated(self.plan)
  if plan.undefined then return learning_curve_fit.new(nil, plan) end
  if #sizes == 0 then
    plan.undefined = "a power law needs 4 or more sizes, there are 0"
    return learning_curve_fit.new(nil, plan)
  end
  local law
  if plan.interval == "trials" then
    law = native.power_law_of_trials(sizes, trials, o.weights, o.correction == "none" and 0 or self.plan.test_to_train)
  else
    law = native.power_law(sizes, means_of(sizes, trials), o.weights)
  end
  return learning_curve_fit.new(law, plan)
end

local crossing_options = options.joined(fit_options, {
  from = { "number", doc = "The smallest number of rows; default the smallest size." },
  to = { "number", doc = "The largest number of rows; default ten times the largest size." },
})
for _, name in ipairs { "weights", "confidence", "correction" } do  -- left to the fit
  crossing_options[name] = options.joined(crossing_options[name])
  crossing_options[name][2] = nil
end
options.declare("LearningCurve:crossing", crossing_options)

-- Where the curves of two learners cross. By default between the smallest size and ten times the
-- largest one.
function result:crossing(first, second, given)
  local sizes = self.plan.sizes
  local o = options.check("crossing", given, crossing_options)
  o.from, o.to = o.from or sizes[1], o.to or 10 * sizes[#sizes]
  if first == second then native.fail("crossing: '%s' is named twice; name two learners", tostring(first)) end
  if not (o.from > 0 and o.to > o.from) then
    native.fail("crossing: %s to %s rows is not a range; use 0 < from < to", native.format_number(o.from),
      native.format_number(o.to))
  end
  local of_fit = {
    metric = o.metric, weights = o.weights, confidence = o.confidence, correction = o.correction,
  }
  return self:fit(first, of_fit):crossing(self:fit(second, of_fit), o.from, o.to)
end

local row_columns = { "learner", "metric", "size", "trial", "value", "undefined" }
local plot_columns = { "size", "mean", "low", "high", "median", "min", "max" }

local function gnuplot(self)
  local blocks = {}
  for _, row in ipairs(self:summary()) do
    local title = ("%s, %s"):format(row.learner, row.metric)
    local last = blocks[#blocks]
    if not last or last.title ~= title then
      last = { title = title, rows = {} }
      blocks[#blocks + 1] = last
    end
    last.rows[#last.rows + 1] = row
  end
  return text_output.gnuplot(plot_columns, blocks)
end

-- csv and json hold all rows, gnuplot the summary.
result_class.add_to(result, row_columns, result.rows, { gnuplot = gnuplot })

local columns = { "learner", "metric", "size", "mean", "median", "mode", "sd", "low", "high", "trials" }

function result:__tostring()
  local rows, plan, titles = self:summary(), self.plan.evaluated.plan, {}
  local of_plan, notes = metric.titles(plan.metrics, plan.datasets, self:notes())
  for m, title in ipairs(of_plan) do titles[metric.name(plan.metrics[m])] = title end
  for _, row in ipairs(rows) do
    row.metric = titles[row.metric]
    row.trials = row.defined == row.trials and tostring(row.trials) or ("%d of %d"):format(row.defined, row.trials)
  end
  local text, failures = native.table_text(columns, rows), self:failures()
  for _, note in ipairs(notes) do text = ("%s\n(%s)"):format(text, note) end
  if #failures == 0 then return text end
  local trial, s = place(self, failures[1].fold)
  return ("%s\n%d cells failed; the first: %s, trial %d, %d rows, at %s: %s"):format(text, #failures,
    failures[1].learner, trial, self.plan.sizes[s], failures[1].stage, failures[1].message)
end

return options.methods(result, { "evaluated", "failures", "notes", "provenance", "rows", "summary", "fit", "crossing",
  "to", "report" }, nil, { "summary", "fit", "crossing", "to", "report" })
