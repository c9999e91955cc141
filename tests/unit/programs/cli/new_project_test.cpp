#include "programs/plugin/new_project.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "message_of.h"
#include "temporary_folder.h"

namespace crossfold::cli {
namespace {

using test::MessageOf;
using test::TemporaryFolder;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

NewProject Project(const std::string& kind, const std::string& language) {
  return {kind, language, MakeProjectNames("k-nearest", kind, ""), "Łódź & Co.", "MIT"};
}

std::vector<std::string> Paths(const std::vector<ProjectFile>& files) {
  std::vector<std::string> paths;
  for (const ProjectFile& file : files) paths.push_back(file.path.string());
  return paths;
}

std::string TextOf(const std::vector<ProjectFile>& files, const std::string& path) {
  for (const ProjectFile& file : files) {
    if (file.path == path) return file.text;
  }
  return "there is no " + path;
}

TEST(NewProjectTest, APluginInCppHasSourceTestsAndAllThatBelongsToARepository) {
  EXPECT_THAT(
      Paths(MakeProjectFiles(Project("learner", "cpp"))),
      ElementsAre(".clang-format", ".github/workflows/ci.yml", ".gitignore", "CMakeLists.txt",
                  "LICENSE", "README.md", "ci.sh", "crossfold-plugin.json", "src/k_nearest.cpp",
                  "tests/CMakeLists.txt", "tests/compare_output.cmake",
                  "tests/conformance_test.cpp", "tests/use.expected", "tests/use.lua"));
}

TEST(NewProjectTest, APluginInCNeedsNoCppAndNoGoogleTest) {
  EXPECT_THAT(Paths(MakeProjectFiles(Project("metric", "c"))),
              ElementsAre(".clang-format", ".github/workflows/ci.yml", ".gitignore",
                          "CMakeLists.txt", "LICENSE", "README.md", "ci.sh",
                          "crossfold-plugin.json", "src/k_nearest.c", "tests/CMakeLists.txt",
                          "tests/compare_output.cmake", "tests/use.expected", "tests/use.lua"));
}

TEST(NewProjectTest, APluginInRustBringsItsModuleOfTheBoundary) {
  const auto files = MakeProjectFiles(Project("learner", "rust"));
  EXPECT_THAT(Paths(files),
              ElementsAre(".github/workflows/ci.yml", ".gitignore", "CMakeLists.txt", "LICENSE",
                          "README.md", "ci.sh", "crossfold-plugin.json", "src/crossfold.rs",
                          "src/lib.rs", "tests/CMakeLists.txt", "tests/compare_output.cmake",
                          "tests/use.expected", "tests/use.lua"));
  EXPECT_THAT(TextOf(files, ".github/workflows/ci.yml"), HasSubstr(" gcc libc6-dev rustc "));
}

TEST(NewProjectTest, APluginInROrPythonIsAFolderWithItsModule) {
  for (const auto& [language, ending, package] :
       {std::array{"r", "R", "r-base-core"}, std::array{"python", "py", "python3-numpy"}}) {
    const auto files = MakeProjectFiles(Project("learner", language));
    EXPECT_THAT(Paths(files),
                ElementsAre(".github/workflows/ci.yml", ".gitignore", "LICENSE", "README.md",
                            "ci.sh", "crossfold-plugin.json", "k_nearest.crossfold/crossfold.json",
                            std::string("k_nearest.crossfold/crossfold_learner.") + ending,
                            std::string("k_nearest.crossfold/learner.") + ending,
                            "tests/use.expected", "tests/use.lua"));
    EXPECT_THAT(TextOf(files, ".github/workflows/ci.yml"),
                HasSubstr(std::string(" ") + package + " "));
  }
}

TEST(NewProjectTest, SomeLanguagesAreForLearnersOnly) {
  for (const auto& [kind, language, name] :
       {std::array{"splitter", "python", "Python"}, std::array{"transform", "r", "R"},
        std::array{"metric", "rust", "Rust"}}) {
    EXPECT_EQ(MessageOf([&] { MakeProjectFiles(Project(kind, language)); }),
              std::string("cannot make project 'k-nearest': there is no template for a ") + kind +
                  " in " + name + "; use --kind learner, or --lang c++, c or lua");
  }
}

// The same method in each; every line of the file counts.
TEST(NewProjectTest, TheFirstLearnerIsShort) {
  const auto lines = [](const char* language, const char* path) {
    const std::string text = TextOf(MakeProjectFiles(Project("learner", language)), path);
    EXPECT_THAT(text, HasSubstr("nearest centroid"));
    return std::count(text.begin(), text.end(), '\n');
  };
  EXPECT_LE(lines("c", "src/k_nearest.c"), 60);
  EXPECT_LE(lines("rust", "src/lib.rs"), 80);
  EXPECT_LE(lines("cpp", "src/k_nearest.cpp"), 40);
}

// The page shows what is made.
TEST(NewProjectTest, TheLearnerInCIsThatOfTheTutorial) {
  const NewProject project{"learner", "c",
                           MakeProjectNames("nearest", "learner", "org.example.nearest"),
                           "Example Org", "MIT"};
  std::ifstream shown(CROSSFOLD_FIRST_PLUGIN "/nearest.c");
  const std::string text{std::istreambuf_iterator<char>(shown), std::istreambuf_iterator<char>()};
  EXPECT_EQ(TextOf(MakeProjectFiles(project), "src/nearest.c"), text);
}

TEST(NewProjectTest, AModuleInLuaNeedsNoCompiler) {
  EXPECT_THAT(Paths(MakeProjectFiles(Project("splitter", "lua"))),
              ElementsAre(".github/workflows/ci.yml", ".gitignore", "LICENSE", "README.md", "ci.sh",
                          "k_nearest.lua", "tests/use.expected", "tests/use.lua"));
}

TEST(NewProjectTest, NoPlaceholderStaysInAnyProject) {
  for (const char* kind : {"learner", "transform", "splitter", "metric"}) {
    for (const char* language : {"cpp", "c", "python", "r", "rust", "lua"}) {
      const bool is_for_learners = language[0] == 'p' || language[0] == 'r';
      if (is_for_learners && std::string(kind) != "learner") continue;
      for (const ProjectFile& file : MakeProjectFiles(Project(kind, language))) {
        SCOPED_TRACE(std::string(kind) + " " + language + " " + file.path.string());
        EXPECT_THAT(file.text, Not(testing::ContainsRegex("@[A-Z]+@")));
        EXPECT_THAT(file.path.string(), Not(HasSubstr("@")));
        EXPECT_FALSE(file.text.empty());
      }
    }
  }
}

TEST(NewProjectTest, TheTextsOfTheAuthorStandInTheSource) {
  const auto files = MakeProjectFiles(Project("learner", "cpp"));
  EXPECT_THAT(TextOf(files, "src/k_nearest.cpp"),
              HasSubstr("CROSSFOLD_PLUGIN(\"org.example.k_nearest\", \"0.1.0\", \"Łódź & Co.\", "
                        "\"MIT\", KNearest)"));
  EXPECT_THAT(TextOf(files, "tests/use.lua"),
              HasSubstr("local made = cf.learner(\"org.example.k_nearest\")\n"));
  EXPECT_THAT(TextOf(files, "LICENSE"), HasSubstr("Copyright (c) Łódź & Co.\n"));
}

TEST(NewProjectTest, ALicenceWhoseTextIsNotHereIsNamed) {
  NewProject project = Project("learner", "lua");
  project.license = "Apache-2.0 OR LGPL-2.1-or-later";
  EXPECT_THAT(TextOf(MakeProjectFiles(project), "LICENSE"),
              testing::StartsWith("SPDX-License-Identifier: Apache-2.0 OR LGPL-2.1-or-later\n"));
}

TEST(NewProjectTest, TextsThatWouldBreakTheSourceAreRefused) {
  NewProject project = Project("learner", "cpp");
  project.vendor = "A \"B\" C";
  EXPECT_EQ(MessageOf([&] { MakeProjectFiles(project); }),
            "cannot make project 'k-nearest': --vendor has a quote, a backslash or a control "
            "character; leave it out");
  project.vendor = "";
  EXPECT_EQ(MessageOf([&] { MakeProjectFiles(project); }),
            "cannot make project 'k-nearest': --vendor is empty; give it a value");
  project = Project("learner", "cpp");
  project.license = "free, mostly";
  EXPECT_EQ(MessageOf([&] { MakeProjectFiles(project); }),
            "cannot make project 'k-nearest': 'free, mostly' is not an SPDX expression; use one of "
            "https://spdx.org/licenses, as in --license MIT");
}

TEST(NewProjectTest, AFolderWithFilesIsLeftAlone) {
  const TemporaryFolder folder;
  const auto mine = folder.Write("mine.txt", "text");
  const auto files = MakeProjectFiles(Project("learner", "lua"));
  EXPECT_EQ(MessageOf([&] { WriteProject(files, folder.path()); }),
            "cannot make project '" + folder.path().string() +
                "': the folder has files in it; name a folder that does not exist yet with "
                "--output");
  EXPECT_EQ(MessageOf([&] { WriteProject(files, mine); }),
            "cannot make project '" + mine.string() +
                "': it is a file; name a folder that does not exist yet with --output");
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path()), {}), 1);
}

