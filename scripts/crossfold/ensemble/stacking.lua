-- Stacking: a learner that learns from the predictions of others (D. H. Wolpert, "Stacked
-- generalization", Neural Networks 5 (1992) 241-259; L. Breiman, "Stacked regressions", Machine
-- Learning 24 (1996) 49-64).
--
--   cf.stacking{
--     learners      = { cf.learner("knn"), "naive_bayes" },
--     combiner      = cf.learner("knn", { k = 9 }),
--     splitter      = cf.splitter("kfold", { folds = 10 }),
--     probabilities = true,    -- false: the predicted class instead
--     passthrough   = false,   -- true: the combiner sees the features, too
--   }
--
-- Every learner predicts every training row out of the inner folds. These predictions are the
-- features of the combiner: one number per class (or one category, or in regression one number) for
-- each learner, in their order. Then every learner is fitted again on all training rows. The inner
-- splitter must test every training row exactly once.
local native = require "crossfold.native"
local ensemble_model = require "crossfold.ensemble.model"
local learner = require "crossfold.learner"
local members = require "crossfold.ensemble.members"
local options = require "crossfold.options"
local splitter = require "crossfold.splitter"

local stacking = {}

local ensemble = {}
ensemble.__index = ensemble
ensemble.__name = "crossfold.Stacking"

function ensemble:__tostring()
  return ("stacking{%s -> %s}"):format(members.names(self.learners), learner.name(self.combiner))
end

-- Raises what would stop the fit on any rows of `data`. What the combiner says is known at its fit.
function ensemble:check(data)
  members.check_data("stacking", data)
  members.check(self.learners, data)
  splitter.check_inner(self.splitter, data, "stack")
end

local function column_name(l, class)
  return class and ("learner %d: %s"):format(l, class) or ("learner %d"):format(l)
end

-- The out-of-fold answers of one learner in the order of `ids`. A row that no split tests, or more
-- than one, is refused; `read` gives the answers of one prediction.
local function by_row(predictions, ids, read)
  local answer_of, tester = {}, {}
  for p, prediction in ipairs(predictions) do
    local answers = read(prediction)
    for i, id in ipairs(prediction:row_ids()) do
      if (tester[id] or p) ~= p then
        native.fail(("stacking: the splitter tests row %d more than once"):format(id))
      end
      tester[id], answer_of[id] = p, answers[i]
    end
  end
  local answers = {}
  for i, id in ipairs(ids) do
    answers[i] = answer_of[id]
    if answers[i] == nil then
      native.fail(("stacking: the splitter never tests row %d, so it has no out-of-fold prediction")
        :format(id))
    end
  end
  return answers
end

local readers = {
  values = function(prediction) return prediction:values() end,
  labels = function(prediction) return prediction:labels() end,
}

-- How the answers of learner l are read from a prediction for `data`.
local function reader_for(self, l, data)
  if data:task() == "regression" then return readers.values end
  if not self.probabilities then return readers.labels end
  return function(prediction)
    return prediction:probabilities() or native.fail(("learner '%s' of the ensemble gives no "
      .. "probabilities; use probabilities = false"):format(learner.name(self.learners[l])))
  end
end

-- The columns that learner l adds, from one answer per row.
local function columns_of(self, l, answers, classes)
  if #classes == 0 then return { { name = column_name(l), values = answers } } end
  if not self.probabilities then
    local index, numbers = {}, {}
    for c, name in ipairs(classes) do index[name] = c end
    for i, label in ipairs(answers) do numbers[i] = index[label] end
    return { { name = column_name(l), values = numbers, levels = classes } }
  end
  local columns = {}
  for c, name in ipairs(classes) do
    local column = { name = column_name(l, name), values = {} }
    for i, row in ipairs(answers) do column.values[i] = row[c] end
    columns[c] = column
  end
  return columns
end

