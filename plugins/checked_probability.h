// Predicted probabilities as metrics read them. A value that is not a probability is an error of
// the learner.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "crossfold_plugin.hpp"

namespace crossfold::bundled {

[[noreturn]] inline void ThrowNoProbability(const plugin::MetricInput& input, std::int64_t c) {
  throw plugin::Error(CF_E_NUMERIC, "a predicted probability of class '" +
                                        std::string(input.class_name(c)) +
                                        "' is not between 0 and 1");
}

// REQUIRES: probabilities are available.
inline double CheckedProbability(const plugin::MetricInput& input, std::int64_t row,
                                 std::int64_t c) {
  const double p = input.probabilities()[static_cast<std::size_t>(row * input.num_classes() + c)];
  if (!(p >= 0 && p <= 1)) ThrowNoProbability(input, c);
  return p;
}

// Checks all probabilities of one row.
inline std::span<const double> CheckedProbabilities(const plugin::MetricInput& input,
                                                    std::int64_t row) {
  const auto k = static_cast<std::size_t>(input.num_classes());
  const auto all = input.probabilities().subspan(static_cast<std::size_t>(row) * k, k);
  bool good = true;
  for (const double p : all) good &= p >= 0 && p <= 1;
  if (good) return all;
  for (std::int64_t c = 0; c < input.num_classes(); ++c) CheckedProbability(input, row, c);
  return all;
}

}  // namespace crossfold::bundled
