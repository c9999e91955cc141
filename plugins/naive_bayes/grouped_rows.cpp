#include "grouped_rows.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
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

void ColumnSums::Combine(const double* other, double sign) {
  for (const std::size_t r : {0u, 2u}) {
    const double *hi = other + r * width_, *lo = hi + width_;
    for (std::size_t k = 0; k < width_; ++k) {
      const DoubleDouble sum =
          DoubleDouble{row(r)[k], row(r + 1)[k]} + DoubleDouble{sign * hi[k], sign * lo[k]};
      row(r)[k] = sum.hi;
      row(r + 1)[k] = sum.lo;
    }
  }
}

void ColumnSums::Add(const double* numbers) { Combine(numbers, 1); }
void ColumnSums::Subtract(const double* numbers) { Combine(numbers, -1); }

SumArrays ColumnSums::arrays(std::span<const double> sum_errors,
                             std::span<const double> square_errors) const {
  return {row(0), row(1), row(2), row(3), sum_errors.data(), square_errors.data()};
}

// ---- rows ---------------------------------------------------------------------------------------

namespace {

// The first entries of the first n > 0 rows, column by column, kBlockStride apart.
void Transpose(std::span<const double*> rows, std::size_t n, std::size_t n_columns, double* to) {
  const std::size_t size = RoundedUp(n);
  for (std::size_t i = n; i < size; ++i) rows[i] = rows[n - 1];
  SupportedKernels()[0]->transpose({.from = rows.data(),
                                    .n_from = size,
                                    .length = n_columns,
                                    .to = to,
                                    .to_stride = GroupedRows::kBlockStride});
}

bool HasOtherWeights(const plugin::TrainingView& rows) {
  if (!rows.has_weights()) return false;
  for (std::int64_t i = 0; i < rows.num_rows(); ++i) {
    if (rows.weight(i) != 1) return true;
  }
  return false;
}

}  // namespace

std::optional<GroupedRows> GroupedRows::Make(const plugin::TrainingView& rows,
                                             std::span<const std::int32_t> fold_of_row,
                                             std::int32_t n_folds,
                                             const PreparedNumbers* prepared) {
  constexpr std::int64_t kMost = std::numeric_limits<std::int32_t>::max();
  const bool too_many =
      rows.num_rows() > kMost || (std::int64_t{n_folds} + 2) * rows.num_classes() > kMost;
  if (too_many || HasOtherWeights(rows)) return std::nullopt;
  GroupedRows grouped(rows);
  grouped.fold_of_row_ = fold_of_row;
  grouped.Sort(n_folds);
  if (!grouped.TakeNumbers(prepared)) return std::nullopt;
  grouped.MergeSums();
  grouped.exact_.resize(grouped.n_columns());
  return grouped;
}

// Takes the numbers and their sums. Returns false if quick sums cannot take them.
bool GroupedRows::TakeNumbers(const PreparedNumbers* prepared) {
  if (prepared != nullptr) {
    if (auto prepared_rows = prepared->RowsOf(view_); prepared_rows.has_value()) {
      numbers_ = &prepared->numbers();
      row_of_ = *std::move(prepared_rows);
    }
  }
  if (numbers_ == nullptr) {
    auto columns = NumberColumns::Make(view_);
    if (!columns.has_value()) return false;
    if (AreAllSingle()) {
      features_ = columns->features();
      columns_ = *std::move(columns);
      return SumSingles();
    }
    auto made = NumberRows::Make(*columns);
    if (!made.has_value()) return false;
    own_numbers_ = std::make_unique<const NumberRows>(*std::move(made));
    numbers_ = own_numbers_.get();
    row_of_.resize(numbers_->n_rows());
    std::iota(row_of_.begin(), row_of_.end(), std::uint32_t{0});
  }
  features_ = numbers_->features();
  ranges_.assign(numbers_->ranges().begin(), numbers_->ranges().end());
  SumRows();
  return true;
}

// ---- folds and groups ---------------------------------------------------------------------------

