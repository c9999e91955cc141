// What the dynamic loader does with a file that is given to it by its path or by a descriptor
// (glibc 2.36, Debian 12).
#include "plugin/plugin_library.h"

#include <dlfcn.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <random>
#include <string>

#include "crossfold_plugin.h"
#include "plugin/neighbours.h"
#include "plugin/plugin_loader.h"
#include "temporary_folder.h"
#include "unit/plugin/built_plugins.h"

namespace crossfold {
namespace {

namespace fs = std::filesystem;
using test::kScanned;
using test::kUnlisted;
using testing::ElementsAre;
using testing::IsEmpty;

constexpr const char* kEntry = "crossfold_plugin_v1";
const fs::path kNeighbour = kScanned / "neighbour_plugin/neighbour_plugin.crossfold.so";

fs::path Copy(const fs::path& from, const fs::path& to) {
  fs::copy_file(from, to);
  return to;
}

// The id that the library's descriptor has.
std::string IdIn(const OpenedLibrary& opened) {
  EXPECT_EQ(opened.problem, "");
  const auto entry = &opened.library.get<const cf_plugin*(std::uint32_t, const cf_host*)>(kEntry);
  return entry(0, nullptr)->id;
}

// Where the loader says that the entry function is.
std::string FileOf(const OpenedLibrary& opened) {
  Dl_info info{};
  const auto entry = &opened.library.get<const cf_plugin*(std::uint32_t, const cf_host*)>(kEntry);
  EXPECT_NE(::dladdr(reinterpret_cast<const void*>(entry), &info), 0);
  return info.dli_fname;
}

TEST(PluginLibraryTest, ThroughTheDescriptorTheFileThatWasOpenedRunsWhateverLiesAtItsPath) {
  const test::TemporaryFolder folder;
  const fs::path path = Copy(kUnlisted, folder.path() / "x.crossfold.so");
  const PluginFile file(path);
  file.Sha256();
  fs::rename(path, folder.path() / "old");
  Copy(CROSSFOLD_FIXTURE_PLUGIN, path);  // swapped in between
  EXPECT_EQ(IdIn(OpenLibrary(file, path, LoadBy::kDescriptor)), "org.example.unlisted");
}

TEST(PluginLibraryTest, ByPathAFileThatWasSwappedInBetweenIsFoundOut) {
  const test::TemporaryFolder folder;
  const fs::path path = Copy(kUnlisted, folder.path() / "x.crossfold.so");
  const PluginFile file(path);
  fs::rename(path, folder.path() / "old");
  Copy(CROSSFOLD_FIXTURE_PLUGIN, path);
  EXPECT_EQ(OpenLibrary(file, path, LoadBy::kPath).problem,
            "it was replaced while it was being loaded; start the program again");
}

TEST(PluginLibraryTest, AFileThatWasWrittenToInBetweenIsFoundOut) {
  const test::TemporaryFolder folder;
  const fs::path path = Copy(kUnlisted, folder.path() / "x.crossfold.so");
  const PluginFile file(path);
  std::ofstream(path, std::ios::app) << "x";
  EXPECT_EQ(OpenLibrary(file, path, LoadBy::kDescriptor).problem,
            "it was written to while it was being loaded; start the program again");
}

// The numbers of descriptors come back, and the loader takes a name that it knows for the library
// that it had there.
TEST(PluginLibraryTest, TwoFilesUnderOneDescriptorNumberAreTwoLibraries) {
  const test::TemporaryFolder folder;
  const fs::path one = Copy(kUnlisted, folder.path() / "one.crossfold.so");
  const fs::path two = Copy(CROSSFOLD_FIXTURE_PLUGIN, folder.path() / "two.crossfold.so");
  int number = -1;
  {
    const PluginFile file(one);
    number = file.descriptor();
    EXPECT_EQ(IdIn(OpenLibrary(file, one, LoadBy::kDescriptor)), "org.example.unlisted");
  }
  const PluginFile file(two);
  ASSERT_EQ(file.descriptor(), number);
  EXPECT_EQ(IdIn(OpenLibrary(file, two, LoadBy::kDescriptor)), "crossfold.fixture");
}

TEST(PluginLibraryTest, TheLoaderTellsTheRealPathEitherWay) {
  const test::TemporaryFolder folder;
  for (const LoadBy by : {LoadBy::kPath, LoadBy::kDescriptor}) {
    const std::string name = std::to_string(static_cast<int>(by)) + ".crossfold.so";
    const fs::path path = Copy(kUnlisted, folder.path() / name);
    EXPECT_EQ(FileOf(OpenLibrary(PluginFile(path), path, by)), path.string());
  }
}

TEST(PluginLibraryTest, ALibraryBesideThePluginIsFoundEitherWay) {
  for (const LoadBy by : {LoadBy::kPath, LoadBy::kDescriptor}) {
    const test::TemporaryFolder folder;
    const fs::path path = Copy(kNeighbour, folder.path() / "x.crossfold.so");
    fs::create_directory(folder.path() / "neighbours");
    const fs::path library =
        Copy(kScanned / "neighbour_plugin/neighbours/libcrossfold_neighbour.so",
             folder.path() / "neighbours/libcrossfold_neighbour.so");
    EXPECT_THAT(NeighboursOf(PluginFile(path), path), ElementsAre(library));
    EXPECT_EQ(IdIn(OpenLibrary(PluginFile(path), path, by)), "org.example.neighbour");
  }
}

TEST(PluginLibraryTest, ALibraryBesideThePluginThatHasNoNameIsFoundByPathOnly) {
  const fs::path path = kScanned / "nameless_plugin/nameless_plugin.crossfold.so";
  EXPECT_EQ(OpenLibrary(PluginFile(path), path, LoadBy::kDescriptor).problem,
            "needs libcrossfold_nameless.so, which lies beside it but has no name of its own "
            "(DT_SONAME); that is not found under a lock");
  EXPECT_EQ(IdIn(OpenLibrary(PluginFile(path), path, LoadBy::kPath)), "org.example.neighbour");
}

TEST(PluginLibraryTest, AMissingLibraryIsNamedEitherWay) {
  const test::TemporaryFolder folder;
  // Of the C library's loader: a library of that name must not be there already.
  std::string bytes = test::ReadBytes(kNeighbour);
  const std::string name = "libcrossfold_neighbour.so";
  for (std::size_t at = bytes.find(name); at != std::string::npos; at = bytes.find(name, at + 1)) {
    bytes.replace(at, name.size(), "libcrossfold_xxxxxxxxx.so");
  }
  const fs::path path = folder.Write("x.crossfold.so", bytes);
  for (const LoadBy by : {LoadBy::kPath, LoadBy::kDescriptor}) {
    EXPECT_EQ(OpenLibrary(PluginFile(path), path, by).problem,
              "needs libcrossfold_xxxxxxxxx.so, which is not found");
  }
}

TEST(PluginLibraryTest, APluginWithoutARunPathHasNoNeighbours) {
  EXPECT_THAT(NeighboursOf(PluginFile(CROSSFOLD_FIXTURE_PLUGIN), CROSSFOLD_FIXTURE_PLUGIN),
              IsEmpty());
}

TEST(PluginLibraryTest, DamagedFilesHaveNoNeighboursOrSome) {
  const test::TemporaryFolder folder;
  const std::string good = test::ReadBytes(kNeighbour);
  std::mt19937 draws(3);
  for (int i = 0; i < 500; ++i) {
    std::string bytes = good;
    if (i % 3 == 0) bytes.resize(draws() % bytes.size());
    for (int n = 0; n < 8 && !bytes.empty(); ++n) {
      const std::size_t most =
          n % 2 == 0 ? std::min<std::size_t>(bytes.size(), 1024) : bytes.size();
      bytes[draws() % most] = static_cast<char>(draws());
    }
    const fs::path path = folder.Write("x.crossfold.so", bytes);
    EXPECT_LE(NeighboursOf(PluginFile(path), path).size(), 1u);
  }
}

TEST(PluginLoaderTest, AFileWithAnotherHashThanTheWantedIsNotLoaded) {
  const LoadResult result = LoadUnlisted(kUnlisted, std::string(64, '0'));
  EXPECT_EQ(result.problem, "its SHA-256 is " + PluginFile(kUnlisted).Sha256() + " and not " +
                                std::string(64, '0') + " any more");
}

TEST(PluginLoaderTest, APluginWithoutAManifestIsDescribedByItsTables) {
  const LoadResult result = LoadUnlisted(kUnlisted);
  EXPECT_EQ(result.problem, "");
  EXPECT_EQ(result.manifest.id, "org.example.unlisted");
  EXPECT_THAT(result.manifest.learners, ElementsAre("org.example.unlisted"));
  EXPECT_EQ(LoadUnlisted(kUnlisted).manifest, result.manifest);  // loaded already
}

}  // namespace
}  // namespace crossfold
