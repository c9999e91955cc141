#include "gzip.h"

#include <zlib.h>

#include <algorithm>
#include <limits>
#include <new>

#include "../reading/refusal.h"

namespace crossfold::reading {
namespace {

// The members of one file.
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

}  // namespace

bool IsGzip(std::string_view bytes) { return bytes.starts_with("\x1F\x8B\x08"); }

std::string Gunzip(std::string_view bytes, std::int64_t most_bytes) {
  return GzipMembers(bytes, most_bytes).Unpack();
}

}  // namespace crossfold::reading
