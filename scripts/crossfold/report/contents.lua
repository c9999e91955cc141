-- What an evaluation holds: learners, datasets and metrics in their order, the rows of its summary and its jobs by
-- their names; and how many of them a figure has room for.
local compare = require "crossfold.compare.compare"
local figures = require "crossfold.report.figures"
local html = require "crossfold.report.html"
local metrics = require "crossfold.metric"
local subject = require "crossfold.plot.subject"

local contents = {}

-- The classes of a dataset, or nil for numbers and where no predictions were kept.
local function classes_of(self, dataset)
  for _, learner in ipairs(self.learners) do
    local job, kept = contents.job(self, learner, dataset), nil
    for _, fold in ipairs(job and job.folds or {}) do
      if fold.unkept then kept = nil break end
      kept = kept or fold.prediction
    end
    local classes = kept and kept:classes()
    if classes then return classes end
  end
end

-- The comparison by the headline metric, or nil and why there is none.
local function compared(self)
  local ok, found = pcall(compare.new, self.result, { metric = self.metric })
  if ok then return found end
  return nil, (figures.reason(found):gsub("^compare: ", ""))
end

-- Jobs of the result and rows of its summary by what they are of.
local function index(self)
  self.jobs, self.rows = {}, {}
  for _, job in ipairs(self.result.jobs) do
    self.jobs[job.dataset] = self.jobs[job.dataset] or {}
    self.jobs[job.dataset][job.learner_name] = job
  end
  for _, row in ipairs(self.summary) do
    local of = self.rows[row.dataset] or {}
    self.rows[row.dataset] = of
    of[row.learner] = of[row.learner] or {}
    of[row.learner][row.metric] = row
  end
end

-- { result, summary, learners, datasets, metrics, metric = the headline's name, titles = by
-- metric, title = the headline's, class_notes, comparison or refusal, classes = by
-- dataset, failures, warnings, n_folds = of all learners and datasets, order = of learners, best first by the
-- headline metric as the comparison ranks them, else in their order }
function contents.of(result, metric)
  local self = { result = result, summary = result:summary(), failures = result:failures(),
    warnings = result:warnings(), n_folds = 0 }
  index(self)
  self.learners = subject.distinct(self.summary, "learner")
  self.datasets = subject.distinct(self.summary, "dataset")
  self.metrics = subject.distinct(self.summary, "metric")
  self.metric = self.metrics[1]
  for _, name in ipairs(self.metrics) do
    if name == metric then self.metric = name end
  end
  local titles, class_notes = metrics.titles(result.plan.metrics, result.plan.datasets)
  self.titles, self.class_notes = {}, class_notes
  for m, name in ipairs(self.metrics) do self.titles[name] = titles[m] end
  self.title = self.titles[self.metric]
  for _, job in ipairs(result.jobs) do self.n_folds = self.n_folds + #job.folds end
  self.classes = {}
  for _, dataset in ipairs(self.datasets) do self.classes[dataset] = classes_of(self, dataset) end
  self.comparison, self.refusal = compared(self)
  self.order = self.learners
  if self.comparison then
    self.ranking, self.order = self.comparison:ranking(), {}
    for i, row in ipairs(self.ranking) do self.order[i] = row.learner end
  end
  return self
end

-- What the result has of a learner on a dataset.
function contents.job(self, learner, dataset)
  return self.jobs[dataset] and self.jobs[dataset][learner]
end

-- A row of the summary.
function contents.row(self, learner, dataset, name)
  local of = self.rows[dataset] and self.rows[dataset][learner]
  return of and of[name]
end

-- The rows of a list that have these fields.
function contents.where(rows, fields)
  local found = {}
  for _, row in ipairs(rows) do
    local fits = true
    for key, value in pairs(fields) do fits = fits and row[key] == value end
    if fits then found[#found + 1] = row end
  end
  return found
end

-- The first `n` of a list, and how many were left out.
function contents.first(list, n)
  if #list <= n then return list, 0 end
  return table.move(list, 1, n, 1, {}), #list - n
end

-- The best learners, as many as possible so that at most `most` rows with `each` marks of a learner on all
-- datasets are in a figure, and how many are left out; nil where even two are too many.
function contents.shown_learners(self, each, most)
  local n = math.max(2, most // math.max(1, each))
  if 2 * each > most and #self.learners * each > most then return nil end
  return contents.first(self.order, n)
end

-- Datasets that have curves and confusion matrices of their own.
contents.most_datasets = 10

-- The texts on_dataset(name) of these datasets, with headings; nil and the first reason where there are none.
function contents.by_dataset(page, self, on_dataset)
  local out, reason = {}, nil
  local datasets, more = contents.first(self.datasets, contents.most_datasets)
  for _, dataset in ipairs(datasets) do
    local text, problem = on_dataset(dataset)
    reason = reason or problem
    if text and #self.datasets > 1 then out[#out + 1] = page:heading(dataset) end
    out[#out + 1] = text
  end
  if #out == 0 then return nil, reason end
  if more > 0 then
    out[#out + 1] = html.paragraph(("The first %d of %d datasets; cf.plot draws those of the others."):format(
      #datasets, #self.datasets), "note")
  end
  return table.concat(out)
end

-- What a figure of learners says of those that it leaves out; "" for none.
function contents.left_out(self, more, way)
  if more == 0 then return "" end
  return html.paragraph(("The first %d of %d learners, best first by %s; %s."):format(#self.learners - more,
    #self.learners, self.title, way), "note")
end

return contents
