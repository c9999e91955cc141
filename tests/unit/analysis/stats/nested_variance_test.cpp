#include "crossfold/stats/nested_variance.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "crossfold/error.h"

namespace crossfold::stats {
namespace {

// Calcium in turnip leaves: 4 plants, 3 leaves of each, 2 determinations of each. Snedecor and
// Cochran 1967, "Statistical Methods", 10.17.
const std::vector<double> kTurnips = {3.28, 3.09, 3.52, 3.48, 2.88, 2.80, 2.46, 2.44,
                                      1.87, 1.92, 2.19, 2.19, 2.77, 2.66, 3.74, 3.44,
                                      2.55, 2.55, 3.78, 3.87, 4.07, 4.12, 3.31, 3.31};
const std::vector<std::int64_t> kUnits = {4, 3, 2};

TEST(NestedVarianceTest, MeanSquaresAndComponentsAreThoseOfSnedecorAndCochran) {
  const NestedVariance found = EstimateNestedVariance(kTurnips, kUnits);
  ASSERT_EQ(found.components.size(), 3u);
  const VarianceComponent& plants = found.components[0];
  const VarianceComponent& leaves = found.components[1];
  const VarianceComponent& determinations = found.components[2];
  EXPECT_EQ(plants.df, 3);
  EXPECT_EQ(leaves.df, 8);
  EXPECT_EQ(determinations.df, 12);
  EXPECT_NEAR(plants.mean_square, 2.5201, 5e-5);
  EXPECT_NEAR(leaves.mean_square, 0.3288, 5e-5);
  EXPECT_NEAR(determinations.mean_square, 0.0067, 5e-5);
  EXPECT_NEAR(plants.estimate, 0.3652, 5e-5);
  EXPECT_NEAR(leaves.estimate, 0.1610, 1e-4);  // of rounded mean squares
  EXPECT_NEAR(determinations.estimate, 0.0067, 5e-5);
  EXPECT_NEAR(found.mean, 3.012083333333333, 1e-14);
  // sqrt(2.5201152777777787 / 24)
  EXPECT_NEAR(found.mean_standard_error, 0.32404444639700397, 1e-14);
  EXPECT_EQ(found.mean_df, 3);
}

// The formulas of Ting et al. 1990 in Python, with the quantiles of SciPy; those of the last source
// with scipy.stats.chi2.
TEST(NestedVarianceTest, IntervalsAreThoseOfTheModifiedLargeSampleMethod) {
  const NestedVariance found = EstimateNestedVariance(kTurnips, kUnits);
  EXPECT_NEAR(found.components[0].low, 0.0524119514424494, 1e-9);
  EXPECT_NEAR(found.components[0].high, 5.7777503811508195, 1e-8);
  EXPECT_NEAR(found.components[1].low, 0.07176170419577756, 1e-10);
  EXPECT_NEAR(found.components[1].high, 0.5998508799068752, 1e-9);
  EXPECT_NEAR(found.components[2].low, 0.0034216544171510777, 1e-11);
  EXPECT_NEAR(found.components[2].high, 0.018132115080778076, 1e-11);
}

// By hand: sqrt(2 M1^2 / (df1 + 2) + 2 M2^2 / (df2 + 2)) / n.
TEST(NestedVarianceTest, StandardErrorsAreThoseOfNormalEffects) {
  const NestedVariance found = EstimateNestedVariance(kTurnips, kUnits);
  EXPECT_NEAR(found.components[0].standard_error, 0.266771386, 1e-9);
  EXPECT_NEAR(found.components[1].standard_error, 0.073527079, 1e-9);
  EXPECT_NEAR(found.components[2].standard_error, 0.002515039, 1e-9);
}

TEST(NestedVarianceTest, ANegativeEstimateStaysNegativeAndItsIntervalBeginsAtZero) {
  // The means of both units are equal, the values in them are not: 0 - 2 / 2.
  const NestedVariance found =
      EstimateNestedVariance(std::vector<double>{0, 2, 2, 0}, std::vector<std::int64_t>{2, 2});
  EXPECT_EQ(found.components[0].mean_square, 0);
  EXPECT_EQ(found.components[1].mean_square, 2);
  EXPECT_EQ(found.components[0].estimate, -1);
  EXPECT_EQ(found.components[0].low, 0);
}

TEST(NestedVarianceTest, EqualScoresOfASourceGiveExactlyZero) {
  std::vector<double> scores;
  for (const double x : {0.1, 0.7, 0.30000000000000004}) scores.insert(scores.end(), 7, x);
  const NestedVariance found = EstimateNestedVariance(scores, std::vector<std::int64_t>{3, 7});
  EXPECT_EQ(found.components[1].mean_square, 0);
  EXPECT_EQ(found.components[1].high, 0);
  EXPECT_GT(found.components[0].estimate, 0);
}

void ExpectRefusal(const std::vector<double>& scores, const std::vector<std::int64_t>& units,
                   double confidence, const std::string& finding) {
  try {
    EstimateNestedVariance(scores, units, confidence);
    ADD_FAILURE() << "nothing was thrown";
  } catch (const Error& e) {
    EXPECT_EQ(e.what(), "cannot split the variance of scores: " + finding);
  }
}

TEST(NestedVarianceTest, WhatIsNoBalancedDesignIsRefused) {
  ExpectRefusal({1, 2}, {}, 0.95, "there is no source; name at least one");
  ExpectRefusal(
      {1, 2}, {2, 1}, 0.95,
      "a source has 1 units; a variance takes 2 at least; leave the source out to hold it "
      "fixed");
  ExpectRefusal(
      {1, 2, 3}, {2, 2}, 0.95,
      "there are 3 scores, which is not the product of the units; give one score per unit "
      "of the last source");
  ExpectRefusal({1, std::nan("")}, {2}, 0.95, "score 2 is nan; give finite numbers only");
  ExpectRefusal({1, 2}, {2}, 1, "confidence is 1; it must be between 0 and 1");
}

}  // namespace
}  // namespace crossfold::stats
