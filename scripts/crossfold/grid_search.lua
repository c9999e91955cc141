-- Grid search with internal cross-validation: a learner whose fit tries every setting of a grid by
-- cross-validation inside its training rows and keeps the best one.
--
--   cf.grid_search{
--     learner  = cf.learner("knn"),
--     grid     = { k = {1, 3, 5}, distance = {"manhattan", "euclidean"} },
--     splitter = cf.splitter("kfold", { folds = 10, stratify = true }),
--     metric   = "accuracy",
--   }
--
-- Order of the grid: parameter names sorted, the last one varies fastest; a list of grids is
-- searched one after the other. A candidate's score is the mean over the inner folds. Equal candidates
-- (within 1e-12, relative: means of the same numbers in another order differ in the last bits): the
-- earlier one wins. A candidate that fails in an inner fold is out, with its reason. An inner fold in
-- which the metric is undefined for some candidate counts for none. If no candidate is left, the
-- search fails. A candidate with an infinite score in one of these folds is out: it has no mean that
-- could be compared.
local native = require "crossfold.native"
local learner = require "crossfold.learner"
local metric = require "crossfold.metric"
local options = require "crossfold.options"
local run = require "crossfold.run"
local splitter = require "crossfold.splitter"

local grid_search = {}

local tie_tolerance = 1e-12

