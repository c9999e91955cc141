-- cf.audit{ data =, learners =, splitter =, ... }: does anything of the test rows reach what is fitted for
-- them? The learners are fitted again with test rows replaced by noise and with other targets there, and
-- the rows on both sides of the splits are compared. See docs/audit.md.
local native = require "crossfold.native"
local columns = require "crossfold.audit.columns"
local evaluate = require "crossfold.evaluate"
local execution = require "crossfold.execution"
local findings = require "crossfold.audit.findings"
local options = require "crossfold.options"
local perturbed_splits = require "crossfold.audit.perturbed_splits"
local prepare = require "crossfold.audit.prepare"
local refit = require "crossfold.audit.refit"
local report = require "crossfold.audit.report"
local rows = require "crossfold.audit.rows"
local run = require "crossfold.run"
local splitter = require "crossfold.splitter"
local adversarial_validation = require "crossfold.audit.adversarial_validation"
local label_issues = require "crossfold.audit.label_issues"
local number_text = require "crossfold.text.number_text"

local audit = {}

-- ---- what seems wrong: labels, and new rows -----------------------------------------------------------

-- A p-value up to this is a risk.
local level = 0.01
-- Maximum number of rows that are named.
local most_rows = 10

local labels_declared = options.declare("AuditLabels", label_issues.own_options)
local new_declared = options.declare("AuditNew", options.joined(adversarial_validation.own_options, {
  data = { "dataset!", doc = "The new rows." },
}))

-- The options of the two checks; nil for what is not asked for.
local function seems_options(o, data)
  local labels, new = o.labels, o.new
  if labels == true then labels = {} end
  if native.kind(new) == "dataset" then new = { data = new } end
  if labels and data:task() ~= "classification" then
    native.fail("audit: option 'labels' needs classes, and the target of '%s' is not categorical; leave it out",
      data:name())
  end
  new = new and options.check("audit: option 'new'", new, new_declared) or nil
  if new then adversarial_validation.check_permutations("audit: option 'new'", new.permutations, level) end
  return {
    labels = labels and options.check("audit: option 'labels'", labels, labels_declared) or nil,
    new = new,
  }
end

