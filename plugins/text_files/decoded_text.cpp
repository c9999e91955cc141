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

#include "../reading/refusal.h"

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
