// The memory of the predictions that outcomes keep.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "crossfold/cell.h"

namespace crossfold {

// Returns the number of test rows of each split.
std::vector<std::int64_t> TestSizes(const SplitPlan& plan);

// A prediction of that many test rows or more may be kept packed: without the row ids, which follow
// from the split, and with labels in as few bytes as the classes need.
inline constexpr std::int64_t kPackedRows = 1 << 16;

// Returns the bytes of the predictions that the outcomes of these cells keep. `packs`: large ones
// are packed.
std::uint64_t PredictionBytes(std::span<const CellBlock> blocks, bool packs = false);

}  // namespace crossfold
