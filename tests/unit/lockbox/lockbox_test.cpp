#include "crossfold/lockbox.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "crossfold/version.h"
#include "encoding/fields.h"
#include "lockbox/lockbox_file.h"
#include "lockbox/sealed_bytes.h"
#include "message_of.h"
#include "temporary_folder.h"

namespace crossfold {
namespace {

using test::MessageOf;
using test::ReadBytes;
using test::TemporaryFolder;

// Ten rows: x = 0 ... 9, class a or b in turn.
std::shared_ptr<const Dataset> TenRows() {
  std::vector<double> x(10);
  std::vector<std::int32_t> y(10);
  for (std::size_t i = 0; i < 10; ++i) {
    x[i] = static_cast<double>(i);
    y[i] = static_cast<std::int32_t>(i % 2);
  }
  return Dataset::Create("ten", {Column::Doubles("x", x), Column::Categories("y", y, {"a", "b"})},
                         {.target = "y"});
}

const std::vector<std::int64_t> kSealed = {1, 4, 7};

SealOptions Options() {
  SealOptions options;
  options.chosen_by = "a test";
  return options;
}

LockboxOpening OpeningOf(const std::string& model) {
  LockboxOpening opening;
  opening.reason = "to see";
  opening.model = model;
  opening.model_hash = ToHex(Sha256Of(model));
  opening.metric = "accuracy";
  return opening;
}

LockboxAnswer AnswerOf(double score) {
  LockboxAnswer answer;
  answer.score = score;
  answer.method = "wilson";
  answer.rows = answer.units = 3;
  answer.high = 1;
  return answer;
}

class LockboxTest : public testing::Test {
 protected:
  void SealTenRows(SealOptions options = Options()) {
    rest_ = SealRows({TenRows(), nullptr}, kSealed, path_, options).rest;
  }
  // Opens it for a model with that name, which has that score.
  void Open(const std::string& model, double score) {
    Lockbox lockbox = Lockbox::Read(path_);
    const LockboxKey key = lockbox.FindKey("");
    lockbox.End(lockbox.Begin(OpeningOf(model), key), AnswerOf(score), key);
  }
  // The message about a lockbox of these bytes, without its beginning.
  static std::string FindingAbout(std::string_view bytes) {
    return MessageOf([&] { LockboxFile::Parse(bytes, ""); });
  }
  // The file with its entries in another order or number, and everything after them computed again
  // by someone without the key.
  std::string Rebuilt(const std::function<void(std::vector<NewEntry>&)>& change) {
    const std::string bytes = ReadBytes(path_);
    const LockboxFile file = LockboxFile::Parse(bytes, "");
    std::vector<NewEntry> entries;
    for (const LockboxEntry& entry : file.entries) {
      entries.push_back({entry.kind, std::string(entry.fields)});
    }
    change(entries);
    return FormatLockbox(entries, LockboxKey());
  }

