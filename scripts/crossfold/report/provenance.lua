-- Writes the section on where the numbers come from: versions, seed, data, plugins, script.
local contents = require "crossfold.report.contents"
local html = require "crossfold.report.html"
local parameter_text = require "crossfold.text.parameter_text"

local column, head, number = html.column, html.head_column, html.number_column

local provenance = {}

local function hash(text)
  return text and ('<span class="hash">%s</span>'):format(html.text(text)) or ""
end

local function dataset_rows(list)
  local rows = {}
  for i, dataset in ipairs(list) do
    local dropped = dataset.dropped_rows and ("%d (%d dropped)"):format(dataset.rows, dataset.dropped_rows)
    rows[i] = { name = dataset.name, rows = dropped or dataset.rows, hash = hash(dataset.hash) }
  end
  return rows
end

local function learner_rows(list)
  local rows = {}
  for i, learner in ipairs(list) do
    rows[i] = { name = learner.name, learner = learner.learner, plugin = learner.plugin,
      version = learner.plugin_version, hash = hash(learner.plugin_sha256 or learner.imported_sha256) }
  end
  return rows
end

local most_values = 20

-- "k = 1, 3, 5"
local function values_text(found)
  local kept, more = contents.first(found.values, most_values)
  local texts = {}
  for i, value in ipairs(kept) do texts[i] = parameter_text(value) end
  if more > 0 then texts[#texts + 1] = ("and %d more"):format(more) end
  return ("%s = %s"):format(found.parameter, table.concat(texts, ", "))
end

-- Of one evaluation, curve or decomposition; `found` = what its method provenance gives.
function provenance.of_result(found)
  local facts = { { "Crossfold", found.crossfold or "unknown" } }
  if found.seed then facts[#facts + 1] = { "seed", found.seed } end
  if found.splitter then facts[#facts + 1] = { "splits", found.splitter } end
  if found.parameter then facts[#facts + 1] = { "parameter", values_text(found) } end
  if not found.datasets then
    return html.facts(facts) .. html.paragraph("The run was one of an older Crossfold, which noted neither "
      .. "data nor learner.", "note")
  end
  return html.facts(facts) .. html.table("Datasets", {
      head("dataset", "name"), number "rows", { title = "SHA-256 of the content", key = "hash", html = true },
    }, dataset_rows(found.datasets)) .. html.table("Learners", {
      head("learner", "name"), column("definition", "learner"), column "plugin", column "version",
      { title = "SHA-256 of the plugin or the imported file", key = "hash", html = true },
    }, learner_rows(found.learners or {}))
end

function provenance.write(_, self) return provenance.of_result(self.result:provenance()) end

return provenance
