// The rows of a training set that a learner only validates on (crossfold.validation/1).
#pragma once

#include <cstdint>
#include <vector>

#include "crossfold/dataset.h"

namespace crossfold {

// Row ids of the dataset. Both parts keep the order in which the rows came.
struct ValidationRows {
  std::vector<std::int64_t> train, validation;
};

// Holds out about `share` of the rows, at least one, and leaves at least one. All copies of a row
// are on the same side. What is held out does not depend on the order of the rows:
//   * with a time column: the last rows in time; rows of one time stay together;
//   * with groups: whole groups, drawn with `seed`, or those that end last in time;
//   * otherwise rows that are drawn with `seed`, stratified by the strata of the dataset or, in
//     classification, by the classes.
// Throws Error if the rows cannot be divided. REQUIRES: 0 < share < 1.
ValidationRows HoldOut(const DataView& rows, double share, std::uint64_t seed);

}  // namespace crossfold
