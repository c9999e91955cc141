// Splits as packed fields (encoding/fields.h): for partitions 0, then 0 (all rows) or 1 and the ids
// of the view's rows, then a list of partitions (folds (4), list of fold numbers (4)); for lists 1
// and a list of training and test row ids.
#pragma once

#include <cstdint>
#include <memory>

#include "crossfold/split.h"
#include "encoding/fields.h"

namespace crossfold {

void WriteSplits(const SplitPlan& plan, FieldWriter& fields);
// Writes the repeat or the list of `split` alone, as WriteSplits does for a plan that has no other.
void WriteSplitsOf(const SplitPlan& plan, std::int64_t split, FieldWriter& fields);

// Reads splits with the same numbers and rows. Throws plugin::Error for bytes that WriteSplits did
// not write, Error for splits that do not fit the dataset.
std::shared_ptr<const SplitPlan> ReadSplits(FieldReader& fields,
                                            std::shared_ptr<const Dataset> data);

}  // namespace crossfold
