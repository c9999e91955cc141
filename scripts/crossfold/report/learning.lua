-- Writes the section on a learning curve: scores against training rows, what the power law expects of more rows,
-- and where curves cross.
local contents = require "crossfold.report.contents"
local failures = require "crossfold.report.failures"
local figures = require "crossfold.report.figures"
local html = require "crossfold.report.html"
local subject = require "crossfold.plot.subject"

local learning = {}

local most_fits = 30

-- The law of each learner in a line, or why there is none.
local function laws(curve, learners, metric)
  local items = {}
  for _, learner in ipairs(contents.first(learners, most_fits)) do
    local ok, fit = pcall(curve.fit, curve, learner, { metric = metric })
    if ok then
      items[#items + 1] = tostring(fit) .. (fit.undefined and "" or "; " .. tostring(fit:asymptote()))
    else
      items[#items + 1] = ("%s, %s: %s"):format(learner, metric, figures.reason(fit))
    end
  end
  return html.paragraph("Power laws fitted to the curves:") .. html.list(items)
end

local function crossing(curve, learners, metric)
  if #learners ~= 2 then return "" end
  local ok, found = pcall(curve.crossing, curve, learners[1], learners[2], { metric = metric })
  return ok and not found.undefined and html.paragraph(tostring(found)) or ""
end

local columns = {
  { title = "learner", head = true }, { title = "metric" }, { title = "rows", key = "size", number = true },
  { title = "mean", number = true }, { title = "low", number = true }, { title = "high", number = true },
  { title = "sd", number = true }, { title = "median", number = true },
  { title = "trials", number = true }, { title = "with a score", key = "defined", number = true },
}

function learning.write(page, curve)
  local rows, out = curve:summary(), {}
  local learners = subject.distinct(rows, "learner")
  for _, metric in ipairs(subject.distinct(rows, "metric")) do
    local text, problem = figures.draw(page, "learning_curve", curve, { metric = metric },
      ("Learning curve by %s"):format(metric), "medium")
    out[#out + 1] = text or html.paragraph(("No picture of %s: %s"):format(metric, problem), "note")
    out[#out + 1] = laws(curve, learners, metric) .. crossing(curve, learners, metric)
  end
  out[#out + 1] = html.details("Mean of every size, with its 95 % interval",
    html.table("Scores by training rows", columns, rows, { sortable = true }))
  out[#out + 1] = html.list(curve:notes(), "note")
  local failed = curve:failures()
  if #failed > 0 then
    out[#out + 1] = failures.table("Failures", failed, { "learner", "stage", "message" }, {
      { title = "learner", head = true }, { title = "stage" }, { title = "message", html = true },
      { title = "fits", key = "count", number = true },
    })
  end
  local link = page:download("all scores as CSV", "learning-curve.csv", "text/csv;charset=utf-8",
    curve:to { csv = true })
  if link ~= "" then out[#out + 1] = ('<p class="links">%s</p>\n'):format(link) end
  return table.concat(out)
end

return learning
