// Bins of equal width of the numbers from 0 to 1.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>

namespace crossfold::probability_metrics {

// Bin b, from 0, holds ]b / n, (b + 1) / n]; the first holds 0, too (Guo et al. 2017).
// REQUIRES: 0 <= p <= 1.
inline std::size_t EqualBin(double p, std::int64_t n) {
  const double place = std::ceil(p * static_cast<double>(n)) - 1;
  return place > 0 ? static_cast<std::size_t>(place) : 0;
}

}  // namespace crossfold::probability_metrics
