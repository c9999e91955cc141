-- cf.soak{ data =, subset = column, ... }: does training on other subsets help? Each subset is tested by models that
-- were trained on the same subset, on all other subsets, and on all (SOAK, "same/other/all K-fold cross-validation":
-- Hocking, Thibault, Bodine and others 2024, arXiv 2410.08643). See docs/splitters.md.
local native = require "crossfold.native"
local evaluate = require "crossfold.evaluate"
local execution = require "crossfold.execution"
local metric = require "crossfold.metric"
local options = require "crossfold.options"
local result_class = require "crossfold.result.class"
local copied_rows = require "crossfold.result.copied_rows"
local provenance = require "crossfold.result.provenance"
local splitter = require "crossfold.splitter"
local stats = require "crossfold.stats.stats"
local number_text = require "crossfold.text.number_text"

local soak = {}

local trainings = { "same", "other", "all" }

local function refuse(data, finding)
  native.fail("cannot compare subsets of '%s': %s", data:name(), finding)
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

-- What it returns: the scores of each subset by what was trained on, and what training on others changes.
local result = result_class.new "crossfold.Soak"

-- The scores by learner, metric, subset and training set, each a list over the folds of { value =, place = }.
local function grouped(values)
  local by_key, keys, same_as = {}, {}, values.evaluated.jobs[1].splits:same_as()
  for _, row in ipairs(values.evaluated:scores()) do
    local place = values.places[row.fold]
    local key = table.concat({ row.learner, row.metric, place.subset }, "\0")
    if not by_key[key] then
      by_key[key] = { learner = row.learner, metric = row.metric, subset = place.subset, same = {}, other = {},
        all = {} }
      keys[#keys + 1] = key
    end
    local list = by_key[key][place.train]
    list[#list + 1] = { value = row.value, undefined = row.undefined, place = place, same_as = same_as[row.fold] }
  end
  local groups = {}
  for i, key in ipairs(keys) do groups[i] = by_key[key] end
  return groups
end

-- The mean over the folds where there is one.
local function mean(list)
  local values = {}
  for _, one in ipairs(list) do if one.value then values[#values + 1] = one.value end end
  return #values > 0 and native.summary(values).mean or nil
end

-- Adds what training on `other` or `all` changes, by the corrected t-test over the folds. The ratio of the rows is that
-- of the smaller training sets, which widens the variance most.
local function compare(row, group, training, confidence)
  local by_fold, differences, same_as, n_train, n_test, undefined = {}, {}, {}, 0, 0, nil
  for _, one in ipairs(group.same) do by_fold[one.place.repeat_ .. "/" .. one.place.fold] = one end
  for _, one in ipairs(group[training]) do
    local same = by_fold[one.place.repeat_ .. "/" .. one.place.fold]
    if same and same.value and one.value then
      differences[#differences + 1], same_as[#same_as + 1] = one.value - same.value, one.same_as
      n_train = n_train + math.min(same.place.n_train, one.place.n_train)
      n_test = n_test + one.place.n_test
    else
      undefined = undefined or one.undefined or same and same.undefined
    end
  end
  row.compared, row.splits, row.splits_of = training, #differences, #group[training]
  if #differences < 2 then
    row.undefined = undefined or "there are fewer than two folds"
    return
  end
  local test = stats.corrected_t(differences, { n_train = n_train, n_test = n_test, confidence = confidence,
    distinct = splitter.count_distinct(same_as) })
  row.difference, row.low, row.high, row.p = test.mean, test.low, test.high, test.p
  -- Differences without variance have p = 0 by convention, which is not evidence; p = 1 stays (see compare/tests.lua).
  if test.undefined and test.p == 0 then
    row.p, row.undefined = nil, (test.undefined:gsub("; p = 0 by convention.*$", ""))
  end
end

-- Sets p_adjusted of the rows of each learner and metric (Holm).
local function adjust(rows)
  local families, order = {}, {}
  for _, row in ipairs(rows) do
    local key = row.learner .. "\0" .. row.metric
    if not families[key] then families[key], order[#order + 1] = {}, key end
    if row.p then table.insert(families[key], row) end
  end
  for _, key in ipairs(order) do
    local p = {}
    for i, row in ipairs(families[key]) do p[i] = row.p end
    if #p > 0 then
      for i, adjusted in ipairs(stats.adjust_p(p)) do families[key][i].p_adjusted = adjusted end
    end
  end
end

-- The directions of the metrics by name: 1 = higher is better, -1 = lower, 0 = neither.
local function directions_of(evaluated)
  local directions = {}
  for _, one in ipairs(evaluated.plan.metrics) do directions[metric.name(one)] = metric.direction(one) end
  return directions
end

-- "helps" or "hurts" where a difference is shown: an adjusted p-value up to 1 - confidence.
local function set_verdict(row, direction)
  if not row.p_adjusted or row.p_adjusted > 1 - row.confidence + 1e-12 then
    row.verdict = row.p_adjusted and "no difference shown" or "undefined"
  elseif direction == 0 then
    row.verdict = "differs"
  else
    row.verdict = row.difference * direction > 0 and "helps" or "hurts"
  end
end

-- `values` are made in soak.lua.
local function new_result(values)
  local self = setmetatable({ evaluated = values.evaluated, data = values.data, column = values.column,
    confidence = values.confidence, seed = values.seed, splitter = values.splitter, places_ = values.places }, result)
  local directions, rows = directions_of(values.evaluated), {}
  for _, group in ipairs(grouped(values)) do
    for _, training in ipairs { "all", "other" } do
      local row = { learner = group.learner, metric = group.metric, subset = group.subset,
        rows = values.rows[group.subset], same = mean(group.same), other = mean(group.other), all = mean(group.all),
        confidence = values.confidence }
      compare(row, group, training, values.confidence)
      rows[#rows + 1] = row
    end
  end
  adjust(rows)
  for _, row in ipairs(rows) do set_verdict(row, directions[row.metric]) end
  self.rows_ = rows
  return self
end

-- Rows { learner, metric, subset, rows, same, other, all, compared, difference, low, high, confidence, p, p_adjusted,
-- splits, splits_of, verdict, undefined }: two per learner, metric and subset, which compare training on "all" and on
-- "other" subsets with training on the same one.
function result:rows() return copied_rows(self.rows_) end

-- Rows { learner, metric, subset, train, repeat_, fold, n_train, n_test, value, undefined }: a score each.
function result:scores()
  local rows = {}
  for i, row in ipairs(self.evaluated:scores()) do
    local place = self.places_[row.fold]
    rows[i] = { learner = row.learner, metric = row.metric, subset = place.subset, train = place.train,
      repeat_ = place.repeat_, fold = place.fold, n_train = place.n_train, n_test = place.n_test, value = row.value,
      undefined = row.undefined }
  end
  return rows
end

-- Rows { learner, metric, train, subset, value }: the subset with the worst mean of each kind of training set.
function result:worst()
  local found, order, directions = {}, {}, directions_of(self.evaluated)
  for _, row in ipairs(self.rows_) do
    for _, training in ipairs { "same", "other", "all" } do
      local key = table.concat({ row.learner, row.metric, training }, "\0")
      local value, direction = row[training], directions[row.metric]
      local known = found[key]
      if value and direction ~= 0 and (not known or (value - known.value) * direction < 0) then
        if not known then order[#order + 1] = key end
        found[key] = { learner = row.learner, metric = row.metric, train = training, subset = row.subset,
          value = value }
      end
    end
  end
  local rows = {}
  for i, key in ipairs(order) do rows[i] = found[key] end
  return rows
end

local function signed(x) return (x >= 0 and "+" or "") .. number_text.fixed(x) end

local meant = { all = "all subsets", other = "the other subsets alone" }
local verdicts = { helps = "it helps", hurts = "it hurts", differs = "the scores differ",
  ["no difference shown"] = "no difference is shown" }

local function sentence_of(row)
  local begin = ("On '%s', training '%s' on %s instead of its own rows"):format(row.subset, row.learner,
    meant[row.compared])
  if not row.p_adjusted then return ("%s: undefined: %s."):format(begin, row.undefined or "there is no p-value") end
  local interval = row.low and ("%s interval %s to %s, "):format(number_text.confidence(row.confidence),
    number_text.fixed(row.low), number_text.fixed(row.high)) or ""
  return ("%s changes %s by %s (%s%s adjusted): %s."):format(begin, row.metric, signed(row.difference), interval,
    number_text.p(row.p_adjusted), verdicts[row.verdict])
end

-- A sentence for each row of the first metric, or of another one.
function result:sentences(metric_name)
  local list, wanted = {}, metric_name or self.rows_[1].metric
  for _, row in ipairs(self.rows_) do
    if row.metric == wanted then list[#list + 1] = sentence_of(row) end
  end
  return list
end

-- What went wrong in folds, and what to know of the splits.
function result:notes()
  local notes, failures = self.evaluated:notes(), self.evaluated:failures()
  if #failures > 0 then
    notes[#notes + 1] = ("%d of %d fits failed; the first: %s: %s"):format(#failures, #self.evaluated:folds(),
      failures[1].stage, failures[1].message)
  end
  return notes
end

-- Seed, data and plugins that the numbers came from, as of a result of cf.evaluate.
function result:provenance()
  local from = self.evaluated:provenance()
  from.splitter = ("%s, by column '%s'"):format(self.splitter, self.column)
  return provenance.shown(from)
end

-- The two rows of a learner, metric and subset in one.
local function wide_rows(self)
  local rows = {}
  for i = 1, #self.rows_, 2 do
    local all, other = self.rows_[i], self.rows_[i + 1]
    rows[#rows + 1] = { learner = all.learner, metric = all.metric, subset = all.subset, rows = all.rows,
      same = all.same, other = all.other, all = all.all, ["all - same"] = all.difference, ["p all"] = all.p_adjusted,
      ["other - same"] = other.difference, ["p other"] = other.p_adjusted }
  end
  return rows
end

local shown = { "learner", "metric", "subset", "rows", "same", "other", "all", "all - same", "p all", "other - same",
  "p other" }

function result:__tostring()
  local lines = { native.table_text(shown, wide_rows(self)),
    ("(subsets of '%s' by column '%s'; p adjusted over subsets by Holm's method, corrected t-test)"):format(self.data,
      self.column) }
  for _, text in ipairs(self:sentences()) do lines[#lines + 1] = text end
  for _, note in ipairs(self:notes()) do lines[#lines + 1] = "(" .. note .. ")" end
  return table.concat(lines, "\n")
end

local columns = { "learner", "metric", "subset", "rows", "same", "other", "all", "compared", "difference", "low",
  "high", "confidence", "p", "p_adjusted", "splits", "splits_of", "verdict", "undefined" }

result_class.add_to(result, columns, function(self) return self.rows_ end, {
  latex = function(self) return native.table_latex(shown, wide_rows(self)) end,
})


options.methods(result, { "rows", "scores", "worst", "sentences", "notes", "provenance", "to", "report" }, nil,
  { "to", "report" })

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
  local data = with_subsets(o.data, o)
  local kfold = splitter.new("kfold", { folds = o.folds, repeats = o.repeats,
    stratify = splitter.stratification(data) })
  local names, rows, values = subsets_of(data, o)
  local base = make_folds(data, kfold, native.seed(o.seed, "splits"), names, values)
  local splits, places = make_splits(data, base, names, values)
  local evaluated = evaluate.new(execution.pass_on(o, {
    data = data, learners = o.learners, metrics = o.metrics, splitter = splits, seed = o.seed, keep = o.keep,
    isolate = o.isolate,
  }))
  return new_result {
    evaluated = evaluated, places = places, subsets = names, rows = rows, column = o.subset, data = data:name(),
    splitter = tostring(kfold), confidence = o.confidence, seed = o.seed,
  }
end

return soak
