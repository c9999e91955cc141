-- The interval by nested cross-validation (S. Bates, T. Hastie and R. Tibshirani 2024, Cross-validation: what does it
-- estimate and how well does it do it?, JASA 119, 1434-1445). For each fold j of k, `inner` is the mean score of all
-- other rows, each by the model without its own fold and without j, and `outer` that of fold j by the model without j:
--   a = (inner - outer)^2, b = variance of the scores in j / its rows, mse = mean(a - b)
--   se^2 = (k - 1) / k mse, clamped to [s / sqrt(n), s sqrt(k) / sqrt(n)], s = sd of the inner scores
--   mean = mean of the inner scores - bias, bias = factor * (mean of the inner scores - mean of the outer scores)
-- The factor is 1 + ((k - 2) / k)^1.5 in github.com/stephenbates19/nestedcv and 1 + (k - 2) / k in
-- github.com/mlr-org/mlr3inferr.
--
-- A mean beyond a bound of the metric is cut there. The limits are always mean +- z se, cut at the bounds: the mean is
-- shifted by the bias, and se was not estimated at it, so that no variance can be scaled from one mean to another.
--
-- One model serves both folds of a pair, so that a repeat takes k (k - 1) / 2 fits beyond the k of the result.
local native = require "crossfold.native"
local interval_fits = require "crossfold.interval.fits"
local interval_limits = require "crossfold.interval.limits"
local interval_rows = require "crossfold.interval.rows"

local nested = { name = "nested", covers = "the procedure", needs_rows = true, fits = true }

-- The factors of the bias, by the program that has them.
local factors = {
  nestedcv = function(k) return 1 + ((k - 2) / k) ^ 1.5 end,
  mlr3inferr = function(k) return 1 + (k - 2) / k end,
  none = function() return 0 end,
}
nested.biases = { "mlr3inferr", "nestedcv", "none" }

function nested.refusal(d)
  if d.kind ~= "folds" or d.folds < 3 then
    return ("it needs 3 or more folds, these are %s"):format(d.text), "use a splitter \"kfold\""
  elseif d.groups then
    return "it takes rows for independent, and these come in groups",
      "use method = \"clt\", which takes groups as a whole, or \"corrected_t\""
  elseif d.weights then
    return "it counts rows alike, and these have weights", "use method = \"clt\" or \"corrected_t\""
  end
end

