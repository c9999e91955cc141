-- The interval of a mean score by the central limit theorem for cross-validation (P. Bayle, A. Bayle, L. Janson and
-- L. Mackey 2020, Cross-validation confidence intervals for test error, NeurIPS 33): mean +- z s / sqrt(n) over the
-- scores h of the n test rows, where
--   out     s^2 = mean(h^2) - mean(h)^2
--   within  s^2 = n / (n - k) (mean(h^2) - mean of the squared means of the k folds)
-- It is for the mean score of the models that were fitted. For one split it is the interval of a test set: scores other
-- than 0 and 1 have the variance with n - 1 and the quantile of t(n - 1), which small test sets need (Student 1908).
--
-- Beyond the paper: a row that was tested in several repeats counts once, with its mean score; weights make a ratio
-- of sums, whose variance is linearised, with the quantile of t(n - 1) for the n rows of the same weight that say as
-- much; rows of a group count as one (a sandwich of the groups' sums, and the quantile of t with one degree of freedom
-- less than there are groups).
local native = require "crossfold.native"
local interval_rows = require "crossfold.interval.rows"

local clt = { name = "clt", covers = "the fitted models", needs_rows = true }

-- Fewer have no usable variance: see docs/intervals.md.
local least_groups = 10

function clt.refusal(d)
  if d.kind == "random_splits" or d.kind == "bootstrap" or d.kind == "all_subsets" or d.kind == "lists" then
    return ("%s test the same rows in different company, so the rows are not a sample"):format(d.text),
      "use method = \"corrected_t\", or a splitter \"kfold\""
  elseif d.torn then
    return "rows of one group are on both sides of a split, so the scores may be too good",
      "use a splitter that keeps groups whole, such as \"kfold\""
  end
end

function clt.refusal_of_options(d, o)
  if o.variance ~= "within" then return nil end
  if d.kind == "leave_one_out" or d.kind == "one_split" then
    return ("variance = \"within\" needs several folds of several rows, these are %s"):format(d.text),
      "use variance = \"out\""
  elseif d.groups or d.weights then
    return "variance = \"within\" counts rows alike, and these have groups or weights", "use variance = \"out\""
  end
end

-- Sums of the weights and of the weighted scores by unit, in the order of the first test: rows, or groups. What has no
-- weight does not count.
local function units_of(rows, group_of)
  local place, weights, sums = {}, {}, {}
  for i, id in ipairs(rows.ids) do
    local unit, w = group_of and group_of[id] or id, rows.weights and rows.weights[i] or 1
    local u = place[unit]
    if not u and w > 0 then
      u = #weights + 1
      place[unit], weights[u], sums[u] = u, 0.0, 0.0
    end
    if w > 0 then weights[u], sums[u] = weights[u] + w, sums[u] + w * rows.scores[i] end
  end
  return weights, sums
end

local function total(list)
  local sum = 0.0
  for _, x in ipairs(list) do sum = sum + x end
  return sum
end

-- The mean, and the variance of one unit's part in it, which for rows that count alike is s^2 of `out`.
local function mean_and_variance(weights, sums)
  local all = total(weights)
  local mean, squares = total(sums) / all, 0.0
  for u, sum in ipairs(sums) do squares = squares + (sum - mean * weights[u]) ^ 2 end
  return mean, squares * #sums / all ^ 2
end

-- s^2 of `within`: the mean over the repeats, in each of which the k folds share the n rows.
local function within_variance(rows, d)
  local sum = 0.0
  for repeat_ = 1, d.repeats do
    local squares, n = 0.0, 0
    for fold = 1, d.folds do
      local f = (repeat_ - 1) * d.folds + fold
      local first, last, mean = rows.first[f], rows.last[f], 0.0
      for i = first, last do mean = mean + rows.scores[i] / (last - first + 1) end
      for i = first, last do squares = squares + (rows.scores[i] - mean) ^ 2 end
      n = n + last - first + 1
    end
    sum = sum + squares / (n - d.folds)
  end
  return sum / d.repeats
end

local function groups_of(data, column)
  if not column then return nil end
  local of, groups = {}, data:column(column)
  for i, id in ipairs(data:row_ids()) do of[id] = groups[i] end
  return of
end

-- Rows of uneven weight are worth fewer, and their variance is known as well as that of so few.
local function take_weights(found, weights, confidence)
  local effective = interval_rows.effective(weights)
  found.n, found.unit = math.floor(effective + 0.5), "rows of the same weight"
  found.critical = native.student_quantile(0.5 + confidence / 2, math.max(effective - 1, 1))
end

-- { mean, se, critical, n, unit }, or nil and why there is none. `variance` may be another than was asked for.
function clt.compute(c, variance_name)
  local d, weights, sums = c.design, units_of(c.rows, groups_of(c.job.data, c.design.groups))
  local n = #weights
  if n < 2 then return nil, ("%s has no spread"):format(d.groups and "one group" or "one test row") end
  local mean, variance = mean_and_variance(weights, sums)
  local found = { mean = mean, n = n, unit = d.groups and "groups" or "rows",
    variance = variance_name or c.options.variance }
  if d.groups then
    if n < least_groups then
      return nil, ("%d groups are too few for a variance, the method needs %d; use %smethod = \"corrected_t\""):format(
        n, least_groups, d.size == 1 and "several splits and " or "")
    end
    variance = variance * n / (n - 1)
    found.critical = native.student_quantile(0.5 + c.options.confidence / 2, n - 1)
  elseif d.weights then
    take_weights(found, weights, c.options.confidence)
  elseif d.size == 1 and not c.rows.is_share then  -- the interval of a share is Wilson's, with the normal quantile
    variance = variance * n / (n - 1)
    found.critical = native.student_quantile(0.5 + c.options.confidence / 2, n - 1)
  else
    if found.variance == "within" then variance = within_variance(c.rows, d) end
    found.critical = native.student_quantile(0.5 + c.options.confidence / 2, math.huge)
  end
  found.se = math.sqrt(variance / n)
  return found
end

-- What the score is of: the models that were fitted.
function clt.subject(c)
  local d, learner, dataset = c.design, c.job.learner_name, c.job.dataset
  if d.size == 1 then return ("the model of '%s' fitted on '%s' has"):format(learner, dataset) end
  return ("the %d models of '%s' fitted on '%s' have"):format(d.size, learner, dataset)
end

return clt
