// Columns kept sorted down the tree: a node's rows are one stretch of every column, and a split
// divides the stretch stably. Only without missing entries, so that a row is in one node.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "split_search.h"

namespace crossfold::bundled::tree {

// Where a node's rows are in a kept column.
struct Stretch {
  std::size_t begin = 0, size = 0;
};

// Whether columns with more than kFewValues values are kept sorted, if no entry is missing.
inline bool KeepsColumnsSorted(const GrowOptions& options, std::size_t n_features) {
  const auto tried = static_cast<std::size_t>(options.features_per_node);
  // Dividing all columns costs more than sorting the few that a node looks at.
  return tried == 0 || tried * 4 >= n_features;
}

class SortedStretches {
 public:
  // `counted`: rows of a column's most frequent value are left out, as their classes are what the
  // other rows leave of the node's.
  SortedStretches(const GrowOptions& options, const TrainingColumns& columns,
                  std::span<const double> weights, bool counted);

  // One for each kept column; there may be none.
  std::vector<Stretch> Root() const;
  std::span<const SortedColumn> At(std::span<const Stretch> node);
  // `part_of_row`: which of `n_parts` parts each row of the node goes to. Writes the parts'
  // stretches to `parts`, part by part.
  void Divide(std::span<const Stretch> node, std::span<const std::uint32_t> part_of_row,
              std::size_t n_parts, std::vector<Stretch>& parts);

 private:
  struct Column {
    std::size_t feature = 0;
    std::vector<std::uint64_t> items;
  };

  void Keep(std::size_t feature, const TrainingColumn& column, std::span<const double> weights,
            bool leaves_out);
  std::size_t DivideInTwo(std::uint64_t* items, std::size_t size,
                          std::span<const std::uint32_t> part_of_row);
  void DivideInMany(std::uint64_t* items, std::size_t size,
                    std::span<const std::uint32_t> part_of_row, std::vector<std::size_t>& sizes);

  std::vector<Column> kept_;
  std::vector<SortedColumn> columns_;  // of all features, at the last node
  std::vector<std::uint64_t> scratch_;
};

}  // namespace crossfold::bundled::tree
