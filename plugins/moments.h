// Weighted mean and spread of some numbers, in two passes.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
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

// `subject` names the values in error messages. REQUIRES: values and weights have equal lengths, no
// NaN, every weight > 0.
inline Moments ComputeMoments(std::span<const double> values, std::span<const double> weights,
                              Denominator denominator, std::string_view subject) {
  Moments m;
  double low = 0, high = 0, sum = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    low = i == 0 ? values[i] : std::min(low, values[i]);
    high = i == 0 ? values[i] : std::max(high, values[i]);
    m.weight += weights[i];
    sum += weights[i] * values[i];
  }
  if (m.weight == 0) return m;
  m.mean = low;
  // This is decided by comparison, because the rounded mean of equal values may differ from them.
  if (low < high) {
    m.mean = sum / m.weight;
    double rest = 0;
    for (std::size_t i = 0; i < values.size(); ++i) rest += weights[i] * (values[i] - m.mean);
    m.mean += rest / m.weight;
    double squares = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
      squares += weights[i] * (values[i] - m.mean) * (values[i] - m.mean);
    }
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

}  // namespace crossfold::bundled
