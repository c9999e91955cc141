#include "crossfold/summary.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

#include "analysis/stats/refuse_argument.h"
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

// REQUIRES: `sorted` is not empty.
double Median(std::span<const double> sorted) {
  const std::size_t upper = sorted.size() / 2;
  return sorted.size() % 2 == 1 ? sorted[upper] : std::midpoint(sorted[upper - 1], sorted[upper]);
}

double Mode(std::span<const double> sorted) {
  double mode = kUndefined;
  std::size_t most = 1;
  for (auto first = sorted.begin(); first != sorted.end();) {
    const auto last = std::upper_bound(first, sorted.end(), *first);
    const auto count = static_cast<std::size_t>(last - first);
    if (count == most) mode = kUndefined;
    if (count > most) {
      most = count;
      mode = *first;
    }
    first = last;
  }
  return mode;
}

}  // namespace

double MeanOf(std::span<const double> values) {
  const auto [min, max] = std::ranges::minmax(values);
  return Mean(values, min, max);
}

Summary SummarizeWithoutOrder(std::span<const double> values) {
  assert(std::all_of(values.begin(), values.end(), [](double v) { return std::isfinite(v); }));
  Summary summary{.n = static_cast<std::int64_t>(values.size()),
                  .mean = kUndefined,
                  .sd = kUndefined,
                  .min = kUndefined,
                  .max = kUndefined,
                  .median = kUndefined,
                  .mode = kUndefined};
  if (values.empty()) return summary;
  const auto [min, max] = std::ranges::minmax(values);
  summary.min = min;
  summary.max = max;
  summary.mean = Mean(values, summary.min, summary.max);
  if (values.size() >= 2) summary.sd = StandardDeviation(values, summary.mean);
  return summary;
}

Summary Summarize(std::span<const double> values) {
  Summary summary = SummarizeWithoutOrder(values);
  if (values.empty()) return summary;
  std::vector<double> sorted(values.begin(), values.end());
  std::sort(sorted.begin(), sorted.end());
  // Of 0 and -0, which are equal, these are the ones of the sorted values.
  summary.min = sorted.front();
  summary.max = sorted.back();
  summary.median = Median(sorted);
  summary.mode = Mode(sorted);
  return summary;
}

}  // namespace crossfold