-- All settings of one grid, as parameter tables, in grid order.
local function expand(grid, what)
  local names = options.sorted_keys(grid)
  local settings = { {} }
  for _, name in ipairs(names) do
    local values = grid[name]
    if type(values) ~= "table" or next(values) == nil then
      native.fail(("%s: the values of '%s' must be a list that is not empty"):format(what, name))
    end
    options.list(("%s: the values of '%s'"):format(what, name), values)
    local longer = {}
    for _, setting in ipairs(settings) do
      for _, value in ipairs(values) do
        local copy = {}
        for key, old in pairs(setting) do copy[key] = old end
        copy[name] = value
        longer[#longer + 1] = copy
      end
    end
    settings = longer
  end
  return settings
end

-- Candidates { params =, learner =, name = } of a grid or a list of grids; every problem of the whole
-- grid is told at once.
local function make_candidates(base, grid, what)
  local grids = grid[1] ~= nil and options.list(what .. ": option 'grid'", grid) or { grid }
  local candidates, problems, seen, named = {}, {}, {}, {}
  for _, one in ipairs(grids) do
    if type(one) ~= "table" then
      native.fail(("%s: option 'grid' must be { name = {values} } or a list of such"):format(what))
    end
    for _, params in ipairs(expand(one, what)) do
      local made, problem = native.try_with(base, params)
      if not made then
        if not seen[problem] then
          seen[problem] = true
          problems[#problems + 1] = problem
        end
      else
        local name = tostring(made)
        if named[name] then
          problem = ("the setting %s occurs twice"):format(name)
          if not seen[problem] then
            seen[problem] = true
            problems[#problems + 1] = problem
          end
        end
        named[name] = true
        candidates[#candidates + 1] = { params = params, learner = made, name = name }
      end
    end
  end
  if #problems > 0 then
    native.fail(("%s: %s"):format(what, table.concat(problems, "\n  ")))
  end
  return candidates
end

-- Scores of the inner folds of every candidate: values[c][f], and the failure of a candidate.
local function inner_scores(self, data, seed)
  local splits = splitter.split(self.splitter, data, native.seed(seed, "splits"))
  local keep = metric.keep(self.metrics, "none")
  local cells = {}
  for _, candidate in ipairs(self.candidates) do
    local cell_seed = native.seed(seed, "candidate", candidate.name)
    for f = 1, #splits do
      cells[#cells + 1] = {
        learner = candidate.learner, splits = splits, split = f, seed = cell_seed,
        metrics = self.metrics.native, keep = keep,
      }
    end
  end
  local outcomes = run.run(cells)
  local rows = {}
  for c in ipairs(self.candidates) do
    local row = { values = {}, reasons = {} }
    for f = 1, #splits do
      local i = (c - 1) * #splits + f
      if outcomes:ok(i) then
        local values, reasons = metric.scores(self.metrics, outcomes, i)
        row.values[f], row.reasons[f] = values[1], reasons[1]
      elseif not row.failure then
        row.failure = outcomes:failure(i)
        row.failure.fold = f
      end
    end
    rows[c] = row
  end
  return rows, #splits
end

-- Folds in which every candidate that did not fail has a value.
local function common_folds(rows, n_folds)
  local folds, reason = {}, nil
  for f = 1, n_folds do
    local all = true
    for _, row in ipairs(rows) do
      if not row.failure and row.values[f] == nil then
        all = false
        reason = reason or row.reasons[f]
      end
    end
    if all then folds[#folds + 1] = f end
  end
  return folds, reason
end

-- Whether candidate score `a` beats `b` by more than rounding.
local function better(a, b, direction)
  local difference = (a - b) * direction
  return difference > tie_tolerance * math.max(1, math.abs(a), math.abs(b))
end

-- The inner table of a search and the place of the best candidate.
local function judge(self, rows, n_folds)
  local folds, reason = common_folds(rows, n_folds)
  local inner, best, first_failure = {}, nil, nil
  for c, row in ipairs(rows) do
    local candidate = self.candidates[c]
    local entry = { candidate = candidate.name, params = candidate.params, n_folds = #folds }
    if row.failure then
      first_failure = first_failure or row.failure
      entry.failure = ("%s: %s"):format(row.failure.stage, row.failure.message)
      entry.n_folds = 0
    elseif #folds > 0 then
      local values = {}
      for i, f in ipairs(folds) do values[i] = row.values[f] end
      local finite = true
      for _, value in ipairs(values) do
        if value == math.huge or value == -math.huge then finite = false end
      end
      if finite then
        local summary = native.summary(values)
        entry.mean, entry.sd = summary.mean, summary.sd
        if best == nil or better(entry.mean, inner[best].mean, self.direction) then best = c end
      else
        entry.failure = "the score is infinite in an inner fold"
      end
    end
    inner[c] = entry
  end
  if best == nil then
    if first_failure then
      native.fail(("cannot choose among %d candidates: none could be evaluated; the first failed at %s: %s")
        :format(#rows, first_failure.stage, first_failure.message))
    end
    native.fail(("cannot choose among %d candidates: %s is undefined in every inner fold: %s")
      :format(#rows, metric.name(self.metrics[1]), reason or "its values are infinite"))
  end
  return inner, best
end

local search = {}
search.__index = search
search.__name = "crossfold.GridSearch"

function search:__tostring()
  return ("grid_search{%s, %d candidates}"):format(tostring(self.learner), #self.candidates)
end

-- Raises what would stop the search on any rows of `data`.
function search:check(data)
  native.check_learner(self.learner, data)
  if #self.metrics.native > 0 then native.check_metric(self.metrics[1], data) end
  splitter.check_inner(self.splitter, data, "search")
end

-- Chooses among the candidates on the rows of `data`. Returns the chosen native learner and a table
-- { chosen = params, candidate = name, inner = {one entry a candidate} }.
function search:resolve(data, context)
  local rows, n_folds = inner_scores(self, data, context.seed)
  local inner, best = judge(self, rows, n_folds)
  local chosen = self.candidates[best]
  return chosen.learner,
    { chosen = chosen.params, candidate = chosen.name, inner = inner, metric = self.metric_name }
end

-- Chooses on all rows of `data`, then fits the chosen setting on all of them. Returns the model and
-- the same table as resolve.
function search:fit(data, context)
  local o = options.check("grid_search:fit", context, { seed = { "integer" } })
  local seed = o.seed or native.defaults().seed
  local chosen, detail = self:resolve(data, { seed = native.seed(seed, "inner") })
  return chosen:fit(data, { seed = seed }), detail
end

function grid_search.new(given)
  local o = options.check("grid_search", given, {
    learner = { "any!" },
    grid = { "table!" },
    splitter = { "any!" },
    metric = { "any!" },
  })
  local base = learner.check(o.learner, "grid_search: option 'learner'")
  if native.kind(base) ~= "learner" then
    native.fail("grid_search: option 'learner' must be a native learner or a pipeline, not a search")
  end
  local metrics = metric.list(o.metric, "grid_search: option 'metric'")
  if #metrics ~= 1 then native.fail("grid_search: exactly one metric decides") end
  local direction = metric.direction(metrics[1])
  if direction == 0 then
    native.fail(("grid_search: metric '%s' has no better direction, so it cannot decide")
      :format(metric.name(metrics[1])))
  end
  return setmetatable({
    learner = base,
    candidates = make_candidates(base, o.grid, "grid_search"),
    splitter = splitter.check(o.splitter, "grid_search: option 'splitter'"),
    metrics = metrics,
    metric_name = metric.name(metrics[1]),
    direction = direction,
  }, search)
end

options.public(search, { "fit" })

return grid_search
