// Values of SciPy 1.10.1 (scipy.stats), 15 digits.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "analysis/stats/distributions.h"
#include "crossfold/stats/multiple_testing.h"
#include "unit/engine/data/refusal.h"

namespace crossfold::stats {
namespace {

TEST(DistributionsTest, NormalAgreesWithSciPy) {
  EXPECT_NEAR(NormalQuantile(0.975), 1.959963984540054, 1e-14);   // norm.ppf(.975)
  EXPECT_NEAR(NormalCdf(1.0), 0.841344746068543, 1e-14);          // norm.cdf(1)
  EXPECT_NEAR(NormalUpper(8.0) / 6.22096057427178e-16, 1, 1e-9);  // norm.sf(8)
}

TEST(DistributionsTest, StudentAgreesWithSciPy) {
  EXPECT_NEAR(2 * StudentUpper(4.2949747974, 9), 0.00200537883871, 1e-11);  // frameworks.md 4.3
}

// By the closed form for odd degrees of freedom with 40 decimals the value of x has the lower tail
// 0.975 to 3e-17. SciPy 1.10 (t.ppf) gives 2.2621571627409915, whose tail is off by 2.3e-12.
TEST(DistributionsTest, StudentQuantileIsExacterThanSciPys) {
  EXPECT_NEAR(StudentQuantile(0.975, 9), 2.2621571627982049, 1e-14);
}

TEST(DistributionsTest, TailsAgreeWithTheReference) {
  EXPECT_NEAR(ChiSquaredUpper(5.4, 1), 0.0201367516, 1e-10);        // frameworks.md 4.5
  EXPECT_NEAR(FisherUpper(3.56, 10, 5), 0.0868318953, 1e-10);       // frameworks.md 4.4
  EXPECT_NEAR(BetaQuantile(0.025, 85, 16), 0.764692499851, 1e-11);  // frameworks.md 4.1
  EXPECT_NEAR(2 * BinomialCdf(3, 15, 0.5), 0.03515625, 1e-15);      // frameworks.md 4.5
}

// scipy.stats: chi2.ppf(0.025, 7), chi2.isf(0.025, 7), f.isf(0.025, 3, 8).
TEST(DistributionsTest, QuantilesOfSquaresAgreeWithSciPy) {
  EXPECT_NEAR(ChiSquaredQuantile(0.025, 7), 1.689869180677355, 1e-12);
  EXPECT_NEAR(ChiSquaredUpperQuantile(0.025, 7), 16.012764274629323, 1e-11);
  EXPECT_NEAR(FisherUpperQuantile(0.025, 3, 8), 5.415962339560236, 1e-10);
}

TEST(DistributionsTest, NoncentralStudentWithoutNoncentralityIsStudent) {
  for (const double t : {-2.0, 0.0, 0.7, 3.1}) {
    EXPECT_NEAR(NoncentralStudentCdf(t, 7, 0), StudentCdf(t, 7), 1e-13);
    EXPECT_NEAR(NoncentralStudentUpper(t, 7, 0), StudentUpper(t, 7), 1e-13);
  }
}

// scipy.stats.studentized_range.ppf(.95, k, inf) / sqrt(2), SciPy 1.10.1, k = 2 .. 10.
TEST(StudentizedRangeTest, QuantilesAgreeWithSciPy) {
  const double at_05[] = {1.9599639845400534, 2.343700586378409,  2.569031772546482,
                          2.7277743708703763, 2.8497054196100016, 2.9483200175296744,
                          3.030878449614413,  3.1017303413033805, 3.163683577053373};
  for (int k = 2; k <= 10; ++k) {
    EXPECT_NEAR(StudentizedRangeUpperQuantile(0.05, k) / std::numbers::sqrt2, at_05[k - 2], 1e-11)
        << k;
  }
}

// qtukey(.95, k, Inf) / sqrt(2) and qtukey(.90, ...) of R, k = 2 .. 10: frameworks.md 4.7. R finds
// its quantiles to 1e-4 only by contract; here SciPy and this program agree with each other to
// 1e-11 and differ from R by up to 1.8e-7, so that is R's own error.
TEST(StudentizedRangeTest, QuantilesAgreeWithR) {
  const double at_05[] = {1.959963985, 2.343700588, 2.569031777, 2.727774383, 2.849705443,
                          2.948320061, 3.030878523, 3.101730458, 3.163683754};
  const double at_10[] = {1.644853627, 2.052292731, 2.291341497, 2.459515764, 2.588520602,
                          2.692732101, 2.779883609, 2.854606432, 2.919888841};
  for (int k = 2; k <= 10; ++k) {
    EXPECT_NEAR(StudentizedRangeUpperQuantile(0.05, k) / std::numbers::sqrt2, at_05[k - 2], 2e-7)
        << k;
    EXPECT_NEAR(StudentizedRangeUpperQuantile(0.10, k) / std::numbers::sqrt2, at_10[k - 2], 2e-7)
        << k;
  }
}

// scipy.stats.studentized_range.cdf(q, k, inf), SciPy 1.10.1.
TEST(StudentizedRangeTest, ProbabilitiesAgreeWithSciPy) {
  EXPECT_NEAR(1 - StudentizedRangeUpper(3.5, 5), 0.9036615360345732, 1e-10);
  EXPECT_NEAR(1 - StudentizedRangeUpper(0.5, 3), 0.06657805486471302, 1e-10);
  EXPECT_NEAR(1 - StudentizedRangeUpper(4, 100), 0.029994312777844916, 1e-10);
  EXPECT_NEAR(1 - StudentizedRangeUpper(6, 1000), 0.16076375765132397, 1e-10);
  EXPECT_NEAR(StudentizedRangeUpper(8, 10), 6.894622225361857e-07, 1e-12);
}

// The range of two values is normal with variance 2, however far out.
TEST(StudentizedRangeTest, OfTwoValuesIsAFoldedNormal) {
  for (const double z : {0.01, 0.5, 1.0, 3.0, 8.0, 20.0}) {
    const double exact = 2 * NormalUpper(z);
    EXPECT_NEAR(StudentizedRangeUpper(z * std::numbers::sqrt2, 2) / exact, 1, 1e-11) << z;
  }
}

TEST(StudentizedRangeTest, QuantilesInvertTheProbabilities) {
  for (const std::int64_t k : {2, 4, 30}) {
    for (const double upper : {1e-9, 0.01, 0.5, 0.99}) {
      const double q = StudentizedRangeUpperQuantile(upper, k);
      EXPECT_NEAR(StudentizedRangeUpper(q, k) / upper, 1, 1e-10) << k << ' ' << upper;
    }
  }
}

// Numbers of statsmodels 0.13.5:
//   multipletests([.01, .04, .03, .005, .2, .04], method=m)[1]
const std::vector<double> kP = {0.01, 0.04, 0.03, 0.005, 0.2, 0.04};

void ExpectNear(const std::vector<double>& values, const std::vector<double>& expected) {
  ASSERT_EQ(values.size(), expected.size());
  for (std::size_t i = 0; i < values.size(); ++i) EXPECT_NEAR(values[i], expected[i], 1e-16) << i;
}

TEST(AdjustPTest, AgreesWithStatsmodels) {
  ExpectNear(AdjustP(kP, Adjustment::kBonferroni), {0.06, 0.24, 0.18, 0.03, 1.0, 0.24});
  ExpectNear(AdjustP(kP, Adjustment::kHolm), {0.05, 0.12, 0.12, 0.03, 0.2, 0.12});
  ExpectNear(AdjustP(kP, Adjustment::kHochberg), {0.05, 0.08, 0.08, 0.03, 0.2, 0.08});
  ExpectNear(AdjustP(kP, Adjustment::kBenjaminiHochberg), {0.03, 0.048, 0.048, 0.03, 0.2, 0.048});
}

TEST(AdjustPTest, OneAdjustmentNeverExceedsTheNext) {
  const auto bonferroni = AdjustP(kP, Adjustment::kBonferroni);
  const auto holm = AdjustP(kP, Adjustment::kHolm);
  const auto hochberg = AdjustP(kP, Adjustment::kHochberg);
  const auto fdr = AdjustP(kP, Adjustment::kBenjaminiHochberg);
  for (std::size_t i = 0; i < kP.size(); ++i) {
    EXPECT_LE(kP[i], fdr[i]);
    EXPECT_LE(fdr[i], hochberg[i]);
    EXPECT_LE(hochberg[i], holm[i]);
    EXPECT_LE(holm[i], bonferroni[i]);
  }
}

TEST(AdjustPTest, OnePStaysAsItIsAndNoneGivesNone) {
  for (const auto adjustment : {Adjustment::kBonferroni, Adjustment::kHolm, Adjustment::kHochberg,
                                Adjustment::kBenjaminiHochberg}) {
    EXPECT_EQ(AdjustP(std::vector<double>{0.3}, adjustment), (std::vector<double>{0.3}));
    EXPECT_TRUE(AdjustP({}, adjustment).empty());
  }
}

TEST(AdjustPTest, WhatIsNoProbabilityIsRefused) {
  EXPECT_EQ(RefusalOf([] {
              AdjustP(std::vector<double>{0.1, 1.5}, Adjustment::kHolm);
            }),
            InvalidArgument("cannot adjust p-values: p-value 2 is 1.5, not a number from 0 to 1; "
                            "leave out tests that have none"));
  EXPECT_EQ(RefusalOf([] { AdjustP(std::vector<double>{std::nan("")}, Adjustment::kHolm); }),
            InvalidArgument("cannot adjust p-values: p-value 1 is nan, not a number from 0 to 1; "
                            "leave out tests that have none"));
}

}  // namespace
}  // namespace crossfold::stats
