
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "analysis/stats/distributions.h"

namespace crossfold::stats {
namespace {

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

}  // namespace
}  // namespace crossfold::stats
