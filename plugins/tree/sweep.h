// The best of many ways to cut a set of rows in two, as rows move from the right to the left.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <type_traits>
#include <vector>

#include "impurity.h"

namespace crossfold::bundled::tree {

// Sums of fractional weights miss a whole number by at most this much.
inline constexpr double kWeightSlack = 1e-6;

// `kSize`: how many numbers sum up a set, if known when this is compiled; 0 = total.size().
template <class Impurity, std::size_t kSize = 0>
class Sweep {
 public:
  // A cut wins only if it is better than an earlier one by more than `tolerance`.
  Sweep(const Impurity& impurity, std::span<const double> total, double min_side, double tolerance)
      : impurity_(impurity),
        total_(total),
        min_side_(min_side - kWeightSlack),
        tolerance_(tolerance) {
    if constexpr (kSize == 0) {
      left_.resize(total.size());
      right_.resize(total.size());
    }
  }

  // Rows that go left are added here.
  double* left() { return left_.data(); }
  void AddLeft(const double* sums) {
    for (std::size_t c = 0; c < size(); ++c) left_[c] += sums[c];
  }

  // Rates the cut with all rows so far on the left and the rest on the right; `cut` is the caller's
  // name for it.
  void Offer(std::uint64_t cut) {
    const std::size_t n = size();
    for (std::size_t c = 0; c < n; ++c) {
      right_[c] = total_[c] - left_[c];
      // The rest of a class may come out just below zero.
      if (Impurity::kClasses && right_[c] < 0) right_[c] = 0;
    }
    if (WeightOf<Impurity>(left_.data(), n) < min_side_ ||
        WeightOf<Impurity>(right_.data(), n) < min_side_) {
      return;
    }
    ++n_tried_;
    const double sum = impurity_(left_.data(), n) + impurity_(right_.data(), n);
    if (sum < best_ - tolerance_) {
      best_ = sum;
      cut_ = cut;
    }
  }

  std::size_t n_tried() const { return n_tried_; }
  double best() const { return best_; }  // summed impurity of both sides; infinite = no cut
  std::uint64_t cut() const { return cut_; }

 private:
  std::size_t size() const { return kSize > 0 ? kSize : total_.size(); }

  const Impurity& impurity_;
  std::span<const double> total_;
  std::conditional_t<(kSize > 0), std::array<double, kSize>, std::vector<double>> left_{}, right_{};
  double min_side_, tolerance_;
  std::size_t n_tried_ = 0;
  double best_ = std::numeric_limits<double>::infinity();
  std::uint64_t cut_ = 0;
};

}  // namespace crossfold::bundled::tree
