// Checks of learners on data: what they find, what they skip, and what they let pass. Defects with
// a plugin of their own in tests/bad_plugins are the subject of zoo_test.cpp.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "crossfold/plugin_check.h"
#include "unit/sdk/check/one_check.h"

namespace crossfold {
namespace {

std::string Made(const std::string& name) {
  return std::string(CROSSFOLD_MADE_LEARNERS) + "/" + name + ".crossfold.so";
}

CheckReport RunChecks(const std::string& file, const std::string& include) {
  CheckOptions options;
  options.checker = CROSSFOLD_CHECKER_PROGRAM;
  options.include = include;
  return CheckPlugin(file, options);
}

TEST(LearnerChecksTest, BundledLearnersOfEveryKindPassAllOfThem) {
  const std::string ours =
      "^(fit-smoke|beats-baseline|fit-idempotent|seed-used|interleaved-instances|input-untouched|"
      "view-equals-copy|row-order|predict-subset|column-names|dtypes|missing|unseen-category|"
      "extreme-values|degenerate|zero-rows|one-class|class-order|weights)$";
  for (const char* name :
       {"decision_tree", "knn", "naive_bayes", "ridge", "prism", "featureless"}) {
    const CheckReport report = RunChecks(BundledPlugin(name), ours);
    for (const CheckResult& result : report.results) {
      EXPECT_TRUE(result.outcome == CheckOutcome::kOk || result.outcome == CheckOutcome::kSkipped)
          << name << ": " << result.check << ": " << result.text;
    }
    EXPECT_GE(report.Count(CheckOutcome::kOk), 17u) << name;
  }
}

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
  EXPECT_THAT(OneCheck(Made("declares_unseeded"), "seed-used"),
              testing::StartsWith("failed: on a classification of 2 classes it declares "
                                  "CF_DET_UNSEEDED, but with the seed 2 "
                                  "instead of 1 probability 0 is "));
}

TEST(LearnerChecksTest, WhatDiffersBetweenProcessesIsFound) {
  EXPECT_EQ(FirstOf(OneCheck(Made("differs_by_process"), "fit-idempotent")),
            "failed: on a classification of 2 classes the same seed and data gave other bytes in a "
            "second process");
}

TEST(LearnerChecksTest, NamesOfColumnsThatMatterAreFoundAsAWarning) {
  EXPECT_THAT(
      OneCheck(Made("knows_column_names"), "column-names"),
      testing::StartsWith(
          "warning: on a classification of 2 classes, after the columns were renamed to 'x', 'X', "
          "'x ' ... probability 0 is "));
}

TEST(LearnerChecksTest, NamesOfClassesThatMatterAreFound) {
  EXPECT_THAT(
      OneCheck(Made("knows_class_names"), "class-order"),
      testing::StartsWith(
          "failed: on a classification of 2 classes, after the classes got other names label "
          "1 is 0 instead of 1"));
}

}  // namespace
}  // namespace crossfold
