// Numbers of statsmodels 0.13.5:
//   multipletests([.01, .04, .03, .005, .2, .04], method=m)[1]
#include "crossfold/stats/multiple_testing.h"

#include <gtest/gtest.h>

#include <cmath>

#include "unit/engine/data/refusal.h"

namespace crossfold::stats {
namespace {

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
