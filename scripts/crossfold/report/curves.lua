-- Writes the section on curves over the thresholds of probabilities: one figure per kind and positive class, with all
-- learners in it.
local contents = require "crossfold.report.contents"
local figures = require "crossfold.report.figures"
local html = require "crossfold.report.html"

local curves = {}

-- Nobody can distinguish more lines in a figure, or more figures.
local most_learners = 12
local most_classes = 6

local open_kinds = {
  { "roc", "ROC" }, { "precision_recall", "Precision and recall" }, { "calibration", "Calibration" },
  { "reliability", "Reliability" }, { "decision", "Decision curve" },
}
local folded_kinds = { { "det", "DET" }, { "lift", "Lift" }, { "cost", "Cost curves" } }

-- Lines with intervals are fewer than others: the figure chooses from all learners, and says which.
local function without_learners(options)
  return { positive = options.positive, dataset = options.dataset }
end

local function draw_kinds(page, self, kinds, options, of)
  local out, notes, sentences, reason = {}, {}, {}, nil
  for _, kind in ipairs(kinds) do
    local text, made = figures.draw(page, kind[1], self.result,
      kind[1] == "calibration" and without_learners(options) or options, kind[2] .. of)
    if text then
      out[#out + 1] = text
      table.move(made.sentences, 1, #made.sentences, #sentences + 1, sentences)
    else
      reason = reason or made
      notes[#notes + 1] = html.paragraph(("%s: %s"):format(kind[2], made), "note")
    end
  end
  if #out == 0 then return nil, reason end
  return '<div class="grid">\n' .. table.concat(out) .. "</div>\n" .. html.list(sentences) .. table.concat(notes)
end

local function of_class(page, self, dataset, class, learners)
  local options = { learners = learners, positive = class, dataset = dataset }
  local of = (" of '%s'"):format(class) .. (#self.datasets > 1 and " on " .. dataset or "")
  local text, problem = draw_kinds(page, self, open_kinds, options, of)
  if not text then return nil, problem end
  local folded, why = draw_kinds(page, self, folded_kinds, options, of)
  return text .. html.details("DET, lift and cost curves" .. of, folded or html.paragraph(why, "note"))
end

-- The positive class is that of the data, else of two classes the second, as result:curve has it; of more each is
-- one in turn.
local function positive_classes(self, dataset)
  local classes = self.classes[dataset]
  for _, job in ipairs(self.result.jobs) do
    local given = job.dataset == dataset and job.data and job.data:roles().positive
    if given then return { given }, 0 end
  end
  if #classes == 2 then return { classes[2] }, 0 end
  return contents.first(classes, most_classes)
end

local function on_dataset(page, self, dataset, learners)
  local classes = self.classes[dataset]
  if not classes then
    return nil, "curves need a categorical target and predictions that were kept"
  end
  if self.result.plan.keep ~= "probabilities" then
    local _, problem = pcall(self.result.curve, self.result, "roc", { learner = learners[1], dataset = dataset })
    return nil, figures.reason(problem)
  end
  local positives, more = positive_classes(self, dataset)
  local out, reason = {}, nil
  for c, class in ipairs(positives) do
    local text, problem = of_class(page, self, dataset, class, learners)
    reason = reason or problem
    if text and #positives > 1 then
      text = html.details(("'%s' against the other classes"):format(class), text, c == 1)
    end
    out[#out + 1] = text
  end
  if #out == 0 then return nil, reason end
  if more > 0 then
    out[#out + 1] = html.paragraph(("%s not drawn here; cf.plot draws them."):format(
      html.count(more, "more class is", "more classes are")), "note")
  end
  return table.concat(out)
end

function curves.write(page, self)
  local learners, more = contents.first(self.order, most_learners)
  local text, reason = contents.by_dataset(page, self, function(dataset)
    return on_dataset(page, self, dataset, learners)
  end)
  if not text or more == 0 then return text, reason end
  return html.paragraph(("The first %d learners, best first by %s; %d more are left out of these figures."):format(
    #learners, self.metric, more), "note") .. text
end

return curves
