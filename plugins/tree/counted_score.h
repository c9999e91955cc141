// The summed impurity of two sides while rows move from the right one to the left one, by whole
// weights: each step touches the classes that move and no others.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "impurity.h"

namespace crossfold::bundled::tree {

class CountedSides {
 public:
  std::uint32_t left_weight() const { return left_weight_; }
  std::uint32_t right_weight() const { return right_weight_; }

 protected:
  void StartAt(std::span<const std::uint32_t> totals) {
    left_.assign(totals.size(), 0);
    right_.assign(totals.begin(), totals.end());
    left_weight_ = right_weight_ = 0;
    for (const std::uint32_t n : totals) right_weight_ += n;
  }
  void MoveOver(std::size_t c, std::uint32_t n) {
    left_[c] += n;
    right_[c] -= n;
    left_weight_ += n;
    right_weight_ -= n;
  }

  std::vector<std::uint32_t> left_, right_;  // of each class
  std::uint32_t left_weight_ = 0, right_weight_ = 0;
};

// The bytes of GiniImpurity: sums of squares of whole numbers are exact.
class CountedGini : public CountedSides {
 public:
  explicit CountedGini(const GiniImpurity&) {}

  void Start(std::span<const std::uint32_t> totals) {
    StartAt(totals);
    left_squares_ = right_squares_ = 0;
    for (const std::uint64_t n : totals) right_squares_ += n * n;
  }
  void Move(std::size_t c, std::uint32_t n) {
    const std::uint64_t l = left_[c], r = right_[c], moved = n;
    left_squares_ += moved * (2 * l + moved);
    right_squares_ -= moved * (2 * r - moved);
    MoveOver(c, n);
  }
  // REQUIRES: both sides have a weight.
  double Sum() const { return Of(left_weight_, left_squares_) + Of(right_weight_, right_squares_); }

 private:
  static double Of(std::uint32_t weight, std::uint64_t squares) {
    const double w = weight;
    return w - static_cast<double>(static_cast<std::int64_t>(squares)) / w;
  }

  std::uint64_t left_squares_ = 0, right_squares_ = 0;
};

class CountedEntropy : public CountedSides {
 public:
  explicit CountedEntropy(const EntropyImpurity& impurity)
      : table_(impurity.whole().data()), unit_(impurity.whole().unit()) {}

  void Start(std::span<const std::uint32_t> totals) {
    StartAt(totals);
    terms_.clear();
    sum_ = 0;
    for (const std::uint32_t n : totals) {
      terms_.push_back(table_[n]);
      sum_ += table_[n];
    }
  }
  void Move(std::size_t c, std::uint32_t n) {
    MoveOver(c, n);
    const std::int64_t term = table_[left_[c]] + table_[right_[c]];
    sum_ += term - terms_[c];
    terms_[c] = term;
  }
  double Sum() const {
    return static_cast<double>(table_[left_weight_] + table_[right_weight_] - sum_) * unit_;
  }

 private:
  const std::int64_t* table_;
  double unit_;
  std::vector<std::int64_t> terms_;  // x log2 x of both sides, of each class
  std::int64_t sum_ = 0;             // of the terms
};

}  // namespace crossfold::bundled::tree
