// Counting the calls of the items of a batch.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "crossfold/work_plan.h"
#include "engine/plan/sharing.h"

namespace crossfold {

// The calls that one item makes.
struct ItemCounts {
  std::uint64_t fits = 0, transform_fits = 0, passes = 0;
};

// `memory`: bytes for the predictions of a pass; settings that do not fit go into another pass.
ItemCounts CountItem(std::span<const CellBlock> blocks, const WorkList& list, const WorkItem& item,
                     std::uint64_t memory);

// Counts all items. `workers` run at the same time.
WorkPlan CountWork(std::span<const CellBlock> blocks, const WorkList& list, int workers,
                   std::uint64_t memory);

}  // namespace crossfold
