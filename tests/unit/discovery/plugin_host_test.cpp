#include "crossfold/plugin_host.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include <atomic>
#include <filesystem>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "crossfold/error.h"
#include "discovery/plugin_file.h"
#include "message_of.h"
#include "temporary_folder.h"
#include "unit/discovery/built_plugins.h"

namespace crossfold {
namespace {

namespace fs = std::filesystem;
using test::MessageOf;
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
  EXPECT_THAT(entry.ids[Kind::kLearner], ElementsAre("crossfold.first_class"));
  EXPECT_THAT(entry.ids[Kind::kSplitter], ElementsAre("org.example.first_row"));
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
  EXPECT_EQ(learner->plugin->sha256, PluginFile(CROSSFOLD_FIXTURE_PLUGIN).Sha256());
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
            "cannot find learner 'org.example.nothing': known: first_class; name the folder of "
            "other plugins with --plugin-path or CROSSFOLD_PLUGIN_PATH");
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
  EXPECT_EQ(host.entries()[1].rejected, "offers 'crossfold.first_class', which " + copy.string() +
                                            " offers already; remove one");
}

// Replaces a text in the bytes by one of the same length.
std::string WithText(std::string bytes, std::string_view from, std::string_view to) {
  for (std::size_t at = bytes.find(from); at != std::string::npos; at = bytes.find(from, at + 1)) {
    bytes.replace(at, from.size(), to);
  }
  return bytes;
}

TEST(PluginHostTest, ASecondFileWithTheIdOfAPluginIsRefusedAndNamesTheFirst) {
  const test::TemporaryFolder folder;
  const std::string bytes = WithText(test::FixtureBytes(), "first_class", "other_class");
  const fs::path other =
      folder.Write("other.crossfold.so", WithText(bytes, "first_row", "other_row"));
  const PluginHost host(Only({CROSSFOLD_FIXTURE_PLUGIN, other}));
  ASSERT_EQ(host.entries().size(), 2u);
  EXPECT_THAT(host.entries()[1].ids[Kind::kLearner], ElementsAre("crossfold.other_class"));
  EXPECT_EQ(host.entries()[1].rejected, "has the id 'crossfold.fixture', which " +
                                            std::string(CROSSFOLD_FIXTURE_PLUGIN) +
                                            " has already; remove one");
}

// Sets the environment of a search in a folder.
class SearchedFolder : public testing::TestWithParam<const char*> {
 protected:
  SearchedFolder() {
    plugins_ = folder_.path() / "crossfold/plugins";
    fs::create_directories(plugins_);
    const bool is_users = GetParam() == std::string("XDG_DATA_HOME");
    ::setenv(GetParam(), is_users ? folder_.path().c_str() : plugins_.c_str(), 1);
    options_.use_environment = !is_users;
    options_.use_user_folder = is_users;
    options_.log = [this](std::int32_t level, const std::string& line) {
      if (level >= CF_LOG_WARN) warnings_.push_back(line);
    };
  }
  ~SearchedFolder() override { ::unsetenv(GetParam()); }

  test::TemporaryFolder folder_;
  fs::path plugins_;
  PluginHostOptions options_ = Only({});
  std::vector<std::string> warnings_;
};
INSTANTIATE_TEST_SUITE_P(PluginHostTest, SearchedFolder,
                         testing::Values("CROSSFOLD_PLUGIN_PATH", "XDG_DATA_HOME"));

const fs::path kKnn = fs::path(CROSSFOLD_TEST_PLUGINS) / "knn.crossfold.so";

TEST_P(SearchedFolder, APluginThatClaimsABundledIdIsRefusedAndTheBundledOneIsUsed) {
  const fs::path copy = plugins_ / "knn.crossfold.so";
  fs::copy_file(kKnn, copy);
  options_.use_installation = true;
  const PluginHost host(options_);
  const PluginEntry first = host.entries()[0];
  EXPECT_EQ(first.path, copy);
  EXPECT_EQ(first.rejected,
            "claims 'crossfold.knn', and ids that begin with 'crossfold.' are reserved for "
            "bundled plugins; give it another id, or name its path (--plugin-path)");
  EXPECT_THAT(warnings_,
              ElementsAre("cannot use plugin '" + copy.string() + "': " + first.rejected));
  EXPECT_EQ(host.Find(Kind::kLearner, "knn")->plugin->path, kKnn);
}

// The loader would take either name for the same library.
TEST_P(SearchedFolder, AnotherNameOfABundledFileDoesNotSwitchItOff) {
  fs::create_symlink(kKnn, plugins_ / "knn.crossfold.so");
  std::error_code on_other_device;
  const fs::path kfold = fs::path(CROSSFOLD_TEST_PLUGINS) / "kfold.crossfold.so";
  fs::create_hard_link(kfold, plugins_ / "kfold.crossfold.so", on_other_device);
  options_.use_installation = true;
  const PluginHost host(options_);
  EXPECT_EQ(host.Find(Kind::kLearner, "knn")->id, "crossfold.knn");
  EXPECT_EQ(host.Find(Kind::kSplitter, "kfold")->plugin->path, kfold);
}

TEST_P(SearchedFolder, ALinkToABundledFileStandsForItWhereverItLeadsLater) {
  const fs::path link = plugins_ / "knn.crossfold.so";
  fs::create_symlink(kKnn, link);
  const PluginHost host(options_);
  fs::remove(link);
  fs::create_symlink(fs::path(CROSSFOLD_TEST_PLUGINS) / "kfold.crossfold.so", link);
  EXPECT_EQ(host.Find(Kind::kLearner, "knn")->plugin->path, kKnn);
}

