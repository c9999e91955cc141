#include "discovery/installed_plugins.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "message_of.h"
#include "temporary_folder.h"

namespace crossfold {
namespace {

InstalledPlugins Two(const std::filesystem::path& folder) {
  InstalledPlugins installed{folder, {}};
  installed.plugins = {
      {"org.example.a",
       false,
       {{"1.0", "any", "ab", "org.example", "plugins/org.example.a/1.0-1", "a.crossfold"}}},
      {"org.example.b",
       true,
       {{"1.0", "linux-x86_64", "cd", "org.other", "plugins/org.example.b/1.0-2", "b.crossfold.so"},
        {"2.0",
         "linux-x86_64",
         "ef",
         "org.example",
         "plugins/org.example.b/2.0-3",
         "b.crossfold.so",
         {{"lib/x.so", "01"}}}}}};
  return installed;
}

TEST(InstalledPluginsTest, NoFileMeansThatNothingIsInstalled) {
  const test::TemporaryFolder folder;
  EXPECT_TRUE(ReadInstalledPlugins(folder.path()).plugins.empty());
}

TEST(InstalledPluginsTest, WhatIsWrittenReadsBack) {
  const test::TemporaryFolder folder;
  folder.Write(kInstalledName, ToText(Two(folder.path())));
  InstalledPlugins read = ReadInstalledPlugins(folder.path());
  EXPECT_EQ(read.plugins, Two(folder.path()).plugins);
  EXPECT_EQ(read.Find("org.example.b")->current().version, "2.0");
  EXPECT_EQ(read.Find("org.example.c"), nullptr);
}

TEST(InstalledPluginsTest, DamageIsNamed) {
  const test::TemporaryFolder folder;
  const std::string good = ToText(Two(folder.path()));
  const auto with = [&](const std::string& from, const std::string& to) {
    std::string text = good;
    return text.replace(text.find(from), from.size(), to);
  };
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"", "it is not JSON at byte 1"},
      {"{}", "it is not a list of installed plugins"},
      {with("\"crossfold_installed\": 1", "\"crossfold_installed\": 9"),
       "it has a version that this Crossfold does not know; use a newer one"},
      {with("plugins/org.example.a/1.0-1", "../../1.0-1"),
       "its folder '../../1.0-1' is not below that of the file"},
      {with("\"sha256\": \"ab\"", "\"sha256\": 1"), "an entry has no 'sha256'"},
  };
  for (const auto& [text, finding] : cases) {
    const std::filesystem::path file = folder.Write(kInstalledName, text);
    EXPECT_EQ(test::MessageOf([&] { ReadInstalledPlugins(folder.path()); }),
              "cannot read installed plugins '" + file.string() + "': " + finding);
  }
}

}  // namespace
}  // namespace crossfold
