-- Lists the sections about one subject, in their order. A section gives HTML, or nil and the reason why there is
-- nothing to show; the reasons are listed at the end. Without a reason nothing is said.
local comparison = require "crossfold.report.comparison"
local confusion = require "crossfold.report.confusion"
local contents = require "crossfold.report.contents"
local coverage = require "crossfold.report.coverage"
local curves = require "crossfold.report.curves"
local failures = require "crossfold.report.failures"
local figures = require "crossfold.report.figures"
local folds = require "crossfold.report.folds"
local html = require "crossfold.report.html"
local lockbox = require "crossfold.report.lockbox"
local overview = require "crossfold.report.overview"
local provenance = require "crossfold.report.provenance"
local reforms = require "crossfold.report.reforms"
local studies = require "crossfold.report.studies"
local summary = require "crossfold.report.summary"
local times = require "crossfold.report.times"
local tuning = require "crossfold.report.tuning"

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
  page:section("Comparison", comparison.body(page, { datasets = names, learners = found.c.learners }, found))
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

local function write_provenance(page, subject)
  page:section("Provenance", provenance.of_result(subject.value:provenance()))
end

-- A study: its own section, and where it comes from.
local function study(title, write)
  return function(page, subject)
    page:section(title, write(page, subject.value))
    local sealed = lockbox.of_result(subject.value:provenance())
    if sealed then page:section("Lockbox", sealed) end
    write_provenance(page, subject)
  end
end

-- An audit, with the sections of what it asked beyond leaks.
local function write_audit(page, subject)
  local found = subject.value
  page:section("Audit", studies.audit(page, found))
  if found.label_issues then page:section("Labels that look wrong", studies.label_issues(page, found.label_issues)) end
  if found.adversarial_validation then
    page:section("Old and new rows", studies.adversarial_validation(page, found.adversarial_validation))
  end
  write_provenance(page, subject)
end

-- What a report can be about, by the names of the metatables: what each is called in it, what makes it, and
-- write(page, subject, metric).
sections.kinds = {
  ["crossfold.AdversarialValidation"] = { name = "Old and new rows", maker = "cf.adversarial_validation",
    write = study("Old and new rows", studies.adversarial_validation) },
  ["crossfold.Audit"] = { name = "Audit", maker = "cf.audit", write = write_audit },
  ["crossfold.BiasVariance"] = { name = "Bias and variance", maker = "cf.bias_variance",
    write = study("Parts of the error", studies.bias_variance) },
  ["crossfold.Bootstrap632"] = { name = "Bootstrap estimate", maker = "cf.bootstrap_632",
    write = study("Error by bootstrap samples", studies.bootstrap_632) },
  ["crossfold.Comparison"] = { name = "Comparison", maker = "cf.compare", write = write_comparison },
  ["crossfold.Figure"] = { name = "Figure", maker = "cf.plot", write = write_figure },
  ["crossfold.LabelIssues"] = { name = "Labels", maker = "cf.label_issues",
    write = study("Labels that look wrong", studies.label_issues) },
  ["crossfold.LearningCurve"] = { name = "Learning curve", maker = "cf.learning_curve",
    write = study("Scores by training rows", studies.learning_curve) },
  ["crossfold.RepeatUntil"] = { name = "Repeats until narrow", maker = "cf.repeat_until",
    write = study("Mean over repeats", studies.repeat_until) },
  ["crossfold.Result"] = { name = "Evaluation", maker = "cf.evaluate", write = write_evaluation },
  ["crossfold.Soak"] = { name = "Subsets", maker = "cf.soak",
    write = study("Training on other subsets", studies.soak) },
  ["crossfold.Subgroups"] = { name = "Subgroups", maker = "result:subgroups",
    write = study("Scores by subgroup", studies.subgroups) },
  ["crossfold.ValidationCurve"] = { name = "Validation curve", maker = "cf.validation_curve",
    write = study("Scores by the parameter", studies.validation_curve) },
  ["crossfold.Variance"] = { name = "Sources of variance", maker = "cf.variance",
    write = study("Sources of variance", studies.variance) },
}

function sections.write(page, subject, metric) sections.kinds[subject.kind].write(page, subject, metric) end

return sections
