// Every bad plugin is found by the check that names its defect and by no other.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
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

CheckReport Examine(const fs::path& file, double seconds, int strictness) {
  const test::TemporaryFolder folder;
  CheckOptions options;
  options.data = {folder.Write("a.numbers", Numbers()), folder.Write("a.table", kTable)};
  options.checker = CROSSFOLD_CHECKER_PROGRAM;
  options.seconds = seconds;
  options.strictness = strictness;
  return CheckPlugin(file, options);
}

fs::path FileOf(std::string_view name) {
  return fs::path(CROSSFOLD_BAD_PLUGINS) / (std::string(name) + ".crossfold.so");
}

fs::path SourceOf(std::string_view name) {
  const fs::path c = fs::path(CROSSFOLD_BAD_PLUGIN_SOURCES) / (std::string(name) + ".c");
  return fs::exists(c) ? c : fs::path(c).replace_extension(".cpp");
}

std::string TextOf(const fs::path& file) {
  std::ifstream in(file);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

// What the first comment of a source says after "Defect: ", on one line; "" = it says no such
// thing.
std::string DefectOf(std::string_view name) {
  const std::string text = TextOf(SourceOf(name));
  const bool is_block = text.rfind("/* Defect: ", 0) == 0;
  if (!is_block && text.rfind("// Defect: ", 0) != 0) return "";
  std::istringstream lines(text);
  std::string line, defect;
  while (std::getline(lines, line)) {
    const std::size_t begin = line.find_first_not_of("/* ");
    const std::size_t end = line.find("*/");
    if (!is_block && line.rfind("//", 0) != 0) break;
    std::string part = line.substr(begin, end == std::string::npos ? end : end - begin);
    part.erase(part.find_last_not_of(' ') + 1);
    defect += (defect.empty() ? "" : " ") + part;
    if (end != std::string::npos) break;
  }
  return defect.substr(std::string("Defect: ").size());
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
  const CheckReport report = Examine(FileOf(animal.file), animal.seconds, 5);
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
                           return std::string(info.param.file);
                         });

class SoundPluginTest : public testing::TestWithParam<std::string_view> {};

TEST_P(SoundPluginTest, PassesEveryCheckWithoutAWarning) {
  const CheckReport report = Examine(FileOf(GetParam()), 30, 10);
  EXPECT_THAT(FindingsOf(report), testing::IsEmpty());
  EXPECT_GT(report.Count(CheckOutcome::kOk), 15u);
}

INSTANTIATE_TEST_SUITE_P(Bases, SoundPluginTest, testing::ValuesIn(test::kSoundPlugins),
                         [](const testing::TestParamInfo<std::string_view>& info) {
                           return std::string(info.param);
                         });

// Also if it takes one feature only.
TEST(ZooTest, TheSmootherIsAskedEverythingThatALearnerCanBeAsked) {
  for (const char* name : {"good_smoother", "good_one_feature"}) {
    for (const CheckResult& result : Examine(FileOf(name), 30, 10).results) {
      EXPECT_NE(result.outcome, CheckOutcome::kSkipped)
          << name << ", " << result.check << ": " << result.text;
    }
  }
}

TEST(ZooTest, AFileThatWasCutOffIsNoSoundLibrary) {
  const test::TemporaryFolder folder;
  const std::string whole = test::ReadBytes(FileOf("good_smoother"));
  const fs::path half = folder.Write("half.crossfold.so", whole.substr(0, whole.size() / 2));
  EXPECT_THAT(FindingsOf(Examine(half, 30, 5)),
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

TEST(ZooTest, EverySourceOfTheFolderIsInTheTable) {
  std::set<std::string> sources, table;
  for (const fs::directory_entry& entry : fs::directory_iterator(CROSSFOLD_BAD_PLUGIN_SOURCES)) {
    const std::string name = entry.path().stem();
    if (!DefectOf(name).empty()) sources.insert(name);
  }
  for (const Animal& animal : test::kZoo) {
    table.emplace(animal.file);
    EXPECT_NE(DefectOf(animal.file), "") << animal.file << " does not begin with its defect";
  }
  for (const std::string_view name : test::kForTheHostOnly) table.emplace(name);
  EXPECT_EQ(sources, table);
}

// A row of the table in README.md.
std::string RowOf(const Animal& animal) {
  const auto page = [](std::string_view check) {
    return "[`" + std::string(check) + "`](../../docs/checks/" + std::string(check) + ".md)";
  };
  std::string row = "| [" + std::string(animal.file) + "](" +
                    SourceOf(animal.file).filename().string() + ") | " + DefectOf(animal.file) +
                    " | " + page(animal.check) + " | " +
                    std::string(CheckOutcomeName(animal.outcome));
  if (!animal.also.empty()) {
    row += "; also " + page(animal.also) + ": " + std::string(animal.why_also);
  }
  return row + " |\n";
}

TEST(ZooTest, TheReadmeIsAboutThisTable) {
  std::string rows = "| plugin | defect | check | outcome |\n|---|---|---|---|\n";
  for (const Animal& animal : test::kZoo) rows += RowOf(animal);
  const std::string readme = TextOf(fs::path(CROSSFOLD_BAD_PLUGIN_SOURCES) / "README.md");
  const std::size_t begin = readme.find("| plugin |");
  const std::string found = begin == std::string::npos ? "" : readme.substr(begin);
  if (found == rows) return;
  const fs::path file = fs::temp_directory_path() / "zoo_rows.md";
  std::ofstream(file) << rows;
  ADD_FAILURE() << "the table of README.md is another; how it should be is in " << file;
}

}  // namespace
}  // namespace crossfold
