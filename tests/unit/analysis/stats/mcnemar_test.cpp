// Numbers of frameworks.md 4.5 (statsmodels mcnemar, R mcnemar.test) and of
// tests/data/vectors.json.
#include "crossfold/stats/mcnemar.h"

#include <gtest/gtest.h>

#include <cmath>

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
  EXPECT_EQ(
      RefusalOf([] { McNemar(3, -1); }),
      InvalidArgument("cannot make McNemar's test: -1 is not a number of rows; count the rows on "
                      "which only one model is right"));
  EXPECT_EQ(
      RefusalOf([] { McNemar(std::numeric_limits<std::int64_t>::max(), 1); }),
      InvalidArgument("cannot make McNemar's test: 9223372036854775807 is not a number of rows; "
                      "count the rows on which only one model is right"));
}

}  // namespace
}  // namespace crossfold::stats
