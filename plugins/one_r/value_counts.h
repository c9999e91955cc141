// The distinct values of a numeric feature in ascending order, each with the weight of every class.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "../feature_text.h"
#include "../weight_unit.h"
#include "crossfold_plugin.hpp"

namespace crossfold::bundled {

// Weights of training rows, rounded so that their sums do not depend on the order of the rows.
class RowWeights {
 public:
  explicit RowWeights(const plugin::TrainingView& train) : train_(&train), unit_(Total(train)) {}

  bool are_equal() const { return !train_->has_weights(); }
  double of(std::int64_t i) const {
    const double weight = train_->weight(i);
    return are_equal() || !(weight > 0) ? weight : unit_.Round(weight);
  }

 private:
  static double Total(const plugin::TrainingView& train) {
    double total = 0;
    for (std::int64_t i = 0; i < train.num_rows(); ++i) total += train.weight(i);
    return total;
  }

  const plugin::TrainingView* train_;
  WeightUnit unit_;
};

// An entry of a row of weight 1, or with its weight.
struct PlainEntry {
  PlainEntry() = default;
  PlainEntry(double x, double) : value(x) {}
  double weight() const { return 1; }

  double value;
};
struct WeightedEntry {
  WeightedEntry() = default;
  WeightedEntry(double x, double w) : value(x), row_weight(w) {}
  double weight() const { return row_weight; }

  double value, row_weight;
};

// Entries are kept class by class, so that nothing but numbers is sorted: 8 bytes per row without
// weights, 16 with weights.
template <class Entry>
class ValueCounts {
 public:
  // Leaves out missing entries and rows of weight 0. Throws Error for an infinite entry.
  ValueCounts(const plugin::TrainingView& train, const RowWeights& weights, std::int64_t j)
      : ends_(static_cast<std::size_t>(train.num_classes())), counts_(ends_.size()) {
    Visit(train, weights, j, [&](std::size_t c, double, double) { ++ends_[c]; });
    std::size_t n = 0;
    for (std::size_t& end : ends_) n += std::exchange(end, n);  // where each begins
    next_ = ends_;
    entries_.resize(n);
    Visit(train, weights, j,
          [&](std::size_t c, double x, double weight) { entries_[ends_[c]++] = Entry(x, weight); });
    for (std::size_t c = 0; c < ends_.size(); ++c) {
      std::sort(entries_.begin() + static_cast<std::ptrdiff_t>(next_[c]),
                entries_.begin() + static_cast<std::ptrdiff_t>(ends_[c]),
                [](const Entry& a, const Entry& b) { return a.value < b.value; });
      Push(c);
    }
    Next();
  }

  // Whether there is a value; the two functions below are about it.
  bool has_value() const { return has_value_; }
  double value() const { return value_; }
  std::span<const double> counts() const { return counts_; }

  // Goes to the next value.
  void Next() {
    has_value_ = !heads_.empty();
    if (!has_value_) return;
    value_ = heads_.front().first;
    std::fill(counts_.begin(), counts_.end(), 0.0);
    while (!heads_.empty() && heads_.front().first == value_) {
      const std::size_t c = heads_.front().second;
      std::pop_heap(heads_.begin(), heads_.end(), std::greater<>());
      heads_.pop_back();
      for (; next_[c] < ends_[c] && entries_[next_[c]].value == value_; ++next_[c]) {
        counts_[c] += entries_[next_[c]].weight();
      }
      Push(c);
    }
  }

 private:
  template <class Use>
  static void Visit(const plugin::TrainingView& train, const RowWeights& weights, std::int64_t j,
                    const Use& use) {
    for (std::int64_t i = 0; i < train.num_rows(); ++i) {
      const double x = train.x(i, j), weight = weights.of(i);
      if (std::isnan(x) || !(weight > 0)) continue;
      RefuseInfinite(train, j, x);
      use(static_cast<std::size_t>(train.label(i)), x, weight);
    }
  }

  // The next entry of the class takes its place among those of the others.
  void Push(std::size_t c) {
    if (next_[c] == ends_[c]) return;
    heads_.emplace_back(entries_[next_[c]].value, c);
    std::push_heap(heads_.begin(), heads_.end(), std::greater<>());
  }

  std::vector<std::size_t> next_, ends_;               // per class
  std::vector<Entry> entries_;                         // per class, ascending
  std::vector<std::pair<double, std::size_t>> heads_;  // a heap: one entry per class
  std::vector<double> counts_;
  double value_ = 0;
  bool has_value_ = false;
};

}  // namespace crossfold::bundled
