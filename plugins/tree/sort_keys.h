// Stable sorting of 64-bit keys with a row each, the most frequent operation of trees.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <utility>
#include <vector>

namespace crossfold::bundled::tree {

struct KeyedRow {
  std::uint64_t key;
  std::uint32_t row;
};

// A key that is ordered as the numbers are. REQUIRES: no NaN; -0.0 and 0.0 have different keys.
inline std::uint64_t OrderedKey(double x) {
  const auto bits = std::bit_cast<std::uint64_t>(x);
  return (bits >> 63) != 0 ? ~bits : bits | (std::uint64_t{1} << 63);
}

// Digit by digit; digits in which all keys agree cost nothing.
inline void SortByDigits(std::vector<KeyedRow>& items, std::vector<KeyedRow>& scratch) {
  constexpr std::size_t kDigitBits = 11, kDigits = 6, kSmall = 128;
  constexpr std::size_t kBuckets = std::size_t{1} << kDigitBits;
  if (items.size() < kSmall) {
    std::stable_sort(items.begin(), items.end(),
                     [](const KeyedRow& a, const KeyedRow& b) { return a.key < b.key; });
    return;
  }
  std::uint64_t differing = 0;
  for (const KeyedRow& item : items) differing |= item.key ^ items[0].key;
  std::array<std::uint32_t, kBuckets> next;
  for (std::size_t digit = 0; digit < kDigits; ++digit) {
    const std::size_t shift = digit * kDigitBits;
    if (((differing >> shift) & (kBuckets - 1)) == 0) continue;
    next.fill(0);
    for (const KeyedRow& item : items) ++next[(item.key >> shift) & (kBuckets - 1)];
    std::uint32_t begin = 0;
    for (std::uint32_t& n : next) begin += std::exchange(n, begin);
    scratch.resize(items.size());
    for (const KeyedRow& item : items) scratch[next[(item.key >> shift) & (kBuckets - 1)]++] = item;
    items.swap(scratch);
  }
}

// Ascending keys, equal keys in the order they came in. The zeros of sparse columns are not sorted.
// `scratch` is overwritten.
inline void SortByKey(std::vector<KeyedRow>& items, std::vector<KeyedRow>& scratch) {
  const auto is_zero = [](const KeyedRow& item) { return item.key == OrderedKey(0.0); };
  const auto n_zeros = static_cast<std::size_t>(std::count_if(items.begin(), items.end(), is_zero));
  if (n_zeros < items.size() / 4) {
    SortByDigits(items, scratch);
    return;
  }
  std::vector<KeyedRow> zeros;
  zeros.reserve(n_zeros);
  std::copy_if(items.begin(), items.end(), std::back_inserter(zeros), is_zero);
  std::erase_if(items, is_zero);
  SortByDigits(items, scratch);
  const auto place =
      std::lower_bound(items.begin(), items.end(), OrderedKey(0.0),
                       [](const KeyedRow& item, std::uint64_t key) { return item.key < key; });
  items.insert(place, zeros.begin(), zeros.end());
}

}  // namespace crossfold::bundled::tree