TEST(NewProjectTest, AnEmptyFolderIsFilled) {
  const TemporaryFolder folder;
  const auto files = MakeProjectFiles(Project("learner", "lua"));
  WriteProject(files, folder.path());
  for (const ProjectFile& file : files) {
    EXPECT_EQ(test::ReadBytes(folder.path() / file.path), file.text) << file.path;
  }
}

TEST(ProjectTemplatesTest, EveryTemplateIsPartOfTheProgramUnchanged) {
  const std::filesystem::path folder = CROSSFOLD_TEMPLATES;
  std::size_t n_files = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    const std::string path = entry.path().lexically_relative(folder).string();
    if (!entry.is_regular_file() || path == "templates.cmake") continue;
    ++n_files;
    const auto all = ProjectTemplates();
    const auto found = std::find_if(all.begin(), all.end(), [&](const ProjectTemplate& one) {
      return std::string(one.kinds) + "/" + std::string(one.languages) + "/" +
                 std::string(one.path) ==
             path;
    });
    ASSERT_NE(found, all.end()) << path << " is missing in templates.cmake";
    EXPECT_EQ(found->text, test::ReadBytes(entry.path())) << path;
  }
  constexpr std::size_t kModules = 2;  // of the next test
  EXPECT_EQ(n_files + kModules, ProjectTemplates().size());
}

TEST(ProjectTemplatesTest, TheModulesOfLanguagesAreThoseOfTheSdk) {
  const std::filesystem::path languages = CROSSFOLD_TEMPLATES "/../languages";
  for (const char* path : {"python/crossfold_learner.py", "r/crossfold_learner.R"}) {
    const std::filesystem::path module = languages / path;
    const auto files = MakeProjectFiles(Project("learner", module.parent_path().filename()));
    EXPECT_EQ(TextOf(files, "k_nearest.crossfold/" + module.filename().string()),
              test::ReadBytes(module));
  }
}

}  // namespace
}  // namespace crossfold::cli
