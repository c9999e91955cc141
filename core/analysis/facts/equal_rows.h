// Finds and counts rows of a dataset that are equal.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "analysis/facts/content_keys.h"
#include "crossfold/dataset.h"

namespace crossfold {

// For each row of `view` the position (0-based) of the first row of it with the same features: its
// own position if there is none before. Missing equals missing, and -0 equals 0. Takes O(rows x
// features), and a sort of the rows.
std::vector<std::int64_t> FirstEqualRows(const DataView& view);

struct DuplicateRows {
  std::int64_t n_duplicates = 0;     // an earlier row has the same features and target
  std::int64_t n_contradicting = 0;  // another row has the same features and another target
};

// Rows are compared entry by entry where their hashes are equal. `target` has one key per row, or
// is empty. Without features no rows are equal.
DuplicateRows FindDuplicateRows(const DataView& view, std::span<const ContentKeys> features,
                                std::span<const std::uint64_t> target, int threads);

}  // namespace crossfold
