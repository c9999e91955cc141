// Finds the rows that meet a condition, as in "age > 60 and sex = female".
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "crossfold/dataset.h"

namespace crossfold {

// One number per row: 1 = in the subgroup. The expression is conditions "COLUMN OP VALUE" joined by
// "and"; OP is one of = != < <= > >=. Values are numbers, true or false, or the name of a level;
// levels that have an order can be compared by it. Names and values that contain operators or " and
// " must be in single or double quotes. A row with a missing entry in one of the columns is not in
// the subgroup. Throws an Error that lists every problem, as in "cannot use subgroup 'agee>60':
// dataset 'people' has no column 'agee'; did you mean 'age'? known: age, sex".
std::vector<std::uint8_t> SubgroupRows(const std::string& expression, const Dataset& data);

// The columns that the conditions of an expression name, in its order. Throws an Error as
// SubgroupRows does where it is none; whether a dataset has the columns is not checked.
std::vector<std::string> SubgroupColumns(const std::string& expression);

}  // namespace crossfold
