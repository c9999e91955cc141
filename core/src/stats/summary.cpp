#include "crossfold/summary.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

namespace crossfold {
namespace {

// Neumaier's variant of compensated summation: also right if a term is larger than the sum so far.
class CompensatedSum {
 public:
  void Add(double term) {
    const double sum = sum_ + term;
    lost_ += std::abs(sum_) >= std::abs(term) ? (sum_ - sum) + term : (term - sum) + sum_;
    sum_ = sum;
  }
  double value() const { return sum_ + lost_; }
  // More exact than value() / n, which rounds the sum first.
  double DividedBy(double n) const {
    const double quotient = sum_ / n;
    const double remainder = std::fma(-quotient, n, sum_);
    return quotient + (remainder + lost_) / n;
  }

 private:
  double sum_ = 0;
  double lost_ = 0;
};

double Mean(std::span<const double> values, double min, double max) {
  CompensatedSum sum;
  for (const double value : values) sum.Add(value);
  // Rounding must not carry the mean of equal values away from them: their spread is exactly 0.
  return std::clamp(sum.DividedBy(static_cast<double>(values.size())), min, max);
}

// Two passes; the second term removes what the rounding of the mean added.
double StandardDeviation(std::span<const double> values, double mean) {
  CompensatedSum squares, deviations;
  for (const double value : values) {
    const double deviation = value - mean;
    squares.Add(deviation * deviation);
    deviations.Add(deviation);
  }
  const double n = static_cast<double>(values.size());
  const double variance = (squares.value() - deviations.value() * deviations.value() / n) / (n - 1);
  return std::sqrt(std::max(variance, 0.0));
}

}  // namespace

Summary Summarize(std::span<const double> values) {
  constexpr double kUndefined = std::numeric_limits<double>::quiet_NaN();
  assert(std::all_of(values.begin(), values.end(), [](double v) { return std::isfinite(v); }));
  if (values.empty()) return {0, kUndefined, kUndefined, kUndefined, kUndefined};
  const auto [min, max] = std::minmax_element(values.begin(), values.end());
  const double mean = Mean(values, *min, *max);
  const double sd = values.size() < 2 ? kUndefined : StandardDeviation(values, mean);
  return {static_cast<std::int64_t>(values.size()), mean, sd, *min, *max};
}

}  // namespace crossfold
