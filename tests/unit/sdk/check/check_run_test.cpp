// Checks are chosen, run in processes of their own, and depend on each other.
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>

#include "crossfold/error.h"
#include "crossfold/plugin_check.h"
#include "unit/sdk/check/one_check.h"

namespace crossfold {
namespace {

CheckOptions Options() {
  CheckOptions options;
  options.checker = CROSSFOLD_CHECKER_PROGRAM;
  return options;
}

const CheckResult& ResultOf(const CheckReport& report, const std::string& check) {
  for (const CheckResult& result : report.results) {
    if (result.check == check) return result;
  }
  static const CheckResult kNone;
  ADD_FAILURE() << "no result of " << check;
  return kNone;
}

std::string RefusalOf(const CheckOptions& options) {
  try {
    PlanChecks(BundledPlugin("knn"), options);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(CheckRunTest, EveryNameIsKebabCaseAndThereOnceAScope) {
  std::set<std::pair<std::string, CheckScope>> names;
  for (const CheckDescription& check : KnownChecks()) {
    EXPECT_EQ(check.name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-"),
              std::string::npos)
        << check.name;
    EXPECT_TRUE(names.emplace(check.name, check.scope).second) << check.name;
    EXPECT_FALSE(check.summary.empty()) << check.name;
    EXPECT_TRUE(check.level >= 1 && check.level <= 10) << check.name;
  }
}

TEST(CheckRunTest, ACheckStandsBehindTheOneThatItNeeds) {
  std::set<std::string> seen;
  for (const CheckDescription& check : KnownChecks()) {
    EXPECT_TRUE(check.needs.empty() || seen.count(check.needs) == 1)
        << check.name << " needs " << check.needs;
    seen.insert(check.name);
  }
}

TEST(CheckRunTest, WhatACheckNeedsIsRunWithIt) {
  CheckOptions options = Options();
  options.include = "^fit-smoke$";
  std::vector<std::string> names;
  for (const CheckResult& planned : PlanChecks(BundledPlugin("knn"), options)) {
    names.push_back(planned.check);
  }
  EXPECT_EQ(names.front(), "file-arch");
  EXPECT_EQ(names.back(), "fit-smoke");
}

TEST(CheckRunTest, WrongOptionsAreRefusedByName) {
  CheckOptions options = Options();
  options.include = "(";
  EXPECT_EQ(RefusalOf(options), "cannot check a plugin: '(' is not a regular expression");
  options = Options();
  options.strictness = 11;
  EXPECT_EQ(RefusalOf(options), "cannot check a plugin: strictness 11 is not between 1 and 10");
  options = Options();
  options.component = "crossfold.kmn";
  EXPECT_EQ(RefusalOf(options), "cannot check a plugin: '" + BundledPlugin("knn") +
                                    "' has no component 'crossfold.kmn'; did you mean "
                                    "'crossfold.knn'? known: crossfold.knn");
}

TEST(CheckRunTest, AFileThatIsNoPluginFailsOneCheckAndTheOthersAreSkipped) {
  const CheckReport report = CheckPlugin(std::string(CROSSFOLD_TEST_DATA) + "/iris.csv", Options());
  EXPECT_FALSE(report.passed());
  EXPECT_EQ(ResultOf(report, "file-arch").text, "it is not an ELF shared library (a text file?)");
  EXPECT_EQ(ResultOf(report, "load-now-local").text, "needs file-arch, which did not pass");
  EXPECT_EQ(report.Count(CheckOutcome::kFailed), 1u);
}

TEST(CheckRunTest, ResultsAreToldAsTheyComeAndKeptInOrder) {
  CheckOptions options = Options();
  options.include = "^(file-arch|fit-smoke)$";
  std::set<std::string> told;
  options.on_finished = [&](const CheckResult& result) { told.insert(result.check); };
  const CheckReport report = CheckPlugin(BundledPlugin("naive_bayes"), options);
  EXPECT_TRUE(report.passed());
  EXPECT_EQ(report.results.front().check, "file-arch");
  EXPECT_EQ(told.size(), report.results.size());
}

TEST(CheckRunTest, InThisProcessTheVerdictsAreTheSame) {
  CheckOptions options = Options();
  options.include = "^(file-arch|fit-smoke)$";
  const CheckReport apart = CheckPlugin(BundledPlugin("naive_bayes"), options);
  options.in_process = true;
  const CheckReport here = CheckPlugin(BundledPlugin("naive_bayes"), options);
  EXPECT_EQ(here.Summary(), apart.Summary());
}

TEST(CheckRunTest, ACancelledRunBeginsNoCheck) {
  CancelToken cancel;
  cancel.Cancel();
  CheckOptions options = Options();
  options.cancel = &cancel;
  const CheckReport report = CheckPlugin(BundledPlugin("knn"), options);
  EXPECT_EQ(report.Count(CheckOutcome::kSkipped), report.results.size());
}

}  // namespace
}  // namespace crossfold
