// Finds what makes given splits impossible in practice, or every score too good: later rows train
// for earlier test rows, and groups, such as the visits of one patient, have rows on both sides of
// a split.
#pragma once

#include <string>
#include <vector>

#include "crossfold/cancel_token.h"
#include "crossfold/split.h"

namespace crossfold {

// Whether a split trains on rows that are in time between its test rows; or on both sides of a
// single time that is tested, with no time left out between. It is false for splits that train on
// the past, for test rows in one block of time, and for data without a time column. Takes O(rows
// log rows), or in proportion to the length of lists.
bool MixesPastAndFuture(const SplitPlan& plan, const CancelToken* cancel = nullptr);

// Levels of categorical features that are in test rows of a split and in none of its training rows,
// so that its models cannot know them: one sentence for each such feature, with the number of
// levels and of rows. Takes time proportional to the rows of all partitions, or lists.
std::vector<std::string> FindUnseenLevels(const SplitPlan& plan,
                                          const CancelToken* cancel = nullptr);

// Throws Error (kInvalidArgument) if a split of the plan tests a row of a group that also has a row
// in its training part; does nothing for data without groups. The message names the splits as
// `name`, the first such pair of rows of the whole dataset, counted from 1, and ends with
// `way_out`. Takes time proportional to the rows of all splits.
void RefuseTornGroups(const SplitPlan& plan, const std::string& name, const std::string& way_out);

}  // namespace crossfold
