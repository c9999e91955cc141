// Scored rows for the tests of curves.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "crossfold/error.h"
#include "crossfold/scored_rows.h"
#include "crossfold_plugin/random.hpp"
#include "unit/engine/data/refusal.h"
#include "vectors.h"

namespace crossfold::fixture {

inline OwnedScoredRows Scored(std::vector<double> scores, std::vector<int> positive,
                              std::vector<double> weights = {}) {
  OwnedScoredRows rows;
  rows.scores = std::move(scores);
  rows.positive.assign(positive.begin(), positive.end());
  rows.weights = std::move(weights);
  return rows;
}

// The vector "binary16" or "binary9"; its weights, if it has any, on request.
inline OwnedScoredRows ScoredVector(const std::string& id, bool weighted = false) {
  const VectorValue in = TestVector(id).at("in");
  return Scored(crossfold::Numbers(in.at("s")), in.at("y").get<std::vector<int>>(),
                weighted ? crossfold::Numbers(in.at("w")) : std::vector<double>());
}

// The 20 rows of reference_curves.py: ties, and weights that differ.
inline OwnedScoredRows ReferenceRows(bool weighted) {
  return Scored({0.9, 0.3, 0.3, 0.5, 0.9, 0.2, 0.3, 0.5, 0.3, 0.4,
                 0.4, 0.1, 0.1, 0.1, 0.6, 0.9, 0.9, 0.7, 0.9, 0.5},
                {1, 1, 0, 1, 1, 0, 0, 1, 0, 1, 0, 0, 0, 0, 0, 1, 1, 1, 0, 1},
                weighted ? std::vector<double>{1,   0.5, 1,   1, 0.5, 1,   1,   1.5, 2, 1.5,
                                               0.5, 1.5, 1.5, 2, 0.5, 0.5, 0.5, 1.5, 1, 0.5}
                         : std::vector<double>());
}

// 1 to 40 rows with ties, of one class now and then; weights in quarters, so that sums are exact,
// and some of them 0.
inline OwnedScoredRows RandomRows(std::uint64_t seed, bool weighted) {
  plugin::Random random(seed);
  OwnedScoredRows rows;
  const std::uint64_t n = 1 + random.Below(40), values = 2 + random.Below(20);
  for (std::uint64_t i = 0; i < n; ++i) {
    rows.scores.push_back(static_cast<double>(random.Below(values)) / static_cast<double>(values));
    rows.positive.push_back(static_cast<std::uint8_t>(random.Below(2)));
    if (weighted) rows.weights.push_back(static_cast<double>(random.Below(9)) / 4);
  }
  return rows;
}

inline bool HasBothClasses(const OwnedScoredRows& rows) {
  double weight[2] = {0, 0};
  for (std::size_t i = 0; i < rows.scores.size(); ++i) {
    weight[rows.positive[i]] += rows.view().weight(i);
  }
  return weight[0] > 0 && weight[1] > 0;
}

// The rows in another order.
inline OwnedScoredRows Shuffled(const OwnedScoredRows& rows, std::uint64_t seed) {
  std::vector<std::size_t> order(rows.scores.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  plugin::Random random(seed);
  random.Shuffle(std::span(order));
  OwnedScoredRows shuffled;
  for (const std::size_t i : order) {
    shuffled.scores.push_back(rows.scores[i]);
    shuffled.positive.push_back(rows.positive[i]);
    if (!rows.weights.empty()) shuffled.weights.push_back(rows.weights[i]);
  }
  return shuffled;
}

inline void ExpectNear(const std::vector<double>& actual, const std::vector<double>& expected,
                       double tolerance = 1e-12) {
  ASSERT_EQ(actual.size(), expected.size());
  for (std::size_t i = 0; i < actual.size(); ++i) {
    EXPECT_NEAR(actual[i], expected[i], tolerance) << "element " << i;
  }
}

}  // namespace crossfold::fixture
