-- Writes the section on repeats that ended when the interval of their mean was narrow enough.
local html = require "crossfold.report.html"

local repeat_until = {}

function repeat_until.write(page, found)
  local columns, row = {}, {}
  for i, column in ipairs(found:shown()) do
    columns[i] = { title = column[1], number = column[2] ~= "undefined" }
    row[column[1]] = found[column[2]]
  end
  local link = page:download("as CSV", "repeats.csv", "text/csv;charset=utf-8", found:to { csv = true })
  return html.table(found:title(), columns, { row }) .. html.paragraph(found:sentence())
    .. (link ~= "" and ('<p class="links">%s</p>\n'):format(link) or "")
end

return repeat_until
