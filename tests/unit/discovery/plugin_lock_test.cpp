#include "crossfold/plugin_lock.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "crossfold/error.h"
#include "message_of.h"
#include "temporary_folder.h"

namespace crossfold {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::string Hash(char digit) { return std::string(64, digit); }

LockedPlugin Plugin(const std::string& id, char digit) {
  return {id, "1.0.0", "x.crossfold.so", Hash(digit), 1, 0};
}

std::string LockProblem(const std::string& text) {
  return test::MessageOf([&] { ParsePluginLock(text, "my.lock"); }, ErrorKind::kBadData);
}

std::string LockText(const std::string& plugins) {
  return R"({"crossfold_lock":1,"plugins":[)" + plugins + "]}";
}

TEST(PluginLockTest, TheTextIsSortedAndReadsBack) {
  PluginLock lock;
  Trust(lock, Plugin("org.z", 'a'));
  Trust(lock, Plugin("org.a", 'b'));
  const std::string text = ToText(lock);
  EXPECT_EQ(text,
            "{\n"
            "  \"crossfold_lock\": 1,\n"
            "  \"plugins\": [\n"
            "    {\n"
            "      \"id\": \"org.a\",\n"
            "      \"version\": \"1.0.0\",\n"
            "      \"file\": \"x.crossfold.so\",\n"
            "      \"sha256\": \"" +
                Hash('b') +
                "\",\n"
                "      \"abi\": \"1.0\"\n"
                "    },\n"
                "    {\n"
                "      \"id\": \"org.z\",\n"
                "      \"version\": \"1.0.0\",\n"
                "      \"file\": \"x.crossfold.so\",\n"
                "      \"sha256\": \"" +
                Hash('a') +
                "\",\n"
                "      \"abi\": \"1.0\"\n"
                "    }\n"
                "  ]\n"
                "}\n");
  EXPECT_EQ(ParsePluginLock(text, "x").plugins, lock.plugins);
}

TEST(PluginLockTest, TheLibrariesOfAPluginAreWrittenAndReadBack) {
  PluginLock lock;
  LockedPlugin plugin = Plugin("org.a", 'a');
  plugin.libraries = {{"libb.so", Hash('b')}, {"lib/libc.so", Hash('c')}};
  Trust(lock, plugin);
  const std::string text = ToText(lock);
  EXPECT_NE(text.find("      \"abi\": \"1.0\",\n"
                      "      \"libraries\": [\n"
                      "        {\n"
                      "          \"file\": \"libb.so\",\n"
                      "          \"sha256\": \"" +
                      Hash('b') + "\"\n"),
            std::string::npos)
      << text;
  EXPECT_THAT(
      ParsePluginLock(text, "x").plugins[0].libraries,
      ElementsAre(LockedLibrary{"lib/libc.so", Hash('c')}, LockedLibrary{"libb.so", Hash('b')}));
}

TEST(PluginLockTest, ALockThatEveryoneMayWriteIsRefusedWithTheWayOut) {
  const test::TemporaryFolder folder;
  const std::filesystem::path lock = folder.Write("crossfold.lock", LockText(""));
  EXPECT_THAT(ReadPluginLock(lock).plugins, IsEmpty());
  std::filesystem::permissions(lock, std::filesystem::perms(0666));
  const std::string quoted = "'" + lock.string() + "'";
  EXPECT_EQ(test::MessageOf([&] { ReadPluginLock(lock); }),
            "cannot read lock " + quoted + ": everyone may write to " + quoted +
                " (mode 0666); if this is not intended: chmod go-w " + quoted +
                ", or copy the file to a folder of your own");
}

TEST(PluginLockTest, AnIdHasItsLastTrustedFileOnly) {
  PluginLock lock;
  EXPECT_THAT(Trust(lock, Plugin("org.a", 'a')), IsEmpty());
  EXPECT_THAT(Trust(lock, Plugin("org.a", 'a')), IsEmpty());
  EXPECT_THAT(Trust(lock, Plugin("org.a", 'b')), ElementsAre(Plugin("org.a", 'a')));
  EXPECT_THAT(lock.plugins, ElementsAre(Plugin("org.a", 'b')));
}

TEST(PluginLockTest, AnIdMayHaveSeveralBuildsWhichWereMergedByHand) {
  PluginLock lock;
  lock.plugins = {Plugin("org.a", 'b'), Plugin("org.a", 'a')};
  EXPECT_THAT(ParsePluginLock(ToText(lock), "x").plugins,
              ElementsAre(Plugin("org.a", 'a'), Plugin("org.a", 'b')));
}

TEST(PluginLockTest, WhatIsWrongWithALockIsSaid) {
  const std::string start = "cannot read lock 'my.lock': ";
  EXPECT_EQ(LockProblem("{"), start + "it is not valid JSON");
  EXPECT_EQ(LockProblem("[]"), start + "it is not a Crossfold lock");
  EXPECT_EQ(LockProblem("{}"), start + "it is not a Crossfold lock");
  EXPECT_EQ(LockProblem(R"({"crossfold_lock":2})"),
            start + "it has a version that this host does not know; write it again");
  EXPECT_EQ(LockProblem(R"({"crossfold_lock":1})"), start + "it has no list of plugins");
  EXPECT_EQ(LockProblem(LockText("3")), start + "plugin 1 is not an object");
  EXPECT_EQ(LockProblem(LockText("{}")), start + "plugin 1 has no 'id'");
  EXPECT_EQ(LockProblem(LockText(R"({"id":"A"})")),
            start + "plugin 1: its id is not made of a-z, 0-9, '_', '.' and '-'");
  EXPECT_EQ(LockProblem(LockText(R"({"id":"a","version":"1","file":"f","sha256":"AB"})")),
            start + "plugin 1: its 'sha256' is not 64 digits of 0-9 and a-f");
  EXPECT_EQ(LockProblem(LockText(R"({"id":"a","version":"1","file":"f","sha256":")" + Hash('1') +
                                 R"(","abi":"1"})")),
            start + "plugin 1: its 'abi' is not MAJOR.MINOR");
  const std::string entry =
      R"({"id":"a","version":"1","file":"f","abi":"1.0","sha256":")" + Hash('1') + R"(",)";
  EXPECT_EQ(LockProblem(LockText(entry + R"("libraries":{}})")),
            start + "plugin 1: its 'libraries' is not a list");
  EXPECT_EQ(LockProblem(LockText(entry + R"("libraries":[{"file":"b.so","sha256":"1"}]})")),
            start + "plugin 1, library 1: its 'sha256' is not 64 digits of 0-9 and a-f");
}

TEST(PluginLockTest, ALockThatIsNotThereIsToldWithTheCommandThatWritesOne) {
  EXPECT_EQ(
      test::MessageOf([] { ReadPluginLock("/nowhere/crossfold.lock"); }, ErrorKind::kIo),
      "cannot read lock '/nowhere/crossfold.lock': there is no such file; crossfold plugin trust "
      "writes it");
}

}  // namespace
}  // namespace crossfold