// Lists the folds of any number of rows but one; returns the place of each fold in the list, and
// the place after its end for the others.
std::vector<std::uint32_t> GroupedRows::NumberFolds(std::int32_t n_folds) {
  std::vector<std::uint32_t> size_of_fold(static_cast<std::size_t>(n_folds));
  for (const std::int32_t fold : fold_of_row_) {
    if (fold >= 0) ++size_of_fold[static_cast<std::size_t>(fold)];
  }
  std::vector<std::uint32_t> index_of_fold(size_of_fold.size());
  for (std::size_t f = 0; f < size_of_fold.size(); ++f) {
    index_of_fold[f] = static_cast<std::uint32_t>(folds_.size());
    if (size_of_fold[f] == 1) continue;
    folds_.push_back({.number = static_cast<std::int32_t>(f), .places = {0, size_of_fold[f]}});
  }
  for (std::size_t f = 0; f < size_of_fold.size(); ++f) {
    if (size_of_fold[f] == 1) index_of_fold[f] = static_cast<std::uint32_t>(folds_.size());
  }
  return index_of_fold;
}

// First the folds, then the rows that are alone in theirs by class, then rows of no fold.
void GroupedRows::Sort(std::int32_t n_folds) {
  const std::size_t n = fold_of_row_.size();
  const auto n_classes = static_cast<std::size_t>(view_.num_classes());
  const std::vector<std::uint32_t> index_of_fold = NumberFolds(n_folds);
  const std::size_t none = folds_.size() + 1;
  std::vector<std::size_t> sizes((none + 1) * n_classes);
  class_counts_.assign(n_classes, 0);
  group_of_.resize(n);  // the key of the group at first
  for (std::size_t i = 0; i < n; ++i) {
    const std::int32_t fold = fold_of_row_[i];
    const auto c = static_cast<std::size_t>(view_.label(static_cast<std::int64_t>(i)));
    const std::size_t index = fold < 0 ? none : index_of_fold[static_cast<std::size_t>(fold)];
    group_of_[i] = static_cast<std::uint32_t>(index * n_classes + c);
    ++sizes[group_of_[i]];
  }
  MakeGroups(sizes);
  PlaceRows(index_of_fold);
}

// `sizes` has the size of each key, class by class within each fold. Keys with rows become groups.
void GroupedRows::MakeGroups(std::span<const std::size_t> sizes) {
  const std::size_t n_classes = class_counts_.size(), single = folds_.size();
  std::vector<std::uint32_t> group_of_key(sizes.size());
  std::size_t first = 0;
  for (std::size_t key = 0; key < sizes.size(); ++key) {
    const std::size_t fold = key / n_classes, c = key % n_classes;
    if (c == 0 && fold < single) {
      folds_[fold].first_group = groups_.size();
      folds_[fold].places.first = first;
    }
    if (sizes[key] == 0) continue;
    group_of_key[key] = static_cast<std::uint32_t>(groups_.size());
    groups_.push_back({.c = c, .n = sizes[key]});
    if (fold < single) ++folds_[fold].n_groups;
    if (fold == single) single_rows_.push_back({.c = c, .places = {first, sizes[key]}});
    class_counts_[c] += static_cast<double>(sizes[key]);
    first += sizes[key];
  }
  for (std::uint32_t& group : group_of_) group = group_of_key[group];
}

// Within a fold, within the single rows of a class and within the rest in the order of the view.
void GroupedRows::PlaceRows(std::span<const std::uint32_t> index_of_fold) {
  const std::size_t n_folds = folds_.size(), n = fold_of_row_.size();
  std::vector<std::size_t> next;  // place of each fold, of the single rows of each class, of others
  for (const FoldGroups& fold : folds_) next.push_back(fold.places.first);
  std::vector<std::size_t> single_of_class(class_counts_.size());
  std::size_t behind = folds_.empty() ? 0 : folds_.back().places.first + folds_.back().places.n;
  for (const SingleRows& single : single_rows_) {
    single_of_class[single.c] = next.size();
    next.push_back(single.places.first);
    behind = single.places.first + single.places.n;
  }
  next.push_back(behind);
  positions_.resize(n);
  for (std::size_t i = 0; i < n; ++i) {
    const std::int32_t fold = fold_of_row_[i];
    std::size_t list = next.size() - 1;
    if (fold >= 0) {
      list = index_of_fold[static_cast<std::size_t>(fold)];
      if (list == n_folds) list = single_of_class[groups_[group_of_[i]].c];
    }
    positions_[next[list]++] = static_cast<std::int64_t>(i);
  }
}

