-- Writes the section on a validation curve: test and training score against one parameter.
local failures = require "crossfold.report.failures"
local figures = require "crossfold.report.figures"
local html = require "crossfold.report.html"
local parameter_axis = require "crossfold.plot.parameter_axis"

local validation = {}

local columns = {
  { title = "value", head = true }, { title = "metric" }, { title = "mean", number = true },
  { title = "sd", number = true }, { title = "training mean", key = "train_mean", number = true },
  { title = "training sd", key = "train_sd", number = true }, { title = "splits", number = true },
  { title = "with a score", key = "defined", number = true },
}

-- Splits without a score, by value and reason.
local function undefined_table(rows)
  local list = {}
  for _, row in ipairs(rows) do
    if row.undefined then
      list[#list + 1] = { learner = parameter_axis.text(row.value), message = row.undefined,
        repeat_ = row.repeat_, fold = row.fold }
    end
  end
  if #list == 0 then return "" end
  return failures.table("Splits without a score", list, { "learner", "message" }, {
    { title = "value", key = "learner", head = true }, { title = "reason", key = "message", html = true },
    { title = "splits", key = "count", number = true },
    { title = "where (repeat.fold)", key = "places" },
  })
end

function validation.write(page, curve)
  local rows = curve:summary()
  for _, row in ipairs(rows) do row.value = parameter_axis.text(row.value) end
  local text, problem = figures.draw(page, "validation_curve", curve, {}, "Validation curve", "medium")
  local link = page:download("all scores as CSV", "validation-curve.csv", "text/csv;charset=utf-8",
    curve:to { csv = true })
  return (text or html.paragraph(("No picture: %s"):format(problem), "note"))
    .. html.table("Mean over the splits for each value", columns, rows) .. html.list(curve:notes(), "note")
    .. undefined_table(curve:rows())
    .. (link ~= "" and ('<p class="links">%s</p>\n'):format(link) or "")
end

return validation
