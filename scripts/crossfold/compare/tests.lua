-- Tests one pair of learners on one dataset: finds the test that is valid for the splits, and computes its
-- figures. Refuses what is not valid, with the reason and the valid way.
local native = require "crossfold.native"
local anytime = require "crossfold.compare.anytime"
local comparison_levels = require "crossfold.compare.levels"
local equal_means = require "crossfold.stats.equal_means"
local metric = require "crossfold.metric"
local splitter = require "crossfold.splitter"
local stats = require "crossfold.stats.stats"

local comparison_tests = {}

-- Metrics whose value is a share of right rows: -1 = of wrong ones.
local share_of_right = { ["crossfold.accuracy"] = 1, ["crossfold.error_rate"] = -1 }

local function right_sign(c)
  local value = c.metric_value
  return not metric.is_lua(value) and share_of_right[value:id()]
    and not next(value:params()) and share_of_right[value:id()] or nil
end

-- What the splits are: kind = "holdout" | "leave_one_out" | "kfold" | "resampled"; text for people.
local function design_of(dataset)
  local d = dataset.entries[1].splits:design()
  if d.size == 1 then return { kind = "holdout", size = 1, text = "one split" } end
  if d.kind == "lists" then
    return { kind = "resampled", size = d.size, text = ("%d splits"):format(d.size),
      heuristic = not dataset.random }
  end
  if d.folds == d.rows then
    return { kind = "leave_one_out", size = d.size, repeats = d.repeats, folds = d.folds,
      text = "leave-one-out" }
  end
  local text = d.repeats == 1 and ("%d folds"):format(d.folds) or ("%d times %d folds"):format(d.repeats, d.folds)
  return { kind = "kfold", size = d.size, repeats = d.repeats, folds = d.folds, text = text,
    groups = dataset.data:roles().groups ~= nil }
end

local function is_number(value)
  return value ~= nil and value ~= math.huge and value ~= -math.huge
end

-- An infinite score is the worst (or best) there is, so to leave its split out would spare the learner
-- that has it, and with it the mean is not a number. Says so in `row` if a learner has one.
local function has_infinite(row, ...)
  for _, entry in ipairs { ... } do
    for s = 1, #entry.splits do
      local value = entry.values[s]
      if value ~= nil and not is_number(value) then
        row.undefined = ("'%s' has an infinite score in split %d, so its mean is not a number"):format(entry.name, s)
        row.splits, row.splits_of = 0, row.splits_of or #entry.splits
        return true
      end
    end
  end
  return false
end

-- Numbers of distinct training and test rows of each split of an entry, the first split with the same rows, and the
-- number of groups or rows: { train = {}, test = {}, same_as = {}, units = }. Counted once for all entries with these
-- splits.
function comparison_tests.sizes(entry)
  local sizes = entry.sizes
  sizes.same_as = sizes.same_as or entry.splits:same_as()
  sizes.units = sizes.units or entry.splits:design().units
  for s = #sizes.train + 1, #entry.splits do sizes.train[s], sizes.test[s] = entry.splits:distinct_rows(s) end
  return sizes
end

-- Scores of both learners in the splits in which both have one, and the rows of these splits.
function comparison_tests.common_scores(a, b)
  local sizes = comparison_tests.sizes(a)
  local both = { a = {}, b = {}, differences = {}, same_as = {}, n_train = 0, n_test = 0, all = 0 }
  for s = 1, #a.splits do
    both.all = both.all + 1
    local x, y = a.values[s], b.values[s]
    if is_number(x) and is_number(y) then
      local n = #both.a + 1
      both.a[n], both.b[n], both.differences[n], both.same_as[n] = x, y, x - y, sizes.same_as[s]
      both.n_train, both.n_test = both.n_train + sizes.train[s], both.n_test + sizes.test[s]
    else
      both.reason = both.reason or a.reasons[s] or b.reasons[s]
    end
  end
  both.distinct, both.counted = splitter.count_distinct(both.same_as, sizes.units)
  return both
end

local common_scores = comparison_tests.common_scores

local function mean(values) return native.summary(values).mean end

