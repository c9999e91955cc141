// How the rows of each class were predicted: what all metrics over labels are made of.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "crossfold_plugin.hpp"

namespace crossfold::bundled {

// Weights of the rows around one class.
struct ClassCounts {
  double tp = 0;  // of the class and predicted so
  double fn = 0;  // of the class, predicted as another
  double fp = 0;  // of another class, predicted as this one
  double tn = 0;  // neither
};

// The finished counts: row = truth, column = predicted. All sums are of cells, never differences:
// what is zero is exactly zero.
class ConfusionTable {
 public:
  // REQUIRES: n_classes x n_classes cells, none negative.
  ConfusionTable(std::size_t n_classes, std::vector<double> cells)
      : size_(n_classes), cells_(std::move(cells)) {
    std::vector<plugin::CompensatedSum> rows(size_), columns(size_);
    plugin::CompensatedSum all, correct;
    for (std::size_t t = 0; t < size_; ++t) {
      for (std::size_t p = 0; p < size_; ++p) {
        rows[t].Add(at(t, p));
        columns[p].Add(at(t, p));
        all.Add(at(t, p));
      }
      correct.Add(at(t, t));
    }
    for (const auto& sum : rows) truth_.push_back(sum.value());
    for (const auto& sum : columns) predicted_.push_back(sum.value());
    total_ = all.value();
    correct_ = correct.value();
  }

  std::size_t size() const { return size_; }
  double at(std::size_t truth, std::size_t predicted) const {
    return cells_[truth * size_ + predicted];
  }
  double truth(std::size_t c) const { return truth_[c]; }          // weight of the class
  double predicted(std::size_t c) const { return predicted_[c]; }  // weight predicted as the class
  double total() const { return total_; }
  double correct() const { return correct_; }

  // Not total - correct: that would lose digits where errors are rare.
  double Wrong() const {
    plugin::CompensatedSum sum;
    for (std::size_t t = 0; t < size_; ++t) {
      for (std::size_t p = 0; p < size_; ++p) {
        if (t != p) sum.Add(at(t, p));
      }
    }
    return sum.value();
  }

  // Of each class against the rest.
  std::vector<ClassCounts> ByClass() const {
    std::vector<plugin::CompensatedSum> fn(size_), fp(size_), tn(size_);
    std::vector<double> after(size_ + 1);  // sum of the cells of a row from that column on
    for (std::size_t t = 0; t < size_; ++t) {
      for (std::size_t p = size_; p-- > 0;) after[p] = after[p + 1] + at(t, p);
      double before = 0;
      for (std::size_t p = 0; p < size_; ++p) {
        if (p != t) {
          fn[t].Add(at(t, p));
          fp[p].Add(at(t, p));
          tn[p].Add(before + after[p + 1]);
        }
        before += at(t, p);
      }
    }
    std::vector<ClassCounts> counts(size_);
    for (std::size_t c = 0; c < size_; ++c) {
      counts[c] = {at(c, c), fn[c].value(), fp[c].value(), tn[c].value()};
    }
    return counts;
  }

  // The same table in units of a power of two, so that products of two sums neither overflow nor
  // vanish. REQUIRES: total() > 0.
  ConfusionTable Scaled() const {
    const int exponent = std::ilogb(total_);
    std::vector<double> cells = cells_;
    for (double& cell : cells) cell = std::scalbn(cell, -exponent);
    return {size_, std::move(cells)};
  }

 private:
  std::size_t size_;
  std::vector<double> cells_;
  std::vector<double> truth_, predicted_;
  double total_ = 0, correct_ = 0;
};

// The counts while rows come in. Base of the metrics that need nothing else of the rows.
class Confusion {
 public:
  explicit Confusion(const plugin::MetricInput& about)
      : n_classes_(static_cast<std::size_t>(about.num_classes())),
        rows_(n_classes_ * n_classes_),
        weights_(n_classes_ * n_classes_) {
    if (about.class_names() == nullptr) return;
    names_.assign(about.class_names(), about.class_names() + about.num_classes());
  }

  void Add(const plugin::MetricInput& block, const plugin::Context&) {
    n_rows_ += block.num_rows();
    for (std::int64_t i = 0; i < block.num_rows(); ++i) {
      const auto row = static_cast<std::size_t>(i);
      const std::size_t cell = static_cast<std::size_t>(block.truth_labels()[row]) * n_classes_ +
                               static_cast<std::size_t>(block.labels()[row]);
      if (block.has_weights()) {
        weights_[cell].Add(block.weight(i));
      } else {
        ++rows_[cell];
      }
    }
  }

  // Throws Undefined if nothing was counted.
  ConfusionTable Table() const {
    if (n_rows_ == 0) throw plugin::Undefined("there are no rows");
    std::vector<double> cells(rows_.size());
    for (std::size_t i = 0; i < cells.size(); ++i) {
      cells[i] = weights_[i].value() + static_cast<double>(rows_[i]);
    }
    ConfusionTable table(n_classes_, std::move(cells));
    if (table.total() == 0) throw plugin::Undefined("the weights of all rows are zero");
    return table;
  }

  // "'spam'". REQUIRES: the host named the classes.
  std::string Quoted(std::size_t c) const { return "'" + names_[c] + "'"; }

 private:
  std::size_t n_classes_;
  std::vector<std::string> names_;
  std::int64_t n_rows_ = 0;
  std::vector<std::int64_t> rows_;  // where rows have no weights
  std::vector<plugin::CompensatedSum> weights_;
};

}  // namespace crossfold::bundled
