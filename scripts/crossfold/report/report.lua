-- report: one HTML file about results, to be read anywhere; see docs/report.md.
--
--   cf.report{ result, curve, ..., title = "Iris", file = "report.html" }
--   cf.report{ store = "iris.cfdb", run = 2, file = "report.html" }
local html = require "crossfold.report.html"
local metric = require "crossfold.metric"
local native = require "crossfold.native"
local options = require "crossfold.options"
local page = require "crossfold.report.page"
local sections = require "crossfold.report.sections"
local stored_run = require "crossfold.report.stored_run"

local report = {}

-- Names of the metatables of what a report can be about, what each is called in it, and what makes it.
local kinds = {
  ["crossfold.AdversarialValidation"] = { "Old and new rows", "cf.adversarial_validation" },
  ["crossfold.Audit"] = { "Audit", "cf.audit" },
  ["crossfold.BiasVariance"] = { "Bias and variance", "cf.bias_variance" },
  ["crossfold.Bootstrap632"] = { "Bootstrap estimate", "cf.bootstrap_632" },
  ["crossfold.Comparison"] = { "Comparison", "cf.compare" },
  ["crossfold.Figure"] = { "Figure", "cf.plot" },
  ["crossfold.LabelIssues"] = { "Labels", "cf.label_issues" },
  ["crossfold.LearningCurve"] = { "Learning curve", "cf.learning_curve" },
  ["crossfold.RepeatUntil"] = { "Repeats until narrow", "cf.repeat_until" },
  ["crossfold.Result"] = { "Evaluation", "cf.evaluate" },
  ["crossfold.Soak"] = { "Subsets", "cf.soak" },
  ["crossfold.Subgroups"] = { "Subgroups", "result:subgroups" },
  ["crossfold.ValidationCurve"] = { "Validation curve", "cf.validation_curve" },
  ["crossfold.Variance"] = { "Sources of variance", "cf.variance" },
}

-- "cf.audit, cf.compare, ...": what makes something that a report can be about.
local function makers()
  local list = {}
  for _, kind in pairs(kinds) do list[#list + 1] = kind[2] end
  table.sort(list)
  return table.concat(list, ", ")
end

local function kind_of(value)
  local meta = type(value) == "table" and getmetatable(value)
  local name = type(meta) == "table" and meta.__name or nil
  return name and kinds[name] and name or nil
end

-- The elements of `given` from 1 on, and its other fields.
local function split_list(given)
  local list, named = {}, {}
  if type(given) ~= "table" then
    native.fail(("report: expected a table, as in cf.report{ result, file = \"report.html\" }, got a %s")
      :format(native.kind(given) or type(given)))
  end
  if kind_of(given) then
    native.fail("report: put the result into the table of options, as in cf.report{ result, file = "
      .. "\"report.html\" }")
  end
  for key, value in pairs(given) do
    if math.type(key) == "integer" then list[key] = value else named[key] = value end
  end
  options.list("report: the results", list)
  return list, named
end

local function check_subjects(list)
  local subjects = {}
  for i, value in ipairs(list) do
    local kind = kind_of(value)
    if not kind then
      native.fail(("report: element %d is a %s; give what one of these makes: %s"):format(i,
        native.kind(value) or type(value), makers()))
    end
    subjects[i] = { kind = kind, name = kinds[kind][1], value = value }
  end
  return subjects
end

-- The metric that is meant by `name`. One that no evaluation has would change nothing, in silence.
local function metric_of(subjects, name)
  if not name then return nil end
  local known, seen, any = {}, {}, false
  for _, subject in ipairs(subjects) do
    if subject.kind == "crossfold.Result" then
      for _, row in ipairs(subject.value:summary()) do
        any = true
        if not seen[row.metric] then
          seen[row.metric] = true
          known[#known + 1] = row.metric
        end
      end
    end
  end
  local meant = metric.meant(known, name)
  if any and not meant then
    native.fail(("report: there is no metric '%s'; %s"):format(name,
      native.known_names(name, known)))
  end
  return meant
end

-- Parts with headings where there are several subjects, numbered where names are equal.
local function write_subjects(made, subjects, metric_name)
  if #subjects == 1 then return sections.write(made, subjects[1], metric_name) end
  local counts, of = {}, {}
  for _, subject in ipairs(subjects) do counts[subject.name] = (counts[subject.name] or 0) + 1 end
  for _, subject in ipairs(subjects) do
    of[subject.name] = (of[subject.name] or 0) + 1
    local title = subject.title or subject.name
    if not subject.title and counts[subject.name] > 1 then title = title .. " " .. of[subject.name] end
    made:begin_part(title)
    sections.write(made, subject, metric_name)
    made:end_part()
  end
end

local function foot(made)
  local note = made:download_note()
  return (note == "" and "" or html.paragraph(note))
    .. html.paragraph(("Made by Crossfold %s. This file needs no network."):format(native.version))
end

-- A page in the place of the store that it is about would be the end of the store.
local function check_place(o)
  if o.store and o.file == o.store then
    native.fail(("cannot write '%s': it is the store that the page is about; choose another file")
      :format(o.file))
  end
end

local own_options = {
  title = { "string", doc = "The title of the page." },
  file = { "string|boolean", true, is = "output", doc = "The path of the page; without it the text is returned." },
  metric = { "string", doc = "The metric that figures and tables begin with; default the first one." },
}
local declared = options.declare("report", options.joined(own_options, {
  store = { "string", doc = "The store whose run is reported, instead of results." },
  run = { "integer", doc = "The number of the run; default the last one." },
}))
options.declare(":report", own_options)

-- cf.report{ subject, ..., title =, file =, metric = } or cf.report{ store =, run =, ... }: writes the
-- page to `file`; without it, or with true, the text is returned.
function report.new(given)
  local list, named = split_list(given)
  local o = options.check("report", named, declared)
  if o.store and #list > 0 then native.fail("report: give either results or 'store'") end
  if o.run and not o.store then native.fail("report: option 'run' goes with 'store'") end
  check_place(o)
  local run = o.store and stored_run.open(o.store, o.run) or nil
  local subjects = run and run.subjects or list
  if #subjects == 0 and not run then
    native.fail("report: there is nothing to report; give a result, or store = path")
  end
  subjects = check_subjects(subjects)
  local metric_name = metric_of(subjects, o.metric)
  local made = page.new(o.title or run and run.title or subjects[1].name)
  write_subjects(made, subjects, metric_name)
  if run then made:section("The run", run.body) end
  return options.write_text(o.file, made:finish(run and run.opening or "", foot(made)))
end

-- The method `report` of what a report can be about: result:report{ file =, title =, metric = }.
function report.of(subject, given)
  local o = options.check("report", given, own_options)
  return report.new { subject, title = o.title, file = o.file, metric = o.metric }
end

return report
