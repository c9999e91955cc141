// Random rounds, and doing one of them again.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "crossfold/error.h"
#include "temporary_folder.h"
#include "unit/sdk/check/one_check.h"

namespace crossfold {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::MatchesRegex;

CheckOptions FuzzOptions(const std::string& component = "") {
  CheckOptions options;
  options.checker = CROSSFOLD_CHECKER_PROGRAM;
  options.component = component;
  options.seconds = 5;
  return options;
}

TEST(FuzzTest, EveryKindOfComponentHasRounds) {
  for (const char* name :
       {"naive_bayes", "logistic_regression", "standardize", "kfold", "ranking_metrics"}) {
    const CheckReport report = FuzzPlugin(BundledPlugin(name), FuzzOptions(), 1);
    EXPECT_TRUE(report.passed()) << name;
    ASSERT_FALSE(report.results.empty());
    for (const CheckResult& result : report.results) {
      EXPECT_THAT(result.text, MatchesRegex("[0-9]+ rounds?|no round in that time")) << name;
    }
  }
}

CheckOptions WithSamples() {
  CheckOptions options = FuzzOptions();
  for (const char* name :
       {"people.csv", "people.tsv", "people.arff", "people.arrow", "points.svm"}) {
    options.data.push_back(std::string(CROSSFOLD_SAMPLES) + "/" + name);
  }
  return options;
}

TEST(FuzzTest, SourcesReadDamagedFiles) {
  for (const char* name : {"text_files", "arrow"}) {
    const CheckReport report = FuzzPlugin(BundledPlugin(name), WithSamples(), 2);
    EXPECT_TRUE(report.passed()) << name;
    ASSERT_FALSE(report.results.empty());
    for (const CheckResult& result : report.results) {
      EXPECT_THAT(result.text, MatchesRegex("[0-9]+ rounds?|no round in that time"))
          << name << ": " << result.component;
    }
  }
}

TEST(FuzzTest, ASourceThatCrashesOnDamagedFilesIsFound) {
  CheckOptions options = FuzzOptions("bad.source_crashes_when_cut");
  // The format of tests/bad_plugins/working_source.h: three rows.
  const test::TemporaryFolder folder;
  const double x[] = {1, 2, 3};
  const std::int32_t n_rows = 3, codes[] = {0, 1, 0};
  std::string bytes = "NUMBERS1";
  bytes.append(reinterpret_cast<const char*>(&n_rows), sizeof n_rows);
  bytes.append(reinterpret_cast<const char*>(x), sizeof x);
  bytes.append(reinterpret_cast<const char*>(codes), sizeof codes);
  options.data = {folder.Write("three.numbers", bytes)};
  const CheckReport report = FuzzPlugin(BadPlugin("sources"), options, 4);
  ASSERT_FALSE(report.passed());
  EXPECT_THAT(report.results.front().text, HasSubstr("; again with --reproduce "));
}

TEST(FuzzTest, ASourceWithoutAFileIsSkipped) {
  const CheckReport report = FuzzPlugin(BundledPlugin("sqlite"), FuzzOptions(), 1);
  ASSERT_EQ(report.results.size(), 1u);
  EXPECT_EQ(report.results[0].outcome, CheckOutcome::kSkipped);
  EXPECT_EQ(report.results[0].text, "there is no file that it reads; name one with --data FILE");
}

// The seed after "again with --reproduce " in what a round found.
std::uint64_t SeedOf(const CheckReport& report) {
  const std::string text = report.results.front().text;
  const std::size_t at = text.rfind("again with --reproduce ");
  EXPECT_NE(at, std::string::npos) << text;
  return at == std::string::npos ? 0 : std::stoull(text.substr(at + 23));
}

TEST(FuzzTest, WhatFailsHasASeedThatMakesItFailAgain) {
  const std::string file = BadPlugin("learners_capabilities");
  const CheckReport report = FuzzPlugin(file, FuzzOptions("bad.load_trusts_sizes"), 4);
  ASSERT_FALSE(report.passed());
  const std::uint64_t seed = SeedOf(report);
  const CheckReport again = ReproduceFuzz(file, FuzzOptions(), seed);
  ASSERT_EQ(again.results.size(), 1u);
  EXPECT_EQ(again.results[0].outcome, report.results.front().outcome);
  EXPECT_THAT(again.results[0].text, EndsWith("again with --reproduce " + std::to_string(seed)));
}

TEST(FuzzTest, ARoundThatIsDoneAgainTellsItsSteps) {
  const std::string file = BadPlugin("learners_process");
  const std::uint64_t seed = SeedOf(FuzzPlugin(file, FuzzOptions("bad.aborts_in_fit"), 1));
  const CheckReport report = ReproduceFuzz(file, FuzzOptions(), seed);
  ASSERT_EQ(report.results.size(), 1u);
  EXPECT_THAT(report.results[0].text,
              MatchesRegex("the process died of signal 6 .Aborted.; it wrote: 'fit of "
                           "bad.aborts_in_fit.* rows.*'; again with --reproduce " +
                           std::to_string(seed)));
}

TEST(FuzzTest, WhatIsNoPluginIsAFailure) {
  const CheckReport report =
      FuzzPlugin(std::string(CROSSFOLD_TEST_DATA) + "/iris.csv", FuzzOptions(), 1);
  ASSERT_EQ(report.results.size(), 1u);
  EXPECT_EQ(report.results[0].text, "it is not an ELF shared library (a text file?)");
}

TEST(FuzzTest, AnUnknownComponentIsRefused) {
  CheckOptions options = FuzzOptions();
  options.component = "crossfold.kmn";
  try {
    FuzzPlugin(BundledPlugin("knn"), options, 1);
    FAIL() << "not refused";
  } catch (const Error& error) {
    EXPECT_EQ(std::string(error.what()), "cannot fuzz a plugin: '" + BundledPlugin("knn") +
                                             "' has no component 'crossfold.kmn'");
  }
}

}  // namespace
}  // namespace crossfold
