// Distances from rows to the nearest rows of another set.
#pragma once

#include <cstdint>
#include <vector>

#include "crossfold/cancel_token.h"
#include "crossfold/dataset.h"

namespace crossfold {

// The nearest three rows of a set; distances are infinite if there are fewer.
struct NearRows {
  std::int64_t nearest = -1;  // row id, -1 = none
  double distance = 0;        // > 0: equal rows do not count
  double second = 0;          // >= distance
  double third = 0;           // >= second
};

// For each row of `rows` the nearest ones of `among` (both views of one dataset) with equal
// categories and booleans and with the same missing entries. The distance is the Euclidean one over
// the numbers, each divided by its standard deviation in `among`; a column without any spread there
// does not count. A row is not a neighbour of itself (by id). Of equal distances, the earlier row
// counts. Takes at most O(rows x among x features), and 8 bytes per number of `among`.
std::vector<NearRows> FindNearRows(const DataView& rows, const DataView& among,
                                   const CancelToken* cancel = nullptr);

}  // namespace crossfold
