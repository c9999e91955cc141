-- Writes the section on scores by subgroup.
local figures = require "crossfold.report.figures"
local html = require "crossfold.report.html"

local subgroups = {}

local texts = { level = true, test = true, undefined = true, interval_undefined = true, p_undefined = true }

function subgroups.write(page, found)
  local columns = {}
  for i, name in ipairs(found:shown()) do
    columns[i] = { title = (name:gsub("_", " ")), key = name, number = not texts[name], head = name == "level" }
  end
  local text, problem = figures.draw(page, "subgroups", found, {}, found:title(), "medium")
  local link = page:download("as CSV", "subgroups.csv", "text/csv;charset=utf-8", found:to { csv = true })
  return '<div class="answer">' .. html.paragraph(found:sentence()) .. "</div>\n"
    .. (text or html.paragraph(("No picture: %s"):format(problem), "note"))
    .. html.table(found:title(), columns, found:rows())
    .. (link ~= "" and ('<p class="links">%s</p>\n'):format(link) or "")
end

return subgroups
