-- Draws curves of two classes over the thresholds of a score: of an evaluation's kept probabilities or of
-- plain lists. The numbers come from native.curve; see docs/curves.md for the kinds.
local native = require "crossfold.native"
local copied_rows = require "crossfold.result.copied_rows"
local curve_plot = require "crossfold.curves.curve_plot"
local number_text = require "crossfold.text.number_text"
local options = require "crossfold.options"
local reading = require "crossfold.curves.reading"

local curve = {}

local Curve = options.class "crossfold.Curve"

local confidence = { "number", doc = "Level of the intervals; default 0.95." }
local sampling = {
  confidence = confidence,
  samples = { "integer", doc = "Number of samples that intervals and bands are made of; default 1000." },
  seed = options.seed,
}

-- The options of each kind, without those that say what the curve is drawn from.
local kinds = {
  roc = {
    points = { "string", names = { "all", "corners", "hull" },
      doc = "Which points a ROC curve has; default \"corners\"." },
  },
  precision_recall = {},
  det = {},
  calibration = {
    bins = { "integer", doc = "Number of bins of a calibration curve; default 10." },
    binning = { "string", names = { "uniform", "quantile" },
      doc = "Whether bins have the same width (default) or the same number of rows." },
    confidence = confidence,
  },
  lift = {},
  cost = {},
  thresholds = { costs = { "table", doc = "The costs of wrong predictions, rows by truth." } },
  reliability = options.joined(sampling, {
    band = { "string", names = { "consistency", "consistency_resampled", "bootstrap", "none" },
      doc = "The band of a reliability curve: where it is if the probabilities are calibrated (default), or a "
        .. "bootstrap interval around it (default of data with groups)." },
    score = { "string", names = { "brier", "log" },
      doc = "The score whose parts a reliability curve shows; default \"brier\"." },
  }),
  decision = options.joined(sampling, {
    thresholds = { "table", is = "number[]",
      doc = "The threshold probabilities of a decision curve, ascending; default 0.01 to 0.99." },
    prevalence = { "number",
      doc = "The share of positive rows where the model will be used; default that of the data." },
  }),
}
local average_options = options.joined(sampling, {
  grid = { "integer", doc = "Number of false positive rates of a vertical average; default 101." },
  interval = { "string", names = { "normal", "bootstrap" },
    doc = "The interval of a vertical average; default \"normal\"." },
})
local list_options = {
  truth = { "table!", is = "any[]", doc = "The true class of each row." },
  scores = { "table!", is = "number[]", doc = "The score of each row; higher ones mean the positive class." },
  weights = { "table", is = "number[]", doc = "The weight of each row; default 1." },
  groups = { "table", is = "any[]", doc = "The group of each row; bootstraps draw whole groups." },
  positive = { "string|number|boolean", doc = "The positive class; default the second of two, or true." },
}
local result_options = {
  learner = { "string", doc = "The learner, where there are several." },
  dataset = { "string", doc = "The dataset, where there are several." },
  positive = { "string", doc = "The positive class; default that of the data, else the second of two." },
  aggregation = { "string", "pooled", words = { "pooled", "vertical", "folds" },
    doc = "Whether folds are pooled, averaged (kind \"roc\"), or drawn each." },
}
options.arguments.curve = options.sorted_keys(kinds)
options.arguments[":curve"] = options.arguments.curve

local all_kinds = options.joined(kinds.roc, kinds.calibration, kinds.thresholds, kinds.reliability, kinds.decision)
options.declare("curve", options.joined(all_kinds, list_options))
options.declare("Result:curve", options.joined(all_kinds, average_options, result_options))

local function check_kind(kind)
  options.place_of("curve: there is no kind", kind, options.sorted_keys(kinds))
end