local function check_labels(context, o)
  local found = label_issues.new(options.joined(o, { data = context.data, seed = context.seed,
    workers = context.how.workers, store = false }))
  context.label_issues = found
  context.findings:check("labels")
  local named = {}
  for i, row in ipairs(found:rows()) do if i <= most_rows then named[i] = row.row end end
  if #named == 0 then return end
  context.findings:add {
    severity = "risk", kind = "label_issues", stage = "data", rows = named, count = #found:rows(),
    message = ("%d of %d labels look wrong to '%s', and about %s of all are; look at these rows, the most suspicious "
      .. "first"):format(#found:rows(), found.n_rows, found.learner, number_text.share(found.share)),
  }
end

local function check_new(context, o)
  local new = o.data
  o.data = nil
  local found = adversarial_validation.new(options.joined(o, { old = context.raw, new = new, seed = context.seed,
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

-- Adds what is found. context = { raw, data, seed, how, findings, seems = of seems_options }.
local function check_seems(context)
  if context.seems.labels then check_labels(context, context.seems.labels) end
  if context.seems.new then check_new(context, context.seems.new) end
end

-- The options of the search for near rows; nil if it is off.
local near_declared = options.declare("NearOptions", {
  ratio = { "number", 0.05, doc = "Rows closer than this share of the usual distance are near duplicates." },
  rows = { "integer", 500, doc = "Maximum number of test rows that are compared." },
  train_rows = { "integer", 50000, doc = "Maximum number of training rows that they are compared with." },
})

local function near_options(given)
  if given == false then return nil end
  if given == true then given = nil end
  local o = options.check("audit: option 'near'", given, near_declared)
  if not (o.ratio > 0 and o.ratio < 1) then
    native.fail("audit: near: ratio = %s is out of range; use a number between 0 and 1", native.format_number(o.ratio))
  end
  for _, name in ipairs { "rows", "train_rows" } do
    if o[name] < 1 then native.fail("audit: near: %s = %d is out of range; use 1 or more", name, o[name]) end
  end
  return o
end

-- The set of the names in option 'waive'.
local function waive_option(given)
  local set = {}
  for _, name in ipairs(options.list("audit: option 'waive'", given or {})) do
    if findings.never_risks[name] then
      native.fail("audit: waive: '%s' cannot be waived; it is always a %s", name, findings.never_risks[name])
    elseif not findings.risks[name] then
      native.fail("audit: waive: '%s' is not the name of a finding; %s", tostring(name),
        native.known_names(tostring(name), options.sorted_keys(findings.risks)))
    end
    set[name] = true
  end
  return set
end

-- The learners by name that `given` (a list, a table, or a function of the data) means for `data`.
local function set_learners(context, given)
  if type(given) ~= "function" then
    context.learners = evaluate.named_learners(given, "audit")
    return
  end
  context.make_learners = given
  function context.learners_of(data)
    local by_name = {}
    for _, entry in ipairs(evaluate.named_learners(given(data), "audit")) do
      by_name[entry.name] = entry.learner
    end
    return by_name
  end
  context.learners = evaluate.named_learners(given(context.data), "audit")
end

-- The splits; nil after a finding if the splitter gave none that can be used.
local function make_splits(context)
  local seed = native.seed(context.seed, "splits")
  local splits, text = splitter.try(context.splitter, context.data, seed)
  if not splits then
    if not text:find("both trained on and tested in", 1, true) then native.fail(text) end
    context.findings:add {
      severity = "leak", kind = "overlap", stage = context.splitter_name, message = text,
    }
    return nil
  end
  local again = splitter.split(context.splitter, context.data, seed)
  if not splits:same(again) then
    context.findings:add {
      severity = "risk", kind = "not_reproducible", stage = context.splitter_name,
      message = "it makes other splits of the same data with the same seed; draw from context.seed",
    }
  end
  context.findings:check("splits")
  return splits
end

local function new_context(o)
  local context = {
    raw = o.data, prepare = o.prepare, seed = o.seed, near = near_options(o.near),
    waive = waive_option(o.waive),
    findings = findings.new(), how = run.execution("audit", { workers = o.workers, store = false }),
    splitter = splitter.check(o.splitter, "audit: option 'splitter'"),
  }
  context.splitter_name = ("splitter '%s'"):format(native.kind(context.splitter) == "splitter"
    and context.splitter:short_id() or tostring(context.splitter))
  local data = o.prepare and prepare.apply(o.prepare, o.data) or o.data
  context.data = splitter.prepare(context.splitter, data)
  context.seems = seems_options(o, context.data)
  if context.data:task() == "none" then
    native.fail("cannot audit '%s': the dataset has no target; read it with target = \"<column>\"", context.data:name())
  end
  set_learners(context, o.learners)
  return context
end

local declared = options.declare("audit", {
  data = { "dataset!", doc = "The dataset." },
  learners = { "any!", is = "learners|fun(data: dataset): learners",
    doc = "The learners, or a function that makes them of a dataset." },
  splitter = { "any!", is = "splitter", doc = "The splits." },
  prepare = { "function", is = "fun(data: dataset): dataset", doc = "The work on the data before the split." },
  seed = options.seed,
  folds = { "integer", 3, doc = "Number of splits that are examined." },
  near = { "table|boolean", is = "boolean|crossfold.NearOptions",
    doc = "Whether near duplicates in training and test rows are looked for, or how; default true." },
  waive = { "table", is = ('("%s")[]'):format(table.concat(options.sorted_keys(findings.risks), '"|"')),
    doc = "Kinds of findings that do not make the audit fail." },
  labels = { "boolean|table", is = "boolean|crossfold.AuditLabels",
    doc = "Whether labels that look wrong are looked for, or how; default false, as it fits a learner." },
  new = { "dataset|table", is = "dataset|crossfold.AuditNew",
    doc = "Rows that came later: whether they look like the data, and how that is asked. It fits a learner." },
  workers = execution.options.workers,
})

function audit.new(given)
  local o = options.check("audit", given, declared)
  if o.folds < 1 then native.fail("audit: folds = %d is out of range; use 1 or more", o.folds) end
  local context = new_context(o)
  context.splits = make_splits(context)
  if not context.splits then return report.without_splits(context) end
  context.places = perturbed_splits.choose(context.splits, o.folds, context.seed)
  if context.prepare then
    prepare.check(context)
  else
    context.findings:check("prepare", nil, "what was done to the data before is not known; give it as a function")
  end
  refit.check(context)
  rows.check(context)
  columns.check(context)
  check_seems(context)
  return report.new(context)
end

return audit
