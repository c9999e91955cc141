-- cf.adversarial_validation{ old =, new =, ... }: do new rows look like the old ones? A classifier of old against new
-- rows is cross-validated; permutations of who is new say what its area under the ROC curve would be by chance.
-- The target is not used. See docs/audit.md.
local native = require "crossfold.native"
local adversarial_result = require "crossfold.audit.adversarial_result"
local execution = require "crossfold.execution"
local learner = require "crossfold.learner"
local options = require "crossfold.options"
local run = require "crossfold.run"
local splitter = require "crossfold.splitter"

local adversarial_validation = {}

local function refuse(old, new, finding)
  native.fail("cannot compare '%s' with '%s': %s", new:name(), old:name(), finding)
end

-- The features of `old` that are features of `new`, and those that one of them lacks.
local function shared_features(old, new)
  local is_old, shared, missing = {}, {}, {}
  local is_new = options.set_of(new:features())
  for _, name in ipairs(old:features()) do
    is_old[name] = true
    table.insert(is_new[name] and shared or missing, name)
  end
  local target = old:roles().target
  for _, name in ipairs(new:features()) do
    if not is_old[name] and name ~= target then missing[#missing + 1] = name end
  end
  return shared, missing
end

local function type_of(values)
  for _, value in ipairs(values) do
    if value ~= native.null then return type(value) end
  end
end

-- The entries of a column of both, old ones first.
local function joined_column(old, new, name)
  local values, more = old:column(name), new:column(name)
  local a, b = type_of(values), type_of(more)
  if a and b and a ~= b then
    refuse(old, new, ("column '%s' has values of type %s in one and %s in the other; read both with the same types")
      :format(name, a, b))
  end
  return table.move(more, 1, #more, #values + 1, values)
end

-- A role column for both: `groups` of the old rows, then of the new ones. A group on both sides is refused, as its
-- rows are old and new at once.
local function joined_groups(old, new)
  local name, other = old:roles().groups, new:roles().groups
  if not name and not other then return nil end
  if not name or not other then
    refuse(old, new, "only one of them names groups; read both with groups = \"<column>\"")
  end
  local groups, more, is_old = old:column(name), new:column(other), {}
  for i, group in ipairs(groups) do is_old[group], groups[i] = true, tostring(group) end
  for i, group in ipairs(more) do
    if is_old[group] then
      refuse(old, new, ("group '%s' is in both, so its rows depend on each other; leave it out of one with data:filter")
        :format(tostring(group)))
    end
    groups[#old + i] = tostring(group)
  end
  return groups
end

-- { columns = of the features of both, old rows first, features = their names, missing = names that one lacks, groups =
-- the group of each row or nil }.
local function join_features(old, new)
  local shared, missing = shared_features(old, new)
  if #shared == 0 then refuse(old, new, "they have no feature in common; name the columns alike") end
  local columns = {}
  for i, name in ipairs(shared) do columns[i] = { name = name, values = joined_column(old, new, name) } end
  return { columns = columns, features = shared, missing = missing, groups = joined_groups(old, new) }
end

-- A name that no column of the list has.
local function free_name(columns, name)
  local taken = {}
  for _, column in ipairs(columns) do taken[column.name] = true end
  while taken[name] do name = name .. "_" end
  return name
end

-- Rows of at most `most` rows of `data`, drawn with `seed`.
local function sample(data, most, seed)
  if #data <= most then return data end
  return data:select(native.draw(#data, most, false, seed))
end

-- `n` labels of which those at `count` drawn places are "new".
local function drawn_labels(n, count, seed)
  local labels = {}
  for i = 1, n do labels[i] = "old" end
  for _, place in ipairs(native.draw(n, count, false, seed)) do labels[place] = "new" end
  return labels
end

-- Who is old and who is new, and a function of a seed that draws it among all rows, or among whole groups.
local function membership(n_old, n_new, groups)
  local truth = {}
  for i = 1, n_old + n_new do truth[i] = i <= n_old and "old" or "new" end
  if not groups then return truth, function(seed) return drawn_labels(n_old + n_new, n_new, seed) end end
  local number, n, of_new = {}, 0, 0
  for i, group in ipairs(groups) do
    if not number[group] then
      n, of_new = n + 1, of_new + (i > n_old and 1 or 0)
      number[group] = n
    end
  end
  return truth, function(seed)
    local drawn, labels = drawn_labels(n, of_new, seed), {}
    for i, group in ipairs(groups) do labels[i] = drawn[number[group]] end
    return labels
  end
end

-- The data of each permutation, the true membership first: all share the columns of features.
local function make_trials(joined, n_old, n_new, o)
  local columns, names = table.move(joined.columns, 1, #joined.columns, 1, {}), {}
  local groups = joined.groups and free_name(columns, "group")
  if groups then columns[#columns + 1] = { name = groups, values = joined.groups } end
  local truth, permuted = membership(n_old, n_new, joined.groups)
  for b = 0, o.permutations do
    names[b] = free_name(columns, ("permutation %d"):format(b))
    columns[#columns + 1] = { name = names[b], levels = { "old", "new" },
      values = b == 0 and truth or permuted(native.seed(o.seed, "permutation", b)) }
  end
  local all = native.dataset("old and new rows", columns, { target = names[0], groups = groups or nil })
  local trials = {}
  for b = 0, o.permutations do
    trials[b] = native.with_features(native.with_roles(all, { target = names[b] }), joined.features, {})
  end
  return trials
end

-- The splits are made of the membership at hand, so that chance goes through the same steps.
local function splits_of(data, o)
  local folds = native.spec("splitter", "kfold", { folds = o.folds, stratify = splitter.stratification(data) })
  return native.split(folds, data, native.seed(o.seed, "splits"))
end

local function cell(value, splits, o, keep)
  return { learner = value, splits = splits, split = 1, count = #splits, seed = native.seed(o.seed, "learner"),
    metrics = { native.spec("metric", "roc_auc", { positive = "new" }) }, keep = keep }
end

-- The mean area of cells first .. first + count - 1 over the folds that have one; nil without any.
local function mean_auc(outcomes, first, count)
  local sum, n = 0.0, 0
  for i = first, first + count - 1 do
    local value = outcomes:ok(i) and outcomes:score(i, 1)
    if value then sum, n = sum + value, n + 1 end
  end
  return n > 0 and sum / n or nil
end

-- The probability of "new" of each row, and how many folds test rows of both. Raises if a fold failed.
local function read_observed(outcomes, count)
  local of_row, folds = {}, 0
  for i = 1, count do
    if not outcomes:ok(i) then
      local failure = outcomes:failure(i)
      native.fail("adversarial_validation: a fold failed at %s: %s", failure.stage, failure.message)
    end
    local prediction, tested = outcomes:prediction(i), {}
    local truth, probabilities, new = prediction:truth(), prediction:probabilities(), 1
    for c, class in ipairs(prediction:classes()) do if class == "new" then new = c end end
    for k, id in ipairs(prediction:row_ids()) do
      of_row[id] = probabilities[k][new]
      tested[truth[k]] = true
    end
    if tested.old and tested.new then folds = folds + 1 end
  end
  return of_row, folds
end

-- Fits everything as one batch. Returns what adversarial_result.new takes.
local function measure(trials, joined, value, o, how)
  local cells, first, places = {}, {}, 1
  local function add(name, splits, keep)
    cells[#cells + 1] = cell(value, splits, o, keep)
    first[name], places = { places, #splits }, places + #splits
  end
  local splits = splits_of(trials[0], o)
  add("truth", splits, "probabilities")
  for b = 1, o.permutations do add(b, splits_of(trials[b], o), "none") end
  local examined = math.min(#joined.features, o.columns)
  for j = 1, examined do
    local name = joined.features[j]
    local one = native.with_features(trials[0], { name }, {})
    add(name, native.splits_over(splits, one), "none")
  end
  local outcomes
  run.parallel({ function() outcomes = run.run(cells) end }, how)
  local of_row, folds = read_observed(outcomes, #splits)
  -- The same figure as of the permutations, to the bit.
  local auc = mean_auc(outcomes, first.truth[1], first.truth[2])
  local found = { auc = auc, of_row = of_row, folds = folds, fits = places - 1, permuted = {}, columns = {} }
  for b = 1, o.permutations do found.permuted[b] = mean_auc(outcomes, first[b][1], first[b][2]) or 0.5 end
  for j = 1, examined do
    local name = joined.features[j]
    found.columns[j] = { column = name, auc = mean_auc(outcomes, first[name][1], first[name][2]) }
  end
  return found
end

-- Adds what a column has in rows first .. last: its mean, if it has numbers, and the share of missing entries.
local function describe(row, side, values, first, last)
  local sum, n = 0.0, 0
  for i = first, last do
    local value = values[i]
    if value ~= native.null and value == value then
      n = n + 1
      sum = sum and type(value) == "number" and sum + value or nil
    end
  end
  row["mean_" .. side] = sum and n > 0 and sum / n or nil
  row["missing_" .. side] = 1 - n / (last - first + 1)
end

adversarial_validation.own_options = {
  learner = { "any", is = "learner", doc = "A learner that gives probabilities; default a small random forest." },
  folds = { "integer", 5, doc = "Number of folds." },
  permutations = { "integer", 99, doc = "Number of permutations of who is new; each fits every fold again." },
  columns = { "integer", 100, doc = "Number of columns, from the first, that are tried alone." },
  rows = { "integer", 1000, doc = "Maximum number of old and of new rows; of more a sample is drawn." },
  confidence = options.confidence,
}

local of_data = options.joined(adversarial_validation.own_options, {
  old = { "dataset!", doc = "The rows that are known." },
  new = { "dataset!", doc = "The rows that came later, or from elsewhere." },
  seed = options.seed,
})
local declared = options.declare("adversarial_validation", execution.declare(of_data))

-- Raises if so few permutations can show no difference at `level`: the smallest p-value is 1 / (1 + permutations).
function adversarial_validation.check_permutations(what, permutations, level)
  if 1 / (1 + permutations) <= level + 1e-12 then return end
  native.fail("%s: %d permutations cannot show a difference at level %.4g; use permutations = %d or more", what,
    permutations, level, math.ceil(1 / level - 1e-6) - 1)
end

local function check_options(o)
  for _, one in ipairs { { "folds", 2 }, { "permutations", 19 }, { "columns", 0 }, { "rows", 20 } } do
    if o[one[1]] < one[2] then
      native.fail("adversarial_validation: %s = %d is out of range; use %d or more", one[1], o[one[1]], one[2])
    end
  end
  options.check_confidence("adversarial_validation", o.confidence)
  adversarial_validation.check_permutations("adversarial_validation", o.permutations, 1 - o.confidence)
  local fewer = math.min(#o.old, #o.new)
  if fewer < o.folds then
    native.fail("cannot compare '%s' with '%s': one of them has %d %s, and each of %d folds needs one; use more rows "
      .. "or fewer folds", o.new:name(), o.old:name(), fewer, fewer == 1 and "row" or "rows", o.folds)
  end
end

-- Checks and measures; see adversarial_result.lua for what it returns.
function adversarial_validation.new(given)
  local o = options.check("adversarial_validation", given, declared)
  local how = run.execution("adversarial_validation", o)
  check_options(o)
  local forest = native.pipeline { native.spec("learner", "random_forest", { trees = 20, min_leaf = 5 }) }
  local value = learner.check(o.learner or forest, "adversarial_validation: option 'learner'")
  if native.kind(value) ~= "learner" then
    native.fail("adversarial_validation: '%s' is not a learner of plugins; use a learner or a pipeline of them",
      learner.name(value))
  end
  local old = sample(o.old, o.rows, native.seed(o.seed, "old"))
  local new = sample(o.new, o.rows, native.seed(o.seed, "new"))
  local joined = join_features(old, new)
  local found = measure(make_trials(joined, #old, #new, o), joined, value, o, how)
  if found.folds == 0 then
    native.fail("cannot compare '%s' with '%s': no fold tests rows of both; use fewer folds or more groups",
      o.new:name(), o.old:name())
  end
  for j, row in ipairs(found.columns) do
    local values = joined.columns[j].values
    describe(row, "old", values, 1, #old)
    describe(row, "new", values, #old + 1, #values)
  end
  found.old, found.new, found.old_ids, found.new_ids = o.old, o.new, old:row_ids(), new:row_ids()
  found.learner, found.missing, found.options = value, joined.missing, o
  found.by_group = joined.groups ~= nil
  return adversarial_result.new(found)
end

return adversarial_validation
