-- The score of every fold.
local figures = require "crossfold.report.figures"
local html = require "crossfold.report.html"

local folds = {}

-- The headline's picture is open, those of other metrics are folded away.
function folds.write(page, self)
  local out, rest, reason = {}, {}, nil
  for _, metric in ipairs(self.metrics) do
    local text, problem = figures.draw(page, "folds", self.result, { metric = metric },
      ("%s of every fold"):format(metric), "medium")
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
    out[#out + 1] = html.details(("Pictures of %s"):format(html.count(#rest, "more metric")),
      table.concat(rest))
  end
  return table.concat(out)
end

return folds
