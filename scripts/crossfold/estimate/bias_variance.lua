-- bias_variance: the parts of a learner's error. Is it wrong because its models agree on the wrong
-- prediction (bias), or because they depend on the rows that they were trained on (variance)?
--
--   cf.bias_variance{ data = data, learners = { "knn", "tree" }, rounds = 100, train_size = 0.5 }
--
-- Test rows are drawn once; the others are the pool, from which `rounds` training sets are drawn (R.
-- Kohavi & D. Wolpert 1996, "Bias plus variance decomposition for zero-one loss functions", ICML,
-- 275-283). All learners see the same training sets. They go to evaluate as explicit splits, so that
-- whatever can be evaluated can be decomposed. See docs/bias_variance.md.
local native = require "crossfold.native"
local bias_variance_result = require "crossfold.estimate.bias_variance_result"
local evaluate = require "crossfold.evaluate"
local execution = require "crossfold.execution"
local metric = require "crossfold.metric"
local options = require "crossfold.options"
local splitter = require "crossfold.splitter"

local bias_variance = {}

local what = "bias_variance"

local function number(x) return native.format_number(x) end

-- The loss, which the task decides, and the decompositions to show.
local function check_loss(o)
  local task = o.data:task()
  if task == "none" then
    native.fail("cannot decompose the error on '%s': the dataset has no target; read it with target = \"<column>\"",
      o.data:name())
  end
  local fitting = task == "classification" and "zero_one" or "squared"
  o.loss = o.loss or fitting
  if o.loss ~= fitting then
    native.fail("%s: loss = '%s' is for %s; the target of '%s' has %s; use loss = \"%s\"", what, o.loss,
      o.loss == "squared" and "numbers" or "classes", o.data:name(),
      task == "classification" and "classes" or "numbers", fitting)
  end
  if o.method and o.loss == "squared" then
    native.fail("%s: method is for the 0/1 loss; the squared loss has one decomposition; leave method out", what)
  end
end

-- Whether rows are drawn stratum by stratum: strata that the dataset declares, else classes.
local function check_strata(o)
  local has_strata = o.data:roles().strata ~= nil or o.data:task() == "classification"
  if o.stratify and not has_strata then
    native.fail("%s: stratify = true needs classes or strata, which '%s' does not have", what, o.data:name())
  end
  if o.stratify == nil then o.stratify = has_strata and not o.groups end
end

local declared_options = options.declare(what, execution.declare {
  data = { "dataset!", doc = "The dataset." },
  learners = { "any!", is = "learners", doc = "The learners, by name or as a list." },
  rounds = { "integer", 100, doc = "Number of training sets." },
  train_size = { "number", 0.5,
    doc = "Size of a training set: a share of the training rows below 1, or a number of rows." },
  replace = { "boolean", false, doc = "Whether rows are drawn with replacement." },
  test_share = { "number", doc = "Share of the rows that test; default 1/3." },
  test = { "dataset", doc = "A dataset whose rows are the test rows." },
  stratify = { "boolean", doc = "Whether classes have equal shares in all sets; default true for classes." },
  loss = { "string", words = { "squared", "zero_one" }, doc = "The loss; default that of the task." },
  method = { "string", words = { "domingos", "kohavi_wolpert" },
    doc = "The decomposition of the 0/1 loss that is shown; default both." },
  seed = options.seed,
  isolate = execution.isolate_by_learner,
})

local function check(given)
  local o = options.check(what, given, declared_options)
  execution.check(what, o)
  if o.rounds < 2 then
    native.fail("%s: rounds = %d is out of range; the spread of models needs 2 or more training sets", what, o.rounds)
  end
  if o.test and o.test_share then native.fail(what .. ": give either 'test' or 'test_share'") end
  o.test_share = o.test_share or 1 / 3
  options.check_share(what, "test_share", o.test_share)
  o.groups = o.data:roles().groups
  check_loss(o)
  check_strata(o)
  return o
end

-- Raises if a row is tested twice, or is among the data, too.
local function check_distinct(o)
  local known = {}
  for _, id in ipairs(o.data:row_ids()) do known[id] = "the data" end
  for _, id in ipairs(o.test:row_ids()) do
    if known[id] then native.fail("%s: row %d of the test rows is also in %s; leave it out", what, id, known[id]) end
    known[id] = "the test rows before it"
  end
end

-- Raises if a group has rows in `data` and in `test`.
local function check_groups(o)
  if not o.groups then return end
  local in_pool = options.set_of(o.data:column(o.groups))
  for _, group in ipairs(o.test:column(o.groups)) do
    if in_pool[group] then
      native.fail("%s: group '%s' has rows in the data and in the test rows; keep each group on one side", what,
        tostring(group))
    end
  end
end

-- The dataset of all rows, and positions in it: of the pool, and of the test rows.
local function given_test(o)
  local all = native.join(o.data, o.test)
  if not all then
    native.fail("%s: the test rows are of '%s', which is not the table of '%s'; read both as one table and take the "
      .. "parts with data:select", what, o.test:name(), o.data:name())
  end
  if #o.test == 0 then native.fail(what .. ": there are no test rows") end
  check_distinct(o)
  check_groups(o)
  local pool, test = {}, {}
  for i = 1, #o.data do pool[i] = i end
  for i = 1, #o.test do test[i] = #o.data + i end
  return all, pool, test
