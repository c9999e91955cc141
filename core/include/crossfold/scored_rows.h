// The input of the curves of a two-class evaluation: a score per row, which is higher if the
// positive class is more likely, and which rows are positive.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "crossfold/dataset.h"
#include "crossfold/outcome.h"

namespace crossfold {

struct ScoredRows {
  std::span<const double> scores;
  std::span<const std::uint8_t> positive;  // 1 = positive, 0 = negative
  std::span<const double> weights;         // empty = all 1
  // The row of the data that each score belongs to, because repeated splits score a row several
  // times. Empty = all differ. Only intervals use it: the rows are the sample, not their scores.
  std::span<const std::int64_t> rows = {};
  // The group of rows that each score belongs to. Empty = no groups. Bootstraps draw whole groups,
  // because the rows of a group depend on each other.
  std::span<const std::int64_t> groups = {};
  std::size_t size() const { return scores.size(); }
  double weight(std::size_t row) const { return weights.empty() ? 1 : weights[row]; }
};

// Throws Error unless all lists have one length, scores are finite, weights 0 or from 1e-60 to 1e60
// (counts are multiplied), and `positive` holds 0 and 1 only. All functions of the curves call it.
void CheckScoredRows(const ScoredRows& rows);

// Scored rows that own their memory.
struct OwnedScoredRows {
  std::vector<double> scores;
  std::vector<std::uint8_t> positive;
  std::vector<double> weights;
  std::vector<std::int64_t> rows;
  std::vector<std::int64_t> groups;
  ScoredRows view() const { return {scores, positive, weights, rows, groups}; }
};

// Scores one class against the rest: the scores are the probabilities of class `positive` (an
// index), the weights, rows and groups are those of the dataset. Throws Error if the prediction has
// no probabilities, if it is not for these classes and rows, or if there is no such class. With
// `takes_scores`, scores of a learner that has them instead of probabilities are enough.
OwnedScoredRows OneAgainstRest(const Dataset& data, const Prediction& prediction,
                               std::int64_t positive, bool takes_scores = false);

}  // namespace crossfold
