// Folds of a partition as views, for the folds of a cross prediction that are fitted separately.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "crossfold_plugin.hpp"
#include "used_rows.h"

namespace crossfold::bundled {

// The positions of each fold.
inline std::vector<Positions> PositionsOfFolds(std::span<const std::int32_t> fold_of_row,
                                               std::int32_t n_folds) {
  std::vector<Positions> folds(static_cast<std::size_t>(n_folds));
  for (std::size_t i = 0; i < fold_of_row.size(); ++i) {
    if (fold_of_row[i] < 0) continue;
    folds[static_cast<std::size_t>(fold_of_row[i])].push_back(static_cast<std::int64_t>(i));
  }
  return folds;
}

// The positions of one of them.
inline Positions PositionsOfFold(std::span<const std::int32_t> fold_of_row, std::int32_t fold) {
  Positions positions;
  for (std::size_t i = 0; i < fold_of_row.size(); ++i) {
    if (fold_of_row[i] == fold) positions.push_back(static_cast<std::int64_t>(i));
  }
  return positions;
}

// The rows of a view that are in a fold, or all others. The view must live as long.
class RowsOfView {
 public:
  RowsOfView(const plugin::TrainingView& from, std::span<const std::int32_t> fold_of_row,
             std::int32_t fold, bool is_fold) {
    const cf_table& whole = Opened(from).table();
    const bool has_ids = CF_HAS(&whole, cf_table, row_ids) && whole.row_ids != nullptr;
    table_.struct_size = sizeof(cf_table);
    table_.n_rows_total = whole.n_rows_total;
    table_.n_features = whole.n_features;
    table_.features = whole.features;
    table_.target = whole.target;
    const auto n = static_cast<std::size_t>(
        std::count_if(fold_of_row.begin(), fold_of_row.end(),
                      [&](std::int32_t other) { return (other == fold) == is_fold; }));
    rows_.reserve(n);
    row_ids_.reserve(has_ids ? n : 0);
    weights_.reserve(from.has_weights() ? n : 0);
    for (std::size_t i = 0; i < fold_of_row.size(); ++i) {
      if ((fold_of_row[i] == fold) != is_fold) continue;
      const auto row = static_cast<std::int64_t>(i);
      rows_.push_back(from.entry(row));
      if (has_ids) row_ids_.push_back(from.row_id(row));
      if (from.has_weights()) weights_.push_back(from.weight(row));
    }
    table_.n_rows = static_cast<std::int64_t>(rows_.size());
    table_.rows = rows_.data();
    table_.row_ids = has_ids ? row_ids_.data() : nullptr;
    table_.weights = from.has_weights() ? weights_.data() : nullptr;
  }
  RowsOfView(const RowsOfView&) = delete;

  plugin::TrainingView training() const { return plugin::TrainingView(table_); }
  plugin::FeatureView features() const { return plugin::FeatureView(table_); }

 private:
  struct Opened : plugin::TrainingView {
    explicit Opened(const plugin::TrainingView& view) : plugin::TrainingView(view) {}
    const cf_table& table() const { return *table_; }
  };

  cf_table table_{};
  std::vector<std::int64_t> rows_, row_ids_;
  std::vector<double> weights_;
};

// What a separate fit of a fold trains on and predicts.
struct FoldViews {
  FoldViews(const plugin::TrainingView& rows, std::span<const std::int32_t> fold_of_row,
            std::int32_t fold)
      : train(rows, fold_of_row, fold, false), test(rows, fold_of_row, fold, true) {}

  RowsOfView train, test;
};

}  // namespace crossfold::bundled
