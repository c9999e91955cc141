#include <gtest/gtest.h>

#include "unit/plugins/metric_fixture.h"

namespace crossfold {
namespace {

Score ErrorRate(const Dataset& data, const Labels& predicted) {
  return ScoreLabels("error_rate", data, predicted);
}

TEST(ErrorRateTest, IsTheShareOfWrongLabels) {
  // The example of scikit-learn's documentation of zero_one_loss.
  const Score score = ErrorRate(*TruthData({1, 1, 2, 3}, 4), {0, 1, 2, 3});
  ASSERT_TRUE(score.defined) << score.undefined;
  EXPECT_EQ(score.value, 0.25);
}

TEST(ErrorRateTest, IsOneRoundedDivision) {
  // 1 - 9999.0 / 10000 is 9.999999999998899e-05.
  Labels predicted(10000, 0);
  predicted[77] = 1;
  EXPECT_EQ(ErrorRate(*TruthData(Labels(10000, 0), 2), predicted).value, 0.0001);
}

TEST(ErrorRateTest, CountsWeights) {
  // Wrong in row 1: 2 / (1 + 2 + 3 + 4).
  const auto data = TruthData({0, 1, 0, 1}, 2, {1, 2, 3, 4});
  EXPECT_EQ(ErrorRate(*data, {0, 0, 0, 1}).value, 0.2);
}

TEST(ErrorRateTest, WithoutRowsIsUndefined) {
  const CallResult result = ScoreNoRows("error_rate");
  EXPECT_EQ(result.status, CF_E_UNDEFINED);
  EXPECT_EQ(result.message, "there are no rows");
}

TEST(ErrorRateTest, WithoutWeightIsUndefined) {
  const Score score = ErrorRate(*TruthData({0, 1, 0}, 2, {0, 0, 5}), {0, 1});
  EXPECT_FALSE(score.defined);
  EXPECT_EQ(score.undefined, "the weights of all rows are zero");
}

TEST(ErrorRateTest, LowerIsBetterBetweenOneAndZero) {
  const cf_metric& metric = *BundledPlugins().Find(Kind::kMetric, "error_rate")->metric;
  EXPECT_EQ(metric.direction, -1);
  EXPECT_EQ(metric.worst, 1);
  EXPECT_EQ(metric.best, 0);
}

}  // namespace
}  // namespace crossfold
