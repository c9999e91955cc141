// Finds rows whose features are equal.
#pragma once

#include <cstdint>
#include <vector>

#include "crossfold/dataset.h"

namespace crossfold {

// For each row of `view` the position (0-based) of the first row of it with the same features: its
// own position if there is none before. Missing equals missing, and -0 equals 0. Takes O(rows x
// features), and a sort of the rows.
std::vector<std::int64_t> FirstEqualRows(const DataView& view);

}  // namespace crossfold
