// Quantiles of weighted numbers: linear interpolation between order statistics, type 7 of
// R. J. Hyndman and Y. Fan, "Sample quantiles in statistical packages", The American Statistician
// 50 (1996) 361-365. Weights count as repetitions.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

namespace crossfold::bundled {

struct WeightedValue {
  double value;
  double weight;
};

// Sorts the values in ascending order and joins equal ones. The result does not depend on the order
// of the input. REQUIRES: equal lengths, no NaN, every weight > 0.
inline std::vector<WeightedValue> SortValues(std::span<const double> values,
                                             std::span<const double> weights) {
  std::vector<WeightedValue> sorted;
  for (std::size_t i = 0; i < values.size(); ++i) sorted.push_back({values[i], weights[i]});
  std::sort(sorted.begin(), sorted.end(), [](const WeightedValue& a, const WeightedValue& b) {
    return std::pair(a.value, a.weight) < std::pair(b.value, b.weight);
  });
  std::size_t n = 0;
  for (const WeightedValue& next : sorted) {
    if (n > 0 && sorted[n - 1].value == next.value) {
      sorted[n - 1].weight += next.weight;
    } else {
      sorted[n++] = next;
    }
  }
  sorted.resize(n);
  return sorted;
}

// Returns the value at `share` (0 to 1) of the list in which every value occurs weight times. A
// total weight below 1 gives the smallest value. REQUIRES: `sorted` is not empty and came from
// SortValues.
inline double Quantile(std::span<const WeightedValue> sorted, double share) {
  double total = 0;
  for (const WeightedValue& v : sorted) total += v.weight;
  const double place = std::max(0.0, (total - 1) * share);  // counted from 0
  const double below = std::floor(place);
  double end = 0;  // the copies of sorted[i] take the places [end before, end)
  std::size_t lower = 0;
  for (; lower + 1 < sorted.size(); ++lower) {
    end += sorted[lower].weight;
    if (below < end) break;
  }
  if (lower + 1 == sorted.size()) return sorted.back().value;
  const std::size_t upper = below + 1 < end ? lower : lower + 1;
  return std::lerp(sorted[lower].value, sorted[upper].value, place - below);
}

}  // namespace crossfold::bundled
