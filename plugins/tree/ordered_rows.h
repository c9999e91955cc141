// Training rows for trees that outgrow memory: read where they are, in the order in which
// TrainingColumns has them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "crossfold_plugin/view.hpp"
#include "scratch_memory.h"

namespace crossfold::bundled::tree {

// The rows with a weight, by row id. What has to be kept per row is in scratch memory: nothing if
// the view is in that order and has no weights.
class OrderedRows {
 public:
  // LevelGrower has no numbers for more.
  static constexpr std::size_t kMostRows = 1000000000;

  // The view must outlive it. Throws Error for more rows than that, a missing or infinite target,
  // or no row with a weight.
  explicit OrderedRows(const plugin::TrainingView& train);

  const plugin::TrainingView& view() const { return view_; }
  std::size_t size() const { return size_; }
  std::size_t num_classes() const { return static_cast<std::size_t>(view_.num_classes()); }
  std::size_t num_features() const { return static_cast<std::size_t>(view_.num_features()); }
  // The place of a row in the view.
  std::int64_t place(std::size_t row) const {
    return places_.all().empty() ? static_cast<std::int64_t>(row) : places_.all()[row];
  }
  std::size_t label(std::size_t row) const {
    return static_cast<std::size_t>(view_.label(place(row)));
  }
  double value(std::size_t row) const { return view_.value(place(row)); }
  // As in the view; empty = each is 1.
  std::span<const double> weights() const { return weights_.all(); }

 private:
  void TakePlaces(std::size_t n_used);
  void TakeWeights();
  void CheckTargets() const;

  plugin::TrainingView view_;
  std::size_t size_ = 0;
  ScratchArray<std::int64_t> places_;
  ScratchArray<double> weights_;
};

// A column's entries by row, as ReadEntries gives them: 0.0 for -0.0, NaN for a missing entry.
class ColumnEntries {
 public:
  ColumnEntries(const OrderedRows& rows, std::size_t j)
      : rows_(&rows), feature_(static_cast<std::int64_t>(j)) {
    const cf_column& column = rows.view().column(feature_);
    if (column.dtype == CF_F64 && (column.validity == nullptr || column.null_count == 0)) {
      numbers_ = static_cast<const double*>(column.data);
    }
  }

  double operator[](std::size_t row) const {
    if (numbers_ != nullptr) return numbers_[rows_->view().entry(rows_->place(row))] + 0.0;
    return rows_->view().x(rows_->place(row), feature_) + 0.0;
  }
  // Has the entry loaded into the cache.
  void Prefetch(std::size_t row) const {
    if (numbers_ != nullptr) {
      __builtin_prefetch(numbers_ + rows_->view().entry(rows_->place(row)));
    }
  }

 private:
  const OrderedRows* rows_;
  std::int64_t feature_;
  const double* numbers_ = nullptr;  // by entry, if they are doubles
};

}  // namespace crossfold::bundled::tree
