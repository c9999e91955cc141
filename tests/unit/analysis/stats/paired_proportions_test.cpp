#include "crossfold/stats/paired_proportions.h"

#include <gtest/gtest.h>

#include "crossfold/error.h"

namespace crossfold::stats {
namespace {

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
  try {
    ComparePaired(b, c, n, confidence);
    ADD_FAILURE() << "nothing was thrown";
  } catch (const Error& e) {
    EXPECT_EQ(e.what(), "cannot compare two shares of the same rows: " + finding);
  }
}

TEST(PairedProportionsTest, ImpossibleCountsAreRefused) {
  ExpectPairedRefused(-1, 0, 5, 0.95, "a count is negative; counts are 0 or more");
  ExpectPairedRefused(3, 3, 5, 0.95, "more rows differ than there are; count each row once");
  ExpectPairedRefused(1, 1, 5, 1, "the confidence is outside (0, 1); use 0.95 for 95 %");
}

}  // namespace
}  // namespace crossfold::stats
