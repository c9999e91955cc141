// How the rows of each class were predicted. All metrics over labels are computed from these
// counts.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "crossfold_plugin.hpp"

namespace crossfold::bundled {

// With this number of rows of each class the mean over test sets of kappa, F1 and the like is
// within 0.02 of the score of all rows: docs/metrics_scores.md.
inline constexpr std::int64_t kRowsOfCounts = 10;

// Weights of the rows around one class.
struct ClassCounts {
  double tp = 0;  // of the class and predicted so
  double fn = 0;  // of the class, predicted as another
  double fp = 0;  // of another class, predicted as this one
  double tn = 0;  // neither
};

// The weight of the rows of one true and one predicted class: number truth * n_classes + predicted.
struct ConfusionCell {
  std::size_t number = 0;
  double weight = 0;
};

// The finished counts: row = truth, column = predicted. All sums are of cells, never differences:
// what is zero is exactly zero. Stores only cells with rows: with 10,000 classes all cells would
// take a gigabyte.
class ConfusionTable {
 public:
  // REQUIRES: cells in ascending order, none negative; those that are left out are 0.
  ConfusionTable(std::size_t n_classes, std::vector<ConfusionCell> cells)
      : size_(n_classes), cells_(std::move(cells)) {
    std::vector<plugin::CompensatedSum> rows(size_), columns(size_);
    plugin::CompensatedSum all, correct;
    for (const ConfusionCell& cell : cells_) {
      rows[cell.number / size_].Add(cell.weight);
      columns[cell.number % size_].Add(cell.weight);
      all.Add(cell.weight);
      if (IsCorrect(cell)) correct.Add(cell.weight);
    }
    truth_.reserve(size_);
    predicted_.reserve(size_);
    for (const auto& sum : rows) truth_.push_back(sum.value());
    for (const auto& sum : columns) predicted_.push_back(sum.value());
    total_ = all.value();
    correct_ = correct.value();
  }

  std::size_t size() const { return size_; }
  double at(std::size_t truth, std::size_t predicted) const {
    const std::size_t number = truth * size_ + predicted;
    const auto found = FirstFrom(number);
    return found != cells_.end() && found->number == number ? found->weight : 0;
  }
  double truth(std::size_t c) const { return truth_[c]; }          // weight of the class
  double predicted(std::size_t c) const { return predicted_[c]; }  // weight predicted as the class
  double total() const { return total_; }
  double correct() const { return correct_; }

  // This is not total - correct, which would lose digits where errors are rare.
  double Wrong() const {
    plugin::CompensatedSum sum;
    for (const ConfusionCell& cell : cells_) {
      if (!IsCorrect(cell)) sum.Add(cell.weight);
    }
    return sum.value();
  }

  // The counts of each class against the rest.
  std::vector<ClassCounts> ByClass() const {
    std::vector<plugin::CompensatedSum> fn(size_), fp(size_), tn(size_);
    std::vector<double> row(size_), correct(size_);
    std::vector<double> after(size_ + 1);  // sum of the cells of a row from that column on
    for (auto cell = cells_.begin(); cell != cells_.end();) {  // a row without cells adds nothing
      const std::size_t t = cell->number / size_;
      std::fill(row.begin(), row.end(), 0.0);
      for (; cell != cells_.end() && cell->number / size_ == t; ++cell) {
        row[cell->number % size_] = cell->weight;
      }
      correct[t] = row[t];
      for (std::size_t p = size_; p-- > 0;) after[p] = after[p + 1] + row[p];
      double before = 0;
      for (std::size_t p = 0; p < size_; ++p) {
        if (p != t) {
          fn[t].Add(row[p]);
          fp[p].Add(row[p]);
          tn[p].Add(before + after[p + 1]);
        }
        before += row[p];
      }
    }
    std::vector<ClassCounts> counts(size_);
    for (std::size_t c = 0; c < size_; ++c) {
      counts[c] = {correct[c], fn[c].value(), fp[c].value(), tn[c].value()};
    }
    return counts;
  }

