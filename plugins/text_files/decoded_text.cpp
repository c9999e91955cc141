#include "decoded_text.h"

#include <iconv.h>
#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <new>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "../reading/ascii.h"
#include "../reading/refusal.h"
#include "crossfold_plugin/utf8.hpp"

namespace crossfold::reading {
namespace {

// Whether the bytes begin as a gzip file does.
bool IsGzip(std::string_view bytes) { return bytes.starts_with("\x1F\x8B\x08"); }

// The members of one gzip file (RFC 1952).
class GzipMembers {
 public:
  GzipMembers(std::string_view packed, std::int64_t most_bytes)
      : packed_(packed), most_(static_cast<std::size_t>(std::max<std::int64_t>(most_bytes, 0))) {
    constexpr int kGzipWindow = 15 + 16;  // zlib.h: 16 asks for the gzip form
    if (inflateInit2(&stream_, kGzipWindow) != Z_OK) throw std::bad_alloc();
  }
  GzipMembers(const GzipMembers&) = delete;
  GzipMembers& operator=(const GzipMembers&) = delete;
  ~GzipMembers() { inflateEnd(&stream_); }

  std::string Unpack() {
    do {
      UnpackMember();
    } while (IsGzip(packed_) && inflateReset(&stream_) == Z_OK);
    if (packed_.find_first_not_of('\0') != std::string_view::npos) {
      RefuseContent(std::to_string(packed_.size()) +
                    " bytes of trailing garbage after the gzip data; compress it again");
    }
    bytes_.resize(used_);
    return std::move(bytes_);
  }

 private:
  void UnpackMember() {
    for (;;) {
      constexpr std::size_t kMostAtOnce = std::numeric_limits<uInt>::max();
      if (used_ == bytes_.size()) Grow();
      const std::size_t n_in = std::min(packed_.size(), kMostAtOnce);
      const std::size_t n_out = std::min(bytes_.size() - used_, kMostAtOnce);
      // zlib only reads what next_in points to.
      stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed_.data()));
      stream_.avail_in = static_cast<uInt>(n_in);
      stream_.next_out = reinterpret_cast<Bytef*>(bytes_.data() + used_);
      stream_.avail_out = static_cast<uInt>(n_out);
      const int code = inflate(&stream_, Z_NO_FLUSH);
      packed_.remove_prefix(n_in - stream_.avail_in);
      used_ += n_out - stream_.avail_out;
      if (used_ > most_) RefuseSize();
      if (code == Z_STREAM_END) return;
      if (code == Z_MEM_ERROR) throw std::bad_alloc();
      if (code == Z_BUF_ERROR || (code == Z_OK && packed_.empty() && stream_.avail_out > 0)) {
        RefuseContent("its gzip data are cut short after " + std::to_string(used_) +
                      " bytes of text; copy or download it again");
      }
      if (code != Z_OK) {
        RefuseContent("its gzip data are damaged after " + std::to_string(used_) +
                      " bytes of text; copy or download it again");
      }
    }
  }

  // Doubles the size; allows one byte more than the limit, to see whether there is more.
  void Grow() {
    constexpr std::size_t kFirst = std::size_t{1} << 16;
    const std::size_t next = std::max({2 * bytes_.size(), 4 * packed_.size(), kFirst});
    bytes_.resize(std::max(std::min(next, most_ + 1), used_ + 1));
  }

  [[noreturn]] void RefuseSize() const {
    RefuseContent("unpacked it has more than the limit of " + std::to_string(most_) +
                  " bytes; raise most_bytes if that is right");
  }

  std::string_view packed_;
  const std::size_t most_;
  z_stream stream_{};
  std::string bytes_;
  std::size_t used_ = 0;
};

// Unpacks the members of a gzip file, one after the other. Zeros after the last member are padding,
// as tape programs write it. Throws Error if the bytes are cut short or damaged, or if they hold
// more than `most_bytes`: memory is taken as bytes come out, never by a size that the file claims.
// REQUIRES: IsGzip(bytes).
std::string Gunzip(std::string_view bytes, std::int64_t most_bytes) {
  return GzipMembers(bytes, most_bytes).Unpack();
}

