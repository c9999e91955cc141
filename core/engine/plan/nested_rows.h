// One trial of a learning curve: test rows, and an order of the training rows whose beginnings are
// the training sets, so that each contains the smaller ones.
#pragma once

#include <cstdint>
#include <vector>

#include "crossfold/dataset.h"

namespace crossfold {

struct NestedRows {
  std::vector<std::int64_t> test;   // positions in the view, ascending
  std::vector<std::int64_t> train;  // positions in the order in which they are drawn
};

// Draws `test_count` rows of the view for the test; all others are training rows. With `stratify`
// every beginning of the training rows, and the test rows, have the shares of the view: strata are
// those of the dataset if it declares them, else the classes. Rows of one group are all test or all
// training rows; the test then takes whole groups, in the order of the draw, up to the first at
// which it has `test_count` rows or more, and is not stratified. Throws Error if test_count leaves
// no training row, or strata are asked for and there are none.
NestedRows DrawNestedRows(const DataView& view, std::int64_t test_count, bool stratify,
                          std::uint64_t seed);

}  // namespace crossfold
