// Counts rows of a dataset that are equal.
#pragma once

#include <cstdint>
#include <span>

#include "analysis/facts/content_keys.h"

namespace crossfold {

struct DuplicateRows {
  std::int64_t n_duplicates = 0;     // an earlier row has the same features and target
  std::int64_t n_contradicting = 0;  // another row has the same features and another target
};

// Rows are compared entry by entry where their hashes are equal. `target` has one key per row, or
// is empty. Without features no rows are equal.
DuplicateRows FindDuplicateRows(const DataView& view, std::span<const ContentKeys> features,
                                std::span<const std::uint64_t> target, int threads);

}  // namespace crossfold
