-- Reads a run of a store as the subjects of a report: its results, and what the store knows about the run itself.
local html = require "crossfold.report.html"
local stored = require "crossfold.stored.stored"

local stored_run = {}

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
      .. (cut and html.paragraph(("The first %d of %d bytes."):format(most_of_a_script, #script), "note")
        or ""))
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
function stored_run.open(path, number)
  local run = stored.new { store = path, run = number }
  local subjects = {}
  for _, list in ipairs { run.results, run.curves, run.validation_curves, run.bias_variance,
    run.bootstrap_632, run.variance, run.repeat_until } do
    for _, subject in ipairs(list or {}) do subjects[#subjects + 1] = subject end
  end
  return { subjects = subjects, opening = opening(run), body = body(path, run),
    title = (path:match("([^/]*)$"):gsub("%.cfdb$", "")) }
end

return stored_run
