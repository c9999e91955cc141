// Whether what a run keeps fits into memory at all.
#pragma once

#include <span>

#include "crossfold/cell.h"

namespace crossfold {

// Throws Error(kOutOfMemory), with the size and the way out, if the predictions that the outcomes
// keep are more than the memory of the machine or than this process may have.
void RequireRoom(std::span<const CellBlock> blocks);

}  // namespace crossfold
