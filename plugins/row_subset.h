// Some rows of a view, as a view.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "crossfold_plugin.hpp"

namespace crossfold::bundled {

// Borrows the columns of `rows`, which must outlive it.
class RowSubset {
 public:
  RowSubset(const plugin::TrainingView& rows, std::span<const std::int64_t> positions) {
    table_ = Opened(rows).table();
    const bool has_ids = CF_HAS(&table_, cf_table, row_ids) && table_.row_ids != nullptr;
    for (const std::int64_t i : positions) {
      entries_.push_back(rows.entry(i));
      if (table_.weights != nullptr) weights_.push_back(table_.weights[i]);
      if (table_.groups != nullptr) groups_.push_back(table_.groups[i]);
      if (has_ids) row_ids_.push_back(table_.row_ids[i]);
    }
    table_.n_rows = static_cast<std::int64_t>(positions.size());
    table_.rows = entries_.data();
    if (table_.weights != nullptr) table_.weights = weights_.data();
    if (table_.groups != nullptr) table_.groups = groups_.data();
    if (has_ids) table_.row_ids = row_ids_.data();
  }
  RowSubset(const RowSubset&) = delete;
  RowSubset& operator=(const RowSubset&) = delete;

  plugin::TrainingView training() const { return plugin::TrainingView(table_); }
  plugin::FeatureView features() const { return plugin::FeatureView(table_); }

 private:
  struct Opened : plugin::TrainingView {
    explicit Opened(const plugin::TrainingView& rows) : TrainingView(rows) {}
    cf_table table() const { return *table_; }
  };

  cf_table table_{};
  std::vector<std::int64_t> entries_, groups_, row_ids_;
  std::vector<double> weights_;
};

}  // namespace crossfold::bundled
