-- Defines the result of cf.label_issues and result:label_issues: how many labels are wrong, of which classes, and
-- which rows look like it.
local native = require "crossfold.native"
local confident_joint = require "crossfold.audit.confident_joint"
local copied_rows = require "crossfold.result.copied_rows"
local number_text = require "crossfold.text.number_text"
local options = require "crossfold.options"
local text_output = require "crossfold.text.text_output"

local result = {}
result.__index = result
result.__name = "crossfold.LabelIssues"

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
function result.new(values)
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

local to_options = options.declare("LabelIssues:to", options.outputs { "csv", "json" })

-- result:to{ csv = path }, to{ json = path }: the rows; `true` for the path gives the text.
function result:to(given)
  return text_output.give(given, to_options, {
    csv = function() return native.table_csv(columns, self.rows_) end,
    json = function() return native.table_json(columns, self.rows_) end,
  })
end

-- result:report{ file =, title = }: one HTML file about it; without `file` its text. See docs/report.md.
function result:report(given) return require("crossfold.report.report").of(self, given) end

return options.methods(result, { "rows", "classes", "pairs", "joint", "sentence", "notes", "provenance", "to",
  "report" }, nil, { "to", "report" })