-- `rows` as the combiner sees them: answers[l] has one answer of learner l a row.
local function for_combiner(self, rows, answers, classes)
  local columns = {}
  for l = 1, #self.learners do
    for _, column in ipairs(columns_of(self, l, answers[l], classes)) do
      columns[#columns + 1] = column
    end
  end
  return native.with_features(rows, self.passthrough and rows:features() or {}, columns)
end

local model = ensemble_model.class("stacking", "crossfold.StackingModel")

function model:combine(rows)
  if #rows == 0 then return native.prediction(rows, {}, self.data) end
  local answers = {}
  for l, base in ipairs(self.models) do
    answers[l] = reader_for(self.ensemble, l, self.data)(base:predict(rows))
  end
  local seen = for_combiner(self.ensemble, rows, answers, self.data:classes())
  return learner.prediction(rows, self.combiner:predict(seen), self.data)
end

-- The combiner is the last member.
function model:parts()
  local of = self.ensemble
  local list = {}
  for l, fitted in ipairs(self.models) do
    list[l] = { name = learner.name(of.learners[l]), model = fitted }
  end
  list[#list + 1] = {
    name = learner.name(of.combiner), model = self.combiner, features = self.seen,
  }
  return { probabilities = of.probabilities, passthrough = of.passthrough }, list
end

function model.restore(saved)
  local o = saved.options
  if type(o.probabilities) ~= "boolean" or type(o.passthrough) ~= "boolean" then return nil end
  if #saved.members < 2 then return nil end
  local last = table.remove(saved.members)
  if not last.features then return nil end
  local fields = members.restored(saved)
  return {
    models = fields.models, combiner = last.model, seen = last.features,
    ensemble = {
      learners = fields.names, combiner = last.name, probabilities = o.probabilities,
      passthrough = o.passthrough,
    },
  }
end

-- Fits the combiner on out-of-fold predictions, and every learner on all rows of `data`.
function ensemble:fit(data, context)
  local seed = members.seed("stacking:fit", data, context)
  self:check(data)
  local seeds, jobs = {}, {}
  for l, value in ipairs(self.learners) do
    seeds[l] = native.seed(seed, "member", l)
    jobs[l] = { value, data, seeds[l] }
  end
  local splits = splitter.split(self.splitter, data, native.seed(seed, "splits"))
  local keep = self.probabilities and "probabilities" or "labels"
  local answers, ids = {}, data:row_ids()
  for l, predictions in ipairs(members.out_of_fold(self.learners, splits, seeds, keep)) do
    answers[l] = by_row(predictions, ids, reader_for(self, l, data))
  end
  local seen = for_combiner(self, data, answers, data:classes())
  jobs[#jobs + 1] = { self.combiner, seen, native.seed(seed, "combiner") }
  local models = members.fit(jobs)
  local combiner = table.remove(models)
  return ensemble_model.new(model, tostring(self), data, seed, {
    ensemble = self, models = models, combiner = combiner, seen = seen:features(),
  })
end

local declared = options.declare("stacking", {
  learners = { "table!", is = "learner[]", doc = "The learners whose predictions are combined." },
  combiner = { "any!", is = "learner", doc = "The learner that learns from their out-of-fold predictions." },
  splitter = { "any!", is = "splitter", doc = "The splits of the out-of-fold predictions; each row is tested once." },
  passthrough = { "boolean", false, doc = "Whether the combiner gets the features, too." },
  probabilities = { "boolean", true, doc = "Whether it gets probabilities instead of predicted classes." },
})

function stacking.new(given)
  local o = options.check("stacking", given, declared)
  return setmetatable({
    learners = members.list(o.learners, "stacking: option 'learners'"),
    combiner = learner.check(o.combiner, "stacking: option 'combiner'"),
    splitter = splitter.check(o.splitter, "stacking: option 'splitter'"),
    passthrough = o.passthrough, probabilities = o.probabilities,
  }, ensemble)
end

-- The same with transforms before each learner (see learner.lua).
function ensemble:map_learners(before)
  if self.passthrough then
    native.fail(("pipeline: '%s' passes the features on to its combiner, so it takes no transforms before it; "
      .. "give them to the learners inside it"):format(tostring(self)))
  end
  return members.map_learners(self, before)
end

function ensemble:splits_rows() return true end

members.add_parts(ensemble)
local parts_of_learners = ensemble.parts

-- See parameters.lua. The combiner is the last part.
function ensemble:parts()
  local parts = parts_of_learners(self)
  parts[#parts + 1] = { name = "combiner", value = self.combiner }
  return parts
end

function ensemble:with_parts(_, values)
  local n = #values
  return learner.copy(self, { learners = table.move(values, 1, n - 1, 1, {}), combiner = values[n] })
end

options.methods(ensemble, { "fit", "with" }, "stacking:", { "fit" })

return stacking
