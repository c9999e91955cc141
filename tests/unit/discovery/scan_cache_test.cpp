#include "discovery/plugin_scan.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include "crossfold/version.h"
#include "temporary_folder.h"

namespace crossfold {
namespace {

namespace fs = std::filesystem;
using End = ScanOutcome::End;

const ScanOutcome kCrash{End::kCrashed, "signal 11 (Segmentation fault)", {}};

ScanOutcome Works() {
  ScanOutcome outcome;
  outcome.end = End::kWorks;
  outcome.manifest.id = "org.a";
  outcome.manifest.version = "1.0.0";
  outcome.manifest.ids[Kind::kLearner] = {"org.a.x"};
  outcome.manifest.ids[Kind::kSplitter] = {"org.a.y"};
  outcome.manifest.expected_failures = {{"load-time", "", "slow disk"}};
  return outcome;
}

void KeepOne(const fs::path& cache_file, const fs::path& plugin, const ScanOutcome& outcome) {
  ScanCache cache(cache_file);
  cache.Keep(plugin, PluginFile(plugin), outcome);
  cache.Save();
}

TEST(ScanCacheTest, AnOutcomeIsKnownToTheNextProcess) {
  const test::TemporaryFolder folder;
  const fs::path crashed = folder.Write("a.crossfold.so", "bytes");
  const fs::path works = folder.Write("b.crossfold.so", "others");
  const fs::path file = folder.path() / "scan.json";
  KeepOne(file, crashed, kCrash);
  KeepOne(file, works, Works());
  ScanCache cache(file);
  EXPECT_EQ(cache.Find(crashed, PluginFile(crashed)), kCrash);
  EXPECT_EQ(cache.Find(works, PluginFile(works)), Works());
  EXPECT_EQ(cache.Find(file, PluginFile(file)), std::nullopt);
}

TEST(ScanCacheTest, AFileWithOtherBytesIsNotKnown) {
  const test::TemporaryFolder folder;
  const fs::path plugin = folder.Write("a.crossfold.so", "bytes");
  const fs::path file = folder.path() / "scan.json";
  KeepOne(file, plugin, kCrash);
  folder.Write("a.crossfold.so", "other");  // as long
  fs::last_write_time(plugin, fs::file_time_type::clock::now() + std::chrono::seconds(5));
  EXPECT_EQ(ScanCache(file).Find(plugin, PluginFile(plugin)), std::nullopt);
  folder.Write("a.crossfold.so", "longer bytes");
  EXPECT_EQ(ScanCache(file).Find(plugin, PluginFile(plugin)), std::nullopt);
}

TEST(ScanCacheTest, AFileThatWasTouchedIsStillKnownByItsBytes) {
  const test::TemporaryFolder folder;
  const fs::path plugin = folder.Write("a.crossfold.so", "bytes");
  const fs::path file = folder.path() / "scan.json";
  KeepOne(file, plugin, kCrash);
  fs::last_write_time(plugin, fs::file_time_type::clock::now() + std::chrono::seconds(5));
  ScanCache cache(file);
  EXPECT_EQ(cache.Find(plugin, PluginFile(plugin)), kCrash);
  cache.Save();
  EXPECT_EQ(ParseScannedFiles(test::ReadBytes(file)).at(plugin.string()).modified_ns,
            PluginFile(plugin).modified_ns());
}

TEST(ScanCacheTest, WhatIsForgottenIsGoneFromTheFileToo) {
  const test::TemporaryFolder folder;
  const fs::path plugin = folder.Write("a.crossfold.so", "bytes");
  const fs::path file = folder.path() / "scan.json";
  KeepOne(file, plugin, kCrash);
  ScanCache cache(file);
  cache.Forget(plugin);
  EXPECT_EQ(cache.Find(plugin, PluginFile(plugin)), std::nullopt);
  cache.Save();
  EXPECT_TRUE(ParseScannedFiles(test::ReadBytes(file)).empty());
}

TEST(ScanCacheTest, ACacheOfAnotherVersionOrADamagedOneIsEmpty) {
  const std::string good = ToText(ScannedFiles{{"/a", {1, 2, "ff", kCrash}}});
  EXPECT_EQ(ParseScannedFiles(good).size(), 1u);
  std::string other = good;
  const std::string version(Version());
  other.replace(other.find(version), version.size(), "0.0.0");
  EXPECT_TRUE(ParseScannedFiles(other).empty());
  EXPECT_TRUE(ParseScannedFiles("").empty());
  EXPECT_TRUE(ParseScannedFiles("[1]").empty());
  EXPECT_TRUE(ParseScannedFiles(good.substr(0, good.size() - 3)).empty());
}

TEST(ScanCacheTest, AFolderIsMadeWhereTheOneAboveItsOwnIs) {
  const test::TemporaryFolder folder;
  const fs::path plugin = folder.Write("a.crossfold.so", "bytes");
  KeepOne(folder.path() / ".cache/crossfold/scan.json", plugin, kCrash);
  EXPECT_TRUE(fs::exists(folder.path() / ".cache/crossfold/scan.json"));
  KeepOne(folder.path() / "no/such/place/scan.json", plugin, kCrash);
  EXPECT_FALSE(fs::exists(folder.path() / "no"));
}

TEST(ScanCacheTest, ProcessesThatWriteAtTheSameTimeLeaveAWholeFile) {
  const test::TemporaryFolder folder;
  const fs::path file = folder.path() / "scan.json";
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < 10; ++i) {
        const std::string name = std::to_string(t) + "-" + std::to_string(i) + ".crossfold.so";
        KeepOne(file, folder.Write(name, "bytes"), kCrash);
        EXPECT_FALSE(ParseScannedFiles(test::ReadBytes(file)).empty());
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

// So deep that a function which calls itself for each level would run out of stack.
TEST(ScanCacheTest, WhatIsNestedTooDeepIsNotRead) {
  for (const char* open : {"[", "{\"a\":"}) {
    std::string deep;
    for (int i = 0; i < 200000; ++i) deep += open;
    EXPECT_TRUE(ParseScannedFiles(deep).empty());
    EXPECT_EQ(ParseScanOutcome(deep), std::nullopt);
  }
  std::string closed = R"({"end":"works","manifest":)";
  for (int i = 0; i < 200000; ++i) closed += '[';
  for (int i = 0; i < 200000; ++i) closed += ']';
  EXPECT_EQ(ParseScanOutcome(closed + "}"), std::nullopt);
}

}  // namespace
}  // namespace crossfold