end

local function drawn_test(o)
  local holdout = native.spec("splitter", "holdout",
    { test_share = o.test_share, stratify = o.stratify })
  local train_ids, test_ids = native.split(holdout, o.data, native.seed(o.seed, "test")):rows(1)
  local place, pool, test = {}, {}, {}
  for i, id in ipairs(o.data:row_ids()) do place[id] = i end
  for i, id in ipairs(train_ids) do pool[i] = place[id] end
  for i, id in ipairs(test_ids) do test[i] = place[id] end
  return o.data, pool, test
end

-- Rows of a training set: train_size below 1 is a share of the pool, from 1 on it is rows.
local function training_rows(o, pool)
  local size = o.train_size
  local rows = size < 1 and math.floor(size * pool + 0.5) or math.tointeger(size)
  if not rows or size <= 0 then
    native.fail("%s: train_size = %s is neither a share between 0 and 1 nor a number of rows", what, number(size))
  end
  if rows < 2 then
    native.fail("%s: train_size = %s of a pool of %d rows gives training sets of %d; use at least 2 rows", what,
      number(size), pool, rows)
  end
  if not o.replace and rows >= pool then
    native.fail("%s: train_size = %s leaves no choice in a pool of %d rows: all training sets would be the same; use "
      .. "fewer rows, or replace = true", what, number(size), pool)
  end
  return rows
end

-- The positions `pool` stratum by stratum, in the order of their first rows; or all as one.
local function strata_of(o, all, pool)
  if not o.stratify then return { pool } end
  local declared, lists, strata = all:roles().strata, {}, {}
  local labels = declared and all:column(declared) or all:target()
  for _, position in ipairs(pool) do
    local label = labels[position]
    if not lists[label] then
      lists[label] = {}
      strata[#strata + 1] = lists[label]
    end
    table.insert(lists[label], position)
  end
  return strata
end

-- How many of `rows` training rows come from each stratum: in proportion, by largest remainder (of
-- equal ones, the first). Whole numbers only, so that nothing rounds.
local function allot(strata, rows, pool)
  local counts, order, left = {}, {}, rows
  for s, stratum in ipairs(strata) do
    counts[s], order[s] = #stratum * rows // pool, s
    left = left - counts[s]
  end
  local function remainder(s) return #strata[s] * rows % pool end
  table.sort(order, function(a, b)
    if remainder(a) ~= remainder(b) then return remainder(a) > remainder(b) end
    return a < b
  end)
  for i = 1, left do counts[order[i]] = counts[order[i]] + 1 end
  return counts
end

-- One training set: sorted positions, which repeat if they are drawn with replacement.
local function draw(o, strata, counts, round)
  local train = {}
  for s, stratum in ipairs(strata) do
    if counts[s] > 0 then
      local seed = native.seed(o.seed, "training set", round, "stratum", s)
      for _, i in ipairs(native.draw(#stratum, counts[s], o.replace, seed)) do
        train[#train + 1] = stratum[i]
      end
    end
  end
  table.sort(train)
  return train
end

local function splits_of(o, all, pool, test, rows)
  local strata, splits = strata_of(o, all, pool), {}
  local counts = allot(strata, rows, #pool)
  for round = 1, o.rounds do
    splits[round] = { train = draw(o, strata, counts, round), test = test }
  end
  return splits
end

-- The mean loss of a round, which evaluate asks for; the parts must add up to the mean of it.
local losses = {
  zero_one = function(truth, predicted)
    local wrong = 0
    for i, value in ipairs(truth) do wrong = wrong + (value ~= predicted[i] and 1 or 0) end
    return wrong / #truth
  end,
  squared = function(truth, predicted)
    local squares = {}
    for i, value in ipairs(truth) do squares[i] = (value - predicted[i]) ^ 2 end
    return native.summary(squares).mean
  end,
}

-- cf.bias_variance{ data =, learners =, ... }
function bias_variance.new(given)
  local o = check(given)
  local all, pool, test = (o.test and given_test or drawn_test)(o)
  local rows = training_rows(o, #pool)
  local study = {
    kind = "bias_variance", loss = o.loss, method = o.method, rounds = o.rounds, train_rows = rows,
    test_rows = #test, pool_rows = #pool, replace = o.replace, seed = o.seed,
  }
  local evaluated = evaluate.of_study(execution.pass_on(o, {
    data = all, learners = o.learners, keep = "labels",
    metrics = metric.new { name = o.loss .. " loss", direction = "lower", score = losses[o.loss] },
    seed = native.seed(o.seed, "evaluate"),
    splitter = splitter.new {
      name = "training sets", split = function()
        return { splits = splits_of(o, all, pool, test, rows) }
      end,
    },
  }), study)
  return bias_variance_result.new {
    evaluated = evaluated, data = all, loss = o.loss, method = o.method, rounds = o.rounds,
    train_rows = rows, test_rows = #test, pool_rows = #pool, replace = o.replace, seed = o.seed,
  }
end

return bias_variance
