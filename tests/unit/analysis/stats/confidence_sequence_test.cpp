// Ground truth: the documentation and tests of confseq (github.com/gostevehoward/confseq), closed
// forms, and simulations whose seeds are fixed.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "crossfold/error.h"
#include "crossfold/stats/betting_interval.h"
#include "crossfold/stats/confidence_sequence.h"
#include "crossfold_plugin/random.hpp"
#include "unit/engine/data/refusal.h"

namespace crossfold::stats {
namespace {

// confseq: normal_mixture_bound(100, alpha = .05, v_opt = 100, is_one_sided = False) = 30.35209.
TEST(ConfidenceSequenceTest, TheNormalMixtureAgreesWithConfseq) {
  EXPECT_NEAR(NormalMixtureBoundary(100, 0.05, 100), 30.35209, 1e-5);
}

// confseq: bernoulli_confidence_interval(700, 1000, alpha = .05, t_opt = 100) = 0.651629, 0.745949.
TEST(ConfidenceSequenceTest, TheProportionAgreesWithConfseq) {
  const MeanInterval interval = ProportionSequence(700, 1000, 100);
  EXPECT_NEAR(interval.low, 0.651629, 2e-6);
  EXPECT_NEAR(interval.high, 0.745949, 2e-6);
}

TEST(ConfidenceSequenceTest, ProportionsAtTheEdgesKeepThem) {
  EXPECT_EQ(ProportionSequence(0, 0, 100).low, 0);
  EXPECT_EQ(ProportionSequence(0, 0, 100).high, 1);
  EXPECT_EQ(ProportionSequence(0, 50, 100).low, 0);
  EXPECT_LT(ProportionSequence(0, 50, 100).high, 0.2);
  EXPECT_EQ(ProportionSequence(50, 50, 100).high, 1);
}

double Sign(plugin::Random& random, double positive) {
  return random.Uniform() < positive ? 1 : -1;
}

// The share of sequences of 200 rows in which the test ever rejects at 0.05, looked at after each
// row.
double RejectionsOf(double positive, std::uint64_t seed) {
  constexpr int kSequences = 600;
  plugin::Random random(seed);
  int rejected = 0;
  for (int s = 0; s < kSequences; ++s) {
    std::vector<double> differences(200);
    for (double& difference : differences) {
      difference = random.Uniform() < 0.5 ? 0 : Sign(random, positive);
    }
    rejected += TestSequentially(differences, 1).decided > 0 ? 1 : 0;
  }
  return rejected / static_cast<double>(kSequences);
}

TEST(ConfidenceSequenceTest, LookingAfterEachRowKeepsTheLevel) {
  EXPECT_LE(RejectionsOf(0.5, 1), 0.05);
  EXPECT_GT(RejectionsOf(0.75, 2), 0.95);
}

// One gambler's capital after n wins in a row is the mean of (1 + b)^n and (1 - b)^n over the bets.
TEST(ConfidenceSequenceTest, TheEvidenceHasItsClosedForm) {
  double capital = 0;
  for (int g = 1; g <= 10; ++g) {
    capital += (std::pow(1 + g / 20.0, 8) + std::pow(1 - g / 20.0, 8)) / 20;
  }
  const SequentialMean found = TestSequentially(std::vector<double>(8, 2.0), 2);
  EXPECT_NEAR(found.evidence, capital, 1e-12);
  EXPECT_NEAR(found.p, 1 / capital, 1e-12);
  EXPECT_EQ(found.decided, 0);
  EXPECT_EQ(found.mean, 2);
  EXPECT_GT(TestSequentially(std::vector<double>(13, 2.0), 2).decided, 8);
}

TEST(ConfidenceSequenceTest, EvidenceThatWasFoundStays) {
  std::vector<double> differences(30, 1.0);
  const SequentialMean before = TestSequentially(differences, 1);
  for (int i = 0; i < 60; ++i) differences.push_back(-1);
  const SequentialMean after = TestSequentially(differences, 1);
  EXPECT_EQ(after.evidence, before.evidence);
  EXPECT_EQ(after.decided, before.decided);
  EXPECT_GT(before.decided, 0);
}

TEST(ConfidenceSequenceTest, WithoutValuesNothingIsKnown) {
  const SequentialMean found = TestSequentially({}, 1);
  EXPECT_EQ(found.n, 0);
  EXPECT_TRUE(std::isnan(found.mean));
  EXPECT_EQ(found.low, -1);
  EXPECT_EQ(found.high, 1);
  EXPECT_EQ(found.p, 1);
}

TEST(ConfidenceSequenceTest, WhatIsOutOfRangeIsRefused) {
  const std::string cannot = "cannot follow a mean row by row: ";
  EXPECT_EQ(RefusalOf([] { NormalMixtureBoundary(-1, 0.05, 100); }),
            InvalidArgument(cannot + "the variance is -1; it must be at least 0"));
  EXPECT_EQ(RefusalOf([] { ProportionSequence(3, 2, 100); }),
            InvalidArgument(cannot +
                            "3 of 2 are successes; use a number from 0 to the number of trials"));
  EXPECT_EQ(RefusalOf([] { TestSequentially(std::vector<double>{1}, 0); }),
            InvalidArgument(cannot + "the largest difference is 0; it must be positive"));
}

// The multiples of 0.1 up to 0.9, five times, in the order 0, 7, 4, 1, ...
std::vector<double> Spread() {
  std::vector<double> values;
  for (int i = 0; i < 50; ++i) values.push_back(7 * i % 10 / 10.0);
  return values;
}

// From gostevehoward/confseq, betting.py: the means with max over time of betting_mart(x, m, alpha
// = 0.05, trunc_scale = 0.9) below 20, by bisection in Python.
TEST(BettingIntervalTest, IsThatOfConfseq) {
  const MeanInterval spread = BettingInterval(Spread(), 0, 1);
  EXPECT_NEAR(spread.low, 0.304541265200, 1e-11);
  EXPECT_NEAR(spread.high, 0.562968685811, 1e-11);
  std::vector<double> narrow;
  for (int i = 0; i < 100; ++i) narrow.push_back(0.9 + 0.01 * (3 * i % 5));
  const MeanInterval high = BettingInterval(narrow, 0, 1);
  EXPECT_NEAR(high.low, 0.883032577229, 1e-11);
  EXPECT_NEAR(high.high, 0.935468784604, 1e-11);
}

TEST(BettingIntervalTest, ScalesWithTheRange) {
  std::vector<double> scaled;
  for (const double value : Spread()) scaled.push_back(20 * value - 10);
  const MeanInterval interval = BettingInterval(scaled, -10, 10);
  EXPECT_NEAR(interval.low, 20 * 0.304541265200 - 10, 1e-9);
  EXPECT_NEAR(interval.high, 20 * 0.562968685811 - 10, 1e-9);
}

TEST(BettingIntervalTest, WithoutValuesItIsTheRange) {
  const MeanInterval interval = BettingInterval({}, -1, 3);
  EXPECT_EQ(interval.low, -1);
  EXPECT_EQ(interval.high, 3);
}

TEST(BettingIntervalTest, NeverGrowsWithMoreValues) {
  const std::vector<double> all = Spread();
  MeanInterval before = BettingInterval({}, 0, 1);
  for (std::size_t n = 1; n <= all.size(); ++n) {
    const MeanInterval now = BettingInterval(std::span(all).first(n), 0, 1);
    EXPECT_GE(now.low, before.low);
    EXPECT_LE(now.high, before.high);
    before = now;
  }
}

// No mean fits values that jump from one end of the range to the other.
TEST(BettingIntervalTest, IsEmptyForValuesThatAreNoDrawsOfOneDistribution) {
  std::vector<double> values(100, 0.0);
  values.insert(values.end(), 400, 1.0);
  const MeanInterval interval = BettingInterval(values, 0, 1);
  EXPECT_GT(interval.low, interval.high);
}

void ExpectBettingRefusal(const std::vector<double>& values, double least, double most,
                          const std::string& finding) {
  EXPECT_EQ(test::MessageOf([&] { BettingInterval(values, least, most); }),
            "cannot bound the mean of values: " + finding);
}

TEST(BettingIntervalTest, ValuesOutsideTheRangeAreRefused) {
  ExpectBettingRefusal({0.5, 1.5}, 0, 1,
                       "value 2 is 1.5, outside 0 to 1; give the range of all values");
  ExpectBettingRefusal({0.5}, 1, 1,
                       "they have no range; give a least value below a finite most value");
}

}  // namespace
}  // namespace crossfold::stats
