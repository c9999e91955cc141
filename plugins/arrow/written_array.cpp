#include "written_array.h"

#include <cstddef>
#include <cstring>
#include <limits>
#include <utility>

#include "crossfold_plugin/error.hpp"

namespace crossfold::reading {
namespace {

bool BitAt(const void* bitmap, std::int64_t at) {
  return (static_cast<const std::uint8_t*>(bitmap)[at / 8] >> at % 8 & 1) != 0;
}

class Writing {
 public:
  Writing(const ArrowArray& array, const EntryType& type, std::int64_t first, std::int64_t n_rows)
      : array_(array), type_(type), first_(array.offset + first) {
    written_.n_rows = n_rows;
    written_.copies.reserve(3);  // buffers point into them
  }

  WrittenArray Run() {
    if (type_.layout == EntryLayout::kNone) return std::move(written_);
    const std::int64_t n_buffers = type_.layout == EntryLayout::kText ? 3 : 2;
    const bool is_sound = array_.n_buffers == n_buffers && array_.n_children == 0 &&
                          (written_.n_rows == 0 || array_.buffers[1] != nullptr);
    if (!is_sound) {
      throw plugin::Error(CF_E_INVALID_ARGUMENT, "an array does not have the buffers of its type");
    }
    AddBitmap();
    if (type_.layout == EntryLayout::kBits) {
      AddBits();
    } else if (type_.layout == EntryLayout::kFixed) {
      AddFixed();
    } else if (type_.width == 4) {
      AddTexts<std::int32_t>();
    } else {
      AddTexts<std::int64_t>();
    }
    return std::move(written_);
  }

 private:
  bool is_null(std::int64_t row) const {
    return written_.n_nulls > 0 && !BitAt(array_.buffers[0], first_ + row);
  }
  std::string& Copy(std::size_t size) { return written_.copies.emplace_back(size, '\0'); }

  // One bit per row: whether is_set(row).
  template <class IsSet>
  void AddBitmapOf(const IsSet& is_set) {
    std::string& bits = Copy(static_cast<std::size_t>((written_.n_rows + 7) / 8));
    for (std::int64_t row = 0; row < written_.n_rows; ++row) {
      if (!is_set(row)) continue;
      char& byte = bits[static_cast<std::size_t>(row / 8)];
      byte = static_cast<char>(static_cast<unsigned char>(byte) | 1U << row % 8);
    }
    written_.buffers.emplace_back(bits);
  }

  void AddBitmap() {
    const void* validity = array_.buffers[0];
    if (validity != nullptr && array_.null_count != 0) {
      for (std::int64_t row = 0; row < written_.n_rows; ++row) {
        if (!BitAt(validity, first_ + row)) ++written_.n_nulls;
      }
    }
    if (written_.n_nulls == 0) {
      written_.buffers.emplace_back();
    } else {
      AddBitmapOf([&](std::int64_t row) { return !is_null(row); });
    }
  }

  void AddBits() {
    const void* bits = array_.buffers[1];
    AddBitmapOf([&](std::int64_t row) { return !is_null(row) && BitAt(bits, first_ + row); });
  }

  void AddFixed() {
    const auto width = static_cast<std::size_t>(type_.width);
    const std::size_t size = static_cast<std::size_t>(written_.n_rows) * width;
    if (size == 0) return written_.buffers.emplace_back(), void();
    const char* begin =
        static_cast<const char*>(array_.buffers[1]) + static_cast<std::size_t>(first_) * width;
    if (written_.n_nulls == 0) return written_.buffers.emplace_back(begin, size), void();
    std::string& copy = Copy(size);
    for (std::int64_t row = 0; row < written_.n_rows; ++row) {
      const std::size_t at = static_cast<std::size_t>(row) * width;
      if (!is_null(row)) std::memcpy(copy.data() + at, begin + at, width);
    }
    written_.buffers.emplace_back(copy);
  }

  template <class Offset>
  void AddTexts() {
    std::string& offsets = Copy((static_cast<std::size_t>(written_.n_rows) + 1) * sizeof(Offset));
    std::string& text = Copy(0);
    const auto* from = static_cast<const Offset*>(array_.buffers[1]) + first_;
    for (std::int64_t row = 0; row < written_.n_rows; ++row) {
      if (!is_null(row) && from[row] < from[row + 1]) {
        text.append(static_cast<const char*>(array_.buffers[2]) + from[row],
                    static_cast<std::size_t>(from[row + 1] - from[row]));
      }
      if (text.size() > static_cast<std::size_t>(std::numeric_limits<Offset>::max())) {
        throw plugin::Error(CF_E_UNSUPPORTED_DATA, "the strings of a column take more than 2 GiB");
      }
      const auto end = static_cast<Offset>(text.size());
      std::memcpy(offsets.data() + static_cast<std::size_t>(row + 1) * sizeof end, &end,
                  sizeof end);
    }
    written_.buffers.emplace_back(offsets);
    written_.buffers.emplace_back(text);
  }

  const ArrowArray& array_;
  const EntryType& type_;
  const std::int64_t first_;
  WrittenArray written_;
};

}  // namespace

WrittenArray ToWritten(const ArrowArray& array, const EntryType& type, std::int64_t first,
                       std::int64_t n_rows) {
  return Writing(array, type, first, n_rows).Run();
}

}  // namespace crossfold::reading
