// The summed impurity of two sides while rows move from the right one to the left one, by whole
// weights: each step touches the classes that move and no others.
//
// Scores are small and live for one column, so that a compiler keeps them in registers; the counts
// are in arrays of the caller, which are overwritten.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "impurity.h"

namespace crossfold::bundled::tree {

// Of each class.
struct ClassCounts {
  std::vector<std::uint32_t> totals, left;
  std::vector<std::int64_t> terms;  // entropy: x log2 x of both sides

  void Resize(std::size_t n_classes) {
    totals.resize(n_classes);
    left.resize(n_classes);
    terms.resize(n_classes);
  }
};

// The bytes of GiniImpurity: sums of squares of whole numbers are exact.
class CountedGini {
 public:
  CountedGini(const GiniImpurity&, ClassCounts& counts)
      : totals_(counts.totals.data()), left_(counts.left.data()) {
    for (std::size_t c = 0; c < counts.totals.size(); ++c) {
      const std::uint64_t n = totals_[c];
      left_[c] = 0;
      weight_ += totals_[c];
      squares_ += n * n;
    }
  }

  void Move(std::size_t c, std::uint32_t n) {
    const std::uint64_t left = left_[c], total = totals_[c], moved = n;
    left_[c] += n;
    left_weight_ += n;
    left_squares_ += moved * (2 * left + moved);
    products_ += moved * total;
  }
  std::uint32_t left_weight() const { return left_weight_; }
  std::uint32_t right_weight() const { return weight_ - left_weight_; }
  // REQUIRES: both sides have a weight.
  double Sum() const {
    // (t - l)^2 = t^2 - 2 t l + l^2, summed over the classes.
    const std::uint64_t right_squares = squares_ - 2 * products_ + left_squares_;
    return Of(left_weight(), left_squares_) + Of(right_weight(), right_squares);
  }
  // The impurity of one side; `squares`: summed over the classes.
  static double Of(std::uint32_t weight, std::uint64_t squares) {
    const double w = weight;
    return w - static_cast<double>(static_cast<std::int64_t>(squares)) / w;
  }

 private:
  const std::uint32_t* totals_;
  std::uint32_t* left_;
  std::uint32_t weight_ = 0, left_weight_ = 0;
  // Over the classes, of total t and left weight l: sums of t^2, l^2 and t l.
  std::uint64_t squares_ = 0, left_squares_ = 0, products_ = 0;
};

class CountedEntropy {
 public:
  CountedEntropy(const EntropyImpurity& impurity, ClassCounts& counts)
      : table_(impurity.whole().data()),
        unit_(impurity.whole().unit()),
        totals_(counts.totals.data()),
        left_(counts.left.data()),
        terms_(counts.terms.data()) {
    for (std::size_t c = 0; c < counts.totals.size(); ++c) {
      left_[c] = 0;
      terms_[c] = table_[totals_[c]];
      right_weight_ += totals_[c];
      sum_ += terms_[c];
    }
  }

  void Move(std::size_t c, std::uint32_t n) {
    left_[c] += n;
    left_weight_ += n;
    right_weight_ -= n;
    const std::int64_t term = table_[left_[c]] + table_[totals_[c] - left_[c]];
    sum_ += term - terms_[c];
    terms_[c] = term;
  }
  std::uint32_t left_weight() const { return left_weight_; }
  std::uint32_t right_weight() const { return right_weight_; }
  double Sum() const {
    return static_cast<double>(table_[left_weight_] + table_[right_weight_] - sum_) * unit_;
  }

 private:
  const std::int64_t* table_;
  double unit_;
  const std::uint32_t* totals_;
  std::uint32_t* left_;
  std::int64_t* terms_;
  std::uint32_t left_weight_ = 0, right_weight_ = 0;
  std::int64_t sum_ = 0;  // of the terms
};

}  // namespace crossfold::bundled::tree
