// The probabilities of a prediction, row by row.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "crossfold/error.h"
#include "crossfold/outcome.h"

namespace crossfold {

// Throws Error "cannot <attempt>: ..." unless every row has probabilities.
inline void CheckProbabilities(const std::string& attempt, const Prediction& prediction) {
  const std::size_t expected =
      prediction.rows.size() * static_cast<std::size_t>(prediction.n_classes);
  if (prediction.n_classes > 0 && prediction.probabilities.size() == expected) return;
  throw Error(ErrorKind::kInvalidArgument,
              "cannot " + attempt +
                  ": the prediction has no probabilities; use a learner that "
                  "gives them");
}

inline std::span<const double> ProbabilitiesOf(const Prediction& prediction, std::size_t row) {
  const auto k = static_cast<std::size_t>(prediction.n_classes);
  return std::span(prediction.probabilities).subspan(row * k, k);
}

// The class with the maximum probability; ties go to the lower index.
inline std::int32_t MostProbable(std::span<const double> probabilities) {
  return static_cast<std::int32_t>(std::max_element(probabilities.begin(), probabilities.end()) -
                                   probabilities.begin());
}

}  // namespace crossfold