TEST_P(SearchedFolder, TheFolderOfTheInstallationKeepsItsIdsHoweverItIsFound) {
  fs::remove(plugins_);
  fs::create_directory_symlink(CROSSFOLD_TEST_PLUGINS, plugins_);
  const PluginHost host(options_);
  EXPECT_EQ(host.Find(Kind::kLearner, "knn")->id, "crossfold.knn");
  EXPECT_THAT(warnings_, IsEmpty());
}

TEST_P(SearchedFolder, AFileThatEveryoneMayWriteIsListedWithItsIdAndNotUsed) {
  const fs::path file = plugins_ / "x.crossfold.so";
  fs::copy_file(test::kScanned / "neighbour_plugin/neighbour_plugin.crossfold.so", file);
  fs::permissions(file, fs::perms(0666));
  const PluginHost host(options_);
  EXPECT_EQ(host.entries()[0].id, "org.example.neighbour");
  EXPECT_EQ(
      FindError(host, Kind::kLearner, "org.example.neighbour"),
      std::make_pair(ErrorKind::kBadPlugin, "cannot load plugin '" + file.string() +
                                                "': everyone may write to '" + file.string() +
                                                "' (mode 0666); if this is not intended: chmod "
                                                "go-w '" +
                                                file.string() +
                                                "', or copy the file to a folder of your "
                                                "own"));
}

TEST_P(SearchedFolder, ALibraryBesideAPluginThatEveryoneMayWriteIsRefused) {
  const fs::path file = plugins_ / "x.crossfold.so";
  const fs::path library = plugins_ / "neighbours/libcrossfold_neighbour.so";
  fs::copy(test::kScanned / "neighbour_plugin", plugins_, fs::copy_options::recursive);
  fs::permissions(library, fs::perms(0666));
  const PluginHost host(options_);
  EXPECT_THAT(FindError(host, Kind::kLearner, "org.example.neighbour").second,
              testing::HasSubstr("its library 'neighbours/libcrossfold_neighbour.so': everyone may "
                                 "write to '" +
                                 library.string() + "'"));
}

TEST(PluginHostTest, WhoStandsForABundledPluginBecauseItWasNamedIsTold) {
  const test::TemporaryFolder folder;
  const fs::path copy = folder.path() / "knn.crossfold.so";
  fs::copy_file(kKnn, copy);
  PluginHostOptions options = Only({copy});
  options.use_installation = true;
  std::vector<std::string> warnings;
  options.log = [&](std::int32_t level, const std::string& line) {
    if (level >= CF_LOG_WARN) warnings.push_back(line);
  };
  const PluginHost host(options);
  EXPECT_THAT(warnings, ElementsAre("cannot use plugin '" + kKnn.string() +
                                    "': offers 'crossfold.knn', which " + copy.string() +
                                    " offers already; remove one"));
  EXPECT_EQ(host.Find(Kind::kLearner, "knn")->plugin->path, copy);
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
  EXPECT_EQ(
      MessageOf([&] { host.AddFile(CROSSFOLD_FIXTURE_PLUGIN); }, ErrorKind::kInvalidArgument),
      "cannot load plugin '" CROSSFOLD_FIXTURE_PLUGIN
      "': this host does not load plugins by path; set PluginHostOptions::allow_paths, or name "
      "the file in PluginHostOptions::paths");
  EXPECT_THAT(host.entries(), IsEmpty());
}

TEST(PluginHostTest, AFactoryServesAKindThatTheHostDoesNotKnow) {
  const PluginHost host(
      Only({CROSSFOLD_SCANNED_PLUGINS "/factory_plugin/factory_plugin.crossfold.so"}));
  ASSERT_EQ(host.entries().size(), 1u);
  EXPECT_EQ(host.entries()[0].rejected, "");
  const void* table = host.FindFactory("org.example.explains", "org.example.explainers/1");
  ASSERT_NE(table, nullptr);
  EXPECT_STREQ(static_cast<const char*>(table), "a table of org.example.explains");
  EXPECT_EQ(host.FindFactory("org.example.explains", "org.example.explainers/2"), nullptr);
  EXPECT_THAT(host.FindPlugin("org.example.explains"), IsEmpty());
  const PluginHost other(Only({CROSSFOLD_FIXTURE_PLUGIN}));
  EXPECT_EQ(other.FindFactory("crossfold.fixture", "org.example.explainers/1"), nullptr);
}

TEST(PluginHostTest, APluginIsFoundByItsIdAndByItsPath) {
  const PluginHost host(Only({CROSSFOLD_FIXTURE_PLUGIN}));
  const auto components = host.FindPlugin("fixture");
  ASSERT_EQ(components.size(), 2u);
  EXPECT_EQ(components[0]->id, "crossfold.first_class");
  EXPECT_EQ(components[1]->id, "org.example.first_row");
  EXPECT_EQ(host.FindPlugin("crossfold.fixture"), components);
  EXPECT_EQ(host.FindPlugin(CROSSFOLD_FIXTURE_PLUGIN), components);
  EXPECT_EQ(MessageOf([&] { host.FindPlugin("fixtur"); }),
            "cannot find plugin 'fixtur': did you mean 'fixture'? known: fixture");
}

TEST(PluginHostTest, AnAddedFileThatIsNoPluginIsAnErrorAndARejectedEntry) {
  const test::TemporaryFolder folder;
  const fs::path file = folder.Write("notes.crossfold.so", "Buy milk\n");
  PluginHost host(AllowingPaths());
  EXPECT_EQ(
      MessageOf([&] { host.AddFile(file); }, ErrorKind::kBadPlugin),
      "cannot load plugin '" + file.string() + "': it is not an ELF shared library (a text file?)");
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