-- Curve object from `fields` and the tables that native.curve returned: { rows, figures } by part.
local function new(fields, parts)
  local self, list = setmetatable(fields, Curve), {}
  for _, part in ipairs(parts) do
    for _, row in ipairs(part.rows) do
      row.repeat_, row.fold = part.repeat_, part.fold
      list[#list + 1] = row
    end
  end
  self.list = list
  return self
end

local function one_part(fields, drawn)
  fields.columns, fields.undefined = drawn.columns, drawn.undefined
  fields.positive = fields.positive or drawn.positive
  return new(options.joined(fields, drawn.figures), { drawn })
end

-- What a sentence about the curve needs of its options.
local function remember_options(fields, o)
  fields.confidence, fields.samples, fields.band = o.confidence or 0.95, o.samples, o.band
  fields.score_name, fields.given_prevalence = o.score or "brier", o.prevalence ~= nil
  return fields
end

-- Plain lists --------------------------------------------------------------------------------------

-- The distinct values of `truth`, as the classes of a dataset are ordered.
local function classes_of(truth)
  local found, classes, first = {}, {}, type(truth[1])
  for i, value in ipairs(truth) do
    local kind = type(value)
    if kind ~= "boolean" and kind ~= "number" and kind ~= "string" or value ~= value then
      native.fail("curve: option 'truth': element %d is not a class", i)
    elseif kind ~= first then
      native.fail("curve: option 'truth': element %d is a %s, the first a %s", i, kind, first)
    end
    if not found[value] then
      found[value] = true
      classes[#classes + 1] = value
    end
  end
  if first == "string" then return native.order_levels(classes) end
  table.sort(classes, function(a, b)
    if first == "boolean" then return not a and b end
    return a < b
  end)
  return classes
end

local function positive_class(truth, given)
  local classes = classes_of(truth)
  if given == nil then
    if type(truth[1]) == "boolean" or #classes == 0 then return true end
    if #classes == 2 then return classes[2] end
  else
    -- A class without a row is one: the curve is undefined, and says so.
    if #classes < 2 then return given end
    for _, class in ipairs(classes) do if class == given then return given end end
  end
  local names = {}
  for i, class in ipairs(classes) do names[i] = tostring(class) end
  native.fail(("curve: %s; name one of them, as in positive = ...")
    :format(given == nil and ("the truth has %d %s (%s)"):format(#classes,
      #classes == 1 and "class" or "classes", table.concat(names, ", "))
      or ("the truth has no class '%s', but %s"):format(tostring(given), table.concat(names, ", "))))
end

-- Each value as the number of its first place.
local function numbered(list)
  local places, numbers = {}, {}
  for i, value in ipairs(list) do
    places[value] = places[value] or i
    numbers[i] = places[value]
  end
  return numbers
end

-- cf.curve(kind, { truth =, scores =, weights =, positive =, ... })
function curve.new(kind, given)
  check_kind(kind)
  local o = options.check("curve", given, options.joined(kinds[kind], list_options))
  options.list("curve: option 'truth'", o.truth)
  options.list("curve: option 'scores'", o.scores)
  if o.weights then options.list("curve: option 'weights'", o.weights) end
  if o.groups then options.list("curve: option 'groups'", o.groups) end
  local positive, flags = positive_class(o.truth, o.positive), {}
  for i, class in ipairs(o.truth) do flags[i] = class == positive end
  o.positive = nil
  local source = { scores = o.scores, positive = flags, weights = o.weights,
    groups = o.groups and numbered(o.groups) }
  return one_part(remember_options({ kind = kind, positive = tostring(positive) }, o), native.curve(kind, source, o))
end

-- Evaluations --------------------------------------------------------------------------------------

local function predictions_of(job)
  local list = {}
  for _, fold in ipairs(job.folds) do
    if fold.prediction then list[#list + 1] = fold.prediction end
  end
  return list
end

local function failure_of(fold)
  if fold.missing then return fold.missing end
  return fold.failure and ("failed at %s: %s"):format(fold.failure.stage, fold.failure.message) or nil
end

-- Raises if a store has folds without their predictions: a curve of the others would pass for one of
-- all.
local function require_kept(job)
  local unkept = 0
  for _, fold in ipairs(job.folds) do unkept = unkept + (fold.unkept and 1 or 0) end
  if unkept > 0 then
    native.fail("curve: the store has no predictions of %d of %d folds; run again with room for predictions", unkept,
      #job.folds)
  end
end

-- What every fold gave: { repeat_, fold, undefined = reason or nil, figures ... }, and the parts.
local function draw_folds(kind, job, o)
  local folds, parts = {}, {}
  for i, fold in ipairs(job.folds) do
    local entry = { repeat_ = fold.repeat_, fold = fold.fold, undefined = failure_of(fold) }
    if fold.prediction then
      local drawn = native.curve(kind, fold.prediction, o)
      entry.undefined = drawn.undefined
      entry = options.joined(entry, drawn.figures)
      drawn.repeat_, drawn.fold = fold.repeat_, fold.fold
      parts[#parts + 1] = drawn
    end
    folds[i] = entry
  end
  return folds, parts
end

local aggregate = {}

-- All predictions in one curve.
function aggregate.pooled(kind, job, o, fields)
  local list = predictions_of(job)
  fields.folds = {}
  for i, fold in ipairs(job.folds) do
    fields.folds[i] = { repeat_ = fold.repeat_, fold = fold.fold, undefined = failure_of(fold) }
  end
  if #list == 0 then return new(fields, {}) end
  return one_part(fields, native.curve(kind, native.pool(list), o))
end

-- Every fold's own curve.
function aggregate.folds(kind, job, o, fields)
  local parts
  fields.folds, parts = draw_folds(kind, job, o)
  if #parts > 0 then
    fields.positive = parts[1].positive
    fields.columns = { "repeat", "fold", table.unpack(parts[1].columns) }
  end
  return new(fields, parts)
end

-- The mean of the folds' curves at each false positive rate.
function aggregate.vertical(kind, job, o, fields)
  local parts
  fields.folds, parts = draw_folds(kind, job, o)
  if #parts == 0 then return new(fields, {}) end
  fields.positive = parts[1].positive
  return one_part(fields, native.average_roc(predictions_of(job), o))
end

-- The options of result:curve.
function curve.options(kind, given)
  check_kind(kind)
  local vertical = type(given) == "table" and given.aggregation == "vertical"
  if vertical and kind ~= "roc" then
    native.fail("curve: vertical averaging is for kind 'roc', not '%s'; use pooled or folds", kind)
  end
  return options.check("curve", given, options.joined(vertical and average_options or kinds[kind], result_options))
end

-- The curve of one job of an evaluation that kept `keep`; `o` is of curve.options.
function curve.of_job(kind, job, o, keep)
  if keep ~= "probabilities" then
    native.fail("curve: no probabilities were kept; evaluate with keep = \"probabilities\"")
  end
  require_kept(job)
  local fields = {
    kind = kind, aggregation = o.aggregation, learner = job.learner_name, dataset = job.dataset,
    columns = {},
  }
  remember_options(fields, o)
  local drawn = aggregate[o.aggregation](kind, job, o, fields)
  if #predictions_of(job) == 0 then drawn.undefined = "every fold failed" end
  return drawn
end

-- Reading a curve -----------------------------------------------------------------------------------

-- One row a point: a table with the curve's columns; `repeat_` and `fold` with aggregation = "folds".
function Curve:rows() return copied_rows(self.list) end

-- What a curve of kind "reliability" or "decision" shows, in plain English; nil for other kinds.
function Curve:sentence() return reading.of(self) end

local function printable(self)
  local rows = self:rows()
  for _, row in ipairs(rows) do row["repeat"] = row.repeat_ end
  return rows
end

local renderers = {
  csv = function(self) return native.table_csv(self.columns, printable(self)) end,
  json = function(self) return native.table_json(self.columns, printable(self)) end,
  gnuplot = curve_plot.gnuplot,
  svg = curve_plot.svg,
}

local to_options = options.declare("Curve:to", options.outputs { "csv", "json", "gnuplot", "svg" })

-- curve:to{ csv | json | gnuplot | svg = path }; with `true` for the path the text is returned instead.
function Curve:to(given)
  local o = options.check("to", given, to_options)
  local format = options.one_of("to", o, { "csv", "json", "gnuplot", "svg" })
  return options.write_text(o[format], renderers[format](self))
end

local figure_names = { "auc", "hull_auc", "mean_auc", "sd_auc", "average_precision", "ece", "mce",
  "area", "score", "prevalence" }

local function heading(self)
  local parts = { self.kind }
  if self.learner then parts[1] = ("%s of %s on %s"):format(self.kind, self.learner, self.dataset) end
  if self.positive then parts[#parts + 1] = ("positive class %s"):format(self.positive) end
  if self.aggregation then
    local drawn = 0
    for _, fold in ipairs(self.folds) do
      if not fold.undefined then drawn = drawn + 1 end
    end
    parts[#parts + 1] = ("%s, %d of %d folds"):format(self.aggregation, drawn, #self.folds)
  end
  for _, name in ipairs(figure_names) do
    if self[name] then
      parts[#parts + 1] = ("%s %s"):format(name, number_text.fixed(self[name]))
    end
  end
  return table.concat(parts, ", ")
end

local shown = 20

-- A table for people: at most 20 rows, evenly chosen; rows() and to{} have all.
function Curve:__tostring()
  local text = heading(self)
  if self.undefined then return ("%s\nundefined: %s"):format(text, self.undefined) end
  local all, rows = printable(self), {}
  if #all <= shown then
    rows = all
  else
    for i = 1, shown do rows[i] = all[1 + (i - 1) * (#all - 1) // (shown - 1)] end
    text = ("%s\n%d of %d rows"):format(text, shown, #all)
  end
  local sentence = self:sentence()
  return ("%s\n%s%s"):format(text, native.table_text(self.columns, rows), sentence and "\n" .. sentence or "")
end

options.methods(Curve, { "rows", "sentence", "to" }, nil, { "to" })
return options.public(curve, { "new" })
