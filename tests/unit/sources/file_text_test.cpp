#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdint>
#include <fstream>
#include <memory>
#include <string>
#include <string_view>
#include <thread>

#include "reading/file_text.h"
#include "temporary_folder.h"
#include "text_files/decoded_text.h"
#include "unit/engine/data/damage.h"
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

// Encodings and gzip. Bytes marked "Python" are what Python 3.11 wrote: str.encode, gzip.compress.
using reading::DecodedText;
using std::string_view_literals::operator""sv;

constexpr std::int64_t kMost = 1 << 20;

// gzip.compress(b"x,y\n1,a\n2,b\n", mtime=0) of Python.
constexpr auto kPacked =
    "\x1f\x8b\x08\x00\x00\x00\x00\x00\x02\x03\xab\xd0\xa9\xe4\x32\xd4\x49\xe4\x32\xd2\x49\xe2\x02"
    "\x00\x79\xa3\x6e\x5e\x0c\x00\x00\x00"sv;
constexpr std::string_view kUnpacked = "x,y\n1,a\n2,b\n";

// gzip.compress(b"x\n" + b"1\n" * 2000, mtime=0) of Python: 43 bytes of 4002.
constexpr auto kLarge =
    "\x1f\x8b\x08\x00\x00\x00\x00\x00\x02\x03\xed\xc2\x31\x0d\x00\x00\x0c\x03\xa0\x7f\x6e\xea\x6e"
    "\xf2\x2b\xa3\x0f\x81\xbf\x00\x00\x00\x00\x73\x05\xde\x7d\x5f\xa7\xa2\x0f\x00\x00"sv;

std::string Decoded(std::string_view bytes, TextEncoding encoding = TextEncoding::kUtf8,
                    std::int64_t most = kMost) {
  return std::string(DecodedText(bytes, encoding, most).text());
}

std::optional<Refusal> RefusalOfBytes(std::string_view bytes,
                                      TextEncoding encoding = TextEncoding::kUtf8,
                                      std::int64_t most = kMost) {
  return RefusalOf([&] { Translated("cannot read 'a'", [&] { Decoded(bytes, encoding, most); }); });
}

TEST(TextEncodingTest, PlainTextIsNotCopied) {
  const std::string_view text = "x\n1\n";
  EXPECT_EQ(DecodedText(text, TextEncoding::kUtf8, kMost).text().data(), text.data());
}

// Python: "ä€ÿ Ž".encode("cp1252"), "ä\x80ÿ".encode("latin1").
TEST(TextEncodingTest, SingleByteEncodingsBecomeUtf8) {
  EXPECT_EQ(Decoded("\xe4\x80\xff\x20\x8e", TextEncoding::kWindows1252),
            "\xc3\xa4\xe2\x82\xac\xc3\xbf\x20\xc5\xbd");
  EXPECT_EQ(Decoded("\xe4\x80\xff", TextEncoding::kLatin1), "\xc3\xa4\xc2\x80\xc3\xbf");
}

TEST(TextEncodingTest, BytesThatWindows1252DoesNotHaveAreRefused) {
  EXPECT_EQ(
      RefusalOfBytes("x\na\x81\n", TextEncoding::kWindows1252),
      BadData("cannot read 'a': line 2: byte 4 of the file is not a character of windows-1252; is "
              "it encoding = \"utf-8\", or another?"));
}

