-- cf.soak{ data =, subset = column, ... }: does training on other subsets help? Each subset is tested by models that
-- were trained on the same subset, on all other subsets, and on all (SOAK, "same/other/all K-fold cross-validation":
-- Hocking, Thibault, Bodine and others 2024, arXiv 2410.08643). See docs/splitters.md.
local native = require "crossfold.native"
local evaluate = require "crossfold.evaluate"
local execution = require "crossfold.execution"
local options = require "crossfold.options"
local soak_result = require "crossfold.compare.soak_result"
local splitter = require "crossfold.splitter"

local soak = {}

local trainings = { "same", "other", "all" }

local function refuse(data, finding)
  native.fail(("cannot compare subsets of '%s': %s"):format(data:name(), finding))
end

-- The names of the subsets in the order of their first row, and the number of rows of each.
local function subsets_of(data, o)
  local names, rows, values = {}, {}, {}
  for i, value in ipairs(data:column(o.subset)) do
    if value == native.null then refuse(data, ("column '%s' has no entry in row %d"):format(o.subset, i)) end
    values[i] = tostring(value)
    if not rows[values[i]] then names[#names + 1], rows[values[i]] = values[i], 0 end
    rows[values[i]] = rows[values[i]] + 1
  end
  if #names < 2 then refuse(data, ("column '%s' has one value only"):format(o.subset)) end
  for _, name in ipairs(names) do
    if rows[name] < o.folds then
      refuse(data, ("subset '%s' has %d %s, and each of %d folds tests some of them; use fewer folds, or leave it out "
        .. "with data:filter"):format(name, rows[name], rows[name] == 1 and "row" or "rows", o.folds))
    end
  end
  return names, rows, values
end

-- `data` whose column of subsets is not a feature; as strata, the folds have them in their shares.
local function with_subsets(data, o)
  local roles = data:roles()
  if roles.groups == o.subset then
    refuse(data, ("column '%s' has its groups, which stay together, so that no subset could train for itself; "
      .. "use leave_one_group_out"):format(o.subset))
  end
  if roles.target == o.subset then refuse(data, "the column of subsets is its target") end
  return native.with_roles(data, { strata = o.subset })
end

-- Whether each fold tests rows of each subset.
local function covers(base, data, names, values)
  local of_id = {}
  for i, id in ipairs(data:row_ids()) do of_id[id] = i end
  for s = 1, #base do
    local seen, n = {}, 0
    for _, id in ipairs(base:test(s):row_ids()) do
      local name = values[of_id[id]]
      if not seen[name] then seen[name], n = true, n + 1 end
    end
    if n < #names then return false end
  end
  return true
end

-- The folds, with the subsets in their shares; with the classes in theirs, too, unless a fold would lack a subset.
local function make_folds(data, kfold, seed, names, values)
  if data:task() == "classification" then
    local base = splitter.split(kfold, data, seed)
    if covers(base, data, names, values) then return base end
  end
  local plain = native.with_roles(data, { target = "" })
  return native.splits_over(splitter.split(kfold, plain, seed), data)
end

-- The positions of the rows of a part of `data`.
local function positions(part, of_id)
  local list = {}
  for i, id in ipairs(part:row_ids()) do list[i] = of_id[id] end
  return list
end

-- A split for each fold, subset and training set, and what each is: { subset =, train =, repeat_ =, fold = }. The
-- training rows never include a row of the tested fold, whatever its subset.
local function make_splits(data, base, names, values)
  local of_id, lists, places = {}, {}, {}
  for i, id in ipairs(data:row_ids()) do of_id[id] = i end
  for s = 1, #base do
    local repeat_, fold = base:place(s)
    local train, test = positions(base:train(s), of_id), positions(base:test(s), of_id)
    for _, name in ipairs(names) do
      local parts = { same = {}, other = {}, all = train, test = {} }
      for _, row in ipairs(train) do table.insert(values[row] == name and parts.same or parts.other, row) end
      for _, row in ipairs(test) do if values[row] == name then table.insert(parts.test, row) end end
      for _, training in ipairs(trainings) do
        if #parts.test > 0 and #parts[training] > 0 then
          lists[#lists + 1] = { train = parts[training], test = parts.test }
          places[#places + 1] = { subset = name, train = training, repeat_ = repeat_, fold = fold,
            n_train = #parts[training], n_test = #parts.test }
        end
      end
    end
  end
  return native.splits_from_lists(data, lists), places
end

local declared = options.declare("soak", execution.declare {
  data = { "dataset!", doc = "The dataset." },
  subset = { "string!", doc = "The column that names the subset of each row; it is not a feature." },
  learners = { "any!", is = "learners", doc = "The learners, by name or as a list." },
  metrics = { "any!", is = "metrics", doc = "The metrics that score the predictions." },
  folds = { "integer", 10, doc = "Number of folds." },
  repeats = { "integer", 1, doc = "Number of times that the folds are drawn." },
  seed = options.seed,
  confidence = options.confidence,
  keep = evaluate.keep,
  isolate = execution.isolate_by_learner,
})

function soak.new(given)
  local o = options.check("soak", given, declared)
  options.check_confidence("soak", o.confidence)
  local kfold = splitter.new("kfold", { folds = o.folds, repeats = o.repeats, stratify = "as far as possible" })
  local data = with_subsets(o.data, o)
  local names, rows, values = subsets_of(data, o)
  local base = make_folds(data, kfold, native.seed(o.seed, "splits"), names, values)
  local splits, places = make_splits(data, base, names, values)
  local evaluated = evaluate.new(execution.pass_on(o, {
    data = data, learners = o.learners, metrics = o.metrics, splitter = splits, seed = o.seed, keep = o.keep,
    isolate = o.isolate,
  }))
  return soak_result.new {
    evaluated = evaluated, places = places, subsets = names, rows = rows, column = o.subset, data = data:name(),
    splitter = tostring(kfold), confidence = o.confidence, seed = o.seed,
  }
end

return soak
