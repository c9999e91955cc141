#include "crossfold/plugin_host.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "crossfold/error.h"
#include "data/sha256.h"
#include "temporary_folder.h"
#include "unit/plugin/built_plugins.h"

namespace crossfold {
namespace {

namespace fs = std::filesystem;
using test::Only;
using testing::ElementsAre;
using testing::IsEmpty;

std::pair<ErrorKind, std::string> FindError(const PluginHost& host, Kind kind,
                                            std::string_view id) {
  try {
    host.Find(kind, id);
  } catch (const Error& error) {
    return {error.kind(), error.what()};
  }
  return {ErrorKind::kFailed, "found"};
}

TEST(PluginHostTest, AFolderIsSearchedWithoutLoading) {
  const fs::path file = CROSSFOLD_FIXTURE_PLUGIN;
  const PluginHost host(Only({file.parent_path()}));
  ASSERT_EQ(host.entries().size(), 1u);
  const PluginEntry entry = host.entries()[0];
  EXPECT_EQ(entry.path, file);
  EXPECT_EQ(entry.id, "crossfold.fixture");
  EXPECT_EQ(entry.version, "1.0.0");
  EXPECT_THAT(entry.learners, ElementsAre("crossfold.first_class"));
  EXPECT_THAT(entry.splitters, ElementsAre("org.example.first_row"));
  EXPECT_EQ(entry.rejected, "");
  EXPECT_THAT(host.search_path(), ElementsAre(file.parent_path()));
}

TEST(PluginHostTest, AComponentIsFoundByItsShortAndItsFullId) {
  const PluginHost host(Only({CROSSFOLD_FIXTURE_PLUGIN}));
  const auto learner = host.Find(Kind::kLearner, "first_class");
  EXPECT_EQ(learner->id, "crossfold.first_class");
  EXPECT_EQ(learner->version, "1.2.0");
  EXPECT_EQ(host.Find(Kind::kLearner, "crossfold.first_class"), learner);
  EXPECT_EQ(host.FindAny("org.example.first_row")->kind, Kind::kSplitter);
}

TEST(PluginHostTest, ALoadedPluginKnowsWhereItCameFrom) {
  const PluginHost host(Only({CROSSFOLD_FIXTURE_PLUGIN}));
  const auto learner = host.Find(Kind::kLearner, "first_class");
  EXPECT_EQ(learner->plugin->path, CROSSFOLD_FIXTURE_PLUGIN);
  EXPECT_EQ(learner->plugin->id, "crossfold.fixture");
  EXPECT_EQ(learner->plugin->vendor, "The Crossfold Authors");
  EXPECT_EQ(learner->plugin->license, "MIT");
  EXPECT_EQ(learner->plugin->sha256, Sha256OfFile(CROSSFOLD_FIXTURE_PLUGIN));
}

TEST(PluginHostTest, TwoHostsShareALoadedLibraryAndItsLock) {
  const PluginHost one(Only({CROSSFOLD_FIXTURE_PLUGIN}));
  const PluginHost two(Only({CROSSFOLD_FIXTURE_PLUGIN}));
  EXPECT_EQ(one.Find(Kind::kLearner, "first_class")->plugin,
            two.Find(Kind::kSplitter, "org.example.first_row")->plugin);
}

TEST(PluginHostTest, AnUnknownIdGetsTheNearestAndTheKnownOnesOfItsKind) {
  const PluginHost host(Only({CROSSFOLD_FIXTURE_PLUGIN}));
  EXPECT_EQ(FindError(host, Kind::kLearner, "first_clas"),
            std::make_pair(ErrorKind::kInvalidArgument,
                           std::string("cannot find learner 'first_clas': did you mean "
                                       "'first_class'? known: first_class")));
}

TEST(PluginHostTest, AnIdOfAnotherKindIsSaidToBeOne) {
  const PluginHost host(Only({CROSSFOLD_FIXTURE_PLUGIN}));
  EXPECT_EQ(FindError(host, Kind::kLearner, "org.example.first_row").second,
            "cannot find learner 'org.example.first_row': it is a splitter; known: first_class");
}

TEST(PluginHostTest, ADottedIdThatIsUnknownSaysHowOtherPluginsAreFound) {
  const PluginHost host(Only({CROSSFOLD_FIXTURE_PLUGIN}));
  EXPECT_EQ(FindError(host, Kind::kLearner, "org.example.nothing").second,
            "cannot find learner 'org.example.nothing': known: first_class; the folder of other "
            "plugins is named by --plugin-path or CROSSFOLD_PLUGIN_PATH");
}

TEST(PluginHostTest, WithoutAnyPluginTheErrorSaysWhereItLooked) {
  const test::TemporaryFolder folder;
  const PluginHost host(Only({folder.path()}));
  EXPECT_EQ(FindError(host, Kind::kLearner, "knn").second,
            "cannot find learner 'knn': none are known; searched: " + folder.path().string());
}

TEST(PluginHostTest, AnEarlierPlaceShadowsALaterOne) {
  const test::TemporaryFolder folder;
  const fs::path copy = folder.path() / "copy.crossfold.so";
  fs::copy_file(CROSSFOLD_FIXTURE_PLUGIN, copy);
  PluginHostOptions options = Only({copy, CROSSFOLD_FIXTURE_PLUGIN});
  std::vector<std::int32_t> levels;
  options.log = [&](std::int32_t level, const std::string&) { levels.push_back(level); };
  const PluginHost host(options);
  EXPECT_THAT(levels, ElementsAre(CF_LOG_INFO));
  ASSERT_EQ(host.entries().size(), 2u);
  EXPECT_EQ(host.entries()[0].rejected, "");
  EXPECT_EQ(host.entries()[1].rejected,
            "offers 'crossfold.first_class', which " + copy.string() + " offers already");
}

TEST(PluginHostTest, OneFileFoundTwiceIsOneEntry) {
  const test::TemporaryFolder folder;
  fs::create_symlink(CROSSFOLD_FIXTURE_PLUGIN, folder.path() / "link.crossfold.so");
  const PluginHost host(Only({CROSSFOLD_FIXTURE_PLUGIN, folder.path()}));
  EXPECT_EQ(host.entries().size(), 1u);
}

TEST(PluginHostTest, AnExplicitFileThatIsNotThereIsARejectedEntry) {
  std::vector<std::string> lines;
  PluginHostOptions options = Only({"/nowhere/x.crossfold.so"});
  options.log = [&](std::int32_t level, const std::string& line) {
    EXPECT_EQ(level, CF_LOG_WARN);
    lines.push_back(line);
  };
  const PluginHost host(options);
  ASSERT_EQ(host.entries().size(), 1u);
  EXPECT_EQ(host.entries()[0].rejected, "there is no such file or folder");
  EXPECT_THAT(lines, ElementsAre("cannot use plugin '/nowhere/x.crossfold.so': there is no such "
                                 "file or folder"));
}

TEST(PluginHostTest, ARelativePathMeansTheFolderAtTheStart) {
  const PluginHost host(Only({"relative"}));
  EXPECT_THAT(host.search_path(), ElementsAre(fs::current_path() / "relative"));
}

PluginHostOptions AllowingPaths() {
  PluginHostOptions options = Only({});
  options.allow_paths = true;
  return options;
}

TEST(PluginHostTest, AFileCanBeAddedLaterIfThatIsAllowed) {
  PluginHost host(AllowingPaths());
  EXPECT_THAT(host.entries(), IsEmpty());
  host.AddFile(CROSSFOLD_FIXTURE_PLUGIN);
  host.AddFile(CROSSFOLD_FIXTURE_PLUGIN);
  EXPECT_EQ(host.entries().size(), 1u);
  EXPECT_EQ(host.Find(Kind::kLearner, "first_class")->id, "crossfold.first_class");
}

TEST(PluginHostTest, AHostLoadsNothingByPathUnlessItWasAllowed) {
  PluginHost host(Only({}));
  try {
    host.AddFile(CROSSFOLD_FIXTURE_PLUGIN);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kInvalidArgument);
    EXPECT_EQ(std::string(error.what()),
              "cannot load plugin '" CROSSFOLD_FIXTURE_PLUGIN
              "': this host loads no plugins by path; set PluginHostOptions::allow_paths, or name "
              "the file in PluginHostOptions::paths");
  }
  EXPECT_THAT(host.entries(), IsEmpty());
}

TEST(PluginHostTest, APluginIsFoundByItsIdAndByItsPath) {
  const PluginHost host(Only({CROSSFOLD_FIXTURE_PLUGIN}));
  const auto components = host.FindPlugin("fixture");
  ASSERT_EQ(components.size(), 2u);
  EXPECT_EQ(components[0]->id, "crossfold.first_class");
  EXPECT_EQ(components[1]->id, "org.example.first_row");
  EXPECT_EQ(host.FindPlugin("crossfold.fixture"), components);
  EXPECT_EQ(host.FindPlugin(CROSSFOLD_FIXTURE_PLUGIN), components);
  try {
    host.FindPlugin("fixtur");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(std::string(error.what()),
              "cannot find plugin 'fixtur': did you mean 'fixture'? known: fixture");
  }
}

TEST(PluginHostTest, AnAddedFileThatIsNoPluginIsAnErrorAndARejectedEntry) {
  const test::TemporaryFolder folder;
  const fs::path file = folder.Write("notes.crossfold.so", "Buy milk\n");
  PluginHost host(AllowingPaths());
  try {
    host.AddFile(file);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kBadPlugin);
    EXPECT_EQ(std::string(error.what()), "cannot load plugin '" + file.string() +
                                             "': it is not an ELF shared library (a text file?)");
  }
  ASSERT_EQ(host.entries().size(), 1u);
  EXPECT_EQ(host.entries()[0].rejected, "it is not an ELF shared library (a text file?)");
}

