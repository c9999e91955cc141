// Entries of a column as 64-bit keys.
#pragma once

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "crossfold/dataset.h"
#include "engine/data/column_entries.h"

namespace crossfold {

// The key of a missing entry; no usual entry has it (a number of 19 digits would).
constexpr std::uint64_t kMissingKey = 0x9E3779B97F4A7C15U;

// A mixer of 64 bits: the finalizer of SplitMix64 (Steele, Lea, Flood 2014).
inline std::uint64_t Mix(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9U;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBU;
  return x ^ (x >> 31);
}

// FNV-1a, mixed; it is the same on every machine.
inline std::uint64_t KeyOfText(std::string_view text) {
  std::uint64_t key = 0xCBF29CE484222325U;
  for (const char c : text) key = (key ^ static_cast<unsigned char>(c)) * 0x100000001B3U;
  return Mix(key);
}

// Keys are equal for equal content: whole numbers by their value, whatever their type; other
// numbers by their bits; levels by their text; true and false as 1 and 0.
class ContentKeys {
 public:
  ContentKeys(const DataView& view, const Column& column) : view_(&view), column_(&column) {
    for (const std::string& level : column.levels) level_keys_.push_back(KeyOfText(level));
  }

  const Column& column() const { return *column_; }
  // Writes the keys of the rows [begin, begin + out.size()) of the view.
  void Read(std::int64_t begin, std::span<std::uint64_t> out) const {
    VisitEntries(*column_, [&](auto entries) {
      for (std::size_t i = 0; i < out.size(); ++i) {
        const auto row =
            static_cast<std::size_t>(view_->row_id(begin + static_cast<std::int64_t>(i)));
        const auto entry = entries[row];
        const bool missing = !IsValid(*column_, row) || MarksMissing(column_->dtype, entry);
        out[i] = missing ? kMissingKey : KeyOf(entry);
      }
    });
  }
  std::vector<std::uint64_t> All() const {
    std::vector<std::uint64_t> keys(static_cast<std::size_t>(view_->num_rows()));
    Read(0, keys);
    return keys;
  }

 private:
  template <class T>
  std::uint64_t KeyOf(T entry) const {
    if constexpr (std::is_floating_point_v<T>) {
      const auto real = static_cast<double>(entry);
      constexpr double kExact = 9007199254740992.0;  // 2^53
      const bool whole = real >= -kExact && real <= kExact && std::trunc(real) == real;
      return whole ? static_cast<std::uint64_t>(static_cast<std::int64_t>(real))
                   : std::bit_cast<std::uint64_t>(real);
    } else {
      if (column_->dtype == CF_CAT32) return level_keys_[static_cast<std::size_t>(entry)];
      return static_cast<std::uint64_t>(static_cast<std::int64_t>(entry));
    }
  }

  const DataView* view_;
  const Column* column_;
  std::vector<std::uint64_t> level_keys_;
};

}  // namespace crossfold
