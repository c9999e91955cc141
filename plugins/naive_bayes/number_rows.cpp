#include "number_rows.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace crossfold::bundled {
namespace {

constexpr std::size_t kChunk = 64;  // rows; those of some columns stay in the nearest caches

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

// One column of a view.
struct ColumnReader {
  const cf_column* column;
  std::span<const std::int64_t> entries;

  double at(std::size_t i) const {
    const auto row = static_cast<std::int64_t>(i);
    return plugin::EntryAsDouble(*column, entries.empty() ? row : entries[i]);
  }
  bool IsInPlace() const {
    return column->dtype == CF_F64 && column->validity == nullptr && entries.empty();
  }
  bool AllEqual(std::size_t n_rows) const {
    for (std::size_t i = 0; i < n_rows; ++i) {
      if (at(i) != at(0)) return false;
    }
    return true;
  }
  // Entries of n rows, with room for whole vectors: in place, or in `scratch`.
  const double* Read(std::size_t first, std::size_t n, std::span<double> scratch) const {
    if (IsInPlace()) {
      const double* from = static_cast<const double*>(column->data) + first;
      if (n == kChunk) return from;
      std::copy_n(from, n, scratch.begin());
    } else {
      for (std::size_t i = 0; i < n; ++i) scratch[i] = at(first + i);
    }
    std::fill(scratch.begin() + static_cast<std::ptrdiff_t>(n), scratch.end(), 0.0);
    return scratch.data();
  }
};

}  // namespace

// ---- rows ---------------------------------------------------------------------------------------

std::optional<NumberRows> NumberRows::Make(const plugin::FeatureView& rows) {
  NumberRows made;
  made.n_rows_ = static_cast<std::size_t>(rows.num_rows());
  const std::vector<std::int64_t> entries = EntriesOf(rows);
  if (!made.FindColumns(rows, entries)) return std::nullopt;
  made.ranges_.resize(made.n_columns());
  made.data_ = MakeAlignedNumbers(made.Size());
  std::fill(made.data_.get() + made.n_rows_ * made.n_columns(), made.data_.get() + made.Size(),
            0.0);
  if (!made.TakeRows(rows, entries)) return std::nullopt;
  return made;
}

// Returns false if quick sums cannot take a constant.
bool NumberRows::FindColumns(const plugin::FeatureView& rows,
                             std::span<const std::int64_t> entries) {
  for (std::int64_t j = 0; j < rows.num_features(); ++j) {
    const ColumnReader column{&rows.column(j), entries};
    if (!column.AllEqual(n_rows_)) {
      features_.push_back(static_cast<std::size_t>(j));
    } else if (n_rows_ > 0 && !(std::fabs(column.at(0)) <= kLargestQuickEntry)) {
      return false;
    }
  }
  return true;
}

// Returns false if quick sums cannot take an entry.
bool NumberRows::TakeRows(const plugin::FeatureView& rows, std::span<const std::int64_t> entries) {
  const NormalKernels& kernels = *SupportedKernels()[0];
  const std::array<double, kChunk> zeros{};
  std::vector<double> scratch(n_columns() * kChunk);
  std::vector<const double*> from(RoundedUp(n_columns()), zeros.data());
  for (std::size_t first = 0; first < n_rows_; first += kChunk) {
    const std::size_t n = std::min(kChunk, n_rows_ - first);
    for (std::size_t k = 0; k < n_columns(); ++k) {
      const ColumnReader column{&rows.column(static_cast<std::int64_t>(features_[k])), entries};
      from[k] = column.Read(first, n, std::span(scratch).subspan(k * kChunk, kChunk));
    }
    double* to = data_.get() + first * n_columns();
    kernels.transpose({.from = from.data(),
                       .n_from = from.size(),
                       .length = n,
                       .to = to,
                       .to_stride = n_columns()});
    kernels.extend_ranges(
        {.rows = to, .n_rows = n, .n_columns = n_columns(), .ranges = ranges_.data()});
    const auto is_plain = [](const EntryRange& range) { return range.is_plain; };
    if (!std::all_of(ranges_.begin(), ranges_.end(), is_plain)) return false;
  }
  return true;
}

std::uint64_t NumberRows::Bytes() const {
  return Size() * sizeof(double) + features_.size() * sizeof(std::size_t) +
         ranges_.size() * sizeof(EntryRange);
}

// ---- prepared rows ------------------------------------------------------------------------------

PreparedNumbers::PreparedNumbers(NumberRows numbers, const plugin::FeatureView& all)
    : numbers_(std::move(numbers)) {
  bool in_order = true;
  for (std::int64_t i = 0; i < all.num_rows(); ++i) in_order = in_order && all.row_id(i) == i;
  if (in_order) return;
  for (std::int64_t i = 0; i < all.num_rows(); ++i) {
    row_of_id_.emplace(all.row_id(i), static_cast<std::uint32_t>(i));
  }
}

std::optional<std::vector<std::uint32_t>> PreparedNumbers::RowsOf(
    const plugin::FeatureView& view) const {
  std::vector<std::uint32_t> rows(static_cast<std::size_t>(view.num_rows()));
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const std::int64_t id = view.row_id(static_cast<std::int64_t>(i));
    if (row_of_id_.empty()) {
      if (id < 0 || static_cast<std::uint64_t>(id) >= numbers_.n_rows()) return std::nullopt;
      rows[i] = static_cast<std::uint32_t>(id);
    } else {
      const auto found = row_of_id_.find(id);
      if (found == row_of_id_.end()) return std::nullopt;
      rows[i] = found->second;
    }
  }
  for (std::size_t k = 0; k < numbers_.n_columns(); ++k) {
    if (IsConstant(k, rows)) return std::nullopt;
  }
  return rows;
}

bool PreparedNumbers::IsConstant(std::size_t k, std::span<const std::uint32_t> rows) const {
  return std::all_of(rows.begin(), rows.end(), [&](std::uint32_t row) {
    return numbers_.row(row)[k] == numbers_.row(rows[0])[k];
  });
}

std::uint64_t PreparedNumbers::Bytes() const {
  constexpr std::uint64_t kNode = 4 * sizeof(void*);  // of the map, about
  return numbers_.Bytes() + row_of_id_.size() * kNode;
}

}  // namespace crossfold::bundled
