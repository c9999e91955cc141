-- Writes the section on confusion matrices: truth against prediction, of each learner.
local contents = require "crossfold.report.contents"
local figures = require "crossfold.report.figures"
local html = require "crossfold.report.html"

local confusion = {}

local most_learners = 12

local function on_dataset(page, self, dataset, learners)
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
  local out, reason = {}, nil
  local datasets, more_datasets = contents.first(self.datasets, contents.most_datasets)
  for _, dataset in ipairs(datasets) do
    local text, problem = nil, "the target is not categorical, or no predictions were kept"
    if self.classes[dataset] then text, problem = on_dataset(page, self, dataset, learners) end
    reason = reason or problem
    if text and #self.datasets > 1 then out[#out + 1] = page:heading(dataset) end
    out[#out + 1] = text
  end
  if #out == 0 then return nil, reason end
  out[#out + 1] = contents.other_datasets(more_datasets)
  if more > 0 then
    out[#out + 1] = html.paragraph(("The first %d learners, best first by %s; result:confusion has the "
      .. "other %d."):format(#learners, self.metric, more), "note")
  end
  return table.concat(out)
end

return confusion
