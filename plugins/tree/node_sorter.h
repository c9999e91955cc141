// Sorts a column's rows at a node if they are not kept sorted.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "columns.h"
#include "split_search.h"

namespace crossfold::bundled::tree {

// Sorts a column's rows at a node by (rank, row).
class NodeSorter {
 public:
  std::span<const std::uint64_t> Sort(const TrainingColumn& column,
                                      std::span<const std::uint32_t> rows) {
    items_.clear();
    const std::size_t n_ranks = column.distinct.size();
    if (rows.size() >= 16 && n_ranks <= 4 * rows.size()) {
      Count(column, rows, n_ranks);
      return items_;
    }
    for (const std::uint32_t row : rows) {
      const std::uint32_t rank = column.ranks[row];
      if (rank != kMissingRank) items_.push_back(PackItem(rank, row));
    }
    // Rows come in ascending order, so a constant column is sorted: common in sparse data.
    if (!std::is_sorted(items_.begin(), items_.end())) std::sort(items_.begin(), items_.end());
    return items_;
  }

 private:
  void Count(const TrainingColumn& column, std::span<const std::uint32_t> rows,
             std::size_t n_ranks) {
    next_.assign(n_ranks, 0);
    std::size_t present = 0;
    for (const std::uint32_t row : rows) {
      const std::uint32_t rank = column.ranks[row];
      if (rank == kMissingRank) continue;
      ++next_[rank];
      ++present;
    }
    std::uint32_t begin = 0;
    for (std::uint32_t& n : next_) begin += std::exchange(n, begin);
    items_.resize(present);
    for (const std::uint32_t row : rows) {
      const std::uint32_t rank = column.ranks[row];
      if (rank != kMissingRank) items_[next_[rank]++] = PackItem(rank, row);
    }
  }

  std::vector<std::uint64_t> items_;
  std::vector<std::uint32_t> next_;
};

}  // namespace crossfold::bundled::tree
