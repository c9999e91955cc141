#include "discovery/path_writers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <string>

#include "temporary_folder.h"

namespace crossfold {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

constexpr uid_t kMe = 1000, kOther = 54321;
constexpr gid_t kMyGroup = 1000, kTeam = 50;

OtherWriter WriterOf(mode_t mode, uid_t user = kMe, gid_t group = kMyGroup) {
  const TrustedWriters trusted{{0, kMe}, [](gid_t id) { return id == kMyGroup; }};
  struct stat status {};
  status.st_mode = mode;
  status.st_uid = user;
  status.st_gid = group;
  return FindOtherWriter(status, trusted);
}

TEST(PathWritersTest, WhatOnlyRootOrTheUserMayWriteIsNobodyElses) {
  EXPECT_EQ(WriterOf(S_IFREG | 0644), OtherWriter::kNone);
  EXPECT_EQ(WriterOf(S_IFDIR | 0755, 0, kTeam), OtherWriter::kNone);
}

TEST(PathWritersTest, TheOwnerMayWriteWhateverTheRightsSay) {
  EXPECT_EQ(WriterOf(S_IFREG | 0444, kOther), OtherWriter::kOwner);
  EXPECT_EQ(WriterOf(S_IFDIR | S_ISVTX | 0755, kOther), OtherWriter::kOwner);
  EXPECT_EQ(WriterOf(S_IFLNK | 0777, kOther), OtherWriter::kOwner);
}

TEST(PathWritersTest, EveryoneMayWriteWhatHasThatRightButOnlyAddToAFolderWithTheStickyBit) {
  EXPECT_EQ(WriterOf(S_IFREG | 0646), OtherWriter::kEveryone);
  EXPECT_EQ(WriterOf(S_IFDIR | 0777), OtherWriter::kEveryone);
  EXPECT_EQ(WriterOf(S_IFDIR | S_ISVTX | 0777, 0, 0), OtherWriter::kNone);
  EXPECT_EQ(WriterOf(S_IFREG | S_ISVTX | 0777), OtherWriter::kEveryone);
  EXPECT_EQ(WriterOf(S_IFLNK | 0777), OtherWriter::kNone);  // its own rights mean nothing
}

// With umask 002 every file is so, and the group has one member.
TEST(PathWritersTest, AGroupMayWriteUnlessItIsThePrivateOneOfTheUser) {
  EXPECT_EQ(WriterOf(S_IFREG | 0664), OtherWriter::kNone);
  EXPECT_EQ(WriterOf(S_IFREG | 0664, kMe, kTeam), OtherWriter::kGroup);
  EXPECT_EQ(WriterOf(S_IFDIR | 02775, 0, kTeam), OtherWriter::kGroup);
}

TEST(PathWritersTest, TheGroupOfRootIsItsOwnAndAnUnknownGroupIsNobodys) {
  const TrustedWriters trusted = WritersOfThisProcess();
  EXPECT_TRUE(trusted.has_group(0));
  EXPECT_FALSE(trusted.has_group(1234567890));
}

// Below a folder that does not hold this program.
class PathWritersOnDisk : public testing::Test {
 protected:
  PathWritersOnDisk() : file_(folder_.Write("x.crossfold.so", "x")) {
    fs::permissions(file_, fs::perms(0644));
  }

  std::string Problem() const { return PathWriters().Problem(file_); }

  test::TemporaryFolder folder_;
  fs::path file_;
};

TEST_F(PathWritersOnDisk, AFileOfOnesOwnIsNobodyElses) { EXPECT_EQ(Problem(), ""); }

TEST_F(PathWritersOnDisk, AFileThatEveryoneMayWriteIsToldWithTheWayOut) {
  fs::permissions(file_, fs::perms(0666));
  const std::string quoted = "'" + file_.string() + "'";
  EXPECT_EQ(Problem(), "everyone may write to " + quoted +
                           " (mode 0666); if this is not intended: chmod go-w " + quoted +
                           ", or copy the file to a folder of your own");
}

TEST_F(PathWritersOnDisk, AFolderThatEveryoneMayWriteIsTold) {
  fs::permissions(folder_.path(), fs::perms(0777));
  EXPECT_THAT(Problem(), HasSubstr("everyone may write to '" + folder_.path().string() + "'"));
}

TEST_F(PathWritersOnDisk, ALinkIsFollowedAndItsOwnFolderCounts) {
  const test::TemporaryFolder other;
  const fs::path link = other.path() / "link.crossfold.so";
  fs::create_symlink(file_, link);
  EXPECT_EQ(PathWriters().Problem(link), "");
  fs::permissions(other.path(), fs::perms(0777));  // others may bend the link
  EXPECT_THAT(PathWriters().Problem(link),
              HasSubstr("everyone may write to '" + other.path().string() + "'"));
  fs::permissions(other.path(), fs::perms(0700));
  fs::permissions(file_, fs::perms(0666));
  EXPECT_THAT(PathWriters().Problem(link), HasSubstr("everyone may write to '" + file_.string()));
}

TEST_F(PathWritersOnDisk, EveryLinkOfAChainCountsAndACircleEnds) {
  const test::TemporaryFolder other, third;
  fs::create_symlink(file_, other.path() / "second");
  fs::create_symlink(other.path(), third.path() / "folder");
  const fs::path first = third.path() / "first";
  fs::create_symlink("folder/second", first);
  EXPECT_EQ(PathWriters().Problem(first), "");
  fs::permissions(other.path(), fs::perms(0777));
  EXPECT_THAT(PathWriters().Problem(first),
              HasSubstr("everyone may write to '" + other.path().string() + "'"));
  fs::create_symlink("circle", third.path() / "circle");
  EXPECT_EQ(PathWriters().Problem(third.path() / "circle"), "");
}

TEST_F(PathWritersOnDisk, AFileOfAnotherUserIsTold) {
  if (::chown(file_.c_str(), kOther, kOther) != 0) GTEST_SKIP() << "only root can give files away";
  EXPECT_EQ(Problem(), "'" + file_.string() +
                           "' belongs to user 54321, who is neither you nor root; " +
                           "if you trust it, copy the file to a folder of your own");
}

TEST_F(PathWritersOnDisk, AboveTheProgramEveryFolderIsTrusted) {
  const fs::path own = fs::canonical("/proc/self/exe");
  EXPECT_EQ(PathWriters().Problem(own), "");
}

}  // namespace
}  // namespace crossfold
