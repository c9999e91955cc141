-- Notes in a store what experiments have beyond their cells, so that cf.stored can read them back: JSON texts
-- in the table `findings`. What one experiment noted has its number in the run; kinds are
--   evaluate          the design, when it begins: learners, datasets, metrics, splitter, seeds, and the
--                     study that it belongs to (learning_curve, bias_variance), if it does
--   dataset           by name: the splits of one of its datasets
--   fold              "job split" by number (jobs: dataset by dataset, learner by learner): what the
--                     cell of a fold does not have
--   validation_curve, bootstrap_632, variance, repeat_until
--                     all of it, when it ends
--
-- Values of Lua that JSON lacks are objects with one member: { "#number": "inf" }, { "#bytes": hex },
-- { "#pairs": [[key, value], ...] } for a table that is neither a list nor has names only.
local native = require "crossfold.native"
local json_string = require "crossfold.text.json_string"
local learner = require "crossfold.learner"
local metric = require "crossfold.metric"
local provenance = require "crossfold.result.provenance"
local run = require "crossfold.run"

local findings = {}

local deepest = 50

local function text_form(text)
  if utf8.len(text) then return json_string(text) end
  local hex = text:gsub(".", function(c) return ("%02x"):format(c:byte()) end)
  return '{"#bytes":"' .. hex .. '"}'
end

local function number_form(x)
  if math.type(x) == "integer" then return ("%d"):format(x) end
  if x ~= x then return '{"#number":"nan"}' end
  if x == math.huge then return '{"#number":"inf"}' end
  if x == -math.huge then return '{"#number":"-inf"}' end
  local text = native.format_number(x)
  return text:find("[.e]") and text or text .. ".0"
end

local encode

-- Keys by type, then by value: `pairs` has another order in every process.
local function before(a, b)
  if type(a) ~= type(b) then return type(a) < type(b) end
  return a < b
end

