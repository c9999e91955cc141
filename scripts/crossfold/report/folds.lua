-- Writes the section on the score of every fold.
local contents = require "crossfold.report.contents"
local figures = require "crossfold.report.figures"
local html = require "crossfold.report.html"

local folds = {}

-- Nobody can distinguish more in a figure.
local most_dots = 5000

-- The headline's picture is open, those of other metrics are folded away.
function folds.write(page, self)
  local out, rest, reason = {}, {}, nil
  local each = self.n_folds // math.max(1, #self.learners)
  local learners, more = contents.shown_learners(self, each, most_dots)
  if not learners then
    return nil, ("each learner has %d folds, too many for a figure; cf.plot.folds draws one dataset"):format(each)
  end
  for _, metric in ipairs(self.metrics) do
    local text, problem = figures.draw(page, "folds", self.result,
      { metric = metric, learners = more > 0 and learners or nil }, ("%s of every fold"):format(metric), "medium")
    if text then
      local list = metric == self.metric and out or rest
      list[#list + 1] = text
    elseif metric == self.metric then
      reason = problem
    end
  end
  if #out + #rest == 0 then return nil, reason end
  if reason then out[#out + 1] = html.paragraph(("No picture of %s: %s"):format(self.metric, reason), "note") end
  if #rest > 0 then
    out[#out + 1] = html.details(("Pictures of %s"):format(html.count(#rest, "more metric")), table.concat(rest))
  end
  return contents.left_out(self, more, "cf.plot.folds draws the others") .. table.concat(out)
end

return folds
