-- Writes the section on whether new rows look like old ones.
local contents = require "crossfold.report.contents"
local html = require "crossfold.report.html"

local adversarial_validation = {}

local most_columns, most_rows = 50, 30

function adversarial_validation.write(page, found)
  local out = { html.paragraph(found:sentence()), html.facts {
    { "old rows", tostring(found.rows_old) }, { "new rows", tostring(found.rows_new) },
    { "area under the ROC curve", html.number(found.auc) },
    { "p by permutations", html.number(found.p) }, { "fits", tostring(found.fits) },
  } }
  local columns = contents.first(found:columns(), most_columns)
  if #columns > 0 then
    out[#out + 1] = html.table("Columns alone, the one that separates old and new rows best first", {
      { title = "column", head = true }, { title = "area", key = "auc", number = true },
      { title = "mean, old", key = "mean_old", number = true },
      { title = "mean, new", key = "mean_new", number = true },
      { title = "missing, old", key = "missing_old", number = true },
      { title = "missing, new", key = "missing_new", number = true },
    }, columns, { sortable = true })
  end
  out[#out + 1] = html.details("Old rows that look most like new ones", html.table(
    "Old rows by the probability of being new, from a model that was not fitted with them",
    { { title = "row", head = true, number = true }, { title = "probability", number = true } },
    (contents.first(found:old_rows(), most_rows))))
  out[#out + 1] = html.list(found:notes(), "note")
  local link = page:download("all columns as CSV", "columns.csv", "text/csv;charset=utf-8", found:to { csv = true })
  if link ~= "" then out[#out + 1] = ('<p class="links">%s</p>\n'):format(link) end
  return table.concat(out)
end

return adversarial_validation
