#include "crossfold/stats/unpaired_t.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "crossfold/error.h"

namespace crossfold::stats {
namespace {

const std::vector<double> kFirst = {.82, .85, .79, .88, .84};
const std::vector<double> kSecond = {.80, .70, .81, .77};

// scipy.stats.ttest_ind(a, b, equal_var=False); the ends of the interval with SciPy's t.ppf, which
// is right to 1e-10 only.
TEST(UnpairedTTest, WithoutOverlapItIsWelch) {
  const UnpairedT welch = CompareUnpaired(kFirst, kSecond, 0, 0, 0.95);
  ASSERT_TRUE(welch.defined);
  EXPECT_NEAR(welch.statistic, 2.273610300264392, 1e-12);
  EXPECT_NEAR(welch.df, 5.08919924093433, 1e-12);
  EXPECT_NEAR(welch.p, 0.07118655206319303, 1e-13);
  EXPECT_NEAR(welch.low, -0.00822903130646592, 1e-9);
  EXPECT_NEAR(welch.high, 0.1402290313064658, 1e-9);
}

// The same formula in Python with variances times (1 / J + ratio).
TEST(UnpairedTTest, OverlapWidensTheInterval) {
  const UnpairedT corrected = CompareUnpaired(kFirst, kSecond, 0.25, 1.0 / 3, 0.95);
  EXPECT_NEAR(corrected.difference, 0.066, 1e-15);
  EXPECT_NEAR(corrected.statistic, 1.4956073530577108, 1e-12);
  EXPECT_NEAR(corrected.p, 0.19472266393014742, 1e-12);
  EXPECT_NEAR(corrected.low, -0.04727209661727835, 1e-9);
}

TEST(UnpairedTTest, WithoutScoresOrSpreadItIsUndefined) {
  const UnpairedT one = CompareUnpaired(kFirst, std::vector<double>{.8}, 0, 0, 0.95);
  EXPECT_FALSE(one.defined);
  EXPECT_EQ(one.undefined, "a learner has fewer than 2 scores");
  EXPECT_TRUE(std::isnan(one.p));
  const std::vector<double> flat = {.5, .5};
  EXPECT_EQ(CompareUnpaired(flat, flat, 0, 0, 0.95).undefined,
            "no score differs from the others of its learner");
}

void ExpectUnpairedRefused(const std::vector<double>& scores, double ratio, double confidence,
                           const std::string& finding) {
  try {
    CompareUnpaired(scores, kSecond, ratio, 0, confidence);
    ADD_FAILURE() << "nothing was thrown";
  } catch (const Error& e) {
    EXPECT_EQ(e.what(), "cannot compare scores of different splits: " + finding);
  }
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