-- The predictions of all splits combined, made once; nil if a split has none.
local function pooled(entry)
  if entry.pooled == nil then
    local predictions = {}
    for _, fold in ipairs(entry.folds) do predictions[#predictions + 1] = fold.prediction end
    entry.pooled = #predictions == #entry.splits and native.pool(predictions)
  end
  return entry.pooled or nil
end

-- One row of the comparison: figures that all tests have.
local function new_row(c, dataset, a, b, test)
  return {
    dataset = dataset.name, metric = c.metric, positive = dataset.positive, a = a.name, b = b.name, test = test,
    confidence = c.options.confidence,
  }
end

-- Differences without any variance are given p = 0 by convention; that is not evidence, and two splits
-- of few rows come to it by chance. p = 1, of learners that never differ, stays.
local function set_p(row, p, undefined)
  if undefined and p == 0 then
    row.undefined = (undefined:gsub("; p = 0 by convention.*$", ""))
  else
    row.p, row.undefined = p, undefined
  end
  return row
end

local function take(row, figures)
  for _, key in ipairs { "statistic", "df", "low", "high" } do row[key] = figures[key] end
  return set_p(row, figures.p, figures.undefined)
end

-- Probabilities that a is worse, alike and better in practice.
local function add_rope(c, row, both)
  local rope = c.options.rope
  if not rope or #both.differences < 2 then return end
  local posterior = stats.bayes_correlated_t(both.differences,
    { n_train = both.n_train, n_test = both.n_test, rope = rope, distinct = both.counted })
  if posterior.undefined or not row.p then return end
  local lower, higher = posterior.left, posterior.right
  if c.direction < 0 then lower, higher = higher, lower end
  row.rope, row.p_alike = rope, posterior.rope
  if c.direction ~= 0 then row.p_worse, row.p_better = lower, higher end
end

local function fill_means(row, both)
  row.splits, row.splits_of, row.distinct, row.counted = #both.a, both.all, both.distinct, both.counted
  row.left_out = both.all > #both.a and both.reason or nil
  if #both.a == 0 then return end
  row.mean_a, row.mean_b = mean(both.a), mean(both.b)
  row.difference = mean(both.differences)
end

-- A row of a t test of means that are equal but for rounding has the figures of equal ones.
local function settle_equal(row)
  if row.mean_a and row.mean_b and row.statistic and equal_means.are(row.mean_a, row.mean_b) then
    row.difference, row.statistic, row.p = 0.0, 0.0, 1.0
  end
  return row
end

local tests = {}

function tests.corrected_t(c, dataset, a, b)
  local row = new_row(c, dataset, a, b, "corrected resampled t")
  if has_infinite(row, a, b) then return row end
  local both = common_scores(a, b)
  fill_means(row, both)
  if #both.differences < 2 then
    row.undefined = ("both learners have a score in %d of %d splits; the test needs 2: %s"):format(
      #both.differences, both.all, both.reason or "there is only one split")
    return row
  end
  row.n_train, row.n_test = both.n_train / #both.a, both.n_test / #both.a
  take(row, stats.corrected_t(both.differences,
    { n_train = both.n_train, n_test = both.n_test, confidence = c.options.confidence, distinct = both.counted }))
  add_rope(c, row, both)
  return settle_equal(row)
end

-- A row with the figures of both learners on the pooled test rows, or with the reason why there are none.
local function agreement_row(c, dataset, a, b, test)
  local row = new_row(c, dataset, a, b, test)
  local first, second = pooled(a), pooled(b)
  local both = common_scores(a, b)
  row.splits, row.splits_of = #both.a, both.all
  if not (first and second) then
    row.undefined = ("a split has no predictions, so the rows cannot be compared one by one: %s"):format(both.reason)
    return row
  end
  row.rows, row.only_a, row.only_b = native.agreement(first, second)
  row.mean_a, row.mean_b = metric.score(c.metric_value, first), metric.score(c.metric_value, second)
  row.difference = right_sign(c) * ((row.only_a - row.only_b) / row.rows)
  return row
end

function tests.mcnemar(c, dataset, a, b)
  local row = agreement_row(c, dataset, a, b, "McNemar mid-p")
  if not row.rows then return row end
  local interval = native.paired_proportions(row.only_a, row.only_b, row.rows, c.options.confidence)
  local sign = right_sign(c)
  row.low = sign > 0 and interval.low or -interval.high
  row.high = sign > 0 and interval.high or -interval.low
  local test = stats.mcnemar { only_first = row.only_a, only_second = row.only_b, method = "mid_p" }
  row.p, row.undefined = test.p, test.undefined
  return row
end

-- Leave-one-out by default: the figures without a p-value. The n models share all rows but one, so the answers
-- on the rows are not independent, and no test of them is known that keeps its level.
function tests.agreement(c, dataset, a, b)
  local row = agreement_row(c, dataset, a, b, "agreement on the rows")
  if not row.rows then return row end
  row.undefined = ("leave-one-out has no valid test: McNemar's takes the "
    .. "rows for independent and finds a difference between equal learners in up to %s of data sets instead "
    .. "of 5 %%; use kfold or repeated holdout, or ask for test = 'mcnemar'"):format(comparison_levels.of_leave_one_out)
  return row
end

local function five_by_two(c, dataset, a, b, name, prefix)
  local row = new_row(c, dataset, a, b, name)
  if has_infinite(row, a, b) then return row end
  local both = common_scores(a, b)
  fill_means(row, both)
  if #both.differences < 10 then
    row.undefined = ("%d of the 10 splits have both scores: %s"):format(#both.differences, both.reason)
    return row
  end
  if both.distinct < 10 then
    row.undefined = ("the 10 splits are %d different ones, and the test takes 5 different divisions into "
      .. "halves"):format(both.distinct)
    return row
  end
  local pairs_of = {}
  for i = 1, 5 do pairs_of[i] = { both.differences[2 * i - 1], both.differences[2 * i] } end
  local figures = stats.five_by_two { differences = pairs_of }
  row.statistic, row.df = figures[prefix], prefix == "t" and figures.t_df or nil
  return set_p(row, figures[prefix .. "_p"], figures.undefined)
end

function tests.five_by_two_t(c, dataset, a, b)
  return five_by_two(c, dataset, a, b, "5x2cv t", "t")
end

function tests.five_by_two_f(c, dataset, a, b)
  return five_by_two(c, dataset, a, b, "5x2cv F", "f")
end

-- Each learner's own splits.
local function own_scores(entry)
  local own, sizes = { values = {}, same_as = {}, n_train = 0, n_test = 0 }, comparison_tests.sizes(entry)
  for s = 1, #entry.splits do
    if is_number(entry.values[s]) then
      own.values[#own.values + 1], own.same_as[#own.same_as + 1] = entry.values[s], sizes.same_as[s]
      own.n_train, own.n_test = own.n_train + sizes.train[s], own.n_test + sizes.test[s]
    else
      own.reason = own.reason or entry.reasons[s]
    end
  end
  own.counted = select(2, splitter.count_distinct(own.same_as, sizes.units))
  return own
end

function tests.unpaired_t(c, dataset, a, b)
  local row = new_row(c, dataset, a, b, "unpaired corrected t")
  local first, second = own_scores(a), own_scores(b)
  row.splits, row.splits_of = #first.values + #second.values, #a.splits + #b.splits
  if #first.values == 0 or #second.values == 0 then
    row.undefined = ("'%s' has no score"):format(#first.values == 0 and a.name or b.name)
    return row
  end
  for i, own in ipairs { first, second } do
    if own.n_train == 0 then
      row.undefined = ("nobody knows the training rows of '%s', so there is no correction for them"):format(
        (i == 1 and a or b).name)
      return row
    end
  end
  row.left_out = first.reason or second.reason
  if has_infinite(row, a, b) then return row end
  row.mean_a, row.mean_b = mean(first.values), mean(second.values)
  row.difference = row.mean_a - row.mean_b
  return settle_equal(take(row, native.unpaired_t(first.values, second.values, first.n_test / first.n_train,
    second.n_test / second.n_train, first.counted, second.counted, c.options.confidence)))
end

function tests.anytime(c, dataset, a, b)
  return anytime.fill(new_row(c, dataset, a, b, anytime.name), c, a, b)
end

local function refuse(test, dataset, finding)
  native.fail("compare: test = '%s' is not valid on dataset '%s': %s", test, dataset.name, finding)
end

local refusals = {}

function refusals.corrected_t(_, dataset, design)
  if design.size < 2 then
    refuse("corrected_t", dataset, "there is one split; use a splitter with several, or test = "
      .. "'mcnemar' for the accuracy")
  end
end

function refusals.mcnemar(c, dataset, design)
  if not right_sign(c) then
    refuse("mcnemar", dataset, ("it counts right and wrong labels, which '%s' does not; use metric = "
      .. "'accuracy'"):format(c.metric))
  end
  if design.kind == "resampled" or (design.repeats or 1) > 1 then
    refuse("mcnemar", dataset, ("it takes every row once, and %s test rows repeatedly; use test = "
      .. "'corrected_t'"):format(design.text))
  end
  if dataset.data:roles().groups then
    refuse("mcnemar", dataset, "it takes rows for independent, and these come in groups; use a "
      .. "splitter with several splits, and test = 'corrected_t'")
  end
  if dataset.data:roles().weights then
    refuse("mcnemar", dataset, "it counts rows, and these have weights; use a splitter with several "
      .. "splits, and test = 'corrected_t'")
  end
  for _, entry in ipairs(dataset.entries) do
    if not pooled(entry) and next(entry.reasons) == nil then
      refuse("mcnemar", dataset, "no predictions were kept; evaluate with keep = \"labels\"")
    end
  end
end

function refusals.anytime(c, dataset, design)
  local finding = anytime.refusal(c, dataset, design)
  if finding then refuse("anytime", dataset, finding) end
end

local function refuse_unless_five_by_two(test)
  return function(_, dataset, design)
    if design.kind ~= "kfold" or design.repeats ~= 5 or design.folds ~= 2 then
      refuse(test, dataset, ("it needs 5 repeats of 2 folds, these are %s; use cf.splitter(\"kfold\", "
        .. "{ folds = 2, repeats = 5 }), or test = 'corrected_t'"):format(design.text))
    end
  end
end
refusals.five_by_two_t = refuse_unless_five_by_two("five_by_two_t")
refusals.five_by_two_f = refuse_unless_five_by_two("five_by_two_f")

function refusals.paired_t(_, dataset, design)
  refuse("paired_t", dataset, ("it takes the scores of %s for independent, but their training sets "
    .. "share rows, so it finds differences that are not there; use test = 'corrected_t'"):format(design.text))
end

function refusals.unpaired_t(c, dataset)
  if c.options.paired then
    refuse("unpaired_t", dataset, "both learners were tested on the same rows, which it would ignore; "
      .. "use test = 'corrected_t', or use paired = false")
  end
end

comparison_tests.names = { "corrected_t", "mcnemar", "anytime", "five_by_two_t", "five_by_two_f", "unpaired_t",
  "paired_t" }

-- The name of the test that is valid for these splits, or of the one that was asked for; raises if it
-- is not valid. Returns the name and the design.
function comparison_tests.choose(c, dataset)
  local design = design_of(dataset)
  local wanted = c.options.test
  if wanted == nil and not c.options.paired then wanted = "unpaired_t" end
  if wanted then
    refusals[wanted](c, dataset, design)
    return wanted, design
  end
  if design.kind == "holdout" or design.kind == "leave_one_out" then
    if not right_sign(c) then
      native.fail("compare: on dataset '%s' there is %s, which gives no test of '%s': %s", dataset.name,
        design.kind == "holdout" and "one split" or "one row per split", c.metric,
        "use a splitter with several splits of several rows (kfold, repeated holdout), or metric = " .. "'accuracy'")
    end
    refusals.mcnemar(c, dataset, design)
    return design.kind == "holdout" and "mcnemar" or "agreement", design
  end
  return "corrected_t", design
end

-- The row of learners a and b (entries of `dataset`).
function comparison_tests.run(name, c, dataset, a, b) return tests[name](c, dataset, a, b) end

return comparison_tests
