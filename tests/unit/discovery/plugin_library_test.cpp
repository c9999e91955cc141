// What the dynamic loader does with a file that is given to it by its path or by a descriptor
// (glibc 2.36, Debian 12).
#include "discovery/plugin_library.h"

#include <dlfcn.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <random>
#include <string>
#include <vector>

#include "crossfold_plugin.h"
#include "discovery/neighbours.h"
#include "discovery/plugin_loader.h"
#include "temporary_folder.h"
#include "unit/discovery/built_plugins.h"

namespace crossfold {
namespace {

namespace fs = std::filesystem;
using test::kScanned;
using test::kUnlisted;
using Bytes = PluginFile::Bytes;
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

OpenedLibrary Open(const PluginFile& file, const fs::path& path) {
  return OpenLibrary(file, path, NeighboursOf(file, path));
}

// The same inode with other bytes.
void Overwrite(const fs::path& path, const std::string& bytes) {
  std::fstream file(path, std::ios::binary | std::ios::in | std::ios::out);
  file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

TEST(PluginLibraryTest, OfASealedFileTheBytesThatWereHashedRunWhateverLiesAtItsPath) {
  const test::TemporaryFolder folder;
  const fs::path path = Copy(kUnlisted, folder.path() / "x.crossfold.so");
  const PluginFile file(path, Bytes::kSealed);
  const std::string sha256 = file.Sha256();
  fs::rename(path, folder.path() / "old");
  Copy(CROSSFOLD_FIXTURE_PLUGIN, path);  // swapped in between
  EXPECT_EQ(IdIn(Open(file, path)), "org.example.unlisted");
  EXPECT_EQ(file.Sha256(), sha256);
}

// Whatever the loader maps from the disk, and whenever, is what lies there by then.
TEST(PluginLibraryTest, OfASealedFileTheBytesThatWereHashedRunAlsoIfItIsOverwrittenInPlace) {
  const test::TemporaryFolder folder;
  const fs::path path = Copy(kUnlisted, folder.path() / "x.crossfold.so");
  const PluginFile file(path, Bytes::kSealed);
  const std::string sha256 = file.Sha256();
  Overwrite(path, test::FixtureBytes());
  EXPECT_EQ(IdIn(Open(file, path)), "org.example.unlisted");
  EXPECT_EQ(file.Sha256(), sha256);
}

TEST(PluginLibraryTest, OfALibraryBesideASealedFileTheBytesThatWereHashedRun) {
  const test::TemporaryFolder folder;
  const fs::path path = Copy(kScanned / "overwritten_plugin/overwritten_plugin.crossfold.so",
                             folder.path() / "x.crossfold.so");
  fs::create_directory(folder.path() / "neighbours");
  const fs::path library =
      Copy(kScanned / "overwritten_plugin/neighbours/libcrossfold_overwritten.so",
           folder.path() / "neighbours/libcrossfold_overwritten.so");
  const PluginFile file(path, Bytes::kSealed);
  const std::vector<Neighbour> neighbours = NeighboursOf(file, path);
  Overwrite(library, std::string(fs::file_size(library), 'x'));
  EXPECT_EQ(IdIn(OpenLibrary(file, path, neighbours)), "org.example.neighbour");
}

TEST(PluginLibraryTest, ASealedFileCannotBeWrittenTo) {
  const PluginFile file(kUnlisted, Bytes::kSealed);
  EXPECT_EQ(::pwrite(file.descriptor(), "x", 1, 0), -1);
  EXPECT_EQ(::ftruncate(file.descriptor(), 1), -1);
  EXPECT_EQ(file.size(), fs::file_size(kUnlisted));
}

TEST(PluginLibraryTest, ByPathAFileThatWasSwappedInBetweenIsFoundOut) {
  const test::TemporaryFolder folder;
  const fs::path path = Copy(kUnlisted, folder.path() / "x.crossfold.so");
  const PluginFile file(path);
  fs::rename(path, folder.path() / "old");
  Copy(CROSSFOLD_FIXTURE_PLUGIN, path);
  EXPECT_EQ(Open(file, path).problem,
            "it was replaced while it was being loaded; start the program again");
}

TEST(PluginLibraryTest, ByPathAFileThatWasWrittenToInBetweenIsFoundOut) {
  const test::TemporaryFolder folder;
  const fs::path path = Copy(kUnlisted, folder.path() / "x.crossfold.so");
  const PluginFile file(path);
  std::ofstream(path, std::ios::app) << "x";
  EXPECT_EQ(Open(file, path).problem,
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
    const PluginFile file(one, Bytes::kSealed);
    number = file.descriptor();
    EXPECT_EQ(IdIn(Open(file, one)), "org.example.unlisted");
  }
  const PluginFile file(two, Bytes::kSealed);
  ASSERT_EQ(file.descriptor(), number);
  EXPECT_EQ(IdIn(Open(file, two)), "crossfold.fixture");
}

TEST(PluginLibraryTest, TheLoaderTellsTheRealPathEitherWay) {
  const test::TemporaryFolder folder;
  for (const Bytes bytes : {Bytes::kOnDisk, Bytes::kSealed}) {
    const std::string name = std::to_string(static_cast<int>(bytes)) + ".crossfold.so";
    const fs::path path = Copy(kUnlisted, folder.path() / name);
    EXPECT_EQ(FileOf(Open(PluginFile(path, bytes), path)), path.string());
  }
}

TEST(PluginLibraryTest, ALibraryBesideThePluginIsFoundEitherWay) {
  for (const Bytes bytes : {Bytes::kOnDisk, Bytes::kSealed}) {
    const test::TemporaryFolder folder;
    const fs::path path = Copy(kNeighbour, folder.path() / "x.crossfold.so");
    fs::create_directory(folder.path() / "neighbours");
    const fs::path library =
        Copy(kScanned / "neighbour_plugin/neighbours/libcrossfold_neighbour.so",
             folder.path() / "neighbours/libcrossfold_neighbour.so");
    const PluginFile file(path, bytes);
    const std::vector<Neighbour> neighbours = NeighboursOf(file, path);
    ASSERT_EQ(neighbours.size(), 1u);
    EXPECT_EQ(neighbours[0].path, library);
    EXPECT_THAT(HashesOf(neighbours),
                ElementsAre(LockedLibrary{"neighbours/libcrossfold_neighbour.so",
                                          PluginFile(library).Sha256()}));
    EXPECT_EQ(IdIn(OpenLibrary(file, path, neighbours)), "org.example.neighbour");
  }
}

TEST(PluginLibraryTest, ALibraryBelowThePluginMayBeNamedByAnAbsolutePath) {
  const fs::path path = kScanned / "overwritten_plugin/absolute_plugin.crossfold.so";
  const std::vector<Neighbour> neighbours = NeighboursOf(PluginFile(path), path);
  ASSERT_EQ(neighbours.size(), 1u);
  EXPECT_EQ(neighbours[0].name, "neighbours/libcrossfold_overwritten.so");
  const test::TemporaryFolder folder;
  const fs::path elsewhere = Copy(path, folder.path() / "x.crossfold.so");
  EXPECT_TRUE(NeighboursOf(PluginFile(elsewhere), elsewhere).empty());
}

TEST(PluginLibraryTest, ALibraryBesideASealedFileMayHaveNoNameOfItsOwnAndHasItsPathAfterwards) {
  const test::TemporaryFolder folder;
  fs::copy(kScanned / "nameless_plugin", folder.path(), fs::copy_options::recursive);
  const fs::path path = folder.path() / "nameless_plugin.crossfold.so";
  const fs::path library = folder.path() / "neighbours/libcrossfold_nameless.so";
  EXPECT_EQ(IdIn(Open(PluginFile(path, Bytes::kSealed), path)), "org.example.neighbour");
  void* opened = ::dlopen(library.c_str(), RTLD_NOW | RTLD_NOLOAD);  // by that name
  ASSERT_NE(opened, nullptr);
  Dl_info info{};
  ASSERT_NE(::dladdr(::dlsym(opened, "crossfold_tests_neighbour"), &info), 0);
  EXPECT_EQ(info.dli_fname, library.string());
  ::dlclose(opened);
}

TEST(PluginLibraryTest, AMissingLibraryIsNamedEitherWay) {
  const test::TemporaryFolder folder;
  // Of the C library's loader: a library of that name must not be there already.
  std::string text = test::ReadBytes(kNeighbour);
  const std::string name = "libcrossfold_neighbour.so";
  for (std::size_t at = text.find(name); at != std::string::npos; at = text.find(name, at + 1)) {
    text.replace(at, name.size(), "libcrossfold_xxxxxxxxx.so");
  }
  const fs::path path = folder.Write("x.crossfold.so", text);
  for (const Bytes bytes : {Bytes::kOnDisk, Bytes::kSealed}) {
    EXPECT_EQ(Open(PluginFile(path, bytes), path).problem,
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
  LockedPlugin wanted;
  wanted.sha256 = std::string(64, '0');
  const LoadResult result = LoadUnlisted(kUnlisted, wanted);
  EXPECT_EQ(result.problem, "its SHA-256 is now " + PluginFile(kUnlisted).Sha256() +
                                " instead of " + std::string(64, '0'));
}

TEST(PluginLoaderTest, APluginWithoutAManifestIsDescribedByItsTables) {
  const LoadResult result = LoadUnlisted(kUnlisted);
  EXPECT_EQ(result.problem, "");
  EXPECT_EQ(result.manifest.id, "org.example.unlisted");
  EXPECT_THAT(result.manifest.ids[Kind::kLearner], ElementsAre("org.example.unlisted"));
  EXPECT_EQ(LoadUnlisted(kUnlisted).manifest, result.manifest);  // loaded already
}

}  // namespace
}  // namespace crossfold
