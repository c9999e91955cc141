// Quantiles of the standard normal distribution.
#pragma once

#include <cmath>
#include <numbers>

namespace crossfold::bundled::tree {

// z with P(Z <= z) = p, by bisection of erfc: exact to the last bits, and called at most once per
// node. REQUIRES: 0 < p < 1.
inline double NormalQuantile(double p) {
  double low = -40, high = 40;
  for (int step = 0; step < 200 && low < high; ++step) {
    const double middle = low + (high - low) / 2;
    if (middle == low || middle == high) break;
    (0.5 * std::erfc(-middle / std::numbers::sqrt2) < p ? low : high) = middle;
  }
  return low + (high - low) / 2;
}

}  // namespace crossfold::bundled::tree
