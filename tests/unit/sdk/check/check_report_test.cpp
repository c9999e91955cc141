// What came of checks, counted and as JSON.
#include <gtest/gtest.h>

#include "crossfold/plugin_check.h"

namespace crossfold {
namespace {

CheckReport Report() {
  CheckReport report;
  report.file = "/p.crossfold.so";
  report.seed = 7;
  report.results = {{"file-arch", "", CheckOutcome::kOk, "", 0.25},
                    {"params-fuzz", "a", CheckOutcome::kSkipped, "it has no parameters", 0},
                    {"cap-proba", "a", CheckOutcome::kSkipped, "not offered", 0},
                    {"cap-path", "a", CheckOutcome::kSkipped, "not offered", 0}};
  return report;
}

TEST(CheckReportTest, TheSummaryCountsOutcomesAndSaysWhyChecksWereSkipped) {
  EXPECT_EQ(Report().Summary(),
            "4 checks: 1 ok, 3 skipped because: not offered (2); it has no parameters");
  CheckReport one;
  one.results = {{"leak", "a", CheckOutcome::kTimeout, "late", 1}};
  EXPECT_EQ(one.Summary(), "1 check: 1 timeout");
}

TEST(CheckReportTest, FailuresCrashesAndTimeoutsDoNotPassWarningsAndExpectedFailuresDo) {
  for (const CheckOutcome outcome :
       {CheckOutcome::kFailed, CheckOutcome::kCrashed, CheckOutcome::kTimeout}) {
    CheckReport report = Report();
    report.results[0].outcome = outcome;
    EXPECT_FALSE(report.passed()) << CheckOutcomeName(outcome);
  }
  for (const CheckOutcome outcome : {CheckOutcome::kWarning, CheckOutcome::kExpectedFailure}) {
    CheckReport report = Report();
    report.results[0].outcome = outcome;
    EXPECT_TRUE(report.passed()) << CheckOutcomeName(outcome);
  }
}

TEST(CheckReportTest, JsonHasEveryResultAndTheCounts) {
  CheckReport report = Report();
  report.results.resize(2);
  EXPECT_EQ(ToJson(report),
            "{\"file\":\"/p.crossfold.so\",\"seed\":7,\"results\":[{\"check\":\"file-arch\","
            "\"component\":\"\",\"outcome\":\"ok\",\"text\":\"\",\"seconds\":0.25},{\"check\":"
            "\"params-fuzz\",\"component\":\"a\",\"outcome\":\"skipped\",\"text\":\"it has no "
            "parameters\",\"seconds\":0.0}],\"counts\":{\"ok\":1,\"skipped\":1},\"passed\":true}");
}

}  // namespace
}  // namespace crossfold
