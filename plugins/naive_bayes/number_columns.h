// The numbers of a table, column by column, read where they are.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "crossfold_plugin.hpp"

namespace crossfold::bundled {

class NumberColumns {
 public:
  // Returns none if a constant is missing or too large for quick sums. The table must outlive it.
  // REQUIRES: every feature is a number.
  static std::optional<NumberColumns> Make(const plugin::FeatureView& rows);

  std::size_t n_rows() const { return static_cast<std::size_t>(rows_.num_rows()); }
  // Reads the columns whose entries are not all equal. The others are not used in any fold.
  std::size_t n_columns() const { return features_.size(); }
  const std::vector<std::size_t>& features() const { return features_; }
  double x(std::size_t k, std::int64_t row) const {
    return rows_.x(row, static_cast<std::int64_t>(features_[k]));
  }

  static constexpr std::size_t kMostCopied = 128;  // rows
  // Column k of rows[i] to block[k * stride + i], for at most kMostCopied rows; zeros after them
  // up to whole vectors.
  void Copy(std::span<const std::int64_t> rows, std::size_t stride, double* block) const;

 private:
  explicit NumberColumns(const plugin::FeatureView& rows) : rows_(rows) {}

  plugin::FeatureView rows_;
  std::vector<std::size_t> features_;
};

}  // namespace crossfold::bundled
