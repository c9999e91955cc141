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
#include "radix_sort.h"

namespace crossfold::bundled {

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
