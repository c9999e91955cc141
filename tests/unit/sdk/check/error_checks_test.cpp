// Checks of failing, cancelled and starved calls.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unit/sdk/check/one_check.h"

namespace crossfold {
namespace {

using ::testing::StartsWith;

TEST(ErrorChecksTest, BundledComponentsFailAsTheyShould) {
  for (const char* name : {"knn", "ridge", "pca"}) {
    EXPECT_EQ(OneCheck(BundledPlugin(name), "error-contract"), "ok") << name;
  }
}

TEST(ErrorChecksTest, AnErrorNeedsATextAndThatStatus) {
  EXPECT_EQ(FirstOf(OneCheck(BadPlugin("error_without_text"), "error-contract")),
            "failed: predict of rows with one column more ended with invalid argument and gave no "
            "reason to host->fail()");
  EXPECT_EQ(
      FirstOf(OneCheck(BadPlugin("says_another_code"), "error-contract")),
      "failed: predict of rows with one column more called host->fail() with invalid argument "
      "and returned numeric error");
}

TEST(ErrorChecksTest, ATextIsUtf8) {
  EXPECT_EQ(FirstOf(OneCheck(BadPlugin("error_is_not_utf8"), "error-contract")),
            "failed: predict of rows with one column more ended with a message that is not UTF-8: "
            "'andere Spalten als f?r fit'");
}

TEST(ErrorChecksTest, AFailedFitLeavesNoModel) {
  EXPECT_EQ(FirstOf(OneCheck(BadPlugin("error_with_a_model"), "error-contract")),
            "failed: fit, cancelled ended with cancelled: 'cancelled', and did not set its handle "
            "to null");
}

TEST(ErrorChecksTest, SuccessHasNoReason) {
  EXPECT_THAT(OneCheck(BadPlugin("success_with_a_reason"), "error-contract"),
              StartsWith("failed: fit of bad.success_with_a_reason on 1 rows called "
                         "host->fail() ('did not converge') and returned ok"));
}

TEST(ErrorChecksTest, NullCanBeDestroyed) {
  EXPECT_EQ(OneCheck(BadPlugin("destroys_null"), "error-contract"),
            "crashed: the process died of signal 11 (Segmentation fault)");
}

TEST(InterruptChecksTest, BundledLearnersStopWhenTheyAreTold) {
  for (const char* name : {"mlp", "random_forest", "select"}) {
    EXPECT_EQ(OneCheck(BundledPlugin(name), "cancel"), "ok") << name;
  }
}

TEST(InterruptChecksTest, AFitThatGoesOnIsFound) {
  EXPECT_EQ(FirstOf(OneCheck(BadPlugin("ignores_cancel"), "cancel")),
            "failed: fit on a classification of 2 classes was asked to stop on call 1 of "
            "progress(), and ended with ok instead of cancelled");
  EXPECT_EQ(OneCheck(BadPlugin("hangs_when_cancelled"), "cancel", 2),
            "timeout: it had not ended after 2 s");
}

TEST(InterruptChecksTest, WithoutMemoryACallEndsAndNotTheProcess) {
  for (const char* name : {"knn", "naive_bayes", "standardize"}) {
    EXPECT_EQ(OneCheck(BundledPlugin(name), "oom"), "ok") << name;
  }
  EXPECT_EQ(OneCheck(BadPlugin("dies_without_memory"), "oom"),
            "crashed: the process died of signal 11 (Segmentation fault)");
}

}  // namespace
}  // namespace crossfold
