// The text of a file, whatever its bytes are: unpacked and in UTF-8.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace crossfold::reading {

// The encoding of a file. All text in memory is UTF-8.
enum class TextEncoding {
  kUtf8,         // UTF-16 instead if the file begins with a byte order mark of UTF-16
  kLatin1,       // ISO 8859-1: every byte is the character with that number
  kWindows1252,  // as kLatin1, but 0x80 .. 0x9F are printed characters, such as the euro sign
  kUtf16,        // with a byte order mark
  kUtf16Le,
  kUtf16Be
};

// Bytes that are plain UTF-8 are not copied, so `bytes` must outlive this.
class DecodedText {
 public:
  // Unpacks gzip and decodes. Throws Error for bytes that are not
  // in the encoding; UTF-8 is not checked here.
  DecodedText(std::string_view bytes, TextEncoding encoding, std::int64_t most_bytes);
  DecodedText(const DecodedText&) = delete;
  DecodedText& operator=(const DecodedText&) = delete;

  std::string_view text() const { return text_; }

 private:
  std::string unpacked_, decoded_;
  std::string_view text_;
};

}  // namespace crossfold::reading
