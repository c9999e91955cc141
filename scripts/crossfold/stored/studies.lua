-- Reads learning curves, validation curves and decompositions of the error from a store.
local bias_variance_result = require "crossfold.estimate.bias_variance_result"
local learning_curve_result = require "crossfold.curves.learning_curve_result"
local provenance = require "crossfold.result.provenance"
local stored_metric = require "crossfold.stored.metric"
local validation_curve = require "crossfold.curves.validation_curve"

local stored_studies = {}

-- Raises unless field `name` of a finding is of a type.
local function require_field(body, name, wanted)
  local value = body[name]
  local actual = wanted == "integer" and math.type(value) or type(value)
  if actual ~= wanted then error(("%s is a %s, not a %s"):format(name, type(value), wanted), 0) end
end

local function check(body, fields)
  if type(body) ~= "table" then error("it is not a table", 0) end
  for _, field in ipairs(fields) do require_field(body, field[1], field[2]) end
end

-- The seed that was given; nil of a store of an older Crossfold.
local function seed_of(body)
  if body.seed ~= nil then require_field(body, "seed", "integer") end
  return body.seed
end

-- The notes of the splits; none in a store of an older Crossfold.
local function notes_of(body)
  local notes = {}
  if body.notes ~= nil then require_field(body, "notes", "table") end
  for i, note in ipairs(body.notes or {}) do notes[i] = tostring(note) end
  return notes
end

local function learning_curve(study, result)
  check(study, { { "sizes", "table" }, { "trials", "integer" }, { "test_to_train", "number" },
    { "fixed_test", "boolean" } })
  local n = #study.sizes * study.trials
  for i, size in ipairs(study.sizes) do
    if math.type(size) ~= "integer" then error(("size %d is not an integer"):format(i), 0) end
  end
  for _, job in ipairs(result.jobs) do
    if #job.folds ~= n then error(("it has %d folds, not %d"):format(#job.folds, n), 0) end
  end
  return "curves", learning_curve_result.new {
    evaluated = result, metrics = result.plan.metrics, sizes = study.sizes, trials = study.trials,
    test_to_train = study.test_to_train, fixed_test = study.fixed_test, seed = seed_of(study),
    groups = math.tointeger(study.groups),
  }
end

local function bias_variance(study, result)
  check(study, { { "loss", "string" }, { "rounds", "integer" }, { "train_rows", "integer" },
    { "test_rows", "integer" }, { "pool_rows", "integer" }, { "replace", "boolean" } })
  if study.loss ~= "zero_one" and study.loss ~= "squared" then
    error(("loss is '%s'"):format(study.loss), 0)
  end
  return "bias_variance", bias_variance_result.new {
    evaluated = result, data = result.jobs[1].data, loss = study.loss, method = study.method,
    rounds = study.rounds, train_rows = study.train_rows, test_rows = study.test_rows,
    pool_rows = study.pool_rows, replace = study.replace, seed = seed_of(study),
  }
end

local of_kind = { learning_curve = learning_curve, bias_variance = bias_variance }

-- The list that a study belongs to, and its object, made of the result of its evaluation.
function stored_studies.of_result(study, result)
  local make = type(study) == "table" and of_kind[study.kind]
  if not make then error("it belongs to a study that this Crossfold does not know", 0) end
  return make(study, result)
end

-- A validation curve of what findings.note wrote.
function stored_studies.validation_curve(body, known_metrics)
  check(body, { { "parameter", "string" }, { "train_scores", "boolean" }, { "metric", "table" },
    { "values", "table" }, { "places", "table" }, { "cells", "table" } })
  check(body.metric, { { "text", "string" } })
  local n = #body.values * #body.places
  if #body.cells ~= n then error(("it has %d cells, not %d"):format(#body.cells, n), 0) end
  for _, place in ipairs(body.places) do
    check(place, { { "repeat_", "integer" }, { "fold", "integer" } })
  end
  local plan = {
    parameter = body.parameter, train_scores = body.train_scores, places = body.places,
    metric = stored_metric.new(body.metric, known_metrics), candidates = {}, seed = seed_of(body),
    provenance = provenance.of_stored(body.provenance), notes = notes_of(body),
  }
  for i, value in ipairs(body.values) do plan.candidates[i] = { value = value } end
  local cells = {}
  for i, cell in ipairs(body.cells) do
    check(cell, {})
    cells[i] = {
      candidate = plan.candidates[(i - 1) // #body.places + 1], split = (i - 1) % #body.places + 1,
      test = cell.test, train = cell.train, failure = cell.failure,
      test_undefined = cell.test_undefined, train_undefined = cell.train_undefined,
    }
  end
  return validation_curve.of_cells(plan, cells)
end

return stored_studies
