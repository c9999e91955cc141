-- Lists the sections about one subject, in their order. A section gives HTML, or nil and the reason why there is
-- nothing to show; the reasons are listed at the end. Without a reason nothing is said.
local adversarial_validation = require "crossfold.report.adversarial_validation"
local audit = require "crossfold.report.audit"
local comparison = require "crossfold.report.comparison"
local confusion = require "crossfold.report.confusion"
local contents = require "crossfold.report.contents"
local coverage = require "crossfold.report.coverage"
local curves = require "crossfold.report.curves"
local failures = require "crossfold.report.failures"
local figures = require "crossfold.report.figures"
local folds = require "crossfold.report.folds"
local html = require "crossfold.report.html"
local bias_variance = require "crossfold.report.bias_variance"
local bootstrap_632 = require "crossfold.report.bootstrap_632"
local label_issues = require "crossfold.report.label_issues"
local learning = require "crossfold.report.learning"
local lockbox = require "crossfold.report.lockbox"
local overview = require "crossfold.report.overview"
local provenance = require "crossfold.report.provenance"
local reforms = require "crossfold.report.reforms"
local soak = require "crossfold.report.soak"
local subgroups = require "crossfold.report.subgroups"
local summary = require "crossfold.report.summary"
local times = require "crossfold.report.times"
local tuning = require "crossfold.report.tuning"
local repeat_until = require "crossfold.report.until"
local validation = require "crossfold.report.validation"
local variance = require "crossfold.report.variance"

local sections = {}

local of_evaluation = {
  { "In short", overview },
  { "Scores", summary },
  { "Fold by fold", folds },
  { "Comparison", comparison },
  { "Curves", curves },
  { "Confusion matrices", confusion },
  { "Intervals and class sets", coverage },
  { "Tuning", tuning },
  { "Failures", failures },
  { "Times", times },
  { "Lockbox", lockbox },
  { "Provenance", provenance },
  { "Checklist for reviewers", reforms },
}

local function write_evaluation(page, subject, metric)
  local self, absent = contents.of(subject.value, metric), {}
  for _, section in ipairs(of_evaluation) do
    local text, reason = section[2].write(page, self)
    if text then
      page:section(section[1], text)
    elseif reason then
      absent[#absent + 1] = ("%s: %s"):format(section[1], reason)
    end
  end
  if #absent > 0 then page:section("Not shown", html.list(absent)) end
end

local function write_comparison(page, subject)
  local found = subject.value
  local names = {}
  for i, dataset in ipairs(found.c.datasets) do names[i] = dataset.name end
  page:section("Comparison", comparison.body(page, { datasets = names, learners = found.c.learners },
    found))
  local parts = {}
  for i, result in ipairs(found.c.results) do
    parts[i] = (#found.c.results > 1 and page:heading(("Result %d"):format(i)) or "")
      .. provenance.of_result(result:provenance())
  end
  page:section("Provenance", table.concat(parts))
end

local function write_figure(page, subject)
  page:section(subject.value.title or "Figure", figures.show(page, subject.value,
    subject.value.title or "Figure", "full"))
end

-- A study: its own section, and where it comes from.
local function study(title, section)
  return function(page, subject)
    page:section(title, section.write(page, subject.value))
    local found = subject.value:provenance()
    local sealed = lockbox.of_result(found)
    if sealed then page:section("Lockbox", sealed) end
    page:section("Provenance", provenance.of_result(found))
  end
end

-- An audit, with the sections of what it asked beyond leaks.
local function write_audit(page, subject)
  local found = subject.value
  page:section("Audit", audit.write(page, found))
  if found.label_issues then page:section("Labels that look wrong", label_issues.write(page, found.label_issues)) end
  if found.adversarial_validation then
    page:section("Old and new rows", adversarial_validation.write(page, found.adversarial_validation))
  end
  page:section("Provenance", provenance.of_result(found:provenance()))
end

local writers = {
  ["crossfold.Result"] = write_evaluation, ["crossfold.Comparison"] = write_comparison,
  ["crossfold.Figure"] = write_figure,
  ["crossfold.LearningCurve"] = study("Scores by training rows", learning),
  ["crossfold.ValidationCurve"] = study("Scores by the parameter", validation),
  ["crossfold.BiasVariance"] = study("Parts of the error", bias_variance),
  ["crossfold.Subgroups"] = study("Scores by subgroup", subgroups),
  ["crossfold.Bootstrap632"] = study("Error by bootstrap samples", bootstrap_632),
  ["crossfold.RepeatUntil"] = study("Mean over repeats", repeat_until),
  ["crossfold.Variance"] = study("Sources of variance", variance),
  ["crossfold.Audit"] = write_audit,
  ["crossfold.AdversarialValidation"] = study("Old and new rows", adversarial_validation),
  ["crossfold.Soak"] = study("Training on other subsets", soak),
  ["crossfold.LabelIssues"] = study("Labels that look wrong", label_issues),
}

function sections.write(page, subject, metric) writers[subject.kind](page, subject, metric) end

return sections
