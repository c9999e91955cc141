// Rows ordered by a score in [0, 1], with what is tied counted together.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "crossfold_plugin.hpp"
#include "radix_sort.h"

namespace crossfold::bundled {

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

// Fill it, call Sort, visit. Rows of weight 0 are counted, but in no tie.
class RankedScores {
 public:
  explicit RankedScores(bool has_weights) : has_weights_(has_weights) {}

  void Reserve(std::int64_t n) {
    if (has_weights_) {
      weighted_.reserve(static_cast<std::size_t>(n));
    } else {
      plain_.reserve(static_cast<std::size_t>(n));
    }
  }
  // REQUIRES: 0 <= score <= 1; without weights, weight = 1.
  void Add(double score, bool is_positive, double weight) {
    ++rows_[is_positive];
    if (!has_weights_) {
      plain_.push_back({KeyOf(score, is_positive)});
      return;
    }
    if (weight == 0) return;
    weights_[is_positive].Add(weight);
    weighted_.push_back({KeyOf(score, is_positive), weight});
  }
  void Sort() {
    if (has_weights_) {
      RadixSort<WeightedRecord>::Run(weighted_);
    } else {
      RadixSort<PlainRecord>::Run(plain_);
    }
  }

  bool has_weights() const { return has_weights_; }
  std::int64_t num_rows(bool is_positive) const { return rows_[is_positive]; }
  double weight(bool is_positive) const {
    return has_weights_ ? weights_[is_positive].value() : static_cast<double>(rows_[is_positive]);
  }

  // visit(const Tie&) for every score, the lowest or the highest first. REQUIRES: sorted.
  template <class Visit>
  void VisitAscending(Visit visit) const {
    if (has_weights_) {
      VisitTies(weighted_.begin(), weighted_.end(), visit);
    } else {
      VisitTies(plain_.begin(), plain_.end(), visit);
    }
  }
  template <class Visit>
  void VisitDescending(Visit visit) const {
    if (has_weights_) {
      VisitTies(weighted_.rbegin(), weighted_.rend(), visit);
    } else {
      VisitTies(plain_.rbegin(), plain_.rend(), visit);
    }
  }

 private:
  // The bits of numbers from 0 to 1 are ordered as the numbers are, and the two highest are 0.
  static std::uint64_t KeyOf(double score, bool is_positive) {
    const double without_sign = score + 0.0;  // -0.0 is 0.0
    return std::bit_cast<std::uint64_t>(without_sign) << 1 |
           static_cast<std::uint64_t>(is_positive);
  }

  struct PlainRecord {
    std::uint64_t key;
    std::uint64_t order() const { return key >> 1; }
    double weight_of_row() const { return 1; }
    using Sum = PlainSum;
  };
  struct WeightedRecord {
    std::uint64_t key;
    double weight;
    std::uint64_t order() const { return key >> 1; }
    double weight_of_row() const { return weight; }
    using Sum = plugin::CompensatedSum;
  };

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
  std::vector<PlainRecord> plain_;
  std::vector<WeightedRecord> weighted_;
};

}  // namespace crossfold::bundled
