// Finds what is striking about the levels of a categorical column.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "analysis/facts/column_facts.h"

namespace crossfold {

// The findings are in a fixed order; there are none for columns of other types.
std::vector<DataFinding> FindInLevels(const ColumnContent& content);
// Those among them that say that the levels are numbers. REQUIRES: it is categorical.
std::vector<DataFinding> FindNumbersAsText(const ColumnContent& content);

// A name or level in quotes, as in 'age'.
std::string Quoted(std::string_view text);
// A share in 0 .. 1 as "12.5%"; "<0.1%" and ">99.9%" for shares that are not exactly 0 or 1.
std::string Percent(double share);

}  // namespace crossfold
