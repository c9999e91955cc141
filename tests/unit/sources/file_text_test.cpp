#include "reading/file_text.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>
#include <memory>
#include <string>
#include <thread>

#include "temporary_folder.h"
#include "unit/engine/data/refusal.h"
#include "unit/sources/readings.h"

namespace crossfold::sources {
namespace {

using reading::FileText;

constexpr std::int64_t kMostBytes = std::int64_t{4} << 30;

class FileTextTest : public testing::Test {
 protected:
  const test::TemporaryFolder folder_;
  const std::string path_ = folder_.Write("text", "some text");
};

TEST_F(FileTextTest, MappedAndCopiedTextsAreTheSame) {
  EXPECT_EQ(FileText(path_, 1, kMostBytes).text(), "some text");
  const FileText copied(path_, FileText::kNeverMap, kMostBytes);
  EXPECT_EQ(copied.text(), "some text");
  EXPECT_FALSE(copied.is_mapped());
}

TEST_F(FileTextTest, SmallFilesAreCopied) {
  EXPECT_FALSE(FileText(path_, FileText::kSmallestMap, kMostBytes).is_mapped());
}

TEST_F(FileTextTest, AFileThatIsOpenForWritingIsCopied) {
  const int writer = ::open(path_.c_str(), O_WRONLY);
  const FileText file(path_, 1, kMostBytes);
  EXPECT_FALSE(file.is_mapped());
  EXPECT_EQ(file.text(), "some text");
  ::close(writer);
}

// The one that would shorten the file waits until the map is gone, so that nobody gets SIGBUS.
TEST_F(FileTextTest, WhoShortensAMappedFileWaitsAndTheReaderIsTold) {
  auto file = std::make_unique<FileText>(path_, 1, kMostBytes);
  if (!file->is_mapped()) GTEST_SKIP() << "no leases in this file system";
  EXPECT_NO_THROW(file->CheckUnchanged());
  // With O_NONBLOCK the other does not wait for the lease but asks for it all the same.
  EXPECT_EQ(::open(path_.c_str(), O_WRONLY | O_TRUNC | O_NONBLOCK), -1);
  EXPECT_EQ(file->text(), "some text");
  EXPECT_EQ(RefusalOf([&] { Translated("cannot read 'a'", [&] { file->CheckUnchanged(); }); }),
            (Refusal{ErrorKind::kIo,
                     "cannot read 'a': another program opened it for writing; read it when that is "
                     "done"}));
  file.reset();
  const int writer = ::open(path_.c_str(), O_WRONLY | O_TRUNC | O_NONBLOCK);
  EXPECT_GE(writer, 0);
  ::close(writer);
}

TEST_F(FileTextTest, APipeThatSomeoneWritesIntoIsReadToItsEnd) {
  const std::string pipe = folder_.path() / "pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  std::jthread writer([&] { std::ofstream(pipe) << std::string(300'000, 'x'); });
  EXPECT_EQ(FileText(pipe, FileText::kSmallestMap, kMostBytes).text(), std::string(300'000, 'x'));
}

TEST_F(FileTextTest, APipeThatNobodyWritesIntoIsRefused) {
  const std::string pipe = folder_.path() / "pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_EQ(RefusalOf([&] {
              Translated("cannot read 'pipe'",
                         [&] { FileText(pipe, FileText::kSmallestMap, kMostBytes); });
            }),
            (Refusal{ErrorKind::kIo,
                     "cannot read 'pipe': it is a pipe without a writer; start the writer first, "
                     "or name a file"}));
}

TEST_F(FileTextTest, ADeviceWithoutAnEndIsRefusedAtTheLimit) {
  EXPECT_EQ(RefusalOf([] {
              Translated("cannot read '/dev/zero'",
                         [] { FileText("/dev/zero", FileText::kSmallestMap, 1'000'000); });
            }),
            (Refusal{ErrorKind::kIo,
                     "cannot read '/dev/zero': it is a pipe or a device and gave more than 1000000 "
                     "bytes; raise most_bytes if that is right"}));
}

TEST_F(FileTextTest, AMissingFileIsRefused) {
  EXPECT_EQ(RefusalOf([] {
              Translated("cannot read 'no/such'", [] { FileText("no/such", 1, kMostBytes); });
            }),
            (Refusal{ErrorKind::kIo, "cannot read 'no/such': there is no such file"}));
}

}  // namespace
}  // namespace crossfold::sources
