-- cf.label_issues{ data =, learner =, ... } and result:label_issues{ learner = }: rows whose label looks wrong, by
-- confident learning on out-of-fold probabilities. See docs/audit.md and confident_joint.lua.
local native = require "crossfold.native"
local confident_joint = require "crossfold.audit.confident_joint"
local execution = require "crossfold.execution"
local learner = require "crossfold.learner"
local options = require "crossfold.options"
local result_class = require "crossfold.result.class"
local copied_rows = require "crossfold.result.copied_rows"
local number_text = require "crossfold.text.number_text"
local splitter = require "crossfold.splitter"

local label_issues = {}

-- What it returns: how many labels are wrong, of which classes, and which rows look like it.
local result = result_class.new "crossfold.LabelIssues"

-- Probabilities that are right less often than they say by more than this are mentioned.
local overconfident = 0.05

-- The rows of the issues, the worst first.
local function issue_rows(values)
  local rows, classes = {}, values.classes
  for i, id in ipairs(values.rows.ids) do
    if values.marked[i] then
      local p, label = values.rows.probabilities[i], values.rows.labels[i]
      local margin, other = confident_joint.margin(p, label)
      rows[#rows + 1] = { row = id, label = classes[label], likely = classes[other], self_confidence = p[label],
        probability = p[other], margin = margin }
    end
  end
  local key = values.rank
  table.sort(rows, function(a, b) return a[key] < b[key] or a[key] == b[key] and a.row < b.row end)
  return rows
end

-- One row per class that has labels, and one per pair of a label and another class with wrong labels, largest first.
local function class_and_pair_rows(values)
  local found, by_class, pairs_ = values.found, {}, {}
  for given, class in ipairs(values.classes) do
    local n = found.counts[given]
    if n > 0 then
      local wrong = n - found.joint[given][given]
      by_class[#by_class + 1] = { class = class, rows = n, threshold = found.thresholds[given],
        confident = found.confident[given][given], wrong = wrong, share = wrong / n }
    end
    for c, likely in ipairs(values.classes) do
      if c ~= given and found.joint[given][c] > 0 then
        pairs_[#pairs_ + 1] = { label = class, likely = likely, confident = found.confident[given][c],
          wrong = found.joint[given][c], share = found.joint[given][c] / n }
      end
    end
  end
  local place = {}
  for i, row in ipairs(pairs_) do place[row] = i end
  table.sort(pairs_, function(a, b) return a.wrong > b.wrong or a.wrong == b.wrong and place[a] < place[b] end)
  return by_class, pairs_
end

-- `values` are those that label_issues.of_prediction makes.
local function new_result(values)
  local self = setmetatable({
    learner = values.learner, dataset = values.dataset, method = values.method, rank = values.rank,
    where_from = values.where_from, classes_ = values.classes, joint_ = values.found.joint, n_rows = #values.rows.ids,
    mean_confidence = values.mean_confidence, accuracy = values.accuracy,
    rows_left_out = values.data_rows and values.data_rows - #values.rows.ids or nil,
  }, result)
  self.rows_ = issue_rows(values)
  self.by_class, self.pairs_ = class_and_pair_rows(values)
  local wrong = 0.0
  for _, row in ipairs(self.by_class) do wrong = wrong + row.wrong end
  self.wrong, self.share = wrong, wrong / self.n_rows
  return self
end

-- Rows { row, label, likely, self_confidence, probability, margin }, the most suspicious first: `likely` is the most
-- probable other class, with `probability`; `margin` is self_confidence - probability.
function result:rows() return copied_rows(self.rows_) end

-- Rows { class, rows, threshold, confident, wrong, share } by class: how many of its labels are estimated to be wrong.
function result:classes() return copied_rows(self.by_class) end

-- Rows { label, likely, confident, wrong, share }, the largest first: labels that are estimated to be of another class,
-- and the share of all rows with that label.
function result:pairs() return copied_rows(self.pairs_) end

