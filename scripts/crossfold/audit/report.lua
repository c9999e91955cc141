-- Defines the result of cf.audit: the findings, and which checks ran.
local native = require "crossfold.native"
local copied_rows = require "crossfold.result.copied_rows"
local options = require "crossfold.options"
local result_class = require "crossfold.result.class"
local provenance = require "crossfold.result.provenance"

local report = result_class.new "crossfold.Audit"

-- Rows { what =, instead = } for an experiment. context = { data, prepare, seems }.
local function unseen_rows(context)
  local roles, rows = context.data:roles(), {}
  local function add(what, instead) rows[#rows + 1] = { what = what, instead = instead } end
  local before = "a choice of features or rows, rows made of others, scaling other than to mean 0, filling "
    .. "other than by means, and encodings out of fold"
  if context.prepare then
    add("what was done to the data before 'prepare' got them: " .. before,
      "read the raw data, and do the rest in 'prepare' or in a pipeline")
  else
    add("what was done to the data before: " .. before, "do it in a pipeline, or give it as the function 'prepare'")
  end
  if roles.time then
    add("columns that are known only after the time of their row", "leave them out")
  else
    add("columns from the future, as the data name no time",
      "read the data with time = \"<column>\", and leave out what is known only later")
  end
  if not roles.groups then
    add("groups of rows that no column names", "read the data with groups = \"<column>\"")
  end
  if context.data:task() == "classification" and not context.seems.labels then
    add("labels that are wrong", "ask with labels = true, which fits a learner")
  end
  if not context.seems.new then
    add("rows to be predicted that do not look like these", "give them as 'new', which fits a learner")
  end
  add("settings that were chosen by test scores before", "make the search a learner")
  return rows
end

-- The rows of the findings, those that `waive` names marked. A leak is shown, so nothing waives it.
local function rows_of(context)
  local rows = context.findings:sorted()
  for _, row in ipairs(rows) do
    if context.waive[row.kind] and row.severity ~= "leak" then row.waived = true end
  end
  return rows
end

local function provenance_of(context)
  local learners = {}
  for i, entry in ipairs(context.learners) do learners[i] = provenance.learner(entry.name, entry.learner) end
  return {
    crossfold = native.version, seed = context.seed, splitter = tostring(context.splitter), learners = learners,
    datasets = { provenance.dataset(context.data:name(), context.data) },
  }
end

-- Its fields label_issues and adversarial_validation are the results of these, where they were asked for.
function report.new(context)
  return setmetatable({
    rows_ = rows_of(context), checks_ = context.findings.checks, waive = context.waive,
    unseen_ = unseen_rows(context),
    subject = ("audit of '%s': %d rows, %d %s, %d of %d splits of %s, seed %s"):format(
      context.data:name(), #context.data, #context.learners,
      #context.learners == 1 and "learner" or "learners", #context.places, #context.splits,
      context.splitter_name, native.format_number(context.seed)),
    n_places = #context.places, label_issues = context.label_issues,
    adversarial_validation = context.adversarial_validation, where_from = provenance_of(context),
  }, report)
end

-- An audit that could not look at splits, because there are none.
function report.without_splits(context)
  return setmetatable({
    rows_ = rows_of(context), checks_ = context.findings.checks, waive = context.waive,
    unseen_ = unseen_rows(context), n_places = 0, where_from = provenance_of(context),
    subject = ("audit of '%s': %d rows; %s makes no splits"):format(context.data:name(),
      #context.data, context.splitter_name),
  }, report)
end

-- Rows { severity = "leak" | "risk" | "note", kind, learner, stage, repeat_, fold, splits, columns, rows,
-- count, waived, message }, leaks first. repeat_ and fold name the first split where it was seen, `splits`
-- in how many; what is about no learner or no split leaves these out. `waived` is true or left out.
function report:findings() return copied_rows(self.rows_) end

-- Rows { check, subject, skipped = reason or nil }.
function report:checks() return copied_rows(self.checks_) end

-- Rows { what, instead }: what was not looked for, and what to do about it.
function report:unseen() return copied_rows(self.unseen_) end

local below = { leak = { leak = true }, risk = { leak = true, risk = true },
  note = { leak = true, risk = true, note = true } }

options.arguments[":passed"] = { "leak", "risk", "note" }

-- Whether there is no leak and no risk that was not waived; passed("leak"): no leak.
function report:passed(severity)
  local set = below[severity or "risk"]
  if not set then native.fail("passed: '%s' is not one of leak, risk, note", tostring(severity)) end
  for _, row in ipairs(self.rows_) do
    if set[row.severity] and not row.waived then return false end
  end
  return true
end

local columns = { "severity", "kind", "learner", "stage", "repeat_", "fold", "splits", "columns", "rows",
  "count", "waived", "message" }

result_class.add_to(report, columns, function(self) return self.rows_ end)

local function place_text(self, row)
  if not row.fold then return "" end
  local where = ("repeat %d, fold %d"):format(row.repeat_, row.fold)
  if self.n_places == 1 then return (" (%s)"):format(where) end
  return (" (in %d of %d splits, first %s)"):format(row.splits, self.n_places, where)
end

local function line_of(self, row)
  local subject = row.learner and ("learner '%s', stage '%s': "):format(row.learner, row.stage)
    or row.stage ~= "data" and ("%s: "):format(row.stage) or ""
  local rows = row.rows and ("; rows %s"):format(row.rows) or ""
  return ("%-5s %s%s: %s%s%s%s"):format(row.severity:upper(), row.kind, row.waived and " (waived)" or "",
    subject, row.message, rows, place_text(self, row))
end

-- Findings after which something has not been compared.
local incomplete = { failed = true, failed_on_noise = true, not_reproducible = true }

local function count_text(self)
  local counts, waived, all = { leak = 0, risk = 0, note = 0 }, { risk = 0, note = 0 }, true
  for _, row in ipairs(self.rows_) do
    counts[row.severity] = counts[row.severity] + 1
    if row.waived then waived[row.severity] = waived[row.severity] + 1 end
    all = all and not incomplete[row.kind]
  end
  local parts = {}
  for _, name in ipairs { "leak", "risk", "note" } do
    local n = counts[name]
    if n > 0 then
      parts[#parts + 1] = ("%d %s%s%s"):format(n, name, n == 1 and "" or "s",
        (waived[name] or 0) > 0 and (" (%d waived)"):format(waived[name]) or "")
    end
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

-- "waived: duplicates, time (not found)"; nil if nothing was to be waived.
local function waived_line(self)
  local remarks, names = {}, {}
  for _, row in ipairs(self.rows_) do
    remarks[row.kind] = row.waived and "" or remarks[row.kind] or " (not where it is a leak)"
  end
  for _, name in ipairs(options.sorted_keys(self.waive)) do
    names[#names + 1] = name .. (remarks[name] or " (not found)")
  end
  return #names > 0 and "waived: " .. table.concat(names, ", ") or nil
end

function report:__tostring()
  local lines = { self.subject }
  for _, row in ipairs(self.rows_) do lines[#lines + 1] = line_of(self, row) end
  for _, line in ipairs(check_lines(self)) do lines[#lines + 1] = line end
  for _, row in ipairs(self.unseen_) do
    lines[#lines + 1] = ("not looked for: %s; %s"):format(row.what, row.instead)
  end
  lines[#lines + 1] = waived_line(self)
  lines[#lines + 1] = count_text(self)
  return table.concat(lines, "\n")
end

return options.methods(report, { "findings", "checks", "unseen", "passed", "provenance", "to", "report" }, nil,
  { "to", "report" })
