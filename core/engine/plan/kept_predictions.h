// How much memory the predictions take that outcomes keep.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "crossfold/cell.h"

namespace crossfold {

// Number of test rows of every split.
std::vector<std::int64_t> TestSizes(const SplitPlan& plan);

// Bytes of the predictions that the outcomes of these cells keep.
std::uint64_t PredictionBytes(std::span<const CellBlock> blocks);

}  // namespace crossfold
