-- Defines the result of cf.evaluate. Rows are plain tables; nothing here is recomputed or rounded.
local native = require "crossfold.native"
local clipped = require "crossfold.result.clipped"
local findings = require "crossfold.stored.findings"
local first_use = require "crossfold.first_use"
local headline = require "crossfold.result.headline"
local lockbox = require "crossfold.lockbox.known"
local metric = require "crossfold.metric"
local options = require "crossfold.options"
local result_class = require "crossfold.result.class"
local outer_folds = require "crossfold.outer_folds"
local provenance = require "crossfold.result.provenance"
local score_row = require "crossfold.result.score_row"
local summary_table = require "crossfold.result.summary_table"
local nested_field = require "crossfold.result.nested_field"

local class_report = first_use.of "crossfold.result.class_report"
local confusion = first_use.of "crossfold.result.confusion"
local coverage = first_use.of "crossfold.conformal.coverage"
local curve = first_use.of "crossfold.curves.curve"
local interval = first_use.of "crossfold.interval.interval"
local search_result = first_use.of "crossfold.search.search_result"
local subgroups = first_use.of "crossfold.subgroups.subgroups"

local result = result_class.new "crossfold.Result"

function result.new(jobs, plan)
  return setmetatable({ jobs = jobs, plan = plan }, result)
end

-- Calls f(job, fold) for every learner, dataset and fold, in order.
local function each_fold(self, f)
  for _, job in ipairs(self.jobs) do
    for _, fold in ipairs(job.folds) do f(job, fold) end
  end
end

-- The class that each metric is of on the data of a job, or nil; see metric.class_of.
local function classes_of(self, job)
  local classes = {}
  for m = 1, #self.plan.metrics do
    classes[m] = job.data and metric.class_of(self.plan.metrics[m], job.data) or nil
  end
  return classes
end

