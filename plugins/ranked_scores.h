// Rows ordered by a score in [0, 1], with tied rows counted together.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <span>
#include <vector>

#include "crossfold_plugin.hpp"

namespace crossfold::bundled {

// Sorting by whole numbers faster than by comparisons.
//
// Each step finds the range of the keys, cuts it into equal intervals and moves every record to its
// interval (a radix sort from the most significant digit, whose digits follow the range of the
// data; compare S. J. Ross 2002, "The spreadsort high-performance general-case sorting algorithm",
// PDPTA, 1100-1106). Intervals of a few records are left to one insertion sort.
//
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

struct RankedRow {
  double score;  // 0 to 1
  bool is_positive;
  double weight;  // 1 if there are no weights
};

// All rows of one score, by weight.
struct Tie {
  double score;
  double positive, negative;
  double weight() const { return positive + negative; }
};

// A sum of whole numbers: exact without correction up to 2^53.
class PlainSum {
 public:
  void Add(double term) { sum_ += term; }
  double value() const { return sum_; }

 private:
  double sum_ = 0;
};

// Rows of weight 0 are counted, but in no tie.
class RankedScores {
 public:
  // `row_at(i)` gives the RankedRow of 0 <= i < n. It is asked twice for each: to count how many
  // rows each part of [0, 1] gets, and to move them there. So records are copied only once before
  // they are sorted in the cache.
  template <class RowAt>
  RankedScores(std::int64_t n, bool has_weights, RowAt row_at) : has_weights_(has_weights) {
    if (has_weights) {
      Fill(weighted_, n, row_at);
    } else {
      Fill(plain_, n, row_at);
    }
  }

  bool has_weights() const { return has_weights_; }
  std::int64_t num_rows(bool is_positive) const { return rows_[is_positive]; }
  double weight(bool is_positive) const {
    return has_weights_ ? weights_[is_positive].value() : static_cast<double>(rows_[is_positive]);
  }

  // visit(const Tie&) for every score, the lowest or the highest first.
  template <class Visit>
  void VisitAscending(Visit visit) const {
    if (has_weights_) {
      VisitTies(weighted_.all().begin(), weighted_.all().end(), visit);
    } else {
      VisitTies(plain_.all().begin(), plain_.all().end(), visit);
    }
  }
  template <class Visit>
  void VisitDescending(Visit visit) const {
    if (has_weights_) {
      VisitTies(weighted_.all().rbegin(), weighted_.all().rend(), visit);
    } else {
      VisitTies(plain_.all().rbegin(), plain_.all().rend(), visit);
    }
  }

 private:
  // The bits of numbers from 0 to 1 are ordered as the numbers are, and the two highest are 0.
  static std::uint64_t KeyOf(const RankedRow& row) {
    const double without_sign = row.score + 0.0;  // -0.0 is 0.0
    return std::bit_cast<std::uint64_t>(without_sign) << 1 |
           static_cast<std::uint64_t>(row.is_positive);
  }

  struct PlainRecord {
    PlainRecord() = default;
    explicit PlainRecord(const RankedRow& row) : key(KeyOf(row)) {}
    std::uint64_t order() const { return key >> 1; }
    double weight_of_row() const { return 1; }

    static constexpr bool kHasWeight = false;
    using Sum = PlainSum;
    std::uint64_t key;
  };
  struct WeightedRecord {
    WeightedRecord() = default;
    explicit WeightedRecord(const RankedRow& row) : key(KeyOf(row)), weight(row.weight) {}
    std::uint64_t order() const { return key >> 1; }
    double weight_of_row() const { return weight; }

    static constexpr bool kHasWeight = true;
    using Sum = plugin::CompensatedSum;
    std::uint64_t key;
    double weight;
  };

  template <class Record>
  struct Records {
    std::unique_ptr<Record[]> data;
    std::size_t size = 0;
    std::span<const Record> all() const { return {data.get(), size}; }
  };

  // Parts of [0, 1] of equal width, of some thousand rows each if the scores spread evenly; more
  // than 1024 would miss the translation of addresses.
  static std::size_t NumParts(std::int64_t n) {
    constexpr std::uint64_t kRowsInPart = 4096, kMost = 1024;
    return std::bit_floor(
        std::clamp(static_cast<std::uint64_t>(n) / kRowsInPart, std::uint64_t{1}, kMost));
  }
  static std::size_t PartOf(double score, std::size_t n_parts) {
    return std::min(static_cast<std::size_t>(score * static_cast<double>(n_parts)), n_parts - 1);
  }

  template <class Record, class RowAt>
  void Fill(Records<Record>& records, std::int64_t n, RowAt& row_at) {
    std::vector<std::size_t> places(NumParts(n));
    Count<Record>(n, row_at, places);
    std::size_t largest = 0;
    for (std::size_t& place : places) {
      const std::size_t count = place;
      place = records.size;
      records.size += count;
      largest = std::max(largest, count);
    }
    records.data = std::make_unique_for_overwrite<Record[]>(records.size);
    for (std::int64_t i = 0; i < n; ++i) {
      const RankedRow row = row_at(i);
      if (Record::kHasWeight && row.weight == 0) continue;
      records.data[places[PartOf(row.score, places.size())]++] = Record(row);
    }
    const auto scratch = std::make_unique_for_overwrite<Record[]>(largest);
    std::size_t begin = 0;
    for (const std::size_t end : places) {
      RadixSort<Record>::Run({records.data.get() + begin, end - begin}, scratch.get());
      begin = end;
    }
  }

  // How many records go to each part.
  template <class Record, class RowAt>
  void Count(std::int64_t n, RowAt& row_at, std::vector<std::size_t>& counts) {
    std::int64_t positives = 0;
    for (std::int64_t i = 0; i < n; ++i) {
      const RankedRow row = row_at(i);
      positives += row.is_positive ? 1 : 0;
      if constexpr (Record::kHasWeight) {
        weights_[row.is_positive].Add(row.weight);
        if (row.weight == 0) continue;
      }
      ++counts[PartOf(row.score, counts.size())];
    }
    rows_[true] = positives;
    rows_[false] = n - positives;
  }

  template <class Iterator, class Visit>
  static void VisitTies(Iterator at, Iterator end, Visit& visit) {
    using Record = typename std::iterator_traits<Iterator>::value_type;
    while (at != end) {
      const std::uint64_t order = at->order();
      typename Record::Sum sums[2];
      do {
        sums[at->key & 1].Add(at->weight_of_row());
        ++at;
      } while (at != end && at->order() == order);
      visit(Tie{std::bit_cast<double>(order), sums[1].value(), sums[0].value()});
    }
  }

  bool has_weights_;
  std::int64_t rows_[2] = {0, 0};
  plugin::CompensatedSum weights_[2];  // only with weights
  Records<PlainRecord> plain_;
  Records<WeightedRecord> weighted_;
};

}  // namespace crossfold::bundled
