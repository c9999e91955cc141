-- report: one HTML file about results, to be read anywhere; see docs/report.md.
--
--   cf.report{ result, curve, ..., title = "Iris", file = "report.html" }
--   cf.report{ store = "iris.cfdb", run = 2, file = "report.html" }
local native = require "crossfold.native"
local html = require "crossfold.report.html"
local metric = require "crossfold.metric"
local options = require "crossfold.options"
local page = require "crossfold.report.page"
local sections = require "crossfold.report.sections"
local stored = require "crossfold.stored.stored"

local report = {}

local most_of_a_script = 256 * 1024

local function alert(lines, class)
  if #lines == 0 then return "" end
  local text = {}
  for i, line in ipairs(lines) do text[i] = html.paragraph(line) end
  return ('<div class="%s" role="note">%s</div>\n'):format(class, table.concat(text))
end

-- What was lost or is missing.
local function opening(run)
  local lines = {}
  if not run.finished then
    lines[1] = "This run has not finished: the page shows what the store has so far."
  end
  local damaged = run.damaged or {}
  if #damaged > 0 then
    lines[#lines + 1] = ("%s damaged and left out; see the section on the run."):format(
      html.count(#damaged, "cell of the store is", "cells of the store are"))
  end
  return alert(lines, "alert bad")
end

local function script_text(run)
  local script = run.script_text
  if not script or script == "" then return "" end
  local cut = #script > most_of_a_script
  return html.details("The script",
    "<pre><code>" .. html.lines(cut and script:sub(1, most_of_a_script) or script) .. "</code></pre>\n"
      .. (cut and html.paragraph(("The first %d of %d bytes."):format(most_of_a_script, #script), "note") or ""))
end

local function body(path, run)
  local facts = { { "store", path }, { "run", tostring(run.run) } }
  if run.started then facts[#facts + 1] = { "began", run.started } end
  if run.script and run.script ~= "" then facts[#facts + 1] = { "script", run.script } end
  if #(run.arguments or {}) > 0 then
    facts[#facts + 1] = { "its arguments", table.concat(run.arguments, " ") }
  end
  if run.crossfold then facts[#facts + 1] = { "Crossfold of the run", run.crossfold } end
  if run.seed then facts[#facts + 1] = { "seed of calls that name none", tostring(run.seed) } end
  facts[#facts + 1] = { "finished", run.finished and "yes" or "no" }
  local damaged, items = run.damaged or {}, {}
  for i, entry in ipairs(damaged) do
    items[i] = type(entry) == "table" and (entry.message or entry.text) or tostring(entry)
    if i == 50 and #damaged > 50 then
      items[51] = ("and %d more"):format(#damaged - 50)
      break
    end
  end
  local text = html.facts(facts)
  if #items > 0 then text = text .. html.paragraph("Damaged:") .. html.list(items) end
  return text .. script_text(run)
end

-- { subjects, opening, body, title }
local function open_run(path, number)
  local run = stored.new { store = path, run = number }
  local subjects = {}
  for _, list in ipairs { run.results, run.curves, run.validation_curves, run.bias_variance,
    run.bootstrap_632, run.variance, run.repeat_until } do
    for _, subject in ipairs(list or {}) do subjects[#subjects + 1] = subject end
  end
  return { subjects = subjects, opening = opening(run), body = body(path, run),
    title = (path:match("([^/]*)$"):gsub("%.cfdb$", "")) }
end

-- "cf.audit, cf.compare, ...": what makes something that a report can be about.
local function makers()
  local list = {}
  for _, kind in pairs(sections.kinds) do list[#list + 1] = kind.maker end
  table.sort(list)
  return table.concat(list, ", ")
end

local function kind_of(value)
  local meta = type(value) == "table" and getmetatable(value)
  local name = type(meta) == "table" and meta.__name or nil
  return name and sections.kinds[name] and name or nil
end

-- The elements of `given` from 1 on, and its other fields.
local function split_list(given)
  local list, named = {}, {}
  if type(given) ~= "table" then
    native.fail("report: expected a table, as in cf.report{ result, file = \"report.html\" }, got a %s",
      native.kind(given) or type(given))
  end
  if kind_of(given) then
    native.fail("report: put the result into the table of options, as in cf.report{ result, file = \"report.html\" }")
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
      native.fail("report: element %d is a %s; give what one of these makes: %s", i, native.kind(value) or type(value),
        makers())
    end
    subjects[i] = { kind = kind, name = sections.kinds[kind].name, value = value }
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
    native.fail("report: there is no metric '%s'; %s", name, native.known_names(name, known))
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
    native.fail("cannot write '%s': it is the store that the page is about; choose another file", o.file)
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
  local run = o.store and open_run(o.store, o.run) or nil
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
