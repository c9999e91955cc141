-- The cross-validated area under the ROC curve with its standard error by influence curves (LeDell, Petersen and
-- van der Laan, "Computationally efficient confidence intervals for cross-validated area under the ROC curve
-- estimates", Electronic Journal of Statistics 9, 2015, section 4).
local cross_validated_auc = {}

-- For each value of sorted list `own` the share of sorted list `other` below it; equal ones count half.
local function shares_below(own, other)
  local shares, below, upto, m = {}, 0, 0, #other
  for i, value in ipairs(own) do
    while below < m and other[below + 1] < value do below = below + 1 end
    if upto < below then upto = below end
    while upto < m and other[upto + 1] <= value do upto = upto + 1 end
    shares[i] = (below + upto) / 2 / m
  end
  return shares
end

-- One fold: its area, and the sums of squares of what each positive and each negative row adds to it.
local function of_fold(positive, negative)
  table.sort(positive)
  table.sort(negative)
  local below, above, auc = shares_below(positive, negative), shares_below(negative, positive), 0.0
  for _, share in ipairs(below) do auc = auc + share / #positive end
  local of_positive, of_negative = 0.0, 0.0
  for _, share in ipairs(below) do of_positive = of_positive + (share - auc) ^ 2 end
  for _, share in ipairs(above) do of_negative = of_negative + (1 - share - auc) ^ 2 end
  return auc, of_positive, of_negative
end

-- The mean area over the folds and its standard error. folds = { { positive = scores, negative = scores }, ... },
-- each with both; `n_positive` and `n_negative` are the rows of all folds.
function cross_validated_auc.of(folds, n_positive, n_negative)
  local n, sum, variance = n_positive + n_negative, 0.0, 0.0
  for _, fold in ipairs(folds) do
    local auc, of_positive, of_negative = of_fold(fold.positive, fold.negative)
    sum = sum + auc
    local rows = #fold.positive + #fold.negative
    variance = variance + (of_positive * (n / n_positive) ^ 2 + of_negative * (n / n_negative) ^ 2) / rows
  end
  return sum / #folds, math.sqrt(variance / #folds / n)
end

return cross_validated_auc