LeavingRows GroupedRows::leaving(const FoldGroups& fold) const {
  const std::size_t size = all_sums_.size();
  return {fold.places, std::span(groups_).subspan(fold.first_group, fold.n_groups),
          group_sums_.get() + fold.first_group * size, size};
}

// ---- sums of groups -----------------------------------------------------------------------------

// From the rows.
void GroupedRows::SumRows() {
  const std::size_t width = RoundedUp(n_columns()), size = 4 * width;
  const bool plain = std::all_of(ranges_.begin(), ranges_.end(), [&](const EntryRange& range) {
    return SumsExactly(range, n_rows());
  });
  std::vector<double> biases(2 * width, BiasFor(0));
  for (std::size_t k = 0; k < n_columns(); ++k) {
    biases[k] = BiasFor(ranges_[k].largest);
    biases[width + k] = BiasFor(ranges_[k].largest * ranges_[k].largest);
  }
  std::vector<std::uint32_t> carry_of(groups_.size(), RowSumsTask::kNoCarry);
  std::uint32_t n_carries = 0;
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    if (groups_[g].n > RowSumsTask::kRun) carry_of[g] = n_carries++;
  }
  const AlignedNumbers carries = MakeAlignedNumbers(n_carries * size);
  std::fill_n(carries.get(), n_carries * size, 0.0);
  std::vector<std::uint8_t> run_size(groups_.size());
  group_sums_ = MakeAlignedNumbers(groups_.size() * size);
  SupportedKernels()[0]->sum_rows({.rows = numbers_->data(),
                                   .stride = n_columns(),
                                   .row_of = row_of_.data(),
                                   .group_of = group_of_.data(),
                                   .n_rows = n_rows(),
                                   .width = width,
                                   .n_groups = groups_.size(),
                                   .bias = plain ? nullptr : biases.data(),
                                   .square_bias = biases.data() + width,
                                   .sums = group_sums_.get(),
                                   .carry_of = carry_of.data(),
                                   .carries = carries.get(),
                                   .run_size = run_size.data()});
}

// From the columns, for rows that are all alone in their folds: group g is single_rows_[g]. Returns
// false if quick sums cannot take an entry.
bool GroupedRows::SumSingles() {
  constexpr std::size_t kNumbers = BlockSumsTask::kNumbers;
  const std::size_t width = RoundedUp(n_columns());
  ranges_.resize(n_columns());
  group_sums_ = MakeAlignedNumbers(groups_.size() * 4 * width);
  const AlignedNumbers block = MakeAlignedNumbers(BlockSize());
  std::vector<double> parts(n_columns() * kNumbers);
  double* sums = group_sums_.get();
  for (const SingleRows& rows : single_rows_) {
    std::fill(parts.begin(), parts.end(), 0.0);
    for (std::size_t i = 0; i < rows.places.n; i += kBlockRows) {
      const std::size_t n = std::min(kBlockRows, rows.places.n - i);
      CopyBlock({rows.places.first + i, n}, block.get());
      SupportedKernels()[0]->sum_block({.x = block.get(),
                                        .x_stride = kBlockStride,
                                        .n_rows = n,
                                        .n_columns = n_columns(),
                                        .ranges = ranges_.data(),
                                        .parts = parts.data()});
    }
    for (std::size_t k = 0; k < n_columns(); ++k) {
      for (const std::size_t array : {0u, 2u}) {
        const double* hi = parts.data() + k * kNumbers + array * kMostLanes;
        DoubleDouble sum;
        for (std::size_t i = 0; i < kMostLanes; ++i) {
          sum = sum + DoubleDouble{hi[i], hi[kMostLanes + i]};
        }
        sums[array * width + k] = sum.hi;
        sums[(array + 1) * width + k] = sum.lo;
      }
    }
    sums += 4 * width;
  }
  return std::all_of(ranges_.begin(), ranges_.end(),
                     [](const EntryRange& range) { return range.is_plain; });
}

