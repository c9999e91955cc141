-- Whether one candidate is worse than another beyond the noise of the inner folds: the corrected
-- resampled t test of Nadeau and Bengio 2003, "Inference for the generalization error", one-sided. The
-- training sets of the folds overlap, so the variance of the mean difference is taken as
-- (1/n + n_test/n_train) s^2 instead of s^2/n. An approximation: no unbiased estimate exists (Bengio and
-- Grandvalet 2004).
local native = require "crossfold.native"

local fold_noise = {}

-- Differences that spread less than this, relative to their mean, are all the same number.
local no_spread = 1e-12

-- The one-sided p-value of "the numbers `a` are better than `b`", two lists of scores on the same folds.
-- nil if there is none: fewer than two folds, or the same difference in every fold.
function fold_noise.p_better(a, b, direction, test_share)
  local differences = {}
  for i = 1, #a do differences[i] = (a[i] - b[i]) * direction end
  if #differences < 2 then return nil end
  local found = native.summary(differences)
  if found.sd <= no_spread * math.max(1, math.abs(found.mean)) then return nil end
  local se = math.sqrt(1 / #differences + test_share) * found.sd
  return native.student_upper(found.mean / se, #differences - 1)
end

return fold_noise