  const TemporaryFolder folder_;
  const std::filesystem::path path_ = folder_.path() / "ten.lockbox";
  std::shared_ptr<const Dataset> rest_;
};

TEST_F(LockboxTest, TheSealedRowsComeOutAsTheyWere) {
  SealTenRows();
  const Lockbox lockbox = Lockbox::Read(path_);
  const auto rows = lockbox.Unseal(lockbox.FindKey(""));
  const auto* x = static_cast<const double*>(rows->column("x").data);
  EXPECT_EQ(std::vector<double>(x, x + rows->num_rows()), (std::vector<double>{1, 4, 7}));
  EXPECT_EQ(rows->content_hash(), lockbox.seal().sealed_hash);
  EXPECT_EQ(rows->name(), "ten");
}

TEST_F(LockboxTest, TheOtherRowsKnowTheirLockbox) {
  SealTenRows();
  EXPECT_EQ(rest_->num_rows(), 7);
  EXPECT_EQ(rest_->content_hash(), Lockbox::Read(path_).seal().rest_hash);
  const auto without_target = Dataset::WithRoles(*rest_, {});
  EXPECT_EQ(without_target->origin(), Lockbox::Read(path_).id());
}

TEST_F(LockboxTest, TheFileDoesNotShowTheRows) {
  const auto secret = Dataset::Create(
      "secret", {Column::Categories("y", {0, 1, 0}, {"unmistakable", "b"})}, {.target = "y"});
  SealRows({secret, nullptr}, {0}, path_, Options());
  EXPECT_EQ(ReadBytes(path_).find("unmistakable"), std::string::npos);
}

TEST_F(LockboxTest, OpeningsAreReadBack) {
  SealTenRows();
  Open("first", 0.5);
  Open("second", 1);
  const Lockbox lockbox = Lockbox::Read(path_);
  ASSERT_EQ(lockbox.openings().size(), 2u);
  const LockboxOpening& second = lockbox.openings()[1];
  EXPECT_EQ(second.model, "second");
  EXPECT_EQ(second.reason, "to see");
  EXPECT_EQ(second.metric, "accuracy");
  EXPECT_EQ(second.time.size(), std::string("2026-01-01T00:00:00Z").size());
  EXPECT_EQ(second.answer->score, 1);
}

TEST_F(LockboxTest, AnOpeningIsInTheFileBeforeItsScore) {
  SealTenRows();
  Lockbox lockbox = Lockbox::Read(path_);
  EXPECT_EQ(lockbox.Begin(OpeningOf("first"), lockbox.FindKey("")), 1);
  const Lockbox after = Lockbox::Read(path_);
  ASSERT_EQ(after.openings().size(), 1u);
  EXPECT_FALSE(after.openings()[0].answer);
}

TEST_F(LockboxTest, AnAnswerThatCouldNotBeReadBackLeavesTheFileAsItWas) {
  SealTenRows();
  Lockbox lockbox = Lockbox::Read(path_);
  const LockboxKey key = lockbox.FindKey("");
  lockbox.Begin(OpeningOf("first"), key);
  const std::string before = ReadBytes(path_);
  EXPECT_EQ(
      MessageOf([&] { lockbox.End(1, AnswerOf(std::numeric_limits<double>::infinity()), key); }),
      "cannot open lockbox '" + path_.string() +
          "': the new record is not valid: entry 3 is not valid: it was changed; restore a "
          "copy");
  EXPECT_EQ(ReadBytes(path_), before);
}

TEST_F(LockboxTest, AnInterruptedOpeningIsContinuedAndNotCountedTwice) {
  SealTenRows();
  Lockbox lockbox = Lockbox::Read(path_);
  lockbox.Begin(OpeningOf("first"), lockbox.FindKey(""));
  EXPECT_EQ(lockbox.Begin(OpeningOf("first"), lockbox.FindKey("")), 1);
  EXPECT_EQ(lockbox.Begin(OpeningOf("second"), lockbox.FindKey("")), 2);
}

TEST_F(LockboxTest, OpeningsAtTheSameTimeAreAllKept) {
  SealTenRows();
  constexpr int kThreads = 8;
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) {
    threads.emplace_back([this, i] { Open("model " + std::to_string(i), 0.5); });
  }
  for (std::thread& thread : threads) thread.join();
  const Lockbox lockbox = Lockbox::Read(path_);
  EXPECT_EQ(lockbox.openings().size(), static_cast<std::size_t>(kThreads));
  for (const LockboxOpening& opening : lockbox.openings()) EXPECT_TRUE(opening.answer);
}

TEST_F(LockboxTest, AChangeOfAnyByteIsRefused) {
  SealTenRows();
  Open("first", 0.5);
  const std::string bytes = ReadBytes(path_);
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    std::string changed = bytes;
    changed[i] = static_cast<char>(changed[i] ^ 1);
    EXPECT_NE(FindingAbout(changed), "") << "byte " << i;
  }
}

TEST_F(LockboxTest, EveryTruncationIsRefused) {
  SealTenRows();
  Open("first", 0.5);
  const std::string bytes = ReadBytes(path_);
  for (std::size_t n = 0; n < bytes.size(); ++n) {
    EXPECT_NE(FindingAbout(std::string_view(bytes).substr(0, n)), "") << n << " bytes";
  }
  EXPECT_EQ(FindingAbout(std::string_view(bytes).substr(0, bytes.size() - 1)),
            "it is cut short; restore a copy");
}

TEST_F(LockboxTest, BytesAfterTheEndAreRefused) {
  SealTenRows();
  EXPECT_EQ(FindingAbout(ReadBytes(path_) + "x"), "bytes follow its end; restore a copy");
}

TEST_F(LockboxTest, AChangedOpeningIsNamed) {
  SealTenRows();
  Open("first", 0.5);
  std::string bytes = ReadBytes(path_);
  const std::size_t at = bytes.find("first");
  bytes[at] = 'F';
  EXPECT_EQ(FindingAbout(bytes),
            "entry 3 does not follow entry 2: an entry was changed, removed or moved; restore a "
            "copy");
}

// The bytes of the entries as they are in the file: of the seal, two openings and their answers.
std::vector<std::string> EntryBytes(std::string_view file) {
  std::vector<std::string> entries;
  FieldReader reader(file.substr(12));
  for (int i = 0; i < 5; ++i) {
    FieldWriter entry;
    entry.Text(reader.Bytes());
    entries.push_back(entry.Take());
  }
  return entries;
}