// Python: "中文".encode("gb18030"), encode("cp932"), encode("big5"), encode("euc-jp"),
// "한글".encode("cp949"), "Жž".encode("cp1251"), ... encode("cp1250").
TEST(TextEncodingTest, NationalEncodingsBecomeUtf8) {
  EXPECT_EQ(Decoded("\xd6\xd0\xce\xc4", TextEncoding::kGb18030), "中文");
  EXPECT_EQ(Decoded("\xd6\xd0\xce\xc4", TextEncoding::kGbk), "中文");
  EXPECT_EQ(Decoded("\x92\x86\x95\xb6", TextEncoding::kShiftJis), "中文");
  EXPECT_EQ(Decoded("\xa4\xa4\xa4\xe5", TextEncoding::kBig5), "中文");
  EXPECT_EQ(Decoded("\xc3\xe6\xca\xb8", TextEncoding::kEucJp), "中文");
  EXPECT_EQ(Decoded("\xc7\xd1\xb1\xdb", TextEncoding::kEucKr), "한글");
  EXPECT_EQ(Decoded("\xc6", TextEncoding::kWindows1251), "Ж");
  EXPECT_EQ(Decoded("\x9e", TextEncoding::kWindows1250), "ž");
  EXPECT_EQ(RefusalOfBytes("x\n\xd6\n", TextEncoding::kGb18030),
            BadData("cannot read 'a': line 2: byte 3 of the file is not a character of gb18030; is "
                    "it encoding = \"utf-8\", or another?"));
}

// What is said of bytes is what is known of them.
TEST(TextEncodingTest, OnlyEncodingsThatFitAreNamed) {
  const auto names = [](std::string_view text) { return reading::WayOutOfBytes(text); };
  const std::string western = "name the encoding, as in encoding = \"windows-1252\" or \"latin1\"";
  EXPECT_EQ(names("M\xfcller,Stra\xdf"
                  "e\n"),
            western);
  EXPECT_EQ(names("it\x92s\n"), western);
  for (const char* text : {"\xd6\xd0\xce\xc4,\x81\x40\n", "\xd6\xd0\xce\xc4,1\n"}) {
    EXPECT_THAT(names(text),
                testing::StartsWith("name the encoding, as in encoding = \"gb18030\""));
    EXPECT_THAT(names(text), testing::Not(testing::HasSubstr("windows")));
  }
  EXPECT_THAT(names("\x82\xa0\x82\xa2,\x83\x65\x81\x5b\n"), testing::HasSubstr("\"shift-jis\""));
  EXPECT_THAT(names("\xff\x81\xff\n"), testing::StartsWith("it is in no other encoding"));
}

TEST(TextEncodingTest, WhatAnotherProgramPackedIsNamed) {
  const auto told = [](std::string_view bytes, const std::string& what) {
    EXPECT_EQ(RefusalOfBytes(bytes), BadData("cannot read 'a': it is " + what));
    EXPECT_EQ(RefusalOfBytes(bytes, TextEncoding::kLatin1), RefusalOfBytes(bytes));
  };
  const std::string or_gzip = "), or compress it by gzip instead";
  told("BZh91AY&SYx", "compressed by bzip2; unpack it (bzip2 -dk" + or_gzip);
  told(
      "\xFD"
      "7zXZ\0x"sv,
      "compressed by xz; unpack it (xz -dk" + or_gzip);
  told("\x28\xB5\x2F\xFDx", "compressed by zstd; unpack it (zstd -d" + or_gzip);
  EXPECT_EQ(Decoded("BZh9 is a word\n"), "BZh9 is a word\n");
}

TEST(TextEncodingTest, CarriageReturnsBecomeLineFeedsWhereThereAreNone) {
  EXPECT_EQ(Decoded("a\rb\r"), "a\nb\n");
  EXPECT_EQ(Decoded("a\rb\n"), "a\rb\n");
  EXPECT_EQ(Decoded("a\rb\r", TextEncoding::kLatin1), "a\nb\n");
}

