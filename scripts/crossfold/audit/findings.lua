-- Collects the findings of an audit, and which of its checks ran. The same finding on several splits is one row.
local options = require "crossfold.options"

local findings = {}
findings.__index = findings

local ranks = { leak = 1, risk = 2, note = 3 }

-- The kinds that may be risks, which a person can waive; and all others with what they always are.
findings.risks, findings.never_risks = {}, {
  prepare = "leak", refit = "leak", captured_statistic = "leak", batch = "leak", shared_work = "leak",
  overlap = "leak", groups = "leak", target_copy = "leak", sorted = "note", rounding = "note",
  failed = "note", failed_on_noise = "note", rows_dropped_before_split = "note",
}
for _, kind in ipairs { "rows_made_before_split", "captured", "target_encoded", "not_reproducible", "blind",
  "duplicates", "near_duplicates", "group_candidate", "time", "target_predictor", "id_order",
  "scaled_before_split", "filled_before_split", "label_issues", "shifted" } do
  findings.risks[kind] = true
end

function findings.new() return setmetatable({ list = {}, by_key = {}, checks = {} }, findings) end

-- Maximum number of columns that are named.
local most_columns = 5

-- A list of names as text: "a, b, c, d, e and 7 more".
local function names_text(names)
  if #names <= most_columns then return table.concat(names, ", ") end
  return ("%s and %d more"):format(table.concat(names, ", ", 1, most_columns), #names - most_columns)
end

local function key_of(given, columns)
  return table.concat({ given.severity, given.kind, given.learner or "", given.stage or "",
    given.cause or not given.one and columns or "" }, "\0")
end

-- Adds a place and a column to a finding that is known.
local function extend(known, given)
  if given.place and not known.places[given.place] then
    known.places[given.place] = true
    known.row.splits = known.row.splits + 1
  end
  if not given.cause then return end
  for _, name in ipairs(given.columns) do
    if not known.has[name] then
      known.has[name] = true
      known.names[#known.names + 1] = name
    end
  end
end

-- Adds a finding { severity =, kind =, learner =, stage =, place =, rows =, columns =, count =,
-- message = }; `place` is the split where it was seen, or nil. With `one` other columns are the same
-- finding. With `cause` (a string) columns that have the same cause are one finding, which has the message
-- of the first and names the others.
function findings:add(given)
  local columns = given.columns and names_text(given.columns) or nil
  local key = key_of(given, columns)
  local known = self.by_key[key]
  if known then return extend(known, given) end
  local place = given.place or {}
  local row = {
    severity = given.severity, kind = given.kind, learner = given.learner, stage = given.stage,
    repeat_ = place.repeat_, fold = place.fold, splits = given.place and 0 or nil,
    columns = columns, rows = given.rows and table.concat(given.rows, ", ") or nil,
    count = given.count, message = given.message,
  }
  known = { row = row, places = {}, names = {}, has = {} }
  extend(known, given)
  self.by_key[key] = known
  self.list[#self.list + 1] = known
end

-- The row of a finding with all columns that were added.
local function finished(known)
  local row, names = options.joined(known.row), known.names
  if #names > 1 then
    row.columns = names_text(names)
    row.message = ("%s; %d other %s like it: %s"):format(row.message, #names - 1,
      #names == 2 and "column is" or "columns are", names_text(table.move(names, 2, #names, 1, {})))
  end
  return row
end

-- Notes that a check ran, or why it did not; the same note once.
function findings:check(name, subject, reason)
  for _, one in ipairs(self.checks) do
    if one.check == name and one.subject == subject and one.skipped == reason then return end
  end
  self.checks[#self.checks + 1] = { check = name, subject = subject, skipped = reason }
end

-- The findings, worst first, else in the order in which they were made.
function findings:sorted()
  local order = {}
  for i, known in ipairs(self.list) do order[i] = { i, finished(known) } end
  table.sort(order, function(a, b)
    local x, y = ranks[a[2].severity], ranks[b[2].severity]
    return x ~= y and x < y or x == y and a[1] < b[1]
  end)
  for i, pair in ipairs(order) do order[i] = pair[2] end
  return order
end

return findings
