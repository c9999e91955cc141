-- import_predictions: a result of cf.evaluate from predictions that another tool made on the same data. Nothing is
-- fitted; the predictions are checked, scored and kept as if a learner had made them here.
--
--   cf.import_predictions{ data = iris, file = "preds.csv", learner = "their model", row = "row", fold = "fold",
--     label = "predicted", probabilities = "p_*", metrics = { "accuracy", "log_loss" } }
local native = require "crossfold.native"
local entries = require "crossfold.import.entries"
local evaluate = require "crossfold.evaluate"
local execution = require "crossfold.execution"
local folds = require "crossfold.import.folds"
local imported = require "crossfold.import.learner"
local metric = require "crossfold.metric"
local options = require "crossfold.options"
local problems = require "crossfold.import.problems"

local predictions = {}

-- Sums that a file with few digits has; others are not probabilities.
local most_rescaled = 0.05

local declared = options.declare("import_predictions", {
  data = { "dataset!", doc = "The data that were predicted." },
  file = { "string", doc = "The file of predictions, of any format that cf.read reads." },
  predictions = { "table|dataset", doc = "The predictions instead of a file: a dataset, or lists by name of column." },
  read = { "table", is = "table<string, any>", doc = "Options of cf.read for the file." },
  learner = { "string", doc = "The name of the learner in results." },
  learner_column = { "string", doc = "The column with the name of the learner, where there are several." },
  row = { "string", doc = "The column with the number of the row; without it entry i is of row i." },
  first_row = { "integer", 1, doc = "The number of the first row; 0 for tools that count from 0." },
  key = { "string", doc = "The column of the data that has the entries of column `row`, if these are not numbers." },
  fold = { "string", doc = "The column of folds; without it all rows are one test set." },
  repeat_ = { "string", doc = "The column of repeats." },
  label = { "string", doc = "The column of predicted classes or values; default the most probable class." },
  probabilities = { "string|table", is = "string|table<string|integer, string>",
    doc = "The columns of probabilities: \"p_*\", where * is the class, { class = column }, or a list in the order of "
      .. "the classes." },
  rescale = { "boolean", false,
    doc = "Whether probabilities are divided by their sum, for files with few digits; the sum may be off by 0.05." },
  decided = { "boolean", false, doc = "Whether a threshold or costs chose the labels, which may then differ from the "
    .. "most probable class." },
  truth = { "string", doc = "The column of true classes or values, which must be those of the data." },
  splits = { "splits", doc = "The splits that the predictions were made on, as cf.split gives them." },
  partial = { "boolean", false, doc = "Whether rows may be without a prediction; they count as training rows." },
  metrics = { "any", is = "metrics",
    doc = "The metrics; default accuracy, with log_loss where there are probabilities, or rmse for numbers." },
  store = execution.options.store,
})

-- What the file says of one prediction, checked: the class, nil if it has none.
local function check_labels(column, data, found)
  local class_of, labels = entries.class_finder(data), {}
  for i, value in ipairs(column) do
    if not entries.is_missing(value) then
      labels[i] = class_of(value)
      if not labels[i] then
        found:add(("'%s' is not a class of '%s'"):format(entries.text_of(value), data:name()), "entry", i,
          "the classes are " .. table.concat(data:classes(), ", "))
      end
    end
  end
  return labels
end

local function check_values(column, found)
  local values = {}
  for i, value in ipairs(column) do
    if type(value) == "number" and math.abs(value) < math.huge then
      values[i] = value
    elseif not entries.is_missing(value) then
      found:add("a value is not a finite number", "entry", i)
    end
  end
  return values
end

-- The row of probabilities of entry i; nil if it has none, or a problem.
local function probability_row(columns, i, rescale, found)
  local row, sum, n_missing = {}, 0.0, 0
  for c, column in ipairs(columns) do
    local p = column[i]
    if entries.is_missing(p) then
      n_missing = n_missing + 1
    elseif type(p) ~= "number" or not (p >= 0 and p <= 1) then
      return found:add("a probability is not in 0 .. 1", "entry", i)
    else
      row[c], sum = p, sum + p
    end
  end
  if n_missing == #columns then return nil end
  if n_missing > 0 then return found:add("a probability is missing", "entry", i) end
  if math.abs(sum - 1) > (rescale and most_rescaled or native.probability_tolerance) then
    return found:add("probabilities do not sum to 1", "entry", i, not rescale and math.abs(sum - 1) <= most_rescaled
      and "rescale = true divides them by their sum" or nil)
  end
  if rescale then
    for c, p in ipairs(row) do row[c] = p / sum end
  end
  return row
end

local function check_probabilities(columns, n, rescale, found)
  if not columns then return nil end
  local rows = {}
  for i = 1, n do rows[i] = probability_row(columns, i, rescale, found) end
  return rows
end

-- Each label must be a most probable class: else the columns are of other rows or classes than the labels.
local function check_agreement(checked, n, classes, found)
  for i = 1, n do
    local row, best, own = checked.probabilities[i] or {}, 1, nil
    for c, p in ipairs(row) do
      if p > row[best] then best = c end
      if classes[c] == checked.labels[i] then own = c end
    end
    if own and row[own] < row[best] - native.probability_tolerance then
      found:add("a label is not the most probable class", "entry", i,
        ("in entry %d '%s' has the probability %s and '%s' %s; if a threshold or costs chose the labels, say "
          .. "decided = true; else check the columns of option 'probabilities'"):format(i, classes[own],
          native.format_number(row[own]), classes[best], native.format_number(row[best])))
    end
  end
end

