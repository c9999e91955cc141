// Checks of what calls leave, and of threads.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unit/sdk/check/one_check.h"

namespace crossfold {
namespace {

using ::testing::MatchesRegex;
using ::testing::StartsWith;

TEST(ResourceChecksTest, BundledComponentsLeaveNothingBehind) {
  for (const char* check : {"call-clean", "leak", "exit-clean"}) {
    for (const char* name : {"knn", "naive_bayes", "one_hot"}) {
      EXPECT_EQ(OneCheck(BundledPlugin(name), check), "ok") << check << ", " << name;
    }
  }
}

TEST(ResourceChecksTest, WhatFitChangesInTheProcessIsNamed) {
  EXPECT_EQ(FirstOf(OneCheck(BadPlugin("locale_in_fit"), "call-clean")),
            "failed: the first fit changed the locale from 'C' to 'C.UTF-8'");
  EXPECT_EQ(FirstOf(OneCheck(BadPlugin("handler_in_fit"), "call-clean")),
            "failed: the first fit changed what happens on SIGSEGV");
  EXPECT_EQ(FirstOf(OneCheck(BadPlugin("rounding_in_fit"), "call-clean")),
            "failed: the first fit changed the rounding mode");
}

TEST(ResourceChecksTest, MemoryThatIsForgottenIsCounted) {
  EXPECT_THAT(OneCheck(BadPlugin("leaks_in_fit"), "leak"),
              MatchesRegex("failed: fit, predict and destroy on a classification of 2 classes "
                           "[0-9]+ times: every time [0-9]+ bytes more are held"));
}

TEST(ResourceChecksTest, ACrashAtTheEndOfTheProcessIsOneOfExitClean) {
  EXPECT_EQ(OneCheck(BadPlugin("crashes_at_exit"), "exit-clean"),
            "crashed: the process died of signal 6 (Aborted) after the check");
}

TEST(ThreadChecksTest, BundledComponentsKeepWhatTheyDeclare) {
  for (const char* name : {"knn", "random_forest", "pca"}) {
    EXPECT_EQ(OneCheck(BundledPlugin(name), "threads-declared"), "ok") << name;
    EXPECT_EQ(OneCheck(BundledPlugin(name), "threads-budget"), "ok") << name;
  }
}

TEST(ThreadChecksTest, ALibraryWithAThreadPoolOfItsOwnKeepsTheBudget) {
  EXPECT_EQ(OneCheck(BundledPlugin("xgboost"), "threads-budget"), "ok");
}

TEST(ThreadChecksTest, RacesOfFitsAndOfPredictionsAreFound) {
  EXPECT_THAT(
      OneCheck(BadPlugin("race_between_fits"), "threads-declared"),
      StartsWith("failed: different models on a classification of 2 classes with weights that "
                 "4 threads fitted at the same time are not those fitted one after the "
                 "other: "));
  EXPECT_THAT(OneCheck(BadPlugin("race_in_predict"), "threads-declared"), StartsWith("failed: "));
}

TEST(ThreadChecksTest, AThreadTooManyIsCounted) {
  EXPECT_THAT(OneCheck(BadPlugin("thread_beyond_budget"), "threads-budget"),
              StartsWith("failed: the first fit with n_threads = 1 ran on "));
  EXPECT_THAT(OneCheck(BadPlugin("thread_left_behind"), "threads-budget"),
              StartsWith("failed: the first fit with n_threads = 1 ran on "));
}

}  // namespace
}  // namespace crossfold
