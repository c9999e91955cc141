-- Writes the section on rows whose label looks wrong.
local contents = require "crossfold.report.contents"
local html = require "crossfold.report.html"

local label_issues = {}

local most_rows, most_pairs = 100, 30

function label_issues.write(page, found)
  local rows, more = contents.first(found:rows(), most_rows)
  local out = { html.paragraph(found:sentence()) }
  local pairs_ = contents.first(found:pairs(), most_pairs)
  if #pairs_ > 0 then
    out[#out + 1] = html.table("Labels that are estimated to be of another class", {
      { title = "label", head = true }, { title = "likely class", key = "likely" },
      { title = "rows", key = "wrong", number = true, decimals = 1 },
      { title = "share of the label", key = "share", number = true },
    }, pairs_, { sortable = true })
  end
  if #rows > 0 then
    out[#out + 1] = html.table("Rows whose label looks wrong, the most suspicious first", {
      { title = "row", number = true, head = true }, { title = "label" }, { title = "likely class", key = "likely" },
      { title = "probability of the label", key = "self_confidence", number = true },
      { title = "of the likely class", key = "probability", number = true }, { title = "margin", number = true },
    }, rows, { sortable = true })
  end
  if more > 0 then
    out[#out + 1] = html.paragraph(("The first %d of %d rows; the CSV file has all."):format(#rows, #rows + more),
      "note")
  end
  out[#out + 1] = html.list(found:notes(), "note")
  local link = page:download("all rows as CSV", "label_issues.csv", "text/csv;charset=utf-8", found:to { csv = true })
  if link ~= "" then out[#out + 1] = ('<p class="links">%s</p>\n'):format(link) end
  return table.concat(out)
end

return label_issues
