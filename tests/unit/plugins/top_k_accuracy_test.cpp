#include <gtest/gtest.h>

#include <cmath>

#include "unit/plugins/ranking_fixture.h"

namespace crossfold {
namespace {

const ParamValues kOne = {{"k", std::int64_t{1}}};

TEST(TopKAccuracyTest, OfTheExampleOfScikitLearn) {
  // The example of top_k_accuracy_score: y = 0 1 2 2 gives 0.75.
  const Score score = ScoreProbabilities("top_k_accuracy", *TruthData({0, 1, 2, 2}, 3),
                                         {.5, .2, .2, .3, .4, .2, .2, .4, .3, .7, .2, .1});
  EXPECT_EQ(ValueOf(score), 0.75);
}

TEST(TopKAccuracyTest, TheLastOfTiedClassesAreInside) {
  const std::vector<double> p = {.5, .5, 0, .5, .5, 0};
  EXPECT_EQ(ValueOf(ScoreProbabilities("top_k_accuracy", *TruthData({0, 0}, 3), p, kOne)), 0);
  EXPECT_EQ(ValueOf(ScoreProbabilities("top_k_accuracy", *TruthData({1, 1}, 3), p, kOne)), 1);
}

TEST(TopKAccuracyTest, TiedClassesCanShareThePlaces) {
  const std::vector<double> p = {.25, .25, .5, .5, .25, .25};
  const ParamValues share = {{"k", std::int64_t{2}}, {"ties", "share"}};
  // One place of two for the first row, and its class is surely inside for the second.
  EXPECT_EQ(ValueOf(ScoreProbabilities("top_k_accuracy", *TruthData({0, 0}, 3), p, share)), 0.75);
  EXPECT_EQ(ValueOf(ScoreProbabilities("top_k_accuracy", *TruthData({1, 1}, 3), p, share)), 0.5);
}

TEST(TopKAccuracyTest, CountsWeights) {
  const auto data = TruthData({0, 1}, 2, {1, 3});
  EXPECT_EQ(ValueOf(ScoreProbabilities("top_k_accuracy", *data, {.9, .1, .9, .1}, kOne)), 0.25);
}

TEST(TopKAccuracyTest, AsManyAsThereAreClassesAreRefused) {
  EXPECT_EQ(Refusal("top_k_accuracy", 2),
            "cannot use metric 'top_k_accuracy' on dataset 'truth': k = 2, but there are 2 "
            "classes: every row would be right; choose k < 2");
  EXPECT_EQ(Refusal("top_k_accuracy", 3), "");
}

TEST(SphericalScoreTest, IsTheProbabilityByTheLength) {
  const auto data = TruthData({0, 1}, 2);
  EXPECT_DOUBLE_EQ(ValueOf(ScoreProbabilities("spherical_score", *data, {.6, .4, .6, .4})),
                   (.6 + .4) / 2 / std::sqrt(.52));
  EXPECT_EQ(ValueOf(ScoreProbabilities("spherical_score", *data, {1, 0, 0, 1})), 1);
}

TEST(SphericalScoreTest, WhereNothingCountsIsUndefined) {
  EXPECT_EQ(ScoreNoRows("spherical_score").message, "there are no rows");
}

}  // namespace
}  // namespace crossfold
