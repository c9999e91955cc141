#include <gtest/gtest.h>

#include <cmath>

#include "crossfold/error.h"
#include "unit/plugins/metric_fixture.h"
#include "unit/plugins/special_numbers.h"

namespace crossfold {
namespace {

Score LogLoss(const Dataset& data, const std::vector<double>& probabilities,
              const ParamValues& values = {}) {
  return ScoreProbabilities("log_loss", data, probabilities, values);
}

TEST(LogLossTest, IsTheMeanNegativeLogarithm) {
  // The example of scikit-learn's documentation of log_loss: ham = A, spam = B; 0.21616...
  const auto data = TruthData({1, 0, 0, 1}, 2);
  const Score score = LogLoss(*data, {.1, .9, .9, .1, .8, .2, .35, .65});
  ASSERT_TRUE(score.defined) << score.undefined;
  EXPECT_NEAR(score.value, 0.21616, 0.00001);
}

TEST(LogLossTest, OfTheExampleInTheUserGuide) {
  // The example in section "Log loss" of scikit-learn's user guide: 0.1738...
  const auto data = TruthData({0, 0, 1, 1}, 2);
  EXPECT_NEAR(LogLoss(*data, {.9, .1, .8, .2, .3, .7, .01, .99}).value, 0.1738, 0.0001);
}

TEST(LogLossTest, OfThreeClasses) {
  // The mean of -ln over 0.7 0.5 0.4 0.2 0.6 0.4 0.7 0.6 0.6 0.3, the true classes' probabilities.
  const auto data = TruthData({0, 0, 0, 0, 1, 1, 1, 2, 2, 2}, 3);
  const Score score =
      LogLoss(*data, {0.7, 0.2, 0.1, 0.5, 0.3, 0.2, 0.4, 0.4, 0.2, 0.2, 0.5, 0.3, 0.3, 0.6, 0.1,
                      0.4, 0.4, 0.2, 0.1, 0.7, 0.2, 0.2, 0.2, 0.6, 0.3, 0.1, 0.6, 0.3, 0.4, 0.3});
  EXPECT_NEAR(score.value, 0.758496612024, 1e-12);
}

TEST(LogLossTest, CountsWeights) {
  // (1 ln 2 + 3 ln 4) / 4 = 7/4 ln 2
  const auto data = TruthData({0, 1}, 2, {1, 3});
  EXPECT_DOUBLE_EQ(LogLoss(*data, {.5, .5, .75, .25}).value, 1.75 * std::log(2.0));
}

TEST(LogLossTest, ACertainMistakeIsClipped) {
  // -ln(1e-15) = 34.538776394911
  EXPECT_NEAR(LogLoss(*TruthData({0}, 2), {0, 1}).value, 34.538776394911, 1e-12);
}

TEST(LogLossTest, TheClipCanBeChosen) {
  EXPECT_DOUBLE_EQ(LogLoss(*TruthData({0}, 2), {0, 1}, {{"clip", 0.25}}).value, std::log(4.0));
}

TEST(LogLossTest, CertaintyIsClippedToo) {
  EXPECT_DOUBLE_EQ(LogLoss(*TruthData({0}, 2), {1, 0}, {{"clip", 0.25}}).value, -std::log(0.75));
}

TEST(LogLossTest, WithoutClipACertainMistakeIsInfinite) {
  const Score score = LogLoss(*TruthData({0, 1}, 2), {0, 1, .5, .5}, {{"clip", 0.0}});
  ASSERT_TRUE(score.defined) << score.undefined;
  EXPECT_EQ(score.value, kInfinity);
}

TEST(LogLossTest, WithoutClipCertaintyThatIsRightCostsNothing) {
  EXPECT_EQ(LogLoss(*TruthData({0, 1}, 2), {1, 0, 0, 1}, {{"clip", 0.0}}).value, 0);
}

TEST(LogLossTest, AMistakeWithoutWeightIsNoMistake) {
  const auto data = TruthData({0, 1}, 2, {0, 1});
  EXPECT_DOUBLE_EQ(LogLoss(*data, {0, 1, .5, .5}, {{"clip", 0.0}}).value, std::log(2.0));
}

TEST(LogLossTest, WithoutRowsIsUndefined) {
  const CallResult result = ScoreNoRows("log_loss");
  EXPECT_EQ(result.status, CF_E_UNDEFINED);
  EXPECT_EQ(result.message, "there are no rows");
}

TEST(LogLossTest, WithoutWeightIsUndefined) {
  const Score score = LogLoss(*TruthData({0, 1}, 2, {0, 0}), {.5, .5, .5, .5});
  EXPECT_FALSE(score.defined);
  EXPECT_EQ(score.undefined, "the weights of all rows are zero");
}

TEST(LogLossTest, AProbabilityThatIsNoneFailsInsteadOfBeingClipped) {
  const auto data = TruthData({0, 1}, 2);
  for (const double bad : {-0.5, 1.5, std::nan("")}) {
    try {
      LogLoss(*data, {.5, .5, .5, bad});
      FAIL() << bad << " was accepted";
    } catch (const Error& e) {
      EXPECT_EQ(e.kind(), ErrorKind::kFailed);
      EXPECT_STREQ(e.what(),
                   "cannot score 'log_loss' on dataset 'truth': a predicted probability of class "
                   "'B' is not between 0 "
                   "and 1");
    }
  }
}

TEST(LogLossTest, LowerIsBetterFromInfinityToZero) {
  const cf_metric& metric = *BundledPlugins().Find(Kind::kMetric, "log_loss")->metric;
  EXPECT_EQ(metric.direction, -1);
  EXPECT_EQ(metric.worst, kInfinity);
  EXPECT_EQ(metric.best, 0);
}

}  // namespace
}  // namespace crossfold
