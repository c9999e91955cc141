#include "number_rows.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <utility>

#include "normal_kernels.h"

namespace crossfold::bundled {
namespace {

bool AllEqual(const plugin::FeatureView& rows, std::int64_t j) {
  for (std::int64_t i = 0; i < rows.num_rows(); ++i) {
    if (rows.x(i, j) != rows.x(0, j)) return false;  // also if it is missing
  }
  return true;
}

// The entries of a column. `is_run`: they follow each other.
void CopyEntries(const cf_column& column, std::span<const std::int64_t> entries, bool is_run,
                 double* to) {
  if (column.dtype != CF_F64 || column.validity != nullptr) {
    for (std::size_t i = 0; i < entries.size(); ++i) {
      to[i] = plugin::EntryAsDouble(column, entries[i]);
    }
    return;
  }
  const auto* from = static_cast<const double*>(column.data);
  if (is_run) {
    std::copy_n(from + entries[0], entries.size(), to);
  } else {
    for (std::size_t i = 0; i < entries.size(); ++i) to[i] = from[entries[i]];
  }
}

}  // namespace

std::optional<NumberColumns> NumberColumns::Make(const plugin::FeatureView& rows) {
  NumberColumns made(rows);
  for (std::int64_t j = 0; j < rows.num_features(); ++j) {
    if (!AllEqual(rows, j)) {
      made.features_.push_back(static_cast<std::size_t>(j));
    } else if (rows.num_rows() > 0 && !(std::fabs(rows.x(0, j)) <= kLargestQuickEntry)) {
      return std::nullopt;
    }
  }
  return made;
}

void NumberColumns::Copy(std::span<const std::int64_t> rows, std::size_t stride,
                         double* block) const {
  std::array<std::int64_t, kMostCopied> entries;
  bool is_run = true;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    entries[i] = rows_.entry(rows[i]);
    is_run = is_run && entries[i] == entries[0] + static_cast<std::int64_t>(i);
  }
  for (std::size_t k = 0; k < n_columns(); ++k, block += stride) {
    const cf_column& column = rows_.column(static_cast<std::int64_t>(features_[k]));
    CopyEntries(column, std::span(entries).first(rows.size()), is_run, block);
    std::fill(block + rows.size(), block + RoundedUp(rows.size()), 0.0);
  }
}

namespace {

constexpr std::size_t kChunk = 64;  // rows; those of some columns stay in the nearest caches

}  // namespace

// ---- rows ---------------------------------------------------------------------------------------

std::optional<NumberRows> NumberRows::Make(const plugin::FeatureView& rows) {
  const auto columns = NumberColumns::Make(rows);
  return columns.has_value() ? Make(*columns) : std::nullopt;
}

std::optional<NumberRows> NumberRows::Make(const NumberColumns& columns) {
  NumberRows made;
  made.n_rows_ = columns.n_rows();
  made.features_ = columns.features();
  made.ranges_.resize(made.n_columns());
  made.data_ = MakeAlignedNumbers(made.Size());
  std::fill(made.data_.get() + made.n_rows_ * made.n_columns(), made.data_.get() + made.Size(),
            0.0);
  if (!made.TakeRows(columns)) return std::nullopt;
  return made;
}

// Returns false if quick sums cannot take an entry.
bool NumberRows::TakeRows(const NumberColumns& columns) {
  const NormalKernels& kernels = *SupportedKernels()[0];
  const std::array<double, kChunk> zeros{};
  std::array<std::int64_t, kChunk> rows;
  std::vector<double> block(n_columns() * kChunk);
  std::vector<const double*> from(RoundedUp(n_columns()), zeros.data());
  for (std::size_t k = 0; k < n_columns(); ++k) from[k] = block.data() + k * kChunk;
  for (std::size_t first = 0; first < n_rows_; first += kChunk) {
    const std::size_t n = std::min(kChunk, n_rows_ - first);
    std::iota(rows.begin(), rows.end(), static_cast<std::int64_t>(first));
    columns.Copy(std::span(rows).first(n), kChunk, block.data());
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