TEST_F(LockboxTest, ARemovedOrMovedOpeningIsNamed) {
  SealTenRows();
  Open("first", 0.5);
  Open("second", 0.5);
  const std::string bytes = ReadBytes(path_);
  const std::vector<std::string> e = EntryBytes(bytes);
  const std::string start = bytes.substr(0, 12);
  const std::string end =
      bytes.substr(12 + e[0].size() + e[1].size() + e[2].size() + e[3].size() + e[4].size());
  const std::string finding = ": an entry was changed, removed or moved; restore a copy";
  EXPECT_EQ(FindingAbout(start + e[0] + e[1] + e[2] + end),
            "entry 4 does not follow entry 3" + finding);
  EXPECT_EQ(FindingAbout(start + e[0] + e[3] + e[4] + end),
            "entry 2 does not follow entry 1" + finding);
  EXPECT_EQ(FindingAbout(start + e[0] + e[3] + e[2] + e[1] + e[4] + end),
            "entry 2 does not follow entry 1" + finding);
}

TEST_F(LockboxTest, EntriesThatWereWrittenWithoutTheKeyAreRefusedWhenItIsKnown) {
  SealTenRows();
  Open("first", 0.5);
  folder_.Write("ten.lockbox", Rebuilt([](std::vector<NewEntry>& entries) { entries.resize(1); }));
  const Lockbox lockbox = Lockbox::Read(path_);
  EXPECT_EQ(MessageOf([&] { lockbox.FindKey(""); }),
            "cannot open lockbox '" + path_.string() +
                "': its entries were written without its key; restore a copy");
}

TEST_F(LockboxTest, AnEntryWithoutASealOrWithASecondScoreIsRefused) {
  SealTenRows();
  Open("first", 0.5);
  EXPECT_EQ(FindingAbout(Rebuilt([](auto& entries) { entries.erase(entries.begin()); })),
            "entry 1 is not valid: it was changed; restore a copy");
  EXPECT_EQ(FindingAbout(Rebuilt([](auto& entries) { entries.push_back(entries.back()); })),
            "entry 4 is not valid: it was changed; restore a copy");
}

TEST_F(LockboxTest, AnotherFileIsNotALockbox) {
  const std::string path = folder_.Write("a.csv", "a,b\n1,2\n").string();
  EXPECT_EQ(MessageOf([&] { Lockbox::Read(path); }),
            "cannot read lockbox '" + path + "': it is not a lockbox, which cf.lockbox makes");
  EXPECT_EQ(FindingAbout(""), "it is not a lockbox, which cf.lockbox makes");
}

TEST_F(LockboxTest, ANewerFormatIsNamed) {
  SealTenRows();
  std::string bytes = ReadBytes(path_);
  bytes[8] = 2;
  EXPECT_EQ(FindingAbout(bytes), "it has format 2, Crossfold " + std::string(Version()) +
                                     " reads up to 1; use a newer Crossfold");
}

TEST_F(LockboxTest, SealingTheSameRowsAgainKeepsTheFile) {
  SealTenRows();
  Open("first", 0.5);
  const std::string before = ReadBytes(path_);
  const SealedRows again = SealRows({TenRows(), nullptr}, kSealed, path_, Options());
  EXPECT_FALSE(again.is_new);
  EXPECT_EQ(ReadBytes(path_), before);
}

TEST_F(LockboxTest, SealingOtherRowsInTheSameFileIsRefused) {
  SealTenRows();
  const std::string message = MessageOf([&] {
    SealRows({TenRows(), nullptr}, {0}, path_, Options());
  });
  EXPECT_EQ(message, "cannot seal rows in '" + path_.string() +
                         "': it is a lockbox of other rows or options ('ten', a test); choose "
                         "another file");
}

TEST_F(LockboxTest, AKeyApartIsNeededToOpenAndNotToRead) {
  SealOptions options = Options();
  options.key_file = folder_.path() / "ten.key";
  SealTenRows(options);
  const Lockbox lockbox = Lockbox::Read(path_);
  EXPECT_TRUE(lockbox.seal().is_key_apart);
  EXPECT_EQ(MessageOf([&] { lockbox.FindKey(""); }),
            "cannot open lockbox '" + path_.string() +
                "': its key is kept apart; name the key file (key)");
  EXPECT_EQ(lockbox.Unseal(lockbox.FindKey(options.key_file))->num_rows(), 3);
  struct stat facts = {};
  ASSERT_EQ(::stat(options.key_file.c_str(), &facts), 0);
  EXPECT_EQ(facts.st_mode & 0777, 0600u);
}