// Other programs' formats, by their first bytes.
void RefusePacked(std::string_view bytes) {
  struct Format {
    std::string_view begin;
    const char *name, *unpack;
  };
  constexpr Format kFormats[] = {
      {"BZh", "bzip2", "bzip2 -dk"},           {{"\xFD\67zXZ\0", 6}, "xz", "xz -dk"},
      {"\x28\xB5\x2F\xFD", "zstd", "zstd -d"}, {"\x04\x22\x4D\x18", "lz4", "lz4 -d"},
      {{"LZIP\1", 5}, "lzip", "lzip -dk"},     {"\x1F\x9D", "compress", "uncompress -k"},
      {"7z\xBC\xAF\x27\x1C", "7-Zip", "7z x"}, {"Rar!\x1A\x07", "RAR", "unrar x"}};
  if (bytes.starts_with("PK\3\4")) {
    RefuseContent(
        "it is a zip archive, as .xlsx and .ods are; save the sheet as CSV, or unpack it (unzip)");
  }
  constexpr std::size_t kTarMark = 257;
  if (bytes.find('\0') < kTarMark &&
      bytes.substr(std::min(bytes.size(), kTarMark)).starts_with("ustar")) {
    RefuseContent("it is a tar archive; unpack it (tar xf), and read a file that was in it");
  }
  for (const Format& format : kFormats) {
    // Words may begin as bzip2 does, but not with the number pi after that.
    const bool is_word = format.begin == "BZh" &&
                         bytes.substr(std::min<std::size_t>(bytes.size(), 4), 6) != "1AY&SY";
    if (!bytes.starts_with(format.begin) || is_word) continue;
    RefuseContent(std::string("it is compressed by ") + format.name + "; unpack it (" +
                  format.unpack + "), or compress it by gzip instead");
  }
}

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

// What iconv(3) calls the encodings other than those of UTF.
const char* ConverterOf(TextEncoding encoding) {
  switch (encoding) {
    case TextEncoding::kLatin1:
    case TextEncoding::kIso88591:
      return "ISO-8859-1";
    case TextEncoding::kWindows1250:
      return "CP1250";
    case TextEncoding::kWindows1251:
      return "CP1251";
    case TextEncoding::kGb18030:
    case TextEncoding::kGbk:
      return "GB18030";
    case TextEncoding::kShiftJis:
      return "CP932";
    case TextEncoding::kBig5:
      return "CP950";
    case TextEncoding::kEucJp:
      return "EUC-JP";
    case TextEncoding::kEucKr:
      return "CP949";
    default:
      return "CP1252";
  }
}

std::string FromNational(std::string_view bytes, TextEncoding encoding) {
  return Decoder(ConverterOf(encoding)).Decode(bytes, [&](std::size_t n) {
    return "byte " + std::to_string(bytes.size() - n + 1) + " of the file is not a character of " +
           kEncodingNames[static_cast<std::size_t>(encoding)] +
           "; is it encoding = \"utf-8\", or another?";
  });
}

bool IsIn(TextEncoding encoding, std::string_view bytes) {
  try {
    FromNational(bytes, encoding);
    return true;
  } catch (const cf::Error&) {
    return false;
  }
}

// Whether words with letters beyond ASCII have at least as many letters of ASCII, as in the
// languages of Western Europe. The second byte of a letter of Chinese, Japanese or Korean, which
// may look like a letter of ASCII, does not count.
bool HasAsciiLetters(std::string_view bytes) {
  std::size_t ascii = 0, other = 0, word_ascii = 0, word_other = 0;
  for (std::size_t i = 0; i <= bytes.size(); ++i) {
    const char c = i < bytes.size() ? bytes[i] : ' ';
    if (static_cast<unsigned char>(c) >= 0x80) {
      ++word_other;
      if (i + 1 < bytes.size() && static_cast<unsigned char>(bytes[i + 1]) >= 0x40) ++i;
    } else if (IsUpper(c) || IsLower(c)) {
      ++word_ascii;
    } else {
      if (word_other > 0) ascii += word_ascii;
      other += std::exchange(word_other, 0);
      word_ascii = 0;
    }
  }
  return ascii >= other;
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
    case TextEncoding::kUtf16:
      return FromMarkedUtf16(bytes);
    case TextEncoding::kUtf16Le:
      return FromOrderedUtf16(bytes, false);
    case TextEncoding::kUtf16Be:
      return FromOrderedUtf16(bytes, true);
    default:
      return FromNational(bytes, encoding);
  }
}

}  // namespace

