-- Makes the leaderboard of a catalog: one section per dataset and metric, whether stores agree, and the stores.
local html = require "crossfold.report.html"
local native = require "crossfold.native"
local notes = require "crossfold.catalog.notes"
local page = require "crossfold.report.page"

local column, head, number = html.column, html.head_column, html.number_column

local catalog_page = {}

-- "10" or "8 of 10".
local function folds_text(row)
  return row.defined == row.folds and tostring(row.folds) or ("%d of %d"):format(row.defined, row.folds)
end

local function interval_text(row)
  if not row.low then return nil end
  return ("%s to %s"):format(html.number(row.low), html.number(row.high))
end

local columns = {
  number "rank", head "learner", column "settings", number "score", column "interval", column "method", column "folds",
  column "design", column "splits", column "who", column "store",
}

local function shown(row)
  return {
    rank = row.rank, learner = row.learner, settings = row.settings and native.short_spec(row.settings),
    score = row.score or "undefined", interval = interval_text(row), method = row.low and row.method,
    folds = folds_text(row), design = row.design, splits = row.splits and row.splits:sub(1, 8), who = row.who,
    store = ("%s, run %d"):format(notes.file_name(row.store), row.run),
  }
end

local better = { [1] = "Best first; higher is better.", [-1] = "Best first; lower is better.", [0] = "Not ranked." }

local function write_group(made, rows)
  local first, list = rows[1], {}
  for i, row in ipairs(rows) do list[i] = shown(row) end
  local caption = better[first.direction]
  if first.dataset_hash then
    caption = ("%s SHA-256 of the data: %s"):format(caption, first.dataset_hash)
  end
  local of_store = first.metric_key and "" or (" (as %s computes it)"):format(notes.file_name(first.store))
  made:section(("%s on %s%s"):format(first.metric, first.dataset, of_store),
    html.table(caption, columns, list, { sortable = true }) .. html.list(notes.of(rows)))
end

local agree_columns = {
  column "dataset", head "learner", column "first", column "second", number "cells",
  number("same inputs", "same_inputs"), number "equal", number "different", number "unknown", column "reason",
  column "finding",
}

local store_columns = {
  head "store", column "who", column "added", number "runs", number "cells", number "damaged", column "state",
}

-- The text of the page.
function catalog_page.of(catalog, title)
  local made = page.new(title)
  for _, group in ipairs(notes.groups(catalog:best())) do write_group(made, group) end
  local agree = catalog:agree()
  for _, row in ipairs(agree) do
    row.first = notes.store_of(row.first, row.first_store)
    row.second = notes.store_of(row.second, row.second_store)
  end
  made:section("Agreement", #agree > 0 and html.table("Cells that several stores have", agree_columns, agree)
    or "<p>No two stores have a cell in common.</p>\n")
  made:section("Stores", html.table("What the catalog was made of", store_columns, catalog:list()))
  return made:finish("", ("<p>Crossfold %s</p>\n"):format(html.text(native.version)))
end

return catalog_page
