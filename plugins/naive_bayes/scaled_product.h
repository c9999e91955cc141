// A product of many numbers that leaves the range of doubles, and its logarithm: one logarithm
// instead of one per factor.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <numbers>

namespace crossfold::bundled {

struct ScaledProduct {
  double mantissa = 1;  // in [1, 2)
  double exponent = 0;  // a whole number; the product is mantissa * 2^exponent

  // REQUIRES: factor > 0 is normal: not infinite, and at least the smallest normal double.
  void Multiply(double factor) {
    const auto bits = std::bit_cast<std::uint64_t>(factor);
    exponent += static_cast<double>(static_cast<std::int64_t>(bits >> 52) - 1023);
    mantissa *= std::bit_cast<double>((bits & 0xFFFFFFFFFFFFFu) | 0x3FF0000000000000u);
    if (mantissa >= 2) {
      mantissa *= 0.5;
      exponent += 1;
    }
  }
  double Log() const { return std::log(mantissa) + exponent * std::numbers::ln2; }
};

}  // namespace crossfold::bundled
