#include "discovery/plugin_search.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <string>

#include "temporary_folder.h"

namespace crossfold {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

PluginHostOptions Nothing() {
  PluginHostOptions options;
  options.use_environment = options.use_user_folder = options.use_installation = false;
  return options;
}

// Sets an environment variable as long as it lives; null = unset.
class Variable {
 public:
  Variable(const char* name, const char* value) : name_(name) {
    const char* old = ::getenv(name);
    was_set_ = old != nullptr;
    if (was_set_) old_ = old;
    Set(value);
  }
  ~Variable() { Set(was_set_ ? old_.c_str() : nullptr); }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;

 private:
  void Set(const char* value) {
    if (value == nullptr) {
      ::unsetenv(name_);
    } else {
      ::setenv(name_, value, 1);
    }
  }
  const char* name_;
  bool was_set_ = false;
  std::string old_;
};

TEST(PluginSearchTest, ExplicitPathsComeFirstInTheirOrder) {
  const Variable path("CROSSFOLD_PLUGIN_PATH", "/env");
  const Variable data("XDG_DATA_HOME", "/data");
  PluginHostOptions options = Nothing();
  options.paths = {"/b", "/a/x.crossfold.so", "/b"};
  options.use_environment = options.use_user_folder = true;
  const SearchPlan plan = PlanSearch(options);
  EXPECT_THAT(plan.places,
              ElementsAre("/b", "/a/x.crossfold.so", "/env", "/data/crossfold/plugins"));
  EXPECT_EQ(plan.n_explicit, 2u);
}

TEST(PluginSearchTest, EmptyAndRelativePartsOfTheEnvironmentAreLeftOut) {
  const Variable path("CROSSFOLD_PLUGIN_PATH", ":/a::plugins:/b:.:");
  PluginHostOptions options = Nothing();
  options.use_environment = true;
  const SearchPlan plan = PlanSearch(options);
  EXPECT_THAT(plan.places, ElementsAre("/a", "/b"));
  EXPECT_THAT(plan.warnings,
              ElementsAre("cannot search 'plugins' of CROSSFOLD_PLUGIN_PATH: it is not an "
                          "absolute path; it was left out",
                          "cannot search '.' of CROSSFOLD_PLUGIN_PATH: it is not an absolute "
                          "path; it was left out"));
}

TEST(PluginSearchTest, WithoutADataFolderTheOneInTheHomeFolderIsUsed) {
  const Variable home("HOME", "/home/ada");
  PluginHostOptions options = Nothing();
  options.use_user_folder = true;
  {
    const Variable data("XDG_DATA_HOME", nullptr);
    EXPECT_THAT(PlanSearch(options).places,
                ElementsAre("/home/ada/.local/share/crossfold/plugins"));
  }
  const Variable data("XDG_DATA_HOME", "relative");
  EXPECT_THAT(PlanSearch(options).places, ElementsAre("/home/ada/.local/share/crossfold/plugins"));
}

TEST(PluginSearchTest, WithoutAHomeThereIsNoUserFolder) {
  const Variable home("HOME", nullptr);
  const Variable data("XDG_DATA_HOME", nullptr);
  PluginHostOptions options = Nothing();
  options.use_user_folder = true;
  EXPECT_THAT(PlanSearch(options).places, IsEmpty());
}

TEST(PluginSearchTest, TheInstallationIsFoundFromThisProgramsOwnPlace) {
  const std::filesystem::path own = std::filesystem::canonical("/proc/self/exe").parent_path();
  PluginHostOptions options = Nothing();
  options.use_installation = true;
  const std::vector<std::filesystem::path> places = PlanSearch(options).places;
  ASSERT_FALSE(places.empty());
  EXPECT_EQ(places.front(), (own / "../lib/crossfold/plugins").lexically_normal());
}

TEST(PluginSearchTest, OnlyFilesOfAFolderWithTheSuffixAreTakenSortedByName) {
  const test::TemporaryFolder folder;
  for (const char* name : {"b.crossfold.so", "a.crossfold.so", "c.so", "crossfold.so.bak"}) {
    folder.Write(name, "");
  }
  std::filesystem::create_directory(folder.path() / "deeper");
  folder.Write("deeper/d.crossfold.so", "");
  std::error_code failure;
  EXPECT_THAT(PluginFiles(folder.path(), failure),
              ElementsAre(folder.path() / "a.crossfold.so", folder.path() / "b.crossfold.so"));
  EXPECT_FALSE(failure);
}

TEST(PluginSearchTest, AFolderThatIsNotThereIsAFailureToRead) {
  const test::TemporaryFolder folder;
  std::error_code failure;
  EXPECT_THAT(PluginFiles(folder.path() / "none", failure), IsEmpty());
  EXPECT_EQ(failure, std::errc::no_such_file_or_directory);
}

}  // namespace
}  // namespace crossfold
