// Numbers of frameworks.md 4.3 and 4.4 (SciPy, R t.test, Weka PairedStats and PairedStatsCorrected,
// baycomp), of tests/data/vectors.json and of worked_examples.md.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "crossfold/error.h"
#include "crossfold/stats/t_test.h"
#include "crossfold/stats/unpaired_t.h"
#include "unit/engine/data/refusal.h"
#include "vectors.h"

namespace crossfold::stats {
namespace {

const std::vector<double> kTenFolds = {.02, .02, -.01, .03, .03, .01, .02, .03, .01, .01};
const std::vector<double> kTwoByFive = {.03, .01, -.01, .02, .04, .02, .00, .03, .01, .05};
const std::vector<double> kFifteen = {.012, -.004, .021, .015, .008, .011, -.002, .019,
                                      .006, .014,  .010, .003, .017, .009, .013};

std::vector<double> Less(const std::vector<double>& a, const std::vector<double>& b) {
  std::vector<double> differences;
  for (std::size_t i = 0; i < a.size(); ++i) differences.push_back(a[i] - b[i]);
  return differences;
}

void ExpectVector(const VectorValue& vector, const TTest& test) {
  const auto& out = vector["out"];
  const double tolerance = vector["tol"];
  EXPECT_TRUE(test.defined);
  EXPECT_NEAR(test.mean, out["mean"], tolerance);
  EXPECT_NEAR(test.variance, out["var"], tolerance);
  EXPECT_NEAR(test.statistic, out["t"], tolerance);
  EXPECT_EQ(test.df, out["df"]);
  EXPECT_NEAR(test.p, out["p"], tolerance);
  EXPECT_NEAR(test.low, out["ci95"][0], tolerance);
  EXPECT_NEAR(test.high, out["ci95"][1], tolerance);
}

TEST(PairedTTest, AgreesWithTheVector) {
  const auto vector = TestVector("paired_t");
  ExpectVector(vector, PairedT(Numbers(vector["in"]["d"])));
}

// The scores themselves, so that the differences carry the rounding of a subtraction.
TEST(PairedTTest, AgreesWithSciPyRAndWekaOnTenFolds) {
  const TTest test = PairedT(Less({.82, .85, .79, .88, .84, .81, .86, .83, .87, .80},
                                  {.80, .83, .80, .85, .81, .80, .84, .80, .86, .79}));
  EXPECT_NEAR(test.mean, 0.017, 1e-15);
  EXPECT_NEAR(test.variance, 1.566666666667e-04, 5.1e-16);
  EXPECT_NEAR(std::sqrt(test.variance), 0.012516655570, 5.1e-13);
  EXPECT_NEAR(test.statistic, 4.2949747974, 5.1e-11);
  EXPECT_EQ(test.df, 9);
  EXPECT_NEAR(test.p, 0.00200537883870999, 1e-14);
  // SciPy's quantile is off by 6e-11 (see distributions_test.cpp).
  EXPECT_NEAR(test.low, 0.00804612399832, 3e-13);
  EXPECT_NEAR(test.high, 0.0259538760017, 3e-13);
}

// worked_examples.md; the 95 % quantile of 3 degrees of freedom is 3.18, the 90 % one 2.35.
TEST(PairedTTest, FourFoldsOfTheLectures) {
  const auto differences = Less({.84, .82, .80, .82}, {.80, .79, .75, .82});
  const TTest at90 = PairedT(differences, 0.90), at95 = PairedT(differences, 0.95);
  EXPECT_NEAR(at95.statistic, 2.7774602993, 5.1e-11);
  EXPECT_EQ(at95.df, 3);
  EXPECT_NEAR(at90.critical, 2.35, 0.005);
  EXPECT_NEAR(at95.critical, 3.18, 0.005);
  EXPECT_GT(at90.low, 0);
  EXPECT_LT(at95.low, 0);
  EXPECT_NEAR(CorrectedT(differences, 1.0 / 3).statistic, 1.8182745802, 5.1e-11);
}

TEST(PairedTTest, OtherFourFoldsOfTheLectures) {
  const auto differences = Less({.90, .82, .76, .80}, {.83, .79, .79, .75});
  EXPECT_NEAR(PairedT(differences).mean, 0.03, 1e-15);
  EXPECT_NEAR(PairedT(differences).statistic, 1.3887301497, 5.1e-11);
  EXPECT_NEAR(CorrectedT(differences, 1.0 / 3).statistic, 0.9091372901, 5.1e-11);
}

TEST(PairedTTest, WithoutTheCorrectionOverlappingSplitsLookSignificant) {
  EXPECT_NEAR(PairedT(kTwoByFive).p, 0.0071146292, 5.1e-11);
  EXPECT_NEAR(PairedT(kFifteen).p, 0.0000797971, 5.1e-11);
}

TEST(PairedTTest, NoDifferenceAtAllHasPOneAndNoStatistic) {
  const TTest test = PairedT(std::vector<double>{0, 0, 0});
  EXPECT_FALSE(test.defined);
  EXPECT_EQ(test.undefined,
            "all differences are 0: without variance there is no statistic; p = 1 by convention");
  EXPECT_EQ(test.mean, 0);
  EXPECT_EQ(test.variance, 0);
  EXPECT_EQ(test.p, 1);
  EXPECT_EQ(test.p_greater, 0.5);
  EXPECT_EQ(test.p_less, 0.5);
  EXPECT_TRUE(std::isnan(test.statistic));
  EXPECT_TRUE(std::isnan(test.low));
  EXPECT_TRUE(std::isnan(test.high));
}

TEST(PairedTTest, EqualDifferencesHavePZeroAndNoStatistic) {
  const TTest test = PairedT(std::vector<double>{-0.25, -0.25, -0.25});
  EXPECT_FALSE(test.defined);
  EXPECT_EQ(
      test.undefined,
      "all differences are -0.25: without variance there is no statistic; p = 0 by convention");
  EXPECT_EQ(test.p, 0);
  EXPECT_EQ(test.p_greater, 1);
  EXPECT_EQ(test.p_less, 0);
  EXPECT_TRUE(std::isnan(test.statistic));
}

// 0.84 - 0.82 and 0.82 - 0.80 are not the same double: t would be 2e15.
TEST(PairedTTest, TheRoundingOfASubtractionIsNoVariance) {
  const auto differences = Less({.84, .82, .95, .30}, {.82, .80, .93, .28});
  ASSERT_NE(differences[0], differences[1]);
  const TTest test = PairedT(differences);
  EXPECT_FALSE(test.defined);
  EXPECT_EQ(test.variance, 0);
  EXPECT_EQ(test.p, 0);
}

// +x and -x sum to 0 but are not "all 0": there is a variance.
TEST(PairedTTest, OppositeDifferencesAreATest) {
  const TTest test = PairedT(std::vector<double>{0.1, -0.1});
  EXPECT_TRUE(test.defined);
  EXPECT_EQ(test.statistic, 0);
  EXPECT_EQ(test.p, 1);
  EXPECT_EQ(test.p_greater, 0.5);
}

TEST(PairedTTest, FewerThanTwoDifferencesHaveNoTest) {
  const TTest one = PairedT(std::vector<double>{0.1});
  EXPECT_FALSE(one.defined);
  EXPECT_EQ(one.undefined, "there is one difference; a variance needs two");
  EXPECT_EQ(one.mean, 0.1);
  EXPECT_TRUE(std::isnan(one.p));
  EXPECT_TRUE(std::isnan(one.df));
  const TTest none = CorrectedT({}, 0.1);
  EXPECT_EQ(none.undefined, "there are no differences; a variance needs two");
  EXPECT_TRUE(std::isnan(none.mean));
  EXPECT_TRUE(std::isnan(none.p));
}

TEST(PairedTTest, DifferencesWhoseSquaresAreNoNumbersHaveNoTest) {
  for (const double size : {1e300, 1e-200}) {
    const TTest test = PairedT(std::vector<double>{size, 2 * size, -size});
    EXPECT_FALSE(test.defined);
    EXPECT_EQ(test.undefined, "the squares of the differences overflow");
    EXPECT_TRUE(std::isnan(test.p));
  }
}

TEST(PairedTTest, SwappingTheModelsTurnsTheSign) {
  std::vector<double> swapped;
  for (const double d : kTwoByFive) swapped.push_back(-d);
  for (const double ratio : {0.1, 0.5}) {
    const TTest one = CorrectedT(kTwoByFive, ratio), other = CorrectedT(swapped, ratio);
    EXPECT_EQ(one.statistic, -other.statistic);
    EXPECT_EQ(one.p, other.p);
    EXPECT_EQ(one.p_greater, other.p_less);
    EXPECT_EQ(one.low, -other.high);
  }
}

TEST(PairedTTest, WhatIsNoNumberIsRefused) {
  EXPECT_EQ(RefusalOf([] {
              PairedT(std::vector<double>{0.1, std::nan("")});
            }),
            InvalidArgument(
                "cannot make the paired t test: difference 2 is nan; give finite numbers only"));
  EXPECT_EQ(RefusalOf([] { PairedT(kTenFolds, 0); }),
            InvalidArgument(
                "cannot make the paired t test: the confidence is 0; it must be between 0 and 1"));
}

TEST(CorrectedTTest, AgreesWithTheVectors) {
  for (const char* id : {"corrected_t_10fold", "corrected_t_2x5", "corrected_t_15_splits"}) {
    const auto vector = TestVector(id);
    const auto& in = vector["in"];
    ExpectVector(vector, CorrectedT(Numbers(in["d"]), in["test_train_ratio"]));
  }
}

TEST(CorrectedTTest, AgreesWithWeka) {
  EXPECT_NEAR(CorrectedT(kTenFolds, 1.0 / 9).p, 0.01606344579640275, 1e-14);
  EXPECT_NEAR(CorrectedT(kTwoByFive, 0.25).p, 0.09709719989807833, 1e-14);
}

TEST(CorrectedTTest, StandardErrorAndOneSidedPOfTheReference) {
  const TTest folds = CorrectedT(kTenFolds, 1.0 / 9);
  EXPECT_NEAR(folds.standard_error, 0.005751006353, 5.1e-13);
  EXPECT_NEAR(folds.p_greater, 0.008031722898, 5.1e-13);
  EXPECT_NEAR(folds.p_less, 1 - 0.008031722898, 5.1e-13);
  const TTest repeated = CorrectedT(kTwoByFive, 0.25);
  EXPECT_NEAR(repeated.standard_error, 0.010801234497, 5.1e-13);
  EXPECT_NEAR(repeated.p_greater, 0.048548599949, 5.1e-13);
  const TTest random = CorrectedT(kFifteen, 0.5);
  EXPECT_NEAR(random.standard_error, 0.005382393402, 5.1e-13);
  EXPECT_NEAR(random.p_greater, 0.040345886326, 5.1e-13);
}

TEST(CorrectedTTest, IsNeverSurerThanTheUncorrectedTest) {
  for (const auto& differences : {kTenFolds, kTwoByFive, kFifteen}) {
    const TTest plain = PairedT(differences);
    for (const double ratio : {1e-3, 0.1, 0.5, 3.0}) {
      const TTest corrected = CorrectedT(differences, ratio);
      EXPECT_LT(std::fabs(corrected.statistic), std::fabs(plain.statistic));
      EXPECT_GT(corrected.p, plain.p);
      EXPECT_LT(corrected.low, plain.low);
      EXPECT_GT(corrected.high, plain.high);
      EXPECT_LE(corrected.low, corrected.mean);
      EXPECT_GE(corrected.high, corrected.mean);
    }
  }
}

TEST(CorrectedTTest, ARatioIsAPositiveNumber) {
  for (const double ratio : {0.0, -1.0, std::nan(""), std::numeric_limits<double>::infinity()}) {
    EXPECT_ANY_THROW(CorrectedT(kTenFolds, ratio));
  }
  EXPECT_EQ(
      RefusalOf([] { CorrectedT(kTenFolds, 0); }),
      InvalidArgument("cannot make the corrected t test: test rows / training rows of a split is "
                      "0, which is not a number above 0; for k folds it is 1/(k-1)"));
}

using FiveByTwo = std::array<std::array<double, 2>, 5>;
constexpr FiveByTwo kFiveByTwo = {{{.02, .04}, {.03, .01}, {.01, .03}, {.04, .02}, {.02, .05}}};

// frameworks.md 4.4; the mean is 0.27 / 10.
TEST(FiveByTwoCvTest, AgreesWithTheReference) {
  const FiveByTwoTest test = FiveByTwoCv(kFiveByTwo);
  EXPECT_TRUE(test.defined);
  EXPECT_NEAR(test.mean, 0.027, 1e-16);
  EXPECT_NEAR(test.t, 1.2649110641, 5.1e-11);
  EXPECT_EQ(test.t_df, 5);
  EXPECT_NEAR(test.t_p, 0.2616517663, 5.1e-11);
  EXPECT_NEAR(test.f, 3.56, 1e-13);
  EXPECT_EQ(test.f_df1, 10);
  EXPECT_EQ(test.f_df2, 5);
  EXPECT_NEAR(test.f_p, 0.0868318953, 5.1e-11);
}

TEST(FiveByTwoCvTest, OnlyTDependsOnWhichReplicationIsFirst) {
  FiveByTwo turned = kFiveByTwo;
  std::swap(turned[0], turned[3]);
  EXPECT_NEAR(FiveByTwoCv(turned).t, 2 * FiveByTwoCv(kFiveByTwo).t, 1e-12);
  EXPECT_NEAR(FiveByTwoCv(turned).f, FiveByTwoCv(kFiveByTwo).f, 1e-14);
}

TEST(FiveByTwoCvTest, SwappingTheModelsTurnsTheSignOfT) {
  FiveByTwo swapped = kFiveByTwo;
  for (auto& [first, second] : swapped) {
    first = -first;
    second = -second;
  }
  EXPECT_EQ(FiveByTwoCv(swapped).t, -FiveByTwoCv(kFiveByTwo).t);
  EXPECT_EQ(FiveByTwoCv(swapped).f, FiveByTwoCv(kFiveByTwo).f);
}

TEST(FiveByTwoCvTest, ReplicationsWithoutVarianceHaveNoStatistic) {
  const FiveByTwoTest same = FiveByTwoCv({{{0, 0}, {.1, .1}, {.2, .2}, {0, 0}, {0, 0}}});
  EXPECT_FALSE(same.defined);
  EXPECT_EQ(same.undefined,
            "the two differences of every replication are equal: without variance there is no "
            "statistic; p = 0 by convention, or 1 where the differences are 0");
  EXPECT_EQ(same.t_p, 1);  // the first difference is 0
  EXPECT_EQ(same.f_p, 0);
  EXPECT_TRUE(std::isnan(same.t));
  EXPECT_TRUE(std::isnan(same.f));
  EXPECT_EQ(FiveByTwoCv({}).f_p, 1);
  EXPECT_EQ(FiveByTwoCv({}).t_p, 1);
}

TEST(FiveByTwoCvTest, SquaresOutOfRangeHaveNoP) {
  const FiveByTwoTest test = FiveByTwoCv({{{1e300, 0}, {1, 2}, {1, 2}, {1, 2}, {1, 2}}});
  EXPECT_FALSE(test.defined);
  EXPECT_EQ(test.undefined, "the squares of the differences overflow");
  EXPECT_TRUE(std::isnan(test.t_p));
  EXPECT_TRUE(std::isnan(test.f_p));
}

TEST(FiveByTwoCvTest, WhatIsNoNumberIsRefused) {
  EXPECT_EQ(RefusalOf([] {
              FiveByTwoCv({{{0, 1}, {0, std::nan("")}, {}, {}, {}}});
            }),
            InvalidArgument("cannot make the 5x2cv test: replication 2: difference 2 is nan; give "
                            "finite numbers only"));
}

TEST(BayesCorrelatedTTest, AgreesWithTheVectors) {
  for (const char* id : {"bayes_corr_t_10fold", "bayes_corr_t_2x5"}) {
    const auto vector = TestVector(id);
    const auto& in = vector["in"];
    const CorrelatedBayes result = BayesCorrelatedT(Numbers(in["d"]), in["rho"], in["rope"]);
    EXPECT_TRUE(result.defined);
    EXPECT_NEAR(result.left, vector["out"]["left"], vector["tol"]);
    EXPECT_NEAR(result.rope, vector["out"]["rope"], vector["tol"]);
    EXPECT_NEAR(result.right, vector["out"]["right"], vector["tol"]);
  }
}

TEST(BayesCorrelatedTTest, WithoutARopeItIsOneLessTheOneSidedP) {
  const CorrelatedBayes result = BayesCorrelatedT(kTenFolds, 0.1, 0);
  EXPECT_NEAR(result.right, 0.991968277102, 5.1e-13);
  EXPECT_EQ(result.rope, 0);
  const TTest test = CorrectedT(kTenFolds, 1.0 / 9);
  EXPECT_NEAR(result.right, 1 - test.p_greater, 1e-14);
  EXPECT_NEAR(result.scale, test.standard_error, 1e-16);
  EXPECT_NEAR(result.low, test.low, 1e-15);
  EXPECT_NEAR(result.high, test.high, 1e-15);
}

TEST(BayesCorrelatedTTest, ProbabilitiesSumToOneAndMirror) {
  std::vector<double> swapped;
  for (const double d : kTenFolds) swapped.push_back(-d);
  for (const double rope : {0.0, 0.001, 0.01, 0.1, 5.0}) {
    const CorrelatedBayes one = BayesCorrelatedT(kTenFolds, 0.1, rope);
    const CorrelatedBayes other = BayesCorrelatedT(swapped, 0.1, rope);
    EXPECT_NEAR(one.left + one.rope + one.right, 1, 1e-15);
    EXPECT_NEAR(one.left, other.right, 1e-16);
    EXPECT_NEAR(one.rope, other.rope, 1e-15);
  }
}

TEST(BayesCorrelatedTTest, WithoutVarianceAllProbabilityIsAtTheMean) {
  const std::vector<double> equal = {0.02, 0.02, 0.02};
  const CorrelatedBayes outside = BayesCorrelatedT(equal, 0.1, 0.01);
  EXPECT_FALSE(outside.defined);
  EXPECT_EQ(outside.undefined,
            "all differences are 0.02: the posterior has no width; all of its probability is at "
            "the mean by convention");
  EXPECT_EQ(outside.left, 0);
  EXPECT_EQ(outside.rope, 0);
  EXPECT_EQ(outside.right, 1);
  EXPECT_TRUE(std::isnan(outside.low));
  EXPECT_EQ(BayesCorrelatedT(equal, 0.1, 0.05).rope, 1);
  EXPECT_EQ(BayesCorrelatedT(std::vector<double>{0, 0}, 0.1, 0).rope, 1);
}

TEST(BayesCorrelatedTTest, OneDifferenceHasNoPosterior) {
  const CorrelatedBayes result = BayesCorrelatedT(std::vector<double>{0.1}, 0.1, 0.01);
  EXPECT_FALSE(result.defined);
  EXPECT_EQ(result.undefined, "there is one difference; a variance needs two");
  EXPECT_TRUE(std::isnan(result.right));
}

TEST(BayesCorrelatedTTest, RhoAndRopeOutOfRangeAreRefused) {
  EXPECT_EQ(RefusalOf([] { BayesCorrelatedT(kTenFolds, 1, 0); }),
            InvalidArgument("cannot make the Bayesian correlated t test: the correlation rho is 1, "
                            "not at least 0 and below 1; it is test rows / all rows of a split"));
  EXPECT_EQ(RefusalOf([] { BayesCorrelatedT(kTenFolds, 0.1, -0.01); }),
            InvalidArgument(
                "cannot make the Bayesian correlated t test: the region of practical equivalence "
                "[-rope, rope] has rope -0.01; use a number of at least 0, such as 0.01"));
}

// The closed form of two degrees of freedom: t = (2 p - 1) sqrt(2 / (4 p (1 - p))).
TEST(PairedTTest, AConfidenceNextToOneHasAFiniteInterval) {
  const double tail = 0x1p-54;  // half of 1 - confidence
  const TTest test = PairedT(std::vector<double>{1, 2, 4}, 1 - 2 * tail);
  const double critical = (1 - 2 * tail) * std::sqrt(2 / (4 * tail * (1 - tail)));
  EXPECT_NEAR(test.critical / critical, 1, 1e-9);
  EXPECT_TRUE(std::isfinite(test.low) && std::isfinite(test.high));
}

const std::vector<double> kFirst = {.82, .85, .79, .88, .84};
const std::vector<double> kSecond = {.80, .70, .81, .77};

// scipy.stats.ttest_ind(a, b, equal_var=False); the ends of the interval with SciPy's t.ppf, which
// is right to 1e-10 only.
TEST(UnpairedTTest, WithoutOverlapItIsWelch) {
  const UnpairedT welch = CompareUnpaired({kFirst}, {kSecond}, 0.95);
  ASSERT_TRUE(welch.defined);
  EXPECT_NEAR(welch.statistic, 2.273610300264392, 1e-12);
  EXPECT_NEAR(welch.df, 5.08919924093433, 1e-12);
  EXPECT_NEAR(welch.p, 0.07118655206319303, 1e-13);
  EXPECT_NEAR(welch.low, -0.00822903130646592, 1e-9);
  EXPECT_NEAR(welch.high, 0.1402290313064658, 1e-9);
}

// The same formula in Python with variances times (1 / J + ratio).
TEST(UnpairedTTest, OverlapWidensTheInterval) {
  const UnpairedT corrected = CompareUnpaired({kFirst, 0.25}, {kSecond, 1.0 / 3}, 0.95);
  EXPECT_NEAR(corrected.difference, 0.066, 1e-15);
  EXPECT_NEAR(corrected.statistic, 1.4956073530577108, 1e-12);
  EXPECT_NEAR(corrected.p, 0.19472266393014742, 1e-12);
  EXPECT_NEAR(corrected.low, -0.04727209661727835, 1e-9);
}

// Splits that come back three times are no more than the splits once.
TEST(CorrectedTTest, SplitsThatComeBackCountOnce) {
  std::vector<double> thrice;
  for (int i = 0; i < 3; ++i) thrice.insert(thrice.end(), kFirst.begin(), kFirst.end());
  const TTest once = CorrectedT(kFirst, 0.25), all = CorrectedT(thrice, 0.25, 0.95, 5);
  EXPECT_EQ(all.n, 15);
  EXPECT_EQ(all.df, 4);
  EXPECT_NEAR(all.p, once.p, 1e-15);
  EXPECT_NEAR(all.low, once.low, 1e-14);
  EXPECT_NEAR(all.high, once.high, 1e-14);
  EXPECT_LT(CorrectedT(thrice, 0.25).high, once.high - 0.01);
  EXPECT_EQ(CorrectedT(thrice, 0.25, 0.95, 1).undefined,
            "all differences are of one split; a variance needs two");

  const CorrelatedBayes bayes = BayesCorrelatedT(thrice, 0.2, 0.8, 0.95, 5);
  EXPECT_NEAR(bayes.rope, BayesCorrelatedT(kFirst, 0.2, 0.8).rope, 1e-14);
  const UnpairedT unpaired = CompareUnpaired({thrice, 0.25, 5}, {kSecond, 0.25}, 0.95);
  EXPECT_NEAR(unpaired.p, CompareUnpaired({kFirst, 0.25}, {kSecond, 0.25}, 0.95).p, 1e-14);
}

TEST(UnpairedTTest, WithoutScoresOrSpreadItIsUndefined) {
  const std::vector<double> single = {.8};
  const UnpairedT one = CompareUnpaired({kFirst}, {single}, 0.95);
  EXPECT_FALSE(one.defined);
  EXPECT_EQ(one.undefined, "a learner has fewer than 2 scores");
  EXPECT_TRUE(std::isnan(one.p));
  const std::vector<double> flat = {.5, .5};
  EXPECT_EQ(CompareUnpaired({flat}, {flat}, 0.95).undefined,
            "no score differs from the others of its learner");
}

void ExpectUnpairedRefused(const std::vector<double>& scores, double ratio, double confidence,
                           const std::string& finding) {
  EXPECT_EQ(test::MessageOf([&] {
              CompareUnpaired({scores, ratio}, {kSecond}, confidence);
            }),
            "cannot compare scores of different splits: " + finding);
}

TEST(UnpairedTTest, BadNumbersAreRefused) {
  ExpectUnpairedRefused({0.5, std::nan("")}, 0, 0.95,
                        "a score is not finite; leave such splits out");
  ExpectUnpairedRefused(kFirst, -1, 0.95,
                        "a ratio of test to training rows is negative or not finite");
  ExpectUnpairedRefused(kFirst, 0, 0, "the confidence is outside (0, 1); use 0.95 for 95 %");
}

}  // namespace
}  // namespace crossfold::stats
