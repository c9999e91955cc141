// The sum of the weights that a metric divides by.
#pragma once

#include <cmath>

#include "crossfold_plugin.hpp"

namespace crossfold::bundled {

// Returns `total`. Throws Undefined if it is 0, and Error if it is beyond the range where products
// with a weight keep their digits: a metric must not be 0 only because weights underflowed.
inline double CheckedWeightTotal(double total) {
  constexpr double kLeast = 1e-290;  // 2^-1022 less what 53 bits need
  constexpr double kMost = 1e290;    // leaves room for losses and for numbers of classes
  if (total == 0) throw plugin::Undefined("the weights of all rows are zero");
  if (!(total <= kMost)) {  // also if infinities made it a NaN
    throw plugin::Error(CF_E_NUMERIC,
                        "the weights are too large to be summed; divide them all by one number");
  }
  if (total < kLeast) {
    throw plugin::Error(CF_E_NUMERIC,
                        "the weights are too small to be summed; multiply them all by one number");
  }
  return total;
}

}  // namespace crossfold::bundled
