// Weights of the positive and the negative rows, each in units of its own power of two.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "average.h"

namespace crossfold::ranking_metrics {

// For metrics of the rates within each class, whose products of weights would underflow or
// overflow. Powers of two keep every bit; where nothing is out of range the unit is 1.
class ClassUnits {
 public:
  explicit ClassUnits(const RankedScores& ranked)
      : positive_(FactorOf(ranked.weight(true))), negative_(FactorOf(ranked.weight(false))) {}

  double Positive(double weight) const { return weight * positive_; }
  double Negative(double weight) const { return weight * negative_; }

 private:
  static double FactorOf(double total) {
    constexpr int kInRange = 300;  // products of three such sums are numbers
    constexpr int kMost = 1000;    // the factor is a number, too
    const int exponent = std::ilogb(total);
    if (std::abs(exponent) <= kInRange) return 1;
    return std::scalbn(1.0, -std::clamp(exponent, -kMost, kMost));
  }

  double positive_, negative_;
};

}  // namespace crossfold::ranking_metrics
