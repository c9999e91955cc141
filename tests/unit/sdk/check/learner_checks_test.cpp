// Checks of components on data: what they skip, and what they let pass. What they find is the
// subject of tests/bad_plugins/zoo_test.cpp.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "crossfold/plugin_check.h"
#include "unit/sdk/check/one_check.h"

namespace crossfold {
namespace {

TEST(LearnerChecksTest, ALearnerThatTakesBoolsButNoNumbersIsSmoothOnCategories) {
  EXPECT_EQ(OneCheck(BundledPlugin("prism"), "fit-smoke"), "ok");
  EXPECT_EQ(OneCheck(BundledPlugin("prism"), "beats-baseline"), "ok");
}

TEST(LearnerChecksTest, ABoolMayBeACategory) {
  EXPECT_EQ(OneCheck(BundledPlugin("naive_bayes"), "dtypes"), "ok");
}

TEST(LearnerChecksTest, ABaselineIsNotComparedWithItself) {
  EXPECT_EQ(OneCheck(BundledPlugin("featureless"), "beats-baseline"),
            "skipped: it does not use the features");
}

TEST(LearnerChecksTest, WhatIsNotOfferedIsSkipped) {
  EXPECT_EQ(OneCheck(BundledPlugin("one_r"), "cap-incremental"),
            "skipped: it does not offer crossfold.incremental/1");
}

TEST(LearnerChecksTest, ALibraryWithAThreadPoolOfItsOwnKeepsTheBudget) {
  EXPECT_EQ(OneCheck(BundledPlugin("xgboost"), "threads-budget"), "ok");
}

TEST(LearnerChecksTest, WhatIsNotDeclaredIsSkipped) {
  EXPECT_EQ(OneCheck(BundledPlugin("ridge"), "row-order"),
            "skipped: it does not declare CF_DET_ROW_ORDER");
  EXPECT_EQ(OneCheck(BundledPlugin("knn"), "weights"),
            "skipped: it does not declare CF_ACCEPTS_WEIGHTS: the host refuses such data");
  EXPECT_EQ(OneCheck(BundledPlugin("mlp"), "missing"),
            "skipped: it does not declare CF_ACCEPTS_MISSING: the host refuses such data");
  EXPECT_EQ(OneCheck(BundledPlugin("mlp"), "unseen-category"),
            "skipped: it does not declare CF_ACCEPTS_CATEGORICAL");
}

TEST(LearnerChecksTest, LibrariesThatLoopOnHugeNumbersAreKeptFromThem) {
  EXPECT_EQ(OneCheck(BundledPlugin("liblinear"), "extreme-values"), "ok");
}

TEST(LearnerChecksTest, ASeedThatMattersThoughItIsDeclaredNotToIsFound) {
  EXPECT_THAT(OneCheck(BadPlugin("learners_process"), "seed-used", "bad.declares_unseeded"),
              testing::StartsWith("failed: on a classification of 2 classes it declares "
                                  "CF_DET_UNSEEDED, but with the seed 2 "
                                  "instead of 1 probability 0 is "));
}

TEST(LearnerChecksTest, WhatDiffersBetweenProcessesIsFound) {
  EXPECT_THAT(OneCheck(BadPlugin("learners_process"), "fit-idempotent", "bad.differs_by_process"),
              testing::StartsWith("failed: on a classification of 2 classes the same seed and data "
                                  "gave other bytes in a second process"));
}

TEST(LearnerChecksTest, NamesOfColumnsThatMatterAreFoundAsAWarning) {
  EXPECT_THAT(
      OneCheck(BadPlugin("learners_data"), "column-names", "bad.knows_column_names"),
      testing::StartsWith(
          "warning: on a classification of 2 classes, after the columns were renamed to 'x', 'X', "
          "'x ' ... probability 0 is "));
}

TEST(LearnerChecksTest, NamesOfClassesThatMatterAreFound) {
  EXPECT_THAT(
      OneCheck(BadPlugin("learners_data"), "class-order", "bad.knows_class_names"),
      testing::StartsWith(
          "failed: on a classification of 2 classes, after the classes got other names label "
          "1 is 0 instead of 1"));
}

}  // namespace
}  // namespace crossfold
