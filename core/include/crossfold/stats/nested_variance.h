// Splits the variance of scores over the sources that were drawn one inside the other: data, splits
// of each, seeds of each split. The functions are pure.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace crossfold::stats {

struct VarianceComponent {
  std::int64_t units = 0;     // draws of this source in each unit of the source above
  double df = 0;              // degrees of freedom of the mean square
  double mean_square = 0;     // of the means of the units around those of the units above
  double estimate = 0;        // the variance that this source adds; unbiased, so it may be negative
  double standard_error = 0;  // of the estimate, for normal effects
  double low = 0, high = 0;   // interval of the variance; 0 or more
};

struct NestedVariance {
  double mean = 0;                 // of all scores
  double mean_standard_error = 0;  // over new draws of all sources
  double mean_df = 0;              // of that standard error
  std::vector<VarianceComponent> components;
};

// The balanced nested analysis of variance. `units[j]` draws of source j belong to each draw of
// source j - 1; `scores` has the last source fastest. The component of a source is the mean
// variance, over draws of the sources above, of the expected score given the source: by the law of
// total variance the components add up to the variance of one score, whatever interactions there
// are, if the draws are independent. Estimates are those of the method of moments (S. R. Searle, G.
// Casella, C. E. McCulloch 1992, "Variance Components", 3.5-3.6), with their standard errors for
// normal effects. The interval of a difference of mean squares is that of N. Ting, R. K. Burdick,
// F. A. Graybill, S. Jeyaratnam, T.-F. C. Lu 1990, Journal of Statistical Computation and
// Simulation 35, 135-143; for the last source it is the exact one. Throws Error for fewer than 2
// units of a source, another number of scores, scores that are not finite, and a confidence outside
// (0, 1).
NestedVariance EstimateNestedVariance(std::span<const double> scores,
                                      std::span<const std::int64_t> units,
                                      double confidence = 0.95);

}  // namespace crossfold::stats
