-- Handles the learners inside an ensemble: their fits, their out-of-fold predictions, and their votes.
local native = require "crossfold.native"
local fitting = require "crossfold.fitting"
local learner = require "crossfold.learner"
local options = require "crossfold.options"
local parameters = require "crossfold.parameters"
local run = require "crossfold.run"

local members = {}

-- The learners of option `what`, checked. All have names.
function members.list(given, what)
  options.list(what, given)
  if #given == 0 then native.fail("%s names no learner", what) end
  local list = {}
  for i, value in ipairs(given) do
    list[i] = learner.check(value, ("%s: learner %d"):format(what, i))
  end
  return list
end

-- A copy of a composite with the field `learners` or `learner`, where every learner is what `before` makes of it.
function members.map_learners(composite, before)
  local learners = {}
  for i, value in ipairs(composite.learners or {}) do learners[i] = before(value) end
  return learner.copy(composite, {
    learner = composite.learner and before(composite.learner), learners = composite.learners and learners,
  })
end

-- Gives a class of composites with the field `learners` or `learner` the parameters of these; see parameters.lua.
function members.add_parts(class)
  function class:parts()
    local parts = {}
    for i, value in ipairs(self.learners or { self.learner }) do parts[i] = parameters.part(value) end
    return parts
  end
  function class:with_parts(settings, values)
    local i = 0
    local copy = members.map_learners(self, function()
      i = i + 1
      return values[i]
    end)
    copy.settings = settings
    return copy
  end
  class.with = parameters.with
end

-- Whether the fit of any of them splits its rows.
function members.any_splits(list)
  for _, value in ipairs(list) do
    if learner.splits_rows(value) then return true end
  end
  return false
end

-- Whether a learner is known to give no probabilities. A search fits a native learner in the end.
function members.lacks_probabilities(value)
  if native.kind(value) ~= "learner" and value.resolve then value = value.learner end
  return native.kind(value) == "learner" and not native.gives_probabilities(value)
end

-- "knn, naive_bayes"
function members.names(list)
  local names = {}
  for i, value in ipairs(list) do names[i] = learner.name(value) end
  return table.concat(names, ", ")
end

-- Raises unless `data` is a dataset with a target; `what` is what it is for.
function members.check_data(what, data)
  if native.kind(data) ~= "dataset" then
    native.fail("%s: expected a dataset, got a %s", what, native.kind(data) or type(data))
  end
  if data:task() == "none" then
    native.fail("%s: dataset '%s' has no target; read it with target = \"<column>\"", what, data:name())
  end
end

-- Raises what would stop any of them on rows of `data`.
function members.check(list, data)
  for _, value in ipairs(list) do fitting.check(value, data) end
end

local fit_options = options.declare("Composite:fit", {
  seed = { "integer", doc = "Seed of the fit; default the seed of the program." },
})
options.declare("Search:fit", fit_options)
options.declare("Spec:fit", options.joined(fit_options, {
  start = { "model", doc = "A model of the same learner, from which the fit goes on." },
}))

-- The seed of an ensemble's fit, which may be called by a script: the arguments are checked.
function members.seed(what, data, context)
  options.dataset(what, data)
  local o = options.check(what, context, fit_options)
  return o.seed or native.defaults().seed
end

-- A seed for each learner, whatever its place. The first of equal learners has the first seed, and so on.
function members.seeds(list, seed)
  local times, seeds = {}, {}
  for i, value in ipairs(list) do
    local definition = learner.definition(value)
    times[definition] = (times[definition] or 0) + 1
    seeds[i] = native.seed(seed, "member", definition, times[definition])
  end
  return seeds
end

-- Fits every job { learner, data, seed }, all together; a list of models, and a table of what was
-- chosen for each (see fitting.fit).
function members.fit(jobs)
  local tasks, models, details = {}, {}, {}
  for i, job in ipairs(jobs) do
    tasks[i] = function() models[i], details[i] = fitting.fit(table.unpack(job)) end
  end
  run.parallel(tasks)
  return models, details
end

