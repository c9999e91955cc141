// Sorting by whole numbers faster than by comparisons.
//
// Each step finds the range of the keys, cuts it into equal intervals and moves every record to its
// interval (a radix sort from the most significant digit, whose digits follow the range of the
// data; compare S. J. Ross 2002, "The spreadsort high-performance general-case sorting algorithm",
// PDPTA, 1100-1106). Intervals of a few records are left to one insertion sort.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace crossfold::bundled {

// Order: ascending by `record.order()`, a std::uint64_t; records of the same order stay together in
// some fixed order. Record is trivially copyable.
template <class Record>
class RadixSort {
 public:
  // `scratch` has room for the same number of records.
  static void Run(std::span<Record> records, Record* scratch) {
    Sort(records.data(), scratch, records.size(), false);
  }

 private:
  static constexpr std::size_t kFew = 32;  // records that insertion sorts well
  // More intervals than this in a range beyond the caches miss the translation of addresses.
  static constexpr int kWideBits = 11;
  static constexpr std::size_t kWide = std::size_t{1} << 17;

  // The result goes to `other` if `into_other`, else it stays in `records`. Both are overwritten.
  static void Sort(Record* records, Record* other, std::size_t n, bool into_other) {
    if (n <= kFew) {
      InsertionSort(records, n);
      if (into_other) std::copy_n(records, n, other);
      return;
    }
    const auto [low, high] = RangeOf(records, n);
    if (low == high) {
      if (into_other) std::copy_n(records, n, other);
      return;
    }
    const int bits = n > kWide ? kWideBits : static_cast<int>(std::bit_width(n)) - 3;
    const int shift = std::max(static_cast<int>(std::bit_width(high - low)) - bits, 0);
    const std::vector<std::size_t> ends =
        Scatter(records, other, n, low, shift, ((high - low) >> shift) + 1);
    if (LargestPart(ends) <= kFew) {
      InsertionSort(other, n);
      if (!into_other) std::copy_n(other, n, records);
      return;
    }
    std::size_t begin = 0;
    for (const std::size_t end : ends) {
      Sort(other + begin, records + begin, end - begin, !into_other);
      begin = end;
    }
  }

  struct Range {
    std::uint64_t low, high;
  };
  static Range RangeOf(const Record* records, std::size_t n) {
    Range range{records[0].order(), records[0].order()};
    for (std::size_t i = 1; i < n; ++i) {
      range.low = std::min(range.low, records[i].order());
      range.high = std::max(range.high, records[i].order());
    }
    return range;
  }

  // Moves every record to its interval and returns where the intervals end.
  static std::vector<std::size_t> Scatter(const Record* from, Record* to, std::size_t n,
                                          std::uint64_t low, int shift, std::size_t n_intervals) {
    std::vector<std::size_t> places(n_intervals);
    for (std::size_t i = 0; i < n; ++i) ++places[(from[i].order() - low) >> shift];
    std::size_t next = 0;
    for (std::size_t& place : places) {
      const std::size_t count = place;
      place = next;
      next += count;
    }
    for (std::size_t i = 0; i < n; ++i) to[places[(from[i].order() - low) >> shift]++] = from[i];
    return places;
  }

  static std::size_t LargestPart(const std::vector<std::size_t>& ends) {
    std::size_t largest = 0, begin = 0;
    for (const std::size_t end : ends) {
      largest = std::max(largest, end - begin);
      begin = end;
    }
    return largest;
  }

  static void InsertionSort(Record* records, std::size_t n) {
    for (std::size_t i = 1; i < n; ++i) {
      const Record moved = records[i];
      std::size_t j = i;
      for (; j > 0 && records[j - 1].order() > moved.order(); --j) records[j] = records[j - 1];
      records[j] = moved;
    }
  }
};

}  // namespace crossfold::bundled
