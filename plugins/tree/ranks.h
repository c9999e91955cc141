// Ranking the entries of a column: equal numbers share a rank, missing ones have none.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "crossfold_plugin/view.hpp"
#include "sort_keys.h"

namespace crossfold::bundled::tree {

inline constexpr std::uint32_t kMissingRank = 0xFFFFFFFFu;

struct Ranks {
  std::vector<double> distinct;         // ascending
  std::vector<std::uint32_t> of_entry;  // into `distinct`, or kMissingRank
};

// Column j at the places `rows` of the view: 0.0 for -0.0, NaN for a missing entry.
void ReadEntries(const plugin::FeatureView& view, std::int64_t j,
                 std::span<const std::int64_t> rows, std::vector<double>& entries);

// Its buffers are used again from column to column.
class Ranker {
 public:
  Ranks Rank(std::span<const double> entries);

 private:
  bool RankFew(std::span<const double> entries, Ranks& ranks);
  void RankBySorting(std::span<const double> entries, Ranks& ranks);

  std::vector<KeyedRow> items_, scratch_;
};

// Drops the values that no entry has.
void DropUnused(Ranks& ranks);

// The entries that have a value, by (rank, place).
std::vector<std::uint32_t> SortedPlaces(std::span<const std::uint32_t> ranks,
                                        std::size_t n_distinct);

}  // namespace crossfold::bundled::tree