// Python: "x\nä€😀\n".encode("utf-16-le") and "utf-16-be".
TEST(TextEncodingTest, Utf16BecomesUtf8) {
  const auto little = "\x78\x00\x0a\x00\xe4\x00\xac\x20\x3d\xd8\x00\xde\x0a\x00"sv;
  const auto big = "\x00\x78\x00\x0a\x00\xe4\x20\xac\xd8\x3d\xde\x00\x00\x0a"sv;
  const std::string utf8 = "\x78\x0a\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80\x0a";
  EXPECT_EQ(Decoded(little, TextEncoding::kUtf16Le), utf8);
  EXPECT_EQ(Decoded(big, TextEncoding::kUtf16Be), utf8);
  EXPECT_EQ(Decoded("\xff\xfe" + std::string(little), TextEncoding::kUtf16Le), utf8);
  for (const TextEncoding encoding : {TextEncoding::kUtf8, TextEncoding::kUtf16}) {
    EXPECT_EQ(Decoded("\xff\xfe" + std::string(little), encoding), utf8);
    EXPECT_EQ(Decoded("\xfe\xff" + std::string(big), encoding), utf8);
  }
  EXPECT_EQ(RefusalOfBytes(little, TextEncoding::kUtf16),
            BadData("cannot read 'a': it has no byte order mark; name the order: encoding = "
                    "\"utf-16le\" or \"utf-16be\""));
  EXPECT_EQ(RefusalOfBytes(little.substr(0, 13), TextEncoding::kUtf16Le),
            BadData("cannot read 'a': line 2: half a character of UTF-16; the file is cut short"));
  EXPECT_EQ(
      RefusalOfBytes(little.substr(0, 10), TextEncoding::kUtf16Le),
      BadData("cannot read 'a': line 2: half a character of UTF-16; is it another encoding?"));
}

TEST(TextEncodingTest, AMarkOfUtf8ContradictsOtherEncodings) {
  EXPECT_EQ(RefusalOfBytes("\xEF\xBB\xBFx\n", TextEncoding::kLatin1),
            BadData("cannot read 'a': it begins with the byte order mark of UTF-8; leave out the "
                    "encoding"));
}

TEST(GzipTest, WhatPythonPackedIsUnpacked) {
  EXPECT_EQ(Decoded(kPacked), kUnpacked);
  EXPECT_EQ(Decoded(kLarge).size(), 4002U);
}

TEST(GzipTest, MembersFollowEachOther) {
  const std::string twice = std::string(kPacked) + std::string(kPacked);
  EXPECT_EQ(Decoded(twice), std::string(kUnpacked) + std::string(kUnpacked));
  EXPECT_EQ(Decoded(twice + std::string(512, '\0')),
            std::string(kUnpacked) + std::string(kUnpacked));
}

TEST(GzipTest, OtherBytesBehindItAreRefused) {
  EXPECT_EQ(RefusalOfBytes(std::string(kPacked) + "rest"),
            BadData("cannot read 'a': 4 bytes of trailing garbage after the gzip data; compress it "
                    "again"));
}

// No cut and no turned bit goes unnoticed where the checksum looks; those in the header's fields
// of time and system do not change the text.
TEST(GzipTest, DamageIsRefused) {
  ForEachCut(kPacked, [](const std::string& cut) {
    if (cut.size() < 3) return;  // not known as gzip
    EXPECT_EQ(RefusalOfBytes(cut)->kind, ErrorKind::kBadData) << cut.size();
  });
  ForEachFlip(kPacked.substr(10), [](const std::string& damaged) {
    const std::string bytes = std::string(kPacked.substr(0, 10)) + damaged;
    std::string text;
    const auto refusal = RefusalOf([&] { Translated("cannot", [&] { text = Decoded(bytes); }); });
    EXPECT_TRUE(refusal || text == kUnpacked);
  });
  EXPECT_EQ(RefusalOfBytes(kPacked.substr(0, 24)),
            BadData("cannot read 'a': its gzip data are cut short after 12 bytes of text; copy or "
                    "download it again"));
}

TEST(GzipTest, MoreThanTheLimitIsRefused) {
  EXPECT_EQ(Decoded(kLarge, TextEncoding::kUtf8, 4002).size(), 4002U);
  EXPECT_EQ(RefusalOfBytes(kLarge, TextEncoding::kUtf8, 4001),
            BadData("cannot read 'a': unpacked it has more than the limit of 4001 bytes; raise "
                    "most_bytes if that is right"));
}

TEST(GzipTest, ReadersUnpackWhateverTheEnding) {
  EXPECT_EQ(ParseCsv(kPacked, "a", {})->content_hash(),
            ParseCsv(kUnpacked, "a", {})->content_hash());
}

}  // namespace
}  // namespace crossfold::sources
