-- Where the numbers come from: versions, seed, data, plugins, script.
local html = require "crossfold.report.html"

local provenance = {}

local function hash(text)
  return text and ('<span class="hash">%s</span>'):format(html.text(text)) or ""
end

local function dataset_rows(list)
  local rows = {}
  for i, dataset in ipairs(list) do
    rows[i] = { name = dataset.name, rows = dataset.rows, hash = hash(dataset.hash) }
  end
  return rows
end

local function learner_rows(list)
  local rows = {}
  for i, learner in ipairs(list) do
    rows[i] = { name = learner.name, learner = learner.learner, plugin = learner.plugin,
      version = learner.plugin_version, hash = hash(learner.plugin_sha256) }
  end
  return rows
end

-- Of one evaluation; `found` = result:provenance().
function provenance.of_result(found)
  local facts = { { "Crossfold", found.crossfold or "unknown" } }
  if found.seed then facts[#facts + 1] = { "seed", found.seed } end
  if found.splitter then facts[#facts + 1] = { "splits", found.splitter } end
  return html.facts(facts)
    .. html.table("Datasets", {
      { title = "dataset", key = "name", head = true }, { title = "rows", number = true },
      { title = "SHA-256 of the content", key = "hash", html = true },
    }, dataset_rows(found.datasets or {}))
    .. html.table("Learners", {
      { title = "learner", key = "name", head = true }, { title = "definition", key = "learner" },
      { title = "plugin" }, { title = "version" },
      { title = "SHA-256 of the plugin", key = "hash", html = true },
    }, learner_rows(found.learners or {}))
end

function provenance.write(_, self) return provenance.of_result(self.result:provenance()) end

return provenance
