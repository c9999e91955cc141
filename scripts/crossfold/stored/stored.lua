-- stored: what a run left in a store, as the results that its script had. Nothing is computed again.
--
--   local found = cf.stored{ store = "run.cfdb", run = 3 }   -- default: the last run
--   print(found.results[1])
local native = require "crossfold.native"
local bootstrap_632_result = require "crossfold.estimate.bootstrap_632_result"
local findings = require "crossfold.stored.findings"
local options = require "crossfold.options"
local stored_metric = require "crossfold.stored.metric"
local stored_result = require "crossfold.stored.result"
local stored_studies = require "crossfold.stored.studies"
local until_result = require "crossfold.variance.until_result"
local variance_result = require "crossfold.variance.result"

local stored = {}

local run_record = options.class "crossfold.StoredRun"

-- Kinds of findings that have all of an experiment.
local whole = { validation_curve = true, bootstrap_632 = true, variance = true, repeat_until = true }

-- What the findings say, by experiment: { design =, rows = { ["job split"] = row }, splits = { dataset
-- name = finding }, validation_curve =, bootstrap_632 =, variance =, repeat_until = }.
local function by_experiment(list)
  local found, numbers = {}, {}
  for _, finding in ipairs(list) do
    local one = found[finding.experiment]
    if not one then
      one = { rows = {}, splits = {}, number = finding.experiment }
      found[finding.experiment] = one
      numbers[#numbers + 1] = finding.experiment
    end
    local body = findings.decode(finding.body)
    if finding.kind == "evaluate" then
      one.design = body
    elseif finding.kind == "fold" then
      one.rows[finding.name] = type(body) == "table" and body or nil
    elseif finding.kind == "dataset" then
      one.splits[finding.name] = finding.splits and finding
    elseif whole[finding.kind] then
      one[finding.kind] = body
    end
  end
  table.sort(numbers)
  local experiments = {}
  for i, number in ipairs(numbers) do experiments[i] = found[number] end
  return experiments
end

-- Puts what an experiment was into `into`.
local function add(into, experiment, ledger, path, known_metrics)
  if experiment.validation_curve then
    table.insert(into.validation_curves, stored_studies.validation_curve(experiment.validation_curve, known_metrics))
  elseif experiment.bootstrap_632 then
    table.insert(into.bootstrap_632, bootstrap_632_result.of_stored(experiment.bootstrap_632))
  elseif experiment.variance then
    table.insert(into.variance, variance_result.of_stored(experiment.variance))
  elseif experiment.repeat_until then
    table.insert(into.repeat_until, until_result.of_stored(experiment.repeat_until))
  elseif experiment.design then
    local made = stored_result.new(experiment, ledger, path, into.damaged, known_metrics)
    local study = experiment.design.study
    if study == nil then
      table.insert(into.results, made)
    else
      local kind, object = stored_studies.of_result(study, made)
      table.insert(into[kind], object)
    end
  end
end

local function read(path, run, known_metrics)
  local ledger <close>, into = native.open_ledger(path, run or 0)
  local list, damaged = ledger:findings()
  into.damaged, into.results, into.curves = damaged, {}, {}
  into.validation_curves, into.bias_variance, into.bootstrap_632 = {}, {}, {}
  into.variance, into.repeat_until = {}, {}
  local experiments = by_experiment(list)
  for _, experiment in ipairs(experiments) do
    local ok, problem = pcall(add, into, experiment, ledger, path, known_metrics)
    if not ok then
      if problem == native.cancelled then error(problem, 0) end
      table.insert(into.damaged, ("experiment %d: %s"):format(experiment.number, tostring(problem)))
    end
  end
  if #list == 0 then
    into.results = stored_result.of_cells(ledger, path, into.damaged)
  end
  stored_metric.check_used(known_metrics, path)
  return setmetatable(into, run_record)
end

local declared = options.declare("stored", {
  store = { "string!", doc = "The file of the store." },
  run = { "integer", doc = "The number of the run; default the last one." },
  metrics = { "table", is = "crossfold.Metric[]", doc = "Metrics written in Lua, for pooled scores." },
})

function stored.new(given)
  local o = options.check("stored", given, declared)
  if o.run and o.run < 1 then
    native.fail("stored: run = %d is not the number of a run; cf.store_status lists them", o.run)
  end
  return read(o.store, o.run, stored_metric.known(o.metrics))
end

-- Heading and tables of everything that is there.
function run_record:__tostring()
  local parts = { ("run %d%s%s"):format(self.run, self.script ~= "" and " of " .. self.script or "",
    self.finished and "" or ", which did not finish") }
  for _, name in ipairs { "results", "curves", "validation_curves", "bias_variance",
    "bootstrap_632", "variance", "repeat_until" } do
    for _, one in ipairs(self[name]) do parts[#parts + 1] = tostring(one) end
  end
  if #self.damaged > 0 then
    parts[#parts + 1] = ("%d damaged and left out; the first: %s"):format(#self.damaged, self.damaged[1])
  end
  return table.concat(parts, "\n\n")
end

return stored
