// Plugins that are tried in a process of their own, locked or switched off, as a host sees them.
#include "discovery/plugin_scan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <string>
#include <utility>

#include "crossfold/error.h"
#include "crossfold/plugin_host.h"
#include "discovery/plugin_file.h"
#include "message_of.h"
#include "temporary_folder.h"
#include "unit/discovery/built_plugins.h"

namespace crossfold {
namespace {

namespace fs = std::filesystem;
using test::kScanned;
using test::kUnlisted;
using test::Only;
using testing::ElementsAre;
using testing::IsEmpty;
using End = ScanOutcome::End;

const fs::path kWorker = CROSSFOLD_TEST_WORKER;
const fs::path kExits = kScanned / "unlisted_exit/unlisted_exit.crossfold.so";
const fs::path kCrashes = kScanned / "crashes_on_load/crashes_on_load.crossfold.so";
const std::string kFixture = CROSSFOLD_FIXTURE_PLUGIN;
const std::string kCrashText = "signal 11 (Segmentation fault)";

PluginHostOptions Scanning(const fs::path& path, const fs::path& cache = "") {
  PluginHostOptions options = Only({path});
  options.scan.where = ScanOptions::Where::kInProcess;
  options.scan.cache = cache;
  options.scan.program = kWorker;
  return options;
}

std::string FindAnyError(const PluginHost& host, const std::string& id) {
  return test::MessageOf([&] { host.FindAny(id); }, ErrorKind::kBadPlugin);
}

std::string Again(const fs::path& path) {
  return "; it is not loaded until its file changes or 'crossfold plugin scan --again " +
         path.string() + "' succeeds";
}

PluginLock LockOf(const std::string& id, const std::string& sha256) {
  return {"my.lock", {{id, "1.0.0", "x", sha256, 1, 0}}};
}

TEST(PluginScanTest, APluginThatWorksTellsWhatItOffers) {
  const ScanOutcome outcome = ScanInProcess(kWorker, kUnlisted, {});
  EXPECT_EQ(outcome.end, End::kWorks) << outcome.reason;
  EXPECT_EQ(outcome.manifest.id, "org.example.unlisted");
  EXPECT_EQ(outcome.manifest.version, "1.0.0");
  EXPECT_THAT(outcome.manifest.ids[Kind::kLearner], ElementsAre("org.example.unlisted"));
  EXPECT_EQ(ScanInProcess(kWorker, kFixture, {}).manifest.id, "crossfold.fixture");
}

TEST(PluginScanTest, ACrashAndAnExitEndTheProcessThatTries) {
  EXPECT_EQ(ScanInProcess(kWorker, kCrashes, {}), (ScanOutcome{End::kCrashed, kCrashText, {}}));
  EXPECT_EQ(ScanInProcess(kWorker, kExits, {}), (ScanOutcome{End::kCrashed, "exit code 3", {}}));
}

TEST(PluginScanTest, ARefusalIsToldWithItsReason) {
  const test::TemporaryFolder folder;
  const fs::path text = folder.Write("x.crossfold.so", "return 1\n");
  EXPECT_EQ(ScanInProcess(kWorker, text, {}),
            (ScanOutcome{End::kRefused, "it is not an ELF shared library (a text file?)", {}}));
  EXPECT_EQ(ScanInProcess(kWorker, kUnlisted, LockOf("any", std::string(64, '1')).plugins[0]).end,
            End::kRefused);
}

TEST(PluginScanTest, AProgramThatDoesNotAnswerIsKilled) {
  const test::TemporaryFolder folder;
  const fs::path program = folder.Write("sleeps", "#!/bin/sh\nsleep 1000\n");
  fs::permissions(program, fs::perms::owner_all);
  EXPECT_EQ(ScanInProcess(program, kUnlisted, {}, std::chrono::milliseconds(200)).end, End::kHung);
}

TEST(PluginScanTest, WithoutScanningAPluginWithoutAManifestCannotBeUsed) {
  const PluginHost host(Only({kUnlisted}));
  EXPECT_EQ(host.entries()[0].rejected, "has no crossfold manifest; is it a Crossfold plugin?");
}

TEST(PluginScanTest, AScannedPluginWithoutAManifestIsListedAndWorks) {
  const test::TemporaryFolder folder;
  const fs::path cache = folder.path() / "scan.json";
  for (int i = 0; i < 2; ++i) {
    PluginHostOptions options = Scanning(kUnlisted, cache);
    if (i == 1) options.scan.program = "/nowhere/worker";  // the outcome is known by now
    const PluginHost host(options);
    EXPECT_EQ(host.entries()[0].rejected, "");
    EXPECT_EQ(host.entries()[0].id, "org.example.unlisted");
    EXPECT_FALSE(host.entries()[0].has_manifest);
    EXPECT_EQ(host.Find(Kind::kLearner, "org.example.unlisted")->version, "1.0.0");
  }
}

TEST(PluginScanTest, APluginWithAManifestIsListedWithoutBeingTried) {
  const test::TemporaryFolder folder;
  PluginHostOptions options = Scanning(kCrashes, folder.path() / "scan.json");
  options.scan.program = "/nowhere/worker";
  const PluginHost host(options);
  EXPECT_EQ(host.entries()[0].rejected, "");
  EXPECT_FALSE(fs::exists(folder.path() / "scan.json"));
}

// The plugin counts its crashes in a file.
TEST(PluginScanTest, ACrashIsRememberedAndNotRepeated) {
  const test::TemporaryFolder folder;
  const fs::path plugin = folder.path() / "x.crossfold.so", cache = folder.path() / "scan.json";
  const fs::path count = folder.path() / "count";
  fs::copy_file(kCrashes, plugin);
  ::setenv("CROSSFOLD_TESTS_COUNT_CRASHES", count.c_str(), 1);
  const std::string reason = "crashed while it was scanned (" + kCrashText + ")" + Again(plugin);
  const std::string error = "cannot load plugin '" + plugin.string() + "': " + reason;
  {
    const PluginHost host(Scanning(plugin, cache));
    EXPECT_EQ(FindAnyError(host, "org.example.crashes"), error);
    EXPECT_EQ(FindAnyError(host, "org.example.crashes"), error);
    EXPECT_EQ(host.entries()[0].rejected, reason);
  }
  {
    const PluginHost host(Scanning(plugin, cache));  // the next process
    EXPECT_EQ(host.entries()[0].rejected, reason);
    EXPECT_EQ(FindAnyError(host, "org.example.crashes"), error);
  }
  EXPECT_EQ(test::ReadBytes(count), "x");
  PluginHostOptions again = Scanning(plugin, cache);
  again.scan.again = again.scan.all = true;
  EXPECT_EQ(PluginHost(again).entries()[0].rejected, reason);
  EXPECT_EQ(test::ReadBytes(count), "xx");
  fs::remove(plugin);
  fs::copy_file(kFixture, plugin);  // fixed
  EXPECT_EQ(PluginHost(Scanning(plugin, cache)).entries()[0].rejected, "");
  ::unsetenv("CROSSFOLD_TESTS_COUNT_CRASHES");
}

TEST(PluginScanTest, AHostWithoutACacheFileRemembersForItsOwnLife) {
  const test::TemporaryFolder folder;
  const fs::path plugin = folder.path() / "x.crossfold.so", count = folder.path() / "count";
  fs::copy_file(kCrashes, plugin);
  ::setenv("CROSSFOLD_TESTS_COUNT_CRASHES", count.c_str(), 1);
  const PluginHost host(Scanning(plugin));
  EXPECT_NE(FindAnyError(host, "org.example.crashes"), "");
  EXPECT_NE(FindAnyError(host, "org.example.crashes"), "");
  ::unsetenv("CROSSFOLD_TESTS_COUNT_CRASHES");
  EXPECT_EQ(test::ReadBytes(count), "x");
}

TEST(PluginScanTest, ADamagedCacheIsIgnoredAndReplaced) {
  const test::TemporaryFolder folder;
  const fs::path cache = folder.Write("scan.json", "{\"crossfold_scan\":1,");
  EXPECT_EQ(PluginHost(Scanning(kUnlisted, cache)).entries()[0].rejected, "");
  EXPECT_EQ(test::ReadBytes(cache).substr(0, 24), "{\n \"crossfold_scan\": 1,\n");
}

TEST(PluginScanTest, AnOutcomeOfATrialIsListedForEveryFileIfThatIsAskedFor) {
  PluginHostOptions options = Scanning(kCrashes);
  options.scan.all = true;
  EXPECT_EQ(PluginHost(options).entries()[0].rejected,
            "crashed while it was scanned (" + kCrashText + ")" + Again(kCrashes));
}

TEST(PluginScanTest, ASwitchedOffPluginIsListedAndNotTried) {
  PluginHostOptions options = Scanning(kExits);
  options.disable = {"unlisted*"};
  EXPECT_EQ(PluginHost(options).entries()[0].rejected, "switched off by 'unlisted*'");
  options = Only({kFixture});
  options.disable = {"fixture"};
  const PluginHost host(options);
  EXPECT_EQ(host.entries()[0].id, "crossfold.fixture");
  EXPECT_EQ(FindAnyError(host, "first_class"),
            "cannot load plugin '" + kFixture + "': switched off by 'fixture'");
}

TEST(LockedHostTest, ALockedPluginIsLoadedAndMarked) {
  PluginHostOptions options = Only({kFixture});
  options.lock = LockOf("crossfold.fixture", PluginFile(kFixture).Sha256());
  const PluginHost host(options);
  EXPECT_EQ(host.entries()[0].rejected, "");
  EXPECT_TRUE(host.Find(Kind::kLearner, "first_class")->plugin->locked);
}

TEST(LockedHostTest, AnotherFileIsRefusedWithBothHashesAndTheWayOut) {
  PluginHostOptions options = Only({kFixture});
  options.lock = LockOf("crossfold.fixture", std::string(64, '0'));
  const PluginHost host(options);
  const std::string reason = "its SHA-256 is " + PluginFile(kFixture).Sha256() +
                             ", lock 'my.lock' has " + std::string(64, '0') +
                             " for 'crossfold.fixture'; if you trust it: crossfold plugin trust "
                             "--lock 'my.lock' '" +
                             kFixture + "'";
  EXPECT_EQ(host.entries()[0].rejected, reason);
  EXPECT_EQ(FindAnyError(host, "first_class"), "cannot load plugin '" + kFixture + "': " + reason);
}

TEST(LockedHostTest, APluginThatIsNotInTheLockIsRefused) {
  PluginHostOptions options = Only({kFixture});
  options.lock = LockOf("org.other", PluginFile(kFixture).Sha256());
  EXPECT_EQ(PluginHost(options).entries()[0].rejected,
            "'crossfold.fixture' with SHA-256 " + PluginFile(kFixture).Sha256() +
                " is not in lock 'my.lock'; if you trust it: crossfold plugin trust --lock "
                "'my.lock' '" +
                kFixture + "'");
}

TEST(LockedHostTest, APluginThatIsNotInTheLockShadowsNoneThatIs) {
  const test::TemporaryFolder folder;
  const fs::path earlier = folder.path() / "a.crossfold.so";
  fs::copy_file(kFixture, earlier);
  std::string bytes = test::ReadBytes(earlier) + "x";  // after the last section
  folder.Write("a.crossfold.so", bytes);
  PluginHostOptions options = Only({earlier});
  options.paths.emplace_back(kFixture);
  options.lock = LockOf("crossfold.fixture", PluginFile(kFixture).Sha256());
  const PluginHost host(options);
  EXPECT_EQ(host.Find(Kind::kLearner, "first_class")->plugin->path, kFixture);
}

TEST(LockedHostTest, AFileWithoutAManifestIsTriedOnlyIfItsHashIsInTheLock) {
  PluginHostOptions options = Scanning(kExits);
  options.lock = LockOf("org.example.unlisted", PluginFile(kUnlisted).Sha256());
  EXPECT_EQ(PluginHost(options).entries()[0].rejected,
            "it has no manifest, and no plugin of lock 'my.lock' has its SHA-256 " +
                PluginFile(kExits).Sha256() +
                "; if you trust it: crossfold plugin trust --lock 'my.lock' '" + kExits.string() +
                "'");
  options.paths = {kUnlisted};
  const PluginHost host(options);
  EXPECT_TRUE(host.FindAny("org.example.unlisted")->plugin->locked);
}

// A plugin with a library beside it, and a lock that knows both.
class LockedNeighbourTest : public testing::Test {
 protected:
  LockedNeighbourTest() {
    fs::copy(kScanned / "neighbour_plugin", folder_.path(), fs::copy_options::recursive);
    options_ = Only({plugin_});
    PluginHostOptions hashing = options_;
    hashing.hash_files = true;
    const PluginEntry entry = PluginHost(hashing).entries()[0];
    options_.lock = LockOf("org.example.neighbour", entry.sha256);
    options_.lock->plugins[0].libraries = entry.libraries;
  }

