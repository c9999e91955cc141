-- The corrected resampled t interval of a mean score (C. Nadeau and Y. Bengio 2003, Inference for the generalization
-- error, Machine Learning 52, 239-281): mean +- t sqrt((1/J + test rows / training rows) variance) over the scores of
-- J splits, J - 1 degrees of freedom, with the sizes of the splits that have a score. It was derived for random
-- splits; for folds it is a heuristic (R. R. Bouckaert and E. Frank 2004, PAKDD, LNAI 3056). J counts different splits
-- (stats/t_test.h), at most one for each group.
--
-- It needs the scores of the splits only, so it works for every metric, and is for the mean score of the procedure.
--
-- Beyond the papers: the splits may vary less than new rows do. All stratified folds have the shares of the classes of
-- these rows, so that the accuracy of a learner that always says the same class is the same in all. Where the rows have
-- scores and the interval by them (clt.lua) is wider, its width is taken.
local native = require "crossfold.native"
local clt = require "crossfold.interval.clt"
local headline = require "crossfold.result.headline"
local splitter = require "crossfold.splitter"

local corrected_t = { name = "corrected_t", covers = "the procedure" }

-- The way out by `clt`, unless `composed()` says that the metric is not a mean over rows.
local function or_clt(composed)
  return composed and composed() and "" or ", or method = \"clt\" for a mean over rows"
end

function corrected_t.refusal(d, composed)
  if d.kind == "one_split" then
    return "one split has no spread", "use several, as of \"kfold\"" .. or_clt(composed)
  elseif d.kind == "leave_one_out" then
    return "each test set of leave-one-out is one row, and the training sets are nearly the same",
      "use a splitter \"kfold\"" .. or_clt(composed)
  elseif d.kind == "all_subsets" then
    return ("%s were not drawn at random"):format(d.text), "use a splitter \"kfold\", or \"holdout\" with repeats"
  elseif d.torn then
    return "rows of one group are on both sides of a split, so the scores may be too good",
      "use a splitter that keeps groups whole, such as \"kfold\""
  end
end

-- The sizes of a split of a job, { train, test }; nil if nobody knows them. A row that was drawn twice into a training
-- set counts once.
local function sizes_of(job, split, design)
  local fold = job.folds[split]
  local counts_once = design.kind ~= "bootstrap" and design.kind ~= "lists"
  if fold.n_train and fold.n_test and (counts_once or not job.splits) then return fold.n_train, fold.n_test end
  if job.splits then return job.splits:distinct_rows(split) end
end

local function is_finite(x) return x == x and math.abs(x) < math.huge end

-- The finite values of metric m of a job whose mean is the score of the table (headline.split_values), and the rows of
-- their splits: { values, train, test (sums; nil if unknown), infinite = number of other values }.
function corrected_t.scores(result, job, m, design)
  local found, values = { values = {}, train = 0.0, test = 0.0, infinite = 0 }, headline.split_values(result, job, m)
  local same_as = {}
  if job.splits then design.same_as = design.same_as or job.splits:same_as() end
  for split in ipairs(job.folds) do
    local value = values[split]
    if value and is_finite(value) then
      found.values[#found.values + 1] = value
      same_as[#found.values] = design.same_as and design.same_as[split] or split
      local train, test = sizes_of(job, split, design)
      found.train = found.train and train and found.train + train
      found.test = found.test and test and found.test + test
    elseif value then
      found.infinite = found.infinite + 1
    end
  end
  found.distinct, found.counted = splitter.count_distinct(same_as, design.units)
  return found
end

-- Takes the width of the interval of the rows if it is wider, or if the splits have no spread.
local function widen(found, c)
  local rows = c:cheap_rows() and clt.compute(c, "out")
  if not rows or found.critical and rows.critical * rows.se <= found.critical * found.se then return end
  found.se, found.critical, found.of_rows = rows.se, rows.critical, rows.n
end

-- { mean, se, critical, n, unit, of_rows = number of rows if the width is theirs }, or nil and why there is none.
function corrected_t.compute(c)
  local found = corrected_t.scores(c.result, c.job, c.place, c.design)
  local n = #found.values
  if found.infinite > 0 then
    return nil, ("%s infinite"):format(found.infinite == 1 and "one value is" or found.infinite .. " values are")
  elseif n == 0 then
    return nil, "no fold has a value"
  elseif n == 1 then
    return nil, "one value has no spread"
  elseif 2 * n < #c.job.folds then
    return nil, ("only %d of %d splits have a score, and those that have none may be different"):format(n, #c.job.folds)
  elseif not found.train or found.train == 0 then
    return nil, "the sizes of the folds are unknown"
  end
  local t = native.paired_t(found.values, found.test / found.train, c.options.confidence, found.counted)
  local made = { mean = native.summary(found.values).mean, n = found.distinct, unit = "splits",
    n_train = found.train / n, n_scores = n }
  if t.low then made.se, made.critical = t.standard_error, t.critical end
  widen(made, c)
  if not made.se then return nil, ("all %d values are equal"):format(n) end
  return made
end

-- The splits without a score are not a sample of all.
function corrected_t.caution(c, found)
  local without = #c.job.folds - found.n_scores
  if found.of_rows then
    return ("the splits vary less than the %d rows, whose interval by \"clt\" gives the width"):format(found.of_rows)
  end
  if without == 0 then
    return found.n < found.n_scores and ("%d of %d splits are the same as others and count once"):format(
      found.n_scores - found.n, found.n_scores) or nil
  end
  return ("%d of %d splits %s no score, so it is for the others only"):format(without, #c.job.folds,
    without == 1 and "has" or "have")
end

-- What the score is of: the procedure on training sets of the size that was used.
function corrected_t.subject(c, found)
  return ("'%s' fitted on %s rows like those of '%s' has"):format(c.job.learner_name,
    native.format_number(found.n_train, 0), c.job.dataset)
end

return corrected_t
