// Weighted mean and spread of some numbers, in two passes.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <span>
#include <string>
#include <string_view>

#include "crossfold_plugin.hpp"

namespace crossfold::bundled {

enum class Denominator { kTotalWeight, kTotalWeightMinusOne };  // population, sample

struct Moments {
  double weight = 0;  // total; 0 = there were no values
  double mean = 0;
  double sd = 0;  // 0 if all values are equal
};

// `for_each` calls a function with each value and its weight, always in the same order. `subject`
// names the values in error messages. REQUIRES: no NaN, every weight > 0.
template <class ForEach>
Moments MomentsOfEach(const ForEach& for_each, Denominator denominator, std::string_view subject) {
  Moments m;
  double low = std::numeric_limits<double>::infinity(), high = -low, sum = 0;
  for_each([&](double value, double weight) {
    low = std::min(low, value);
    high = std::max(high, value);
    m.weight += weight;
    sum += weight * value;
  });
  if (m.weight == 0) return m;
  m.mean = low;
  // This is decided by comparison, because the rounded mean of equal values may differ from them.
  if (low < high) {
    m.mean = sum / m.weight;
    double rest = 0;
    for_each([&](double value, double weight) { rest += weight * (value - m.mean); });
    m.mean += rest / m.weight;
    double squares = 0;
    for_each([&](double value, double weight) {
      squares += weight * (value - m.mean) * (value - m.mean);
    });
    const bool sample = denominator == Denominator::kTotalWeightMinusOne;
    const double divisor = sample ? m.weight - 1 : m.weight;
    if (!(divisor > 0)) {
      throw plugin::Error(CF_E_UNSUPPORTED_DATA,
                          std::string(subject) + " has a total weight of at most 1, so it has no " +
                              "sample standard deviation (weights count as repetitions)");
    }
    m.sd = std::sqrt(squares / divisor);
  }
  if (!std::isfinite(m.mean) || !std::isfinite(m.sd)) {
    throw plugin::Error(CF_E_NUMERIC,
                        std::string(subject) + " has no finite mean and standard deviation");
  }
  return m;
}

// REQUIRES: values and weights have equal lengths.
inline Moments ComputeMoments(std::span<const double> values, std::span<const double> weights,
                              Denominator denominator, std::string_view subject) {
  return MomentsOfEach(
      [&](const auto& use) {
        for (std::size_t i = 0; i < values.size(); ++i) use(values[i], weights[i]);
      },
      denominator, subject);
}

}  // namespace crossfold::bundled
