-- Computes validation curves: the performance of a learner over the values of one of its parameters, on the test
-- rows and on the training rows of the same models.
local native = require "crossfold.native"
local execution = require "crossfold.execution"
local findings = require "crossfold.stored.findings"
local fitting = require "crossfold.fitting"
local headline = require "crossfold.result.headline"
local learner = require "crossfold.learner"
local metric = require "crossfold.metric"
local options = require "crossfold.options"
local result_class = require "crossfold.result.class"
local parameters = require "crossfold.parameters"
local parameter_text = require "crossfold.text.parameter_text"
local provenance = require "crossfold.result.provenance"
local run = require "crossfold.run"
local splitter = require "crossfold.splitter"
local text_output = require "crossfold.text.text_output"

local validation_curve = result_class.new "crossfold.ValidationCurve"

local what = "validation_curve"

-- { { value =, learner = }, ... }; all values that the parameter refuses are reported at once.
local function candidates(base, parameter, values)
  options.list(what .. ": option 'values'", values)
  if #values == 0 then native.fail(what .. ": option 'values' is empty; give the values to try") end
  local list, problems, known = {}, {}, {}
  for i, value in ipairs(values) do
    local made, problem = parameters.try_with(base, { [parameter] = value })
    if not made then
      if problem ~= problems[#problems] then problems[#problems + 1] = problem end
    elseif known[tostring(made)] then
      problems[#problems + 1] = ("value %d is given twice: %s"):format(i, tostring(made))
    else
      known[tostring(made)] = true
      list[#list + 1] = { value = value, learner = made }
    end
  end
  if #problems > 0 then native.fail("%s: %s", what, table.concat(problems, "\n  ")) end
  return list
end

-- Fits on the training rows of a split and scores the same model on both parts.
local function score_both(cell, plan)
  local train, test = plan.splits:train(cell.split), plan.splits:test(cell.split)
  local model = fitting.fit(cell.candidate.learner, train,
    native.seed(plan.seed, "value", learner.definition(cell.candidate.learner), "split", cell.split))
  cell.test, cell.test_undefined = metric.score_fit(plan.metric, model:predict(test))
  if plan.train_scores then
    cell.train, cell.train_undefined = metric.score_fit(plan.metric, model:predict(train))
  end
end

-- What goes wrong in a fit is data of this cell; a cancellation is not.
local function task(cell, plan)
  return function()
    local ok, problem = pcall(score_both, cell, plan)
    if not ok then
      if problem == native.cancelled then error(problem, 0) end
      cell.test, cell.train = nil, nil
      cell.failure = tostring(problem)
    end
    native.count_cell(ok)
  end
end

-- Repeat and fold of every split.
local function places_of(splits)
  local places = {}
  for s = 1, #splits do
    local repeat_, fold = splits:place(s)
    places[s] = { repeat_ = repeat_, fold = fold }
  end
  return places
end

-- The learner is the one that was given, before its parameter is varied.
local function provenance_of(plan)
  local name = tostring(plan.learner)
  return { crossfold = native.version, splitter = tostring(plan.splitter),
    learners = { provenance.learner(name, plan.learner) },
    datasets = { provenance.dataset(plan.data:name(), plan.data) } }
end

-- Into the store of the program or of cf.parallel, if there is one.
local function note(how, plan, cells)
  local body = {
    parameter = plan.parameter, train_scores = plan.train_scores, seed = plan.seed,
    metric = findings.metric(plan.metric), places = plan.places, notes = plan.notes, values = {}, cells = {},
    provenance = provenance_of(plan),
  }
  for i, candidate in ipairs(plan.candidates) do body.values[i] = candidate.value end
  for i, cell in ipairs(cells) do
    body.cells[i] = {
      test = cell.test, train = cell.train, failure = cell.failure,
      test_undefined = cell.test_undefined, train_undefined = cell.train_undefined,
    }
  end
  findings.note(how, "validation_curve", body)
end

-- The curve of cells value by value, and of each split by split: { candidate =, split =, test =, train =,
-- test_undefined =, train_undefined =, failure = }.
function validation_curve.of_cells(plan, cells)
  return setmetatable({ plan = plan, cells = cells }, validation_curve)
end

local declared = options.declare(what, {
  data = { "dataset!", doc = "The dataset." },
  learner = { "any!", is = "learner", doc = "The learner." },
  parameter = { "string!", doc = "The parameter of the learner whose value changes." },
  values = { "table!", is = "any[]", doc = "The values of the parameter." },
  splitter = { "any!", is = "splitter", doc = "The splits, which are the same for all values." },
  metric = { "any!", is = "metric", doc = "The metric that scores the predictions." },
  train_scores = { "boolean", true, doc = "Whether the training rows are scored, too." },
  seed = options.seed,
  workers = execution.options.workers,
})

function validation_curve.new(given)
  local o = options.check(what, given, declared)
  local base = learner.check(o.learner, what .. ": option 'learner'")
  local checked = splitter.check(o.splitter, what .. ": option 'splitter'")
  local data = splitter.prepare(checked, o.data)
  local plan = {
    parameter = o.parameter, train_scores = o.train_scores, seed = o.seed,
    metric = metric.check(o.metric, what .. ": option 'metric'"), data = o.data, splitter = checked,
    learner = base, candidates = candidates(base, o.parameter, o.values),
  }
  if not metric.is_lua(plan.metric) then native.check_metric(plan.metric, data) end
  for _, candidate in ipairs(plan.candidates) do fitting.check(candidate.learner, data) end
  plan.splits = splitter.split(checked, data, native.seed(o.seed, "splits"))
  plan.notes = splitter.notes(plan.splits)
  plan.notes[#plan.notes + 1] = headline.too_small(plan.metric, plan.splits)
  local cells, tasks = {}, {}
  for _, candidate in ipairs(plan.candidates) do
    for s = 1, #plan.splits do
      local cell = { candidate = candidate, split = s }
      cells[#cells + 1] = cell
      tasks[#tasks + 1] = task(cell, plan)
    end
  end
  plan.places = places_of(plan.splits)
  local how = run.execution(what, o)
  run.parallel(tasks, how)
  note(how, plan, cells)
  return validation_curve.of_cells(plan, cells)
end

-- One row a value and split: { value, repeat_, fold, test, train, undefined, train_undefined }.
function validation_curve:rows()
  local rows = {}
  for i, cell in ipairs(self.cells) do
    local place = self.plan.places[cell.split]
    rows[i] = {
      value = cell.candidate.value, repeat_ = place.repeat_, fold = place.fold, test = cell.test,
      train = cell.train, undefined = cell.failure or cell.test_undefined,
      train_undefined = self.plan.train_scores and (cell.failure or cell.train_undefined) or nil,
    }
  end
  return rows
end

-- Seed, data and plugin that the numbers came from, as of a result of cf.evaluate, and the parameter. A
-- store of an older Crossfold has the parameter alone.
function validation_curve:provenance()
  local plan = self.plan
  local found = provenance.shown(plan.learner and provenance_of(plan) or plan.provenance or {})
  found.seed, found.parameter, found.metric = plan.seed, plan.parameter, metric.name(plan.metric)
  found.values = {}
  for i, candidate in ipairs(plan.candidates) do found.values[i] = candidate.value end
  return found
end

-- What is to be known of the splits, as result:notes.
function validation_curve:notes() return table.move(self.plan.notes, 1, #self.plan.notes, 1, {}) end

-- How many splits of one value have a score, and mean and standard deviation over them; with an infinite
-- score there are none. Another value may have its scores in other splits: `defined` tells.
local function summarise(cells, part)
  local list = {}
  for _, cell in ipairs(cells) do list[#list + 1] = cell[part] end
  for _, value in ipairs(list) do
    if value == math.huge or value == -math.huge then return #list end
  end
  local summary = native.summary(list)
  return #list, summary.mean, summary.sd
end

-- One row a value: { value, splits, defined, mean, sd, train_mean, train_sd }.
function validation_curve:summary()
  local rows, splits = {}, #self.plan.places
  for c, candidate in ipairs(self.plan.candidates) do
    local cells = table.move(self.cells, (c - 1) * splits + 1, c * splits, 1, {})
    local row = { value = candidate.value, splits = splits, metric = metric.name(self.plan.metric) }
    row.defined, row.mean, row.sd = summarise(cells, "test")
    if self.plan.train_scores then
      local _, mean, sd = summarise(cells, "train")
      row.train_mean, row.train_sd = mean, sd
    end
    rows[c] = row
  end
  return rows
end

-- Rows with the value under the parameter's own name, for tables.
local function named(rows)
  for _, row in ipairs(rows) do
    local value = row.value
    local plain = type(value) == "number" or type(value) == "boolean"
    row.parameter, row["repeat"] = plain and value or parameter_text(value), row.repeat_
  end
  return rows
end

local row_columns = { "parameter", "repeat", "fold", "test", "train", "undefined" }
local summary_columns = { "parameter", "mean", "sd", "train_mean", "train_sd" }

-- csv and json hold all rows, gnuplot the summary.
result_class.add_to(validation_curve, row_columns, function(self) return named(self:rows()) end, {
  gnuplot = function(self)
    local title = ("%s over %s"):format(metric.name(self.plan.metric), self.plan.parameter)
    return text_output.gnuplot(summary_columns, { { title = title, rows = named(self:summary()) } })
  end,
})

function validation_curve:__tostring()
  local rows, first = named(self:summary()), nil
  local notes = table.move(self.plan.notes, 1, #self.plan.notes, 1, {})
  local titles = metric.titles({ self.plan.metric }, { { data = self.plan.data } }, notes)
  for _, row in ipairs(rows) do
    row.metric = titles[1]
    row[self.plan.parameter] = math.type(row.parameter) == "float"
      and parameter_text(row.parameter) or row.parameter  -- a value of a parameter is not rounded
    row.splits = row.defined == row.splits and tostring(row.splits) or ("%d of %d"):format(row.defined, row.splits)
  end
  local columns = { self.plan.parameter, "metric", "mean", "sd", "splits" }
  if self.plan.train_scores then
    table.insert(columns, 5, "train_mean")
    table.insert(columns, 6, "train_sd")
  end
  local text = native.table_text(columns, rows)
  for _, said in ipairs(notes) do text = ("%s\n(%s)"):format(text, said) end
  local failed = 0
  for _, cell in ipairs(self.cells) do
    if cell.failure then
      failed, first = failed + 1, first or cell
    end
  end
  if failed == 0 then return text end
  return ("%s\n%d %s failed; the first: %s = %s: %s"):format(text, failed,
    failed == 1 and "fit" or "fits", self.plan.parameter, parameter_text(first.candidate.value), first.failure)
end

return options.methods(validation_curve, { "rows", "summary", "notes", "provenance", "to", "report" }, nil,
  { "to", "report" })
