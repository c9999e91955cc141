// Rows with their folds, as naive Bayes with normal columns needs them: the rows of each fold, and
// the sums of every fold and class. Shared by all settings of a call.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "../aligned_numbers.h"
#include "crossfold_plugin.hpp"
#include "normal_kernels.h"
#include "normal_sums.h"
#include "number_rows.h"

namespace crossfold::bundled {

// Rows at places first .. first + n - 1 of a GroupedRows.
struct PlaceRange {
  std::size_t first = 0;
  std::size_t n = 0;
};

// The number of rows of one class in one fold.
struct RowGroup {
  std::size_t c = 0;
  std::size_t n = 0;
};

// A fold: its number, its rows, and its groups.
struct FoldGroups {
  std::int32_t number = -1;
  PlaceRange places;
  std::size_t first_group = 0;
  std::size_t n_groups = 0;
};

// The rows of one class that are alone in their folds.
struct SingleRows {
  std::size_t c = 0;
  PlaceRange places;
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
  // `numbers` are those of other sums of as many columns.
  void Add(const double* numbers);
  void Subtract(const double* numbers);
  const double* numbers() const { return numbers_.data(); }
  std::size_t size() const { return numbers_.size(); }
  // With the error bounds of each column.
  SumArrays arrays(std::span<const double> sum_errors, std::span<const double> square_errors) const;

 private:
  double* row(std::size_t r) { return numbers_.data() + r * width_; }
  const double* row(std::size_t r) const { return numbers_.data() + r * width_; }
  void Combine(const double* other, double sign);

  std::size_t width_;
  std::vector<double> numbers_;  // sum_hi, sum_lo, square_hi, square_lo
};

// The rows to remove: their places, their groups, and the sums of each group.
struct LeavingRows {
  PlaceRange places;
  std::span<const RowGroup> groups;
  const double* sums = nullptr;
  std::size_t size = 0;  // of the sums of a group

  const double* sums_of(std::size_t g) const { return sums + g * size; }
};

class GroupedRows {
 public:
  // None if a row has a weight, or an entry is missing or too large for quick sums. What was
  // prepared for the dataset may be null, and must outlive this, as must the table of the rows.
  static std::optional<GroupedRows> Make(const plugin::TrainingView& rows,
                                         std::span<const std::int32_t> fold_of_row,
                                         std::int32_t n_folds,
                                         const PreparedNumbers* prepared = nullptr);

  std::size_t n_rows() const { return positions_.size(); }
  std::size_t n_columns() const { return features_.size(); }
  std::size_t feature(std::size_t k) const { return features_[k]; }
  std::size_t n_classes() const { return class_sums_.size(); }
  std::span<const std::int64_t> positions() const { return positions_; }  // in the view, by place
  double x(std::size_t k, std::size_t place) const {
    return columns_.has_value() ? columns_->x(k, positions_[place]) : RowAt(place)[k];
  }

  // Column k of the row at place first + i to block[k * kBlockStride + i]; n <= kBlockRows. Arrays
  // of whole vectors are written: BlockSize() doubles at most. The stride is not a power of 2, so
  // that columns do not displace each other in the cache.
  static constexpr std::size_t kBlockRows = 128, kBlockStride = kBlockRows + kMostLanes;
  std::size_t BlockSize() const { return RoundedUp(n_columns()) * kBlockStride; }
  // The rows of `next`, which a later call copies, are asked for.
  void CopyBlock(PlaceRange places, double* block, PlaceRange next = {}) const;

  std::int32_t fold_of(std::size_t place) const {
    return fold_of_row_[static_cast<std::size_t>(positions_[place])];
  }

  // Folds of any number of rows but one.
  std::span<const FoldGroups> folds() const { return folds_; }
  // Rows that are alone in their fold, by class.
  std::span<const SingleRows> single_rows() const { return single_rows_; }
  LeavingRows leaving(const FoldGroups& fold) const;
  // Sums of one row.
  ColumnSums SumsOfRow(std::size_t place) const;

  std::span<const double> class_counts() const { return class_counts_; }
  const ColumnSums& class_sums(std::size_t c) const { return class_sums_[c]; }
  const ColumnSums& all_sums() const { return all_sums_; }
  SumArrays arrays(const ColumnSums& sums) const {
    return sums.arrays(sum_errors_, square_errors_);
  }
  double largest(std::size_t k) const { return ranges_[k].largest; }
  bool is_whole(std::size_t k) const { return ranges_[k].is_whole; }
  double sum_error(std::size_t k) const { return sum_errors_[k]; }
  double square_error(std::size_t k) const { return square_errors_[k]; }

  // Exact sums of column k over all rows but some.
  NormalSums ExactSumsWithout(std::size_t k, PlaceRange places);

 private:
  explicit GroupedRows(const plugin::TrainingView& rows) : view_(rows) {}
  bool TakeNumbers(const PreparedNumbers* prepared);
  bool AreAllSingle() const { return folds_.empty() && groups_.size() == single_rows_.size(); }
  void Sort(std::int32_t n_folds);
  std::vector<std::uint32_t> NumberFolds(std::int32_t n_folds);
  void MakeGroups(std::span<const std::size_t> sizes);
  void PlaceRows(std::span<const std::uint32_t> index_of_fold);
  void SumRows();
  bool SumSingles();
  void MergeSums();
  void AddExactly(std::size_t k, PlaceRange places, double weight, NormalSums* sums) const;

  const double* RowAt(std::size_t place) const {
    return numbers_->row(row_of_[static_cast<std::size_t>(positions_[place])]);
  }

  plugin::TrainingView view_;
  std::span<const std::int32_t> fold_of_row_;
  // Rows that are all alone in their folds are read twice, by class: from the columns. Others from
  // copies of the rows.
  std::optional<NumberColumns> columns_;
  std::unique_ptr<const NumberRows> own_numbers_;  // null if they were prepared
  const NumberRows* numbers_ = nullptr;
  std::vector<std::size_t> features_;
  std::vector<EntryRange> ranges_;       // one per column
  std::vector<std::uint32_t> row_of_;    // row of numbers_, by position in the view
  std::vector<std::uint32_t> group_of_;  // by position
  std::vector<std::int64_t> positions_;  // of the places: folds_, single_rows_, rows of no fold
  std::vector<FoldGroups> folds_;
  std::vector<SingleRows> single_rows_;
  std::vector<RowGroup> groups_;  // of folds_, then single rows, then rows of no fold
  AlignedNumbers group_sums_;     // groups x the numbers of a ColumnSums
  std::vector<double> sum_errors_, square_errors_;
  std::vector<ColumnSums> class_sums_;
  ColumnSums all_sums_;
  std::vector<double> class_counts_;
  std::vector<std::optional<NormalSums>> exact_;  // of all rows, for columns that needed it
};

}  // namespace crossfold::bundled
