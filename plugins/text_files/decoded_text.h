// The text of a file, whatever its bytes are: unpacked and in UTF-8.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace crossfold::reading {

// The encoding of a file, by each name that it has in kEncodingNames. All text in memory is UTF-8.
enum class TextEncoding {
  kUtf8,  // UTF-16 instead if the file begins with a byte order mark of UTF-16
  kUtf8Short,
  kLatin1,  // every byte is the character with that number
  kIso88591,
  kWindows1252,  // as kLatin1, but 0x80 .. 0x9F are printed characters, such as the euro sign
  kCp1252,
  kUtf16,  // with a byte order mark
  kUtf16Le,
  kUtf16Be,
  kWindows1250,
  kWindows1251,
  kGb18030,  // of which GB2312 and GBK are parts
  kGbk,
  kShiftJis,
  kBig5,
  kEucJp,
  kEucKr
};
constexpr std::array<const char*, 17> kEncodingNames = {
    "utf-8",  "utf8",      "latin1",   "iso-8859-1",   "windows-1252", "cp1252",
    "utf-16", "utf-16le",  "utf-16be", "windows-1250", "windows-1251", "gb18030",
    "gbk",    "shift-jis", "big5",     "euc-jp",       "euc-kr"};

// What to do about a text that is not UTF-8, or has a NUL. They name the encodings that its bytes
// fit: 'name the encoding, as in encoding = "gb18030"'.
std::string WayOutOfBytes(std::string_view text);
std::string WayOutOfNul(std::string_view text);

// Bytes that are plain UTF-8 are not copied, so `bytes` must outlive this.
class DecodedText {
 public:
  // Unpacks gzip, decodes, and makes line feeds of carriage returns where there are no others, as
  // old programs of a Mac write them. Throws Error for bytes that are not in the encoding, or that
  // another program packed; UTF-8 is not checked here.
  DecodedText(std::string_view bytes, TextEncoding encoding, std::int64_t most_bytes);
  DecodedText(const DecodedText&) = delete;
  DecodedText& operator=(const DecodedText&) = delete;

  std::string_view text() const { return text_; }

 private:
  void EndLines();

  std::string unpacked_, decoded_;
  std::string_view text_;
};

}  // namespace crossfold::reading