TEST_F(LockboxTest, AKeyInTheFileOfTheLockboxIsRefusedAndNothingIsWritten) {
  std::filesystem::create_directory(folder_.path() / "inner");
  std::filesystem::create_directory_symlink(folder_.path(), folder_.path() / "link");
  for (const char* name : {"ten.lockbox", "inner/../ten.lockbox", "link/ten.lockbox"}) {
    SealOptions options = Options();
    options.key_file = folder_.path() / name;
    EXPECT_EQ(MessageOf([&] { SealTenRows(options); }),
              "cannot seal rows in '" + path_.string() +
                  "': its key is to be in the same file; choose another file for the key");
    EXPECT_FALSE(std::filesystem::exists(path_));
  }
}

TEST_F(LockboxTest, SealingThatWasInterruptedAfterTheKeyFileIsDoneAgainWithThatKey) {
  SealOptions options = Options();
  options.key_file = folder_.path() / "ten.key";
  SealTenRows(options);
  const std::string key = ReadBytes(options.key_file);
  std::filesystem::remove(path_);
  SealTenRows(options);
  EXPECT_EQ(ReadBytes(options.key_file), key);
  const Lockbox lockbox = Lockbox::Read(path_);
  EXPECT_EQ(lockbox.Unseal(lockbox.FindKey(options.key_file))->num_rows(), 3);
}

TEST_F(LockboxTest, TheKeyFileOfOtherRowsIsNotUsedAgain) {
  SealOptions options = Options();
  options.key_file = folder_.path() / "ten.key";
  SealTenRows(options);
  EXPECT_EQ(MessageOf([&] {
              SealRows({TenRows(), nullptr}, {0}, folder_.path() / "other.lockbox", options);
            }),
            "cannot keep the key of a lockbox in '" + options.key_file.string() +
                "': there is a file of that name; choose another");
}

TEST_F(LockboxTest, AHalfWrittenKeyFileIsMadeAgain) {
  SealOptions options = Options();
  options.key_file = folder_.path() / "ten.key";
  SealTenRows(options);
  const std::string key = ReadBytes(options.key_file);
  for (const int n : {0, 5, 40}) {
    std::filesystem::remove(path_);
    folder_.Write("ten.key", key.substr(0, static_cast<std::size_t>(n)));
    SealTenRows(options);
    const Lockbox lockbox = Lockbox::Read(path_);
    EXPECT_EQ(lockbox.Unseal(lockbox.FindKey(options.key_file))->num_rows(), 3) << n << " bytes";
  }
}

TEST_F(LockboxTest, AnAnswerToAnOpeningThatAnOlderCopyLacksIsRefused) {
  SealTenRows();
  const std::string older = ReadBytes(path_);
  Lockbox lockbox = Lockbox::Read(path_);
  const LockboxKey key = lockbox.FindKey("");
  lockbox.Begin(OpeningOf("first"), key);
  folder_.Write("ten.lockbox", older);
  EXPECT_EQ(MessageOf([&] { lockbox.End(1, AnswerOf(0.5), key); }),
            "cannot open lockbox '" + path_.string() +
                "': it has no opening 1 any more, so an older copy has taken its place; restore "
                "the newest copy");
  EXPECT_EQ(ReadBytes(path_), older);
}

TEST_F(LockboxTest, TheKeyOfAnotherLockboxIsRefused) {
  SealOptions options = Options();
  options.key_file = folder_.path() / "ten.key";
  SealTenRows(options);
  SealOptions other = Options();
  other.key_file = folder_.path() / "other.key";
  SealRows({TenRows(), nullptr}, {0}, folder_.path() / "other.lockbox", other);
  const Lockbox lockbox = Lockbox::Read(path_);
  EXPECT_EQ(MessageOf([&] { lockbox.FindKey(other.key_file); }),
            "cannot open lockbox '" + path_.string() + "': '" + other.key_file.string() +
                "' is the key of another lockbox");
}

TEST_F(LockboxTest, AFileThatIsNotAKeyIsRefused) {
  SealOptions options = Options();
  options.key_file = folder_.path() / "ten.key";
  SealTenRows(options);
  const auto wrong = folder_.Write("wrong.key", "abc\n");
  const Lockbox lockbox = Lockbox::Read(path_);
  EXPECT_EQ(MessageOf([&] { lockbox.FindKey(wrong); }),
            "cannot open lockbox '" + path_.string() + "': '" + wrong.string() +
                "' is not the key of a lockbox; name the file that cf.lockbox made");
}

TEST_F(LockboxTest, AllRowsOrNoneCannotBeSealed) {
  const std::string expected = "cannot seal rows in '" + path_.string() +
                               "': there must be rows to seal and rows to work on";
  EXPECT_EQ(MessageOf([&] { SealRows({TenRows(), nullptr}, {}, path_, Options()); }), expected);
  EXPECT_EQ(MessageOf([&] {
              SealRows({TenRows(), nullptr}, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, path_, Options());
            }),
            expected);
}

}  // namespace
}  // namespace crossfold
