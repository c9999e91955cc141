// Sorts a column's rows at a node if they are not kept sorted.
#pragma once

#include <algorithm>
#include <array>
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

  // The rows that do not have the column's most frequent rank, by rank. REQUIRES: no entry of the
  // column is missing, and it has a most frequent rank.
  std::span<const std::uint64_t> SortOthers(const TrainingColumn& column,
                                            std::span<const std::uint32_t> rows) {
    // Longer than it needs to be, so that it is not filled with zeros again and again.
    others_.resize(std::max(others_.size(), rows.size()));
    std::size_t n = 0;
    for (const std::uint32_t row : rows) {
      const std::uint32_t rank = column.ranks[row];
      others_[n] = PackItem(rank, row);
      // There is no branch, because the next rank cannot be predicted.
      n += rank != column.frequent_rank ? 1 : 0;
    }
    if (n < kFewItems) {
      std::sort(others_.begin(), others_.begin() + static_cast<std::ptrdiff_t>(n));
    } else {
      SortByRank(n, column.distinct.size());
    }
    return {others_.data(), n};
  }

 private:
  static constexpr std::size_t kFewItems = 48;

  // The first `n` of others_, digit by digit, from the lowest.
  void SortByRank(std::size_t n, std::size_t n_ranks) {
    constexpr std::size_t kDigitBits = 6, kDigits = std::size_t{1} << kDigitBits;
    scratch_.resize(others_.size());
    for (std::size_t shift = 0; shift == 0 || (n_ranks - 1) >> shift != 0; shift += kDigitBits) {
      const auto digit = [shift](std::uint64_t item) {
        return (RankOf(item) >> shift) & (kDigits - 1);
      };
      std::array<std::uint32_t, kDigits> next{};
      for (std::size_t i = 0; i < n; ++i) ++next[digit(others_[i])];
      std::uint32_t begin = 0;
      for (std::uint32_t& place : next) begin += std::exchange(place, begin);
      for (std::size_t i = 0; i < n; ++i) scratch_[next[digit(others_[i])]++] = others_[i];
      others_.swap(scratch_);
    }
  }

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

  std::vector<std::uint64_t> items_, others_, scratch_;
  std::vector<std::uint32_t> next_;
};

}  // namespace crossfold::bundled::tree
