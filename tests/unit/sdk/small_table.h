// A cf_table for tests that owns what it points to: numeric features, an optional target.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "crossfold_plugin/data.h"

namespace crossfold::plugin {

class SmallTable {
 public:
  // Row-major; names are x0, x1, ...
  SmallTable(const std::vector<std::vector<double>>& rows, std::size_t n_features) {
    for (std::size_t j = 0; j < n_features; ++j) {
      std::vector<double>& column = doubles_.emplace_back();
      for (const auto& row : rows) column.push_back(row[j]);
      names_.push_back("x" + std::to_string(j));
      cf_column c{};
      c.data = column.data();
      c.name = names_.back().c_str();
      c.null_count = -1;
      c.dtype = CF_F64;
      columns_.push_back(c);
    }
    table_.struct_size = sizeof(cf_table);
    table_.n_rows_total = static_cast<std::int64_t>(rows.size());
    table_.n_rows = table_.n_rows_total;
    table_.n_features = static_cast<std::int64_t>(n_features);
    table_.features = columns_.data();
  }
  SmallTable(const SmallTable&) = delete;
  SmallTable& operator=(const SmallTable&) = delete;

  SmallTable& WithLabels(std::vector<std::int32_t> labels, std::vector<std::string> classes) {
    labels_ = std::move(labels);
    classes_ = std::move(classes);
    for (const std::string& c : classes_) class_pointers_.push_back(c.c_str());
    target_ = cf_column{};
    target_->data = labels_.data();
    target_->name = "class";
    target_->levels = class_pointers_.data();
    target_->n_levels = static_cast<std::int64_t>(classes_.size());
    target_->dtype = CF_CAT32;
    table_.target = &*target_;
    return *this;
  }
  SmallTable& WithValues(std::vector<double> values) {
    values_ = std::move(values);
    target_ = cf_column{};
    target_->data = values_.data();
    target_->name = "y";
    target_->dtype = CF_F64;
    table_.target = &*target_;
    return *this;
  }

  // All rows, or those row ids. The table without its target is what predict gets.
  cf_table table() const { return table_; }
  cf_table View(const std::vector<std::int64_t>& rows) const {
    cf_table t = table_;
    t.rows = rows.data();
    t.n_rows = static_cast<std::int64_t>(rows.size());
    return t;
  }
  static cf_table WithoutTarget(cf_table t) {
    t.target = nullptr;
    return t;
  }

 private:
  std::deque<std::vector<double>> doubles_;
  std::deque<std::string> names_;
  std::vector<cf_column> columns_;
  std::vector<std::int32_t> labels_;
  std::vector<std::string> classes_;
  std::vector<const char*> class_pointers_;
  std::vector<double> values_;
  std::optional<cf_column> target_;
  cf_table table_{};
};

}  // namespace crossfold::plugin
