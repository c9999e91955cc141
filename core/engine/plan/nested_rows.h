// The rows of one trial of a learning curve: test rows, and an order of the training rows. Its
// beginnings are the training sets, so that each set contains the smaller ones.
#pragma once

#include <cstdint>
#include <vector>

#include "crossfold/dataset.h"

namespace crossfold {

struct NestedRows {
  std::vector<std::int64_t> test;   // positions in the view, ascending
  std::vector<std::int64_t> train;  // positions in the order in which they are drawn
};

// Draws `test_count` rows of the view for the test; all others are training rows. With `stratify`,
// the test rows and every beginning of the training rows have the class shares of the view (or the
// shares of the strata, if the dataset declares them). Rows of one group are all test rows or all
// training rows. The test then takes whole groups in the order of the draw until it has
// `test_count` rows or more, and is not stratified. Throws Error if test_count leaves no training
// row, or if `stratify` is set and there are no strata.
NestedRows DrawNestedRows(const DataView& view, std::int64_t test_count, bool stratify,
                          std::uint64_t seed);

}  // namespace crossfold
