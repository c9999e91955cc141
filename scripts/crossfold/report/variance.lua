-- Writes the section on the sources of variance of each learner's score.
local figures = require "crossfold.report.figures"
local html = require "crossfold.report.html"

local variance = {}

local function ledger_table(found, i)
  local columns, rows = found:shown(i)
  local list = {}
  for c, name in ipairs(columns) do list[c] = { title = name, head = name == "source", number = name ~= "source" } end
  return html.table(found.ledgers[i].name, list, rows)
end

function variance.write(page, found)
  local text, problem = figures.draw(page, "variance", found, {}, "Sources of variance", "medium")
  local out = { html.paragraph(found:title()),
    text or html.paragraph(("No picture: %s"):format(problem), "note") }
  for i, ledger in ipairs(found.ledgers) do
    if not ledger.undefined then out[#out + 1] = ledger_table(found, i) end
  end
  for line in found:sentence():gmatch("[^\n]+") do out[#out + 1] = html.paragraph(line) end
  out[#out + 1] = html.paragraph("Components of a nested analysis of variance: the mean variance that a source adds "
    .. "when the sources before it are given, with interactions in the later source. The intervals assume normal "
    .. "effects.", "note")
  local link = page:download("as CSV", "variance.csv", "text/csv;charset=utf-8", found:to { csv = true })
  if link ~= "" then out[#out + 1] = ('<p class="links">%s</p>\n'):format(link) end
  return table.concat(out)
end

return variance
