// Finds what makes given splits impossible in practice, or every score too good: later rows train
// for earlier test rows, and groups, such as the visits of one patient, have rows on both sides of
// a split.
#pragma once

#include <cstdint>
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

// Returns for each split the first one with the same training rows and the same test rows, in any
// order: itself, or one before it. Repeats of few groups come back to the same folds, and a score
// that comes back says nothing new. Takes time proportional to the rows of all partitions or lists.
std::vector<std::int64_t> FirstSameSplits(const SplitPlan& plan,
                                          const CancelToken* cancel = nullptr);

// The number of groups of the rows of a plan, or of rows if there are no groups. However many
// different splits are made of few groups, their scores vary no more freely than the groups do.
std::int64_t CountUnits(const SplitPlan& plan);

// Whether two plans of the same data, both made of partitions or both of lists, have the same
// splits, in any order.
bool HaveSameSets(const SplitPlan& a, const SplitPlan& b, const CancelToken* cancel = nullptr);

// Throws Error (kInvalidArgument) if a split of the plan tests a row of a group that also has a row
// in its training part; does nothing for data without groups. The message names the splits as
// `name`, the first such pair of rows of the whole dataset, counted from 1, and ends with
// `way_out`. Takes time proportional to the rows of all splits.
void RefuseTornGroups(const SplitPlan& plan, const std::string& name, const std::string& way_out);

}  // namespace crossfold
