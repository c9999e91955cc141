// Measuring test sets of which only the rows are known.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "crossfold/dataset.h"
#include "crossfold/test_sets.h"

namespace crossfold {

// The same as MeasureTestSets of splits; `sets` has the row ids of each.
TestSets MeasureTestRows(const Dataset& data, std::span<const std::vector<std::int64_t>> sets);

}  // namespace crossfold
