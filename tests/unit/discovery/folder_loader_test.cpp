// Folders as a host finds and opens them. Their program is that of tests/data/centroids.crossfold.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <string>

#include "crossfold/plugin_host.h"
#include "discovery/plugin_folder.h"
#include "files/scratch_folder.h"
#include "message_of.h"
#include "temporary_folder.h"
#include "unit/discovery/built_plugins.h"

namespace crossfold {
namespace {

namespace fs = std::filesystem;
using test::Only;
using testing::ElementsAre;
using testing::IsEmpty;

constexpr const char* kId = "org.example.centroids";

class FolderPluginTest : public testing::Test {
 protected:
  FolderPluginTest() {
    fs::copy(CROSSFOLD_TEST_FOLDER, path_, fs::copy_options::recursive);
    for (const auto& file : fs::directory_iterator(path_)) {
      fs::permissions(file.path(), fs::perms::owner_read | fs::perms::owner_write);
    }
  }

  fs::path Write(const std::string& name, std::string_view bytes) const {
    return temporary_.Write("centroids.crossfold/" + name, bytes);
  }
  std::string Hash() const { return PluginFolder(path_).Sha256(); }
  PluginEntry Entry() const { return PluginHost(Only({path_})).entries().at(0); }
  PluginHostOptions Locked(const std::string& sha256) const {
    PluginHostOptions options = Only({path_});
    options.lock = PluginLock{"my.lock", {{kId, "1.0.0", "centroids.crossfold", sha256}}};
    return options;
  }
  static std::string FindProblem(const PluginHost& host) {
    return test::MessageOf([&] { host.Find(Kind::kLearner, kId); });
  }

