// Ground truth, in this order: closed forms; an independent program in Python 3.11 (a double loop
// over the pairs of differences, weights of random.gammavariate, seed 7), whose figures have a
// standard deviation of at most 0.0016 (100,000 samples) and 0.0005 (1,000,000); and the figures
// that the documentation of baycomp 1.0 prints for its own data.
#include "crossfold/stats/bayes_signed_rank.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "unit/engine/data/refusal.h"

namespace crossfold::stats {
namespace {

// Accuracies in percent of J48 less those of naive Bayes on 54 data sets of the UCI repository,
// means of 10 times 10 folds: docs/code/accuracies.txt of baycomp (github.com/janezd/baycomp),
// rounded to 3 digits.
const std::vector<double> kUci = {
    2.696,   5.826,  -6.142, -0.488, 7.333,  0.072,  0.072,   -1.66, 11.395, -2.87, 0.377,
    -10.463, -0.521, 0,      -5.117, -3.844, 0.875,  0.713,   0.267, 11.646, -1.8,  0,
    -8.729,  1.428,  23.166, 2.528,  4.239,  6.882,  -13.577, 3.23,  -7.25,  0.896, -0.937,
    1.667,   -6.19,  2.996,  3.361,  3.357,  4.027,  -2.036,  0.439, 3.025,  1.84,  -1.251,
    4.467,   15.6,   0.462,  17.747, -5.096, -3.976, -7.977,  -2.16, -0.539, -1.373};
const std::vector<double> kSmall = {5, 3, 2, 0, -4, -70, -70, -70};

void ExpectShares(const BayesSignedRankTest& test, double left, double rope, double right,
                  double tolerance) {
  EXPECT_TRUE(test.defined);
  EXPECT_EQ(test.undefined, "");
  EXPECT_NEAR(test.left, left, tolerance);
  EXPECT_NEAR(test.rope, rope, tolerance);
  EXPECT_NEAR(test.right, right, tolerance);
  EXPECT_NEAR(test.left + test.rope + test.right, 1, 1e-12);
}

// Of one difference d the weight of the prior, w, is beta(s, 1). With d > 2 rope the region above
// weighs 1 - w^2, with rope < d < 2 rope it weighs (1 - w)^2, and it wins from 1/2 on.
TEST(BayesSignedRankTest, OneDifferenceAgreesWithTheClosedForm) {
  const double prior_wins = 1 - std::pow(std::sqrt(0.5), 0.6);
  ExpectShares(BayesSignedRank(std::vector<double>{5}, {.rope = 1, .samples = 400000}), 0,
               prior_wins, 1 - prior_wins, 0.003);
  const double above_wins = std::pow(1 - std::sqrt(0.5), 3);
  ExpectShares(BayesSignedRank(std::vector<double>{-1.5},
                               {.rope = 1, .prior_strength = 3, .samples = 400000}),
               above_wins, 1 - above_wins, 0, 0.003);
}

TEST(BayesSignedRankTest, AgreesWithAnIndependentProgram) {
  ExpectShares(BayesSignedRank(kUci, {.rope = 1}), 0.23187, 0.00749, 0.76064, 0.008);
  ExpectShares(BayesSignedRank(kUci), 0.22377, 0, 0.77623, 0.008);
  const auto small = [](double rope, double prior_strength) {
    return BayesSignedRank(kSmall,
                           {.rope = rope, .prior_strength = prior_strength, .samples = 400000});
  };
  ExpectShares(small(3, 0.6), 0.741486, 0.247641, 0.010873, 0.004);
  ExpectShares(small(2, 5), 0.493395, 0.484901, 0.021704, 0.004);
  ExpectShares(small(0, 0.6), 0.859134, 0, 0.140866, 0.004);
  ExpectShares(small(0, 2), 0.827858, 0, 0.172142, 0.004);
}

TEST(BayesSignedRankTest, AgreesWithTheFiguresOfBaycomp) {
  ExpectShares(BayesSignedRank(kUci, {.rope = 1, .prior_strength = 0.5}), 0.23014, 0.00674, 0.76312,
               0.008);
}

TEST(BayesSignedRankTest, TheSeedDecidesTheSamples) {
  const auto with_seed = [](std::uint64_t seed) {
    return BayesSignedRank(kUci, {.rope = 1, .seed = seed}).right;
  };
  EXPECT_EQ(with_seed(1), with_seed(1));
  EXPECT_NE(with_seed(1), with_seed(2));
}

TEST(BayesSignedRankTest, PointsAreTheWeightsOfTheRegionsInSomeSamples) {
  const auto test = BayesSignedRank(kUci, {.rope = 1, .points = 1000});
  ASSERT_EQ(test.points.size(), 1000U);
  double above = 0;
  for (const auto& point : test.points) {
    EXPECT_NEAR(point[0] + point[1] + point[2], 1, 1e-12);
    above += point[2] > point[0] && point[2] > point[1] ? 0.001 : 0;
  }
  EXPECT_NEAR(above, test.right, 0.06);
}

TEST(BayesSignedRankTest, TheOrderOfTheDifferencesDoesNotMatter) {
  std::vector<double> turned = kUci;
  std::reverse(turned.begin(), turned.end());
  EXPECT_EQ(BayesSignedRank(turned, {.rope = 1}).right, BayesSignedRank(kUci, {.rope = 1}).right);
}

// 0.82 - 0.81 is less than 0.01 in binary, 0.86 - 0.85 is more.
TEST(BayesSignedRankTest, ADifferenceOnTheBoundaryCountsHalfOnEitherSide) {
  for (const double difference : {0.82 - 0.81, 0.86 - 0.85}) {
    // Half of the square of the weight of the only difference is never the most.
    ExpectShares(BayesSignedRank(std::vector<double>{difference}, {.rope = 0.01}), 0, 1, 0, 0);
  }
}

TEST(BayesSignedRankTest, EqualLearnersAreAlikeAndWithoutARopeNeitherIsBetter) {
  const std::vector<double> none = {0, 0, 0};
  ExpectShares(BayesSignedRank(none, {.rope = 0.01}), 0, 1, 0, 0);
  ExpectShares(BayesSignedRank(none), 0.5, 0, 0.5, 0);
}

TEST(BayesSignedRankTest, NoDifferencesHaveNoPosterior) {
  const BayesSignedRankTest test = BayesSignedRank({});
  EXPECT_FALSE(test.defined);
  EXPECT_EQ(test.undefined, "there are no differences");
  EXPECT_TRUE(std::isnan(test.left) && std::isnan(test.rope) && std::isnan(test.right));
}

TEST(BayesSignedRankTest, OptionsOutOfRangeAreRefused) {
  const auto refusal = [](const BayesSignedRankOptions& options) {
    return RefusalOf([&] { BayesSignedRank(kSmall, options); });
  };
  const std::string cannot = "cannot make the Bayesian signed-rank test: ";
  EXPECT_EQ(refusal({.rope = -1}),
            InvalidArgument(cannot + "the region of practical equivalence [-rope, rope] has rope "
                                     "-1; use a number of at least 0, such as 0.01"));
  EXPECT_EQ(refusal({.prior_strength = std::nan("")}),
            InvalidArgument(cannot +
                            "the prior strength is nan; use a number of at least 0, such as 0.6"));
  EXPECT_EQ(
      refusal({.samples = 0}),
      InvalidArgument(cannot + "there are 0 samples; use a number of at least 1, such as 50000"));
  EXPECT_EQ(RefusalOf([] { BayesSignedRank(std::vector<double>{std::nan("")}); }),
            InvalidArgument(cannot + "difference 1 is nan; give finite numbers only"));
}

}  // namespace
}  // namespace crossfold::stats
