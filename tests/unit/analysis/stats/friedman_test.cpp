#include "crossfold/stats/friedman.h"

#include <gtest/gtest.h>

#include <cmath>

#include "crossfold_plugin/random.hpp"
#include "unit/engine/data/refusal.h"
#include "vectors.h"

namespace crossfold::stats {
namespace {

using Scores = std::vector<std::vector<double>>;

Scores DemsarScores() { return TestVector("friedman_demsar").at("in").at("scores").get<Scores>(); }

TEST(MidRanksTest, EqualValuesShareTheMeanOfTheirRanks) {
  const std::vector<double> values = {3, 1, 3, 2, 3};
  EXPECT_EQ(MidRanks(values, true), (std::vector<double>{2, 5, 2, 4, 2}));
  EXPECT_EQ(MidRanks(values, false), (std::vector<double>{4, 1, 4, 2, 4}));
  EXPECT_TRUE(MidRanks({}, true).empty());
}

TEST(FriedmanTest, MeetsTheVectorOfDemsarsTableSix) {
  const VectorValue vector = TestVector("friedman_demsar");
  const VectorValue& out = vector.at("out");
  const double tolerance = vector.at("tol");
  const FriedmanTest test = Friedman(DemsarScores(), true);
  EXPECT_EQ(test.datasets, 14);
  EXPECT_EQ(test.learners, 4);
  EXPECT_TRUE(test.ties);
  const std::vector<double> ranks = Numbers(out.at("avg_rank"));
  for (std::size_t j = 0; j < 4; ++j) EXPECT_NEAR(test.average_ranks[j], ranks[j], tolerance);
  EXPECT_NEAR(test.chi_squared.statistic, out.at("chi2"), tolerance);
  EXPECT_NEAR(test.tie_corrected.statistic, out.at("chi2_tie_corrected"), tolerance);
  EXPECT_NEAR(test.tie_corrected.p, out.at("p_tie_corrected"), tolerance);
  // The vector has F of the uncorrected chi squared; this is (N-1) X / (N (k-1) - X) of the
  // corrected one.
  const double corrected = out.at("chi2_tie_corrected");
  EXPECT_NEAR(test.iman_davenport.statistic, 13 * corrected / (14 * 3 - corrected), 1e-9);
  EXPECT_NEAR(CriticalDifference(4, 14, 0.05, PostHoc::kNemenyi), out.at("cd_nemenyi_05"),
              tolerance);
  EXPECT_NEAR(CriticalDifference(4, 14, 0.10, PostHoc::kNemenyi), out.at("cd_nemenyi_10"),
              tolerance);
  EXPECT_NEAR(CriticalDifference(4, 14, 0.05, PostHoc::kBonferroniDunn),
              out.at("cd_bonferroni_dunn_05"), tolerance);
}

// frameworks.md 4.7.
TEST(FriedmanTest, ProbabilitiesAndDegreesOfFreedomOfDemsarsTable) {
  const FriedmanTest test = Friedman(DemsarScores(), true);
  EXPECT_TRUE(test.chi_squared.defined && test.iman_davenport.defined);
  EXPECT_NEAR(test.chi_squared.p, 0.0198203340, 1e-9);
  EXPECT_EQ(test.chi_squared.df1, 3);
  EXPECT_NEAR(test.iman_davenport.p, 0.0076288387,
              1e-9);  // F(3, 39) above 4.5858895706, by Simpson's rule
  EXPECT_EQ(test.iman_davenport.df1, 3);
  EXPECT_EQ(test.iman_davenport.df2, 39);
}

// The paper ranks "voting" (row 13; two of its accuracies are equal as printed) 4 1 2 3: chi
// squared 9.28, F 3.69.
TEST(FriedmanTest, MeetsThePaperWithTheUnroundedRow) {
  Scores scores = DemsarScores();
  scores[12] = {0.972, 0.981, 0.976, 0.975};
  const FriedmanTest test = Friedman(scores, true);
  EXPECT_NEAR(test.average_ranks[2], 2.892857142857, 1e-12);
  EXPECT_NEAR(test.average_ranks[3], 1.964285714286, 1e-12);
  EXPECT_NEAR(test.chi_squared.statistic, 9.278571428571, 1e-12);
  // The paper's F of 3.69 is 13 X / (42 - X) of that; ours takes the tie-corrected one.
  const double corrected = test.tie_corrected.statistic;
  EXPECT_GT(corrected, 9.278571428571);
  EXPECT_NEAR(test.iman_davenport.statistic, 13 * corrected / (42 - corrected), 1e-12);
}

// scipy.stats.friedmanchisquare([9,9.5,5,8.5,9.5,7.5,8,7,8.5,6], [7,6.5,7,7.5,5,8,6,6.5,7,7],
// [6,8,4,6,7,6.5,6,4,6.5,3]) of SciPy 1.10.1.
TEST(FriedmanTest, TieCorrectionAgreesWithSciPy) {
  const double columns[3][10] = {{9, 9.5, 5, 8.5, 9.5, 7.5, 8, 7, 8.5, 6},
                                 {7, 6.5, 7, 7.5, 5, 8, 6, 6.5, 7, 7},
                                 {6, 8, 4, 6, 7, 6.5, 6, 4, 6.5, 3}};
  Scores scores;
  for (int i = 0; i < 10; ++i) scores.push_back({columns[0][i], columns[1][i], columns[2][i]});
  const FriedmanTest test = Friedman(scores, true);
  EXPECT_NEAR(test.tie_corrected.statistic, 10.820512820512832, 1e-12);
  EXPECT_NEAR(test.tie_corrected.p, 0.004470493783919299, 1e-13);
}

TEST(FriedmanTest, LowerIsBetterTurnsTheRanksAndKeepsTheTest) {
  const FriedmanTest up = Friedman(DemsarScores(), true), down = Friedman(DemsarScores(), false);
  for (std::size_t j = 0; j < 4; ++j) {
    EXPECT_NEAR(up.average_ranks[j] + down.average_ranks[j], 5, 1e-12);
  }
  EXPECT_DOUBLE_EQ(up.tie_corrected.p, down.tie_corrected.p);
}

TEST(FriedmanTest, RanksOfRandomScoresAddUpAndTheTestIsAProbability) {
  plugin::Random random(7);
  for (int trial = 0; trial < 200; ++trial) {
    const std::size_t k = 2 + random.Below(6), n = 2 + random.Below(9);
    Scores scores(n, std::vector<double>(k));
    for (auto& row : scores) {
      for (double& score : row) score = static_cast<double>(random.Below(4));  // many ties
    }
    const FriedmanTest test = Friedman(scores, true);
    double sum = 0;
    for (const double rank : test.average_ranks) sum += rank;
    EXPECT_NEAR(sum, static_cast<double>(k * (k + 1)) / 2, 1e-12);
    if (!test.tie_corrected.defined) continue;
    EXPECT_GE(test.tie_corrected.statistic, test.chi_squared.statistic);
    EXPECT_GE(test.tie_corrected.p, 0);
    EXPECT_LE(test.chi_squared.p, 1);
  }
}

TEST(FriedmanTest, OneDatasetIsUndefined) {
  const FriedmanTest test = Friedman({{0.9, 0.8, 0.7}}, true);
  EXPECT_EQ(test.average_ranks, (std::vector<double>{1, 2, 3}));
  for (const RankTest& part : {test.chi_squared, test.tie_corrected, test.iman_davenport}) {
    EXPECT_FALSE(part.defined);
    EXPECT_EQ(part.undefined, "one dataset does not show how ranks differ between datasets");
    EXPECT_TRUE(std::isnan(part.p) && std::isnan(part.statistic));
  }
}

TEST(FriedmanTest, OneLearnerIsUndefined) {
  const FriedmanTest test = Friedman({{0.9}, {0.8}}, true);
  EXPECT_EQ(test.average_ranks, (std::vector<double>{1}));
  EXPECT_EQ(test.chi_squared.undefined, "one learner has nothing to be compared with");
}

TEST(FriedmanTest, AllEqualIsUndefined) {
  const FriedmanTest test = Friedman({{1, 1, 1}, {2, 2, 2}}, true);
  EXPECT_EQ(test.average_ranks, (std::vector<double>{2, 2, 2}));
  EXPECT_EQ(test.tie_corrected.undefined, "all learners are equal on every dataset");
}

TEST(FriedmanTest, SameOrderEverywhereHasAnInfiniteFAndSaysSo) {
  const FriedmanTest test = Friedman({{3, 2, 1}, {9, 8, 7}, {6, 5, 4}}, true);
  EXPECT_TRUE(test.chi_squared.defined);
  EXPECT_DOUBLE_EQ(test.chi_squared.statistic, 6);  // N (k-1), its largest value
  EXPECT_FALSE(test.iman_davenport.defined);
  EXPECT_EQ(test.iman_davenport.undefined, "every dataset ranks the learners alike: F is infinite");
  EXPECT_TRUE(std::isnan(test.iman_davenport.statistic) && std::isnan(test.iman_davenport.p));
}

TEST(FriedmanTest, RefusesWhatCannotBeRanked) {
  EXPECT_EQ(RefusedArgument([] { Friedman({}, true); }),
            "cannot compare the learners by their ranks: there are no scores; give one list of "
            "scores per dataset");
  EXPECT_EQ(RefusedArgument([] {
              Friedman({{1, 2}, {1}}, true);
            }),
            "cannot compare the learners by their ranks: dataset 2 has 1 scores, dataset 1 has 2; "
            "give one score per learner");
  EXPECT_EQ(RefusedArgument([] {
              Friedman({{1, 2}, {1, std::nan("")}}, true);
            }),
            "cannot compare the learners by their ranks: dataset 2: score 2 is nan; give finite "
            "numbers only");
}

// frameworks.md 4.7.
TEST(NemenyiTest, MeetsTheProbabilitiesOfDemsarsTable) {
  const FriedmanTest test = Friedman(DemsarScores(), true);
  const double expected[] = {0.0886727093, 0.9716864713, 0.0616832589,
                             0.2266968860, 0.9988823440, 0.1700516357};
  const std::vector<RankComparison> pairs = Nemenyi(test.average_ranks, 14);
  ASSERT_EQ(pairs.size(), 6u);
  for (std::size_t i = 0; i < 6; ++i) EXPECT_NEAR(pairs[i].p, expected[i], 1e-9);
  EXPECT_EQ(pairs[4].first, 1u);
  EXPECT_EQ(pairs[4].second, 3u);
  EXPECT_NEAR(pairs[4].difference, 2 - 1.928571428571, 1e-11);
}

TEST(NemenyiTest, ADifferenceOfTheCriticalDifferenceHasProbabilityAlpha) {
  const double cd = CriticalDifference(5, 20, 0.05, PostHoc::kNemenyi);
  const std::vector<double> ranks = {3 - cd / 2, 3 + cd / 2, 3, 3, 3};
  EXPECT_NEAR(Nemenyi(ranks, 20)[0].p, 0.05, 1e-11);
}

// Against C4.5, with SciPy: min(1, 3 * 2 * norm.sf(|difference| / sqrt(4 * 5 / (6 * 14)))).
TEST(BonferroniDunnTest, ComparesEachWithTheControlOnly) {
  const FriedmanTest test = Friedman(DemsarScores(), true);
  const std::vector<RankComparison> pairs = BonferroniDunn(test.average_ranks, 14, 0);
  ASSERT_EQ(pairs.size(), 3u);
  EXPECT_EQ(pairs[0].first, 1u);
  EXPECT_EQ(pairs[2].first, 3u);
  EXPECT_EQ(pairs[2].second, 0u);
  const double expected[] = {0.057517454265669316, 1, 0.03848008093645639};
  for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(pairs[i].p, expected[i], 1e-13) << i;
}

TEST(BonferroniDunnTest, ADifferenceOfTheCriticalDifferenceHasProbabilityAlpha) {
  const double cd = CriticalDifference(5, 20, 0.10, PostHoc::kBonferroniDunn);
  const std::vector<double> ranks = {3 - cd / 2, 3 + cd / 2, 3, 3, 3};
  EXPECT_NEAR(BonferroniDunn(ranks, 20, 0)[0].p, 0.10, 1e-12);
}

TEST(CriticalDifferenceTest, RefusesWhatIsNoComparison) {
  const auto refusal = [](std::int64_t k, std::int64_t n, double alpha) {
    return RefusedArgument([=] { CriticalDifference(k, n, alpha, PostHoc::kNemenyi); });
  };
  EXPECT_EQ(refusal(1, 5, 0.05),
            "cannot compute the critical difference: the number of learners is 1; compare at "
            "least 2");
  EXPECT_EQ(refusal(3, 0, 0.05),
            "cannot compute the critical difference: the number of datasets is 0; use at least 1");
  EXPECT_EQ(refusal(3, 5, 1),
            "cannot compute the critical difference: alpha is 1; it must be between 0 and 1");
}

// frameworks.md 4.7: C4.5, +m, +cf, +m+cf.
TEST(AlikeGroupsTest, DrawsTheBarsOfDemsarsTable) {
  const FriedmanTest test = Friedman(DemsarScores(), true);
  using Groups = std::vector<std::vector<std::size_t>>;
  EXPECT_EQ(AlikeGroups(test.average_ranks, CriticalDifference(4, 14, 0.05, PostHoc::kNemenyi)),
            (Groups{{3, 1, 2, 0}}));
  EXPECT_EQ(AlikeGroups(test.average_ranks, CriticalDifference(4, 14, 0.10, PostHoc::kNemenyi)),
            (Groups{{3, 1, 2}, {2, 0}}));
}

TEST(AlikeGroupsTest, LearnersThatAllDifferHaveNoBar) {
  EXPECT_TRUE(AlikeGroups(std::vector<double>{1, 2, 3}, 0.9).empty());
  // "Differs by at least the critical difference": equality differs.
  EXPECT_TRUE(AlikeGroups(std::vector<double>{1, 2, 3}, 1).empty());
}

}  // namespace
}  // namespace crossfold::stats
