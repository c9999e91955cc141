// The sums of a set of rows, and its impurity. A set is summed up in a few numbers: the weights of
// the classes, or, in regression, the weight and the weighted sum of the targets. Impurities here
// are multiplied by the weight of the set, so that those of disjoint sets add up.
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

// The sum of whole numbers, which is exact in any order.
inline double SumOfWhole(std::span<const double> numbers) {
  double sums[4] = {};  // side by side, because each addition waits for the one before
  std::size_t i = 0;
  for (; i + 4 <= numbers.size(); i += 4) {
    for (std::size_t k = 0; k < 4; ++k) sums[k] += numbers[i + k];
  }
  for (; i < numbers.size(); ++i) sums[0] += numbers[i];
  return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

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

// The same for the whole numbers up to `largest` as whole multiples of a small unit, so that sums
// do not depend on the order of their terms and may be kept up to date term by term.
class WholeXLog2X {
 public:
  static constexpr std::uint32_t kLargest = 1u << 20;

  WholeXLog2X() = default;
  // REQUIRES: largest <= kLargest.
  explicit WholeXLog2X(std::uint32_t largest) {
    // x log2 x of all stays below 2^61 units, and so does any sum of parts of it.
    int exponent = 0;
    std::frexp(std::max(1.0, largest * std::log2(std::max(largest, 1u))), &exponent);
    unit_ = std::ldexp(1.0, exponent - 61);
    const double units = 1 / unit_;
    table_.reserve(largest + std::size_t{1});
    for (std::uint32_t i = 0; i <= largest; ++i) {
      const double x = i;
      table_.push_back(i < 2 ? 0 : std::llround(x * std::log2(x) * units));
    }
  }
  double unit() const { return unit_; }
  const std::int64_t* data() const { return table_.data(); }
  std::int64_t operator[](std::size_t i) const { return table_[i]; }

 private:
  double unit_ = 0;
  std::vector<std::int64_t> table_;
};

class EntropyImpurity {
 public:
  static constexpr bool kClasses = true;
  // `whole`: all sums will be whole numbers; REQUIRES: total_weight <= WholeXLog2X::kLargest.
  explicit EntropyImpurity(double total_weight, bool whole = false)
      : xlog2x_(whole ? 0 : total_weight) {
    if (whole) whole_ = WholeXLog2X(static_cast<std::uint32_t>(total_weight));
  }
  double operator()(const double* sums, std::size_t n) const {
    if (whole_.unit() > 0) return OfWhole(sums, n);
    double weight = 0, known = 0;
    for (std::size_t c = 0; c < n; ++c) {
      weight += sums[c];
      known += xlog2x_(sums[c]);
    }
    return xlog2x_(weight) - known;
  }
  // By how much rounding may make equal sums of impurities of `n` classes differ.
  double Slack(std::size_t n) const { return 2 * static_cast<double>(n + 2) * whole_.unit(); }
  const WholeXLog2X& whole() const { return whole_; }

 private:
  double OfWhole(const double* sums, std::size_t n) const {
    std::size_t weight = 0;
    std::int64_t known = 0;
    for (std::size_t c = 0; c < n; ++c) {
      const auto count = static_cast<std::size_t>(sums[c]);
      weight += count;
      known += whole_[count];
    }
    return static_cast<double>(whole_[weight] - known) * whole_.unit();
  }

  XLog2X xlog2x_;
  WholeXLog2X whole_;
};

class GiniImpurity {
 public:
  static constexpr bool kClasses = true;
  explicit GiniImpurity(double, bool = false) {}
  double Slack(std::size_t) const { return 0; }
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
  explicit VarianceImpurity(double, bool = false) {}
  double Slack(std::size_t) const { return 0; }
  double operator()(const double* sums, std::size_t) const {
    return sums[0] > 0 ? -(sums[1] * sums[1]) / sums[0] : 0;
  }
};

// -sum w/W log2 w/W. A part that is only rounding error does not count.
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
