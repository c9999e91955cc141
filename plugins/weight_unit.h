// Weights with fractions as whole multiples of a small unit: then their sums are exact in doubles,
// in any order, and rows in another order cannot break a tie.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

namespace crossfold::bundled {

class WeightUnit {
 public:
  // The unit is for weights that sum to `total` up to rounding: 2^-52 of the next power of two
  // above it, so that sums stay within 2^53 units.
  explicit WeightUnit(double total) {
    // The order of the weights may put a total just below a power of two or just above it.
    constexpr double kAboveRounding = 1 + 1e-9;
    int exponent = 0;
    std::frexp(total * kAboveRounding, &exponent);
    exponent = std::min(exponent, std::numeric_limits<double>::max_exponent - 2);  // no overflow
    unit_ = std::max(std::ldexp(1.0, exponent - 52), std::numeric_limits<double>::denorm_min());
    // The numbers from here to twice as much are multiples of the unit.
    first_ = 0x1p52 * unit_;
  }

  // Returns the nearest multiple, but at least one unit, as no row may get weight 0. REQUIRES: 0 <
  // weight, at most about the total.
  double Round(double weight) const { return std::max((weight + first_) - first_, unit_); }
  void Round(std::span<double> weights) const {
    for (double& weight : weights) {
      if (weight > 0) weight = Round(weight);
    }
  }

 private:
  double unit_, first_;
};

}  // namespace crossfold::bundled
