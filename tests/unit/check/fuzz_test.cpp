// Random rounds, and doing one of them again.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "crossfold/error.h"
#include "unit/check/one_check.h"

namespace crossfold {
namespace {

using ::testing::EndsWith;
using ::testing::MatchesRegex;

CheckOptions FuzzOptions() {
  CheckOptions options;
  options.checker = CROSSFOLD_CHECKER_PROGRAM;
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

TEST(FuzzTest, WhatFailsHasASeedThatMakesItFailAgain) {
  const CheckReport report = FuzzPlugin(BadPlugin("load_trusts_sizes"), FuzzOptions(), 4);
  ASSERT_FALSE(report.passed());
  const std::string text = report.results.front().text;
  const std::size_t at = text.rfind("again with --reproduce ");
  ASSERT_NE(at, std::string::npos) << text;
  const std::uint64_t seed = std::stoull(text.substr(at + 23));
  const CheckReport again = ReproduceFuzz(BadPlugin("load_trusts_sizes"), FuzzOptions(), seed);
  ASSERT_EQ(again.results.size(), 1u);
  EXPECT_EQ(again.results[0].outcome, report.results.front().outcome);
  EXPECT_THAT(again.results[0].text, EndsWith("again with --reproduce " + std::to_string(seed)));
}

TEST(FuzzTest, ARoundThatIsDoneAgainTellsItsSteps) {
  const CheckReport report = ReproduceFuzz(BadPlugin("aborts_in_fit"), FuzzOptions(), 7);
  ASSERT_EQ(report.results.size(), 1u);
  EXPECT_THAT(report.results[0].text,
              MatchesRegex("the process died of signal 6 .Aborted.; it wrote: 'fit of "
                           "bad.aborts_in_fit.* rows.*'; again with --reproduce 7"));
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
