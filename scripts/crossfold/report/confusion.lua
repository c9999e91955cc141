-- Writes the section on confusion matrices: truth against prediction, of each learner.
local contents = require "crossfold.report.contents"
local figures = require "crossfold.report.figures"
local html = require "crossfold.report.html"

local confusion = {}

local most_learners = 12

local function on_dataset(page, self, dataset, learners)
  if not self.classes[dataset] then return nil, "the target is not categorical, or no predictions were kept" end
  local out, reason = {}, nil
  for _, learner in ipairs(learners) do
    local of = #self.datasets > 1 and (" on " .. dataset) or ""
    local text, problem = figures.draw(page, "confusion", self.result,
      { learner = learner, dataset = dataset }, ("Confusion of '%s'%s"):format(learner, of), "small")
    reason = reason or problem
    out[#out + 1] = text
  end
  if #out == 0 then return nil, reason end
  return '<div class="grid small">\n' .. table.concat(out) .. "</div>\n"
end

function confusion.write(page, self)
  local learners, more = contents.first(self.order, most_learners)
  local text, reason = contents.by_dataset(page, self, function(dataset)
    return on_dataset(page, self, dataset, learners)
  end)
  if not text or more == 0 then return text, reason end
  return text .. html.paragraph(("The first %d learners, best first by %s; result:confusion has the other %d."):format(
    #learners, self.metric, more), "note")
end

return confusion
