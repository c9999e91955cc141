// Finds splits of data with a time column that are impossible in practice: later rows train for
// earlier test rows.
#pragma once

#include "crossfold/cancel_token.h"
#include "crossfold/split.h"

namespace crossfold {

// Whether a split trains on rows that are in time between its test rows; or on both sides of a
// single time that is tested, with no time left out between. It is false for splits that train on
// the past, for test rows in one block of time, and for data without a time column. Takes O(rows
// log rows), or in proportion to the length of lists.
bool MixesPastAndFuture(const SplitPlan& plan, const CancelToken* cancel = nullptr);

}  // namespace crossfold
