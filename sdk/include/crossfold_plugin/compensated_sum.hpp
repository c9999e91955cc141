// Sums whose last bits survive many small terms: the correction of A. Neumaier 1974,
// "Rundungsfehleranalyse einiger Verfahren zur Summation endlicher Summen", ZAMM 54, 39-51.
#pragma once

#include <cmath>

namespace crossfold::plugin {

// Depends on the order of the terms, so add them in row order.
class CompensatedSum {
 public:
  // REQUIRES: `term` is finite.
  void Add(double term) {
    const double sum = sum_ + term;
    // The rounding error of the addition is recovered from the smaller of the two.
    correction_ += std::fabs(sum_) >= std::fabs(term) ? (sum_ - sum) + term : (term - sum) + sum_;
    sum_ = sum;
  }
  double value() const { return sum_ + correction_; }
  // More exact than value() / n, which rounds the sum first.
  double DividedBy(double n) const {
    const double quotient = sum_ / n;
    const double remainder = std::fma(-quotient, n, sum_);
    return quotient + (remainder + correction_) / n;
  }

 private:
  double sum_ = 0;
  double correction_ = 0;
};

}  // namespace crossfold::plugin
