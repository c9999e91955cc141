// What is wrong with splits that somebody made for the rows of a view. Rows, folds and repeats
// count from 1 in these sentences, as users count them.
#pragma once

#include <span>
#include <string>

#include "crossfold/split.h"

namespace crossfold {

// The first problem, as in "fold 3 of repeat 1 has no rows"; "" = none.
std::string FindPartitionProblem(const DataView& view, std::span<const Partition> repeats);
// Same, for lists of positions.
std::string FindListProblem(const DataView& view, std::span<const SplitRows> positions);

}  // namespace crossfold
