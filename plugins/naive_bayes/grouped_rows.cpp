#include "grouped_rows.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "double_double.h"

namespace crossfold::bundled {

// ---- sums ---------------------------------------------------------------------------------------

void ColumnSums::Set(std::size_t k, const QuickSums& sums) {
  row(0)[k] = sums.sum_hi;
  row(1)[k] = sums.sum_lo;
  row(2)[k] = sums.square_hi;
  row(3)[k] = sums.square_lo;
}

QuickSums ColumnSums::at(std::size_t k) const {
  return {row(0)[k], row(1)[k], row(2)[k], row(3)[k]};
}

void ColumnSums::Combine(const ColumnSums& other, double sign) {
  for (const std::size_t r : {0u, 2u}) {
    for (std::size_t k = 0; k < width_; ++k) {
      const DoubleDouble sum = DoubleDouble{row(r)[k], row(r + 1)[k]} +
                               DoubleDouble{sign * other.row(r)[k], sign * other.row(r + 1)[k]};
      row(r)[k] = sum.hi;
      row(r + 1)[k] = sum.lo;
    }
  }
}

void ColumnSums::Add(const ColumnSums& other) { Combine(other, 1); }
void ColumnSums::Subtract(const ColumnSums& other) { Combine(other, -1); }

SumArrays ColumnSums::arrays(std::span<const double> sum_errors,
                             std::span<const double> square_errors) const {
  return {row(0), row(1), row(2), row(3), sum_errors.data(), square_errors.data()};
}

// ---- rows ---------------------------------------------------------------------------------------

namespace {

bool HasOtherWeights(const plugin::TrainingView& rows) {
  if (!rows.has_weights()) return false;
  for (std::int64_t i = 0; i < rows.num_rows(); ++i) {
    if (rows.weight(i) != 1) return true;
  }
  return false;
}

// Entry of each row of a view in the buffers of its columns; none if row i is entry i.
std::vector<std::int64_t> EntriesOf(const plugin::FeatureView& rows) {
  std::vector<std::int64_t> entries(static_cast<std::size_t>(rows.num_rows()));
  bool in_order = true;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    entries[i] = rows.entry(static_cast<std::int64_t>(i));
    in_order = in_order && entries[i] == static_cast<std::int64_t>(i);
  }
  if (in_order) entries.clear();
  return entries;
}

}  // namespace

std::optional<GroupedRows> GroupedRows::Make(const plugin::TrainingView& rows,
                                             std::span<const std::int32_t> fold_of_row,
                                             std::int32_t n_folds) {
  constexpr std::int64_t kMost = std::numeric_limits<std::int32_t>::max();
  const bool too_many =
      rows.num_rows() > kMost || (std::int64_t{n_folds} + 2) * rows.num_classes() > kMost;
  if (too_many || HasOtherWeights(rows)) return std::nullopt;
  GroupedRows grouped;
  grouped.fold_of_row_ = fold_of_row;
  grouped.Sort(rows, fold_of_row, n_folds);
  const auto n_features = static_cast<std::size_t>(rows.num_features());
  const std::vector<std::int64_t> entries = EntriesOf(rows);
  grouped.stride_ = RoundedUp(fold_of_row.size()) + kMostLanes;
  // Not set to 0 first: every column that is used is written.
  grouped.x_.reset(new double[n_features * grouped.stride_]);
  grouped.group_sums_.assign(grouped.groups_.size(), ColumnSums(n_features));
  for (std::size_t j = 0; j < n_features; ++j) {
    const cf_column& column = rows.column(static_cast<std::int64_t>(j));
    if (!grouped.TakeColumn(column, entries, j)) return std::nullopt;
  }
  grouped.MergeSums(n_features);
  grouped.exact_.resize(grouped.n_columns());
  return grouped;
}

// By fold and class: first the folds, then the rows that are alone in theirs, then rows without.
void GroupedRows::Sort(const plugin::TrainingView& rows, std::span<const std::int32_t> fold_of_row,
                       std::int32_t n_folds) {
  const std::size_t n = fold_of_row.size();
  const auto n_classes = static_cast<std::size_t>(rows.num_classes());
  std::vector<std::uint32_t> size_of_fold(static_cast<std::size_t>(n_folds));
  for (const std::int32_t fold : fold_of_row) {
    if (fold >= 0) ++size_of_fold[static_cast<std::size_t>(fold)];
  }
  std::vector<std::uint32_t> index_of_fold(size_of_fold.size());
  for (std::size_t f = 0; f < size_of_fold.size(); ++f) {
    index_of_fold[f] = static_cast<std::uint32_t>(folds_.size());
    if (size_of_fold[f] != 1) folds_.push_back({.number = static_cast<std::int32_t>(f)});
  }
  const std::size_t single = folds_.size(), none = single + 1;
  std::vector<std::uint32_t> key(n);
  std::vector<std::size_t> ends((none + 1) * n_classes);
  class_counts_.assign(n_classes, 0);
  for (std::size_t i = 0; i < n; ++i) {
    const std::int32_t fold = fold_of_row[i];
    const auto c = static_cast<std::size_t>(rows.label(static_cast<std::int64_t>(i)));
    std::size_t index = none;
    if (fold >= 0) {
      const auto f = static_cast<std::size_t>(fold);
      index = size_of_fold[f] == 1 ? single : index_of_fold[f];
    }
    key[i] = static_cast<std::uint32_t>(index * n_classes + c);
    ++ends[key[i]];
    class_counts_[c] += 1;
  }
  std::size_t first = 0;
  for (std::size_t& end : ends) first += std::exchange(end, first);  // now where each begins
  places_.resize(n);
  positions_.resize(n);
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t place = ends[key[i]]++;
    places_[i] = static_cast<std::uint32_t>(place);
    positions_[place] = static_cast<std::int64_t>(i);
  }
  MakeGroups(ends, n_classes);
}

