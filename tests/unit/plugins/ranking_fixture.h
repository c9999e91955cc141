// What the tests of metrics that rank rows share.
#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "crossfold/error.h"
#include "crossfold_plugin/random.hpp"
#include "unit/engine/data/refusal.h"
#include "unit/plugins/metric_fixture.h"
#include "vectors.h"

namespace crossfold {

// Two classes A and B; the scores are the probabilities of B.
struct TwoClasses {
  Labels truth;
  std::vector<double> scores;
  std::vector<double> weights = {};  // empty = none
};

inline std::vector<double> AsProbabilities(const std::vector<double>& scores) {
  std::vector<double> probabilities;
  for (const double s : scores) {
    probabilities.push_back(1 - s);
    probabilities.push_back(s);
  }
  return probabilities;
}

inline Score ScoreTwo(std::string_view metric, const TwoClasses& rows,
                      const ParamValues& values = {}) {
  return ScoreProbabilities(metric, *TruthData(rows.truth, 2, rows.weights),
                            AsProbabilities(rows.scores), values);
}

// The value; fails the test if there is none.
inline double ValueOf(const Score& score) {
  EXPECT_TRUE(score.defined) << score.undefined;
  return score.value;
}

inline void ExpectUndefined(const Score& score, const std::string& reason) {
  EXPECT_FALSE(score.defined) << score.value;
  EXPECT_EQ(score.undefined, reason);
}

// A vector of tests/data/vectors.json with y and s.
inline TwoClasses VectorRows(const VectorValue& vector) {
  return {vector["in"]["y"].get<Labels>(), Numbers(vector["in"]["s"]), {}};
}

struct ManyClasses {
  Labels truth;
  std::vector<double> probabilities;
};

// The vector of Hand and Till's measure: ten rows, three classes.
inline ManyClasses HandTillRows() {
  const VectorValue in = TestVector("hand_till")["in"];
  ManyClasses rows{in["y"].get<Labels>(), {}};
  for (const auto& row : in["p"].get<std::vector<std::vector<double>>>()) {
    rows.probabilities.insert(rows.probabilities.end(), row.begin(), row.end());
  }
  return rows;
}

inline Score ScoreHandTill(std::string_view metric, const ParamValues& values = {}) {
  const ManyClasses rows = HandTillRows();
  return ScoreProbabilities(metric, *TruthData(rows.truth, 3), rows.probabilities, values);
}

// Random rows with scores of `steps` values, so with ties; both classes are there. Weights are
// 0, 1, 2 or 3 if asked for.
inline TwoClasses RandomRows(std::uint64_t seed, std::size_t n, std::uint64_t steps,
                             bool has_weights) {
  plugin::Random random(seed);
  TwoClasses rows;
  for (std::size_t i = 0; i < n; ++i) {
    rows.truth.push_back(i < 2 ? static_cast<std::int32_t>(i)
                               : static_cast<std::int32_t>(random.Below(2)));
    rows.scores.push_back(static_cast<double>(random.Below(steps + 1)) /
                          static_cast<double>(steps));
    if (has_weights) {
      rows.weights.push_back(i < 2 ? 1 : static_cast<double>(random.Below(4)));
    }
  }
  return rows;
}

// The same without weights: each row as often as its weight says.
inline TwoClasses Repeated(const TwoClasses& rows) {
  TwoClasses repeated;
  for (std::size_t i = 0; i < rows.truth.size(); ++i) {
    for (int times = 0; times < static_cast<int>(rows.weights[i]); ++times) {
      repeated.truth.push_back(rows.truth[i]);
      repeated.scores.push_back(rows.scores[i]);
    }
  }
  return repeated;
}

// The same rows in another order.
inline TwoClasses Reversed(const TwoClasses& rows) {
  return {{rows.truth.rbegin(), rows.truth.rend()},
          {rows.scores.rbegin(), rows.scores.rend()},
          {rows.weights.rbegin(), rows.weights.rend()}};
}

// What CheckMetric says about a dataset of the classes A, B, C ...; "" = nothing.
inline std::string MetricRefusal(std::string_view metric, std::int32_t n_classes,
                                 const ParamValues& values = {}) {
  return test::MessageOf([&] {
    CheckMetric(*BundledSpec(Kind::kMetric, metric, values), *TruthData({0, 1, 1}, n_classes));
  });
}

}  // namespace crossfold
