// Finds columns of a dataset that hold the same information.
#pragma once

#include <span>
#include <vector>

#include "analysis/facts/column_facts.h"

namespace crossfold {

struct EqualColumns {
  std::vector<const ColumnContent*> columns;  // two or more, in the order of the data
  bool same_content = false;                  // false: equal but for the names of the values
};

// The equal features; constant columns and those without entries are left out.
std::vector<EqualColumns> FindEqualColumns(const DataView& view,
                                           std::span<const ColumnContent> columns);

}  // namespace crossfold
