-- Computes learning curves: the performance of learners trained on more and more rows.
--
-- A trial draws test rows and an order of the others; the training set of size n is the beginning of
-- that order, so that it contains the smaller ones. All learners see the same trials. Test and training
-- sets go to evaluate as explicit splits, so that whatever can be evaluated has a learning curve.
local native = require "crossfold.native"
local evaluate = require "crossfold.evaluate"
local execution = require "crossfold.execution"
local learning_curve_result = require "crossfold.curves.learning_curve_result"
local metric = require "crossfold.metric"
local options = require "crossfold.options"
local row_groups = require "crossfold.row_groups"
local splitter = require "crossfold.splitter"

local learning_curve = {}

-- Computes the sizes of the training sets of a learning curve: a list, or a schedule between two sizes.
--   arithmetic  equal steps:  from + (to - from) (i - 1) / (points - 1)
--   geometric   equal ratios: from (to / from)^((i - 1) / (points - 1))
-- each rounded to the nearest whole number of rows.

local steps = {
  arithmetic = function(from, to, share) return from + (to - from) * share end,
  geometric = function(from, to, share) return from * (to / from) ^ share end,
}

local default_points, default_ratio = 6, 32

local function check_list(what, sizes, most)
  options.list(what .. ": option 'sizes'", sizes)
  if #sizes == 0 then native.fail(what .. ": option 'sizes' is empty; give the sizes, as { 50, 100 }") end
  local checked = {}
  for i, size in ipairs(sizes) do
    local rows = math.tointeger(size)
    if not rows or rows < 1 or rows <= (checked[i - 1] or 0) then
      native.fail("%s: size %d is not a whole number greater than %d; list ascending numbers of rows", what, i,
        checked[i - 1] or 0)
    end
    checked[i] = rows
  end
  if checked[#checked] > most then
    native.fail("%s: size %d needs %d training rows, there are %d; use smaller sizes or fewer test rows", what,
      #checked, checked[#checked], most)
  end
  return checked
end

-- The sizes that the options ask for, with `most` training rows at hand.
local function training_sizes(what, o, most)
  if o.sizes then
    if o.schedule or o.from or o.to or o.points then
      native.fail(what .. ": give either 'sizes' or a schedule with from, to and points")
    end
    return check_list(what, o.sizes, most)
  end
  local schedule = o.schedule or "geometric"
  local step = steps[schedule]
  if not step then native.fail("%s: schedule = '%s' is not one of arithmetic, geometric", what, schedule) end
  local points, to = o.points or default_points, o.to or most
  local from = o.from or math.max(1, to // default_ratio)
  if points < 2 or from < 1 or to <= from then
    native.fail("%s: a schedule of %d points from %d to %d rows is not possible; use 2 or more points and 1 <= from < "
      .. "to", what, points, from, to)
  end
  local sizes = {}
  for i = 1, points do
    sizes[i] = math.floor(step(from, to, (i - 1) / (points - 1)) + 0.5)
    if sizes[i] == sizes[i - 1] then
      native.fail("%s: %d points from %d to %d rows meet at %d rows; use fewer points", what, points, from, to,
        sizes[i])
    end
  end
  return check_list(what, sizes, most)
end

local what = "learning_curve"

local declared = options.declare(what, execution.declare {
  data = { "dataset!", doc = "The dataset." },
  learners = { "any!", is = "learners", doc = "The learners, by name or as a list." },
  metrics = { "any!", is = "metrics", doc = "The metrics that score the predictions." },
  sizes = { "table", is = "integer[]", doc = "The sizes of the training sets." },
  schedule = { "string", names = { "geometric", "arithmetic" },
    doc = "How sizes grow between `from` and `to`; default \"geometric\"." },
  from = { "integer", doc = "The smallest size of a schedule; default 1/32 of `to`." },
  to = { "integer", doc = "The largest size of a schedule; default all training rows." },
  points = { "integer", doc = "Number of sizes in a schedule; default 6." },
  trials = { "integer", 10, doc = "Number of times that training and test rows are drawn." },
  test_share = { "number", doc = "Share of the rows that test in each trial; default 1/3." },
  test = { "dataset", doc = "A dataset whose rows are the test rows of every trial." },
  stratify = { "boolean", doc = "Whether classes have equal shares in all sets; default true for classes." },
  seed = options.seed,
  isolate = execution.isolate_by_learner,
  keep = options.joined(evaluate.keep, { [2] = "none" }),
  on_error = evaluate.on_error,
})

local function check(given)
  local o = options.check(what, given, declared)
  execution.check(what, o)
  if o.trials < 1 then native.fail("%s: trials = %d is out of range; use 1 or more", what, o.trials) end
  if o.test and o.test_share then
    native.fail(what .. ": give either 'test' or 'test_share'")
  end
  o.test_share = o.test_share or 1 / 3
  options.check_share(what, "test_share", o.test_share)
  if o.stratify == nil then o.stratify = o.data:task() == "classification" end
  return o
end

-- Raises if a row is in both parts; both are of one table.
local function require_apart(data, test)
  local trained = options.set_of(data:row_ids())
  for _, id in ipairs(test:row_ids()) do
    if trained[id] then
      native.fail("%s: row %d of '%s' is among the rows of 'data' and those of 'test'; give 'data' the other rows with "
        .. "data:select", what, id, test:name())
    end
  end
end

-- The rows of `data`, and after them those of `test`.
local function with_test_rows(data, test)
  local joined = native.join(data, test)
  if not joined then
    native.fail("%s: the test rows are of '%s', which is not the table of '%s'; read both as one table and take the "
      .. "parts with data:select", what, test:name(), data:name())
  end
  require_apart(data, test)
  return joined
end

-- The sizes, the splits of `data`, size by size within trial by trial, and the ratio of test to training rows.
local function draw(o, data)
  local n = #o.data
  local count = o.test and 0 or math.floor(n * o.test_share + 0.5)
  local trials, most, ratio = {}, math.huge, 0
  for t = 1, o.trials do
    trials[t] = native.nested_rows(o.data, count, o.stratify, native.seed(o.seed, "trial", t))
    local training, tested = trials[t]:counts()
    most = math.min(most, training)
    if not o.test then ratio = math.max(ratio, tested / training) end
  end
  local sizes = training_sizes(what, o, most)
  return sizes, native.splits_from_nested(data, trials, sizes), ratio
end

-- cf.learning_curve{ data =, learners =, metrics =, ... }; see docs/learning_curves.md.
function learning_curve.new(given)
  local o = check(given)
  local metrics = metric.list(o.metrics, what .. ": option 'metrics'")
  local data = o.test and with_test_rows(o.data, o.test) or o.data
  local sizes, splits, ratio = draw(o, data)
  local n_groups = #row_groups(o.data)
  local groups = n_groups < #o.data and n_groups or nil
  local evaluated = evaluate.of_study(execution.pass_on(o, {
    data = data, learners = o.learners, metrics = o.metrics, keep = o.keep,
    on_error = o.on_error, seed = native.seed(o.seed, "evaluate"),
    splitter = splitter.new { name = "nested training sets", split = function() return splits end },
  }), {
    kind = "learning_curve", sizes = sizes, trials = o.trials, test_to_train = ratio,
    fixed_test = o.test ~= nil, seed = o.seed, groups = groups,
  })
  return learning_curve_result.new {
    evaluated = evaluated, metrics = metrics, sizes = sizes, trials = o.trials,
    test_to_train = ratio, fixed_test = o.test ~= nil, seed = o.seed, groups = groups,
  }
end

return learning_curve
