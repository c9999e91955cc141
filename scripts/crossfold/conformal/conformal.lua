-- Predictions with guarantees: a learner whose model gives intervals (numbers) or sets of classes that hold the truth
-- with a stated probability, from out-of-fold predictions. core/include/crossfold/conformal.h has the arithmetic.
--
--   cf.conformal{
--     learner    = "ridge",
--     method     = "cv_plus" | "jackknife_plus" | "cv_minmax" | "aps",
--     splitter   = cf.splitter("kfold", { folds = 10 }),
--     coverage   = 0.9,      -- of cf.evaluate; model:predict(data, { coverage = }) takes any
--     randomized = false,    -- aps: whether a row's share of a class' own probability is drawn, as in the paper
--   }
--
-- The model keeps that of every fold, what these got wrong in their fold, and one of all rows, which makes the
-- prediction itself.
local native = require "crossfold.native"
local ensemble_model = require "crossfold.ensemble.model"
local fitting = require "crossfold.fitting"
local guarantee = require "crossfold.conformal.guarantee"
local learner = require "crossfold.learner"
local members = require "crossfold.ensemble.members"
local options = require "crossfold.options"
local splitter = require "crossfold.splitter"

local conformal = {}

local methods = { "cv_plus", "jackknife_plus", "cv_minmax", "aps" }

local composite = options.class "crossfold.Conformal"

function composite:__tostring()
  local text = ("%s, %s"):format(learner.name(self.learner), self.method)
  if self.coverage ~= 0.9 then text = ("%s, coverage=%s"):format(text, native.format_number(self.coverage)) end
  if self.randomized then text = text .. ", randomized" end
  return ("conformal{%s}"):format(text)
end

function composite:definition() return ("conformal{%s}"):format(learner.definition(self.learner)) end

-- Raises unless the method is for the target of `data`.
local function check_task(self, data)
  local regression = data:task() == "regression"
  if regression == (self.method ~= "aps") then return end
  native.fail("conformal: method = '%s' is for %s, the target of '%s' has %s; use %s", self.method,
    regression and "classes" or "numbers", data:name(), regression and "numbers" or "classes",
    regression and "\"cv_plus\"" or "\"aps\"")
end

-- Rows in the order of time are not exchangeable.
local function fail_for_time(what)
  native.fail("conformal: %s, and intervals and sets are for rows that are exchangeable: later rows may differ from "
    .. "earlier ones; if the order means nothing, read the data without it", what)
end

-- Raises what would stop the fit on any rows of `data`.
function composite:check(data)
  members.check_data("conformal", data)
  check_task(self, data)
  local time = data:roles().time
  if time then fail_for_time(("the rows of '%s' are in the order of '%s'"):format(data:name(), time)) end
  fitting.check(self.learner, data)
  if self.method == "aps" and members.lacks_probabilities(self.learner) then
    native.fail("conformal: learner '%s' gives no probabilities, which class sets are made of; use one that does",
      learner.name(self.learner))
  end
  if not self.splitter then return end
  if splitter.follows_time(self.splitter) then
    fail_for_time(("the folds of '%s' are in the order of the rows"):format(tostring(self.splitter)))
  end
  splitter.check_inner(self.splitter, data, "choose folds")
end

-- So many rows in one split are not in order by chance.
local least_rows_in_order = 20

-- Whether every test row comes after all training rows, and not by chance.
local function are_in_order(splits)
  local n = 0
  for s = 1, #splits do
    local train, test = splits:rows(s)
    local last = 0
    n = n + #train + #test
    for _, row in ipairs(train) do last = math.max(last, row) end
    for _, row in ipairs(test) do
      if row < last then return false end
    end
  end
  return n >= least_rows_in_order
end

-- Raises if the outer splits are those of time.
function composite:check_splits(splits)
  native.require_training_rows(splits)
  if splits:design().kind == "lists" and are_in_order(splits) then
    fail_for_time("every split tests rows that come after its training rows")
  end
end

local function default_splitter(self, data)
  if self.method ~= "jackknife_plus" then return native.spec("splitter", "kfold", { folds = 10, reduce = true }) end
  return native.spec("splitter", data:roles().groups and "leave_one_group_out" or "leave_one_out", {})
end

