// The memory of the predictions that outcomes keep.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "crossfold/cell.h"

namespace crossfold {

// Returns the number of test rows of each split.
std::vector<std::int64_t> TestSizes(const SplitPlan& plan);

// Returns the bytes of the predictions that the outcomes of these cells keep.
std::uint64_t PredictionBytes(std::span<const CellBlock> blocks);

}  // namespace crossfold
