// What is striking about the levels of a column of categories.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "analysis/facts/column_facts.h"

namespace crossfold {

// Findings in a fixed order; none for columns of other types.
std::vector<DataFinding> FindInLevels(const ColumnContent& content);

// A name or level as findings show it, as in 'age'.
std::string Quoted(std::string_view text);
// "12.5%" of a share in 0 .. 1; "<0.1%" and ">99.9%" for what is not 0 and not 1.
std::string Percent(double share);

}  // namespace crossfold