  // The same table in units of a power of two, so that products of two sums neither overflow nor
  // vanish. REQUIRES: total() > 0.
  ConfusionTable Scaled() const {
    const int exponent = std::ilogb(total_);
    std::vector<ConfusionCell> cells = cells_;
    for (ConfusionCell& cell : cells) cell.weight = std::scalbn(cell.weight, -exponent);
    return {size_, std::move(cells)};
  }

 private:
  bool IsCorrect(const ConfusionCell& cell) const { return cell.number % (size_ + 1) == 0; }
  std::vector<ConfusionCell>::const_iterator FirstFrom(std::size_t number) const {
    return std::ranges::lower_bound(cells_, number, {}, &ConfusionCell::number);
  }

  std::size_t size_;
  std::vector<ConfusionCell> cells_;
  std::vector<double> truth_, predicted_;
  double total_ = 0, correct_ = 0;
};

// The counts while rows come in. Base of the metrics that need nothing else of the rows.
class Confusion {
 public:
  explicit Confusion(const plugin::MetricInput& about)
      : n_classes_(static_cast<std::size_t>(about.num_classes())) {
    if (about.class_names() == nullptr) return;
    names_.assign(about.class_names(), about.class_names() + about.num_classes());
  }

  void Add(const plugin::MetricInput& block, const plugin::Context&) {
    n_rows_ += block.num_rows();
    if (all_.empty()) UseTableIfWorth();
    for (std::int64_t i = 0; i < block.num_rows(); ++i) {
      const auto row = static_cast<std::size_t>(i);
      const std::size_t number = static_cast<std::size_t>(block.truth_labels()[row]) * n_classes_ +
                                 static_cast<std::size_t>(block.labels()[row]);
      Count& count = all_.empty() ? some_[number] : all_[number];
      if (block.has_weights()) {
        count.weight.Add(block.weight(i));
      } else {
        ++count.rows;
      }
    }
  }

  // Throws Undefined if nothing was counted.
  ConfusionTable Table() const {
    if (n_rows_ == 0) throw plugin::Undefined("there are no rows");
    std::vector<ConfusionCell> cells;
    for (std::size_t i = 0; i < all_.size(); ++i) {
      const double weight = all_[i].Total();
      if (weight != 0) cells.push_back({i, weight});
    }
    for (const auto& [number, count] : some_) cells.push_back({number, count.Total()});
    ConfusionTable table(n_classes_, std::move(cells));
    if (table.total() == 0) throw plugin::Undefined("the weights of all rows are zero");
    if (!std::isfinite(table.total())) {
      throw plugin::Error(CF_E_NUMERIC,
                          "the weights are too large to be summed; divide them all by one number");
    }
    return table;
  }
  // The same for metrics that are ratios of sums: in different units if a few times the total would
  // be out of range.
  ConfusionTable RatioTable() const {
    constexpr int kInRange = 900;
    ConfusionTable table = Table();
    return std::abs(std::ilogb(table.total())) > kInRange ? table.Scaled() : table;
  }

  // "'spam'". REQUIRES: the host named the classes.
  std::string Quoted(std::size_t c) const { return "'" + names_[c] + "'"; }

 private:
  struct Count {
    std::int64_t rows = 0;  // where rows have no weights
    plugin::CompensatedSum weight;

    double Total() const { return weight.value() + static_cast<double>(rows); }
  };
  static constexpr std::size_t kFewClasses = 500;

  // A table of all cells is quicker, if there are rows for it: a fold of one row has a single cell.
  void UseTableIfWorth() {
    if (n_classes_ > kFewClasses) return;
    if (n_classes_ * n_classes_ > 8 * static_cast<std::size_t>(n_rows_)) return;
    all_.resize(n_classes_ * n_classes_);
    for (const auto& [number, count] : some_) all_[number] = count;
    some_.clear();
  }

  std::size_t n_classes_;
  std::vector<std::string> names_;
  std::int64_t n_rows_ = 0;
  std::vector<Count> all_;             // by number of the cell, for few classes and many rows
  std::map<std::size_t, Count> some_;  // otherwise those with rows
};

}  // namespace crossfold::bundled
