// What checks of files, of loading and of descriptions say.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "unit/sdk/check/one_check.h"

namespace crossfold {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

TEST(FileNeededTest, FoldersOfOthersTheStackAndTwoOpenMpRuntimesAreWarnings) {
  EXPECT_EQ(OneCheck(CROSSFOLD_FOREIGN_NEEDS, "file-needed"),
            "warning: it looks for libraries in '/opt/example/lib' (RPATH or RUNPATH), which other "
            "machines "
            "do not have; write $ORIGIN instead; it asks for an executable stack, which hardened "
            "systems refuse; it brings 2 OpenMP runtimes into one process, each with its own "
            "threads: libiomp5.so, libomp.so");
}

TEST(FileNeededTest, WhatAGoodPluginNeedsIsTold) {
  EXPECT_THAT(
      OneCheck(BundledPlugin("knn"), "file-needed"),
      AllOf(StartsWith("ok: needs "), HasSubstr("libc.so.6"), HasSubstr("; at least GLIBC_2.")));
}

TEST(LoadCleanTest, EveryChangeOfTheProcessIsNamed) {
  EXPECT_THAT(OneCheck(BadPlugin("changes_process"), "load-clean"),
              StartsWith("failed: loading it changed the locale from 'C' to 'C.UTF-8'; "
                         "loading it changed the rounding mode"));
}

TEST(AbiForeignMinorTest, NeedsAnEntryThatWorksTwice) {
  EXPECT_THAT(OneCheck(BadPlugin("entry_works_once"), "abi-foreign-minor"),
              StartsWith("skipped: needs "));
}

TEST(ExpectedFailureTest, AFailureThatTheManifestExpectsIsNoneAndHasItsReason) {
  EXPECT_THAT(OneCheck(CROSSFOLD_EXPECTS_FAILURES, "capability-unknown"),
              StartsWith("expected-failure: expected, as an id of our own begins with x: "
                         "get_capability(\"xcrossfold.proba/1\") gives a table, although"));
}

TEST(ExpectedFailureTest, ACheckThatPassesAgainstExpectationFails) {
  EXPECT_EQ(
      OneCheck(CROSSFOLD_EXPECTS_FAILURES, "id-form"),
      "failed: passes although the manifest expects it to fail: the version is a name; remove it "
      "from the manifest's expected_failures");
}

TEST(ExpectedFailureTest, OtherChecksAreAsEver) {
  EXPECT_EQ(OneCheck(CROSSFOLD_EXPECTS_FAILURES, "load-clean"), "ok");
}

}  // namespace
}  // namespace crossfold
