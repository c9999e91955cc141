// Finds given splits that divide groups, such as the visits of one patient: rows of a group on both
// sides of a split make every score too good.
#pragma once

#include <string>

#include "crossfold/split.h"

namespace crossfold {

// Throws Error (kInvalidArgument) if a split of the plan tests a row of a group that also has a row
// in its training part; does nothing for data without groups. The message names the splits as
// `name`, the first such pair of rows of the whole dataset, counted from 1, and ends with
// `way_out`. Takes time proportional to the rows of all splits.
void RefuseTornGroups(const SplitPlan& plan, const std::string& name, const std::string& way_out);

}  // namespace crossfold
