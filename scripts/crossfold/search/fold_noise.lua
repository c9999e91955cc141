-- Tests whether one candidate is worse than another beyond the noise of the inner folds: the one-sided
-- corrected resampled t test of Nadeau and Bengio 2003 (stats/t_test.h). The training sets of the folds
-- overlap, so the variance of the mean difference is taken as (1/n + n_test/n_train) s^2 instead of
-- s^2/n. An approximation: no unbiased estimate exists (Bengio and Grandvalet 2004).
local native = require "crossfold.native"

local fold_noise = {}

-- The one-sided p-value of "the numbers `a` are better than `b`", two lists of scores on the same folds.
-- `test_share` = test rows for one training row; nil = take the folds for independent. `different` = the share of the
-- folds that are not the same again (inner_scores.different); nil = all. nil if there is no p-value: fewer than two
-- folds, or the same difference in every fold.
function fold_noise.p_better(a, b, direction, test_share, different)
  local differences = {}
  for i = 1, #a do differences[i] = (a[i] - b[i]) * direction end
  if #differences < 2 then return nil end
  local distinct = test_share and different and math.max(1, math.floor(different * #differences + 0.5)) or nil
  local test = native.paired_t(differences, test_share, 0.95, distinct)
  if test.undefined then return nil end
  return test.p_greater
end

return fold_noise
