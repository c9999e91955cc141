-- Says where a score has an interval without being asked, and what was measured of those that are asked for by name: by
-- default there is one where tests/bench/interval_coverage.md has 93 to 99 % of 95 % intervals over what they are for,
-- and elsewhere the reason why there is none.
local clipped = require "crossfold.result.clipped"
local corrected_t = require "crossfold.interval.corrected_t"
local headline = require "crossfold.result.headline"
local native = require "crossfold.native"

local interval_rule = {}

-- Rows that are needed: in one split by other scores than 0 and 1, which may be skewed, more if they have no bound;
-- and, as rows of the same weight, with weights.
local least = { bounded = 50, unbounded = 200, weighted = 100 }

-- Coverage of `method` in percent where it is asked for, as far as it does not hold.
local measured = {
  clt_leave_one_out = "64 % of accuracies with OneR and 77 % with trees (100 rows), which change with one row",
  clt_few = "86 to 94 % of accuracies, 78 to 93 % of log losses, 87 to 89 % of squared errors (50 to 100 rows)",
  clt_many = "89 to 94 % of accuracies (320 rows), least with OneR, nearest neighbours and trees",
  repeated_folds = "81 % (OneR) to 99 % (LDA) of accuracies, 83 to 99 % of Brier scores (5 times 10 folds, 100 rows)",
  random_splits = "91 to 98 % of accuracies, 82 to 98 % of Brier scores, 85 to 99 % of AUC (15 splits of 100 rows)",
  other_scores_of_bootstrap = "86 to 99 % of AUC (30 samples of 100 rows)",
  nested_few = "84 % of Brier scores of nearest neighbours to 94 % of those of LDA (50 rows)",
  nested_many = "87 % with trees (300 rows)",
}

local ten_folds = "cf.splitter(\"kfold\", { folds = 10 })"

-- Why rows that are clipped leave no interval, and the way out; nil if they do not. What is asked for by name has one
-- unless rows are clipped; by default there is none either where new rows may be.
function interval_rule.clipping(c, by_name)
  if c.clipped == nil then c.clipped = clipped.of(c.job, c.place, c.metric) or false end  -- looked at once
  local found = c.clipped or nil
  if by_name and not (found and found.clipped and found.clipped > 0) then return nil end
  return clipped.reason(found, c.metric_name)
end

-- What was measured of splits that test rows repeatedly, of which `corrected_t` knows too little; nil of others.
local function overlapping(d)
  if d.groups then return nil end
  return d.kind == "folds" and d.repeats > 1 and "repeated_folds" or measured[d.kind] and d.kind or nil
end

-- Why such splits and this metric have no interval by default, and the way out; nil if they may.
function interval_rule.refusal(c)
  local d = c.design
  if d.own then
    return "nobody knows whether these splits were drawn at random",
      "name a method if they were, as in result:interval{ method = \"corrected_t\" }"
  elseif d.kind == "leave_one_out" then
    return ("an interval of leave-one-out, \"clt\", was measured to hold %s"):format(measured.clt_leave_one_out),
      "use " .. ten_folds
  elseif overlapping(d) then
    return ("an interval of %s, \"corrected_t\", was measured to hold %s"):format(d.text, measured[overlapping(d)]),
      ("use %s, or ask for method = \"corrected_t\""):format(ten_folds)
  end
  return interval_rule.clipping(c, false)
end

-- Test rows that the scores of one split need.
local function least_of_one_split(c, rows)
  if rows.is_share then return 0 end
  return c.range.least and c.range.most and least.bounded or least.unbounded
end

-- Whether less than half of the scores are different. The log loss of OneR over 320 rows of which none was clipped, nor
-- could have been, covered 68 % of clt and 90 % of corrected_t: one new row in a hundred is clipped.
local function has_few_values(scores)
  local seen, n = {}, 0
  for _, x in ipairs(scores) do
    if not seen[x] then seen[x], n = true, n + 1 end
  end
  return 2 * n < #scores
