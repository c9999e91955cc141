-- Writes the checklist of REFORMS (Kapoor et al., Science Advances 10, eadk3452, 2024): 32 items in eight modules that
-- a study which uses machine learning should report. What the result and its data say is filled in; what only the
-- authors know stays visibly blank.
local contents = require "crossfold.report.contents"
local describe = require "crossfold.describe"
local html = require "crossfold.report.html"
local interval = require "crossfold.interval.interval"
local native = require "crossfold.native"

local reforms = {}

-- A scan of larger data would take longer than the rest of the page.
local most_entries = 20 * 1000 * 1000

-- Facts of the data of each dataset that is at hand: those of cf.describe, or nil.
local function described(self)
  local list = {}
  for _, name in ipairs(contents.first(self.datasets, contents.most_datasets)) do
    local job = contents.job(self, self.learners[1], name)
    local data = job and job.data
    local is_data = data and native.kind(data) == "dataset"
    if is_data and #data * (#data:features() + 1) <= most_entries then
      list[#list + 1] = { name = name, facts = describe.new(data), roles = data:roles() }
    end
  end
  return list
end

-- One text for each dataset that is at hand, with its name if there are several.
local function by_dataset(self, text_of)
  local texts = {}
  for _, one in ipairs(self.described) do
    local text = text_of(one.facts, one.roles)
    if text then texts[#texts + 1] = #self.described > 1 and ("%s: %s"):format(one.name, text) or text end
  end
  return #texts > 0 and table.concat(texts, "; ") or nil
end

local function data_and_hash(self)
  local texts = {}
  for i, dataset in ipairs(self.provenance.datasets or {}) do
    texts[i] = ("%s, SHA-256 of the content %s"):format(dataset.name, dataset.hash)
  end
  return #texts > 0 and table.concat(texts, "; ") .. " (add a link or DOI)" or nil
end

local function code(self)
  local texts, seen = { "Crossfold " .. (self.provenance.crossfold or "of unknown version") }, {}
  for _, learner in ipairs(self.provenance.learners or {}) do
    local text = learner.plugin and ("%s %s"):format(learner.plugin, learner.plugin_version or "")
    if text and not seen[text] then seen[text], texts[#texts + 1] = true, text end
  end
  return table.concat(texts, ", ") .. " (add the version of the script)"
end

local function outcome(self)
  return by_dataset(self, function(facts, roles)
    if not roles.target then return nil end
    if not facts.classes then
      local column = facts:column(roles.target)
      return ("%s, mean %s, sd %s, from %s to %s"):format(roles.target, html.number(column.mean),
        html.number(column.sd), html.number(column.min), html.number(column.max))
    end
    local classes, more = contents.first(facts.classes, 10)
    local texts = {}
    for i, class in ipairs(classes) do texts[i] = ("%s %d"):format(class.value, class.count) end
    return ("%s: %s%s"):format(roles.target, table.concat(texts, ", "),
      more > 0 and (", and %d more classes"):format(more) or "")
  end)
end

local function sizes(self)
  return by_dataset(self, function(facts)
    return ("%s, %s"):format(html.count(facts.rows, "row"), html.count(facts.features, "feature"))
  end)
end

local function missing(self)
  return by_dataset(self, function(facts)
    local entries, columns = 0, 0
    for _, column in ipairs(facts.columns) do
      entries, columns = entries + column.missing, columns + (column.missing > 0 and 1 or 0)
    end
    if entries == 0 then return "no entry is missing" end
    return ("%s missing, in %d of %d columns"):format(html.count(entries, "entry is", "entries are"), columns,
      #facts.columns)
  end)
end

local function excluded(self)
  return by_dataset(self, function(facts)
    return ("%s when the data were read"):format(facts.dropped_rows == 0 and "no row was left out"
      or html.count(facts.dropped_rows, "row was left out", "rows were left out"))
  end)
end

local function models(self)
  local texts = {}
  for i, learner in ipairs(self.provenance.learners or {}) do
    texts[i] = ("%s = %s"):format(learner.name, native.short_spec(learner.learner))
  end
  return #texts > 0 and table.concat(texts, "; ") or nil
end

-- Whether learner `name` consists of plugins only: then nothing in it chose a setting.
local function is_plain(self, name)
  local job = contents.job(self, name, self.datasets[1])
  return job ~= nil and native.kind(job.learner) == "learner"
end

-- The learners with transforms, whose definition has them before a bar.
local function transforms(self)
  local texts = {}
  for _, learner in ipairs(self.provenance.learners or {}) do
    if learner.learner:find("|", 1, true) then
      texts[#texts + 1] = ("%s = %s"):format(learner.name, native.short_spec(learner.learner))
    end
  end
  if #texts > 0 then return table.concat(texts, "; ") end
  for _, learner in ipairs(self.learners) do
    if not is_plain(self, learner) then return nil end
  end
  return "no learner has a transform before it (add what was done before the data were read)"
end

local function splits(self)
  local text = self.provenance.splitter
  return text and ("%s, seed %s; all scores are of rows that the model was not fitted on"):format(
    native.short_spec(text), tostring(self.provenance.seed or "unknown")) or nil
end

-- What is known of the choice of settings; nil if a learner without a table of what it chose may have searched.
local function selection(self)
  local names, all_plain = {}, true
  for _, learner in ipairs(self.learners) do
    if pcall(self.result.tuning, self.result, learner, { dataset = self.datasets[1] }) then
      names[#names + 1] = ("'%s'"):format(learner)
    end
    all_plain = all_plain and is_plain(self, learner)
  end
  if #names > 0 then
    return ("%s chose inside the training rows of each split; see Tuning"):format(table.concat(names, ", "))
  end
  return all_plain and "no setting was searched" or nil
end

local function baselines(self)
  for _, learner in ipairs(self.provenance.learners or {}) do
    if learner.learner:find("featureless", 1, true) then
      return ("'%s' predicts without features; see Scores"):format(learner.name)
    end
  end
end

local function separation(self)
  return #self.failures == 0 and self.provenance.splitter
    and "transforms, thresholds and searches were fitted on the training rows of each split only" or nil
end

local function dependencies(self)
  return by_dataset(self, function(facts, roles)
    local text = roles.groups and ("rows of one group (%s) are on one side of a split if the splitter says so")
      :format(roles.groups) or "no groups are declared"
    return ("%s; %s"):format(facts.duplicate_rows == 0 and "no row has a duplicate"
      or html.count(facts.duplicate_rows, "row is a duplicate", "rows are duplicates"), text)
  end)
end

local function metrics(self) return table.concat(self.metrics, ", ") end

local function uncertainty(self)
  local place, texts = 1, {}
  for m, name in ipairs(self.metrics) do place = name == self.metric and m or place end
  for i, row in ipairs(contents.first(interval.of_jobs(self.result, place), 10)) do
    local job = self.result.jobs[i]
    if row.low then
      texts[#texts + 1] = ("%s%s %s to %s"):format(job.learner_name, #self.datasets > 1 and " on " .. job.dataset or "",
        html.number(row.low), html.number(row.high))
    end
  end
  return #texts > 0 and ("95 %% intervals of %s: %s"):format(self.metric, table.concat(texts, "; ")) or nil
end

local function tests(self)
  local rows = self.comparison and #self.learners > 1 and self.comparison:rows { learner = self.order[1] }
  return rows and rows[1] and rows[1].test and ("%s; see Comparison"):format(rows[1].test) or nil
end

-- The items in the order of the paper: number, what is to be reported in our words, and what the result knows.
local items = {
  { "Study goals" },
  { "1a", "population or distribution of the claim" },
  { "1b", "why this population" },
  { "1c", "why machine learning" },
  { "Computational reproducibility" },
  { "2a", "data, with a link or DOI", data_and_hash },
  { "2b", "code and its version", code },
  { "2c", "computers that were used" },
  { "2d", "a README with instructions" },
  { "2e", "a script that makes all results" },
  { "Data quality" },
  { "3a", "source and time of the data, and of the labels" },
  { "3b", "the set that the data were sampled from" },
  { "3c", "why the data suit the task" },
  { "3d", "outcome variable, and its distribution", outcome },
  { "3e", "number of samples", sizes },
  { "3f", "share of missing data", missing },
  { "3g", "whether the data represent the population" },
  { "Data preprocessing" },
  { "4a", "samples that were left out, and why", excluded },
  { "4b", "impossible or corrupt samples" },
  { "4c", "transformations of the data", transforms },
  { "Modeling" },
  { "5a", "all models that were trained", models },
  { "5b", "why these models" },
  { "5c", "how they were evaluated: splits, folds", splits },
  { "5d", "how the model was selected", selection },
  { "5e", "hyperparameters, and how they were chosen", selection },
  { "5f", "baselines", baselines },
  { "Data leakage" },
  { "6a", "separation of training and test rows", separation },
  { "6b", "dependent or duplicate rows", dependencies },
  { "6c", "whether every feature is known when predictions are made" },
  { "Metrics and uncertainty" },
  { "7a", "metrics", metrics },
  { "7b", "uncertainty of the scores", uncertainty },
  { "7c", "statistical tests", tests },
  { "Generalizability and limitations" },
  { "8a", "evidence of external validity" },
  { "8b", "where the findings should not hold" },
}

local function table_of(self)
  local rows, filled, n, module = {}, 0, 0, nil
  for _, item in ipairs(items) do
    if #item == 1 then
      module = item[1]
    else
      local text = item[3] and item[3](self)
      n, filled = n + 1, filled + (text and 1 or 0)
      rows[#rows + 1] = { module = module, item = item[1], report = item[2],
        answer = text and html.text(text) or '<span class="blank">to be filled in by the authors</span>' }
    end
  end
  return rows, filled, n
end

function reforms.write(_, self)
  self.provenance, self.described = self.result:provenance(), described(self)
  local rows, filled, n = table_of(self)
  return html.paragraph(("%d of the %d items of REFORMS (Kapoor et al. 2024, doi:10.1126/sciadv.adk3452) are filled in "
    .. "from what this result knows. The others only the authors can report."):format(filled, n))
    .. html.details("The checklist", html.table("REFORMS checklist", {
      { title = "module" }, { title = "item", head = true }, { title = "to report", key = "report" },
      { title = "this result", key = "answer", html = true },
    }, rows))
end

return reforms
