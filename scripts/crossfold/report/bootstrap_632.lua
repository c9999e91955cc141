-- Writes the section on the .632 and .632+ estimates of the error of a learner.
local html = require "crossfold.report.html"

local bootstrap_632 = {}

local notes = {
  ["632+"] = "The weight of the out-of-bag error grows from 0.632 to 1 with the overfitting (Efron and "
    .. "Tibshirani 1997).",
  ["632"] = "The weight of the out-of-bag error is 0.632 (Efron 1983); with a learner that memorizes its "
    .. "training rows the estimate is too low.",
}

function bootstrap_632.write(page, found)
  local columns, row = {}, {}
  for i, column in ipairs(found:shown()) do
    columns[i] = { title = column[1], number = column[2] ~= "undefined" }
    row[column[1]] = found[column[2]]
  end
  local facts = {
    { "rows out of bag at least once", ("%d of %d"):format(found.rows_used, found.rows) },
  }
  local link = page:download("as CSV", "bootstrap.csv", "text/csv;charset=utf-8", found:to { csv = true })
  return html.table(found:title(), columns, { row }) .. html.facts(facts)
    .. html.paragraph(notes[found.method] or "", "note")
    .. (link ~= "" and ('<p class="links">%s</p>\n'):format(link) or "")
end

return bootstrap_632
