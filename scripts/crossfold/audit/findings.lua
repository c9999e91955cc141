-- What an audit finds, and which of its checks ran. The same finding on several splits is one row.
local findings = {}
findings.__index = findings

local ranks = { leak = 1, risk = 2, note = 3 }

function findings.new() return setmetatable({ list = {}, by_key = {}, checks = {} }, findings) end

-- Adds a finding { severity =, kind =, learner =, stage =, place =, rows =, columns =, count =,
-- message = }; `place` is the split where it was seen, or nil. With `one` other columns are the same
-- finding.
function findings:add(given)
  local columns = given.columns and table.concat(given.columns, ", ") or nil
  local key = table.concat({ given.severity, given.kind, given.learner or "", given.stage or "",
    not given.one and columns or "" }, "\0")
  local known = self.by_key[key]
  if known and given.place then
    known.splits = known.splits + 1
    return
  elseif known then
    return
  end
  local place = given.place or {}
  local row = {
    severity = given.severity, kind = given.kind, learner = given.learner, stage = given.stage,
    repeat_ = place.repeat_, fold = place.fold, splits = given.place and 1 or nil,
    columns = columns, rows = given.rows and table.concat(given.rows, ", ") or nil,
    count = given.count, message = given.message,
  }
  self.by_key[key] = row
  self.list[#self.list + 1] = row
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
  for i, row in ipairs(self.list) do order[i] = { i, row } end
  table.sort(order, function(a, b)
    local x, y = ranks[a[2].severity], ranks[b[2].severity]
    return x ~= y and x < y or x == y and a[1] < b[1]
  end)
  for i, pair in ipairs(order) do order[i] = pair[2] end
  return order
end

return findings
