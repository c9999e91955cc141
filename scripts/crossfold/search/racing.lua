-- Decides which candidates leave a race, from plain numbers. Racing: Maron and Moore 1994, "Hoeffding races";
-- here with the one-sided corrected resampled t test of search/fold_noise.lua, fold by fold.
--
-- What is guaranteed. Let `alpha` be the stated error, C the number of candidates and L the number of
-- looks. The truly best candidate can only be dropped at a look at which some other candidate is better
-- with p < alpha / (L (C - 1)). There are L looks and C - 1 others, so by Bonferroni's inequality the
-- probability that this ever happens is at most alpha, if each single test keeps its level. That it
-- compares with the leader, which the same scores picked, costs nothing: the bound holds for all others
-- at once. If the differences of the folds were independent and normal, the tests would keep their
-- level with room to spare. For the dependent folds of resampling the corrected variance is the
-- approximation of Nadeau and Bengio, so there the bound is a good guess and no theorem.
local fold_noise = require "crossfold.search.fold_noise"
local native = require "crossfold.native"
local selection = require "crossfold.search.selection"

local racing = {}

-- After how many folds candidates are looked at: after min_folds, then every `every`, and not after the
-- last, when the race is over.
function racing.looks(n_folds, min_folds, every)
  local looks = {}
  for fold = min_folds, n_folds - 1, every do looks[#looks + 1] = fold end
  return looks
end

-- The level of a single test.
function racing.level(alpha, n_candidates, n_looks)
  return alpha / (math.max(1, n_candidates - 1) * math.max(1, n_looks))
end

-- Looks at the candidates of list `live`: values[c] = the scores of candidate c on the same folds, or
-- nil if there are none. Returns who leads, and { [c] = p } of those to drop.
function racing.look(values, live, direction, test_share, level, different)
  local means, leader = {}, nil
  for _, c in ipairs(live) do
    if values[c] and #values[c] > 0 then
      means[c] = native.summary(values[c]).mean
      if leader == nil or selection.better(means[c], means[leader], direction) then leader = c end
    end
  end
  local dropped = {}
  for _, c in ipairs(live) do
    if means[c] and c ~= leader then
      local p = fold_noise.p_better(values[leader], values[c], direction, test_share, different)
      if p and p < level then dropped[c] = p end
    end
  end
  return leader, dropped
end

return racing
