// Numbers of frameworks.md 4.5 (statsmodels mcnemar, R mcnemar.test) and of
// tests/data/vectors.json.
#include <gtest/gtest.h>

#include <cmath>

#include "crossfold/error.h"
#include "crossfold/stats/cochran_q.h"
#include "crossfold/stats/mcnemar.h"
#include "crossfold/stats/paired_proportions.h"
#include "unit/engine/data/refusal.h"
#include "vectors.h"

namespace crossfold::stats {
namespace {

constexpr McNemarMethod kMcNemarMethods[] = {McNemarMethod::kExact, McNemarMethod::kMidP,
                                             McNemarMethod::kChiSquared, McNemarMethod::kCorrected};

TEST(McNemarTest, AgreesWithTheVectors) {
  for (const char* id :
       {"mcnemar_86_150", "mcnemar_3_12", "mcnemar_25_15", "mcnemar_0_6", "mcnemar_5_5"}) {
    const auto vector = TestVector(id);
    const auto& out = vector["out"];
    const double tolerance = vector["tol"];
    const std::int64_t b = vector["in"]["b"], c = vector["in"]["c"];
    const auto plain = McNemar(b, c, McNemarMethod::kChiSquared);
    EXPECT_NEAR(plain.statistic, out["chi2"], tolerance) << id;
    EXPECT_NEAR(plain.p, out["p"], tolerance) << id;
    EXPECT_EQ(plain.df, 1);
    const auto corrected = McNemar(b, c, McNemarMethod::kCorrected);
    EXPECT_NEAR(corrected.statistic, out["chi2_cc"], tolerance) << id;
    EXPECT_NEAR(corrected.p, out["p_cc"], tolerance) << id;
    EXPECT_NEAR(McNemar(b, c, McNemarMethod::kExact).p, out["p_exact"], tolerance) << id;
    if (b == c) continue;  // the mid-p there takes twice the probability of what was observed
    EXPECT_NEAR(McNemar(b, c, McNemarMethod::kMidP).p, out["p_mid"], tolerance) << id;
  }
}

// 1 - P(X = b) / 2: M. W. Fagerland, S. Lydersen, P. Laake, BMC Med. Res. Methodol. 13:91 (2013).
TEST(McNemarTest, TheMidPOfEqualCountsTakesTheirProbabilityOnce) {
  EXPECT_DOUBLE_EQ(McNemar(1, 1, McNemarMethod::kMidP).p, 1 - 2 / 4.0 / 2);
  EXPECT_DOUBLE_EQ(McNemar(3, 3, McNemarMethod::kMidP).p, 1 - 20 / 64.0 / 2);
  EXPECT_DOUBLE_EQ(McNemar(5, 5, McNemarMethod::kMidP).p, 1 - 252 / 1024.0 / 2);
}

// The small probabilities of the table, relative.
TEST(McNemarTest, AgreesWithTheReferenceInTheTails) {
  EXPECT_NEAR(McNemar(86, 150, McNemarMethod::kChiSquared).p / 3.0992934410e-05, 1, 1e-9);
  EXPECT_NEAR(McNemar(86, 150, McNemarMethod::kCorrected).p / 4.1145622813e-05, 1, 1e-9);
  EXPECT_NEAR(McNemar(86, 150, McNemarMethod::kExact).p / 3.7159361e-05, 1, 1e-7);
  EXPECT_NEAR(McNemar(86, 150, McNemarMethod::kMidP).p / 2.8933895e-05, 1, 1e-7);
  EXPECT_NEAR(McNemar(25, 15, McNemarMethod::kExact).p, 0.153859944163, 5.1e-13);
  EXPECT_NEAR(McNemar(25, 15, McNemarMethod::kMidP).p, 0.117275205957, 5.1e-13);
}

TEST(McNemarTest, IsExactUnlessAskedOtherwise) {
  EXPECT_EQ(McNemar(0, 6).p, 0.03125);  // 2 / 64
  EXPECT_TRUE(std::isnan(McNemar(0, 6).statistic));
}

TEST(McNemarTest, SwappingTheModelsChangesNothing) {
  for (const McNemarMethod method : kMcNemarMethods) {
    for (std::int64_t b = 0; b < 12; ++b) {
      for (std::int64_t c = b + 1; c < 12; ++c) {
        EXPECT_EQ(McNemar(b, c, method).p, McNemar(c, b, method).p);
        EXPECT_LE(McNemar(b, c, McNemarMethod::kMidP).p, McNemar(b, c, McNemarMethod::kExact).p);
        EXPECT_LE(McNemar(b, c, McNemarMethod::kChiSquared).p,
                  McNemar(b, c, McNemarMethod::kCorrected).p);
      }
    }
  }
}

TEST(McNemarTest, ModelsThatNeverDifferAreFlagged) {
  for (const McNemarMethod method : kMcNemarMethods) {
    const auto test = McNemar(0, 0, method);
    EXPECT_FALSE(test.defined);
    EXPECT_EQ(test.undefined,
              "there is no row on which only one of the models is right: nothing was tested; p = 1 "
              "by convention");
    EXPECT_EQ(test.p, 1);
    EXPECT_TRUE(std::isnan(test.statistic));
  }
}

TEST(McNemarTest, WhatIsNoNumberOfRowsIsRefused) {
  EXPECT_EQ(RefusalOf([] { McNemar(3, -1); }),
            InvalidArgument("cannot make McNemar's test: -1 is not a number of rows; count the "
                            "rows on which only one model is right"));
  EXPECT_EQ(RefusalOf([] { McNemar(std::numeric_limits<std::int64_t>::max(), 1); }),
            InvalidArgument("cannot make McNemar's test: 9223372036854775807 is not a number of "
                            "rows; count the rows on which only one model is right"));
}

using Right = std::vector<std::uint8_t>;

// frameworks.md 4.5 (statsmodels cochrans_q agrees): rows 111 101 110 000 100 111 100 110 010 101.
TEST(CochranQTest, AgreesWithStatsmodels) {
  const Right right = {1, 1, 1, 1, 0, 1, 1, 1, 0, 0, 0, 0, 1, 0, 0,
                       1, 1, 1, 1, 0, 0, 1, 1, 0, 0, 1, 0, 1, 0, 1};
  const CochranTest test = CochranQ(right, 3);
  EXPECT_TRUE(test.defined);
  EXPECT_EQ(test.rows, 10);
  EXPECT_EQ(test.correct, (std::vector<std::int64_t>{8, 5, 4}));
  EXPECT_NEAR(test.statistic, 3.7142857143, 5.1e-11);
  EXPECT_EQ(test.df, 2);
  EXPECT_NEAR(test.p, 0.1561180453, 5.1e-11);
}

// Cochran 1950: for two models Q is McNemar's statistic; b = 3, c = 5.
TEST(CochranQTest, OfTwoModelsIsMcNemarWithoutCorrection) {
  const Right right = {1, 0, 1, 0, 1, 0, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 1, 1, 1, 1, 0, 0};
  const McNemarTest mcnemar = McNemar(3, 5, McNemarMethod::kChiSquared);
  EXPECT_DOUBLE_EQ(CochranQ(right, 2).statistic, mcnemar.statistic);
  EXPECT_DOUBLE_EQ(CochranQ(right, 2).p, mcnemar.p);
}

TEST(CochranQTest, RowsOnWhichAllAgreeChangeNothing) {
  const Right few = {1, 0, 0, 1, 1, 0};
  const Right many = {1, 0, 0, 1, 1, 0, 1, 1, 1, 0, 0, 0};
  EXPECT_EQ(CochranQ(few, 3).statistic, CochranQ(many, 3).statistic);
}

TEST(CochranQTest, ModelsThatAlwaysAgreeAreFlagged) {
  const CochranTest test = CochranQ(Right{1, 1, 1, 0, 0, 0}, 3);
  EXPECT_FALSE(test.defined);
  EXPECT_EQ(test.undefined,
            "the models agree on every row: nothing was tested; p = 1 by convention");
  EXPECT_EQ(test.p, 1);
  EXPECT_TRUE(std::isnan(test.statistic));
}

TEST(CochranQTest, NoRowsHaveNoTest) {
  const CochranTest test = CochranQ({}, 3);
  EXPECT_FALSE(test.defined);
  EXPECT_EQ(test.undefined, "there are no rows");
  EXPECT_TRUE(std::isnan(test.p));
}

TEST(CochranQTest, OneModelBrokenRowsAndOtherEntriesAreRefused) {
  EXPECT_EQ(
      RefusalOf([] {
        CochranQ(Right{1, 0}, 1);
      }),
      InvalidArgument(
          "cannot make Cochran's Q test: the number of models is 1; it compares two or more"));
  EXPECT_EQ(RefusalOf([] {
              CochranQ(Right{1, 0, 1}, 2);
            }),
            InvalidArgument("cannot make Cochran's Q test: 3 entries do not make whole rows of 2 "
                            "models; give one entry per row and model"));
  EXPECT_EQ(RefusalOf([] {
              CochranQ(Right{1, 2}, 2);
            }),
            InvalidArgument(
                "cannot make Cochran's Q test: an entry is 2; use 1 for right and 0 for wrong"));
}

// The formula of Agresti and Min in Python: N = n + 2; d = (b - c) / N;
// d -+ norm.ppf(.975) * sqrt((b + c + 1 - (b - c)**2 / N)) / N
TEST(PairedProportionsTest, AgreesWithTheFormula) {
  const PairedProportions many = ComparePaired(86, 150, 1600, 0.95);
  ASSERT_TRUE(many.defined);
  EXPECT_NEAR(many.difference, -0.04, 1e-15);
  EXPECT_NEAR(many.low, -0.05868293572597245, 1e-14);
  EXPECT_NEAR(many.high, -0.021217189117972622, 1e-14);
  const PairedProportions few = ComparePaired(3, 12, 100, 0.95);
  EXPECT_NEAR(few.low, -0.16316494899885786, 1e-14);
  EXPECT_NEAR(few.high, -0.013305639236436254, 1e-14);
}

TEST(PairedProportionsTest, SwappingTheModelsMirrorsTheInterval) {
  const PairedProportions ab = ComparePaired(7, 19, 64, 0.9);
  const PairedProportions ba = ComparePaired(19, 7, 64, 0.9);
  EXPECT_EQ(ab.difference, -ba.difference);
  EXPECT_EQ(ab.low, -ba.high);
  EXPECT_EQ(ab.high, -ba.low);
}

TEST(PairedProportionsTest, AgreementOfAllRowsStillHasAnIntervalOfSomeWidth) {
  const PairedProportions same = ComparePaired(0, 0, 10, 0.95);
  EXPECT_EQ(same.difference, 0);
  EXPECT_NEAR(same.high, 0.1633303320450045, 1e-14);
}

TEST(PairedProportionsTest, TheIntervalStaysWithinItsRange) {
  EXPECT_EQ(ComparePaired(0, 6, 6, 0.95).low, -1);
}

TEST(PairedProportionsTest, NoRowsAreUndefined) {
  const PairedProportions none = ComparePaired(0, 0, 0, 0.95);
  EXPECT_FALSE(none.defined);
  EXPECT_EQ(none.undefined, "there are no rows");
}

void ExpectPairedRefused(std::int64_t b, std::int64_t c, std::int64_t n, double confidence,
                         const std::string& finding) {
  EXPECT_EQ(test::MessageOf([&] { ComparePaired(b, c, n, confidence); }),
            "cannot compare two shares of the same rows: " + finding);
}

TEST(PairedProportionsTest, ImpossibleCountsAreRefused) {
  ExpectPairedRefused(-1, 0, 5, 0.95, "a count is negative; counts are 0 or more");
  ExpectPairedRefused(3, 3, 5, 0.95, "more rows differ than there are; count each row once");
  ExpectPairedRefused(1, 1, 5, 1, "the confidence is outside (0, 1); use 0.95 for 95 %");
}

}  // namespace
}  // namespace crossfold::stats
