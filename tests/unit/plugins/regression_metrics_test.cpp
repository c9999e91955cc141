#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "crossfold_plugin/random.hpp"
#include "unit/plugins/accumulate_law.h"
#include "unit/plugins/metric_fixture.h"
#include "unit/plugins/metric_reference.h"

namespace crossfold {
namespace {

using laws::MetricRows;
using laws::Verdict;

constexpr std::array<const char*, 8> kStreaming = {"mse",     "rmse",      "mae", "mape",
                                                   "pinball", "max_error", "rae", "rrse"};
constexpr std::array<const char*, 3> kWhole = {"median_absolute_error", "r2", "explained_variance"};

Verdict Scored(std::string_view metric, const MetricRows& rows, const ParamValues& params = {}) {
  return laws::ScoreWhole(*BundledSpec(Kind::kMetric, metric, params), rows);
}

double RegressionValue(std::string_view metric, const MetricRows& rows,
                       const ParamValues& params = {}) {
  const Verdict verdict = Scored(metric, rows, params);
  EXPECT_EQ(verdict.status, CF_OK) << metric << ": " << verdict.message;
  return verdict.value;
}

std::string WhyNoRegressionValue(std::string_view metric, const MetricRows& rows) {
  const Verdict verdict = Scored(metric, rows);
  EXPECT_EQ(verdict.status, CF_E_UNDEFINED) << metric << " is " << verdict.value;
  return verdict.message;
}

MetricRows Values(std::vector<double> truth, std::vector<double> predicted,
                  std::vector<double> weights = {}) {
  MetricRows rows;
  rows.truth_values = std::move(truth);
  rows.values = std::move(predicted);
  rows.weights = std::move(weights);
  return rows;
}

MetricRows RandomValues(std::size_t n, double offset, bool weights, plugin::Random& random) {
  MetricRows rows;
  for (std::size_t i = 0; i < n; ++i) {
    rows.truth_values.push_back(offset + random.Normal());
    rows.values.push_back(rows.truth_values.back() + random.Normal() / 2);
    if (weights) rows.weights.push_back(random.Uniform() * 3);
  }
  rows.training_mean = offset;
  return rows;
}

// ---- figures ------------------------------------------------------------------------------------

TEST(RegressionMetricsTest, OfTheExampleInTheUserGuide) {
  // scikit-learn 1.2 user guide, section 3.3.4: y = 3 -0.5 2 7, predicted 2.5 0.0 2 8.
  const MetricRows rows = Values({3, -0.5, 2, 7}, {2.5, 0, 2, 8});
  EXPECT_EQ(RegressionValue("mse", rows), 0.375);
  EXPECT_EQ(RegressionValue("rmse", rows), std::sqrt(0.375));
  EXPECT_EQ(RegressionValue("mae", rows), 0.5);
  EXPECT_EQ(RegressionValue("median_absolute_error", rows), 0.5);
  EXPECT_NEAR(RegressionValue("r2", rows), 0.9486081370449679, 1e-15);
  EXPECT_NEAR(RegressionValue("explained_variance", rows), 0.9571734475374732, 1e-15);
  EXPECT_NEAR(RegressionValue("mape", rows), 0.3273809523809524, 1e-15);
  EXPECT_EQ(RegressionValue("max_error", rows), 1);
}

TEST(RegressionMetricsTest, PinballLossOfTheExampleInTheUserGuide) {
  // scikit-learn 1.2 user guide, section 3.3.4.7.
  const MetricRows below = Values({1, 2, 3}, {0, 2, 3});
  const MetricRows above = Values({1, 2, 3}, {1, 2, 4});
  EXPECT_NEAR(RegressionValue("pinball", below, {{"quantile", 0.1}}), 0.1 / 3, 1e-15);
  EXPECT_NEAR(RegressionValue("pinball", above, {{"quantile", 0.1}}), 0.9 / 3, 1e-15);
  EXPECT_NEAR(RegressionValue("pinball", above, {{"quantile", 0.9}}), 0.1 / 3, 1e-15);
  EXPECT_EQ(RegressionValue("pinball", below), RegressionValue("mae", below) / 2);
}

TEST(RegressionMetricsTest, RelativeErrorsCompareWithTheTrainingMean) {
  // By hand: errors 1 and 2; the training mean 4 is off by 3 and 1.
  MetricRows rows = Values({1, 5}, {2, 3});
  rows.training_mean = 4;
  EXPECT_EQ(RegressionValue("rae", rows), 3.0 / 4);
  EXPECT_EQ(RegressionValue("rrse", rows), std::sqrt(5.0 / 10));
}

TEST(RegressionMetricsTest, PredictingTheMeanExplainsNothing) {
  const MetricRows rows = Values({1, 2, 6}, {3, 3, 3});
  EXPECT_EQ(RegressionValue("r2", rows), 0);
  EXPECT_EQ(RegressionValue("explained_variance", rows), 0);
}

TEST(RegressionMetricsTest, ExplainedVarianceForgivesAConstantError) {
  const MetricRows rows = Values({1, 2, 6}, {3, 4, 8});
  EXPECT_EQ(RegressionValue("explained_variance", rows), 1);
  EXPECT_NEAR(RegressionValue("r2", rows), 1 - 12.0 / 14, 1e-15);
}

TEST(RegressionMetricsTest, TheWeightedMedianIsWhereHalfOfTheWeightIsReached) {
  const std::vector<double> zeros(4, 0);
  EXPECT_EQ(RegressionValue("median_absolute_error", Values({1, 2, 3, 4}, zeros, {1, 1, 1, 5})), 4);
  // Half of the weight ends exactly after 2.
  EXPECT_EQ(RegressionValue("median_absolute_error", Values({1, 2, 3, 4}, zeros, {1, 2, 1, 2})),
            2.5);
  // The unit of the weights does not matter.
  EXPECT_EQ(
      RegressionValue("median_absolute_error", Values({1, 2, 3, 4}, zeros, {.125, .25, .125, .25})),
      2.5);
}

TEST(RegressionMetricsTest, WithALargeOffsetR2KeepsItsDigits) {
  // Truth 1e9 + 0, 1, 2, 3 and errors of 0.5: r2 = 1 - 1 / 5, the errors have no variance.
  const MetricRows rows =
      Values({1e9, 1e9 + 1, 1e9 + 2, 1e9 + 3}, {1e9 - .5, 1e9 + .5, 1e9 + 1.5, 1e9 + 2.5});
  EXPECT_EQ(RegressionValue("r2", rows), 0.8);
  EXPECT_EQ(RegressionValue("explained_variance", rows), 1);
}

TEST(RegressionMetricsTest, WithALargeOffsetR2EqualsATwoPassReferenceInLongDouble) {
  plugin::Random random(8);
  for (const double offset : {0.0, 1e9, -1e12}) {
    MetricRows rows = RandomValues(5000, offset, true, random);
    rows.truth_values[0] = 0;  // far from the others
    rows.values[0] = 1;
    long double weight = 0, mean = 0, squares = 0, errors = 0;
    for (std::size_t i = 0; i < 5000; ++i) weight += rows.weights[i];
    for (std::size_t i = 0; i < 5000; ++i) {
      mean += rows.weights[i] * static_cast<long double>(rows.truth_values[i]) / weight;
    }
    for (std::size_t i = 0; i < 5000; ++i) {
      const long double w = rows.weights[i], y = rows.truth_values[i];
      squares += w * (y - mean) * (y - mean);
      errors += w * (y - rows.values[i]) * (y - rows.values[i]);
    }
    const auto expected = static_cast<double>(1 - errors / squares);
    EXPECT_NEAR(RegressionValue("r2", rows), expected, 1e-12 * std::abs(expected)) << offset;
  }
}

// ---- undefined ----------------------------------------------------------------------------------

TEST(RegressionMetricsTest, R2OfConstantTruthIsUndefined) {
  for (const char* metric : {"r2", "explained_variance"}) {
    EXPECT_EQ(WhyNoRegressionValue(metric, Values({2, 2, 2}, {1, 2, 3})),
              "the true values are all the same");
    EXPECT_EQ(WhyNoRegressionValue(metric, Values({2}, {2})), "there is only one row");
    EXPECT_EQ(WhyNoRegressionValue(metric, Values({2, 3}, {2, 2}, {1, 0})),
              "there is only one row");
  }
}

TEST(RegressionMetricsTest, MapeOfATruthOfZeroIsUndefined) {
  EXPECT_EQ(WhyNoRegressionValue("mape", Values({1, 0}, {1, 1})),
            "a true value is 0, so the error is not a share of it");
  // A row of no weight is none.
  EXPECT_EQ(RegressionValue("mape", Values({1, 0}, {2, 1}, {1, 0})), 1);
}

TEST(RegressionMetricsTest, RelativeErrorsWithoutASpreadAreUndefined) {
  MetricRows rows = Values({3, 3}, {1, 2});
  for (const char* metric : {"rae", "rrse"}) {
    EXPECT_EQ(WhyNoRegressionValue(metric, rows), "the mean of the training rows is not known");
  }
  rows.training_mean = 3;
  for (const char* metric : {"rae", "rrse"}) {
    EXPECT_EQ(WhyNoRegressionValue(metric, rows),
              "every true value is the mean of the training rows");
  }
}

TEST(RegressionMetricsTest, WithoutRowsOrWeightAllAreUndefined) {
  MetricRows none, weightless = Values({1, 2}, {1, 2}, {0, 0});
  none.training_mean = weightless.training_mean = 1;
  std::vector<const char*> all(kStreaming.begin(), kStreaming.end());
  all.insert(all.end(), kWhole.begin(), kWhole.end());
  for (const char* metric : all) {
    EXPECT_EQ(WhyNoRegressionValue(metric, none), "there are no rows") << metric;
    EXPECT_EQ(WhyNoRegressionValue(metric, weightless), "the weights of all rows are zero")
        << metric;
  }
}

TEST(RegressionMetricsTest, SquaresThatOverflowAreAnErrorAndNoValue) {
  const MetricRows rows = Values({1e200, 2}, {-1e200, 2});
  const Verdict verdict = Scored("mse", rows);
  EXPECT_EQ(verdict.status, CF_E_NUMERIC);
  EXPECT_EQ(verdict.message, "the errors are too large to be summed");
  EXPECT_EQ(RegressionValue("mae", rows), 1e200);
}

TEST(RegressionMetricsTest, SquaresThatVanishAreAnErrorAndNotZero) {
  MetricRows rows = Values({1e-200, 2e-200, 3e-200}, {1e-200, 1e-200, 4e-200});
  rows.training_mean = 5e-200;
  for (const char* metric : {"mse", "rmse", "rrse"}) {
    const Verdict verdict = Scored(metric, rows);
    EXPECT_EQ(verdict.status, CF_E_NUMERIC) << metric;
    EXPECT_EQ(verdict.message, "the errors are too small to be squared") << metric;
  }
  EXPECT_EQ(RegressionValue("rmse", Values({1, 2}, {1, 2})), 0);
  EXPECT_EQ(RegressionValue("mse", Values({0, 1e-200}, {2, 0})), 2);  // lost beside what counts
}

// The shares are those of the same numbers in other units: 1, 2, 3 and 1, 1, 4 have r2 = 0.
TEST(RegressionMetricsTest, ExplainedSharesDoNotDependOnTheUnit) {
  for (const double unit : {0x1p-1070, 0x1p-700, 1.0, 0x1p600, 0x1p1020}) {
    const MetricRows rows = Values({unit, 2 * unit, 3 * unit}, {unit, unit, 4 * unit});
    EXPECT_EQ(RegressionValue("r2", rows), 0) << unit;
    EXPECT_EQ(RegressionValue("explained_variance", rows), 0) << unit;
  }
}

// Steps of 2^-33 = one unit in the last place of 1e6, so no mean of an even number of them is a
// number near 1e6. By hand: the truth is 0, 1, 1, 0 steps, around its mean a half: squares 4 / 4;
// errors 1, 0, 0, 1.
TEST(RegressionMetricsTest, ExplainedSharesKeepTheirDigitsAtALargeOffset) {
  const double low = 1e6, high = 1e6 + 0x1p-33;
  const MetricRows rows = Values({low, high, high, low}, {high, high, high, high});
  EXPECT_EQ(RegressionValue("r2", rows), 1 - 2.0);
  EXPECT_EQ(RegressionValue("explained_variance", rows), 1 - 1.0);
}

TEST(RegressionMetricsTest, WeightsBeyondTheRangeOfSumsAreAnErrorAndNoValue) {
  for (const double weight : {1e308, 5e-324}) {
    const MetricRows rows = Values({1, 2, 3}, {1, 3, 3}, {weight, weight, weight});
    for (const char* metric : {"mae", "mape", "pinball", "rmse", "r2", "median_absolute_error"}) {
      const Verdict verdict = Scored(metric, rows);
      EXPECT_EQ(verdict.status, CF_E_NUMERIC) << metric;
      EXPECT_EQ(verdict.message,
                weight > 1
                    ? "the weights are too large to be summed; divide them all by one number"
                    : "the weights are too small to be summed; multiply them all by one number")
          << metric;
    }
  }
}

TEST(RegressionMetricsTest, APredictionThatIsNoNumberIsAnErrorEverywhere) {
  MetricRows rows = Values({1, 2, 3}, {1, std::nan(""), 3});
  rows.training_mean = 1;
  std::vector<const char*> all(kStreaming.begin(), kStreaming.end());
  all.insert(all.end(), kWhole.begin(), kWhole.end());
  for (const char* metric : all) EXPECT_EQ(Scored(metric, rows).status, CF_E_NUMERIC) << metric;
}

// ---- other programs, laws -----------------------------------------------------------------------

TEST(RegressionMetricsTest, EqualThoseOfScikitLearnOnRandomCases) {
  const std::vector<ReferenceCase> cases = ReadReferenceCases("reference_regression_metrics.csv");
  ASSERT_GE(cases.size(), 6u);
  for (const ReferenceCase& reference : cases) ExpectReferenceMetrics(reference);
}

TEST(RegressionMetricsTest, BlocksOfRowsGiveTheBytesOfAllRows) {
  plugin::Random random(9);
  for (const bool weights : {false, true}) {
    for (const std::size_t n : {0, 3, 60}) {
      MetricRows rows = RandomValues(n, 10, weights, random);
      for (const char* metric : kStreaming) {
        laws::ExpectAccumulates(*BundledSpec(Kind::kMetric, metric, {}), rows);
      }
      if (n == 0) continue;
      rows.truth_values[n / 2] = 0;
      laws::ExpectAccumulates(*BundledSpec(Kind::kMetric, "mape", {}), rows);
    }
  }
}

TEST(RegressionMetricsTest, WholeWeightsCountAsRepetitions) {
  plugin::Random random(10);
  MetricRows weighted = RandomValues(40, 5, false, random);
  MetricRows repeated;
  repeated.training_mean = weighted.training_mean;
  for (std::size_t i = 0; i < 40; ++i) {
    weighted.weights.push_back(static_cast<double>(random.Below(4)));
    const auto n = static_cast<std::size_t>(weighted.weights.back());
    repeated.truth_values.insert(repeated.truth_values.end(), n, weighted.truth_values[i]);
    repeated.values.insert(repeated.values.end(), n, weighted.values[i]);
  }
  std::vector<const char*> all(kStreaming.begin(), kStreaming.end());
  all.insert(all.end(), kWhole.begin(), kWhole.end());
  for (const char* metric : all) {
    const double expected = RegressionValue(metric, repeated);
    EXPECT_NEAR(RegressionValue(metric, weighted), expected, 1e-14 * std::abs(expected)) << metric;
  }
}

}  // namespace
}  // namespace crossfold
