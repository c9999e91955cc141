// Location and spread of a few numbers. The functions are pure; sums are compensated and in the
// order given.
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

// Returns location and spread. REQUIRES: every value is finite.
Summary Summarize(std::span<const double> values);
// Leaves median and mode undefined (NaN), so that it need not sort. REQUIRES: every value is
// finite.
Summary SummarizeWithoutOrder(std::span<const double> values);
// Returns only the mean. REQUIRES: there is a value, and every value is finite.
double MeanOf(std::span<const double> values);

}  // namespace crossfold
