// Files that cannot be written to their end: the old file stays, and nothing is left beside it.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <string>

#include "crossfold/error.h"
#include "crossfold/whole_file.h"
#include "files/file_bytes.h"
#include "files/scratch_folder.h"
#include "temporary_folder.h"

namespace crossfold {
namespace {

// No file of this process grows beyond so many bytes; without the signal that would end it.
class ScopedFileSize {
 public:
  explicit ScopedFileSize(rlim_t bytes) : handler_(std::signal(SIGXFSZ, SIG_IGN)) {
    ::getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit now{bytes, before_.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &now);
  }
  ~ScopedFileSize() {
    ::setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, handler_);
  }
  ScopedFileSize(const ScopedFileSize&) = delete;
  ScopedFileSize& operator=(const ScopedFileSize&) = delete;

 private:
  void (*handler_)(int);
  rlimit before_{};
};

std::string ProblemOf(const std::filesystem::path& path, const std::string& bytes) {
  try {
    WriteFileBytes(path, bytes, "cannot save model 'm'");
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kIo);
    return error.what();
  }
  return "";
}

std::ptrdiff_t CountIn(const std::filesystem::path& folder) {
  return std::distance(std::filesystem::directory_iterator(folder), {});
}

TEST(FileWriteTest, AFileThatCannotGrowLeavesTheOldOne) {
  const test::TemporaryFolder folder;
  const auto path = folder.Write("m", "old bytes");
  {
    const ScopedFileSize limit(4096);
    EXPECT_EQ(ProblemOf(path, std::string(10000, 'x')),
              "cannot save model 'm': it cannot be written (File too large); choose another place");
  }
  EXPECT_EQ(ReadFileBytes(path), "old bytes");
  EXPECT_EQ(CountIn(folder.path()), 1);
  EXPECT_EQ(ProblemOf(path, std::string(10000, 'x')), "");
  EXPECT_EQ(ReadFileBytes(path), std::string(10000, 'x'));
}

TEST(FileWriteTest, ADeviceIsNotReplaced) {
  EXPECT_EQ(ProblemOf("/dev/full", "bytes"),
            "cannot save model 'm': it is a device or a pipe; choose a file");
}

TEST(FileWriteTest, ATextThatDoesNotFitLeavesTheOldOneAndALinkStaysOne) {
  const test::TemporaryFolder folder;
  const auto path = folder.Write("table.csv", "old");
  std::filesystem::create_symlink(path, folder.path() / "link");
  {
    const ScopedFileSize limit(4096);
    EXPECT_THROW(WriteWholeFile(folder.path() / "link", std::string(10000, 'x')), Error);
  }
  EXPECT_EQ(ReadFileBytes(path), "old");
  WriteWholeFile(folder.path() / "link", "new");
  EXPECT_EQ(ReadFileBytes(path), "new");
  EXPECT_TRUE(std::filesystem::is_symlink(folder.path() / "link"));
  EXPECT_EQ(CountIn(folder.path()), 2);
}

TEST(FileWriteTest, AFileKeepsItsRightsButNotThatToBeRun) {
  using std::filesystem::perms;
  const test::TemporaryFolder folder;
  const auto path = folder.Write("build.sh", "old");
  std::filesystem::permissions(path, perms::owner_all | perms::others_exec);
  WriteWholeFile(path, "new");
  EXPECT_EQ(std::filesystem::status(path).permissions(), perms::owner_read | perms::owner_write);
}

TEST(FileWriteTest, DevicesAndWhatIsOpenHereAreWrittenTo) {
  WriteWholeFile("/dev/null", "bytes");
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/null"));
  const test::TemporaryFolder folder;
  const auto path = folder.Write("out", "");
  const int file = ::open(path.c_str(), O_WRONLY);
  WriteWholeFile("/dev/fd/" + std::to_string(file), "bytes");
  struct stat opened {};
  ASSERT_EQ(::fstat(file, &opened), 0);
  EXPECT_EQ(opened.st_size, 5) << "not a new file of its name";
  ::close(file);
}

TEST(FileWriteTest, WhatAKilledProcessLeftIsRemovedByTheNextAndNothingElse) {
  const test::TemporaryFolder folder;
  const auto path = folder.Write("m", "old");
  for (const char* name : {".m.crossfold-ABCDEF", ".m.crossfold-mine", ".n.crossfold-ABCDEF"}) {
    std::filesystem::create_directory(folder.path() / name);
    folder.Write(std::string(name) + "/new", "half");
  }
  const ScratchFolder living = ScratchFolder::NextTo(path);
  WriteWholeFile(path, "new");
  EXPECT_FALSE(std::filesystem::exists(folder.path() / ".m.crossfold-ABCDEF"));
  EXPECT_EQ(CountIn(folder.path()), 4) << "that of a living process and those of other names stay";
}

TEST(FileWriteTest, AFolderThatIsNotThereIsTold) {
  const test::TemporaryFolder folder;
  EXPECT_EQ(ProblemOf(folder.path() / "none" / "m", "bytes"),
            "cannot save model 'm': it cannot be written (No such file or directory); choose "
            "another place");
}

}  // namespace
}  // namespace crossfold