-- The calibrated joint: joint[label][class] = estimated rows, by names of classes.
function result:joint()
  local joint = {}
  for given, row in ipairs(self.joint_) do
    local named = {}
    for c, rows in ipairs(row) do named[self.classes_[c]] = rows end
    joint[self.classes_[given]] = named
  end
  return joint
end

local function count(n, one) return ("%s %s%s"):format(native.format_number(n), one, n == 1 and "" or "s") end

-- What was found, in plain words.
function result:sentence()
  local text = ("About %s of the %s of '%s' are wrong, as '%s' sees it, and %s wrong."):format(
    number_text.share(self.share), count(self.n_rows, "label"), self.dataset, self.learner,
    #self.rows_ == 0 and "no row looks" or #self.rows_ == 1 and "1 row looks" or #self.rows_ .. " rows look")
  local first = self.pairs_[1]
  if first then
    text = ("%s Most often a label '%s' should be '%s' (%s of its rows)."):format(text, first.label, first.likely,
      number_text.share(first.share))
  end
  return text
end

-- What limits the finding.
function result:notes()
  local notes = {}
  if self.mean_confidence - self.accuracy > overconfident then
    notes[#notes + 1] = ("the probabilities are too high: the most probable class has %s on average and is the label "
      .. "in %s of the rows, so compare with a learner in cf.calibration"):format(
      number_text.share(self.mean_confidence), number_text.share(self.accuracy))
  end
  if self.rows_left_out and self.rows_left_out > 0 then
    notes[#notes + 1] = ("%s not judged, because no model predicted %s"):format(
      self.rows_left_out == 1 and "1 row was" or self.rows_left_out .. " rows were",
      self.rows_left_out == 1 and "it" or "them")
  end
  notes[#notes + 1] = "rows between overlapping classes look wrong, too: look at them before you change a label"
  return notes
end

-- Seed, data and plugins that the probabilities came from, as of a result of cf.evaluate.
function result:provenance() return self.where_from end

local columns = { "row", "label", "likely", "self_confidence", "probability", "margin" }
local most_shown = 10

function result:__tostring()
  local shown = table.move(self.rows_, 1, math.min(most_shown, #self.rows_), 1, {})
  local lines = { self:sentence() }
  if #self.pairs_ > 0 then
    lines[#lines + 1] = native.table_text({ "label", "likely", "confident", "wrong", "share" },
      table.move(self.pairs_, 1, math.min(most_shown, #self.pairs_), 1, {}))
  end
  if #shown > 0 then lines[#lines + 1] = native.table_text(columns, shown) end
  if #self.rows_ > #shown then
    lines[#lines + 1] = ("(the first %d of %d rows; rows() has all)"):format(#shown, #self.rows_)
  end
  for _, note in ipairs(self:notes()) do lines[#lines + 1] = "(" .. note .. ")" end
  return table.concat(lines, "\n")
end

result_class.add_to(result, columns, function(self) return self.rows_ end)


options.methods(result, { "rows", "classes", "pairs", "joint", "sentence", "notes", "provenance", "to",
  "report" }, nil, { "to", "report" })

local method_options = {
  method = { "string", "by_noise_rate", words = confident_joint.methods,
    doc = "Which rows look wrong: the number of each pair of classes, of each class, both, or all confident rows." },
  rank = { "string", "margin", words = { "margin", "self_confidence" },
    doc = "The order of the rows: the probability of the label less that of the best other class, or alone." },
}
local of_result = options.joined(method_options, {
  learner = { "string", doc = "The learner, where there are several." },
  dataset = { "string", doc = "The dataset, where there are several." },
})
options.declare("Result:label_issues", of_result)

-- The options of result:label_issues.
function label_issues.options(given) return options.check("label_issues", given, of_result) end

local function refuse(job, finding)
  native.fail("cannot find label issues of '%s' on '%s': %s", job.learner_name, job.dataset, finding)
end

-- The mean probabilities of each row over its predictions, as repeats predict a row several times:
-- { ids =, labels = numbers of classes, probabilities = }, rows in ascending order.
local function rows_of(prediction)
  local number, sums, counts, label_of, ids = {}, {}, {}, {}, {}
  for c, class in ipairs(prediction:classes()) do number[class] = c end
  local truth, probabilities = prediction:truth(), prediction:probabilities()
  for i, id in ipairs(prediction:row_ids()) do
    if not sums[id] then
      ids[#ids + 1], sums[id], counts[id], label_of[id] = id, probabilities[i], 1, number[truth[i]]
    else
      counts[id] = counts[id] + 1
      for c, p in ipairs(probabilities[i]) do sums[id][c] = sums[id][c] + p end
    end
  end
  table.sort(ids)
  local rows = { ids = ids, labels = {}, probabilities = {} }
  for i, id in ipairs(ids) do
    if counts[id] > 1 then
      for c, sum in ipairs(sums[id]) do sums[id][c] = sum / counts[id] end
    end
    rows.labels[i], rows.probabilities[i] = label_of[id], sums[id]
  end
  return rows
end

-- The mean of the highest probabilities and the share of rows where that is the label's; raises if the
-- probabilities are only a name for labels.
local function confidence_of(rows, job)
  local sure, right, certain = 0.0, 0, 0
  for i, p in ipairs(rows.probabilities) do
    local highest = math.max(table.unpack(p))
    sure = sure + highest
    if p[rows.labels[i]] == highest then right = right + 1 end
    if highest > 1 - 1e-12 then certain = certain + 1 end
  end
  if certain == #rows.ids then
    refuse(job, "every probability is 0 or 1, which says nothing of how sure the learner is; use a learner that "
      .. "gives shares, such as random_forest, or cf.calibration")
  end
  return sure / #rows.ids, right / #rows.ids
end

-- The result of one job of an evaluation: `prediction` has all its out-of-fold predictions, `where_from` is what
-- result:provenance() gives.
function label_issues.of_prediction(prediction, job, o, where_from)
  local classes = prediction:classes()
  if not classes then refuse(job, "its target is not categorical; residuals show numbers that look wrong") end
  if not prediction:probabilities() then
    refuse(job, "its predictions are labels, and labels alone do not say how sure the learner is; evaluate a learner "
      .. "that has probabilities with keep = \"probabilities\"")
  end
  local rows, k = rows_of(prediction), #classes
  if k < 2 then refuse(job, "there is one class only") end
  local mean_confidence, accuracy = confidence_of(rows, job)
  local found = confident_joint.of(rows.labels, rows.probabilities, k)
  return new_result {
    learner = job.learner_name, dataset = job.dataset, method = o.method, rank = o.rank, classes = classes,
    data_rows = job.data and #job.data or nil, rows = rows, found = found,
    marked = confident_joint.issues(found, rows.labels, rows.probabilities, k, o.method),
    mean_confidence = mean_confidence, accuracy = accuracy, where_from = where_from,
  }
end

label_issues.own_options = options.joined(method_options, {
  learner = { "any", "random_forest", is = "learner", doc = "A learner that gives probabilities." },
  splitter = { "any", is = "splitter|splits",
    doc = "The splits; by default kfold with 5 folds, stratified as far as possible." },
})

local declared = options.declare("label_issues", execution.declare(options.joined(label_issues.own_options, {
  data = { "dataset!", doc = "The dataset." },
  seed = options.seed,
})))

-- Fits the learner on each split. Returns what result:label_issues returns.
function label_issues.new(given)
  local o = options.check("label_issues", given, declared)
  if o.data:task() ~= "classification" then
    native.fail("cannot find label issues of '%s': its target is not categorical; residuals show numbers that look "
      .. "wrong", o.data:name())
  end
  local chosen = learner.check(o.learner, "label_issues: option 'learner'")
  local evaluated = require("crossfold.evaluate").new(execution.pass_on(o, {
    data = o.data, learners = { [learner.name(chosen)] = chosen }, metrics = { "accuracy" },
    splitter = o.splitter or splitter.default_folds(o.data, 5),
    seed = o.seed, keep = "probabilities", on_error = "stop",
  }))
  return evaluated:label_issues { method = o.method, rank = o.rank }
end

return label_issues
