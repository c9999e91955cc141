-- Says what has to be known of scores before they are compared.
local number_text = require "crossfold.text.number_text"

local notes = {}

local function add(list, seen, text)
  if not seen[text] then seen[text], list[#list + 1] = true, text end
end

-- What each method of intervals gives.
local function add_methods(list, seen, rows)
  for _, row in ipairs(rows) do
    if row.low then
      local caution = row.caution and "; " .. row.caution or ""
      add(list, seen, ("%s: %s interval for %s%s"):format(row.method, number_text.confidence(row.confidence),
        row.covers, caution))
    end
  end
end

-- Which learners have no score or no interval, by the reason.
local function add_undefined(list, rows)
  local by_reason, reasons = {}, {}
  for _, row in ipairs(rows) do
    local reason = row.undefined and ("no %s of %%s: %s"):format(row.score and "interval" or "score",
      row.undefined:gsub("%%", "%%%%"))
    if reason and not by_reason[reason] then by_reason[reason], reasons[#reasons + 1] = { seen = {} }, reason end
    if reason then add(by_reason[reason], by_reason[reason].seen, row.learner) end
  end
  for _, reason in ipairs(reasons) do list[#list + 1] = reason:format(table.concat(by_reason[reason], ", ")) end
end

-- The notes on rows of one dataset and metric.
function notes.of(rows)
  local list, seen = {}, {}
  add_methods(list, seen, rows)
  for _, row in ipairs(rows) do
    if row.splits ~= rows[1].splits then
      add(list, seen, "scores with different splits were measured on different splits of the rows")
    end
  end
  add_undefined(list, rows)
  return list
end

-- The name of a file without its folders.
function notes.file_name(path) return path:match("[^/]*$") end

-- A store for people: "Ann: ann.cfdb".
function notes.store_of(who, path) return ("%s: %s"):format(who, notes.file_name(path)) end

-- Rows that follow one another and can be compared, as lists: those with the same dataset and metric. What a metric
-- without a key computes is known within its store only.
function notes.groups(best)
  local groups, last = {}, nil
  for _, row in ipairs(best) do
    local key = ("%s %s %d %s"):format(row.dataset_hash or row.dataset, row.metric, row.direction,
      row.metric_key and "" or row.store)
    if key ~= last then groups[#groups + 1] = {} end
    last = key
    table.insert(groups[#groups], row)
  end
  return groups
end

return notes
