#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "crossfold/error.h"
#include "crossfold/stats/bias_variance.h"
#include "crossfold/stats/nested_variance.h"
#include "crossfold_plugin/random.hpp"
#include "unit/engine/data/refusal.h"
#include "vectors.h"

namespace crossfold::stats {
namespace {

using Labels = std::vector<std::int64_t>;

ZeroOneParts OfVector() {
  const VectorValue in = TestVector("bias_variance_01").at("in");
  return DecomposeZeroOne(in.at("y").get<Labels>(), in.at("models").get<std::vector<Labels>>());
}

TEST(DecomposeZeroOneTest, MeetsTheVector) {
  const VectorValue vector = TestVector("bias_variance_01");
  const VectorValue& out = vector.at("out");
  const double tolerance = vector.at("tol");
  const ZeroOneParts parts = OfVector();
  EXPECT_EQ(parts.rows, 6);
  EXPECT_EQ(parts.models, 5);
  EXPECT_NEAR(parts.error, out.at("error"), tolerance);
  EXPECT_NEAR(parts.domingos.bias, out.at("domingos").at("bias"), tolerance);
  EXPECT_NEAR(parts.domingos.variance, out.at("domingos").at("variance"), tolerance);
  EXPECT_NEAR(parts.domingos.unbiased, out.at("domingos").at("unbiased"), tolerance);
  EXPECT_NEAR(parts.domingos.biased, out.at("domingos").at("biased"), tolerance);
  EXPECT_NEAR(parts.domingos.net, out.at("domingos").at("net"), tolerance);
  EXPECT_NEAR(parts.kohavi_wolpert.squared_bias, out.at("kw").at("bias2"), tolerance);
  EXPECT_NEAR(parts.kohavi_wolpert.variance, out.at("kw").at("variance"), tolerance);
  EXPECT_TRUE(parts.unbiased_defined);
  EXPECT_NEAR(parts.kohavi_wolpert_unbiased.squared_bias, out.at("kw_unbiased").at("bias2"),
              tolerance);
  EXPECT_NEAR(parts.kohavi_wolpert_unbiased.variance, out.at("kw_unbiased").at("variance"),
              tolerance);
}

// The table of frameworks.md 4.11.
TEST(DecomposeZeroOneTest, MeetsTheTableRowByRow) {
  const ZeroOneParts parts = OfVector();
  const std::int64_t main[] = {0, 1, 0, 2, 1, 1};
  const bool biased[] = {false, false, true, false, true, true};
  const double variance[] = {.2, .2, .2, .2, .4, .6};
  const double net[] = {.2, .2, -.2, .2, -.4, -.4};  // c2 V; the last -2/3 * .6
  const double squared_bias[] = {.04, .04, .64, .04, .36, .28};
  const double spread[] = {.16, .16, .16, .16, .24, .32};
  ASSERT_EQ(parts.per_row.size(), 6u);
  for (std::size_t i = 0; i < 6; ++i) {
    const ZeroOneRow& row = parts.per_row[i];
    EXPECT_EQ(row.main, main[i]) << i;
    EXPECT_EQ(row.biased, biased[i]) << i;
    EXPECT_DOUBLE_EQ(row.variance, variance[i]) << i;
    EXPECT_DOUBLE_EQ(row.net_variance, net[i]) << i;
    EXPECT_DOUBLE_EQ(row.squared_bias, squared_bias[i]) << i;
    EXPECT_DOUBLE_EQ(row.spread, spread[i]) << i;
  }
}

// Domingos' and both of Kohavi and Wolpert's parts add up to the error of any predictions.
TEST(DecomposeZeroOneTest, PartsAddUpToTheErrorOnRandomPredictions) {
  plugin::Random random(1);
  for (int trial = 0; trial < 300; ++trial) {
    const std::size_t rows = 1 + random.Below(20), models = 1 + random.Below(9);
    const std::uint64_t classes = 1 + random.Below(5);
    Labels truth(rows);
    for (std::int64_t& label : truth) label = static_cast<std::int64_t>(random.Below(classes));
    std::vector<Labels> predictions(models, Labels(rows));
    double wrong = 0;
    for (Labels& model : predictions) {
      for (std::size_t i = 0; i < rows; ++i) {
        model[i] = static_cast<std::int64_t>(random.Below(classes));
        wrong += model[i] != truth[i] ? 1 : 0;
      }
    }
    const ZeroOneParts parts = DecomposeZeroOne(truth, predictions);
    constexpr double kUlp = 4 * std::numeric_limits<double>::epsilon();
    EXPECT_NEAR(parts.error, wrong / static_cast<double>(rows * models), kUlp);
    EXPECT_NEAR(parts.domingos.bias + parts.domingos.net, parts.error, kUlp);
    EXPECT_NEAR(parts.domingos.unbiased - parts.domingos.biased, parts.domingos.net, kUlp);
    EXPECT_NEAR(parts.kohavi_wolpert.squared_bias + parts.kohavi_wolpert.variance, parts.error,
                kUlp);
    double by_rows = 0;
    for (const ZeroOneRow& row : parts.per_row) {
      EXPECT_NEAR((row.biased ? 1 : 0) + row.net_variance, row.error, kUlp);
      EXPECT_NEAR(row.squared_bias + row.spread, row.error, kUlp);
      by_rows += row.error;
    }
    EXPECT_NEAR(by_rows / static_cast<double>(rows), parts.error, 1e-14);
    if (models < 2) continue;
    EXPECT_NEAR(parts.kohavi_wolpert_unbiased.squared_bias + parts.kohavi_wolpert_unbiased.variance,
                parts.error, kUlp);
  }
}

// With two classes all that moves a wrong main prediction hits the true class.
TEST(DecomposeZeroOneTest, WithTwoClassesVarianceOnBiasedRowsIsAllGood) {
  const ZeroOneParts parts = DecomposeZeroOne(Labels{0, 0}, {{1, 0}, {1, 1}, {0, 0}});
  EXPECT_DOUBLE_EQ(parts.domingos.variance, parts.domingos.unbiased + parts.domingos.biased);
}

TEST(DecomposeZeroOneTest, OneModelHasNoUnbiasedParts) {
  const ZeroOneParts parts = DecomposeZeroOne(Labels{0, 1}, {{1, 1}});
  EXPECT_EQ(parts.domingos.bias, 0.5);
  EXPECT_EQ(parts.domingos.variance, 0);
  EXPECT_FALSE(parts.unbiased_defined);
  EXPECT_EQ(parts.unbiased_undefined, "one model does not show how models vary");
  EXPECT_TRUE(std::isnan(parts.kohavi_wolpert_unbiased.variance));
}

TEST(DecomposeZeroOneTest, RefusesRowsThatNotEveryModelPredicted) {
  EXPECT_EQ(RefusedArgument([] {
              DecomposeZeroOne(Labels{0, 1, 1}, {{0, 1, 1}, {0, 1}});
            }),
            "cannot decompose the error: model 2 predicts 2 of 3 rows; every model must predict "
            "the same rows");
  EXPECT_EQ(RefusedArgument([] {
              DecomposeZeroOne(Labels{0, 1, 1}, {{0, -1, 1}});
            }),
            "cannot decompose the error: model 1: row 2 has class -1; classes are whole numbers "
            "from 0 on, and every model must predict every row");
  EXPECT_EQ(RefusedArgument([] { DecomposeZeroOne({}, {{}}); }),
            "cannot decompose the error: there are no rows; give at least one");
  EXPECT_EQ(RefusedArgument([] { DecomposeZeroOne(Labels{1}, {}); }),
            "cannot decompose the error: there are no models; give at least one");
}

// frameworks.md 4.11: squared loss.
TEST(DecomposeSquaredTest, MeetsTheReference) {
  const SquaredParts parts =
      DecomposeSquared(std::vector<double>{1, 2, 3},
                       {{1.1, 1.8, 3.5}, {.9, 2.2, 3.3}, {1.2, 2.1, 2.9}, {.8, 1.9, 3.1}});
  EXPECT_NEAR(parts.error, 0.046666666667, 1e-12);
  EXPECT_NEAR(parts.squared_bias, 0.013333333333, 1e-12);
  EXPECT_NEAR(parts.variance, 0.033333333333, 1e-12);
}

// By hand: predictions 1 and 4 of a true 2 have mean 2.5, squared errors 1 and 4, and deviate
// by 1.5.
TEST(DecomposeSquaredTest, GivesThePartsOfEachRow) {
  const SquaredParts parts = DecomposeSquared(std::vector<double>{0, 2}, {{3, 1}, {3, 4}});
  ASSERT_EQ(parts.per_row.size(), 2u);
  EXPECT_EQ(parts.per_row[0].squared_bias, 9);
  EXPECT_EQ(parts.per_row[0].variance, 0);
  EXPECT_EQ(parts.per_row[1].mean, 2.5);
  EXPECT_EQ(parts.per_row[1].error, 2.5);
  EXPECT_EQ(parts.per_row[1].squared_bias, 0.25);
  EXPECT_EQ(parts.per_row[1].variance, 2.25);
}

TEST(DecomposeSquaredTest, PartsAddUpToTheError) {
  plugin::Random random(2);
  std::vector<double> truth(25);
  std::vector<std::vector<double>> predictions(7, std::vector<double>(25));
  for (double& value : truth) value = 10 * random.Normal();
  for (auto& model : predictions) {
    for (std::size_t i = 0; i < 25; ++i) model[i] = truth[i] + random.Normal();
  }
  const SquaredParts parts = DecomposeSquared(truth, predictions);
  EXPECT_NEAR(parts.squared_bias + parts.variance, parts.error, 1e-13);
}

TEST(DecomposeSquaredTest, RefusesWhatIsNoNumber) {
  EXPECT_EQ(RefusedArgument([] {
              DecomposeSquared(std::vector<double>{1, 2}, {{1, std::nan("")}});
            }),
            "cannot decompose the error: model 1: prediction 2 is nan; give finite numbers only");
}

TEST(DecomposeSquaredTest, SquaresTooLargeForANumberAreRefused) {
  const std::vector<double> truth = {1, 2};
  EXPECT_EQ(RefusedArgument([&] {
              DecomposeSquared(truth, {{1e200, 1}, {-1e200, 2}});
            }),
            "cannot decompose the error: the squared errors are too large for a number; divide all "
            "values by one number");
}

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
  EXPECT_EQ(test::MessageOf([&] { EstimateNestedVariance(scores, units, confidence); }),
            "cannot split the variance of scores: " + finding);
}

TEST(NestedVarianceTest, WhatIsNoBalancedDesignIsRefused) {
  ExpectRefusal({1, 2}, {}, 0.95, "there is no source; name at least one");
  ExpectRefusal(
      {1, 2}, {2, 1}, 0.95,
      "a source has 1 units; a variance takes 2 at least; leave the source out to hold it fixed");
  ExpectRefusal({1, 2, 3}, {2, 2}, 0.95,
                "there are 3 scores, which is not the product of the units; give one score per "
                "unit of the last source");
  ExpectRefusal({1, std::nan("")}, {2}, 0.95, "score 2 is nan; give finite numbers only");
  ExpectRefusal({1, 2}, {2}, 1, "confidence is 1; it must be between 0 and 1");
}

}  // namespace
}  // namespace crossfold::stats
