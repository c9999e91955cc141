// Scores of rows of two classes, with weights, on which calibration is fitted.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "analysis/stats/refuse_argument.h"

namespace crossfold::stats {

struct ClassWeights {
  double negative = 0, positive = 0;
};

inline void CheckLengths(const std::string& attempt, const std::string& what, std::size_t n,
                         std::size_t expected) {
  if (n == expected) return;
  RefuseArgument(
      attempt,
      "there are " + std::to_string(expected) + " rows but " + std::to_string(n) + " " + what,
      "give one per row");
}

// Weights may be empty; otherwise they are finite and not negative, one per row.
inline void CheckWeights(const std::string& attempt, std::span<const double> weights,
                         std::size_t n_rows) {
  if (weights.empty()) return;
  CheckLengths(attempt, "weights", weights.size(), n_rows);
  CheckFinite(attempt, "weight", weights);
  for (std::size_t i = 0; i < weights.size(); ++i) {
    if (weights[i] >= 0) continue;
    RefuseArgument(attempt, "weight " + std::to_string(i + 1) + " is negative",
                   "use 0 for rows that do not count");
  }
}

// Throws Error unless scores are finite, `positive` holds 0 and 1, and the weights are valid.
// Returns the sums of the weights of both classes.
inline ClassWeights CheckClassScores(const std::string& attempt, std::span<const double> scores,
                                     std::span<const std::uint8_t> positive,
                                     std::span<const double> weights) {
  CheckLengths(attempt, "true classes", positive.size(), scores.size());
  CheckFinite(attempt, "score", scores);
  CheckWeights(attempt, weights, scores.size());
  ClassWeights totals;
  for (std::size_t i = 0; i < scores.size(); ++i) {
    if (positive[i] > 1) {
      RefuseArgument(attempt, "true class " + std::to_string(i + 1) + " is neither 0 nor 1",
                     "give 1 for positive rows");
    }
    (positive[i] != 0 ? totals.positive : totals.negative) += weights.empty() ? 1 : weights[i];
  }
  return totals;
}

// Why there is nothing to fit; "" = there are rows of both classes.
inline std::string MissingClass(const ClassWeights& totals) {
  if (totals.positive > 0 && totals.negative > 0) return "";
  if (totals.positive > 0) return "there are no negative rows";
  return totals.negative > 0 ? "there are no positive rows" : "there are no rows";
}

}  // namespace crossfold::stats
