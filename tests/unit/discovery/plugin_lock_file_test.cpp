#include "crossfold/plugin_lock_file.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <functional>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "crossfold/error.h"
#include "message_of.h"
#include "temporary_folder.h"

namespace crossfold {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;

LockedPlugin PluginNamed(const std::string& id) {
  return {id, "1.0.0", "x.crossfold.so", std::string(64, 'a'), 1, 0};
}

std::function<void(PluginLock&)> Trusting(const std::string& id) {
  return [id](PluginLock& lock) { Trust(lock, PluginNamed(id)); };
}

std::string FileProblem(const std::function<void()>& act) {
  return test::MessageOf(act, ErrorKind::kIo);
}

std::vector<std::string> NamesIn(const fs::path& folder) {
  std::vector<std::string> names;
  for (const auto& file : fs::directory_iterator(folder)) {
    names.push_back(file.path().filename().string());
  }
  return names;
}

// Each of them reads what is there, waits a moment and writes: without turns nearly all entries
// would be lost.
TEST(PluginLockFileTest, TwentyProcessesAtOnceLoseNoEntry) {
  constexpr int kProcesses = 20, kEach = 5;
  const test::TemporaryFolder folder;
  const fs::path path = folder.path() / "crossfold.lock";
  std::vector<pid_t> children;
  for (int i = 0; i < kProcesses; ++i) {
    const pid_t child = ::fork();
    if (child == 0) {
      for (int j = 0; j < kEach; ++j) {
        ChangePluginLock(path, [&](PluginLock& lock) {
          std::this_thread::sleep_for(std::chrono::milliseconds(1));
          Trust(lock, PluginNamed("org.p" + std::to_string(i) + "." + std::to_string(j)));
        });
      }
      ::_exit(0);
    }
    children.push_back(child);
  }
  for (const pid_t child : children) {
    int status = -1;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
  }
  EXPECT_EQ(ReadPluginLock(path).plugins.size(), std::size_t{kProcesses * kEach});
  EXPECT_THAT(NamesIn(folder.path()), ElementsAre("crossfold.lock"));
}

TEST(PluginLockFileTest, TheLockThatWasWrittenIsReturned) {
  const test::TemporaryFolder folder;
  const fs::path path = folder.path() / "crossfold.lock";
  ChangePluginLock(path, Trusting("org.b"));
  const PluginLock lock = ChangePluginLock(path, Trusting("org.a"));
  EXPECT_EQ(lock.path, path);
  EXPECT_THAT(lock.plugins, ElementsAre(PluginNamed("org.a"), PluginNamed("org.b")));
  EXPECT_EQ(test::ReadBytes(path), ToText(lock));
  EXPECT_EQ(ReadPluginLock(path).plugins, lock.plugins);
  EXPECT_THAT(NamesIn(folder.path()), ElementsAre("crossfold.lock"));
}

TEST(PluginLockFileTest, AChangeThatThrowsLeavesTheLockAndNothingBesideIt) {
  const test::TemporaryFolder folder;
  const fs::path path = folder.path() / "crossfold.lock";
  ChangePluginLock(path, Trusting("org.a"));
  const std::string before = test::ReadBytes(path);
  EXPECT_THROW(ChangePluginLock(path, [](PluginLock&) { throw std::runtime_error("x"); }),
               std::runtime_error);
  EXPECT_EQ(test::ReadBytes(path), before);
  EXPECT_THAT(NamesIn(folder.path()), ElementsAre("crossfold.lock"));
}

TEST(PluginLockFileTest, WhatAKilledProcessLeftIsWrittenOver) {
  const test::TemporaryFolder folder;
  const fs::path path = folder.path() / "crossfold.lock";
  folder.Write("crossfold.lock.new", std::string(10000, 'x'));
  const PluginLock lock = ChangePluginLock(path, Trusting("org.a"));
  EXPECT_EQ(test::ReadBytes(path), ToText(lock));
  EXPECT_THAT(NamesIn(folder.path()), ElementsAre("crossfold.lock"));
}

TEST(PluginLockFileTest, AProcessThatKeepsItsTurnIsNotWaitedForForEver) {
  const test::TemporaryFolder folder;
  const fs::path path = folder.path() / "crossfold.lock";
  const fs::path successor = folder.Write("crossfold.lock.new", "");
  const int other = ::open(successor.c_str(), O_RDWR | O_CLOEXEC);
  ASSERT_EQ(::flock(other, LOCK_EX), 0);
  const std::chrono::milliseconds patience(50);
  EXPECT_EQ(FileProblem([&] { ChangePluginLock(path, Trusting("org.a"), patience); }),
            "cannot write lock '" + path.string() +
                "': another process has been writing it for 0.05 s; wait for it, or end it");
  EXPECT_THAT(NamesIn(folder.path()), ElementsAre("crossfold.lock.new"));  // it is the other's
  ::close(other);
}

TEST(PluginLockFileTest, ALinkStaysALinkToTheLock) {
  const test::TemporaryFolder folder;
  const fs::path path = folder.path() / "crossfold.lock", link = folder.path() / "link.lock";
  ChangePluginLock(path, Trusting("org.a"));
  fs::create_symlink("crossfold.lock", link);
  ChangePluginLock(link, Trusting("org.b"));
  EXPECT_TRUE(fs::is_symlink(link));
  EXPECT_THAT(ReadPluginLock(path).plugins,
              ElementsAre(PluginNamed("org.a"), PluginNamed("org.b")));
}

TEST(PluginLockFileTest, WhatIsNoRegularFileIsRefusedAtOnce) {
  const test::TemporaryFolder folder;
  const fs::path pipe = folder.path() / "pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  for (const fs::path& path : {pipe, fs::path("/dev/null")}) {
    const std::string expected =
        "cannot read lock '" + path.string() + "': it is a device or a pipe; name a file";
    EXPECT_EQ(FileProblem([&] { ReadPluginLock(path); }), expected);
    EXPECT_EQ(FileProblem([&] { ChangePluginLock(path, Trusting("org.a")); }), expected);
  }
  const std::string expected =
      "cannot read lock '" + folder.path().string() + "': it is a folder; name a file";
  EXPECT_EQ(FileProblem([&] { ReadPluginLock(folder.path()); }), expected);
  EXPECT_EQ(FileProblem([&] { ChangePluginLock(folder.path(), Trusting("org.a")); }), expected);
}