local function cells_of(value, splits, first, last, seed, keep)
  local cells = {}
  for s = first, last do
    cells[#cells + 1] = { learner = value, splits = splits, split = s, seed = seed, keep = keep }
  end
  return cells
end

-- The predictions of a batch of cells; the first failure is raised.
local function predictions_of(value, cells)
  local outcomes = run.run(cells)
  local predictions = {}
  for i = 1, #outcomes do
    if not outcomes:ok(i) then
      local failure = outcomes:failure(i)
      native.fail("learner '%s': inner fold %d failed at %s: %s", learner.name(value), cells[i].split, failure.stage,
        failure.message)
    end
    predictions[i] = outcomes:prediction(i)
  end
  return predictions
end

-- The prediction of one composite for the test rows of one split.
local function predict_split(value, splits, split, seed, keep)
  if not value.resolve then return (fitting.predict_on_split(value, splits, split, seed)) end
  local chosen = fitting.resolve_on_split(value, splits, split, seed)
  return predictions_of(value, cells_of(chosen, splits, split, split, seed, keep))[1]
end

-- Out-of-fold predictions: result[l][s] of learner l for the test rows of split s. All learners and
-- splits run together, so all cores are used. `seeds` has one seed per learner.
function members.out_of_fold(list, splits, seeds, keep)
  local result, tasks = {}, {}
  for l, value in ipairs(list) do
    result[l] = {}
    if native.kind(value) == "learner" then
      tasks[#tasks + 1] = function()
        result[l] = predictions_of(value, cells_of(value, splits, 1, #splits, seeds[l], keep))
      end
    else
      for s = 1, #splits do
        tasks[#tasks + 1] = function()
          result[l][s] = predict_split(value, splits, s, seeds[l], keep)
        end
      end
    end
  end
  run.parallel(tasks)
  return result
end

-- Which way of voting fits the task of `data`; `vote` may be nil.
function members.vote_for(what, vote, data)
  local regression = data:task() == "regression"
  vote = vote or (regression and "mean" or "majority")
  if (vote == "mean") ~= regression then
    native.fail("%s: vote = '%s' is for %s; the target of '%s' has %s", what, vote,
      vote == "mean" and "numbers" or "classes", data:name(), regression and "numbers" or "classes")
  end
  return vote
end

local votes = { majority = true, probabilities = true, mean = true }

-- The option of ensembles that vote.
members.vote = { "string", words = { "majority", "probabilities", "mean" },
  doc = "How the members vote: \"majority\" (default for classes), \"probabilities\" takes the mean of their "
    .. "probabilities, \"mean\" (default for numbers) the mean of their values." }

-- Whether `vote` is a way of voting that fits the task of `data`.
function members.can_vote(vote, data)
  return votes[vote] ~= nil and (vote == "mean") == (data:task() == "regression")
end

-- The members of a model, and its fields from them; see ensemble/model.lua.
function members.parts(model)
  local list = {}
  for m, fitted in ipairs(model.models) do
    list[m] = { name = model.names[m], model = fitted }
  end
  return list
end

function members.restored(saved, vote, weights)
  local fields = { models = {}, names = {}, vote = vote, weights = weights }
  for m, member in ipairs(saved.members) do
    fields.models[m], fields.names[m] = member.model, member.name
  end
  return fields
end

-- The joint prediction for `rows`. `ensemble` has the lists models, names and weights, the way to
-- `vote` and the `data` it was fitted on. Sums go in the order of the models; equal sums go to the
-- lower class index. `majority` gives the shares of the votes as probabilities. `view_of(m, rows)` =
-- the rows as model m wants them.
function members.combine(ensemble, rows, view_of)
  if #rows == 0 then return native.prediction(rows, {}, ensemble.data) end
  local sums = native.votes(rows, ensemble.data, ensemble.vote == "majority")
  for m, fitted in ipairs(ensemble.models) do
    local prediction = fitted:predict(view_of and view_of(m, rows) or rows)
    if not sums:add(prediction, ensemble.weights[m]) then
      native.fail("learner '%s' of the ensemble gives no probabilities; use vote = \"majority\"", ensemble.names[m])
    end
  end
  return native.prediction(rows, sums:prediction(), ensemble.data)
end

return members
