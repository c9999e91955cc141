// The numbers of a table, row by row, as quick sums can take them: nothing is missing or too large.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "../aligned_numbers.h"
#include "crossfold_plugin.hpp"
#include "normal_kernels.h"

namespace crossfold::bundled {

// The numbers of a table, column by column, read where they are.
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

class NumberRows {
 public:
  // Returns none if an entry is missing or too large for quick sums. REQUIRES: every feature is a
  // number.
  static std::optional<NumberRows> Make(const plugin::FeatureView& rows);
  static std::optional<NumberRows> Make(const NumberColumns& columns);

  std::size_t n_rows() const { return n_rows_; }
  // Reads the columns whose entries are not all equal. The others are not used in any fold.
  std::size_t n_columns() const { return features_.size(); }
  const std::vector<std::size_t>& features() const { return features_; }
  // Row i begins at data() + i * n_columns(). After the last row a vector more can be read.
  const double* data() const { return data_.get(); }
  const double* row(std::size_t i) const { return data_.get() + i * n_columns(); }
  std::span<const EntryRange> ranges() const { return ranges_; }  // one per column

  std::uint64_t Bytes() const;

 private:
  NumberRows() = default;
  std::size_t Size() const { return RoundedUp(n_rows_) * n_columns() + 2 * kMostLanes; }
  bool TakeRows(const NumberColumns& columns);

  std::size_t n_rows_ = 0;
  std::vector<std::size_t> features_;
  std::vector<EntryRange> ranges_;
  AlignedNumbers data_;
};

// The rows of a dataset, for views of it.
class PreparedNumbers {
 public:
  PreparedNumbers(NumberRows numbers, const plugin::FeatureView& all);

  const NumberRows& numbers() const { return numbers_; }
  // The row of numbers() that each row of the view is. None if one is not there, or if a column of
  // numbers() has equal entries in all of them.
  std::optional<std::vector<std::uint32_t>> RowsOf(const plugin::FeatureView& view) const;
  std::uint64_t Bytes() const;

 private:
  bool IsConstant(std::size_t k, std::span<const std::uint32_t> rows) const;

  NumberRows numbers_;
  // By row id; empty if every id is the number of its row.
  std::unordered_map<std::int64_t, std::uint32_t> row_of_id_;
};

}  // namespace crossfold::bundled
