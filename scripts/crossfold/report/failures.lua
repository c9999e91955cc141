-- Writes the section on folds that failed and on warnings: each message once, with how often and where.
local contents = require "crossfold.report.contents"
local figures = require "crossfold.report.figures"
local html = require "crossfold.report.html"

local column, head, number = html.column, html.head_column, html.number_column

local failures = {}

local most_rows = 50
local most_places = 8

-- Rows with equal fields `keys` as one: { ..., count, places }.
local function grouped(rows, keys)
  local list, known = {}, {}
  for _, row in ipairs(rows) do
    local parts = {}
    for k, key in ipairs(keys) do parts[k] = tostring(row[key] or "") end
    local name = table.concat(parts, "\0")
    local entry = known[name]
    if not entry then
      entry = { places_ = {} }
      for _, key in ipairs(keys) do entry[key] = row[key] end
      known[name] = entry
      list[#list + 1] = entry
    end
    entry.places_[#entry.places_ + 1] = ("%s.%s"):format(row.repeat_, row.fold)
  end
  for _, entry in ipairs(list) do
    local kept, more = contents.first(entry.places_, most_places)
    entry.count = #entry.places_
    entry.places = table.concat(kept, ", ") .. (more > 0 and ", ..." or "")
  end
  return list
end

-- Also for other subjects that have failures of their own.
function failures.table(caption, rows, keys, columns)
  local list = grouped(rows, keys)
  local kept, more = contents.first(list, most_rows)
  for _, entry in ipairs(kept) do
    entry.message = ('<span class="message">%s</span>'):format(html.text(entry.message))
  end
  local text = html.table(caption, columns, kept, { sortable = true })
  if more > 0 then
    text = text .. html.paragraph(("The first %d of %d different messages."):format(#kept, #list), "note")
  end
  return text
end

local place_columns = {
  head "learner", column "dataset", column "stage", { title = "message", html = true }, number("folds", "count"),
  column("where (repeat.fold)", "places"),
}
local warning_columns = {
  head "learner", column "dataset", { title = "warning", key = "message", html = true }, number("folds", "count"),
  column("where (repeat.fold)", "places"),
}

-- A bar each.
local most_failed = 100

local function picture(page, self)
  local seen, n = {}, 0
  for _, row in ipairs(self.failures) do
    local key = ("%d:%s%s"):format(#row.learner, row.learner, row.dataset)
    if not seen[key] then seen[key], n = true, n + 1 end
  end
  return n <= most_failed and figures.draw(page, "failures", self.result, {}, "Failed folds of each learner", "half")
    or ""
end

function failures.write(page, self)
  if #self.failures == 0 and #self.warnings == 0 then
    return html.paragraph("No fold failed, and no plugin misbehaved.")
  end
  local out = {}
  if #self.failures > 0 then
    out[1] = html.paragraph("A fold that failed has no score and is left out of the means. The fallback's scores, "
      .. "where there is one, are marked as such.", "note")
      .. failures.table("Failures", self.failures, { "learner", "dataset", "stage", "message" }, place_columns)
      .. picture(page, self)
  end
  if #self.warnings > 0 then
    out[#out + 1] = failures.table("Warnings", self.warnings, { "learner", "dataset", "message" }, warning_columns)
  end
  return table.concat(out)
end

return failures
