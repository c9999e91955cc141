// Rows that a condition holds for, as in "age > 60 and sex = female".
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "crossfold/dataset.h"

namespace crossfold {

// One number a row: 1 = in the subgroup. The expression is conditions "COLUMN OP VALUE" joined by
// "and"; OP is one of = != < <= > >=. Values are numbers, true or false, or the name of a level;
// levels that have an order can be compared by it. Names and values with operators or " and " in
// them stand between single or double quotes. A row with a missing entry in one of the columns is
// not in the subgroup. Throws Error that lists every problem: "cannot use subgroup 'agee>60':
// dataset 'people' has no column 'agee'; did you mean 'age'? known: age, sex".
std::vector<std::uint8_t> SubgroupRows(const std::string& expression, const Dataset& data);

}  // namespace crossfold
