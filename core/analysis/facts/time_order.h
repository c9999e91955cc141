// Splits of data with a time column that a model in use could not have: later rows train for
// earlier test rows.
#pragma once

#include "crossfold/cancel_token.h"
#include "crossfold/split.h"

namespace crossfold {

// Whether a split trains on rows that are in time between its test rows; or on both sides of a
// single time that is tested, with no time left out between. Neither goes for splits that train on
// the past, nor for test rows in one block of time. False for data without a time column. O(rows
// log rows), or for lists as long as these are.
bool MixesPastAndFuture(const SplitPlan& plan, const CancelToken* cancel = nullptr);

}  // namespace crossfold
