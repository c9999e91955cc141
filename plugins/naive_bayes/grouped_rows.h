// Rows with their folds, as naive Bayes with normal columns needs them: sorted by fold and class,
// column by column, with the sums of every fold and class. Shared by all settings of a call.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "crossfold_plugin.hpp"
#include "normal_kernels.h"
#include "normal_sums.h"

namespace crossfold::bundled {

// Rows of one class in one fold: places first .. first + n - 1 of every column.
struct RowGroup {
  std::size_t c = 0;
  std::size_t first = 0;
  std::size_t n = 0;
};

// A fold: its number, and its groups.
struct FoldGroups {
  std::int32_t number = -1;
  std::size_t first_group = 0;
  std::size_t n_groups = 0;
};

// Sums of every column, in arrays with room for whole vectors.
class ColumnSums {
 public:
  explicit ColumnSums(std::size_t n_columns = 0)
      : width_(RoundedUp(n_columns)), numbers_(4 * width_) {}

  // Of the same width.
  ColumnSums Zeros() const { return ColumnSums(width_); }

  void Set(std::size_t k, const QuickSums& sums);
  QuickSums at(std::size_t k) const;
  // REQUIRES: `other` has the same width.
  void Add(const ColumnSums& other);
  void Subtract(const ColumnSums& other);
  // With the error bounds of each column.
  SumArrays arrays(std::span<const double> sum_errors, std::span<const double> square_errors) const;

 private:
  double* row(std::size_t r) { return numbers_.data() + r * width_; }
  const double* row(std::size_t r) const { return numbers_.data() + r * width_; }
  void Combine(const ColumnSums& other, double sign);

  std::size_t width_;
  std::vector<double> numbers_;  // sum_hi, sum_lo, square_hi, square_lo
};

class GroupedRows {
 public:
  // None if a row has a weight, or an entry is missing or too large for quick sums.
  static std::optional<GroupedRows> Make(const plugin::TrainingView& rows,
                                         std::span<const std::int32_t> fold_of_row,
                                         std::int32_t n_folds);

  std::size_t n_rows() const { return positions_.size(); }
  // Of the columns whose entries are not all equal; those say nothing in any fold.
  std::size_t n_columns() const { return features_.size(); }
  std::size_t feature(std::size_t k) const { return features_[k]; }
  std::size_t n_classes() const { return class_sums_.size(); }
  // Column k of the row at place i: x()[k * stride() + i].
  const double* x() const { return x_.get(); }
  std::size_t stride() const { return stride_; }
  std::span<const std::int64_t> positions() const { return positions_; }  // in the view, by place

  std::int32_t fold_of(std::size_t place) const {
    return fold_of_row_[static_cast<std::size_t>(positions_[place])];
  }

  // Folds of any number of rows but one.
  std::span<const FoldGroups> folds() const { return folds_; }
  // Rows that are alone in their fold, by class.
  std::span<const RowGroup> single_rows() const { return {groups_.data() + n_folded_, n_single_}; }
  std::span<const RowGroup> groups(const FoldGroups& fold) const {
    return {groups_.data() + fold.first_group, fold.n_groups};
  }
  // Of the groups of a fold, in their order.
  std::span<const ColumnSums> sums(const FoldGroups& fold) const {
    return {group_sums_.data() + fold.first_group, fold.n_groups};
  }
  // Sums of one row.
  ColumnSums SumsOfRow(std::size_t place) const;

  std::span<const double> class_counts() const { return class_counts_; }
  const ColumnSums& class_sums(std::size_t c) const { return class_sums_[c]; }
  const ColumnSums& all_sums() const { return all_sums_; }
  SumArrays arrays(const ColumnSums& sums) const {
    return sums.arrays(sum_errors_, square_errors_);
  }
  double largest(std::size_t k) const { return ranges_[k].largest; }
  double sum_error(std::size_t k) const { return sum_errors_[k]; }
  double square_error(std::size_t k) const { return square_errors_[k]; }

  // Exact sums of column k over all rows but those of some groups.
  NormalSums ExactSumsWithout(std::size_t k, std::span<const RowGroup> groups);

 private:
  GroupedRows() = default;
  void Sort(const plugin::TrainingView& rows, std::span<const std::int32_t> fold_of_row,
            std::int32_t n_folds);
  void MakeGroups(std::span<const std::size_t> ends, std::size_t n_classes);
  bool TakeColumn(const cf_column& column, std::span<const std::int64_t> entries, std::size_t j);
  void SumColumn(std::size_t k);
  void MergeSums(std::size_t n_features);

  std::span<const std::int32_t> fold_of_row_;
  std::vector<std::size_t> features_;
  std::size_t stride_ = 0;
  std::unique_ptr<double[]> x_;          // columns x stride_
  std::vector<std::uint32_t> places_;    // of the rows of the view
  std::vector<std::int64_t> positions_;  // of the places
  std::vector<FoldGroups> folds_;
  std::vector<RowGroup> groups_;  // of folds_, then single rows, then rows of no fold
  std::size_t n_folded_ = 0, n_single_ = 0;
  std::vector<EntryRange> ranges_;  // one a column
  std::vector<double> sum_errors_, square_errors_;
  std::vector<ColumnSums> group_sums_, class_sums_;
  ColumnSums all_sums_;
  std::vector<double> class_counts_;
  std::vector<std::optional<NormalSums>> exact_;  // of all rows, one a column, when first needed
};

}  // namespace crossfold::bundled