  test::TemporaryFolder temporary_;
  fs::path path_ = temporary_.path() / "centroids.crossfold";
};

TEST_F(FolderPluginTest, IsListedWithoutStartingItsProgram) {
  Write("learner.lua", "error('started')");
  PluginHostOptions options = Only({temporary_.path()});
  options.hash_files = true;
  const PluginHost host(std::move(options));
  ASSERT_EQ(host.entries().size(), 1u);
  const PluginEntry entry = host.entries()[0];
  EXPECT_EQ(entry.path, path_);
  EXPECT_TRUE(entry.is_folder);
  EXPECT_TRUE(entry.has_manifest);
  EXPECT_EQ(entry.id, kId);
  EXPECT_EQ(entry.version, "1.0.0");
  EXPECT_EQ(entry.sha256, Hash());
  EXPECT_EQ(entry.rejected, "");
  EXPECT_THAT(entry.ids[Kind::kLearner], ElementsAre(kId));
}

TEST_F(FolderPluginTest, IsOneFileOfTheSearchAndNotAPlaceToSearch) {
  fs::copy_file(CROSSFOLD_FIXTURE_PLUGIN, path_ / "fixture.crossfold.so");
  EXPECT_EQ(PluginHost(Only({path_})).entries().size(), 1u);
  EXPECT_EQ(PluginHost(Only({path_ / ""})).entries().at(0).path, path_);
  EXPECT_EQ(PluginHost(Only({path_ / "."})).entries().at(0).path, path_);
}

TEST_F(FolderPluginTest, IsOpenedByExec) {
  const PluginHost host(Only({path_}));
  const auto learner = host.Find(Kind::kLearner, kId);
  EXPECT_EQ(learner->version, "1.0.0 (lua 5.4)");
  EXPECT_EQ(learner->title, "Nearest centroid in Lua");
  const LoadedPlugin& plugin = *learner->plugin;
  EXPECT_EQ(plugin.path, path_);
  EXPECT_EQ(plugin.id, kId);
  EXPECT_EQ(plugin.version, "1.0.0");
  EXPECT_EQ(plugin.vendor, "The Crossfold Authors");
  EXPECT_EQ(plugin.sha256, Hash());
  EXPECT_TRUE(plugin.runs_in_child);
  EXPECT_FALSE(plugin.locked);
  EXPECT_EQ(plugin.copy, "");
}

TEST_F(FolderPluginTest, TwoHostsShareIt) {
  const PluginHost one(Only({path_})), two(Only({path_}));
  EXPECT_EQ(one.Find(Kind::kLearner, kId), two.Find(Kind::kLearner, kId));
}

TEST_F(FolderPluginTest, IsAddedByItsPath) {
  PluginHostOptions options = Only({});
  options.allow_paths = true;
  PluginHost host(std::move(options));
  host.AddFile(path_ / "");
  EXPECT_EQ(host.FindPlugin(path_.string()).at(0)->id, kId);
}

TEST_F(FolderPluginTest, ADamagedDescriptionIsARejectedPlugin) {
  Write("crossfold.json", "{");
  const PluginEntry entry = Entry();
  EXPECT_EQ(entry.rejected, "its crossfold.json is not valid JSON");
  EXPECT_FALSE(entry.has_manifest);
}

TEST_F(FolderPluginTest, WhatOnlyExecChecksIsNamedWhenItIsOpened) {
  Write("crossfold.json",
        R"({"crossfold":1,"kind":"learner","id":"org.example.centroids","version":"1.0.0",)"
        R"("start":["lua5.4"],"tasks":["binary"],"colour":"red"})");
  const PluginHost host(Only({path_}));
  EXPECT_EQ(FindProblem(host), "cannot load plugin '" + path_.string() +
                                   "': its crossfold.json: there is no key 'colour'");
  EXPECT_EQ(host.entries()[0].rejected, "its crossfold.json: there is no key 'colour'");
}

TEST_F(FolderPluginTest, AProgramThatEndsIsNamedWithWhatItWrote) {
  Write("learner.lua", "io.stderr:write('no centroids today') os.exit(3)");
  EXPECT_EQ(FindProblem(PluginHost(Only({path_}))),
            "cannot load plugin '" + path_.string() +
                "': its process ended with exit code 3; it wrote: no centroids today");
}

TEST_F(FolderPluginTest, AProgramThatWritesIntoItsFolderIsRefused) {
  const std::string program = test::ReadBytes(path_ / "learner.lua");
  Write("learner.lua", "io.open('log.txt', 'w'):close()\n" + program);
  EXPECT_EQ(FindProblem(PluginHost(Only({path_}))),
            "cannot load plugin '" + path_.string() +
                "': it was written to while its program was started; a program must not write "
                "into its own folder");
}

TEST_F(FolderPluginTest, AFolderThatChangesLaterIsRefused) {
  const PluginHost found(Only({path_}));
  Write("crossfold.json", R"({"crossfold":1,"kind":"learner","id":"a.b","version":"1"})");
  EXPECT_EQ(FindProblem(found), "cannot load plugin '" + path_.string() +
                                    "': the folder has changed since it was found");
}

TEST_F(FolderPluginTest, AFolderThatChangesAfterItWasOpenedNeedsAnotherProcess) {
  EXPECT_EQ(FindProblem(PluginHost(Only({path_}))), "");
  Write("notes.txt", "new");
  EXPECT_EQ(FindProblem(PluginHost(Only({path_}))),
            "cannot load plugin '" + path_.string() +
                "': the folder has changed since this process loaded it; start the program again");
}

TEST_F(FolderPluginTest, AFileThatOthersCanWriteIsRefused) {
  const std::string file = (path_ / "json.lua").string();
  fs::permissions(file, fs::perms::all);
  EXPECT_EQ(Entry().rejected, "everyone may write to '" + file +
                                  "' (mode 0777); if this is not intended: chmod go-w '" + file +
                                  "', or copy the file to a folder of your own");
}

TEST_F(FolderPluginTest, AReservedIdIsRefusedInAFolderThatTheHostDidNotName) {
  Write("crossfold.json",
        R"({"crossfold":1,"kind":"learner","id":"crossfold.centroids","version":"1.0.0"})");
  ASSERT_EQ(::setenv("CROSSFOLD_PLUGIN_PATH", temporary_.path().c_str(), 1), 0);
  PluginHostOptions options = Only({});
  options.use_environment = true;
  const PluginHost host(std::move(options));
  ::unsetenv("CROSSFOLD_PLUGIN_PATH");
  EXPECT_EQ(host.entries().at(0).rejected,
            "claims 'crossfold.centroids', and ids that begin with 'crossfold.' are reserved for "
            "bundled plugins; give it another id, or name its path (--plugin-path)");
}

TEST_F(FolderPluginTest, ASwitchedOffFolderIsListed) {
  PluginHostOptions options = Only({path_});
  options.disable = {"centroids.crossfold"};
  EXPECT_EQ(PluginHost(std::move(options)).entries().at(0).rejected,
            "switched off by 'centroids.crossfold'");
}

TEST_F(FolderPluginTest, UnderALockAnotherContentIsRefused) {
  const std::string other(64, '0');
  EXPECT_EQ(PluginHost(Locked(other)).entries().at(0).rejected,
            "its SHA-256 is " + Hash() + ", lock 'my.lock' has " + other + " for '" + kId +
                "'; if you trust it: crossfold plugin trust --lock 'my.lock' '" + path_.string() +
                "'");
}

TEST_F(FolderPluginTest, UnderALockAContentThatChangesBeforeItIsOpenedIsRefused) {
  const std::string hash = Hash();
  const PluginHost host(Locked(hash));
  Write("learner.lua", "error('started')");
  EXPECT_EQ(FindProblem(host), "cannot load plugin '" + path_.string() + "': its SHA-256 is now " +
                                   Hash() + " instead of " + hash);
}

TEST_F(FolderPluginTest, UnderALockTheCopyThatWasHashedRuns) {
  const std::string hash = Hash();
  const PluginHost host(Locked(hash));
  const auto learner = host.Find(Kind::kLearner, kId);
  const LoadedPlugin& plugin = *learner->plugin;
  EXPECT_EQ(plugin.path, path_);
  EXPECT_TRUE(plugin.locked);
  EXPECT_EQ(plugin.copy.filename(), "centroids.crossfold");
  EXPECT_TRUE(ScratchFolder::IsOfThisUser(plugin.copy.parent_path()));
  EXPECT_EQ(PluginFolder(plugin.copy).Sha256(), hash);
  Write("learner.lua", "error('started')");  // what runs is the copy
  EXPECT_EQ(FindProblem(host), "");
}

// As worker processes do.
TEST_F(FolderPluginTest, TheCopyOfAnotherProcessIsNotCopiedAgain) {
  const ScratchFolder scratch = ScratchFolder::Temporary();
  const fs::path copy = scratch.path() / "centroids.crossfold";
  PluginFolder(path_).CopyTo(copy);
  PluginHostOptions options = Locked(Hash());
  options.paths = {copy};
  const PluginHost host(std::move(options));
  EXPECT_EQ(host.Find(Kind::kLearner, kId)->plugin->copy, "");
}

}  // namespace
}  // namespace crossfold
