#include <gtest/gtest.h>

#include <algorithm>

#include "unit/plugins/metric_fixture.h"

namespace crossfold {
namespace {

Score Accuracy(const Dataset& data, const Labels& predicted) {
  return ScoreLabels("accuracy", data, predicted);
}

TEST(AccuracyTest, IsTheShareOfCorrectLabels) {
  // The example of scikit-learn's documentation of accuracy_score.
  const Score score = Accuracy(*TruthData({0, 1, 2, 3}, 4), {0, 2, 1, 3});
  ASSERT_TRUE(score.defined) << score.undefined;
  EXPECT_EQ(score.value, 0.5);
}

TEST(AccuracyTest, IsOneRoundedDivisionWhateverTheNumberOfRows) {
  for (std::size_t n = 1; n <= 300; ++n) {
    const auto data = TruthData(Labels(n, 1), 2);
    Labels predicted(n, 1);
    for (std::size_t n_wrong = 0; n_wrong <= n; n_wrong += 7) {
      const Score score = Accuracy(*data, predicted);
      ASSERT_EQ(score.value, static_cast<double>(n - n_wrong) / static_cast<double>(n));
      for (std::size_t i = n_wrong; i < std::min(n, n_wrong + 7); ++i) predicted[i] = 0;
    }
  }
}

TEST(AccuracyTest, OfARareMistakeIsExact) {
  // 9990 rows of one class and 10 of another, all predicted as the first.
  Labels truth(10000, 0);
  std::fill_n(truth.begin(), 10, 1);
  EXPECT_EQ(Accuracy(*TruthData(truth, 2), Labels(10000, 0)).value, 0.999);
}

TEST(AccuracyTest, CountsWeights) {
  // Right in rows 0 and 3: (1 + 4) / (1 + 2 + 3 + 4).
  const auto data = TruthData({0, 1, 0, 1}, 2, {1, 2, 3, 4});
  EXPECT_EQ(Accuracy(*data, {0, 0, 1, 1}).value, 0.5);
}

TEST(AccuracyTest, SmallWeightsAreNotLostBesideALargeOne) {
  // 1 + 1000 * 2^-53 is 1 in a plain sum, because each addition is rounded away.
  std::vector<double> weights(1001, 0x1.0p-53);
  weights[0] = 1;
  Labels predicted(1001, 0);
  predicted[0] = 1;
  const Score score = Accuracy(*TruthData(Labels(1001, 0), 2, weights), predicted);
  EXPECT_EQ(score.value, 1000 * 0x1.0p-53 / (1 + 1000 * 0x1.0p-53));
}

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

}  // namespace
}  // namespace crossfold
