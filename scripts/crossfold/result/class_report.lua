-- Computes precision, recall and F1 of each class against the others, and their means over the classes.
local confusion = require "crossfold.result.confusion"
local metric = require "crossfold.metric"
local native = require "crossfold.native"
local options = require "crossfold.options"

local class_report = {}

local report = { __name = "crossfold.ClassReport" }

local metrics = { "precision", "recall", "f1" }

-- One line of the report: the metrics with these parameters.
local function scored(prediction, line, params)
  line.undefined = {}
  for _, name in ipairs(metrics) do
    line[name], line.undefined[name] = metric.score(metric.new(name, params), prediction)
  end
  return line
end

-- Of one prediction: { rows = { { class, precision, recall, f1, support, undefined }, ... }, macro = {...},
-- weighted = {...} }. `support` counts the rows of the class, `undefined` maps the name of a metric
-- without a value to the reason; a mean over the classes is undefined if one of them is.
function class_report.of(prediction)
  local counts = native.confusion(prediction)
  if not counts then native.fail("class_report: the target is not categorical") end
  local rows, total = {}, 0
  for c, class in ipairs(prediction:classes()) do
    local support = 0
    for _, count in ipairs(counts[c]) do support = support + count end
    rows[c] = scored(prediction, { class = class, support = support }, { positive = class })
    total = total + support
  end
  return setmetatable({
    rows = rows, macro = scored(prediction, { support = total }, { average = "macro" }),
    weighted = scored(prediction, { support = total }, { average = "weighted" }),
  }, report)
end

function report:__tostring()
  local rows, count, first = table.move(self.rows, 1, #self.rows, 1, {}), 0, nil
  for _, name in ipairs { "macro", "weighted" } do
    rows[#rows + 1] = options.joined({ class = name .. " average" }, self[name])
  end
  for _, row in ipairs(rows) do
    for _, name in ipairs(metrics) do
      local reason = row.undefined[name]
      if reason then
        count, first = count + 1, first or ("%s, %s: %s"):format(row.class, name, reason)
      end
    end
  end
  local text = native.table_text({ "class", "precision", "recall", "f1", "support" }, rows) .. confusion.left_out(self)
  if count == 0 then return text end
  return ("%s\n%d %s undefined; the first: %s"):format(text, count, count == 1 and "figure is" or "figures are", first)
end

return class_report
