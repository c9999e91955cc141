// Finds where two datasets with the same number of rows differ.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "crossfold/dataset.h"

namespace crossfold {

enum class ColumnFate { kChanged, kGone, kNew };

struct ColumnChange {
  std::string column;
  ColumnFate fate = ColumnFate::kChanged;
  std::int64_t count = 0;      // kChanged: rows with another entry
  std::int64_t first_row = 0;  // and the first of these, a row id
};

// The columns of `before` and `after` (roles included) that differ in one of `rows` (ids, 0-based):
// a different entry, compared as number or as the name of a category, or an entry missing in only
// one. NaN is missing. The columns of `before` come first in their order, then the new ones.
// REQUIRES: both have the rows.
std::vector<ColumnChange> FindColumnChanges(const Dataset& before, const Dataset& after,
                                            std::span<const std::int64_t> rows);

}  // namespace crossfold
