// Numbers of frameworks.md 4.6 (SciPy, R wilcox.test and psignrank; Demsar 2006, table 2) and of
// tests/data/vectors.json.
#include "crossfold/stats/signed_rank.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "unit/engine/data/refusal.h"
#include "vectors.h"

namespace crossfold::stats {
namespace {

// Demsar, table 2: C4.5 with m against C4.5 on 14 data sets.
const std::vector<double> kDemsar = {.005, -.008, .017, .033, .006, -.005, .007,
                                     0,    .063,  0,    .022, .047, .009,  .021};
const std::vector<double> kEight = {1.1, -0.3, 2.4, 0.7, -0.9, 3.2, 1.8, 0.5};
const std::vector<double> kTied = {.02, .02, -.01, .03, .03, .01, .02, .03, .01, .01};

SignedRankTest Normal(const std::vector<double>& differences, Zeros zeros, bool continuity) {
  return SignedRank(
      differences, {.zeros = zeros, .method = SignedRankMethod::kNormal, .continuity = continuity});
}

TEST(SignedRankTest, AgreesWithTheVectorsOfEveryTreatmentOfZeros) {
  for (const auto& [id, zeros] : {std::pair("wilcoxon_demsar_wilcox", Zeros::kWilcox),
                                  std::pair("wilcoxon_demsar_pratt", Zeros::kPratt),
                                  std::pair("wilcoxon_demsar_zsplit", Zeros::kZsplit)}) {
    const auto vector = TestVector(id);
    const auto d = Numbers(vector["in"]["d"]);
    const auto test = Normal(d, zeros, false);
    EXPECT_TRUE(test.defined);
    EXPECT_EQ(test.statistic, vector["out"]["T"]) << id;
    EXPECT_NEAR(test.p, vector["out"]["p"], vector["tol"]) << id;
    EXPECT_NEAR(Normal(d, zeros, true).p, vector["out"]["p_cc"], vector["tol"]) << id;
  }
}

TEST(SignedRankTest, SplitZerosGiveTheRankSumsOfDemsar) {
  const auto test = Normal(kDemsar, Zeros::kZsplit, false);
  EXPECT_EQ(test.r_plus, 93);
  EXPECT_EQ(test.r_minus, 12);
  EXPECT_EQ(test.n, 14);
  EXPECT_EQ(test.zeros, 2);
  EXPECT_TRUE(test.ties);
}

TEST(SignedRankTest, DroppedZerosGiveVOfR) {
  EXPECT_EQ(Normal(kDemsar, Zeros::kWilcox, false).r_plus, 71.5);
}

TEST(SignedRankTest, WithoutTheTieCorrectionZIsDemsars) {
  const auto test = SignedRank(
      kDemsar,
      {.zeros = Zeros::kZsplit, .method = SignedRankMethod::kNormal, .tie_correction = false});
  EXPECT_NEAR(test.z, -2.5424475233, 5.1e-11);
  EXPECT_NEAR(test.p, 0.0110079130, 5.1e-11);
}

// By hand: n(n+1)(2n+1)/24 = 12*13*25/24 = 162.5 for dropped zeros; for ranked ones 14*15*29/24
// less 2*3*5/24 = 252.5. Means 39 and 51.
TEST(SignedRankTest, VariancesWithoutTheTieCorrection) {
  const SignedRankOptions plain = {.method = SignedRankMethod::kNormal, .tie_correction = false};
  EXPECT_NEAR(SignedRank(kDemsar, plain).z, (6.5 - 39) / std::sqrt(162.5), 1e-14);
  SignedRankOptions pratt = plain;
  pratt.zeros = Zeros::kPratt;
  EXPECT_NEAR(SignedRank(kDemsar, pratt).z, (10.5 - 51) / std::sqrt(252.5), 1e-14);
}

TEST(SignedRankTest, AgreesWithSciPyOnTies) {
  const auto test = Normal(kTied, Zeros::kWilcox, false);
  EXPECT_EQ(test.statistic, 2.5);
  EXPECT_NEAR(test.p, 0.0099215045, 5.1e-11);
  EXPECT_NEAR(Normal(kTied, Zeros::kWilcox, true).p, 0.0115047382, 5.1e-11);
}

TEST(SignedRankTest, AgreesWithTheExactVector) {
  const auto vector = TestVector("wilcoxon_exact_8");
  const auto d = Numbers(vector["in"]["d"]);
  const auto test = SignedRank(d);
  EXPECT_TRUE(test.exact);
  EXPECT_EQ(test.r_plus, vector["out"]["r_plus"]);
  EXPECT_EQ(test.r_minus, vector["out"]["r_minus"]);
  EXPECT_EQ(test.p, vector["out"]["p_exact"]);
  EXPECT_TRUE(std::isnan(test.z));
  EXPECT_NEAR(Normal(d, Zeros::kWilcox, false).p, 0.0687035743, 5.1e-11);
  EXPECT_NEAR(Normal(d, Zeros::kWilcox, true).p, 0.0800579200, 5.1e-11);
}

// Differences 1 .. n; those whose ranks are in `negative` are negative.
std::vector<double> RanksWithSigns(int n, const std::vector<int>& negative) {
  std::vector<double> differences;
  for (int rank = 1; rank <= n; ++rank) {
    const bool minus = std::find(negative.begin(), negative.end(), rank) != negative.end();
    differences.push_back(minus ? -rank : rank);
  }
  return differences;
}

// P(T <= t) of n = 8, in 256ths.
TEST(SignedRankTest, ExactDistributionOfEightRanks) {
  const std::vector<std::vector<int>> negative = {{}, {1}, {2}, {3}, {4}, {5}, {6}, {7}, {8}};
  const int cumulated[] = {1, 2, 3, 5, 7, 10, 14, 19, 25};
  for (std::size_t t = 0; t < negative.size(); ++t) {
    const auto test = SignedRank(RanksWithSigns(8, negative[t]));
    EXPECT_EQ(test.statistic, static_cast<double>(t));
    EXPECT_EQ(test.p, 2 * cumulated[t] / 256.0);
  }
}

// R psignrank: the greatest T that is significant at 0.05, two-sided.
TEST(SignedRankTest, CriticalValuesOfR) {
  for (const auto& [n, critical] :
       {std::pair(6, 0), std::pair(7, 2), std::pair(8, 3), std::pair(9, 5), std::pair(10, 8),
        std::pair(12, 13), std::pair(14, 21)}) {
    // Ranks that sum to t, greedily from the top.
    const auto with_sum = [n = n](int t) {
      std::vector<int> negative;
      for (int rank = n; rank >= 1; --rank) {
        if (rank > t) continue;
        negative.push_back(rank);
        t -= rank;
      }
      return RanksWithSigns(n, negative);
    };
    EXPECT_LE(SignedRank(with_sum(critical)).p, 0.05) << n;
    EXPECT_GT(SignedRank(with_sum(critical + 1)).p, 0.05) << n;
  }
}

// scipy.stats.wilcoxon([-i if i % 3 == 0 else i for i in range(1, 51)], mode="exact")
TEST(SignedRankTest, FiftyRanksAreCountedAsSciPyDoes) {
  std::vector<double> differences;
  for (int i = 1; i <= 50; ++i) differences.push_back(i % 3 == 0 ? -i : i);
  const auto test = SignedRank(differences);
  EXPECT_TRUE(test.exact);
  EXPECT_EQ(test.statistic, 408);
  EXPECT_NEAR(test.p, 0.02616696817119646, 1e-16);
}

// With ties the exact p is counted over the mid-ranks at hand; here by trying all signs.
TEST(SignedRankTest, ExactPOfTiesIsThatOfAllPatternsOfSigns) {
  for (const Zeros zeros : {Zeros::kWilcox, Zeros::kPratt}) {
    const auto test = SignedRank(kDemsar, {.zeros = zeros, .method = SignedRankMethod::kExact});
    std::vector<double> ranks = {3.5, 7, 9, 12, 5, 3.5, 6, 14, 11, 13, 8, 10};
    if (zeros == Zeros::kWilcox) {
      for (double& rank : ranks) rank -= 2;
    }
    int as_small = 0;
    for (int pattern = 0; pattern < 4096; ++pattern) {
      double sum = 0;
      for (int i = 0; i < 12; ++i) sum += (pattern >> i & 1) != 0 ? ranks[i] : 0;
      as_small += sum <= test.statistic ? 1 : 0;
    }
    EXPECT_TRUE(test.exact);
    EXPECT_EQ(test.p, 2 * as_small / 4096.0);
  }
}

TEST(SignedRankTest, AutoIsExactWithoutTiesAndZerosUpToFiftyRanks) {
  EXPECT_TRUE(SignedRank(RanksWithSigns(50, {})).exact);
  EXPECT_FALSE(SignedRank(RanksWithSigns(51, {})).exact);
  EXPECT_FALSE(SignedRank(kTied).exact);
  EXPECT_FALSE(SignedRank(std::vector<double>{1, 2, 3, 0}).exact);
}

// The trap of decimals: both are 0.01, and as bits they differ.
TEST(SignedRankTest, DifferencesOfDecimalsTieWithinTheTolerance) {
  const double a = .82 - .81, b = .87 - .86;
  ASSERT_NE(a, b);
  const std::vector<double> differences = {a, -b, .05, .07};
  EXPECT_TRUE(SignedRank(differences).ties);
  EXPECT_EQ(SignedRank(differences).r_minus, 1.5);
  EXPECT_FALSE(SignedRank(differences, {.tie_tolerance = 0}).ties);
  EXPECT_NE(SignedRank(differences, {.tie_tolerance = 0}).r_minus, 1.5);
}

TEST(SignedRankTest, WhatRoundingLeavesOfZeroIsZero) {
  const double rest = 0.1 + 0.2 - 0.3;
  ASSERT_NE(rest, 0);
  EXPECT_EQ(SignedRank(std::vector<double>{rest, .05, .07}).zeros, 1);
  EXPECT_EQ(SignedRank(std::vector<double>{rest, .05, .07}, {.tie_tolerance = 0}).zeros, 0);
}

TEST(SignedRankTest, SwappingTheModelsSwapsTheSums) {
  for (const auto& differences : {kDemsar, kEight, kTied}) {
    std::vector<double> swapped;
    for (const double d : differences) swapped.push_back(-d);
    for (const Zeros zeros : {Zeros::kWilcox, Zeros::kPratt, Zeros::kZsplit}) {
      const auto one = SignedRank(differences, {.zeros = zeros});
      const auto other = SignedRank(swapped, {.zeros = zeros});
      EXPECT_EQ(one.r_plus, other.r_minus);
      EXPECT_EQ(one.r_minus, other.r_plus);
      EXPECT_EQ(one.p, other.p);
    }
  }
}

TEST(SignedRankTest, RanksKeepTheirSum) {
  const auto test = Normal(kDemsar, Zeros::kZsplit, false);
  EXPECT_EQ(test.r_plus + test.r_minus, 14 * 15 / 2);
  const auto dropped = Normal(kDemsar, Zeros::kWilcox, false);
  EXPECT_EQ(dropped.r_plus + dropped.r_minus, 12 * 13 / 2);
}

TEST(SignedRankTest, NoDifferenceAtAllIsFlagged) {
  for (const Zeros zeros : {Zeros::kWilcox, Zeros::kPratt, Zeros::kZsplit}) {
    const auto test = SignedRank(std::vector<double>{0, 0, 0}, {.zeros = zeros});
    EXPECT_FALSE(test.defined);
    EXPECT_EQ(test.undefined, "all differences are 0: nothing was tested; p = 1 by convention");
    EXPECT_EQ(test.p, 1);
    EXPECT_TRUE(std::isnan(test.statistic));
  }
  EXPECT_EQ(SignedRank({}).undefined, "there are no differences");
  EXPECT_TRUE(std::isnan(SignedRank({}).p));
}

TEST(SignedRankTest, AnExactTestThatDoesNotExistIsRefused) {
  EXPECT_EQ(RefusalOf([] {
              SignedRank(kDemsar, {.zeros = Zeros::kZsplit, .method = SignedRankMethod::kExact});
            }),
            InvalidArgument("cannot make the signed-rank test: there is no exact distribution for "
                            "split zeros; drop them (wilcox or pratt) or take the normal "
                            "distribution"));
  EXPECT_EQ(
      RefusalOf([] { SignedRank(RanksWithSigns(51, {}), {.method = SignedRankMethod::kExact}); }),
      InvalidArgument("cannot make the signed-rank test: the exact distribution is counted "
                      "for up to 50 ranks, there are 51; take the normal distribution"));
}

TEST(SignedRankTest, OtherMistakesAreRefused) {
  EXPECT_EQ(RefusalOf([] {
              SignedRank(std::vector<double>{1, std::nan("")});
            }),
            InvalidArgument("cannot make the signed-rank test: difference 2 is nan; give finite "
                            "numbers only"));
  EXPECT_EQ(RefusalOf([] { SignedRank(kEight, {.tie_tolerance = 1}); }),
            InvalidArgument("cannot make the signed-rank test: the tolerance of ties is 1; it is a "
                            "part of the largest difference, at least 0 and below 1"));
}

// scipy.stats.binomtest(2, 12).pvalue of Demsar's table 2 without its two ties, and of 3 and 11 of
// 14 with one of them on each side.
TEST(TestSignsTest, DropsOrSplitsTies) {
  const auto dropped = TestSigns(kDemsar);
  EXPECT_EQ(dropped.plus, 10);
  EXPECT_EQ(dropped.minus, 2);
  EXPECT_EQ(dropped.ties, 2);
  EXPECT_EQ(dropped.n, 12);
  EXPECT_NEAR(dropped.p, 0.03857421875, 1e-16);
  const auto split = TestSigns(kDemsar, SignTies::kSplit);
  EXPECT_EQ(split.n, 14);
  EXPECT_NEAR(split.p, 0.057373046875, 1e-16);
}

// 4 signs of one kind, 1 tie: nothing is left to split.
TEST(TestSignsTest, AnOddTieIsDropped) {
  const std::vector<double> differences = {1, 2, 3, 4, 0};
  EXPECT_EQ(TestSigns(differences, SignTies::kSplit).n, 4);
  EXPECT_EQ(TestSigns(differences, SignTies::kSplit).p, 0.125);
}

TEST(TestSignsTest, EquallyManySignsHavePOne) {
  EXPECT_EQ(TestSigns(std::vector<double>{1, -1}).p, 1);
}

TEST(TestSignsTest, NoSignsAreFlagged) {
  for (const SignTies ties : {SignTies::kDropped, SignTies::kSplit}) {
    const auto test = TestSigns(std::vector<double>{0, 0}, ties);
    EXPECT_FALSE(test.defined);
    EXPECT_EQ(test.undefined, "all differences are 0: nothing was tested; p = 1 by convention");
    EXPECT_EQ(test.p, 1);
  }
  EXPECT_EQ(TestSigns({}).undefined, "there are no differences");
  EXPECT_TRUE(std::isnan(TestSigns({}).p));
}

}  // namespace
}  // namespace crossfold::stats