  test::TemporaryFolder folder_;
  const fs::path plugin_ = folder_.path() / "neighbour_plugin.crossfold.so";
  const fs::path library_ = folder_.path() / "neighbours/libcrossfold_neighbour.so";
  const std::string name_ = "its library 'neighbours/libcrossfold_neighbour.so' ";
  const std::string way_ =
      "; if you trust it: crossfold plugin trust --lock 'my.lock' '" + plugin_.string() + "'";
  PluginHostOptions options_;
};

TEST_F(LockedNeighbourTest, WithTheLibraryOfTheLockItIsLoaded) {
  const PluginHost host(options_);
  EXPECT_EQ(host.FindAny("org.example.neighbour")->version, "42");
  EXPECT_EQ(host.FindAny("org.example.neighbour")->plugin->libraries,
            options_.lock->plugins[0].libraries);
}

TEST_F(LockedNeighbourTest, AnotherLibraryIsRefusedWithBothHashes) {
  const std::string locked = PluginFile(library_).Sha256();
  folder_.Write("neighbours/libcrossfold_neighbour.so", test::ReadBytes(library_) + "x");
  EXPECT_EQ(PluginHost(options_).entries()[0].rejected,
            name_ + "has SHA-256 " + PluginFile(library_).Sha256() + ", lock 'my.lock' has " +
                locked + way_);
}

// As in locks that were written before libraries were in them.
TEST_F(LockedNeighbourTest, ALockWithoutTheLibraryRefusesThePlugin) {
  options_.lock->plugins[0].libraries.clear();
  EXPECT_EQ(
      PluginHost(options_).entries()[0].rejected,
      name_ + "with SHA-256 " + PluginFile(library_).Sha256() + " is not in lock 'my.lock'" + way_);
}

TEST_F(LockedNeighbourTest, AMissingLibraryIsTold) {
  fs::remove(library_);
  EXPECT_EQ(PluginHost(options_).entries()[0].rejected,
            name_ + "of lock 'my.lock' is not next to it" + way_);
}

TEST_F(LockedNeighbourTest, AnotherProcessLoadsTheLibraryOfTheLockAndNoOther) {
  const LockedPlugin wanted = options_.lock->plugins[0];
  EXPECT_EQ(ScanInProcess(kWorker, plugin_, wanted).end, End::kWorks);
  folder_.Write("neighbours/libcrossfold_neighbour.so", test::ReadBytes(library_) + "x");
  EXPECT_EQ(ScanInProcess(kWorker, plugin_, wanted),
            (ScanOutcome{End::kRefused,
                         "the libraries next to it are not those of the lock; start the program "
                         "again",
                         {}}));
}

TEST(LockedHostTest, AFileThatWasSwappedAfterTheSearchIsNotLoaded) {
  const test::TemporaryFolder folder;
  const fs::path plugin = folder.path() / "x.crossfold.so";
  fs::copy_file(kFixture, plugin);
  PluginHostOptions options = Only({plugin});
  options.lock = LockOf("crossfold.fixture", PluginFile(kFixture).Sha256());
  const PluginHost host(options);
  fs::rename(plugin, folder.path() / "old");
  fs::copy_file(kCrashes, plugin);
  EXPECT_EQ(FindAnyError(host, "first_class"),
            "cannot load plugin '" + plugin.string() + "': its SHA-256 is now " +
                PluginFile(kCrashes).Sha256() + " instead of " + PluginFile(kFixture).Sha256());
}

}  // namespace
}  // namespace crossfold
