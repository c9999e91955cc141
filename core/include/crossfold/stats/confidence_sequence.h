// Intervals and tests of rows that are seen one after the other, which hold at every moment: one
// may look after each row and stop when the answer is clear. The functions are pure.
#pragma once

#include <cstdint>
#include <limits>
#include <span>

#include "crossfold/cancel_token.h"
#include "crossfold/stats/betting_interval.h"

namespace crossfold::stats {

// The boundary of a sum of differences with mean 0 that are sub-Gaussian: with probability 1 -
// alpha, |sum| never exceeds the boundary at its variance v, at any moment. It is narrowest near
// v = best_at. S. Howard, A. Ramdas, J. McAuliffe, J. Sekhon 2021, Annals of Statistics 49,
// 1055-1080, equation 14: sqrt((v + rho) (log((v + rho) / rho) - 2 log(alpha))), where rho is
// best_at / (log(1 + log(1/alpha^2)) + log(1/alpha^2)). Throws Error unless v >= 0, best_at > 0 and
// alpha is in (0, 1).
double NormalMixtureBoundary(double v, double alpha, double best_at);

// The interval of a proportion after n trials with k successes, which holds for all n together. It
// is narrowest near n = best_at. The beta-binomial mixture of the same paper, appendix A.3: the
// prior of each candidate p is beta(r / (1-p), r / p), where r is max(rho - p (1-p), p (1-p) /
// 1000), and rho is that of the normal mixture for p (1-p) best_at and alpha 0.05. Throws Error
// unless 0 <= k <= n, best_at >= 1 and the confidence is in (0, 1).
MeanInterval ProportionSequence(std::int64_t k, std::int64_t n, double best_at,
                                double confidence = 0.95);

struct SequentialMean {
  static constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  std::int64_t n = 0;
  double mean = kNone;  // NaN without values
  double low = kNone;   // the interval after all values, which holds at all moments together
  double high = kNone;
  double evidence = 1;       // the largest e-value so far against mean 0
  double p = 1;              // min(1, 1 / evidence): valid at any moment
  std::int64_t decided = 0;  // the number of values after which p <= 1 - confidence; 0 = not yet
};

// Whether the mean of differences in [-largest, largest] is 0, seen in the order given. The e-value
// is the mean capital of gamblers who bet the shares 1/20, 2/20, ..., 10/20 of their capital on
// either sign of each difference, over `largest`: it is a martingale with mean 1 if each difference
// has mean 0 given those before it, so by Ville's inequality it exceeds 1/alpha at any moment with
// probability at most alpha (I. Waudby-Smith, A. Ramdas 2024, JRSS B 86, 1-27, section 5). The
// interval is BettingInterval. Throws Error unless all differences are within `largest`, it is
// positive, and the confidence is in (0, 1), and if it is cancelled.
SequentialMean TestSequentially(std::span<const double> differences, double largest,
                                double confidence = 0.95, const CancelToken* cancel = nullptr);

}  // namespace crossfold::stats
