// Samples of a posterior: draws from the gamma distribution, and which samples are kept for a
// figure.
#pragma once

#include <cmath>
#include <cstdint>

#include "crossfold_plugin/random.hpp"

namespace crossfold::stats {

// Draws from the gamma distribution with this shape and scale 1. Shape 0 gives 0. G. Marsaglia,
// W. W. Tsang 2000, ACM Transactions on Mathematical Software 26, 363-372; below 1 a gamma variable
// of shape + 1 times a power of a uniform one, as in the same paper. REQUIRES: shape >= 0.
inline double DrawGamma(double shape, plugin::Random& random) {
  if (shape == 0) return 0;
  const bool small = shape < 1;
  const double d = (small ? shape + 1 : shape) - 1.0 / 3;
  const double c = 1 / std::sqrt(9 * d);
  while (true) {
    const double x = random.Normal();
    const double root = 1 + c * x;
    if (root <= 0) continue;
    const double v = root * root * root;
    if (std::log(1 - random.Uniform()) >= x * x / 2 + d * (1 - v + std::log(v))) continue;
    return small ? d * v * std::pow(1 - random.Uniform(), 1 / shape) : d * v;
  }
}

// Whether sample s of `samples`, from 0, is one of `kept` that are evenly spaced; all are if `kept`
// is at least `samples`. REQUIRES: 0 <= s < samples, kept >= 0.
inline bool IsKept(std::int64_t s, std::int64_t samples, std::int64_t kept) {
  if (kept >= samples) return true;
  const auto before = [&](std::int64_t at) {
    return static_cast<std::int64_t>(static_cast<double>(at) * static_cast<double>(kept) /
                                     static_cast<double>(samples));
  };
  return before(s + 1) > before(s);
}

}  // namespace crossfold::stats
