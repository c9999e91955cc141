-- Writes the section on leaks and other risks.
local html = require "crossfold.report.html"

local audit = {}

local function place_of(row)
  return row.fold and ("repeat %d, fold %d"):format(row.repeat_, row.fold) or nil
end

local function finding_table(found)
  local rows = found:findings()
  if #rows == 0 then return "" end
  for _, row in ipairs(rows) do
    row.place, row.waived = place_of(row), row.waived and "waived" or nil
  end
  return html.table("Findings, leaks first", {
    { title = "severity", head = true }, { title = "kind" }, { title = "finding", key = "message" },
    { title = "learner" }, { title = "stage" }, { title = "rows" }, { title = "first split", key = "place" },
    { title = "waived" },
  }, rows)
end

function audit.write(page, found)
  local printed, checked, other = tostring(found), {}, {}  -- what it is of, ..., what was found
  local out = { html.paragraph(("%s: %s."):format(printed:match("^[^\n]*"), printed:match("[^\n]*$"))),
    finding_table(found) }
  for _, row in ipairs(found:checks()) do
    local name = row.subject and ("%s of %s"):format(row.check, row.subject) or row.check
    if row.skipped then
      other[#other + 1] = ("skipped: %s: %s"):format(name, row.skipped)
    else
      checked[#checked + 1] = name
    end
  end
  for _, row in ipairs(found:unseen()) do
    other[#other + 1] = ("not looked for: %s; %s"):format(row.what, row.instead)
  end
  if #checked > 0 then out[#out + 1] = html.paragraph("Checked: " .. table.concat(checked, ", ") .. ".", "note") end
  out[#out + 1] = html.list(other, "note")
  local link = page:download("findings as CSV", "audit.csv", "text/csv;charset=utf-8", found:to { csv = true })
  if link ~= "" then out[#out + 1] = ('<p class="links">%s</p>\n'):format(link) end
  return table.concat(out)
end

return audit
