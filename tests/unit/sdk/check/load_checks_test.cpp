// What checks of files, of loading and of descriptions say.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "crossfold/plugin_check.h"
#include "unit/sdk/check/one_check.h"

namespace crossfold {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

// Of the file, or of its only component.
CheckResult OneResult(const std::string& file, const std::string& check) {
  CheckOptions options;
  options.checker = CROSSFOLD_CHECKER_PROGRAM;
  options.include = "^" + check + "$";
  for (CheckResult& result : CheckPlugin(file, options).results) {
    if (result.check == check) return std::move(result);
  }
  ADD_FAILURE() << "no result of " << check;
  return {};
}

TEST(FileNeededTest, FoldersOfOthersTheStackAndTwoOpenMpRuntimesAreWarnings) {
  const CheckResult result = OneResult(CROSSFOLD_FOREIGN_NEEDS, "file-needed");
  EXPECT_EQ(result.outcome, CheckOutcome::kWarning);
  EXPECT_EQ(result.text,
            "it looks for libraries in '/opt/example/lib' (RPATH or RUNPATH), which other machines "
            "do not have; write $ORIGIN instead; it asks for an executable stack, which hardened "
            "systems refuse; it brings 2 OpenMP runtimes into one process, each with its own "
            "threads: libiomp5.so, libomp.so");
}

TEST(FileNeededTest, WhatAGoodPluginNeedsIsTold) {
  const CheckResult result = OneResult(BundledPlugin("knn"), "file-needed");
  EXPECT_EQ(result.outcome, CheckOutcome::kOk);
  EXPECT_THAT(result.text, StartsWith("needs "));
  EXPECT_THAT(result.text, HasSubstr("libc.so.6"));
  EXPECT_THAT(result.text, HasSubstr("; at least GLIBC_2."));
}

TEST(LoadCleanTest, EveryChangeOfTheProcessIsNamed) {
  const CheckResult result = OneResult(BadPlugin("changes_process"), "load-clean");
  EXPECT_EQ(result.outcome, CheckOutcome::kFailed);
  EXPECT_THAT(result.text, StartsWith("loading it changed the locale from 'C' to 'C.UTF-8'; "
                                      "loading it changed the rounding mode"));
}

TEST(AbiForeignMinorTest, NeedsAnEntryThatWorksTwice) {
  EXPECT_EQ(OneResult(BadPlugin("entry_works_once"), "abi-foreign-minor").outcome,
            CheckOutcome::kSkipped);
}

TEST(ExpectedFailureTest, AFailureThatTheManifestExpectsIsNoneAndHasItsReason) {
  const CheckResult result = OneResult(CROSSFOLD_EXPECTS_FAILURES, "capability-unknown");
  EXPECT_EQ(result.outcome, CheckOutcome::kExpectedFailure);
  EXPECT_THAT(result.text,
              StartsWith("expected, as an id of our own begins with x: "
                         "get_capability(\"xcrossfold.proba/1\") gives a table, although"));
}

TEST(ExpectedFailureTest, ACheckThatPassesAgainstExpectationFails) {
  const CheckResult result = OneResult(CROSSFOLD_EXPECTS_FAILURES, "id-form");
  EXPECT_EQ(result.outcome, CheckOutcome::kFailed);
  EXPECT_EQ(result.text,
            "passes although the manifest expects it to fail: the version is a name; remove it "
            "from the manifest's expected_failures");
}

TEST(ExpectedFailureTest, OtherChecksAreAsEver) {
  EXPECT_EQ(OneResult(CROSSFOLD_EXPECTS_FAILURES, "load-clean").outcome, CheckOutcome::kOk);
}

}  // namespace
}  // namespace crossfold
