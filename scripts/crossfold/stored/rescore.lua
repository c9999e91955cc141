-- rescore: new scores of the predictions that a store has. Nothing is fitted.
--
--   cf.rescore{
--     store    = "run.cfdb",
--     metrics  = { "f1", "log_loss" },
--     costs    = "costs.csv",          -- or { classes = { "no", "yes" }, { 0, 1 }, { 5, 0 } }
--     subgroup = "age > 60",           -- only these rows
--     run      = 3,                    -- its number in the store; default: the last one
--     inner    = false,                -- true: the inner cells of searches
--   }
local native = require "crossfold.native"
local metric = require "crossfold.metric"
local options = require "crossfold.options"

local rescore = {}

local rescored = options.class "crossfold.Rescored"

function rescored:__tostring() return (self.text:gsub("\n$", "")) end

-- One row per fold and metric: { learner, dataset, candidate, occurrence, repeat_, fold, metric, value,
-- undefined }. `candidate` is the setting; what was combined in the script has none. Cells of the
-- same names, repeat and fold are counted by `occurrence`.
function rescored:scores()
  local rows = {}
  for _, fold in ipairs(self.folds) do
    for m, name in ipairs(self.metrics) do
      rows[#rows + 1] = {
        learner = fold.learner, dataset = fold.dataset, candidate = fold.candidate,
        occurrence = fold.occurrence, repeat_ = fold.repeat_, fold = fold.fold, metric = name,
        value = fold.values[m], undefined = fold.reasons[m],
      }
    end
  end
  return rows
end

local columns = { "dataset", "learner", "candidate", "occurrence", "repeat", "fold", "metric", "value", "undefined" }

local to_options = options.declare("Rescored:to", options.outputs { "csv", "json" })

-- to{ json = path } or to{ csv = path } writes all scores; with `true` the text is returned instead.
function rescored:to(given)
  local o = options.check("to", given, to_options)
  local format = options.one_of("to", o, { "json", "csv" })
  local rows = self:scores()
  for _, row in ipairs(rows) do row["repeat"] = row.repeat_ end
  local render = format == "json" and native.table_json or native.table_csv
  return options.write_text(o[format], render(columns, rows))
end

-- The option 'costs' as native code takes it.
local function check_costs(given)
  if given == nil or type(given) == "string" then return given end
  local what = "rescore: option 'costs'"
  if type(given.classes) ~= "table" then
    native.fail(what .. ": 'classes' is missing, the names of the classes in the order of the rows")
  end
  options.list(what .. ": 'classes'", given.classes)
  local flat, n = {}, #given.classes
  for i = 1, n do
    if type(given[i]) ~= "table" or #given[i] ~= n then
      native.fail("%s: row %d must be a list of %d numbers, one per class", what, i, n)
    end
    table.move(given[i], 1, n, #flat + 1, flat)
  end
  return { classes = given.classes, costs = flat }
end

local declared = options.declare("rescore", {
  store = { "string!", doc = "The file of the store." },
  metrics = { "any!", is = "metrics", doc = "The metrics that score the stored predictions." },
  costs = { "string|table",
    doc = "Costs of wrong predictions: the path of a table, or { classes = { \"no\", \"yes\" }, {0, 1}, {5, 0} }." },
  subgroup = { "string", doc = "Only rows for which this holds, as in \"age > 60 and sex = f\"." },
  run = { "integer", doc = "The number of the run; default the last one." },
  inner = { "boolean", false, doc = "Whether the inner cells of searches are scored, too." },
})

function rescore.new(given)
  local o = options.check("rescore", given, declared)
  if o.run and o.run < 1 then
    native.fail("rescore: run = %d is not the number of a run; cf.store_status lists them", o.run)
  end
  local metrics = metric.list(o.metrics, "rescore: option 'metrics'")
  if metrics.any_lua then
    native.fail("rescore: option 'metrics': metrics written in Lua cannot be asked here; use those of plugins")
  end
  return setmetatable(native.rescore(o.store, {
    metrics = metrics.native, costs = check_costs(o.costs), subgroup = o.subgroup, run = o.run,
    inner = o.inner,
  }), rescored)
end

options.methods(rescored, { "scores", "to" }, nil, { "to" })

return rescore
