// Ground truth: the documentation and tests of confseq (github.com/gostevehoward/confseq), closed
// forms, and simulations whose seeds are fixed.
#include "crossfold/stats/confidence_sequence.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

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

}  // namespace
}  // namespace crossfold::stats
