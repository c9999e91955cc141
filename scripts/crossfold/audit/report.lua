-- What cf.audit gives: the findings, and which checks ran.
local native = require "crossfold.native"
local options = require "crossfold.options"
local text_output = require "crossfold.text_output"

local report = {}
report.__index = report
report.__name = "crossfold.Audit"

function report.new(context)
  return setmetatable({
    rows_ = context.findings:sorted(), checks_ = context.findings.checks,
    subject = ("audit of '%s': %d rows, %d %s, %d of %d splits of %s, seed %s"):format(
      context.data:name(), #context.data, #context.learners,
      #context.learners == 1 and "learner" or "learners", #context.places, #context.splits,
      context.splitter_name, native.format_number(context.seed)),
    n_places = #context.places,
  }, report)
end

-- An audit that could not look at splits, because there are none.
function report.without_splits(context)
  return setmetatable({
    rows_ = context.findings:sorted(), checks_ = context.findings.checks, n_places = 0,
    subject = ("audit of '%s': %d rows; %s makes no splits"):format(context.data:name(),
      #context.data, context.splitter_name),
  }, report)
end

local function copy(rows)
  local copied = {}
  for i, row in ipairs(rows) do
    copied[i] = {}
    for key, value in pairs(row) do copied[i][key] = value end
  end
  return copied
end

-- Rows { severity = "leak" | "risk" | "note", kind, learner, stage, repeat_, fold, splits, columns, rows,
-- count, message }, leaks first. repeat_ and fold tell the first split where it was seen, `splits` in how
-- many; what is about no learner or no split leaves these out.
function report:findings() return copy(self.rows_) end

-- Rows { check, subject, skipped = reason or nil }.
function report:checks() return copy(self.checks_) end

local below = { leak = { leak = true }, risk = { leak = true, risk = true },
  note = { leak = true, risk = true, note = true } }

-- Whether there is no leak; passed("risk"): no leak and no risk.
function report:passed(severity)
  local set = below[severity or "leak"]
  if not set then
    native.fail(("passed: '%s' is none of leak, risk, note"):format(tostring(severity)))
  end
  for _, row in ipairs(self.rows_) do
    if set[row.severity] then return false end
  end
  return true
end

local columns = { "severity", "kind", "learner", "stage", "repeat_", "fold", "splits", "columns", "rows",
  "count", "message" }

-- audit:to{ csv = path }, to{ json = path }; `true` for the path gives the text.
function report:to(given)
  return text_output.give(given, {
    csv = function() return native.table_csv(columns, self.rows_) end,
    json = function() return native.table_json(columns, self.rows_) end,
  })
end

local function place_text(self, row)
  if not row.fold then return "" end
  local where = ("repeat %d, fold %d"):format(row.repeat_, row.fold)
  if self.n_places == 1 then return (" (%s)"):format(where) end
  return (" (in %d of %d splits, first %s)"):format(row.splits, self.n_places, where)
end

local function line_of(self, row)
  local subject = row.learner and ("learner '%s', stage '%s': "):format(row.learner, row.stage)
    or row.stage ~= "data" and ("%s: "):format(row.stage) or ""
  local told = row.rows and ("; rows %s"):format(row.rows) or ""
  return ("%-5s %s: %s%s%s%s"):format(row.severity:upper(), row.kind, subject, row.message, told,
    place_text(self, row))
end

-- Findings after which something has not been compared.
local incomplete = { failed = true, failed_on_noise = true, not_reproducible = true }

local function count_text(self)
  local counts, all = { leak = 0, risk = 0, note = 0 }, true
  for _, row in ipairs(self.rows_) do
    counts[row.severity] = counts[row.severity] + 1
    all = all and not incomplete[row.kind]
  end
  local parts = {}
  for _, name in ipairs { "leak", "risk", "note" } do
    local n = counts[name]
    if n > 0 then parts[#parts + 1] = ("%d %s%s"):format(n, name, n == 1 and "" or "s") end
  end
  if counts.leak == 0 then
    table.insert(parts, 1, "no leak was found" .. (all and "" or " in what could be checked"))
  end
  return table.concat(parts, ", ")
end

-- "checked: a, b (learner 'x')" and a line for each check that was skipped.
local function check_lines(self)
  local ran, seen, lines = {}, {}, {}
  for _, one in ipairs(self.checks_) do
    if not one.skipped and not seen[one.check] then
      seen[one.check] = true
      ran[#ran + 1] = one.check
    end
  end
  if #ran > 0 then lines[1] = "checked: " .. table.concat(ran, ", ") end
  for _, one in ipairs(self.checks_) do
    if one.skipped then
      lines[#lines + 1] = ("skipped: %s%s: %s"):format(one.check,
        one.subject and (" of %s"):format(one.subject) or "", one.skipped)
    end
  end
  return lines
end

function report:__tostring()
  local lines = { self.subject }
  for _, row in ipairs(self.rows_) do lines[#lines + 1] = line_of(self, row) end
  for _, line in ipairs(check_lines(self)) do lines[#lines + 1] = line end
  lines[#lines + 1] = count_text(self)
  return table.concat(lines, "\n")
end

return options.methods(report, { "findings", "checks", "passed", "to" }, nil, { "to" })
