// The entries of a view row by row, a block of rows at a time, so that they stay in the cache and
// no copy of all rows is made.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "crossfold_plugin/view.hpp"

namespace crossfold::bundled::tree {

class RowBlocks {
 public:
  explicit RowBlocks(const plugin::FeatureView& rows);

  // Reads the next rows; false = there are no more. Throws Error for an infinite entry.
  bool Next();

  std::size_t first() const { return first_; }  // place of the block's first row in the view
  std::size_t size() const { return size_; }
  const double* row(std::size_t i) const { return entries_.data() + i * width_; }
  bool has_missing() const { return has_missing_; }  // an entry of the block is NaN

 private:
  void ReadColumn(std::size_t j);
  template <class T>
  bool CopyNumbers(const void* data, std::size_t j);

  plugin::FeatureView rows_;
  std::size_t width_, block_ = 0;
  std::size_t first_ = 0, size_ = 0;
  bool has_missing_ = false;
  std::vector<double> entries_;
};

}  // namespace crossfold::bundled::tree
