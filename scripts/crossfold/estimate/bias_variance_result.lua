-- Defines the result of cf.bias_variance: the parts of the error of each learner, and of each test row.
local native = require "crossfold.native"
local options = require "crossfold.options"
local result_class = require "crossfold.result.class"

local result = result_class.new "crossfold.BiasVariance"

-- The predictions of the models that were fitted, in the order of the rounds.
local function fitted_rounds(job)
  local list = {}
  for _, fold in ipairs(job.folds) do
    if fold.prediction then list[#list + 1] = fold.prediction end
  end
  return list
end

-- Class names as their places among the classes, from 0: ties of the main prediction go to the first.
local function encode(labels, code)
  local codes = {}
  for i, label in ipairs(labels) do codes[i] = code[label] end
  return codes
end

local function zero_one_parts(predictions, data)
  local classes, code, encoded = data:classes(), {}, {}
  for c, name in ipairs(classes) do code[name] = c - 1 end
  for l, prediction in ipairs(predictions) do encoded[l] = encode(prediction:labels(), code) end
  local parts = native.stats_zero_one_parts(encode(predictions[1]:truth(), code), encoded)
  for _, row in ipairs(parts.per_row) do row.main = classes[row.main + 1] end
  return parts
end

local function squared_parts(predictions)
  local values = {}
  for l, prediction in ipairs(predictions) do values[l] = prediction:values() end
  return native.stats_squared_parts(predictions[1]:truth(), values)
end

local parts_of = { zero_one = zero_one_parts, squared = squared_parts }

-- Why there is no prediction. Folds of a stored result may be there without theirs.
local function why_none(job)
  local fold = job.folds[1]
  if fold.failure then
    return ("every fit failed; the first at %s: %s"):format(fold.failure.stage, fold.failure.message)
  end
  return fold.missing or "the store has no predictions"
end

-- Row of a learner, and those of the test rows.
local function decompose(plan, job)
  local row = {
    learner = job.learner_name, loss = plan.loss, training_sets = 0, rounds = plan.rounds,
    train_rows = plan.train_rows, test_rows = plan.test_rows,
  }
  local predictions = fitted_rounds(job)
  row.training_sets = #predictions
  if #predictions == 0 then
    row.undefined = why_none(job)
    return row, {}
  end
  local parts = parts_of[plan.loss](predictions, plan.data)
  row.error, row.squared_bias, row.variance = parts.error, parts.squared_bias, parts.variance
  row.kohavi_wolpert, row.domingos = parts.kohavi_wolpert, parts.domingos
  row.kohavi_wolpert_unbiased = parts.kohavi_wolpert_unbiased
  local ids, truth = predictions[1]:row_ids(), predictions[1]:truth()
  for i, entry in ipairs(parts.per_row) do entry.row, entry.truth = ids[i], truth[i] end
  return row, parts.per_row
end

function result.new(plan)
  local self = setmetatable({ plan = plan, rows_ = {}, per_row_ = {} }, result)
  for j, job in ipairs(plan.evaluated.jobs) do
    self.rows_[j], self.per_row_[j] = decompose(plan, job)
  end
  return self
end

local function copy(value)
  if type(value) ~= "table" then return value end
  local copied = {}
  for key, entry in pairs(value) do copied[key] = copy(entry) end
  return copied
end

-- One row per learner: { learner, loss, training_sets = fits that succeeded, rounds, train_rows, test_rows,
-- error, undefined } and the parts. Squared loss: squared_bias, variance. 0/1 loss: kohavi_wolpert =
-- { squared_bias, variance }, kohavi_wolpert_unbiased = the same or { undefined }, domingos = { bias,
-- variance, unbiased, biased, net }. As in cf.stats.bias_variance.
function result:rows() return copy(self.rows_) end

-- One row a test row of one learner: { row = its id, truth, error, ... } and, for the 0/1 loss, main (the
-- most frequent prediction), biased, variance, net_variance (Domingos), squared_bias, spread (Kohavi and
-- Wolpert); for the squared loss mean (prediction), squared_bias, variance. The name may be left out if
-- there is one learner.
function result:per_row(learner)
  local names = {}
  for i, row in ipairs(self.rows_) do names[i] = row.learner end
  if learner == nil and #names ~= 1 then
    native.fail("per_row: there are several learners; name one of %s", table.concat(names, ", "))
  end
  return copy(self.per_row_[learner == nil and 1 or options.place_of("per_row: there is no learner", learner, names)])
end

-- The result of evaluate whose folds are the training sets.
function result:evaluated() return self.plan.evaluated end

function result:failures() return self.plan.evaluated:failures() end

-- "100 training sets of 50 rows, drawn without replacement from 100; 50 test rows".
local function design_text(plan)
  return ("%d training sets of %d rows, drawn with%s replacement from %d; %d test rows"):format(
    plan.rounds, plan.train_rows, plan.replace and "" or "out", plan.pool_rows, plan.test_rows)
end

-- As that of a result of cf.evaluate, with the seed that was given: the evaluation has one that is made
-- of it. A store of an older Crossfold does not have it.
function result:provenance()
  local found = self.plan.evaluated:provenance()
  found.seed, found.splitter = self.plan.seed, design_text(self.plan)
  return found
end

local first_columns = { "learner", "loss", "training_sets", "rounds", "train_rows", "test_rows", "error" }
local part_columns = {
  squared = { "squared_bias", "variance" },
  kohavi_wolpert = { "squared_bias", "variance" },
  kohavi_wolpert_unbiased = { "squared_bias", "variance" },
  domingos = { "bias", "variance", "unbiased", "biased", "net" },
}

local function methods_of(plan)
  if plan.loss == "squared" then return { "squared" } end
  if plan.method == "domingos" then return { "domingos" } end
  if plan.method == "kohavi_wolpert" then return { "kohavi_wolpert", "kohavi_wolpert_unbiased" } end
  return { "kohavi_wolpert", "kohavi_wolpert_unbiased", "domingos" }
end

-- Columns and rows without tables inside: "domingos_bias".
local function flat_table(self)
  local columns, rows = table.move(first_columns, 1, #first_columns, 1, {}), self:rows()
  for _, method in ipairs(methods_of(self.plan)) do
    for _, part in ipairs(part_columns[method]) do
      local column = method == "squared" and part or method .. "_" .. part
      columns[#columns + 1] = column
      for _, row in ipairs(rows) do
        if row[method] then row[column] = row[method][part] end
      end
    end
  end
  columns[#columns + 1] = "undefined"
  return columns, rows
end

-- What people read of each method: heading, and headings and keys of the parts.
local shown = {
  squared = {
    "error = bias^2 + variance", { "bias^2", "squared_bias" }, { "variance", "variance" },
  },
  kohavi_wolpert = {
    "Kohavi and Wolpert: error = bias^2 + variance", { "bias^2", "squared_bias" },
    { "variance", "variance" },
  },
  domingos = {
    "Domingos: error = bias + net variance, net = unbiased - biased", { "bias", "bias" },
    { "net", "net" }, { "unbiased", "unbiased" }, { "biased", "biased" },
  },
}

local function shown_table(self, method)
  local columns, rows = { "learner", "error" }, self:rows()
  for p = 2, #shown[method] do
    local heading, key = table.unpack(shown[method][p])
    columns[p + 1] = heading
    for _, row in ipairs(rows) do
      local parts = method == "squared" and row or row[method]
      row[heading] = parts and parts[key]
    end
  end
  columns[#columns + 1] = "training sets"
  for _, row in ipairs(rows) do
    row["training sets"] = row.training_sets == row.rounds and tostring(row.rounds)
      or ("%d of %d"):format(row.training_sets, row.rounds)
  end
  return columns, rows
end

local function shown_methods(plan)
  if plan.loss == "squared" then return { "squared" } end
  return plan.method and { plan.method } or { "kohavi_wolpert", "domingos" }
end

local to_options = options.declare("BiasVariance:to", options.outputs { "csv", "json", "latex" })

-- result:to{ csv = path }, to{ json = path }: all figures. to{ latex = path }: a table of each method.
-- With `true` for the path the text is returned instead.
function result:to(given)
  local o = options.check("to", given, to_options)
  local format = options.one_of("to", o, { "json", "csv", "latex" })
  if format ~= "latex" then
    local render = format == "json" and native.table_json or native.table_csv
    return options.write_text(o[format], render(flat_table(self)))
  end
  local tables = {}
  for i, method in ipairs(shown_methods(self.plan)) do
    tables[i] = native.table_latex(shown_table(self, method))
  end
  return options.write_text(o.latex, table.concat(tables, "\n"))
end

local function failures_text(rows)
  if #rows == 0 then return "" end
  return ("\n%d %s failed; the first: %s, training set %d, at %s: %s"):format(#rows,
    #rows == 1 and "fit" or "fits", rows[1].learner, rows[1].fold, rows[1].stage, rows[1].message)
end

function result:__tostring()
  local plan, parts = self.plan, {}
  parts[1] = design_text(plan) .. "; means over models and test rows"
  for _, method in ipairs(shown_methods(plan)) do
    parts[#parts + 1] = ("\n%s\n%s"):format(shown[method][1], native.table_text(shown_table(self, method)))
  end
  return table.concat(parts, "\n") .. failures_text(self:failures())
end

return options.methods(result, { "rows", "per_row", "evaluated", "failures", "provenance", "to",
  "report" }, nil, { "to", "report" })
