-- What an evaluation holds, as its public methods tell it: learners, datasets and metrics in their order,
-- the rows of its summary and of its folds.
local compare = require "crossfold.compare"
local figures = require "crossfold.report.figures"
local subject = require "crossfold.plot.subject"

local contents = {}

-- The classes of a dataset, or nil for numbers and where no predictions were kept.
local function classes_of(self, dataset)
  for _, learner in ipairs(self.learners) do
    local ok, counts = pcall(self.result.confusion, self.result, learner, { dataset = dataset })
    if ok then return counts.classes end
  end
end

-- The comparison by the headline metric, or nil and why there is none.
local function compared(self)
  local ok, found = pcall(compare.new, self.result, { metric = self.metric })
  if ok then return found end
  return nil, (figures.reason(found):gsub("^compare: ", ""))
end

-- { result, summary, scores, folds, learners, datasets, metrics, metric = the headline's name, comparison or
-- refusal, classes = by dataset, failures, warnings }
function contents.of(result, metric)
  local self = { result = result, summary = result:summary(), scores = result:scores(),
    folds = result:folds(), failures = result:failures(), warnings = result:warnings() }
  self.learners = subject.distinct(self.summary, "learner")
  self.datasets = subject.distinct(self.summary, "dataset")
  self.metrics = subject.distinct(self.summary, "metric")
  self.metric = self.metrics[1]
  for _, name in ipairs(self.metrics) do
    if name == metric then self.metric = name end
  end
  self.classes = {}
  for _, dataset in ipairs(self.datasets) do self.classes[dataset] = classes_of(self, dataset) end
  self.comparison, self.refusal = compared(self)
  return self
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

return contents
