-- The conservative z interval (C. Nadeau and Y. Bengio 2003, Machine Learning 52, 239-281, section 4.4), for any
-- metric: the mean over J random splits +- z sigma, where sigma^2 comes of `pairs` times two halves of the rows, which
-- have no row in common. In each half J random splits have the same number of test rows, and
--   sigma^2 = 1 / (2 pairs) sum (mean of one half - mean of the other)^2.
-- A half has fewer training rows, so its mean varies more: the interval is rather too wide. This is what
-- github.com/mlr-org/mlr3inferr has as "con_z" (arXiv 2409.18836).
--
-- Fewer than 10 pairs do not say what sigma is.
--
-- It fits 2 * pairs * J models beyond those of the result.
local native = require "crossfold.native"
local interval_fits = require "crossfold.interval.fits"
local metric = require "crossfold.metric"
local splitter = require "crossfold.splitter"

local conservative_z = { name = "conservative_z", covers = "the procedure", fits = true }

-- Fewer estimate sigma too badly for the quantile of the normal.
conservative_z.least_pairs = 10

function conservative_z.refusal(d)
  if d.kind ~= "random_splits" then
    return ("it needs random splits, these are %s"):format(d.text),
      "use cf.splitter(\"holdout\", { test_share = 0.1, repeats = 15 })"
  elseif d.groups then
    return "it takes rows for independent, and these come in groups", "use method = \"corrected_t\""
  end
end

-- A holdout like that of the result, of another size.
local function holdout_like(c, test_share, repeats)
  local of_result = c.result.plan.splitter:params()
  return native.spec("splitter", "holdout", { test_share = test_share, repeats = repeats, stratify = of_result.stratify,
    bins = of_result.stratify and of_result.bins or nil })
end

-- Adds the random splits in one half of the rows, as positions in the data.
local function add_half(lists, c, positions, ids, n_test, seed)
  local half = c.job.data:select(interval_fits.sorted(positions, ids))
  local splits = splitter.split(holdout_like(c, n_test / #half, c.design.size), half, seed)
  for split = 1, #splits do
    local train, test = splits:rows(split)
    lists[#lists + 1] = { train = interval_fits.sorted(positions, train), test = interval_fits.sorted(positions, test) }
  end
end

function conservative_z.prepare(c)
  local data, lists, seed = c.job.data, {}, native.seed(c.job.seed, "halves")
  local positions = interval_fits.positions(data)
  local _, test = c.job.splits:rows(1)
  if #test >= #data // 2 then
    return nil, ("a half has %d rows and the test sets %d; use a smaller test_share"):format(#data // 2, #test)
  end
  local halves = splitter.split(holdout_like(c, 0.5, c.options.pairs), data, native.seed(seed, "halves"))
  for pair = 1, c.options.pairs do
    local first, second = halves:rows(pair)
    add_half(lists, c, positions, first, #test, native.seed(seed, "pair", pair, "half", 1))
    add_half(lists, c, positions, second, #test, native.seed(seed, "pair", pair, "half", 2))
  end
  return lists, seed
end

-- The mean score of the splits of a half; nil and the reason if one has none.
local function mean_of_half(c, half)
  local sum, n = 0.0, c.design.size
  for i = (half - 1) * n + 1, half * n do
    local value, reason = metric.score(c.metric, c.predictions[i])
    if value == nil or math.abs(value) == math.huge then
      return nil, ("a split of a half has no score: %s"):format(reason or "it is infinite")
    end
    sum = sum + value
  end
  return sum / n
end

function conservative_z.compute(c)
  local values = {}
  for i, fold in ipairs(c.job.folds) do
    local value = not fold.failure and fold.values[c.place] or nil
    if value == nil or math.abs(value) == math.huge then return nil, "not every split has a finite score" end
    values[i] = value
  end
  local sum = 0.0
  for pair = 1, c.options.pairs do
    local first, reason = mean_of_half(c, 2 * pair - 1)
    local second, other = mean_of_half(c, 2 * pair)
    if not (first and second) then return nil, reason or other end
    sum = sum + (first - second) ^ 2
  end
  return { mean = native.summary(values).mean, se = math.sqrt(sum / (2 * c.options.pairs)),
    critical = native.student_quantile(0.5 + c.options.confidence / 2, math.huge), n = c.options.pairs,
    unit = "pairs of halves", n_train = c.job.folds[1].n_train, fits = #c.predictions }
end

-- What the score is of: the procedure on training sets of the size that was used.
function conservative_z.subject(c, found)
  return ("'%s' fitted on %d rows like those of '%s' has"):format(c.job.learner_name, found.n_train, c.job.dataset)
end

function conservative_z.caution() return "it is rather too wide" end

return conservative_z