void GroupedRows::MakeGroups(std::span<const std::size_t> ends, std::size_t n_classes) {
  const std::size_t single = folds_.size();
  std::size_t first = 0;
  for (std::size_t key = 0; key < ends.size(); ++key) {
    const std::size_t fold = key / n_classes;
    if (key % n_classes == 0 && fold < single) folds_[fold].first_group = groups_.size();
    if (ends[key] == first) continue;
    groups_.push_back({.c = key % n_classes, .first = first, .n = ends[key] - first});
    first = ends[key];
    if (fold < single) {
      ++folds_[fold].n_groups;
      ++n_folded_;
    } else if (fold == single) {
      ++n_single_;
    }
  }
}

// False if quick sums cannot take it.
bool GroupedRows::TakeColumn(const cf_column& column, std::span<const std::int64_t> entries,
                             std::size_t j) {
  constexpr std::size_t kChunk = 1024;  // stays in the nearest cache
  const std::size_t n = places_.size();
  const std::uint32_t* places = places_.data();
  double* to = x_.get() + n_columns() * stride_;
  const bool in_place = column.dtype == CF_F64 && column.validity == nullptr && entries.empty();
  std::array<double, kChunk> copies;
  EntryRange range;
  for (std::size_t first = 0; first < n; first += kChunk) {
    const std::size_t size = std::min(kChunk, n - first);
    const double* from = static_cast<const double*>(column.data) + first;
    if (!in_place) {
      for (std::size_t i = 0; i < size; ++i) {
        const auto row = static_cast<std::int64_t>(first + i);
        copies[i] = plugin::EntryAsDouble(column, entries.empty() ? row : entries[first + i]);
      }
      from = copies.data();
    }
    SupportedKernels()[0]->extend_range(from, size, &range);
    if (!range.is_plain) return false;
    for (std::size_t i = 0; i < size; ++i) to[places[first + i]] = from[i];
  }
  std::fill(to + n, to + stride_, 0.0);
  if (std::all_of(to, to + n, [&](double x) { return x == to[0]; })) return true;
  ranges_.push_back(range);
  features_.push_back(j);
  SumColumn(n_columns() - 1);
  return true;
}

void GroupedRows::SumColumn(std::size_t k) {
  const auto sum = SupportedKernels()[0]->sum;
  const double* x = x_.get() + k * stride_;
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    group_sums_[g].Set(k, sum(x + groups_[g].first, groups_[g].n, ranges_[k]));
  }
}

void GroupedRows::MergeSums(std::size_t n_features) {
  class_sums_.assign(class_counts_.size(), ColumnSums(n_features));
  all_sums_ = ColumnSums(n_features);
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    class_sums_[groups_[g].c].Add(group_sums_[g]);
  }
  for (const ColumnSums& sums : class_sums_) all_sums_.Add(sums);
  const std::size_t n_parts =
      NumberOfParts(groups_.size() + class_counts_.size(), positions_.size());
  sum_errors_.assign(RoundedUp(n_features), 0);
  square_errors_ = sum_errors_;
  for (std::size_t k = 0; k < n_columns(); ++k) {
    sum_errors_[k] = SumError(ranges_[k], n_rows(), n_parts);
    square_errors_[k] = SquareError(ranges_[k], n_rows(), n_parts);
  }
}

ColumnSums GroupedRows::SumsOfRow(std::size_t place) const {
  ColumnSums sums = all_sums_;  // for its size
  for (std::size_t k = 0; k < n_columns(); ++k) {
    const double x = x_[k * stride_ + place];
    const double square = x * x;
    sums.Set(k, {x, 0, square, std::fma(x, x, -square)});
  }
  return sums;
}

NormalSums GroupedRows::ExactSumsWithout(std::size_t k, std::span<const RowGroup> groups) {
  const double* x = x_.get() + k * stride_;
  const auto add = [&](NormalSums& sums, std::span<const RowGroup> some, double weight) {
    for (const RowGroup& group : some) sums.AddEntries(group.c, {x + group.first, group.n}, weight);
    sums.Normalise();
  };
  if (!exact_[k].has_value()) add(exact_[k].emplace(n_classes()), groups_, 1);
  NormalSums sums = *exact_[k];
  add(sums, groups, -1);
  return sums;
}

}  // namespace crossfold::bundled