-- One row per learner, dataset, fold and metric: { learner, dataset, repeat_, fold, metric, value,
-- undefined, fallback, positive }. `value` is nil where there is none, and `undefined` says why;
-- `fallback` is true if it is the fallback's; `positive` is the class that the value is of, if it is of one.
function result:scores()
  local rows, names = {}, {}
  for m = 1, #self.plan.metrics do names[m] = metric.name(self.plan.metrics[m]) end
  for _, job in ipairs(self.jobs) do
    local classes = classes_of(self, job)
    for _, fold in ipairs(job.folds) do
      for m, name in ipairs(names) do
        local row = score_row(job, fold, m, name)
        row.positive = classes[m]
        rows[#rows + 1] = row
      end
    end
  end
  return rows
end

-- How many folds are not computed yet, and of how many the store has what cannot be read.
local function count_missing(job)
  local missing, damaged = 0, 0
  for _, fold in ipairs(job.folds) do
    local why = fold.missing
    if why == "not computed yet" then
      missing = missing + 1
    elseif why then
      damaged = damaged + 1
    end
  end
  return missing, damaged
end

-- One row per learner, dataset and metric: { learner, dataset, metric, aggregation, folds, defined,
-- failed, fallback, mean, sd, min, max, median, mode } over the folds in which the metric is defined;
-- `fallback` of the folds have the scores of the fallback. What does not exist is absent: sd of one
-- value, the mode if no single value is the most frequent one. A stored result has `missing` where
-- folds are not computed yet, and `damaged` where what the store has of them cannot be read. Where `aggregation` is
-- another than the mean over folds (see result/headline.lua), `mean` is that number, or `undefined` says why there is
-- none, and `fold_mean` is the mean over folds. `clipped` rows gave their class a probability that the metric clips.
function result:summary()
  local rows = {}
  for _, job in ipairs(self.jobs) do
    local classes = classes_of(self, job)
    for m = 1, #self.plan.metrics do
      local found = headline.of(self, job, m)
      local values, failed, fallback, infinite = {}, 0, 0, nil
      local missing, damaged = count_missing(job)
      for _, fold in ipairs(job.folds) do
        if fold.fallback then fallback = fallback + 1 end
        if fold.failure then
          failed = failed + 1
        elseif fold.values[m] ~= nil then
          local value = fold.values[m]
          if value == math.huge or value == -math.huge then
            -- Infinities of both signs have no mean.
            infinite = (infinite == nil or infinite == value) and value or 0 / 0
          end
          values[#values + 1] = value
        end
      end
      local row = {
        learner = job.learner_name, dataset = job.dataset,
        metric = metric.name(self.plan.metrics[m]),
        aggregation = found.aggregation, folds = #job.folds, defined = #values, failed = failed,
        positive = classes[m], fallback = fallback, missing = missing > 0 and missing or nil,
        damaged = damaged > 0 and damaged or nil,
      }
      if infinite then
        row.mean = infinite == infinite and infinite or nil
      else
        local summary = native.summary(values)
        for _, key in ipairs { "mean", "sd", "min", "max", "median", "mode" } do
          row[key] = summary[key]
        end
      end
      row.clipped = (clipped.of(job, m, self.plan.metrics[m]) or {}).clipped
      if found.aggregation ~= headline.mean then
        row.fold_mean, row.mean, row.undefined = row.mean, found.value, found.undefined
      end
      rows[#rows + 1] = row
    end
  end
  return rows
end

-- Raises that several jobs fit, and names what has to be said of learner and dataset.
local function fail_to_select(self, learner_name, dataset, what)
  local missing = {}
  for _, side in ipairs { { "learner", "learner_name", learner_name }, { "dataset", "dataset", dataset } } do
    local names, seen = {}, {}
    for _, job in ipairs(self.jobs) do
      local name = job[side[2]]
      if not seen[name] then seen[name], names[#names + 1] = true, name end
    end
    if side[3] == nil and #names > 1 then
      missing[#missing + 1] = ("name the %s, one of: %s"):format(side[1], table.concat(names, ", "))
    end
  end
  native.fail("%s: several learners or datasets fit; %s", what, table.concat(missing, "; "))
end

-- Jobs of each result by names of learner and dataset, made on first use.
local indexes = setmetatable({}, { __mode = "k" })

local function job_called(self, learner_name, dataset)
  local index = indexes[self]
  if not index then
    index = {}
    for _, job in ipairs(self.jobs) do
      index[job.learner_name] = index[job.learner_name] or {}
      index[job.learner_name][job.dataset] = job
    end
    indexes[self] = index
  end
  return index[learner_name] and index[learner_name][dataset]
end

-- The jobs that `learner` and options.dataset name; both may be left out if there is one.
local function select_job(self, learner_name, dataset, what)
  local found = learner_name ~= nil and dataset ~= nil and job_called(self, learner_name, dataset)
  if found then return found end
  local known = {}
  for _, job in ipairs(self.jobs) do
    known[#known + 1] = job.learner_name
    if (learner_name == nil or job.learner_name == learner_name) and (dataset == nil or job.dataset == dataset) then
      if found then fail_to_select(self, learner_name, dataset, what) end
      found = job
    end
  end
  if not found then
    native.fail("%s: there is no learner '%s'%s; %s", what, tostring(learner_name),
      dataset and (" on dataset '%s'"):format(dataset) or "", native.known_names(tostring(learner_name), known))
  end
  return found
end

-- The interval of the mean score of each learner, dataset and metric: see interval/interval.lua.
function result:interval(given) return interval.of(self, given) end

local function prediction_rows(self)
  local rows = {}
  each_fold(self, function(job, fold)
    local p = fold.prediction
    if not p then return end
    local ids, truth = p:row_ids(), p:truth()
    local predicted, probabilities = p:labels() or p:values(), nil
    if self.plan.keep == "probabilities" then probabilities = p:probabilities() end
    for i, id in ipairs(ids) do
      rows[#rows + 1] = {
        learner = job.learner_name, dataset = job.dataset, repeat_ = fold.repeat_,
        fold = fold.fold, row = id, truth = truth[i], predicted = predicted[i],
        probabilities = probabilities and probabilities[i] or nil,
      }
    end
  end)
  return rows
end

-- Raises unless a job has predictions, and those of all folds; `keep` is what keeps those that are needed.
local function require_predictions(self, job, what, keep)
  local kept, unkept = false, 0
  for _, fold in ipairs(job.folds) do
    kept = kept or fold.prediction ~= nil
    if fold.unkept then unkept = unkept + 1 end
  end
  if unkept > 0 and self.plan.keep ~= "none" then
    native.fail("%s: the store has no predictions of %d of %d folds; run again with room for predictions", what, unkept,
      #job.folds)
  end
  if not kept or unkept > 0 then
    native.fail("%s: no predictions were kept; evaluate with keep = \"%s\"", what, keep or "labels")
  end
end

-- Adds what the columns of the file have and a row has not: the repeat, and the probability of each class
-- as p(class), the names in the export of a store. Returns the names of the latter.
local function name_cells(self, rows)
  local classes, columns, known = {}, {}, {}
  for _, job in ipairs(self.jobs) do
    for _, fold in ipairs(job.folds) do
      classes[job.dataset] = classes[job.dataset] or fold.prediction and fold.prediction:classes()
    end
  end
  for _, row in ipairs(rows) do
    row["repeat"] = row.repeat_
    for c, p in ipairs(row.probabilities or {}) do
      local name = ("p(%s)"):format(classes[row.dataset][c])
      row[name] = p
      if not known[name] then known[name], columns[#columns + 1] = true, name end
    end
  end
  return columns
end

local predictions_options = options.declare("Result:predictions", {
  csv = { "string|boolean", is = "output", doc = "The path of a file that is written; true returns its text instead." },
})

-- One row an out-of-fold prediction: { learner, dataset, repeat_, fold, row, truth, predicted,
-- probabilities }. result:predictions{ csv = path } writes them instead, with `true` for the path it
-- returns the text.
function result:predictions(given)
  local o = options.check("predictions", given, predictions_options)
  local rows = prediction_rows(self)
  if o.csv == nil then return rows end
  -- A learner that failed in all folds has none, which does not stop those of the others.
  each_fold(self, function(job, fold)
    if fold.unkept or #rows == 0 then require_predictions(self, job, "predictions") end
  end)
  local columns = { "dataset", "learner", "repeat", "fold", "row", "truth", "predicted" }
  for _, name in ipairs(name_cells(self, rows)) do columns[#columns + 1] = name end
  return options.write_text(o.csv, native.table_csv(columns, rows))
end

local of_dataset = { dataset = { "string", doc = "The dataset, where there are several." } }
for _, name in ipairs { "confusion", "class_report", "tuning" } do options.declare("Result:" .. name, of_dataset) end

-- make(prediction) of all predictions of the job that `learner_name` and options.dataset name. What it makes gets
-- `folds`, `failed` of them and `missing` of others have no predictions in it.
local function of_chosen(self, learner_name, given, what, make)
  local o = options.check(what, given, of_dataset)
  local job = select_job(self, learner_name, o.dataset, what)
  require_predictions(self, job, what)
  local made = make((headline.pool(self, job)))
  made.folds, made.failed, made.missing = #job.folds, 0, 0
  for _, fold in ipairs(job.folds) do
    if fold.failure then made.failed = made.failed + 1
    elseif fold.missing then made.missing = made.missing + 1 end
  end
  return made
end

-- Counts over all kept predictions of one learner: see result/confusion.lua.
function result:confusion(learner_name, given)
  return of_chosen(self, learner_name, given, "confusion", confusion.of)
end

-- Precision, recall and F1 by class over all kept predictions of one learner: see result/class_report.lua.
function result:class_report(learner_name, given)
  return of_chosen(self, learner_name, given, "class_report", class_report.of)
end

-- A curve over the thresholds of the kept probabilities of one learner; see curves/curve.lua.
function result:curve(kind, given)
  local o = curve.options(kind, given)
  return curve.of_job(kind, select_job(self, o.learner, o.dataset, "curve"), o, self.plan.keep)
end

-- result:coverage{ learner =, dataset =, by =, blocks = }: what the intervals or sets of a learner of cf.conformal
-- cover of the test rows; see conformal/coverage.lua.
function result:coverage(given)
  local o = options.check("coverage", given, coverage.options_of_result)
  local job = select_job(self, o.learner, o.dataset, "coverage")
  require_predictions(self, job, "coverage")
  return coverage.of_job(job, o)
end

-- Rows of one learner's dataset whose label looks wrong; see audit/label_issues.lua.
function result:label_issues(given)
  local label_issues = require "crossfold.audit.label_issues"
  local o = label_issues.options(given)
  local job = select_job(self, o.learner, o.dataset, "label_issues")
  require_predictions(self, job, "label_issues", "probabilities")
  return label_issues.of_prediction((headline.pool(self, job)), job, o, self:provenance())
end

-- The scores of one learner by subgroup, with intervals, gap and tests; see subgroups/subgroups.lua.
function result:subgroups(given)
  local o = subgroups.options(given)
  local job = select_job(self, o.learner, o.dataset, "subgroups")
  require_predictions(self, job, "subgroups")
  local found = subgroups.of_job(job, (headline.pool(self, job)), self.plan, o)
  found.where_from = self:provenance()
  return found
end

-- Scores over all kept predictions at once instead of fold by fold: { learner, dataset, metric,
-- aggregation, value, undefined }. Not the mean over folds, and not meant for rows that were tested repeatedly.
function result:pooled()
  local rows = {}
  for _, job in ipairs(self.jobs) do
    for m = 1, #self.plan.metrics do
      local row = {
        learner = job.learner_name, dataset = job.dataset,
        metric = metric.name(self.plan.metrics[m]), aggregation = headline.pooled,
      }
      row.value, row.undefined = headline.pooled_score(self, job, m)
      row.note = row.value and headline.pooling_note(self, job, m)
      rows[#rows + 1] = row
    end
  end
  return rows
end

-- The rows of result:tuning, for people.
local tuning_rows = {}

local function any_told(rows, name)
  for _, row in ipairs(rows) do
    if nested_field(row, name) ~= nil then return true end
  end
  return false
end

-- Thresholds as texts with three digits if some would be lost in four decimals, else as they are.
local function threshold_cells(list)
  local small = false
  for _, t in pairs(list) do small = small or (t ~= 0 and math.abs(t) < 0.001) end
  if not small then return list end
  local cells = {}
  for i, t in pairs(list) do
    if t == 0 or math.abs(t) == math.huge then
      cells[i] = native.format_number(t)
    else
      local exponent = math.floor(math.log(math.abs(t), 10))
      cells[i] = ("%se%d"):format(native.format_number(t / 10.0 ^ exponent, 2), exponent)
    end
  end
  return cells
end

function tuning_rows:__tostring()
  local adjusts = any_told(self, "threshold") or any_told(self, "calibration")
  local rows, metric_name = {}, nil
  if not adjusts then metric_name = "mean" end
  for _, row in ipairs(self) do metric_name = row.metric or metric_name end
  -- Not the scores that print(result) has under the name of the metric.
  local label, thresholds = metric_name and "inner " .. metric_name, {}
  for i, row in ipairs(self) do thresholds[i] = nested_field(row, "threshold") end
  thresholds = threshold_cells(thresholds)
  for i, row in ipairs(self) do
    rows[i] = { ["repeat"] = row.repeat_, fold = row.fold, chosen = nested_field(row, "candidate"),
      calibration = nested_field(row, "calibration"), threshold = thresholds[i], failure = row.failure }
    if label then rows[i][label] = row.mean or row.value end
  end
  local columns = { "repeat", "fold" }
  local function add(name, wanted) if wanted then columns[#columns + 1] = name end end
  add("chosen", not adjusts or any_told(self, "candidate"))
  add("calibration", any_told(self, "calibration"))
  add("threshold", any_told(self, "threshold"))
  add(label, label)
  add("failure", any_told(self, "failure"))
  local text, chosen, inner = native.table_text(columns, rows), false, {}
  for i, row in ipairs(self) do inner[i] = nested_field(row, "inner") or {} end
  text = text .. search_result.note_worst(inner, metric_name)
  for _, row in ipairs(rows) do chosen = chosen or label and row[label] ~= nil end
  if not chosen then return text end
  return ("%s\n(%s is optimistic: it made the choice; the scores on the outer test rows: result:scores())")
    :format(text, label)
end

-- The row of one outer fold: what the learner reported, and why the fold failed, if it did.
local function tuning_row(fold)
  local row = options.joined(fold.tuning or {})
  search_result.as(row, fold.tuning)
  row.repeat_, row.fold, row.inner = fold.repeat_, fold.fold, row.inner or {}
  local failure = fold.failure or fold.fallback
  if failure then row.failure = ("%s: %s"):format(failure.stage, failure.message) end
  return row
end

-- What was chosen inside the training rows of each outer fold. By a search: { repeat_, fold, chosen =
-- params, candidate, metric, mean, sd, failure, inner = { {candidate, params, mean, sd, n_folds, values,
-- failure}, ... }, ... }; a fold whose search had nothing to choose has no `chosen`, but its inner
-- table. By cf.threshold: { threshold, positive, metric, value, tp, fp, tn, fn }, by cf.calibration
-- { calibration = method, maps }; `learner` is what the learner before them reported. tostring gives a
-- table of what was chosen.
function result:tuning(learner_name, given)
  local o = options.check("tuning", given, of_dataset)
  local job = select_job(self, learner_name, o.dataset, "tuning")
  local rows, any = setmetatable({}, tuning_rows), false
  for i, fold in ipairs(job.folds) do
    rows[i] = tuning_row(fold)
    any = any or fold.tuning ~= nil
  end
  if not any then native.fail("tuning: learner '%s' chooses nothing, or failed in every fold", job.learner_name) end
  return rows
end

-- A store of an older Crossfold has failures without a cause.
local function cause_of(failure)
  if failure.of_another_shard then return "shard" end
  return failure.cause or failure.code and "unknown" or "script"
end

-- One row a failed fold: { learner, dataset, repeat_, fold, stage, message, cause, fallback }; `cause` is a word of
-- docs/isolation.md, or "script" for what a function in Lua raised; `fallback` is true if it has the scores of the
-- fallback.
function result:failures()
  local rows = {}
  each_fold(self, function(job, fold)
    local failure = fold.failure or fold.fallback
    if failure then
      rows[#rows + 1] = {
        learner = job.learner_name, dataset = job.dataset, repeat_ = fold.repeat_,
        fold = fold.fold, stage = failure.stage, message = failure.message,
        cause = cause_of(failure),
        fallback = fold.fallback and true or nil,
      }
    end
  end)
  return rows
end

-- Rows of result:warnings(). A result prints the same wherever it ran, and so without tries.
local function warnings_of(self, with_tries)
  local rows = {}
  each_fold(self, function(job, fold)
    for _, messages in ipairs { with_tries and fold.tries or {}, fold.warnings or {} } do
      for _, message in ipairs(messages) do
        rows[#rows + 1] = {
          learner = job.learner_name, dataset = job.dataset, repeat_ = fold.repeat_,
          fold = fold.fold, message = message,
        }
      end
    end
  end)
  return rows
end

-- What did not stop a fold and should be known: misbehaviour of plugins, such as a changed rounding mode
-- that was put back, thresholds that cannot change a decision, and tries that failed because of the machine. One
-- row each, { learner, dataset, repeat_, fold, message }.
function result:warnings() return warnings_of(self, true) end

-- What a store does not spare a further run, or nil.
local function note_of_store(self)
  local names = {}
  for _, entry in ipairs(self.plan.learners) do
    if entry.in_lua then names[#names + 1] = ("'%s'"):format(entry.name) end
  end
  if #names == 0 then return nil end
  return ("the store keeps the predictions of %s, but every run computes %s again: %s put together in Lua"):format(
    table.concat(names, ", "), #names == 1 and "it" or "them", #names == 1 and "it is" or "they are")
end

-- The notes that a printed result has, which is the same with and without a store that takes everything.
local function printed_notes(self)
  local notes, datasets = {}, self.plan.datasets
  for _, dataset in ipairs(datasets) do
    for _, note in ipairs(dataset.notes or {}) do
      notes[#notes + 1] = #datasets > 1 and ("%s: %s"):format(dataset.name, note) or note
    end
  end
  notes[#notes + 1] = self.plan.store_problem
  return notes
end

-- Notes for readers of the scores: on the splits, and on what the store lacks.
function result:notes()
  local notes = printed_notes(self)
  notes[#notes + 1] = note_of_store(self)
  return notes
end

-- What is the reason that a fold has no scores of its learner, or nil.
local function problem_of(fold)
  if fold.missing then return fold.missing end
  local failure = fold.failure or fold.fallback
  return failure and ("%s: %s"):format(failure.stage, failure.message) or nil
end

-- The group of all test rows of a fold, if the data have groups and there is one.
local function group_of(job, fold)
  local column = job.splits and job.data and job.data:roles().groups
  if not column then return nil end
  local groups = job.splits:test(fold.split):column(column)
  for _, group in ipairs(groups) do
    if group ~= groups[1] then return nil end
  end
  return groups[1]
end

-- One row per learner, dataset and fold: { learner, dataset, repeat_, fold, group, n_train, n_test,
-- fit_seconds, predict_seconds, failure }; `group` is the one that was left out. What is not known is nil:
-- sizes of a fold that failed, seconds of what is put together in Lua. The seconds of a search are those
-- of the setting that it chose.
function result:folds()
  local rows = {}
  each_fold(self, function(job, fold)
    rows[#rows + 1] = {
      learner = job.learner_name, dataset = job.dataset, repeat_ = fold.repeat_, fold = fold.fold,
      group = group_of(job, fold), n_train = fold.n_train, n_test = fold.n_test,
      fit_seconds = fold.fit_s, predict_seconds = fold.predict_s, failure = problem_of(fold),
    }
  end)
  return rows
end

-- The splits of a dataset, which may be left out if there is one: a value for cf.evaluate { splitter = }.
function result:splits(dataset)
  local job = select_job(self, self.jobs[1].learner_name, dataset, "splits")
  if not job.splits then
    native.fail("splits: there are none of dataset '%s': %s", job.dataset,
      job.refusal or "the store does not have its data")
  end
  return job.splits
end

-- The learners by name: a value for cf.evaluate { learners = }.
function result:learners()
  if self.plan.stored then
    native.fail("learners: a stored result has no learners; make them as in the script of its run")
  end
  local learners = {}
  for _, entry in ipairs(self.plan.learners) do learners[entry.name] = entry.learner end
  return learners
end

-- Seed, data and plugins that the numbers came from.
function result:provenance()
  if self.plan.provenance then return provenance.shown(self.plan.provenance) end
  local learners, datasets = {}, {}
  for i, entry in ipairs(self.plan.learners) do
    learners[i] = provenance.learner(entry.name, entry.learner)
  end
  for i, entry in ipairs(self.plan.datasets) do
    datasets[i] = provenance.dataset(entry.name, entry.data)
  end
  return provenance.shown {
    crossfold = native.version, seed = self.plan.seed, splitter = tostring(self.plan.splitter),
    learners = learners, datasets = datasets,
  }
end

-- Of all scores; with those that say of which class they are and which are those of a fallback, if there are such.
local function score_columns(rows)
  local columns, known = { "dataset", "learner", "repeat", "fold", "metric", "value", "undefined" }, {}
  for _, row in ipairs(rows) do
    for _, name in ipairs { "positive", "fallback" } do known[name] = known[name] or row[name] ~= nil end
  end
  for _, name in ipairs { "positive", "fallback" } do columns[#columns + 1] = known[name] and name or nil end
  return columns
end

local function score_table(self)
  local rows = self:scores()
  for _, row in ipairs(rows) do row["repeat"] = row.repeat_ end
  return rows
end

local to_options = options.declare("Result:to", options.outputs { "csv", "json", "latex" })

-- result:to{ json = path }, to{ csv = path } or to{ latex = path } writes all scores (LaTeX: the
-- summary); with `true` for the path the text is returned instead.
function result:to(given)
  local o = options.check("to", given, to_options)
  local format = options.one_of("to", o, { "json", "csv", "latex" })
  if format == "latex" then
    local columns, rows = summary_table.long(self)
    return options.write_text(o.latex, native.table_latex(columns, rows))
  end
  local render = format == "json" and native.table_json or native.table_csv
  local rows = score_table(self)
  return options.write_text(o[format], render(score_columns(rows), rows))
end

-- Raises what keeps a result from being saved at `path`.
local function check_save(self, path)
  if type(path) ~= "string" then native.fail("save: expected the path of a store, got a %s", type(path)) end
  if self.plan.keep == "none" then
    native.fail("save: the result has no predictions; evaluate with keep = \"labels\" or \"probabilities\"")
  end
  if self.plan.how.store == path then native.fail("save: the folds of this result are in '%s' already", path) end
  for _, job in ipairs(self.jobs) do
    if not job.data then
      native.fail("save: the store that this result is from does not have the data of '%s'", job.dataset)
    end
  end
end

-- result:save(path) puts the predictions of all folds into the cell store at `path`, which is made if
-- there is none: `crossfold rescore`, cf.rescore, cf.stored and the others find them there. An
-- evaluation with that `store` has put its folds there itself.
function result:save(path)
  check_save(self, path)
  local names = {}
  for j, job in ipairs(self.jobs) do
    names[j] = outer_folds.name_in_store(path, job.dataset, job.learner_name)
    for _, fold in ipairs(job.folds) do
      local failure = fold.failure
      if not fold.missing then
        native.record_composed({ store = path }, {
          learner = names[j], dataset = job.dataset, data = job.data, repeat_ = fold.repeat_,
          fold = fold.fold, n_train = fold.n_train or 0, prediction = fold.prediction,
          failure = failure and ("%s: %s"):format(failure.stage, failure.message),
        })
      end
    end
  end
  findings.save(path, self, names)
end

local function sum_up(rows, fallback)
  if #rows == 0 then return "" end
  local first, replaced, with = rows[1], 0, ""
  for _, row in ipairs(rows) do replaced = replaced + (row.fallback and 1 or 0) end
  if replaced > 0 then
    local how_many = #rows == 1 and "" or replaced == #rows and "all " or replaced .. " "
    with = (", %swith the scores of %s"):format(how_many, fallback.name)
  end
  return ("\n%d %s failed%s; the first: %s, repeat %d, fold %d, at %s: %s"):format(#rows,
    #rows == 1 and "fold" or "folds", with, first.learner, first.repeat_, first.fold, first.stage, first.message)
end

local function sum_up_missing(self)
  local missing, damaged, text = 0, 0, ""
  for _, job in ipairs(self.jobs) do
    local m, d = count_missing(job)
    missing, damaged = missing + m, damaged + d
  end
  for _, part in ipairs { { missing, "not computed yet" }, { damaged, "damaged in the store" } } do
    if part[1] > 0 then
      text = text .. ("\n%d %s %s"):format(part[1], part[1] == 1 and "fold is" or "folds are", part[2])
    end
  end
  return text
end

local function sum_up_warnings(rows)
  if #rows == 0 then return "" end
  return ("\n%d %s; the first: %s, repeat %d, fold %d: %s"):format(#rows,
    #rows == 1 and "warning" or "warnings", rows[1].learner, rows[1].repeat_, rows[1].fold, rows[1].message)
end

local function sum_up_notes(notes)
  local text = ""
  for _, note in ipairs(notes) do text = text .. "\n(" .. note .. ")" end
  return text
end

-- What has no value though its fold did not fail: how much, and the first reason.
local function sum_up_undefined(self)
  local count, first = 0, nil
  each_fold(self, function(job, fold)
    for m = 1, #self.plan.metrics do
      local reason = not (fold.failure or fold.missing) and fold.reasons and fold.reasons[m]
      if reason then
        count = count + 1
        first = first or ("%s, %s, repeat %d, fold %d: %s"):format(job.learner_name,
          metric.name(self.plan.metrics[m]), fold.repeat_, fold.fold, reason)
      end
    end
  end)
  if count == 0 then return "" end
  return ("\n%d %s undefined; the first: %s"):format(count, count == 1 and "score is" or "scores are", first)
end

-- A table for people (see result/summary_table.lua), and what went wrong.
function result:__tostring()
  return summary_table.text(self) .. sum_up(self:failures(), self.plan.fallback) .. sum_up_undefined(self)
    .. sum_up_missing(self) .. sum_up_warnings(warnings_of(self, false)) .. sum_up_notes(printed_notes(self))
    .. lockbox.sum_up(self.plan)
end

return options.methods(result, {
  "scores",
  "summary",
  "interval",
  "predictions",
  "confusion",
  "class_report",
  "coverage",
  "curve",
  "pooled",
  "tuning",
  "failures",
  "folds",
  "splits",
  "learners",
  "warnings",
  "notes",
  "provenance",
  "label_issues",
  "subgroups",
  "to",
  "save",
  "report",
}, nil, {
  "interval",
  "predictions",
  "confusion",
  "class_report",
  "coverage",
  "curve",
  "label_issues",
  "subgroups",
  "tuning",
  "to",
  "report",
})
