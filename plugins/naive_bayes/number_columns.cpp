#include "number_columns.h"

#include <algorithm>
#include <array>
#include <cmath>

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

}  // namespace crossfold::bundled
