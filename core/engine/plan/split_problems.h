// Checks of splits that a splitter or a user made for the rows of a view. Rows, folds and repeats
// count from 1 in the messages, as users count them.
#pragma once

#include <span>
#include <string>

#include "crossfold/split.h"

namespace crossfold {

// Returns the first problem, such as "fold 3 of repeat 1 has no rows"; "" = none.
std::string FindPartitionProblem(const DataView& view, std::span<const Partition> repeats);
// Does the same for lists of positions.
std::string FindListProblem(const DataView& view, std::span<const ListedRows> positions);

}  // namespace crossfold