end

-- How many rows of the rarest class a test set has, if they are too few for an interval of a score that is not a mean
-- over rows: one a fold, of 100 rows, left AUC and kappa with 70 to 98 %, and scores of all predictions were not
-- measured. Those of r2 and rmse were.
local function few_of_a_class(c)
  local n = c.job.splits and native.test_sets(c.job.splits).class_rows or 0
  local pooled = n > 0 and headline.aggregation(c.job.splits, c.metric) == headline.pooled
  return n > 0 and (n < 2 or pooled) and n or nil
end

-- The same without scores of rows: `no_rows` says why, if the metric is a mean over rows.
local function without_rows(c, no_rows)
  local d, missing = c.design, 0
  if not corrected_t.compute(c) then return nil end  -- it says why
  for _, fold in ipairs(c.job.folds) do missing = missing + ((fold.failure or not fold.values[c.place]) and 1 or 0) end
  if missing > 0 then
    return ("%d of %d splits have no score, and those that have none may be different"):format(missing, d.size),
      "ask for method = \"corrected_t\" if they are not"
  elseif c.composed and few_of_a_class(c) then
    return ("test sets with %s rows of the rarest class are too few for an interval of '%s'"):format(
      native.format_number(few_of_a_class(c), 1), c.metric_name),
      "use larger folds, or ask for method = \"corrected_t\""
  elseif c.composed and d.kind == "bootstrap" then
    return ("an interval of %s, \"corrected_t\", was measured to hold %s"):format(d.text,
      measured.other_scores_of_bootstrap), ("use %s, or ask for method = \"corrected_t\""):format(ten_folds)
  elseif not c.composed and (d.stratified or d.weights) then
    return ("%s, and %s"):format(d.weights and "the weights are those of rows"
      or "stratified folds vary less than new rows do", no_rows),
      c.in_haste and "ask result:interval()" or "or ask for method = \"corrected_t\""
  end
end

-- Why there is no interval by default of these rows (nil = there are no scores of rows), and the way out; nil if there
-- is one.
function interval_rule.too_little(c, rows, no_rows)
  if not rows then return without_rows(c, no_rows) end
  local d, needed = c.design, least_of_one_split(c, rows)
  if d.weights and rows.effective < least.weighted then
    return ("the weights make %d rows worth %s of the same weight"):format(rows.distinct,
      native.format_number(rows.effective, 1)), ("use %d or more"):format(least.weighted)
  elseif d.kind == "one_split" and rows.effective < needed then
    return ("%d test rows are too few for a mean of scores that may be skewed"):format(rows.distinct),
      ("use %d or more, or %s"):format(needed, ten_folds)
  elseif clipped.at(c.metric) and has_few_values(rows.scores) then
    return "the probabilities have few different values, as shares of training rows have, and are 0 for some new rows",
      "use \"brier\""
  end
end

local function level_of(name, c, found)
  if name == "clt" and c.design.kind == "leave_one_out" then return measured.clt_leave_one_out end
  if name == "corrected_t" and c.composed and c.design.kind == "bootstrap" then
    return measured.other_scores_of_bootstrap
  end
  if name == "corrected_t" then return measured[overlapping(c.design) or ""] end
  if name ~= "clt" and name ~= "nested" or c.design.kind ~= "folds" then return nil end
  return measured[name .. (found.n < 300 and "_few" or "_many")]
end

-- What was measured of an interval that is asked for; nil where it holds.
function interval_rule.caution(name, c, found)
  local level = level_of(name, c, found)
  if level then return ("95 %% intervals of this kind were measured to hold %s"):format(level) end
  local needed = name == "clt" and c.design.kind == "one_split" and least_of_one_split(c, c.rows) or 0
  if found.n < needed then return ("with fewer than %d test rows it is rather too narrow"):format(needed) end
end

return interval_rule
