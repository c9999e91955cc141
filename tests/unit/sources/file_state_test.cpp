#include "sqlite/file_state.h"

#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <fstream>

#include "temporary_folder.h"

namespace crossfold::sources {
namespace {

using reading::FileState;

using std::chrono::hours;

TEST(FileStateTest, AWriteAfterASettledStateIsSeen) {
  const test::TemporaryFolder folder;
  const std::string path = folder.Write("a", "one");
  const auto before = FileState::Settled(path);
  ASSERT_TRUE(before);
  EXPECT_EQ(FileState::Of(path), before);
  std::fstream(path, std::ios::in | std::ios::out) << "two";  // as many bytes, at once
  EXPECT_NE(FileState::Of(path), before);
}

TEST(FileStateTest, AFileThatIsReplacedIsAnother) {
  const test::TemporaryFolder folder;
  const std::string path = folder.Write("a", "one");
  const auto before = FileState::Of(path);
  const std::string other = folder.Write("b", "one");
  std::filesystem::last_write_time(other, std::filesystem::last_write_time(path));
  std::filesystem::rename(other, path);
  EXPECT_NE(FileState::Of(path), before);
}

TEST(FileStateTest, NoFileAndTimesInTheFutureHaveNoState) {
  const test::TemporaryFolder folder;
  EXPECT_EQ(FileState::Settled(folder.path() / "none"), std::nullopt);
  const std::string path = folder.Write("a", "one");
  std::filesystem::last_write_time(path, std::filesystem::last_write_time(path) + hours(1));
  EXPECT_EQ(FileState::Settled(path), std::nullopt);
  EXPECT_TRUE(FileState::Of(path));
}

}  // namespace
}  // namespace crossfold::sources