DecodedText::DecodedText(std::string_view bytes, TextEncoding encoding, std::int64_t most_bytes)
    : text_(bytes) {
  if (IsGzip(bytes)) {
    unpacked_ = Gunzip(bytes, most_bytes);
    text_ = unpacked_;
  }
  RefusePacked(text_);
  const bool marked = text_.starts_with(kLittleEndianMark) || text_.starts_with(kBigEndianMark);
  if (encoding == TextEncoding::kUtf8 && marked) encoding = TextEncoding::kUtf16;
  if (encoding != TextEncoding::kUtf8 && encoding != TextEncoding::kUtf8Short) {
    decoded_ = Decode(text_, encoding);
    text_ = decoded_;
    unpacked_ = std::string();
  }
  EndLines();
}

void DecodedText::EndLines() {
  if (text_.find('\n') != std::string_view::npos) return;
  const std::size_t first = text_.find('\r');
  if (first == std::string_view::npos || first + 1 == text_.size()) return;
  std::string ended(text_);
  std::replace(ended.begin(), ended.end(), '\r', '\n');
  decoded_ = std::move(ended);
  text_ = decoded_;
}

std::string WayOutOfBytes(std::string_view text) {
  constexpr std::size_t kMost = std::size_t{1} << 20;
  // Whole lines: no character of these encodings has a line end in it.
  const std::string_view before = text.substr(0, plugin::FirstInvalidUtf8(text).value_or(0));
  text.remove_prefix(before.rfind('\n') + 1);
  if (text.size() > kMost) text = text.substr(0, text.rfind('\n', kMost));
  std::vector<TextEncoding> fitting;
  const bool is_western = IsIn(TextEncoding::kWindows1252, text);
  if (!is_western || !HasAsciiLetters(text)) {
    for (const TextEncoding encoding :
         {TextEncoding::kGb18030, TextEncoding::kShiftJis, TextEncoding::kBig5,
          TextEncoding::kEucJp, TextEncoding::kEucKr}) {
      if (IsIn(encoding, text)) fitting.push_back(encoding);
    }
  }
  if (fitting.empty() && is_western) {
    fitting = {TextEncoding::kWindows1252, TextEncoding::kLatin1};
  }
  if (fitting.empty()) {
    return "it is in no other encoding that its bytes show; convert it (iconv -t "
           "UTF-8), or read any bytes as encoding = \"latin1\"";
  }
  std::string names;
  for (std::size_t i = 0; i < fitting.size(); ++i) {
    names += i == 0 ? "" : i + 1 < fitting.size() ? ", " : " or ";
    names += std::string("\"") + kEncodingNames[static_cast<std::size_t>(fitting[i])] + "\"";
  }
  return "name the encoding, as in encoding = " + names;
}

std::string WayOutOfNul(std::string_view text) {
  text = text.substr(0, 4096);
  // In UTF-16, separators and line ends are one byte of ASCII and a NUL.
  std::size_t nuls[2] = {0, 0};  // at even and at odd places
  for (std::size_t i = 0; i < text.size(); ++i) nuls[i % 2] += text[i] == '\0' ? 1 : 0;
  const bool is_little = nuls[1] > nuls[0];
  bool is_utf16 = std::max(nuls[0], nuls[1]) * 16 > text.size();
  for (std::size_t i = text.find('\n'); i < text.size(); i = text.find('\n', i + 1)) {
    const std::size_t other = is_little ? i + 1 : i - 1;
    is_utf16 = is_utf16 && (other >= text.size() || text[other] == '\0');
  }
  if (!is_utf16) return "take it out (tr -d '\\000')";
  return std::string("name the encoding, as in encoding = \"") +
         (is_little ? "utf-16le\"" : "utf-16be\"");
}

}  // namespace crossfold::reading
