-- Writes the section on training on the same, on other and on all subsets.
local html = require "crossfold.report.html"

local soak = {}

function soak.write(page, found)
  local rows = found:rows()
  for _, row in ipairs(rows) do
    row.interval = row.low and ("%s to %s"):format(html.number(row.low), html.number(row.high)) or ""
    row.training = row.compared == "all" and "all - same" or "other - same"
  end
  local out = { html.list(found:sentences()), html.table(
    ("Mean scores on each subset of '%s' after training on the same, on other and on all"):format(found.column), {
      { title = "learner", head = true }, { title = "metric" }, { title = "subset", head = true },
      { title = "rows", number = true }, { title = "same", number = true }, { title = "other", number = true },
      { title = "all", number = true }, { title = "compared", key = "training" },
      { title = "difference", number = true }, { title = "interval", number = true },
      { title = "p adjusted", key = "p_adjusted", number = true }, { title = "verdict" },
    }, rows, { sortable = true }) }
  local worst = found:worst()
  if #worst > 0 then
    out[#out + 1] = html.table("The worst subset of each kind of training set", {
      { title = "learner", head = true }, { title = "metric" }, { title = "trained on", key = "train" },
      { title = "subset" }, { title = "mean", key = "value", number = true },
    }, worst)
  end
  local notes = found:notes()
  if #notes > 0 then out[#out + 1] = html.list(notes, "note") end
  local link = page:download("as CSV", "soak.csv", "text/csv;charset=utf-8", found:to { csv = true })
  if link ~= "" then out[#out + 1] = ('<p class="links">%s</p>\n'):format(link) end
  return table.concat(out)
end

return soak