TEST(PluginLockFileTest, APathThatCannotBeLookedAtIsTold) {
  const test::TemporaryFolder folder;
  const fs::path circle = folder.path() / "circle";
  fs::create_symlink("circle", circle);
  EXPECT_EQ(FileProblem([&] { ReadPluginLock(circle); }),
            "cannot read lock '" + circle.string() +
                "': its status cannot be read (Too many levels of symbolic links)");
}

TEST(PluginLockFileTest, APipeInTheWayOfTheSuccessorIsToldAtOnce) {
  const test::TemporaryFolder folder;
  const fs::path path = folder.path() / "crossfold.lock";
  ASSERT_EQ(::mkfifo((path.string() + ".new").c_str(), 0600), 0);
  EXPECT_EQ(FileProblem([&] { ChangePluginLock(path, Trusting("org.a")); }),
            "cannot write lock '" + path.string() + "': '" + path.string() +
                ".new' is not a regular file; remove it");
}

TEST(PluginLockFileTest, AFolderThatIsNotThereIsTold) {
  EXPECT_EQ(FileProblem([&] { ChangePluginLock("/nowhere/x.lock", Trusting("org.a")); }),
            "cannot write lock '/nowhere/x.lock': it cannot be written (No such file or "
            "directory); choose another place");
}

}  // namespace
}  // namespace crossfold
