// Ground truth, in this order: closed forms; an independent program in Python 3.11 (a double loop
// over the pairs of differences, weights of random.gammavariate, seed 7), whose figures have a
// standard deviation of at most 0.0016 (100,000 samples) and 0.0005 (1,000,000); and the figures
// that the documentation of baycomp 1.0 prints for its own data.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "crossfold/stats/bayes_hierarchical.h"
#include "crossfold/stats/bayes_signed_rank.h"
#include "crossfold_plugin/random.hpp"
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

// Ground truth: the figures that the documentation of baycomp 1.0 prints for its own data
// (docs/functions.rst), closed forms of limiting cases, and invariances.
struct MeanAndDeviation {
  double mean, deviation;  // the deviation divides by n
};

// Accuracies in percent of J48 less those of naive Bayes on 54 data sets of the UCI repository, the
// first 10 folds: docs/code/accuracies.txt of baycomp (github.com/janezd/baycomp).
const std::vector<MeanAndDeviation> kFirstFolds = {
    {2.006, 1.094},   {7.095, 9.050},   {-4.624, 4.958},  {-0.341, 2.359},  {10.000, 15.275},
    {0.145, 2.377},   {0.145, 2.377},   {-0.597, 3.191},  {13.182, 9.097},  {-3.600, 5.257},
    {0.952, 8.199},   {-9.000, 11.075}, {0.355, 3.396},   {0.000, 0.000},   {-3.042, 10.827},
    {-6.092, 7.898},  {0.981, 0.813},   {2.000, 4.790},   {0.667, 4.666},   {11.546, 1.867},
    {2.000, 12.129},  {0.000, 0.000},   {-6.048, 11.337}, {2.484, 4.204},   {24.101, 2.807},
    {2.523, 1.655},   {4.173, 0.383},   {6.729, 0.866},   {-13.328, 2.250}, {3.106, 0.759},
    {-5.833, 22.684}, {1.265, 1.128},   {-0.661, 3.313},  {3.333, 5.092},   {-6.783, 5.887},
    {2.944, 1.267},   {2.784, 2.570},   {3.106, 5.548},   {4.669, 3.740},   {-5.809, 6.414},
    {0.305, 2.832},   {2.956, 0.908},   {-0.741, 7.414},  {-1.003, 1.515},  {8.333, 21.871},
    {15.000, 22.669}, {0.000, 0.000},   {16.364, 4.985},  {-5.480, 1.774},  {-10.000, 19.628},
    {-10.098, 5.434}, {-3.433, 2.941},  {0.203, 2.990},   {-1.000, 5.385}};

// Ten differences with this mean and deviation; the likelihood depends on nothing else.
FoldDifferences TenFolds(const MeanAndDeviation& of) {
  FoldDifferences data;
  for (int i = 0; i < 10; ++i) {
    data.values.push_back(of.mean + (i % 2 == 0 ? of.deviation : -of.deviation));
  }
  return data;
}

std::vector<FoldDifferences> FirstFolds() {
  std::vector<FoldDifferences> datasets;
  for (const MeanAndDeviation& one : kFirstFolds) datasets.push_back(TenFolds(one));
  return datasets;
}

// `count` data sets whose means are around `center` with this scale.
std::vector<FoldDifferences> Drawn(std::uint64_t seed, int count, double center, double scale) {
  plugin::Random random(seed);
  std::vector<FoldDifferences> datasets;
  for (int i = 0; i < count; ++i) {
    datasets.push_back(TenFolds({center + scale * random.Normal(), 0.1}));
  }
  return datasets;
}

// The standard deviation of a share is about 0.003 on either side, because samples depend on each
// other; baycomp draws noise for data sets without variance.
TEST(BayesHierarchicalTest, AgreesWithTheFiguresOfBaycomp) {
  const auto test =
      BayesHierarchical(FirstFolds(), {.rope = 1, .prior = HierarchicalPrior::Baycomp()});
  ASSERT_TRUE(test.defined) << test.undefined;
  EXPECT_EQ(test.n, 54);
  EXPECT_NEAR(test.left, 0.0795, 0.012);
  EXPECT_NEAR(test.rope, 0.0365, 0.012);
  EXPECT_NEAR(test.right, 0.884, 0.015);
  EXPECT_NEAR(test.left + test.rope + test.right, 1, 1e-12);
  EXPECT_LT(test.rhat, 1.02);
}

// With many data sets and little noise within them, the center and the scale are those of the
// means.
TEST(BayesHierarchicalTest, FindsTheMeanAndTheScaleBetweenDataSets) {
  const auto test = BayesHierarchical(Drawn(3, 200, 2, 0.5), {.rope = 0.1, .samples = 4000});
  ASSERT_TRUE(test.defined) << test.undefined;
  EXPECT_NEAR(test.mean, 2, 0.15);
  EXPECT_NEAR(test.sd, 0.5, 0.1);
  EXPECT_GT(test.right, 0.999);
}

// Shrinkage: one outlying data set with a large spread moves the mean less than one that is
// certain.
TEST(BayesHierarchicalTest, AnUncertainDataSetCountsLess) {
  auto certain = Drawn(5, 10, 0, 0.05), uncertain = certain;
  certain.push_back(TenFolds({1, 0.1}));
  uncertain.push_back(TenFolds({1, 3}));
  EXPECT_LT(BayesHierarchical(uncertain, {.rope = 0.1, .samples = 4000}).mean,
            BayesHierarchical(certain, {.rope = 0.1, .samples = 4000}).mean);
}

