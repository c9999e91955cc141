#include "crossfold/stats/cochran_q.h"

#include <gtest/gtest.h>

#include <cmath>

#include "crossfold/stats/mcnemar.h"
#include "unit/engine/data/refusal.h"

namespace crossfold::stats {
namespace {

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
  EXPECT_EQ(RefusalOf([] {
              CochranQ(Right{1, 0}, 1);
            }),
            InvalidArgument("cannot make Cochran's Q test: the number of models is 1; it compares "
                            "two or more"));
  EXPECT_EQ(
      RefusalOf([] {
        CochranQ(Right{1, 0, 1}, 2);
      }),
      InvalidArgument("cannot make Cochran's Q test: 3 entries do not make whole rows of 2 models; "
                      "give one entry per row and model"));
  EXPECT_EQ(
      RefusalOf([] {
        CochranQ(Right{1, 2}, 2);
      }),
      InvalidArgument("cannot make Cochran's Q test: an entry is 2; use 1 for right and 0 for "
                      "wrong"));
}

}  // namespace
}  // namespace crossfold::stats
