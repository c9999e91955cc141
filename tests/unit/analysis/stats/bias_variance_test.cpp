#include "crossfold/stats/bias_variance.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "crossfold_plugin/random.hpp"
#include "stats_refusal.h"
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
  EXPECT_EQ(Refusal([] {
              DecomposeZeroOne(Labels{0, 1, 1}, {{0, 1, 1}, {0, 1}});
            }),
            "cannot decompose the error: model 2 predicts 2 of 3 rows; every model must predict "
            "the same rows");
  EXPECT_EQ(Refusal([] {
              DecomposeZeroOne(Labels{0, 1, 1}, {{0, -1, 1}});
            }),
            "cannot decompose the error: model 1: row 2 has class -1; classes are whole numbers "
            "from 0 on, and every model must predict every row");
  EXPECT_EQ(Refusal([] { DecomposeZeroOne({}, {{}}); }),
            "cannot decompose the error: there are no rows; give at least one");
  EXPECT_EQ(Refusal([] { DecomposeZeroOne(Labels{1}, {}); }),
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
  EXPECT_EQ(Refusal([] {
              DecomposeSquared(std::vector<double>{1, 2}, {{1, std::nan("")}});
            }),
            "cannot decompose the error: model 1: prediction 2 is nan; give finite numbers only");
}

TEST(DecomposeSquaredTest, SquaresTooLargeForANumberAreRefused) {
  const std::vector<double> truth = {1, 2};
  EXPECT_EQ(Refusal([&] {
              DecomposeSquared(truth, {{1e200, 1}, {-1e200, 2}});
            }),
            "cannot decompose the error: the squared errors are too large for a number; divide all "
            "values by one number");
}

}  // namespace
}  // namespace crossfold::stats
