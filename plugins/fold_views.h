// Folds of a partition as views, for the folds of a cross prediction that are fitted separately.
#pragma once

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

// Some rows of a view. The view must live as long.
class RowsOfView {
 public:
  RowsOfView(const plugin::TrainingView& from, std::span<const std::int64_t> positions) {
    const cf_table& whole = Opened(from).table();
    table_.struct_size = sizeof(cf_table);
    table_.n_rows_total = whole.n_rows_total;
    table_.n_features = whole.n_features;
    table_.features = whole.features;
    table_.target = whole.target;
    for (const std::int64_t i : positions) {
      rows_.push_back(from.entry(i));
      row_ids_.push_back(from.row_id(i));
      if (from.has_weights()) weights_.push_back(from.weight(i));
    }
    table_.n_rows = static_cast<std::int64_t>(rows_.size());
    table_.rows = rows_.data();
    table_.row_ids = row_ids_.data();
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
      : train(rows, Where(fold_of_row, fold, false)), test(rows, Where(fold_of_row, fold, true)) {}

  static Positions Where(std::span<const std::int32_t> fold_of_row, std::int32_t fold,
                         bool is_fold) {
    Positions positions;
    for (std::size_t i = 0; i < fold_of_row.size(); ++i) {
      if ((fold_of_row[i] == fold) == is_fold) positions.push_back(static_cast<std::int64_t>(i));
    }
    return positions;
  }

  RowsOfView train, test;
};

}  // namespace crossfold::bundled