-- The true target that the file has is that of the data: else its rows are others.
local function check_truth(column, places, data, found)
  if not column then return end
  local target, regression = data:target(), data:task() == "regression"
  local class_of = not regression and entries.class_finder(data)
  for i, value in ipairs(column) do
    local place = places[i]
    if place then
      local known = target[place]
      local equal = regression and type(value) == "number" and math.abs(value - known) <= 1e-6 * math.abs(known)
        or not regression and not entries.is_missing(value) and class_of(value) == known
      if not equal then
        found:add(("the true target is not that of '%s'"):format(data:name()), "row", place,
          "check row, first_row and the order of the data")
      end
    end
  end
end

-- { { name =, entries = { numbers } }, ... } in the order of their first entries.
local function learners_of(column, name, n, found)
  local list, by_name = {}, {}
  for i = 1, n do
    local value = name
    if column then value = column[i] end
    if entries.is_missing(value) then
      found:add("no learner", "entry", i)
    else
      local text = entries.text_of(value)
      if not by_name[text] then
        by_name[text] = { name = text, entries = {} }
        list[#list + 1] = by_name[text]
      end
      table.insert(by_name[text].entries, i)
    end
  end
  return list
end

-- The predictions of one learner on a split by row id, of a group of entries (see folds.lua).
local function fold_of(group, checked, ids, found)
  local fold, n_missing, missing = {}, 0, nil
  for name, list in pairs(checked) do
    local by_row = {}
    for _, place in ipairs(group.places) do
      local value = list[group.of[place]]
      if value == nil then
        n_missing, missing = n_missing + 1, missing or {}
        missing[#missing + 1] = place
      else
        by_row[ids[place]] = value
      end
    end
    fold[name] = by_row
  end
  local n_lists = (checked.labels and 1 or 0) + (checked.values and 1 or 0) + (checked.probabilities and 1 or 0)
  if n_missing == n_lists * #group.places then return { failed = true } end
  for _, place in ipairs(missing or {}) do
    found:add("a part of the prediction is missing", "row", place,
      "only all rows of a fold may have none, which means that it failed")
  end
  return fold
end

local function check_options(given)
  local o = options.check("import_predictions", given, declared)
  local function fail(finding) native.fail("import_predictions: " .. finding) end
  if o.data:task() == "none" then
    fail(("'%s' has no target; read it with target = \"<column>\""):format(o.data:name()))
  end
  options.one_of("import_predictions", o, { "file", "predictions" })
  options.one_of("import_predictions", o, { "learner", "learner_column" })
  if o.read and not o.file then fail("option 'read' goes with 'file'") end
  if o.key and not o.row then fail("option 'key' goes with 'row', the column that it is compared with") end
  if o.data:task() == "regression" and o.probabilities then
    fail("option 'probabilities' is for classes; the target is numbers")
  end
  if not o.label and (o.data:task() == "regression" or not o.probabilities) then
    fail("option 'label' is missing; it names the column of predicted classes or values")
  end
  if o.splits and o.splits:data_hash() ~= o.data:hash() then fail("option 'splits' is of other data") end
  return o
end

local function default_metrics(o)
  if o.data:task() == "regression" then return { "rmse" } end
  return o.probabilities and { "accuracy", "log_loss" } or { "accuracy" }
end

-- The columns of the file that say what was predicted: `places`, `repeats`, `folds`, `learners` and n entries.
local function source_of(table_, o, found)
  local function column(option) return entries.column(table_, o[option], option, found) end
  local n = #table_
  local source = { n = n, repeats = column("repeat_"), folds = column("fold") }
  source.learners = learners_of(column("learner_column"), o.learner, n, found)
  source.places = entries.places(column("row"), n, o.data, o, found)
  check_truth(column("truth"), source.places, o.data, found)
  return source
end

-- What was predicted, entry by entry: { labels = }, { values = }, { probabilities = }.
local function checked_entries(table_, o, found)
  local checked = {}
  local column = entries.column(table_, o.label, "label", found)
  if o.data:task() == "regression" then return { values = check_values(column or {}, found) } end
  if column then checked.labels = check_labels(column, o.data, found) end
  checked.probabilities = check_probabilities(
    entries.probabilities(table_, o.probabilities, o.data:classes(), found), #table_, o.rescale, found)
  if checked.labels and checked.probabilities and not o.decided then
    check_agreement(checked, #table_, o.data:classes(), found)
  end
  return checked
end

-- The learners by name, and the splits that their predictions were made on.
local function read_learners(o)
  local table_, source = entries.open(o, o.data:task() == "regression")
  local found = problems.new(("'%s'"):format(o.file or table_:name()))
  if #table_ == 0 then found:add("there are no predictions") end
  local columns = source_of(table_, o, found)
  local checked = checked_entries(table_, o, found)
  found:raise()
  local splits, groups = folds.find(columns, o.data, o, found)
  local learners, ids = {}, o.data:row_ids()
  for l, one in ipairs(columns.learners) do
    local made = {}
    local all_failed = true
    for s, group in ipairs(groups[l]) do
      made[s] = fold_of(group, checked, ids, found)
      all_failed = all_failed and made[s].failed
    end
    if all_failed then found:add(("learner '%s' has no predictions"):format(one.name)) end
    learners[one.name] = imported.new { name = one.name, source = source, data = o.data, splits = splits, folds = made }
  end
  found:raise()
  return learners, splits
end

function predictions.new(given)
  local o = check_options(given)
  local metrics = metric.list(o.metrics or default_metrics(o), "import_predictions: option 'metrics'")
  local learners, splits = read_learners(o)
  return evaluate.new {
    data = o.data, learners = learners, splitter = splits, metrics = table.move(metrics, 1, #metrics, 1, {}),
    keep = o.probabilities and "probabilities" or "labels", store = o.store,
  }
end

return predictions