// The dynamic loader would hand out the old code under the new file's name.
TEST(PluginHostTest, AFileThatWasReplacedAfterLoadingIsRefused) {
  const test::TemporaryFolder folder;
  const fs::path file = folder.path() / "copy.crossfold.so";
  fs::copy_file(CROSSFOLD_FIXTURE_PLUGIN, file);
  const PluginHost first(Only({file}));
  first.Find(Kind::kLearner, "first_class");
  fs::rename(file, folder.path() / "old");  // keeps its inode busy, so the new file has another
  fs::copy_file(CROSSFOLD_FIXTURE_PLUGIN, file);
  const PluginHost second(Only({file}));
  EXPECT_EQ(FindError(second, Kind::kLearner, "first_class"),
            std::make_pair(ErrorKind::kBadPlugin,
                           "cannot load plugin '" + file.string() +
                               "': the file has changed since this process loaded it; start the "
                               "program again"));
  EXPECT_EQ(second.entries()[0].rejected,
            "the file has changed since this process loaded it; start the program again");
}

TEST(PluginHostTest, ThreadsThatAskAtTheSameTimeGetTheSameComponent) {
  const test::TemporaryFolder folder;
  const fs::path copy = folder.path() / "copy.crossfold.so";  // not loaded by another test
  fs::copy_file(CROSSFOLD_FIXTURE_PLUGIN, copy);
  const PluginHost host(Only({copy}));
  std::vector<std::shared_ptr<const Component>> found(8);
  std::atomic<int> waiting = 0;
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < found.size(); ++i) {
    threads.emplace_back([&, i] {
      ++waiting;
      while (waiting.load() < 8) std::this_thread::yield();
      found[i] = host.Find(Kind::kLearner, "first_class");
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(std::set(found.begin(), found.end()).size(), 1u);
  EXPECT_EQ(found[0]->plugin->path, copy);
}

}  // namespace
}  // namespace crossfold
