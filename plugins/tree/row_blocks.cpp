#include "row_blocks.h"

#include <algorithm>
#include <cmath>

#include "../feature_text.h"

namespace crossfold::bundled::tree {

namespace {

constexpr std::size_t kBlockEntries = 4096;  // 32 KB
constexpr std::size_t kFewestRows = 16;

}  // namespace

RowBlocks::RowBlocks(const plugin::FeatureView& rows)
    : rows_(rows), width_(static_cast<std::size_t>(rows.num_features())) {
  block_ = std::max(kFewestRows, kBlockEntries / std::max<std::size_t>(width_, 1));
}

bool RowBlocks::Next() {
  const auto n = static_cast<std::size_t>(rows_.num_rows());
  first_ += size_;
  size_ = std::min(block_, n - first_);
  if (size_ == 0) return false;
  entries_.resize(size_ * width_);
  has_missing_ = false;
  for (std::size_t j = 0; j < width_; ++j) ReadColumn(j);
  return true;
}

// False if one of them is not finite.
template <class T>
bool RowBlocks::CopyNumbers(const void* data, std::size_t j) {
  const T* numbers = static_cast<const T*>(data);
  // x - x is 0 for finite numbers only: one sum says whether all are.
  double not_finite = 0;
  for (std::size_t i = 0; i < size_; ++i) {
    const auto x = static_cast<double>(numbers[rows_.entry(static_cast<std::int64_t>(first_ + i))]);
    not_finite += x - x;
    entries_[i * width_ + j] = x;
  }
  return not_finite == 0;
}

void RowBlocks::ReadColumn(std::size_t j) {
  const auto feature = static_cast<std::int64_t>(j);
  const cf_column& column = rows_.column(feature);
  bool finite = true;
  if (column.validity == nullptr && column.dtype == CF_F64) {
    finite = CopyNumbers<double>(column.data, j);
  } else if (column.validity == nullptr && column.dtype == CF_I64) {
    finite = CopyNumbers<std::int64_t>(column.data, j);
  } else {
    for (std::size_t i = 0; i < size_; ++i) {
      const double x = rows_.x(static_cast<std::int64_t>(first_ + i), feature);
      finite = finite && std::isfinite(x);
      entries_[i * width_ + j] = x;
    }
  }
  if (finite) return;
  for (std::size_t i = 0; i < size_; ++i) RefuseInfinite(rows_, feature, entries_[i * width_ + j]);
  has_missing_ = true;
}

}  // namespace crossfold::bundled::tree
