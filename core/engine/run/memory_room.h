// A check that the predictions that a run keeps fit into memory.
#pragma once

#include <span>

#include "crossfold/cell.h"

namespace crossfold {

// Throws Error(kOutOfMemory), with the size and the way out, if the predictions that the outcomes
// keep exceed the memory of the machine or the limit of this process.
void RequireRoom(std::span<const CellBlock> blocks);

}  // namespace crossfold
