-- Checks whether the data are what they seem: labels that look wrong, and new rows that do not look like these. Both
-- fit learners, so they are only done when they are asked for.
local native = require "crossfold.native"
local adversarial_validation = require "crossfold.audit.adversarial_validation"
local label_issues = require "crossfold.audit.label_issues"
local number_text = require "crossfold.text.number_text"
local options = require "crossfold.options"

local seems = {}

-- A p-value up to this is a risk.
local level = 0.01
-- Maximum number of rows that are named.
local most_rows = 10

local labels_declared = options.declare("AuditLabels", label_issues.own_options)
local new_declared = options.declare("AuditNew", options.joined(adversarial_validation.own_options, {
  data = { "dataset!", doc = "The new rows." },
}))

-- The options of the two checks; nil for what is not asked for.
function seems.options(o, data)
  local labels, new = o.labels, o.new
  if labels == true then labels = {} end
  if native.kind(new) == "dataset" then new = { data = new } end
  if labels and data:task() ~= "classification" then
    native.fail(("audit: option 'labels' needs classes, and the target of '%s' is not categorical; leave it out")
      :format(data:name()))
  end
  new = new and options.check("audit: option 'new'", new, new_declared) or nil
  if new then adversarial_validation.check_permutations("audit: option 'new'", new.permutations, level) end
  return {
    labels = labels and options.check("audit: option 'labels'", labels, labels_declared) or nil,
    new = new,
  }
end

local function copy_with(o, more)
  for key, value in pairs(more) do o[key] = value end
  return o
end

local function check_labels(context, o)
  local found = label_issues.new(copy_with(o, { data = context.data, seed = context.seed, workers = context.how.workers,
    store = false }))
  context.label_issues = found
  context.findings:check("labels")
  local rows = {}
  for i, row in ipairs(found:rows()) do if i <= most_rows then rows[i] = row.row end end
  if #rows == 0 then return end
  context.findings:add {
    severity = "risk", kind = "label_issues", stage = "data", rows = rows, count = #found:rows(),
    message = ("%d of %d labels look wrong to '%s', and about %s of all are; look at these rows, the most suspicious "
      .. "first"):format(#found:rows(), found.n_rows, found.learner, number_text.share(found.share)),
  }
end

local function check_new(context, o)
  local new = o.data
  o.data = nil
  local found = adversarial_validation.new(copy_with(o, { old = context.raw, new = new, seed = context.seed,
    workers = context.how.workers, store = false }))
  context.adversarial_validation = found
  context.findings:check("new rows")
  if not found:differs(level) then return end
  local first = found:columns()[1]
  context.findings:add {
    severity = "risk", kind = "shifted", stage = "data", columns = first and { first.column } or nil,
    count = found.rows_new,
    message = ("the rows of '%s' differ from these (area under the ROC curve %s, %s)%s; scores here need not hold "
      .. "there"):format(found.new, number_text.fixed(found.auc, 2), number_text.p(found.p),
        first and first.auc and (", most in column '%s'"):format(first.column) or ""),
  }
end

-- Adds what is found. context = { raw, data, seed, how, findings, seems = of seems.options }.
function seems.check(context)
  if context.seems.labels then check_labels(context, context.seems.labels) end
  if context.seems.new then check_new(context, context.seems.new) end
end

return seems
