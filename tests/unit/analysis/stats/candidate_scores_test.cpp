#include "crossfold/stats/candidate_scores.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "analysis/stats/distributions.h"
#include "crossfold_plugin/random.hpp"
#include "unit/engine/data/refusal.h"

namespace crossfold::stats {
namespace {

// Scores of rows in two folds, one test per row, row by row.
CandidateScores ScoresOf(std::int64_t n_candidates, std::vector<double> scores) {
  CandidateScores all;
  all.n_candidates = n_candidates;
  all.n_units = static_cast<std::int64_t>(scores.size()) / n_candidates;
  all.n_folds = 2;
  for (std::int64_t unit = 0; unit < all.n_units; ++unit) {
    all.units.push_back(unit);
    all.folds.push_back(unit < all.n_units / 2 ? 0 : 1);
  }
  all.scores = std::move(scores);
  return all;
}

// `gap` = how much better candidate 1 is than candidate 0 on average.
CandidateScores NoisyPair(double gap) {
  plugin::Random random(5);
  std::vector<double> scores;
  for (int row = 0; row < 100; ++row) {
    const double common = random.Normal();
    scores.push_back(common);
    scores.push_back(common + gap + 0.5 * random.Normal());
  }
  return ScoresOf(2, scores);
}

TEST(CandidateScoresTest, ASampleDrawsTheNumberOfItsUnits) {
  const std::vector<std::int32_t> counts = DrawCounts(1000, 3);
  EXPECT_EQ(std::accumulate(counts.begin(), counts.end(), 0), 1000);
  const auto left_out = std::count(counts.begin(), counts.end(), 0);
  EXPECT_NEAR(static_cast<double>(left_out), 1000 / std::exp(1.0), 40);
  EXPECT_EQ(counts, DrawCounts(1000, 3));
}

TEST(CandidateScoresTest, MeansCountAUnitAsOftenAsItWasDrawn) {
  CandidateScores all = ScoresOf(2, {1, 0, 0, 1, 4, 2, 6, 8});
  const std::vector<std::int32_t> counts = {2, 1, 0, 1};
  // (2 * 1 + 0 + 6) / 4 and (2 * 0 + 1 + 8) / 4.
  EXPECT_EQ(BagMeans(all, counts, false), (std::vector<double>{2, 2.25}));
  EXPECT_EQ(BagMeans(all, counts, true), (std::vector<double>{2.0 / 3, 1.0 / 3, 6, 8}));
  EXPECT_EQ(OutOfBagMean(all, counts, 1), 2);
  all.weights = {1, 3, 1, 1};
  EXPECT_EQ(BagMeans(all, counts, false)[1], (3 + 8) / 6.0);
}

TEST(CandidateScoresTest, AMeanOfNothingIsUndefined) {
  const CandidateScores all = ScoresOf(1, {1, 2, 3, 4});
  const std::vector<std::int32_t> counts = {1, 3, 0, 0}, every = {1, 1, 1, 1};
  EXPECT_TRUE(std::isnan(BagMeans(all, counts, true)[1]));
  EXPECT_TRUE(std::isnan(OutOfBagMean(all, every, 0)));
}

TEST(ConfidenceSetTest, OfTwoCandidatesThePIsThatOfANormalStatistic) {
  const CandidateScores all = NoisyPair(0.05);
  ConfidenceSetOptions options;
  options.samples = 100000;
  const std::vector<CandidateTest> tests = TestCandidates(all, {}, options);
  // The statistic by its definition: the mean difference over its standard error, with the variance
  // around the means of the two folds.
  double means[2] = {0, 0}, squares = 0;
  for (int row = 0; row < 100; ++row) {
    means[row / 50] += (all.scores[2 * row + 1] - all.scores[2 * row]) / 50;
  }
  for (int row = 0; row < 100; ++row) {
    const double d = all.scores[2 * row + 1] - all.scores[2 * row] - means[row / 50];
    squares += d * d;
  }
  const double statistic = 10 * (means[0] + means[1]) / 2 / std::sqrt(squares / 98);
  EXPECT_NEAR(tests[0].statistic, statistic, 1e-12);
  EXPECT_NEAR(tests[0].p, NormalUpper(statistic), 0.005);
  EXPECT_NEAR(tests[1].p, 1 - NormalUpper(statistic), 0.005);
  EXPECT_EQ(tests[0].rival, 1);
  EXPECT_EQ(tests[1].rival, -1);
}

TEST(ConfidenceSetTest, AClearlyWorseCandidateIsRejectedInTheDirectionOfTheMetric) {
  const CandidateScores all = NoisyPair(0.4);
  ConfidenceSetOptions options;
  EXPECT_FALSE(TestCandidates(all, {}, options)[0].in_set);
  EXPECT_TRUE(TestCandidates(all, {}, options)[1].in_set);
  options.direction = -1;
  EXPECT_TRUE(TestCandidates(all, {}, options)[0].in_set);
  EXPECT_FALSE(TestCandidates(all, {}, options)[1].in_set);
}

TEST(ConfidenceSetTest, WithoutVarianceTheBetterOneWins) {
  const CandidateScores all = ScoresOf(3, {1, 2, 1, 3, 4, 3, 5, 6, 5, 2, 3, 2});
  const std::vector<CandidateTest> tests = TestCandidates(all, {}, ConfidenceSetOptions());
  EXPECT_EQ(tests[0].p, 0);
  EXPECT_EQ(tests[0].rival, 1);
  EXPECT_TRUE(tests[1].in_set);
  EXPECT_FALSE(tests[2].in_set);
}

TEST(ConfidenceSetTest, EqualCandidatesAreAllInTheSet) {
  const CandidateScores all = ScoresOf(2, {1, 1, 0, 0, 1, 1, 0, 0});
  for (const CandidateTest& test : TestCandidates(all, {}, ConfidenceSetOptions())) {
    EXPECT_TRUE(test.in_set);
    EXPECT_EQ(test.p, 1);
  }
}

TEST(ConfidenceSetTest, RoundingNoiseIsNoDifference) {
  const double error = std::nextafter(0.7, 1.0) - 0.7;
  std::vector<double> scores;
  for (int row = 0; row < 40; ++row) {
    const double score = 0.7 + 0.001 * row;
    scores.insert(scores.end(), {score, score + (row % 2 == 0 ? error : 2 * error)});
  }
  for (const CandidateTest& test :
       TestCandidates(ScoresOf(2, scores), {}, ConfidenceSetOptions())) {
    EXPECT_TRUE(test.in_set);
    EXPECT_EQ(test.p, 1);
  }
}

TEST(ConfidenceSetTest, SmallScoresDifferByTheirOwnScale) {
  CandidateScores all = NoisyPair(0.4);
  for (double& score : all.scores) score *= 1e-14;
  EXPECT_FALSE(TestCandidates(all, {}, ConfidenceSetOptions())[0].in_set);
}

// The smallest p, 1 / (samples + 1), is at most a tenth of 0.8 (1 - level).
TEST(ConfidenceSetTest, SamplesThatCannotRejectAreRefused) {
  EXPECT_EQ(LeastSamples(0.9), 124);
  EXPECT_EQ(LeastSamples(0.95), 249);
  EXPECT_EQ(LeastSamples(0.999), 12499);
  ConfidenceSetOptions options;
  options.samples = 248;
  EXPECT_EQ(RefusedArgument([&] { TestCandidates(NoisyPair(0.4), {}, options); }),
            "cannot test which candidates are as good as the best: samples is 248, too few to "
            "reject a candidate at this level; draw at least 249");
  options.samples = 249;
  EXPECT_FALSE(TestCandidates(NoisyPair(0.4), {}, options)[0].in_set);
}

TEST(ConfidenceSetTest, AUnitThatCountsTwiceIsTwoUnits) {
  const CandidateScores all = NoisyPair(0.1);
  CandidateScores doubled = all;
  doubled.n_units = 200;
  for (std::int64_t unit = 0; unit < 100; ++unit) {
    doubled.units.push_back(100 + unit);
    doubled.folds.push_back(all.folds[static_cast<std::size_t>(unit)]);
  }
  doubled.scores.insert(doubled.scores.end(), all.scores.begin(), all.scores.end());
  ConfidenceSetOptions options;
  const std::vector<std::int32_t> twice(100, 2);
  const double statistic = TestCandidates(all, twice, options)[0].statistic;
  EXPECT_NEAR(statistic, TestCandidates(doubled, {}, options)[0].statistic, 1e-12);
}

TEST(ConfidenceSetTest, FoldsOfOneRowAreRefused) {
  CandidateScores all = ScoresOf(2, {1, 0, 0, 1, 1, 1, 0, 0});
  all.n_folds = 4;
  all.folds = {0, 1, 2, 3};
  EXPECT_EQ(RefusedArgument([&] { TestCandidates(all, {}, ConfidenceSetOptions()); }),
            "cannot test which candidates are as good as the best: every inner fold has one row, "
            "which has no deviation from its mean; use folds of two rows or more");
}

}  // namespace
}  // namespace crossfold::stats
