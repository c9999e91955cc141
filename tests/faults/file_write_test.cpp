// Files that cannot be written to their end: the old file stays, and nothing is left beside it.
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <csignal>
#include <filesystem>
#include <string>

#include "crossfold/error.h"
#include "data/file_bytes.h"
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

TEST(FileWriteTest, AFileThatCannotGrowLeavesTheOldOne) {
  const test::TemporaryFolder folder;
  const auto path = folder.Write("m", "old bytes");
  {
    const ScopedFileSize limit(4096);
    EXPECT_EQ(ProblemOf(path, std::string(10000, 'x')),
              "cannot save model 'm': it cannot be written (File too large); choose another place");
  }
  EXPECT_EQ(ReadFileBytes(path), "old bytes");
  const std::filesystem::directory_iterator files(folder.path());
  EXPECT_EQ(std::distance(begin(files), end(files)), 1);
  EXPECT_EQ(ProblemOf(path, std::string(10000, 'x')), "");
  EXPECT_EQ(ReadFileBytes(path), std::string(10000, 'x'));
}

TEST(FileWriteTest, ADeviceIsNotReplaced) {
  EXPECT_EQ(ProblemOf("/dev/full", "bytes"),
            "cannot save model 'm': it is a device or a pipe; choose a file");
}

TEST(FileWriteTest, AFolderThatIsNotThereIsTold) {
  const test::TemporaryFolder folder;
  EXPECT_EQ(ProblemOf(folder.path() / "none" / "m", "bytes"),
            "cannot save model 'm': it cannot be written (No such file or directory); choose "
            "another place");
}

}  // namespace
}  // namespace crossfold
