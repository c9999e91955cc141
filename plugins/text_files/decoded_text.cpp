#include "decoded_text.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "../reading/refusal.h"
#include "gzip.h"

namespace crossfold::reading {
namespace {

constexpr std::string_view kUtf8Mark = "\xEF\xBB\xBF";
constexpr std::string_view kLittleEndianMark = "\xFF\xFE";
constexpr std::string_view kBigEndianMark = "\xFE\xFF";

// The characters 0x80 .. 0x9F of Windows-1252; 0 = there is none.
//   https://www.unicode.org/Public/MAPPINGS/VENDORS/MICSFT/WINDOWS/CP1252.TXT
constexpr std::array<char32_t, 32> kWindows1252 = {
    0x20AC, 0,      0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160,
    0x2039, 0x0152, 0,      0x017D, 0,      0,      0x2018, 0x2019, 0x201C, 0x201D, 0x2022,
    0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0,      0x017E, 0x0178};

void AppendUtf8(char32_t c, std::string& out) {
  const auto put = [&out](char32_t byte) { out += static_cast<char>(byte); };
  if (c < 0x80) {
    put(c);
  } else if (c < 0x800) {
    put(0xC0 | c >> 6);
    put(0x80 | (c & 0x3F));
  } else if (c < 0x10000) {
    put(0xE0 | c >> 12);
    put(0x80 | (c >> 6 & 0x3F));
    put(0x80 | (c & 0x3F));
  } else {
    put(0xF0 | c >> 18);
    put(0x80 | (c >> 12 & 0x3F));
    put(0x80 | (c >> 6 & 0x3F));
    put(0x80 | (c & 0x3F));
  }
}

// Converts text in one of the encodings to UTF-8.
class Decoder {
 public:
  Decoder(std::string_view bytes) : bytes_(bytes) {}

  std::string FromLatin1() const {
    std::string text;
    text.reserve(bytes_.size() + bytes_.size() / 8);
    for (const char c : bytes_) AppendUtf8(static_cast<unsigned char>(c), text);
    return text;
  }

  std::string FromWindows1252() const {
    std::string text;
    text.reserve(bytes_.size() + bytes_.size() / 8);
    for (std::size_t i = 0; i < bytes_.size(); ++i) {
      const auto byte = static_cast<unsigned char>(bytes_[i]);
      const bool special = byte >= 0x80 && byte < 0xA0;
      const char32_t c = special ? kWindows1252[byte - 0x80U] : byte;
      if (special && c == 0) {
        Refuse(text, "byte " + std::to_string(i + 1) +
                         " of the file is not a character of windows-1252; is it "
                         "encoding = \"latin1\" or \"utf-8\"?");
      }
      AppendUtf8(c, text);
    }
    return text;
  }

  std::string FromUtf16(bool big_endian) const {
    std::string text;
    text.reserve(bytes_.size());
    const auto unit = [&](std::size_t i) -> char32_t {
      const auto first = static_cast<unsigned char>(bytes_[i]);
      const auto second = static_cast<unsigned char>(bytes_[i + 1]);
      return big_endian ? static_cast<char32_t>(first << 8 | second)
                        : static_cast<char32_t>(second << 8 | first);
    };
    std::size_t i = 0;
    while (i + 1 < bytes_.size()) {
      char32_t c = unit(i);
      i += 2;
      if (c >= 0xD800 && c < 0xE000) {
        const char32_t low = c < 0xDC00 && i + 1 < bytes_.size() ? unit(i) : 0;
        if (low < 0xDC00 || low > 0xDFFF) {
          Refuse(text, "half a character of UTF-16; is it another encoding?");
        }
        c = 0x10000 + ((c - 0xD800) << 10) + (low - 0xDC00);
        i += 2;
      }
      AppendUtf8(c, text);
    }
    if (i < bytes_.size()) Refuse(text, "half a character of UTF-16; the file is cut short");
    return text;
  }

 private:
  // Refuses what comes after the text that was read so far.
  [[noreturn]] void Refuse(const std::string& text, const std::string& finding) const {
    const auto line = std::count(text.begin(), text.end(), '\n') + 1;
    RefuseContent("line " + std::to_string(line) + ": " + finding);
  }

  std::string_view bytes_;
};

std::string FromMarkedUtf16(std::string_view bytes) {
  const bool big_endian = bytes.starts_with(kBigEndianMark);
  if (!big_endian && !bytes.starts_with(kLittleEndianMark)) {
    RefuseContent(
        "it has no byte order mark; name the order: encoding = \"utf-16le\" or "
        "\"utf-16be\"");
  }
  return Decoder(bytes.substr(2)).FromUtf16(big_endian);
}

// The mark is not part of the text.
std::string FromOrderedUtf16(std::string_view bytes, bool big_endian) {
  if (bytes.starts_with(big_endian ? kBigEndianMark : kLittleEndianMark)) bytes.remove_prefix(2);
  return Decoder(bytes).FromUtf16(big_endian);
}

std::string Decode(std::string_view bytes, TextEncoding encoding) {
  if (bytes.starts_with(kUtf8Mark)) {
    RefuseContent("it begins with the byte order mark of UTF-8; leave out the encoding");
  }
  switch (encoding) {
    case TextEncoding::kLatin1:
      return Decoder(bytes).FromLatin1();
    case TextEncoding::kWindows1252:
      return Decoder(bytes).FromWindows1252();
    case TextEncoding::kUtf16Le:
      return FromOrderedUtf16(bytes, false);
    case TextEncoding::kUtf16Be:
      return FromOrderedUtf16(bytes, true);
    default:
      return FromMarkedUtf16(bytes);
  }
}

}  // namespace

DecodedText::DecodedText(std::string_view bytes, TextEncoding encoding, std::int64_t most_bytes)
    : text_(bytes) {
  if (IsGzip(bytes)) {
    unpacked_ = Gunzip(bytes, most_bytes);
    text_ = unpacked_;
  }
  const bool marked = text_.starts_with(kLittleEndianMark) || text_.starts_with(kBigEndianMark);
  if (encoding == TextEncoding::kUtf8 && marked) encoding = TextEncoding::kUtf16;
  if (encoding == TextEncoding::kUtf8) return;
  decoded_ = Decode(text_, encoding);
  text_ = decoded_;
  unpacked_ = std::string();
}

}  // namespace crossfold::reading