void GroupedRows::MergeSums() {
  class_sums_.assign(class_counts_.size(), ColumnSums(n_columns()));
  all_sums_ = ColumnSums(n_columns());
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    class_sums_[groups_[g].c].Add(group_sums_.get() + g * all_sums_.size());
  }
  for (const ColumnSums& sums : class_sums_) all_sums_.Add(sums.numbers());
  const std::size_t n_sums = groups_.size() * (columns_.has_value() ? kMostLanes : 1);
  const std::size_t n_parts = NumberOfParts(n_sums + class_counts_.size(), n_rows());
  sum_errors_.assign(RoundedUp(n_columns()), 0);
  square_errors_ = sum_errors_;
  for (std::size_t k = 0; k < n_columns(); ++k) {
    sum_errors_[k] = SumError(ranges_[k], n_rows(), n_parts);
    square_errors_[k] = SquareError(ranges_[k], n_rows(), n_parts);
  }
}

ColumnSums GroupedRows::SumsOfRow(std::size_t place) const {
  ColumnSums sums(n_columns());
  for (std::size_t k = 0; k < n_columns(); ++k) {
    const double entry = x(k, place), square = entry * entry;
    sums.Set(k, {entry, 0, square, std::fma(entry, entry, -square)});
  }
  return sums;
}

void GroupedRows::AddExactly(std::size_t k, PlaceRange places, double weight,
                             NormalSums* sums) const {
  constexpr std::size_t kMost = ExactTerms::kMostEntries;
  std::vector<double> entries(n_classes() * kMost);  // some of each class
  std::vector<std::size_t> n_of_class(n_classes());
  const auto add = [&](std::size_t c) {
    const std::size_t n = std::exchange(n_of_class[c], 0);
    if (n != 0) sums->AddEntries(c, std::span(entries).subspan(c * kMost, n), weight);
  };
  const auto column = static_cast<std::int64_t>(feature(k));
  for (std::size_t place = places.first; place < places.first + places.n; ++place) {
    const std::int64_t position = positions_[place];
    const std::size_t c = groups_[group_of_[static_cast<std::size_t>(position)]].c;
    entries[c * kMost + n_of_class[c]++] = view_.x(position, column);
    if (n_of_class[c] == kMost) add(c);
  }
  for (std::size_t c = 0; c < n_classes(); ++c) add(c);
  sums->Normalise();
}

NormalSums GroupedRows::ExactSumsWithout(std::size_t k, PlaceRange places) {
  if (!exact_[k].has_value()) AddExactly(k, {0, n_rows()}, 1, &exact_[k].emplace(n_classes()));
  NormalSums sums = *exact_[k];
  AddExactly(k, places, -1, &sums);
  return sums;
}

// ---- blocks -------------------------------------------------------------------------------------

void GroupedRows::CopyBlock(PlaceRange places, double* block, PlaceRange next) const {
  if (columns_.has_value()) {
    columns_->Copy(positions().subspan(places.first, places.n), kBlockStride, block);
    return;
  }
  // Not in a function of their own: GCC 12 takes it for one without effects, and drops its calls.
  constexpr std::size_t kLine = static_cast<std::size_t>(kCacheLine) / sizeof(double);
  for (std::size_t place = next.first; place < next.first + next.n; ++place) {
    const double* row = RowAt(place);
    for (std::size_t k = 0; k < n_columns(); k += kLine) __builtin_prefetch(row + k);
    __builtin_prefetch(row + n_columns() - 1);
  }
  std::array<const double*, kBlockRows> rows;
  for (std::size_t i = 0; i < places.n; ++i) rows[i] = RowAt(places.first + i);
  Transpose(rows, places.n, n_columns(), block);
}

}  // namespace crossfold::bundled
