// Bootstrap confidence intervals of a statistic of one list of numbers (Efron 1979; Efron &
// Tibshirani 1993, "An introduction to the bootstrap"). The functions are pure functions of their
// arguments, including the seed.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "crossfold/cancel_token.h"

namespace crossfold::stats {

// A statistic of a non-empty list of finite numbers. A value that is not finite means "undefined
// here".
using Statistic = std::function<double(std::span<const double>)>;

double MeanOf(std::span<const double> values);
// The middle value, or the mean of the two in the middle.
double MedianOf(std::span<const double> values);

enum class BootstrapMethod {
  kPercentile,  // the quantiles of the replicates
  kBca          // bias-corrected and accelerated: Efron 1987, JASA 82, 171-185
};

// The seed of each sample: the first `samples` numbers of Random(seed).
std::vector<std::uint64_t> SampleSeeds(std::uint64_t seed, std::int64_t samples,
                                       const CancelToken* cancel = nullptr);
// Draws the same number of values as there are, with replacement.
std::vector<double> BootstrapSample(std::span<const double> values, std::uint64_t sample_seed);

// The statistic of each sample.
std::vector<double> BootstrapReplicates(std::span<const double> values, const Statistic& statistic,
                                        std::int64_t samples, std::uint64_t seed,
                                        const CancelToken* cancel = nullptr);
// The statistic without each value in turn. REQUIRES: at least 2 values.
std::vector<double> LeaveOneOutValues(std::span<const double> values, const Statistic& statistic,
                                      const CancelToken* cancel = nullptr);

// z0: the normal quantile of the share of replicates below the estimate, ties counted half. It is
// infinite if all of them are on one side.
double BiasCorrection(std::span<const double> replicates, double estimate);
// a: for the leave-one-out values, the sum of cubes of (mean - value) over 6 times the sum of
// squares to the power 3/2. It is NaN if they are all equal.
double Acceleration(std::span<const double> leave_one_out);
// The quantile of a share, interpolated linearly between the two neighbours in order (type 7 of
// Hyndman & Fan 1996). REQUIRES: a sorted, non-empty list; 0 <= share <= 1.
double SortedQuantile(std::span<const double> sorted, double share);

struct BootstrapInterval {
  bool defined = false;
  std::string undefined;  // the reason; then low and high are NaN
  double estimate = 0;    // the statistic of the values themselves; NaN if it is not finite
  double low = 0, high = 0;
  double standard_error = 0;   // standard deviation of the replicates; NaN if undefined
  double bias_correction = 0;  // z0; NaN for the percentile method or if undefined
  double acceleration = 0;     // a; NaN in the same cases
};

// Computes the interval from replicates and leave-one-out values that were computed before; the
// percentile method does not read the latter. Throws if `confidence` is not between 0 and 1 or
// there are fewer than 2 replicates.
BootstrapInterval IntervalOfReplicates(double estimate, std::span<const double> replicates,
                                       std::span<const double> leave_one_out,
                                       BootstrapMethod method, double confidence);

struct BootstrapOptions {
  BootstrapMethod method = BootstrapMethod::kBca;
  std::int64_t samples = 2000;
  double confidence = 0.95;
  std::uint64_t seed = 1;
  const CancelToken* cancel = nullptr;  // checked at each sample; may be null
};

// The reason why the values have no bootstrap interval for any statistic (there is only one value,
// or all are equal), or "". Throws if there is no value, a value is not finite, or an option is out
// of range.
std::string NothingToResample(std::span<const double> values, const BootstrapOptions& options);

// Throws as NothingToResample, and Error(kCancelled).
BootstrapInterval Bootstrap(std::span<const double> values, const Statistic& statistic,
                            const BootstrapOptions& options);

}  // namespace crossfold::stats
