// Every defect is found by the check that names it and by no other.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <filesystem>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "bad_plugins/zoo_table.h"
#include "crossfold/plugin_check.h"
#include "temporary_folder.h"

namespace crossfold {
namespace {

namespace fs = std::filesystem;
using test::Animal;

// What writers of the folder read.
constexpr std::string_view kTable = "TABLE1\nx\n3\n0x1p+0\n0x1p+1\nnan\ny\n3\n1\n2.5\n0x1.8p+1\n";

// What sources of the folder read: 40 rows of working_source.h.
std::string Numbers() {
  std::string bytes = "NUMBERS1";
  const auto add = [&bytes](auto value) {
    bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
  };
  constexpr std::int32_t kRows = 40;
  add(kRows);
  for (std::int32_t row = 0; row < kRows; ++row) add(0.5 + row);
  for (std::int32_t row = 0; row < kRows; ++row) add(row % 2);
  return bytes;
}

// component "" = the library with all it has.
CheckReport Examine(const fs::path& file, std::string_view component, double seconds,
                    int strictness, const std::string& include = "") {
  const test::TemporaryFolder folder;
  CheckOptions options;
  options.data = {folder.Write("a.numbers", Numbers()), folder.Write("a.table", kTable)};
  options.checker = CROSSFOLD_CHECKER_PROGRAM;
  options.component = component;
  options.include = include;
  options.seconds = seconds;
  options.strictness = strictness;
  return CheckPlugin(file, options);
}

fs::path FileOf(std::string_view name) {
  return fs::path(CROSSFOLD_BAD_PLUGINS) / (std::string(name) + ".crossfold.so");
}

// "failed weights: ...", of every result that is neither ok nor skipped.
std::vector<std::string> FindingsOf(const CheckReport& report) {
  std::vector<std::string> findings;
  for (const CheckResult& result : report.results) {
    if (result.outcome == CheckOutcome::kOk || result.outcome == CheckOutcome::kSkipped) continue;
    findings.push_back(std::string(CheckOutcomeName(result.outcome)) + " " + result.check + ": " +
                       result.text);
  }
  return findings;
}

class ZooTest : public testing::TestWithParam<Animal> {};

TEST_P(ZooTest, IsFoundByTheCheckThatNamesItsDefectAndByNoOther) {
  const Animal& animal = GetParam();
  const std::string outcome(CheckOutcomeName(animal.outcome));
  const CheckReport report = Examine(FileOf(animal.file), animal.component, animal.seconds, 5);
  std::vector<testing::Matcher<std::string>> expected = {
      testing::AllOf(testing::StartsWith(outcome + " " + std::string(animal.check) + ": "),
                     testing::HasSubstr(std::string(animal.text)))};
  if (!animal.also.empty()) {
    expected.push_back(testing::StartsWith(outcome + " " + std::string(animal.also) + ": "));
  }
  EXPECT_THAT(FindingsOf(report), testing::UnorderedElementsAreArray(expected));
}

INSTANTIATE_TEST_SUITE_P(Animals, ZooTest, testing::ValuesIn(test::kZoo),
                         [](const testing::TestParamInfo<Animal>& info) {
                           return std::string(info.param.name());
                         });

class SoundComponentTest : public testing::TestWithParam<test::SoundComponent> {};

TEST_P(SoundComponentTest, PassesEveryCheckWithoutAWarning) {
  const CheckReport report = Examine(FileOf(GetParam().file), GetParam().component, 30, 10);
  EXPECT_THAT(FindingsOf(report), testing::IsEmpty());
  EXPECT_GT(report.Count(CheckOutcome::kOk), 10u);
}

INSTANTIATE_TEST_SUITE_P(Bases, SoundComponentTest, testing::ValuesIn(test::kSound),
                         [](const testing::TestParamInfo<test::SoundComponent>& info) {
                           return std::string(info.param.component.substr(4));
                         });

class FamilyTest : public testing::TestWithParam<std::string_view> {};

TEST_P(FamilyTest, IsASoundLibrary) {
  const CheckReport report =
      Examine(FileOf(GetParam()), "", 30, 10, "^(file|load|abi)-|^descriptor-complete$");
  EXPECT_THAT(FindingsOf(report), testing::IsEmpty());
  EXPECT_GT(report.Count(CheckOutcome::kOk), 8u);
}

INSTANTIATE_TEST_SUITE_P(Families, FamilyTest, testing::ValuesIn(test::kFamilies),
                         [](const testing::TestParamInfo<std::string_view>& info) {
                           return std::string(info.param);
                         });

// Also if it takes one feature only. A learner with probabilities has no scores instead of them.
TEST(ZooTest, TheSmootherIsAskedEverythingThatALearnerCanBeAsked) {
  for (const char* name : {"bad.good_smoother", "bad.good_one_feature"}) {
    for (const CheckResult& result : Examine(FileOf("sound"), name, 30, 10).results) {
      if (result.check == "cap-scores") continue;
      EXPECT_NE(result.outcome, CheckOutcome::kSkipped)
          << name << ", " << result.check << ": " << result.text;
    }
  }
}

TEST(ZooTest, AFileThatWasCutOffIsNoSoundLibrary) {
  const test::TemporaryFolder folder;
  const std::string whole = test::ReadBytes(FileOf("sound"));
  const fs::path half = folder.Write("half.crossfold.so", whole.substr(0, whole.size() / 2));
  EXPECT_THAT(FindingsOf(Examine(half, "", 30, 5)),
              testing::ElementsAre(testing::StartsWith("failed file-arch: truncated: ")));
}

TEST(ZooTest, EveryCheckHasADefectThatOnlyItFinds) {
  std::set<std::string> known, needed;
  for (const CheckDescription& check : KnownChecks()) {
    if (check.level <= 5) known.insert(check.name);
  }
  for (const Animal& animal : test::kZoo) needed.emplace(animal.check);
  EXPECT_EQ(needed, known);
}

TEST(ZooTest, EveryComponentOfTheFamiliesIsInTheTable) {
  std::set<std::string> made, table;
  for (const std::string_view family : test::kFamilies) {
    for (const CheckResult& result : PlanChecks(FileOf(family), {})) made.insert(result.component);
  }
  made.erase("");
  for (const Animal& animal : test::kZoo) {
    if (!animal.component.empty()) table.emplace(animal.component);
  }
  for (const std::string_view component : test::kForOneCheckOnly) table.emplace(component);
  table.emplace("bad.good_writer");
  EXPECT_EQ(made, table);
}

}  // namespace
}  // namespace crossfold
