-- Reads a result of cf.evaluate from a store: its design and what cells do not have from the findings
-- (see stored/findings.lua), everything else from the cells. A fold without a cell is `missing`, which says why.
local native = require "crossfold.native"
local metric = require "crossfold.metric"
local options = require "crossfold.options"
local outer_folds = require "crossfold.outer_folds"
local provenance = require "crossfold.result.provenance"
local result = require "crossfold.result.result"
local stored_metric = require "crossfold.stored.metric"
local tries = require "crossfold.tries"

local stored_result = {}

local not_computed = "not computed yet"
local is_damaged = "damaged in the store"

-- Something that has a name and nothing else, as a learner that was in the script.
local function named(text)
  return setmetatable({}, { __tostring = function() return text end, __name = "crossfold.Stored" })
end

local function append(list, more)
  table.move(more, 1, #more, #list + 1, list)
end

local function append_new(list, more)
  local known = options.set_of(list)
  for _, name in ipairs(more) do
    if not known[name] then list[#list + 1] = name end
  end
end

-- Raises unless `value` is of a type: findings are foreign bytes.
local function require_type(value, wanted, what)
  if type(value) ~= wanted then
    error(("its %s is a %s, not a %s"):format(what, type(value), wanted), 0)
  end
  return value
end

local function check_rows(list, fields, what)
  for i, row in ipairs(require_type(list, "table", what)) do
    require_type(row, "table", ("%s %d"):format(what, i))
    for name, wanted in pairs(fields) do
      require_type(row[name], wanted, ("%s %d: %s"):format(what, i, name))
    end
  end
end

-- Raises what a design lacks.
local function check_design(design)
  require_type(design, "table", "design")
  check_rows(design.learners, { name = "string", text = "string", seed = "number" }, "learner")
  check_rows(design.datasets, { name = "string", rows = "number", hash = "string", folds = "table" }, "dataset")
  for _, row in ipairs(design.datasets) do
    if row.refusal ~= nil then require_type(row.refusal, "string", "refusal") end
    for _, key in ipairs(require_type(row.metric_keys or {}, "table", "metric keys")) do
      require_type(key, "string", "metric key")
    end
    for _, note in ipairs(require_type(row.notes or {}, "table", "notes")) do
      require_type(note, "string", "note")
    end
  end
  check_rows(design.metrics, { text = "string" }, "metric")
  if #design.metrics == 0 then error("it has no metric", 0) end
  for i, row in ipairs(design.learners) do
    if not math.tointeger(row.seed) then
      error(("the seed of learner %d is not an integer"):format(i), 0)
    end
  end
  require_type(design.keep, "string", "keep")
  require_type(design.cell_keep, "string", "cell_keep")
  require_type(design.splitter, "string", "splitter")
  require_type(design.seed, "number", "seed")
  if design.fallback then
    check_rows({ design.fallback }, { name = "string", text = "string", seed = "number" }, "fallback")
  end
end

-- More folds than any experiment has: a small file must not ask for all memory.
local most_folds = 5000000

-- Raises if the numbers of folds of a design are none, or not those of its splits.
local function check_folds(design, splits)
  local all = 0
  for _, dataset in ipairs(design.datasets) do
    local count = 0
    for _, n in ipairs(dataset.folds) do
      if math.type(n) ~= "integer" or n < 0 or n > most_folds then
        error(("dataset '%s' has no number of folds"):format(dataset.name), 0)
      end
      count = count + n
    end
    local known = splits[dataset.name] and #splits[dataset.name].splits
    if known and known ~= count then
      error(("dataset '%s' has %d splits, not %d"):format(dataset.name, known, count), 0)
    end
    all = all + count * #design.learners
    if all > most_folds then error(("it has more than %d folds"):format(most_folds), 0) end
  end
end

local function wants_probabilities(design, metrics)
  local wants = design.cell_keep == "probabilities"
  for m = 1, #metrics do wants = wants or metric.needs_probabilities(metrics[m]) end
  return wants
end

-- The cells of a learner by split, or nil. `keys[s]` is the key of what ran on split s; "" = look for none.
local function cells_of(context, job, name, seed, keys)
  local repeats, folds, any = {}, {}, false
  for s, fold in ipairs(job.folds) do
    repeats[s], folds[s] = fold.repeat_, fold.fold
    any = any or keys[s] ~= ""
  end
  if not any then return nil end
  local cells, damaged = context.ledger:cells {
    learner = name, dataset = job.dataset, splits = job.splits, seed = math.tointeger(seed),
    probabilities = context.probabilities, keep = context.design.cell_keep, repeats = repeats,
    folds = folds, keys = keys,
  }
  append(context.damaged, damaged)
  return cells
end

local function key_of(repeat_, fold) return ("%d %d"):format(repeat_, fold) end

-- The folds that were put together under a name, by repeat and fold.
local function composed_of(context, name, dataset)
  local by_name = context.composed[dataset] or {}
  context.composed[dataset] = by_name
  if not by_name[name] then
    local found = {}
    local list, damaged = context.ledger:composed(name, dataset)
    append_new(context.damaged, damaged)
    for _, entry in ipairs(list) do found[key_of(entry.repeat_, entry.fold)] = entry end
    by_name[name] = found
  end
  return by_name[name]
end

local function is_failure(value)
  return type(value) == "table" and type(value.stage) == "string" and type(value.message) == "string"
    and (value.cause == nil or type(value.cause) == "string")
end

local function check_scores(row)
  for _, name in ipairs { "values", "reasons" } do
    local wanted = name == "values" and "number" or "string"
    for _, value in pairs(require_type(row[name] or {}, "table", name)) do
      if value ~= false then require_type(value, wanted, "element of " .. name) end
    end
  end
end

local optional = {
  composed = "string", cell = "string", from = "table", warnings = "table", tries = "table", tuning = "table",
  regions = "table", n_train = "number", n_test = "number",
}

-- Raises what is wrong with the intervals or sets of a fold.
local function check_regions(regions)
  require_type(regions.coverage, "number", "regions.coverage")
  require_type(regions.guarantee, "string", "regions.guarantee")
  for _, name in ipairs { "low", "high" } do
    local list = regions.sets == nil and require_type(regions[name], "table", "regions." .. name) or {}
    for _, bound in ipairs(list) do require_type(bound, "number", "element of regions." .. name) end
  end
  for _, set in ipairs(require_type(regions.sets or {}, "table", "regions.sets")) do
    for _, class in ipairs(require_type(set, "table", "set")) do require_type(class, "string", "class of a set") end
  end
end

-- Raises what is wrong with the row of a fold.
local function check_row(row)
  for name, wanted in pairs(optional) do
    if row[name] ~= nil then require_type(row[name], wanted, name) end
  end
  for _, name in ipairs { "failure", "fallback" } do
    if row[name] ~= nil and not is_failure(row[name]) then error(name .. " is none", 0) end
  end
  for _, name in ipairs(options.sorted_keys(row.from or {})) do
    require_type(row.from[name], "string", "from." .. name)
  end
  for _, text in ipairs(row.warnings or {}) do require_type(text, "string", "warning") end
  for _, text in ipairs(row.tries or {}) do require_type(text, "string", "try") end
  if row.regions then check_regions(row.regions) end
  check_scores(row)
end

-- The row of split s of job `number`, or nil, and whether it is damaged; such a one is reported and left out.
local function row_of(context, number, s)
  if not context.any_row and not context.any_lost then return nil, false end
  local name = ("%d %d"):format(number, s)
  local place = ("what experiment %d noted (fold %s)"):format(context.number, name)
  local row = context.rows[name]
  local ok, problem = pcall(check_row, row or {})
  if ok then return row, context.lost[place] end
  append(context.damaged, { ("%s: %s"):format(place, tostring(problem)) })
  return nil, true
end

-- What a row of a fold says of a list with `false` for what is not there.
local function opened(list)
  local made = {}
  for i, value in pairs(list) do
    if value ~= false then made[i] = value end
  end
  return made
end

local function take_values(fold, row)
  fold.values, fold.reasons = opened(row.values or {}), opened(row.reasons or {})
  fold.n_train, fold.n_test = row.n_train, row.n_test
end

-- Gives a fold the prediction of an entry, if the experiment kept it.
local function take_prediction(fold, prediction, design)
  if design.keep == "none" then return end
  fold.prediction = prediction
  fold.unkept = not prediction or nil
end

-- Gives a fold the intervals or sets of its row, if they are those of its prediction.
local function take_regions(fold, regions)
  if not (regions and fold.prediction) then return end
  local n = #fold.prediction
  if regions.sets and #regions.sets == n or regions.low and #regions.low == n and #regions.high == n then
    fold.regions = regions
  end
end

-- A canonical copy has no seconds, and nothing takes none.
local function seconds_of(cells, s)
  local fit, predict = cells:seconds(s)
  if fit == 0 and predict == 0 then return nil end
  return fit, predict
end

-- What folds read of their cells when somebody asks, as it would take much memory in all of them.
local readers = {
  prediction = function(cells, s) return cells:prediction(s) end,
  n_train = function(cells, s) return (cells:sizes(s)) end,
  n_test = function(cells, s) return (select(2, cells:sizes(s))) end,
  fit_s = function(cells, s) return (seconds_of(cells, s)) end,
  predict_s = function(cells, s) return (select(2, seconds_of(cells, s))) end,
}

-- The metatable of folds that are cells of their split.
local function reads_from(cells, keep)
  return { __index = function(fold, name)
    local read = readers[name]
    if read == nil or name == "prediction" and keep == "none" then return nil end
    return read(cells, fold.split)
  end }
end

-- A score that the store lacks is computed where the prediction is there.
local function score_of(one, key, cells, s)
  local value, reason = cells:score(s, key)
  if value == nil and reason == nil then
    if cells:has_prediction(s) and not metric.is_lua(one) then return metric.score(one, cells:prediction(s)) end
    reason = cells:damaged_scores(s) > 0 and is_damaged or "the store has no score of it"
  end
  return value, reason
end

-- Gives a fold what cell s has; `reading` is the metatable of such folds.
local function take_cell(context, fold, cells, s, row, reading, keys)
  tries.take_warnings(fold, cells:warnings(s))
  fold.failure = cells:failure(s)
  if fold.failure then return end
  if row and row.values then
    fold.values, fold.reasons = opened(row.values), opened(row.reasons or {})
  else
    fold.values, fold.reasons = {}, {}
    for m = 1, #context.metrics do
      local key = keys and keys[m] or context.design.metrics[m].key or context.design.metrics[m].text
      fold.values[m], fold.reasons[m] = score_of(context.metrics[m], key, cells, s)
    end
  end
  if context.design.keep ~= "none" and not cells:has_prediction(s) then fold.unkept = true end
  setmetatable(fold, reading)
end

local function set_missing(context, fold, why)
  fold.missing, fold.values, fold.reasons = why, {}, {}
  for m = 1, #context.metrics do fold.reasons[m] = why end
end

local finished = { ok = true, failed = true }

-- `lost` = whether the row is damaged.
local function fill(context, job, fold, row, cells, lost, reading, metric_keys)
  local s, state = fold.split, cells and cells:state(fold.split)
  if row then fold.tuning, fold.warnings = row.tuning, row.warnings end
  if row and row.fallback then
    fold.fallback = row.fallback
    take_values(fold, row)  -- the prediction comes with those of the fallback
  elseif row and row.failure then
    fold.failure, fold.tries = row.failure, row.tries
  elseif row and row.composed then
    take_values(fold, row)
    local composed = composed_of(context, row.composed, job.dataset)[key_of(fold.repeat_, fold.fold)]
    take_prediction(fold, composed and composed.prediction, context.design)
    take_regions(fold, row.regions)
  elseif finished[state] then
    take_cell(context, fold, cells, s, row, reading, metric_keys)
  else
    set_missing(context, fold, (lost or state == "damaged") and is_damaged or not_computed)
  end
end

-- Gives a fold what the fallback has of its split: in the cells, or put together.
local function take_fallback(context, job, fold, row, cells)
  local prediction, from = nil, row.from
  if from and from.composed then
    local entry = composed_of(context, from.composed, job.dataset)[key_of(fold.repeat_, fold.fold)]
    prediction = entry and entry.prediction
  elseif cells and finished[cells:state(fold.split)] then
    prediction = cells:prediction(fold.split)
    fold.fit_s, fold.predict_s = seconds_of(cells, fold.split)
  end
  take_prediction(fold, prediction, context.design)
  take_regions(fold, row.regions)
end

-- Gives the folds that have the scores of the fallback its predictions.
local function take_fallbacks(context, job, rows)
  local keys, learner = {}, nil
  for s, fold in ipairs(job.folds) do
    local from = fold.fallback and rows[s].from or {}
    keys[s] = from.cell or ""
    learner = learner or from.learner
  end
  if not learner then return end
  local cells = cells_of(context, job, learner, context.design.fallback.seed, keys)
  for s, fold in ipairs(job.folds) do
    if fold.fallback then take_fallback(context, job, fold, rows[s], cells) end
  end
end

-- The folds of a job, empty, with the numbers of folds of each repeat.
local function new_folds(counts)
  local folds = {}
  for repeat_, n in ipairs(counts) do
    for fold = 1, n do
      -- With room for all fields of most folds: there may be a million.
      folds[#folds + 1] = { repeat_ = repeat_, fold = fold, split = #folds + 1, values = nil, reasons = nil }
    end
  end
  return folds
end

local function job_of(context, number, dataset, learner)
  local splits = context.splits[dataset.name]
  local job = {
    dataset = dataset.name, data = splits and splits.data, splits = splits and splits.splits,
    learner_name = learner.name, seed = learner.seed, folds = {}, refusal = dataset.refusal,
  }
  if job.refusal then
    job.folds[1] = outer_folds.refused(job.refusal)
    return job
  end
  local rows, lost, keys = {}, {}, {}
  job.folds = new_folds(dataset.folds)
  for s = 1, #job.folds do
    rows[s], lost[s] = row_of(context, number, s)
    keys[s] = learner.key or rows[s] and rows[s].cell or ""
    if rows[s] and (rows[s].fallback or rows[s].failure) then keys[s] = "" end
  end
  local cells = cells_of(context, job, learner.name, learner.seed, keys)
  local reading = cells and reads_from(cells, context.design.keep)
  for s, fold in ipairs(job.folds) do
    fill(context, job, fold, rows[s], cells, lost[s], reading, dataset.metric_keys)
  end
  take_fallbacks(context, job, rows)
  return job
end

local function provenance_of(design)
  local learners, datasets = {}, {}
  for i, row in ipairs(design.learners) do
    learners[i] = { name = row.name, learner = row.text, plugin = row.plugin,
      plugin_version = row.plugin_version, plugin_sha256 = row.plugin_sha256,
      imported_sha256 = row.imported_sha256 }
  end
  for i, row in ipairs(design.datasets) do
    datasets[i] = { name = row.name, rows = row.rows, hash = row.hash, dropped_rows = row.dropped_rows,
      lockbox = provenance.stored_lockbox(row.lockbox) }
  end
  return { crossfold = design.crossfold, seed = design.seed, splitter = design.splitter,
    learners = learners, datasets = datasets }
end

local function splitter_of(text)
  local ok, made = pcall(native.spec_of_text, "splitter", text)
  return ok and made or named(text)
end

-- A learner of the plan.
local function entry_of(row)
  return { name = row.name, learner = named(row.text), seed = math.tointeger(row.seed),
    in_lua = row.in_lua == true or nil, plugin = row.plugin, plugin_version = row.plugin_version,
    plugin_sha256 = row.plugin_sha256, imported_sha256 = row.imported_sha256 }
end

local function plan_of(context, path)
  local design = context.design
  local plan = {
    metrics = context.metrics, splitter = splitter_of(design.splitter), seed = design.seed,
    keep = design.keep, cell_keep = design.cell_keep, how = { store = path }, stored = true,
    provenance = provenance_of(design), learners = {}, datasets = {}, isolate = {},
    fallback = design.fallback and entry_of(design.fallback) or nil,
  }
  for i, row in ipairs(design.learners) do plan.learners[i] = entry_of(row) end
  for i, row in ipairs(design.datasets) do
    local splits = context.splits[row.name]
    plan.datasets[i] = { name = row.name, data = splits and splits.data, notes = row.notes,
      refusal = row.refusal }
  end
  return plan
end

-- The result of an experiment: `design` and `rows` (of folds, by name) are decoded findings, `splits`
-- those of its datasets, by name. Appends to `damaged`. Raises a text if the design is none.
function stored_result.new(experiment, ledger, path, damaged, known_metrics)
  check_design(experiment.design)
  check_folds(experiment.design, experiment.splits)
  local metrics = {}
  for m, row in ipairs(experiment.design.metrics) do
    metrics[m] = stored_metric.new(row, known_metrics)
  end
  local context = {
    ledger = ledger, number = experiment.number, design = experiment.design,
    rows = experiment.rows, splits = experiment.splits,
    damaged = damaged, lost = options.set_of(damaged), composed = {}, metrics = metric.list(metrics, "stored"),
  }
  context.any_row, context.any_lost = next(context.rows) ~= nil, #damaged > 0
  context.probabilities = wants_probabilities(context.design, context.metrics)
  local jobs = {}
  for _, dataset in ipairs(context.design.datasets) do
    for _, learner in ipairs(context.design.learners) do
      jobs[#jobs + 1] = job_of(context, #jobs + 1, dataset, learner)
    end
  end
  return result.new(jobs, plan_of(context, path))
end

-- Stores without findings ----------------------------------------------------------------------------

-- The splits of a job, if those of all its folds are there.
local function joined_splits(entries)
  local parts, seen, n = {}, {}, 0
  for _, entry in ipairs(entries) do
    local lists = entry.splits and entry.splits:design().kind == "lists"
    local key = lists and entry.fold or entry.repeat_
    if entry.splits and (lists or not seen[key]) then
      seen[key] = true
      parts[#parts + 1] = entry.splits
      n = n + #entry.splits
    end
  end
  if n ~= #entries then return nil end
  local ok, joined = pcall(native.join_splits, parts)
  return ok and joined or nil
end

-- The entries of a job as its cells: what lua/stored_cells_binding.h has of cells.
local entry_cells = {}
entry_cells.__index = entry_cells

function entry_cells:score(s, key) return self[s].scores[key], self[s].reasons[key] end
function entry_cells:damaged_scores(s) return self[s].damaged_scores end
function entry_cells:failure(s) return self[s].failure end
function entry_cells:warnings(s) return #self[s].warnings > 0 and self[s].warnings or nil end
function entry_cells:sizes(s) return self[s].n_train, self[s].n_test end
function entry_cells:seconds(s) return self[s].fit_s, self[s].predict_s end
function entry_cells:has_prediction(s) return self[s].prediction ~= nil end
function entry_cells:prediction(s) return self[s].prediction end

local function old_fold(context, entries, split, reading)
  local entry = entries[split]
  local fold = { repeat_ = entry.repeat_, fold = entry.fold, split = split }
  if not entry.finished then
    set_missing(context, fold, not_computed)
  elseif entry.candidate == "" and not entry.ok then
    fold.failure = { stage = "fit " .. entry.learner, message = entry.failure.message }
  else
    take_cell(context, fold, entries, split, nil, reading)
  end
  return fold
end

-- One result of entries with the same occurrence.
local function result_of_entries(entries, path)
  local metrics, keep, known = {}, "labels", stored_metric.known()
  for _, entry in ipairs(entries) do
    for _, name in ipairs(entry.metric_names or {}) do metrics[name] = true end
    if entry.prediction and entry.prediction:probabilities() then keep = "probabilities" end
  end
  local design = { learners = {}, datasets = {}, metrics = {}, keep = keep, cell_keep = keep,
    splitter = "unknown" }
  local list = {}
  for i, name in ipairs(options.sorted_keys(metrics)) do
    design.metrics[i] = { text = name }
    list[i] = stored_metric.new({ text = name, direction = 0 }, known)
  end
  if #list == 0 then return nil end
  local context = { design = design, metrics = metric.list(list, "stored"), splits = {} }
  local jobs, by_names, taken = {}, {}, { learners = {}, datasets = {} }
  for _, entry in ipairs(entries) do
    local key = ("%d:%s%s"):format(#entry.learner, entry.learner, entry.dataset)
    local job = by_names[key]
    if not job then
      job = { dataset = entry.dataset, learner_name = entry.learner, data = entry.data, folds = {},
        entries = setmetatable({}, entry_cells) }
      job.reading = reads_from(job.entries, keep)
      by_names[key], jobs[#jobs + 1] = job, job
    end
    job.entries[#job.entries + 1] = entry
    job.folds[#job.folds + 1] = old_fold(context, job.entries, #job.entries, job.reading)
    if not taken.learners[entry.learner] then
      taken.learners[entry.learner] = true
      table.insert(design.learners, { name = entry.learner, text = entry.candidate })
    end
    if not taken.datasets[entry.dataset] then
      taken.datasets[entry.dataset] = true
      table.insert(design.datasets, { name = entry.dataset, rows = entry.data and #entry.data,
        hash = entry.data and entry.data:hash() })
    end
  end
  for _, job in ipairs(jobs) do
    job.splits, job.entries, job.reading = joined_splits(job.entries), nil, nil
  end
  return result.new(jobs, plan_of(context, path))
end

-- The results of a run that noted nothing, as one of an older Crossfold: what its outer cells have.
-- Folds that were never asked for are not known to be missing, and neither are metrics that no fold
-- has.
function stored_result.of_cells(ledger, path, damaged)
  local entries, problems = ledger:entries()
  append(damaged, problems)
  local by_occurrence, n, results = {}, 0, {}
  for _, entry in ipairs(entries) do
    local list = by_occurrence[entry.occurrence] or {}
    by_occurrence[entry.occurrence] = list
    list[#list + 1] = entry
    n = math.max(n, entry.occurrence)
  end
  for occurrence = 1, n do
    local list = by_occurrence[occurrence]
    results[#results + 1] = list and result_of_entries(list, path)
  end
  return results
end

return stored_result
