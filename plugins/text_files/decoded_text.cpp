#include "decoded_text.h"

#include <iconv.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <new>
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

// Converts text to UTF-8 by iconv(3), whose names of encodings do not depend on the locale.
class Decoder {
 public:
  explicit Decoder(const char* encoding) : converter_(iconv_open("UTF-8", encoding)) {
    if (converter_ == kNone && errno == ENOMEM) throw std::bad_alloc();
    if (converter_ == kNone) {
      RefuseFile("the C library cannot convert " + std::string(encoding) +
                 " (iconv); convert the file to UTF-8");
    }
  }
  Decoder(const Decoder&) = delete;
  Decoder& operator=(const Decoder&) = delete;
  ~Decoder() { iconv_close(converter_); }

  // `refusal(n)` is what is wrong with the last n bytes, which are not text.
  template <class Refusal>
  std::string Decode(std::string_view bytes, const Refusal& refusal) const {
    std::string text(bytes.size() + bytes.size() / 8 + 8, '\0');
    char* in = const_cast<char*>(bytes.data());  // iconv only reads it
    std::size_t n_in = bytes.size(), used = 0;
    for (;;) {
      char* out = text.data() + used;
      std::size_t n_out = text.size() - used;
      const std::size_t result = iconv(converter_, &in, &n_in, &out, &n_out);
      used = text.size() - n_out;
      if (result != static_cast<std::size_t>(-1)) break;
      if (errno != E2BIG) {
        const auto line = std::count(text.data(), text.data() + used, '\n') + 1;
        RefuseContent("line " + std::to_string(line) + ": " + refusal(n_in));
      }
      text.resize(2 * text.size());
    }
    text.resize(used);
    return text;
  }

 private:
  static inline const iconv_t kNone = reinterpret_cast<iconv_t>(-1);
  const iconv_t converter_;
};

std::string FromWindows1252(std::string_view bytes) {
  return Decoder("CP1252").Decode(bytes, [&](std::size_t n) {
    return "byte " + std::to_string(bytes.size() - n + 1) +
           " of the file is not a character of windows-1252; is it encoding = \"latin1\" or "
           "\"utf-8\"?";
  });
}

std::string FromUtf16(std::string_view bytes, bool big_endian) {
  return Decoder(big_endian ? "UTF-16BE" : "UTF-16LE").Decode(bytes, [](std::size_t n) {
    return std::string("half a character of UTF-16; ") +
           (n == 1 ? "the file is cut short" : "is it another encoding?");
  });
}

std::string FromMarkedUtf16(std::string_view bytes) {
  const bool big_endian = bytes.starts_with(kBigEndianMark);
  if (!big_endian && !bytes.starts_with(kLittleEndianMark)) {
    RefuseContent(
        "it has no byte order mark; name the order: encoding = \"utf-16le\" or "
        "\"utf-16be\"");
  }
  return FromUtf16(bytes.substr(2), big_endian);
}

// The mark is not part of the text.
std::string FromOrderedUtf16(std::string_view bytes, bool big_endian) {
  if (bytes.starts_with(big_endian ? kBigEndianMark : kLittleEndianMark)) bytes.remove_prefix(2);
  return FromUtf16(bytes, big_endian);
}

std::string Decode(std::string_view bytes, TextEncoding encoding) {
  if (bytes.starts_with(kUtf8Mark)) {
    RefuseContent("it begins with the byte order mark of UTF-8; leave out the encoding");
  }
  switch (encoding) {
    case TextEncoding::kLatin1:
      return Decoder("ISO-8859-1").Decode(bytes, [](std::size_t) { return std::string(); });
    case TextEncoding::kWindows1252:
      return FromWindows1252(bytes);
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
