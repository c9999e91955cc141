// How a score differs between levels of a grouping, such as the values of a column: intervals of
// the levels and of the gap between them, and tests of each level against the rest. The functions
// are pure functions of their arguments, including the seed.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "crossfold/cancel_token.h"
#include "crossfold/stats/bootstrap.h"

namespace crossfold::stats {

// The rows that are scored, in any order.
struct SubgroupDesign {
  std::span<const std::int32_t> level;  // of each row, from 0; -1 = of a level that is not judged
  std::size_t levels = 0;
  // Rows with the same unit are drawn together: the predictions of one row, or of one group.
  std::span<const std::int64_t> unit;
};

// The score of the rows at `places`, some of which may be there several times. NaN = undefined.
using ScoreOfPlaces = std::function<double(std::span<const std::size_t> places)>;

struct SubgroupOptions {
  double confidence = 0.95;
  std::int64_t samples = 1000;  // or permutations
  std::uint64_t seed = 0;
  const CancelToken* cancel = nullptr;  // checked at each sample; may be null
};

// A p-value, or the reason why there is none; then `p` is NaN.
struct LevelTest {
  double p = std::numeric_limits<double>::quiet_NaN();
  std::string undefined;
};

// The difference between the largest and the smallest score of a level.
struct SubgroupGap {
  static constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  double estimate = kNone, low = kNone, high = kNone;
  std::string undefined;  // why there is no interval
};

struct SubgroupBootstrap {
  std::vector<BootstrapInterval> levels;  // percentiles
  // Each level against all other rows, if asked for: how often the difference of a sample is at
  // least as far from the difference as this is from 0, (1 + #) / (1 + samples).
  std::vector<LevelTest> tests;
  // From intervals of the differences of all pairs of levels that hold together: each is the
  // difference +- q times its standard error over the samples, where q is the quantile of the
  // largest studentized difference of a pair. So the gap may be that of any pair, and an interval
  // of equal levels has 0. (The percentiles of the gaps of samples would never have.)
  SubgroupGap gap;
};

// Draws samples of units with replacement. What is not a finite number in a sample, or the same in
// all, has no interval. Throws Error for a confidence outside (0, 1) and for fewer than 2 or more
// than 100000 samples. REQUIRES: every level from 0 to levels - 1 has rows. Throws
// Error(kCancelled).
SubgroupBootstrap BootstrapSubgroups(const SubgroupDesign& design, const ScoreOfPlaces& score,
                                     bool with_tests, const SubgroupOptions& options);

// Tests whether the weighted mean of the scores is the same in each level as in the rest, by
// permuting the levels of the units. The statistic is the difference over its standard error, so
// that the test is exact if the level says nothing of the scores, and right in large samples if it
// changes their spread alone (Janssen 1997, Statistics & Probability Letters 36, 9-21; Chung and
// Romano 2013, Annals of Statistics 41, 484-507). `weights` is empty (all 1) or has one number per
// row. REQUIRES: all rows of a unit have one level. Throws as BootstrapSubgroups.
std::vector<LevelTest> PermuteSubgroups(const SubgroupDesign& design,
                                        std::span<const double> scores,
                                        std::span<const double> weights,
                                        const SubgroupOptions& options);

}  // namespace crossfold::stats
