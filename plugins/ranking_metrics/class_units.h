// Weights of the positive and the negative rows, each in units of its own power of two.
#pragma once

#include <cmath>
#include <cstdlib>

#include "average.h"

namespace crossfold::ranking_metrics {

// For metrics of the rates within each class, whose products of weights would vanish or overflow.
// Powers of two keep every bit; where nothing is out of range the unit is 1.
class ClassUnits {
 public:
  explicit ClassUnits(const RankedScores& ranked)
      : positive_(UnitOf(ranked.weight(true))), negative_(UnitOf(ranked.weight(false))) {}

  double Positive(double weight) const { return std::scalbn(weight, -positive_); }
  double Negative(double weight) const { return std::scalbn(weight, -negative_); }

 private:
  static int UnitOf(double total) {
    constexpr int kInRange = 300;  // products of three such sums are numbers
    const int exponent = std::ilogb(total);
    return std::abs(exponent) > kInRange ? exponent : 0;
  }

  int positive_, negative_;
};

}  // namespace crossfold::ranking_metrics
