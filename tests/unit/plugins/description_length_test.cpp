// The bits of rules and errors, worked out by hand from the formulas of Quinlan (1995).
#include "ripper/description_length.h"

#include <gtest/gtest.h>

namespace crossfold::bundled::ripper {
namespace {

TEST(DescriptionLengthTest, ARuleIsToldByTheNumberOfItsConditionsAndWhichTheyAre) {
  // -log2 0.1 - 9 log2 0.9, halved.
  EXPECT_NEAR(RuleBits(1, 10), 2.344978, 5e-7);
  // log2 2 + 2 log2 log2 2 - 2 log2 0.2 - 8 log2 0.8 = 1 + 0 + 4.643856 + 2.575425, halved.
  EXPECT_NEAR(RuleBits(2, 10), 4.109640, 5e-7);
  // log2 3 + 2 log2 log2 3 = 2.913813, and -3 log2 0.15 - 17 log2 0.85.
  EXPECT_NEAR(RuleBits(3, 20), 7.555333, 5e-7);
  EXPECT_EQ(RuleBits(1, 1), 0);
}

TEST(DescriptionLengthTest, ErrorsAreToldOfTheLargerSideByTheirExpectedShare) {
  // log2 15; left: 2 of 10, expected 0.6 * 3 / 10; covered: 1 of 4.
  EXPECT_NEAR(ErrorBits({4, 10, 1, 2}, 0.4), 14.390299, 5e-7);
  // The same with more covered: expected 0.4 * 3 / 10.
  EXPECT_NEAR(ErrorBits({10, 4, 2, 1}, 0.4), 14.745187, 5e-7);
  // No rule: log2 11, and 3 of 10, expected 0.9 * 3 / 10.
  EXPECT_NEAR(ErrorBits({0, 10, 0, 3}, 0.1), 12.304559, 5e-7);
  EXPECT_NEAR(ErrorBits({3, 12, 0, 0}, 0.2), 4, 1e-12);
}

// 0.9 of 8 errors would be more than the 5 rows that are left.
TEST(DescriptionLengthTest, AnImpossibleExpectationIsReplacedByTheShareItself) {
  EXPECT_NEAR(ErrorBits({4, 5, 4, 4}, 0.1), 3.321928 + 3.609640, 5e-6);
}

}  // namespace
}  // namespace crossfold::bundled::ripper
