#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "crossfold_plugin_check.hpp"
#include "temporary_folder.h"

namespace crossfold::conformance {
namespace {

using test::TemporaryFolder;
using testing::HasSubstr;
using testing::Not;

// A program that notes its arguments in the file "calls" and prints `list` where --list is among
// them, else `results`.
class PluginCheckCasesTest : public testing::Test {
 protected:
  void Print(const std::string& list, const std::string& results) {
    folder_.Write("list", list);
    folder_.Write("results", results);
    const std::string here = folder_.path().string();
    program_ = folder_.Write("crossfold it's", "#!/bin/sh\necho \"$*\" >> " + here +
                                                   "/calls\n"
                                                   "case \"$*\" in\n*--list*) cat " +
                                                   here + "/list;;\n*) cat " + here +
                                                   "/results; exit 1;;\nesac\n");
    std::filesystem::permissions(program_, std::filesystem::perms::owner_all);
  }

  // What the cases print; `status_` is their exit code.
  std::string RunCases(const std::vector<std::string>& options = {}) {
    // All cases, whichever part of its own tests this program was asked for.
    std::vector<std::string> words = {"env",
                                      "-u",
                                      "GTEST_TOTAL_SHARDS",
                                      "-u",
                                      "GTEST_SHARD_INDEX",
                                      CROSSFOLD_TEST_CASES,
                                      program_.string(),
                                      "my plugin.so"};
    words.insert(words.end(), options.begin(), options.end());
    const CommandResult result = RunCommand(words);
    status_ = result.status;
    return result.output;
  }

  std::string Calls() const { return test::ReadBytes(folder_.path() / "calls"); }

  TemporaryFolder folder_;
  std::filesystem::path program_;
  int status_ = -1;
};

constexpr const char* kOneOfEach = R"([{"check": "file-arch", "component": ""},
  {"check": "fit-smoke", "component": "org.example.a-b"}])";

std::string Results(const std::string& arch, const std::string& smoke) {
  return R"({"file": "x", "seed": 1, "results": [{"check": "file-arch", "component": "", "outcome":
    ")" + arch +
         R"(", "text": "about arch", "seconds": 1e-3}, {"check": "fit-smoke", "component":
    "org.example.a-b", "outcome": ")" +
         smoke + R"(", "text": "about smoke", "seconds": 0.5}], "counts": {"ok": 2}})";
}

TEST_F(PluginCheckCasesTest, EveryCheckIsACaseThatRunsItAlone) {
  Print(kOneOfEach, Results("ok", "ok"));
  const std::string printed = RunCases({"--seed", "7"});
  EXPECT_EQ(status_, 0) << printed;
  EXPECT_THAT(printed, HasSubstr("[       OK ] file.file_arch"));
  EXPECT_THAT(printed, HasSubstr("[       OK ] org.example.a_b.fit_smoke"));
  EXPECT_EQ(Calls(),
            "plugin check --json --seed 7 --list my plugin.so\n"
            "plugin check --json --seed 7 --include ^file-arch$ my plugin.so\n"
            "plugin check --json --seed 7 --include ^fit-smoke$ --component org.example.a-b "
            "my plugin.so\n");
}

TEST_F(PluginCheckCasesTest, OneCaseCanBeChosenByItsName) {
  Print(kOneOfEach, Results("ok", "ok"));
  const std::string printed = RunCases({"--gtest_filter=*fit_smoke"});
  EXPECT_THAT(printed, HasSubstr("[==========] 1 test from 1 test suite ran."));
}

TEST_F(PluginCheckCasesTest, AFailureShowsItsTextAndTheCommandThatRepeatsIt) {
  for (const std::string outcome : {"failed", "crashed", "timeout"}) {
    Print(kOneOfEach, Results("ok", outcome));
    const std::string printed = RunCases();
    EXPECT_EQ(status_, 1);
    EXPECT_THAT(printed,
                HasSubstr(outcome + ": about smoke\nto repeat it: '" + folder_.path().string() +
                          "/crossfold it'\\''s' 'plugin' 'check' '--json' '--include' "
                          "'^fit-smoke$' '--component' 'org.example.a-b' 'my plugin.so'\n"));
    EXPECT_THAT(printed, HasSubstr("[       OK ] file.file_arch"));
  }
}

TEST_F(PluginCheckCasesTest, ASkippedCheckIsASkippedCaseWithItsReason) {
  Print(kOneOfEach, Results("ok", "skipped"));
  const std::string printed = RunCases();
  EXPECT_EQ(status_, 0);
  EXPECT_THAT(printed, HasSubstr("[  SKIPPED ] org.example.a_b.fit_smoke"));
  EXPECT_THAT(printed, HasSubstr("about smoke"));
}

TEST_F(PluginCheckCasesTest, WarningsAndExpectedFailuresArePrintedAndPass) {
  Print(kOneOfEach, Results("warning", "expected-failure"));
  const std::string printed = RunCases();
  EXPECT_EQ(status_, 0);
  EXPECT_THAT(printed, HasSubstr("\nwarning: about arch\n"));
  EXPECT_THAT(printed, HasSubstr("\nexpected-failure: about smoke\n"));
}

TEST_F(PluginCheckCasesTest, TheResultOfAnotherCheckIsNotTaken) {
  Print(R"([{"check": "fit-smoke", "component": "org.example.b"}])", Results("ok", "ok"));
  const std::string printed = RunCases();
  EXPECT_EQ(status_, 1);
  EXPECT_THAT(printed, HasSubstr("the program did not run it: "));
}

TEST_F(PluginCheckCasesTest, WhatCannotBeListedIsOneFailingCase) {
  Print("crossfold: no such file", "");
  const std::string printed = RunCases();
  EXPECT_EQ(status_, 1);
  EXPECT_THAT(printed, HasSubstr("[  FAILED  ] file.can_be_checked"));
  EXPECT_THAT(printed,
              HasSubstr("the JSON is broken at byte 0; it printed: crossfold: no such file"));
}

TEST_F(PluginCheckCasesTest, AProgramThatIsMissingIsOneFailingCase) {
  program_ = folder_.path() / "missing";
  const std::string printed = RunCases();
  EXPECT_EQ(status_, 1);
  EXPECT_THAT(printed, HasSubstr("ended with status 127"));
  EXPECT_THAT(printed, Not(HasSubstr("[       OK ]")));
}

}  // namespace
}  // namespace crossfold::conformance
