#include "crossfold/summary.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

#include "crossfold_plugin/compensated_sum.hpp"

namespace crossfold {
namespace {

double Mean(std::span<const double> values, double min, double max) {
  plugin::CompensatedSum sum;
  for (const double value : values) sum.Add(value);
  // Rounding must not carry the mean of equal values away from them: their spread is exactly 0.
  return std::clamp(sum.DividedBy(static_cast<double>(values.size())), min, max);
}

// Two passes; the second term removes what the rounding of the mean added.
double StandardDeviation(std::span<const double> values, double mean) {
  plugin::CompensatedSum squares, deviations;
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
