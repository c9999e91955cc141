// What a set of rows amounts to, and how impure it is. A set is summed up in a few numbers: the
// weights of the classes, or, in regression, the weight and the weighted sum of the targets.
// Impurities here are multiplied by the weight of the set, so that those of disjoint sets add up.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "columns.h"

namespace crossfold::bundled::tree {

// The numbers that sum up a set of rows.
class Target {
 public:
  Target(const TrainingColumns& columns, std::span<const double> row_weights) {
    if (columns.n_classes > 0) {
      labels_ = columns.labels;
      size_ = columns.n_classes;
      return;
    }
    size_ = 2;
    double sum = 0, weight = 0;
    for (std::size_t i = 0; i < columns.values.size(); ++i) {
      sum += row_weights[i] * columns.values[i];
      weight += row_weights[i];
    }
    offset_ = sum / weight;
    for (const double y : columns.values) centred_.push_back(y - offset_);
  }

  bool has_classes() const { return centred_.empty(); }
  std::size_t size() const { return size_; }
  double offset() const { return offset_; }
  std::int32_t label(std::size_t row) const { return labels_[row]; }
  // The target less the mean of all rows, so that sums of squares keep their digits.
  double centred(std::size_t row) const { return centred_[row]; }

  template <bool kClasses>
  void Add(double* sums, std::size_t row, double weight) const {
    if constexpr (kClasses) {
      sums[labels_[row]] += weight;
    } else {
      sums[0] += weight;
      sums[1] += weight * centred_[row];
    }
  }
  void Add(double* sums, std::size_t row, double weight) const {
    has_classes() ? Add<true>(sums, row, weight) : Add<false>(sums, row, weight);
  }

 private:
  std::size_t size_ = 0;
  double offset_ = 0;
  std::span<const std::int32_t> labels_;
  std::vector<double> centred_;
};

// x log2 x, from a table for the whole numbers that unweighted rows give.
class XLog2X {
 public:
  explicit XLog2X(double largest) {
    const auto n = static_cast<std::size_t>(std::clamp(largest, 0.0, 65536.0));
    table_.reserve(n + 1);
    for (std::size_t i = 0; i <= n; ++i) table_.push_back(Compute(static_cast<double>(i)));
  }
  double operator()(double x) const {
    const auto whole = static_cast<std::size_t>(x);
    if (whole < table_.size() && static_cast<double>(whole) == x) return table_[whole];
    return Compute(x);
  }

 private:
  static double Compute(double x) { return x > 0 ? x * std::log2(x) : 0; }
  std::vector<double> table_;
};

class EntropyImpurity {
 public:
  static constexpr bool kClasses = true;
  explicit EntropyImpurity(double total_weight) : xlog2x_(total_weight) {}
  double operator()(const double* sums, std::size_t n) const {
    double weight = 0, known = 0;
    for (std::size_t c = 0; c < n; ++c) {
      weight += sums[c];
      known += xlog2x_(sums[c]);
    }
    return xlog2x_(weight) - known;
  }

 private:
  XLog2X xlog2x_;
};

class GiniImpurity {
 public:
  static constexpr bool kClasses = true;
  explicit GiniImpurity(double) {}
  double operator()(const double* sums, std::size_t n) const {
    double weight = 0, squares = 0;
    for (std::size_t c = 0; c < n; ++c) {
      weight += sums[c];
      squares += sums[c] * sums[c];
    }
    return weight > 0 ? weight - squares / weight : 0;
  }
};

// Up to the sum of squares of the set, which all splits of the set share.
class VarianceImpurity {
 public:
  static constexpr bool kClasses = false;
  explicit VarianceImpurity(double) {}
  double operator()(const double* sums, std::size_t) const {
    return sums[0] > 0 ? -(sums[1] * sums[1]) / sums[0] : 0;
  }
};

// -sum w/W log2 w/W. A part that is nothing but rounding does not count.
inline double SplitInformation(std::span<const double> parts, double whole) {
  double bits = 0;
  for (const double w : parts) {
    if (w > 1e-12 * whole) bits -= w / whole * std::log2(w / whole);
  }
  return bits;
}

template <class Impurity>
double WeightOf(const double* sums, std::size_t n) {
  if constexpr (!Impurity::kClasses) return sums[0];
  double weight = 0;
  for (std::size_t c = 0; c < n; ++c) weight += sums[c];
  return weight;
}

}  // namespace crossfold::bundled::tree