TEST(BayesHierarchicalTest, ScaleAndSignOfTheDifferencesOnlyTurnTheResult) {
  const auto datasets = Drawn(7, 8, 0.2, 0.3);
  auto turned = datasets;
  for (auto& data : turned) {
    for (double& value : data.values) value *= -4;
  }
  const auto one = BayesHierarchical(datasets, {.rope = 0.25});
  const auto other = BayesHierarchical(turned, {.rope = 1});
  EXPECT_NEAR(one.left, other.right, 0.02);
  EXPECT_NEAR(one.right, other.left, 0.02);
  EXPECT_NEAR(one.mean * -4, other.mean, 0.1);
}

TEST(BayesHierarchicalTest, TheSeedDecidesTheSamples) {
  const auto with_seed = [](std::uint64_t seed) {
    return BayesHierarchical(Drawn(9, 5, 0.1, 0.3), {.rope = 0.1, .samples = 4000, .seed = seed})
        .mean;
  };
  EXPECT_EQ(with_seed(1), with_seed(1));
  EXPECT_NE(with_seed(1), with_seed(2));
}

TEST(BayesHierarchicalTest, PointsAreEvenlySpacedSamples) {
  const auto test =
      BayesHierarchical(Drawn(9, 5, 0.1, 0.3), {.rope = 0.1, .samples = 4000, .points = 300});
  ASSERT_EQ(test.points.size(), 300U);
  double above = 0;
  for (const auto& point : test.points) {
    EXPECT_NEAR(point[0] + point[1] + point[2], 1, 1e-12);
    above += point[2] > point[0] && point[2] > point[1] ? 1.0 / 300 : 0;
  }
  EXPECT_NEAR(above, test.right, 0.1);
}

TEST(BayesHierarchicalTest, WithoutARopeNothingIsAlike) {
  const auto test = BayesHierarchical(Drawn(9, 5, 0.1, 0.3), {.samples = 4000});
  EXPECT_EQ(test.rope, 0);
  EXPECT_NEAR(test.left + test.right, 1, 1e-12);
}

// The means of data sets in other units are very far apart for the spread within them.
TEST(BayesHierarchicalTest, DataSetsOfOtherUnitsEnd) {
  const std::vector<FoldDifferences> datasets = {{{0.01, 0.02, 0.01}, 0.2},
                                                 {{0.01, 0, 0.03}, 0.2},
                                                 {{2e5, 2e5 + 1, 2e5 - 1}, 0.2},
                                                 {{30, 31, 30}, 0.2}};
  const auto test = BayesHierarchical(datasets, {.rope = 0.01});
  EXPECT_TRUE(test.defined || !test.undefined.empty());
  const std::vector<FoldDifferences> tight = {
      {{0.9, 0.900001, 0.9}, 0.2}, {{-0.9, -0.900001, -0.9}, 0.2}, {{0.5, 0.5000001, 0.5}, 0.2}};
  const auto other = BayesHierarchical(tight, {.rope = 0.01});
  EXPECT_TRUE(other.defined || !other.undefined.empty());
}

TEST(BayesHierarchicalTest, TwoDataSetsAreTooFew) {
  const auto test = BayesHierarchical(Drawn(9, 2, 0.1, 0.3), {.rope = 0.1});
  EXPECT_FALSE(test.defined);
  EXPECT_EQ(test.undefined, "there are 2 data sets; the scale between data sets needs at least 3");
  EXPECT_TRUE(std::isnan(test.left));
}

TEST(BayesHierarchicalTest, EqualDifferencesNeedARope) {
  auto datasets = Drawn(9, 5, 0.1, 0.3);
  datasets[1] = TenFolds({0.5, 0});
  EXPECT_EQ(BayesHierarchical(datasets, {}).undefined,
            "all differences of data set 2 are equal; a rope above 0 allows that");
  EXPECT_TRUE(BayesHierarchical(datasets, {.rope = 0.1, .samples = 4000}).defined);
  for (auto& data : datasets) data = TenFolds({0.5, 0});
  EXPECT_EQ(BayesHierarchical(datasets, {.rope = 0.1}).undefined,
            "no data set has differences that differ");
}

TEST(BayesHierarchicalTest, WhatIsOutOfRangeIsRefused) {
  const std::string cannot = "cannot make the Bayesian hierarchical test: ";
  const auto refusal = [](const std::vector<FoldDifferences>& datasets,
                          const BayesHierarchicalOptions& options) {
    return RefusalOf([&] { BayesHierarchical(datasets, options); });
  };
  auto datasets = Drawn(9, 5, 0.1, 0.3);
  EXPECT_EQ(refusal(datasets, {.rope = -1}),
            InvalidArgument(cannot + "the region of practical equivalence [-rope, rope] has rope "
                                     "-1; use a number of at least 0, such as 0.01"));
  EXPECT_EQ(refusal(datasets, {.samples = 10}),
            InvalidArgument(cannot +
                            "there are 10 samples; use a number of at least 400, such as 20000"));
  EXPECT_EQ(
      refusal(datasets, {.prior = {2, 1, 0.1, 0.2}}),
      InvalidArgument(cannot + "the prior of alpha is from 2 to 1; use positive bounds in order"));
  datasets[2].rho = 1;
  EXPECT_EQ(refusal(datasets, {}),
            InvalidArgument(cannot + "data set 3 has rho 1; use the share of test rows, such as "
                                     "0.1 for 10 folds"));
  datasets[2].values.resize(1);
  EXPECT_EQ(refusal(datasets, {}),
            InvalidArgument(cannot + "data set 3 has fewer than 2 differences; give one of each "
                                     "fold, or compare means by the signed-rank test"));
}

}  // namespace
}  // namespace crossfold::stats