-- The number of the pair of folds i < j of repeat r.
local function pair_number(d, r, i, j)
  if i > j then i, j = j, i end
  local k = d.folds
  return (r - 1) * (k * (k - 1) // 2) + (i - 1) * (2 * k - i) // 2 + j - i
end

-- The positions of the test rows of each fold: rows[r][fold].
local function fold_rows(c)
  local positions, rows = interval_fits.positions(c.job.data), {}
  for split = 1, #c.job.splits do
    local r, fold = c.job.splits:place(split)
    local _, test = c.job.splits:rows(split)
    rows[r] = rows[r] or {}
    rows[r][fold] = interval_fits.sorted(positions, test)
  end
  return rows
end

-- Both folds of a pair, or all others, in order.
local function joined(folds, is_in)
  local list = {}
  for fold, rows in ipairs(folds) do
    if is_in(fold) then table.move(rows, 1, #rows, #list + 1, list) end
  end
  table.sort(list)
  return list
end

-- In stratified folds the training and test rows have the shares of the classes of all rows, which new rows have not:
-- the scores are too good already, and the models with fewer rows that the correction compares with have these shares.
-- Nearest neighbours, Brier score, 50 rows, 5 folds: mean 0.188, corrected 0.183, on new rows 0.192.
local function corrects_the_wrong_way(c)
  if not c.design.stratified or c.options.bias == "none" then return nil end
  return "the correction of the bias goes the wrong way in stratified folds, whose scores are too good already; use "
    .. "stratify = false, or bias = \"none\""
end

-- The splits that are fitted: of each repeat all pairs of folds, in the order of pair_number. A row that is never
-- tested trains in all of them.
function nested.prepare(c)
  local problem = corrects_the_wrong_way(c)
  if problem then return nil, problem end
  local lists, data = {}, c.job.data
  for _, folds in ipairs(fold_rows(c)) do
    for i = 1, c.design.folds - 1 do
      for j = i + 1, c.design.folds do
        local tested, train = {}, {}
        local test = joined(folds, function(fold) return fold == i or fold == j end)
        for _, row in ipairs(test) do tested[row] = true end
        for row = 1, #data do
          if not tested[row] then train[#train + 1] = row end
        end
        lists[#lists + 1] = { train = train, test = test }
      end
    end
  end
  return lists, native.seed(c.job.seed, "nested")
end

-- Sums and squares of the scores of some rows.
local function new_sums() return { n = 0, sum = 0.0, squares = 0.0 } end
local function add(sums, x) sums.n, sums.sum, sums.squares = sums.n + 1, sums.sum + x, sums.squares + x * x end
local function mean_of(sums) return sums.sum / sums.n end

-- The variance (n - 1) of scores; two passes, so that nothing cancels.
local function variance_of(scores)
  local mean, squares = 0.0, 0.0
  for _, x in ipairs(scores) do mean = mean + x / #scores end
  for _, x in ipairs(scores) do squares = squares + (x - mean) ^ 2 end
  return squares / (#scores - 1)
end

-- The inner scores of each fold: sums[f] over the rows of all other folds by the models without both, f counting over
-- all repeats; and the list of all of them. Nil and the reason if there are none.
local function inner_scores(c)
  local d, sums, all = c.design, {}, {}
  for r = 1, d.repeats do
    local fold_of = {}
    for fold = 1, d.folds do
      local f = (r - 1) * d.folds + fold
      sums[f] = new_sums()
      for i = c.rows.first[f], c.rows.last[f] do fold_of[c.rows.ids[i]] = fold end
    end
    for i = 1, d.folds - 1 do
      for j = i + 1, d.folds do
        local prediction = c.predictions[pair_number(d, r, i, j)]
        local rows, reason = interval_rows.of_predictions({ prediction }, c.metric)
        if not rows then return nil, reason end
        for at, id in ipairs(rows.ids) do
          local without = fold_of[id] == i and j or i
          add(sums[(r - 1) * d.folds + without], rows.scores[at])
          all[#all + 1] = rows.scores[at]
        end
      end
    end
  end
  return sums, all
end

-- mean(a - b) over the folds of all repeats.
local function mean_squared_error(c, sums)
  local total = 0.0
  for f, inner in ipairs(sums) do
    local outer = table.move(c.rows.scores, c.rows.first[f], c.rows.last[f], 1, {})
    local mean = 0.0
    for _, x in ipairs(outer) do mean = mean + x / #outer end
    total = total + (mean_of(inner) - mean) ^ 2 - variance_of(outer) / #outer
  end
  return total / #sums
end

function nested.compute(c)
  local d, n = c.design, #c.rows.scores // c.design.repeats
  for f in ipairs(c.rows.first) do
    if c.rows.last[f] == c.rows.first[f] then return nil, "a fold of one row has no variance; use fewer folds" end
  end
  local sums, all = inner_scores(c)
  if not sums then return nil, all end
  local inner = native.summary(all)
  local outer, mse = native.summary(c.rows.scores).mean, mean_squared_error(c, sums)
  local least = inner.sd / math.sqrt(n)
  local se = math.sqrt(math.max(0, (d.folds - 1) / d.folds * mse))
  se = math.max(least, math.min(se, least * math.sqrt(d.folds)))
  local bias = factors[c.options.bias](d.folds) * (inner.mean - outer)
  local corrected = (c.options.bias == "none" and outer or inner.mean) - bias
  local mean = interval_limits.cut(corrected, c.range)
  local is_cut = mean ~= corrected
  return { mean = mean, corrected = is_cut and corrected or nil, se = se, bounds = (se > 0 or is_cut) and "wald" or nil,
    critical = native.student_quantile(0.5 + c.options.confidence / 2, math.huge), n = n, unit = "rows",
    bias = bias, inflation = least > 0 and se / least or nil, fits = #c.predictions }
end

-- What the score is of: the procedure on as many rows as there are.
function nested.subject(c, found)
  return ("'%s' fitted on %d rows like those of '%s' has"):format(c.job.learner_name, found.n, c.job.dataset)
end

return nested