-- The keys of a table in order, whether it is a list, and whether all keys are names.
local function keys_of(value)
  local keys, is_list, is_object = {}, true, true
  for key in pairs(value) do
    if type(key) == "string" or type(key) == "number" then keys[#keys + 1] = key end
  end
  table.sort(keys, before)
  for i, key in ipairs(keys) do
    is_list = is_list and key == i
    is_object = is_object and type(key) == "string" and key:sub(1, 1) ~= "#" and utf8.len(key) ~= nil
  end
  return keys, is_list and #keys > 0, is_object
end

local function table_form(value, depth)
  if depth > deepest then error("it is nested too deeply", 0) end
  local keys, is_list, is_object = keys_of(value)
  local parts = {}
  for _, key in ipairs(keys) do
    local form = encode(value[key], depth + 1)
    if is_list then
      parts[#parts + 1] = form or "null"
    elseif form and is_object then
      parts[#parts + 1] = json_string(key) .. ":" .. form
    elseif form then
      parts[#parts + 1] = "[" .. encode(key, depth) .. "," .. form .. "]"
    end
  end
  local inside = table.concat(parts, ",")
  if is_list then return "[" .. inside .. "]" end
  return is_object and "{" .. inside .. "}" or '{"#pairs":[' .. inside .. "]}"
end

local forms = { boolean = tostring, number = number_form, string = text_form, table = table_form }

-- nil for what cannot be written, as a function.
function encode(value, depth)
  if value == native.null then return "null" end
  local form = forms[type(value)]
  return form and form(value, depth)
end

-- A table as JSON text with sorted keys. What cannot be written, as functions and objects of the
-- library, is left out. Raises a text if it is nested more than 50 deep.
function findings.encode(value) return encode(value, 1) end

local numbers = { nan = 0 / 0, inf = math.huge, ["-inf"] = -math.huge }
local tags = {
  ["#number"] = function(name) return numbers[name] end,
  ["#bytes"] = function(hex)
    if type(hex) ~= "string" then return nil end
    return (hex:gsub("%x%x", function(pair) return string.char(tonumber(pair, 16)) end))
  end,
  ["#pairs"] = function(list)
    local made = {}
    for _, pair in ipairs(type(list) == "table" and list or {}) do
      local key = type(pair) == "table" and pair[1]
      if type(key) == "string" or type(key) == "number" and key == key then
        made[key] = findings.decode(pair[2])
      end
    end
    return made
  end,
}

-- The value that encode wrote, of JSON as ledger:findings gives it. Foreign bytes: anything may come.
function findings.decode(value)
  if type(value) ~= "table" then return value end
  local name, content = next(value)
  if tags[name] and next(value, name) == nil then return tags[name](content) end
  local made = {}
  for key, field in pairs(value) do made[key] = findings.decode(field) end
  return made
end

-- Designs -------------------------------------------------------------------------------------------

local metric_numbers = setmetatable({}, { __mode = "k" })
local n_metrics = 0

-- Tells metrics in Lua of one name apart: results of the same metric can be compared.
local function number_of(value)
  if not metric_numbers[value] then
    n_metrics = n_metrics + 1
    metric_numbers[value] = n_metrics
  end
  return metric_numbers[value]
end

-- What a stored result needs to know of a metric.
function findings.metric(value)
  local row = {
    text = metric.name(value), direction = metric.direction(value),
    needs_probabilities = metric.needs_probabilities(value),
  }
  if metric.is_lua(value) then row.lua = number_of(value) else row.key = native.metric_key(value) end
  return row
end

local function learner_of(entry)
  local row = {
    name = entry.name, text = learner.name(entry.learner),
    key = native.kind(entry.learner) == "learner" and native.learner_key(entry.learner) or nil,
    seed = entry.seed, in_lua = entry.in_lua,
  }
  local found = provenance.learner(entry.name, entry.learner)
  if not (found.plugin or found.imported_sha256) then found = entry end  -- of a stored result
  for _, field in ipairs { "plugin", "plugin_version", "plugin_sha256", "imported_sha256" } do
    row[field] = found[field]
  end
  return row
end

-- How many folds each repeat has; one if there are no splits.
local function folds_of(splits)
  if not splits then return { 1 } end
  local folds = {}
  for s = 1, #splits do
    local repeat_ = splits:place(s)
    folds[repeat_] = (folds[repeat_] or 0) + 1
  end
  return folds
end

local function splits_of(jobs, name)
  for _, job in ipairs(jobs) do
    if job.dataset == name then return job.splits end
  end
end

-- The keys of the scores in the store where the data have a positive class: they are those of metrics of it.
local function keys_for(metrics, data)
  if not data:roles().positive then return nil end
  local keys = {}
  for m = 1, #metrics do
    keys[m] = metrics.index[m] and native.metric_key(metrics[m], data) or metric.name(metrics[m])
  end
  return keys
end

local function design_of(plan, jobs, study)
  local design = {
    crossfold = native.version, seed = plan.seed, keep = plan.keep, cell_keep = plan.cell_keep,
    splitter = tostring(plan.splitter), study = study, learners = {}, datasets = {}, metrics = {},
    on_error = plan.stopped and "stop" or plan.fallback and "fallback" or "record",
  }
  for i, entry in ipairs(plan.learners) do design.learners[i] = learner_of(entry) end
  for i, entry in ipairs(plan.datasets) do
    local row = provenance.dataset(entry.name, entry.data)
    row.task, row.folds = entry.data:task(), folds_of(splits_of(jobs, entry.name))
    row.metric_keys = keys_for(plan.metrics, entry.data)
    row.refusal, row.notes = entry.refusal, entry.notes and #entry.notes > 0 and entry.notes or nil
    design.datasets[i] = row
  end
  for m = 1, #plan.metrics do design.metrics[m] = findings.metric(plan.metrics[m]) end
  if plan.fallback then design.fallback = learner_of(plan.fallback) end
  return design
end

-- Whether a store cannot find the folds of a learner again, as they are not cells.
local function is_in_lua(value)
  return native.kind(value) ~= "learner" and not value.resolve and not value.predict_on_split
end

-- Notes in the store, if there is one, what is evaluated: plan.experiment is its number then. An
-- evaluation inside a learner is not an experiment of the script.
function findings.begin(plan, jobs, study)
  if run.defaults().purpose or not native.has_store(plan.how) then return end  -- hashes of data take long
  for _, entry in ipairs(plan.learners) do entry.in_lua = is_in_lua(entry.learner) or nil end
  local list = {
    { kind = "evaluate", name = "", body = findings.encode(design_of(plan, jobs, study)) },
  }
  for _, entry in ipairs(plan.datasets) do
    list[#list + 1] = { kind = "dataset", name = entry.name, body = "{}",
      splits = splits_of(jobs, entry.name) }
  end
  plan.experiment = native.record_findings(plan.how, 0, list)
  for i, job in ipairs(jobs) do job.number = i end
end

-- Folds ---------------------------------------------------------------------------------------------

-- A list with holes as one without: `false` stands for them.
local function filled(list, n)
  local made = {}
  for i = 1, n do
    made[i] = list[i]
    if made[i] == nil then made[i] = false end
  end
  return made
end

-- A failure without what is not known of it.
local function failure_of(failure)
  return failure and { stage = failure.stage, code = failure.code, message = failure.message,
    cause = failure.cause }
end

-- Whether the cell of a fold has all of it, as for most folds.
local function is_plain(fold, plan)
  return not (fold.cell or fold.composed or fold.fallback or fold.failure or fold.warnings or fold.tuning
    or plan.metrics.any_lua)
end

local function fold_row(job, fold, plan)
  if is_plain(fold, plan) then return nil end
  local body = {
    cell = not fold.composed and fold.cell or nil, composed = fold.composed, from = fold.from, warnings = fold.warnings,
    failure = failure_of(fold.failure), fallback = failure_of(fold.fallback),
    tuning = fold.tuning, regions = fold.regions, tries = fold.failure and fold.tries,
  }
  local from_cell = not (fold.composed or fold.fallback or plan.metrics.any_lua or fold.warnings)
  if fold.values and not fold.failure and not from_cell then
    body.values = filled(fold.values, #plan.metrics)
    body.reasons = filled(fold.reasons, #plan.metrics)
    body.n_train, body.n_test = fold.n_train, fold.n_test
  end
  local ok, text = pcall(findings.encode, body)
  if not ok then  -- a search written in Lua may report anything
    body.tuning, body.tuning_lost = nil, tostring(text)
    text = findings.encode(body)
  end
  return { kind = "fold", name = ("%d %d"):format(job.number, fold.split), body = text }
end

-- Notes what the cells of these folds of a job do not have.
function findings.folds(job, folds, plan)
  if not (plan.experiment and job.number) then return end  -- a fallback's own folds
  local list = {}
  for _, fold in ipairs(folds) do
    local is_of_another_shard = fold.failure and fold.failure.of_another_shard
    if not is_of_another_shard then list[#list + 1] = fold_row(job, fold, plan) end
  end
  if #list > 0 then native.record_findings(plan.how, plan.experiment, list) end
end

-- The same for a result that is put into the store at `path` afterwards: all its folds are composed.
function findings.save(path, saved, names)
  local how, list = { store = path }, {}
  local design = design_of(saved.plan, saved.jobs, nil)
  for _, row in ipairs(design.learners) do row.key = nil end
  list[1] = { kind = "evaluate", name = "", body = findings.encode(design) }
  for _, entry in ipairs(saved.plan.datasets) do
    list[#list + 1] = { kind = "dataset", name = entry.name, body = "{}",
      splits = splits_of(saved.jobs, entry.name) }
  end
  for number, job in ipairs(saved.jobs) do
    for _, fold in ipairs(job.folds) do
      local copy = { composed = names[number], from = fold.fallback
        and { learner = names[number], composed = names[number] } }
      setmetatable(copy, { __index = fold })
      if not fold.missing then
        list[#list + 1] = fold_row({ number = number }, copy, saved.plan)
      end
    end
  end
  native.record_findings(how, 0, list)
end

-- Notes an experiment that has no cells, as a whole.
function findings.note(how, kind, body)
  if run.defaults().purpose then return end
  native.record_findings(how, 0, { { kind = kind, name = "", body = findings.encode(body) } })
end

return findings
