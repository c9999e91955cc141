// Values of SciPy 1.10.1 (scipy.stats), 15 digits.
#include "analysis/stats/distributions.h"

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace crossfold::stats
