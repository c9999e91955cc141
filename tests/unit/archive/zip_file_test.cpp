#include "archive/zip_file.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "crossfold/error.h"
#include "temporary_folder.h"

namespace crossfold {
namespace {

std::string BytesOf(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

class ZipFileTest : public testing::Test {
 protected:
  std::filesystem::path Place(const std::string& name) const { return scratch_.path() / name; }
  void Write(const std::string& name) const {
    std::ofstream(Place("content")) << std::string(100000, 'x') << "end";
    ZipWriter zip(Place(name));
    zip.Add("a.txt", "first");
    zip.AddFile("folder/b.txt", Place("content"));
    zip.Finish();
  }

  const test::TemporaryFolder scratch_;
};

TEST_F(ZipFileTest, EntriesComeBackAsTheyWere) {
  Write("a.zip");
  EXPECT_TRUE(IsZipFile(Place("a.zip")));
  ExtractZipEntry(Place("a.zip"), "a.txt", Place("out"));
  EXPECT_EQ(BytesOf(Place("out")), "first");
  ExtractZipEntry(Place("a.zip"), "folder/b.txt", Place("out"));
  EXPECT_EQ(BytesOf(Place("out")), std::string(100000, 'x') + "end");
}

TEST_F(ZipFileTest, TheSameContentHasTheSameBytesWheneverItIsWritten) {
  Write("a.zip");
  const auto old = std::filesystem::last_write_time(Place("content")) - std::chrono::hours(9999);
  Write("b.zip");
  std::filesystem::last_write_time(Place("content"), old);
  ZipWriter zip(Place("c.zip"));
  zip.Add("a.txt", "first");
  zip.AddFile("folder/b.txt", Place("content"));
  zip.Finish();
  EXPECT_EQ(BytesOf(Place("a.zip")), BytesOf(Place("b.zip")));
  EXPECT_EQ(BytesOf(Place("a.zip")), BytesOf(Place("c.zip")));
}

TEST_F(ZipFileTest, NothingIsWrittenWithoutFinish) {
  {
    ZipWriter zip(Place("a.zip"));
    zip.Add("a.txt", "first");
  }
  EXPECT_FALSE(std::filesystem::exists(Place("a.zip")));
}

TEST_F(ZipFileTest, AMissingEntryIsNamed) {
  Write("a.zip");
  try {
    ExtractZipEntry(Place("a.zip"), "store.cfdb", Place("out"));
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.what(), "cannot read '" + Place("a.zip").string() +
                                "': it has no 'store.cfdb'; it is not an archive of crossfold "
                                "export");
  }
}

TEST_F(ZipFileTest, AChangedByteIsFound) {
  Write("a.zip");
  std::string bytes = BytesOf(Place("a.zip"));
  bytes[bytes.find("first") == std::string::npos ? 38 : bytes.find("first")] ^= 1;
  std::ofstream(Place("b.zip"), std::ios::binary) << bytes;
  EXPECT_THROW(ExtractZipEntry(Place("b.zip"), "a.txt", Place("out")), Error);
}

// Little-endian bytes of a size as headers have it.
std::string HeaderBytes(std::uint32_t size) {
  std::string bytes;
  for (int i = 0; i < 4; ++i) bytes += static_cast<char>(size >> (8 * i) & 0xFF);
  return bytes;
}

TEST_F(ZipFileTest, WhatUnpacksToFarMoreThanTheArchiveIsRefused) {
  constexpr std::uint32_t kSize = 65u << 20;
  std::ofstream(Place("zeros")) << "";
  std::filesystem::resize_file(Place("zeros"), kSize);
  ZipWriter zip(Place("bomb.zip"));
  zip.AddFile("store.cfdb", Place("zeros"));
  zip.Finish();
  const auto refusal = [&](const std::string& name) -> std::string {
    try {
      ExtractZipEntry(Place(name), "store.cfdb", Place("out"));
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  const std::string finding =
      "': 'store.cfdb' in it unpacks to more than 67108864 bytes; if that is right, unpack it "
      "with "
      "unzip and use the file";
  EXPECT_EQ(refusal("bomb.zip"), "cannot read '" + Place("bomb.zip").string() + finding);
  EXPECT_EQ(std::filesystem::file_size(Place("out")), 0u) << "nothing is unpacked";
  // The same if the headers lie.
  std::string bytes = BytesOf(Place("bomb.zip"));
  for (std::size_t at = 0; (at = bytes.find(HeaderBytes(kSize), at)) != std::string::npos; ++at) {
    bytes.replace(at, 4, HeaderBytes(1000));
  }
  std::ofstream(Place("liar.zip"), std::ios::binary) << bytes;
  EXPECT_EQ(refusal("liar.zip"), "cannot read '" + Place("liar.zip").string() + finding);
}

TEST_F(ZipFileTest, OtherFilesAreNoArchives) {
  std::ofstream(Place("text")) << "PK";
  EXPECT_FALSE(IsZipFile(Place("text")));
  EXPECT_FALSE(IsZipFile(Place("nothing")));
}

}  // namespace
}  // namespace crossfold
