#include "discovery/plugin_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <string>
#include <vector>

#include "discovery/manifest_file.h"
#include "temporary_folder.h"

namespace crossfold {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::IsEmpty;

class PluginFolderTest : public testing::Test {
 protected:
  PluginFolderTest() { fs::create_directories(path_ / "lib"); }

  void Write(const std::string& name, std::string_view bytes) const {
    temporary_.Write("x.crossfold/" + name, bytes);
  }
  std::string Problem() const { return PluginFolder(path_).problem(); }
  std::string Hash() const { return PluginFolder(path_).Sha256(); }
  std::vector<std::string> Names() const {
    std::vector<std::string> names;
    const PluginFolder folder(path_);
    for (const PluginFolder::File& file : folder.files()) names.push_back(file.name);
    return names;
  }

  test::TemporaryFolder temporary_;
  fs::path path_ = temporary_.path() / "x.crossfold";
};

TEST_F(PluginFolderTest, OnlyAFolderWithTheSuffixIsOne) {
  EXPECT_TRUE(IsPluginFolder(path_));
  EXPECT_FALSE(IsPluginFolder(temporary_.path()));
  EXPECT_FALSE(IsPluginFolder(temporary_.Write("file.crossfold", "")));
  fs::create_directory_symlink(path_, temporary_.path() / "link.crossfold");
  EXPECT_TRUE(IsPluginFolder(temporary_.path() / "link.crossfold"));
}

// The hash by Python's hashlib.sha256 of "crossfold-folder-1", ".hidden", "x\n", "crossfold.json",
// "{}", "lib-a.py", "", "lib/b.py", "b", each after struct.pack("<Q", its length).
TEST_F(PluginFolderTest, TheHashIsThatOfNamesAndBytes) {
  Write("lib/b.py", "b");
  Write("lib-a.py", "");
  Write("crossfold.json", "{}");
  Write(".hidden", "x\n");
  EXPECT_THAT(Names(), ElementsAre(".hidden", "crossfold.json", "lib-a.py", "lib/b.py"));
  EXPECT_EQ(Hash(), "96bc5879fc9b51c4a0a9fde582b5b8f2c9089bae3d5da851a9343c46c3ae6c23");
}

TEST_F(PluginFolderTest, WhatPythonAndGitWriteIsNotPartOfIt) {
  Write("lib/b.py", "b");
  const std::string hash = Hash();
  fs::create_directory(path_ / "lib/__pycache__");
  Write("lib/__pycache__/b.cpython-311.pyc", "compiled");
  fs::create_directories(path_ / ".git/objects");
  Write(".git/objects/1", "object");
  EXPECT_THAT(Names(), ElementsAre("lib/b.py"));
  EXPECT_EQ(Hash(), hash);
}

// Python runs it if the source is older, so others must not write there.
TEST_F(PluginFolderTest, PlacesHaveWhatPythonRunsAndEmptyFolders) {
  fs::create_directory(path_ / "lib/__pycache__");
  Write("lib/__pycache__/b.pyc", "compiled");
  EXPECT_THAT(PluginFolder(path_).places(),
              testing::UnorderedElementsAre(path_, path_ / "lib", path_ / "lib/__pycache__",
                                            path_ / "lib/__pycache__/b.pyc"));
}

TEST_F(PluginFolderTest, ALinkToAFileInItIsLikeACopy) {
  Write("lib/b.py", "b");
  fs::copy_file(path_ / "lib/b.py", path_ / "a.py");
  const std::string hash = Hash();
  fs::remove(path_ / "a.py");
  fs::create_symlink("lib/b.py", path_ / "a.py");
  EXPECT_EQ(Hash(), hash);
}

TEST_F(PluginFolderTest, ALinkThatLeadsElsewhereIsNamed) {
  const fs::path link = path_ / "lib/link";
  const auto problem_with = [&](const fs::path& target) {
    fs::remove(link);
    fs::create_symlink(target, link);
    return Problem();
  };
  temporary_.Write("outside.py", "");
  const std::string out = "its link 'lib/link' leads out of the folder; put a copy in its place";
  EXPECT_EQ(problem_with("../../outside.py"), out);
  EXPECT_EQ(problem_with("/etc"), out);
  EXPECT_EQ(problem_with(temporary_.path()), out);
  EXPECT_EQ(problem_with("nothing"), "its link 'lib/link' leads nowhere");
  EXPECT_EQ(problem_with("link"), "its link 'lib/link' leads nowhere");
  EXPECT_EQ(problem_with("../lib"),
            "its link 'lib/link' leads to something that is not a file; put a copy in its place");
}

TEST_F(PluginFolderTest, APipeIsNamed) {
  ASSERT_EQ(::mkfifo((path_ / "lib/pipe").c_str(), 0600), 0);
  EXPECT_EQ(Problem(), "its 'lib/pipe' is a pipe, a socket or a device");
}

TEST_F(PluginFolderTest, TooManyBytesAreRefusedUnread) {
  Write("model.bin", "");
  fs::resize_file(path_ / "model.bin", FolderLimits().bytes);  // without blocks on the disk
  EXPECT_EQ(Problem(), "");
  Write("one.more", "1");
  EXPECT_EQ(Problem(), "its files have more than 1073741824 bytes");
}

TEST_F(PluginFolderTest, TooManyFilesAreRefused) {
  Write("lib/b.py", "b");
  EXPECT_EQ(PluginFolder(path_, {.entries = 2}).problem(), "");
  Write("one.more", "1");
  EXPECT_EQ(PluginFolder(path_, {.entries = 2}).problem(), "it has more than 2 files and folders");
}

TEST_F(PluginFolderTest, ACopyHasTheSameHashAndCannotBeWritten) {
  Write("lib/b.py", "b");
  Write("run.sh", "#!/bin/sh\n");
  fs::permissions(path_ / "run.sh", fs::perms::owner_all);
  fs::create_symlink("run.sh", path_ / "link.sh");
  const fs::path copy = temporary_.path() / "copy.crossfold";
  PluginFolder(path_).CopyTo(copy);
  EXPECT_EQ(PluginFolder(copy).Sha256(), Hash());
  EXPECT_EQ(fs::status(copy / "lib/b.py").permissions(), fs::perms::owner_read);
  EXPECT_EQ(fs::status(copy / "link.sh").permissions(),
            fs::perms::owner_read | fs::perms::owner_exec);
}

constexpr const char* kDescription =
    R"({"crossfold":1,"kind":"learner","id":"org.example.x","version":"1.2.0","start":["./x"]})";

TEST(FolderManifestTest, HasTheOneLearner) {
  const ManifestReading reading = ParseFolderManifest(kDescription);
  EXPECT_EQ(reading.problem, "");
  EXPECT_EQ(reading.manifest.id, "org.example.x");
  EXPECT_EQ(reading.manifest.version, "1.2.0");
  EXPECT_EQ(reading.manifest.abi_minor, 0u);
  EXPECT_THAT(reading.manifest.ids.all(), ElementsAre("org.example.x"));
  EXPECT_THAT(reading.manifest.ids[Kind::kLearner], ElementsAre("org.example.x"));
  EXPECT_THAT(reading.manifest.factories, IsEmpty());
}

TEST(FolderManifestTest, AnExpectedFailureIsOneOfTheFolderAndOfItsLearner) {
  const ManifestReading reading =
      ParseFolderManifest(R"({"crossfold":1,"kind":"learner","id":"a.b","version":"1",)"
                          R"("expected_failures":[{"check":"row-order","reason":"ties"}]})");
  EXPECT_THAT(reading.manifest.expected_failures,
              ElementsAre(ExpectedFailure{"row-order", "", "ties"},
                          ExpectedFailure{"row-order", "a.b", "ties"}));
}

TEST(FolderManifestTest, WhatIsWrongIsNamed) {
  const auto problem_of = [](const char* text) { return ParseFolderManifest(text).problem; };
  EXPECT_EQ(problem_of("{"), "its crossfold.json is not valid JSON");
  EXPECT_EQ(problem_of("[]"), "its crossfold.json is not a JSON object");
  EXPECT_EQ(problem_of("{}"), "its crossfold.json is wrong: 'crossfold' is missing");
  EXPECT_EQ(problem_of(R"({"crossfold":2})"), "built for plugin ABI 2; this host supports ABI 1");
  EXPECT_EQ(problem_of(R"({"crossfold":1,"kind":"metric","id":"a.b","version":"1"})"),
            "its crossfold.json is wrong: 'kind' is 'metric'; it must be 'learner'");
  EXPECT_EQ(problem_of(R"({"crossfold":1,"kind":"learner","version":"1"})"),
            "its crossfold.json is wrong: 'id' is missing");
  EXPECT_EQ(problem_of(R"({"crossfold":1,"kind":"learner","id":"A","version":"1"})"),
            "its crossfold.json is wrong: 'id' has the id 'A'; ids are made of a-z, 0-9, '_', "
            "'.' and '-'");
}

TEST_F(PluginFolderTest, TheManifestIsThatOfItsFile) {
  Write("crossfold.json", kDescription);
  EXPECT_EQ(ReadFolderManifest(path_).text, kDescription);
  EXPECT_EQ(ReadManifestFile(path_).manifest.id, "org.example.x");
}

TEST_F(PluginFolderTest, AFolderWithoutAManifestIsNamed) {
  EXPECT_EQ(ReadManifestFile(path_).problem, "it has no crossfold.json");
  fs::create_directory(path_ / "crossfold.json");
  EXPECT_EQ(ReadManifestFile(path_).problem, "its crossfold.json: it is not a file");
}

TEST_F(PluginFolderTest, AManifestThatIsTooLongIsNotRead) {
  Write("crossfold.json", "");
  fs::resize_file(path_ / "crossfold.json", (std::size_t{1} << 20) + 1);
  EXPECT_EQ(ReadManifestFile(path_).problem, "its crossfold.json has more than 1 MiB");
}

}  // namespace
}  // namespace crossfold
