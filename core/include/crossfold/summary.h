// Location and spread of a few numbers. Pure functions; sums are compensated and in the order
// given.
#pragma once

#include <cstdint>
#include <span>

namespace crossfold {

struct Summary {
  std::int64_t n = 0;
  double mean = 0;          // undefined (NaN) if n == 0
  double sd = 0;            // sample standard deviation, n-1; undefined (NaN) if n < 2
  double min = 0, max = 0;  // NaN if n == 0
  double median = 0;        // the mean of the two in the middle if n is even; NaN if n == 0
  double mode = 0;  // the value that occurs most often, bit for bit; NaN if none occurs twice or
                    // several are equally frequent
};

// REQUIRES: every value is finite.
Summary Summarize(std::span<const double> values);
// Without median and mode (NaN), and so without sorting. REQUIRES: every value is finite.
Summary SummarizeWithoutOrder(std::span<const double> values);
// The mean alone. REQUIRES: also that there is a value.
double MeanOf(std::span<const double> values);

}  // namespace crossfold