-- Whether every row of `n` is in the test part of one split, and in the training part of all others.
local function is_partition(splits, n)
  local design, tested, count = splits:design(), {}, 0
  if design.kind == "partition" then
    for s = 1, #splits do count = count + #splits:test(s) end
    return count == n
  end
  for s = 1, #splits do
    local train, test = splits:rows(s)
    if #train + #test ~= n then return false end
    for _, row in ipairs(test) do
      if tested[row] then return false end
      tested[row], count = true, count + 1
    end
  end
  return count == n
end

-- The folds of `data`, and what made them.
local function split(self, data, seed)
  local value = self.splitter or default_splitter(self, data)
  local splits = splitter.split(value, data, native.seed(seed, "splits"))
  if not is_partition(splits, #data) then
    native.fail("conformal: splitter '%s' does not put every row into one fold and train on all others; use kfold "
      .. "without repeats", tostring(value))
  end
  if data:roles().groups then
    native.refuse_torn_groups(splits, tostring(value), "keep the rows of a group in one fold, as kfold does")
  end
  return splits, value
end

-- The weight of each row of `data`, if it has groups, as a list by place; the number of groups or rows; and by place a
-- name of the unit.
local function units_of(data)
  local column = data:roles().groups
  if not column then return nil, #data, nil end
  local groups, sizes, n = data:column(column), {}, 0
  for _, group in ipairs(groups) do
    if not sizes[group] then n = n + 1 end
    sizes[group] = (sizes[group] or 0) + 1
  end
  local weights = {}
  for i, group in ipairs(groups) do weights[i] = 1 / sizes[group] end
  return weights, n, groups
end

-- Whether all folds have as many units; folds[i] is the fold of the row at place i.
local function are_equal(folds, n_folds, groups)
  local counts, seen = {}, {}
  for i, fold in ipairs(folds) do
    local unit = groups and groups[i] or i
    if not seen[unit] then counts[fold] = (counts[fold] or 0) + 1 end
    seen[unit] = true
  end
  for fold = 2, n_folds do
    if counts[fold] ~= counts[1] then return false end
  end
  return true
end

-- Whether the folds may depend on the target or the features: all but those of splitters that do not see them.
local function may_depend_on_rows(value)
  if not splitter.deals_blindly(value) then return true end
  local stratify = value:params().stratify
  return stratify ~= nil and stratify ~= native.null and stratify ~= false and stratify ~= "false"
end

-- What the models of the folds got wrong: { scores =, folds = by place, weights =, units = }.
local function calibrate(data, splits, models, seed)
  local place, known = {}, { scores = {}, folds = {} }
  for i, id in ipairs(data:row_ids()) do place[id] = i end
  for s = 1, #splits do
    local test = splits:test(s)
    local prediction = models[s]:predict(test)
    local scores = native.conformal_scores(prediction, seed)
    for i, id in ipairs(prediction:row_ids()) do
      known.scores[place[id]], known.folds[place[id]] = scores[i], s
    end
  end
  return known
end

local model = ensemble_model.class("conformal", "crossfold.ConformalModel")

-- The last member is the model of all rows.
function model:combine(rows) return self.models[#self.models]:predict(rows) end

local function facts_of(self)
  return {
    method = self.method, folds = #self.models - 1, units = self.known.units,
    unit = self.known.weights and "group" or "row", equal = self.equal, dependent = self.dependent,
    weighted = self.weighted,
  }
end

-- model:predict(rows, { coverage = }); see ensemble/model.lua.
function model:combine_with(rows, o)
  local whole, predictions = self:combine(rows), {}
  if o.coverage == nil or #rows == 0 then return whole end
  for k = 1, #self.models - 1 do
    predictions[k] = self.models[k]:predict(rows)
  end
  local text = guarantee.text(facts_of(self), o.coverage)
  if self.method == "aps" then
    local seed = self.draws and native.seed(self.draws, "predict")
    return native.conformal_sets(whole, self.known, predictions, o.coverage, text, seed)
  end
  return native.conformal_intervals(whole, self.known, predictions, o.coverage, text,
    self.method == "cv_minmax" and "minmax" or "plus")
end

function model:parts()
  return {
    method = self.method, scores = self.known.scores, folds = self.known.folds, weights = self.known.weights,
    units = self.known.units, equal = self.equal, dependent = self.dependent, weighted = self.weighted,
    draws = self.draws,
  }, members.parts(self)
end

-- Whether `list` has n numbers, each of them from `low` to `high`.
local function are_numbers(list, n, low, high)
  if type(list) ~= "table" or #list ~= n then return false end
  for _, x in ipairs(list) do
    if type(x) ~= "number" or not (x >= low and x <= high) then return false end
  end
  return true
end

local function has(list, value)
  for _, one in ipairs(list) do
    if one == value then return true end
  end
  return false
end

local function is_whole(o, saved)
  local n = type(o.scores) == "table" and #o.scores or 0
  if #saved.members < 3 or not has(methods, o.method) then return false end
  if (o.method == "aps") ~= (saved.data:task() == "classification") then return false end
  if not (are_numbers(o.scores, n, -1, math.maxinteger) and are_numbers(o.folds, n, 1, #saved.members - 1)) then
    return false
  end
  for _, fold in ipairs(o.folds) do
    if math.type(fold) ~= "integer" then return false end
  end
  if o.weights ~= nil and not are_numbers(o.weights, n, 0, 1) then return false end
  return math.type(o.units) == "integer" and o.units >= 1 and o.units <= n and type(o.equal) == "boolean"
    and type(o.dependent) == "boolean" and type(o.weighted) == "boolean"
    and (o.draws == nil or math.type(o.draws) == "integer")
end

function model.restore(saved)
  local o = saved.options
  if not is_whole(o, saved) then return nil end
  local fields = members.restored(saved)
  for _, name in ipairs { "method", "equal", "dependent", "weighted", "draws" } do fields[name] = o[name] end
  fields.known = { scores = o.scores, folds = o.folds, weights = o.weights, units = o.units }
  return fields
end

-- Fits the learner on the training part of every fold and on all rows of `data`.
function composite:fit(data, context)
  local seed = members.seed("conformal:fit", data, context)
  self:check(data)
  local splits, value = split(self, data, seed)
  local jobs, names = {}, {}
  for s = 1, #splits do jobs[s] = { self.learner, splits:train(s), native.seed(seed, "member", s) } end
  jobs[#jobs + 1] = { self.learner, data, native.seed(seed, "fit") }
  local models, details = members.fit(jobs)
  for m in ipairs(models) do names[m] = learner.name(self.learner) end
  local draws = self.randomized and native.seed(seed, "draws") or nil
  local known = calibrate(data, splits, models, draws and native.seed(draws, "calibration"))
  local groups
  known.weights, known.units, groups = units_of(data)
  return ensemble_model.new(model, tostring(self), data, seed, {
    method = self.method, models = models, names = names, known = known, draws = draws,
    equal = are_equal(known.folds, #splits, groups), dependent = may_depend_on_rows(value),
    weighted = data:roles().weights ~= nil, detail = details[#models],
  })
end

local declared = options.declare("conformal", {
  learner = { "any!", is = "learner", doc = "The learner that predicts." },
  method = { "string!", words = methods, doc = "The method: \"cv_plus\", \"jackknife_plus\" (one row a fold) and "
    .. "\"cv_minmax\" give intervals of numbers, \"aps\" gives sets of classes." },
  splitter = { "any", is = "splitter", doc = "The folds, which each row is in once; default 10 folds (fewer for fewer "
    .. "rows), one row a fold for \"jackknife_plus\"." },
  coverage = { "number", 0.9, doc = "The coverage of the intervals or sets that cf.evaluate keeps." },
  randomized = { "boolean", false, doc = "Whether \"aps\" draws at random what share of its own probability a class "
    .. "counts, as its paper does; sets may be empty then." },
})

function conformal.new(given)
  local o = options.check("conformal", given, declared)
  if o.randomized and o.method ~= "aps" then
    native.fail("conformal: randomized is for method = \"aps\", not '%s'", o.method)
  end
  if o.splitter and o.method == "jackknife_plus" then
    native.fail("conformal: jackknife_plus leaves out one row (or group) at a time and takes no splitter; use cv_plus")
  end
  return setmetatable({
    learner = learner.check(o.learner, "conformal: option 'learner'"), method = o.method,
    splitter = o.splitter and splitter.check(o.splitter, "conformal: option 'splitter'"),
    coverage = guarantee.check_coverage("conformal", o.coverage), randomized = o.randomized,
    predict_options = { coverage = o.coverage },
  }, composite)
end

-- The same with transforms before the learner (see learner.lua).
function composite:map_learners(before) return members.map_learners(self, before) end

function composite:splits_rows() return true end

members.add_parts(composite)
options.methods(composite, { "fit", "with" }, "conformal:", { "fit" })

return conformal
