// Compares two learners on several data sets, with one difference for each: the probabilities that
// the next difference is below, in and above a region of practical equivalence.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "crossfold/cancel_token.h"

namespace crossfold::stats {

struct BayesSignedRankOptions {
  double rope = 0;  // >= 0: the largest difference without practical relevance
  double prior_strength =
      0.6;  // >= 0: the weight of a difference of 0 in addition to those observed
  std::int64_t samples = 50000;
  std::int64_t points = 0;  // >= 0: how many of the samples are kept, evenly spaced
  std::uint64_t seed = 1;
  const CancelToken* cancel = nullptr;  // checked at each sample; may be null
};

struct BayesSignedRankTest {
  static constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  bool defined = false;
  std::string undefined;  // why not
  std::int64_t n = 0;
  // Probabilities that the region with the largest weight is the one below, in and above [-rope,
  // rope]. With rope 0 there is no region between, and `rope` is 0.
  double left = kNone, rope = kNone, right = kNone;
  // Of the kept samples: the weights of the regions below, in and above, whose sum is 1.
  std::vector<std::array<double, 3>> points;
};

// The Bayesian signed-rank test: A. Benavoli, F. Mangili, G. Corani, M. Zaffalon, F. Ruggeri 2014,
// ICML, PMLR 32(2), 1026-1034; A. Benavoli, G. Corani, J. Demsar, M. Zaffalon 2017, JMLR 18(77),
// 1-36. The posterior of the distribution of the differences is a Dirichlet process: weights w of
// the differences z and of the prior's 0 are drawn from the Dirichlet distribution with parameters
// 1 and `prior_strength`. The weight of the region above is the sum of w_i w_j over all i, j with
// z_i + z_j > 2 rope; the weight of the region below is the same sum with z_i + z_j < -2 rope, and
// the region between has the rest. The probabilities are the shares of the samples in which each
// region has the largest weight; a tie is shared.
//
// A sum on a boundary counts half on either side. A sum is on a boundary if it is within
// kTieTolerance times the largest |difference| of it. The order of the differences does not matter.
// The Monte Carlo error of a share p has the standard deviation sqrt(p (1-p) / samples). Raises
// Error for differences that are not finite, for options out of range, and if it is cancelled.
BayesSignedRankTest BayesSignedRank(std::span<const double> differences,
                                    const BayesSignedRankOptions& options = {});

}  // namespace crossfold::stats
