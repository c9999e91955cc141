// The rows a splitter was given, in sets: all of them, or group by group (strata.h: class by
// class).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "crossfold_plugin/splitter.hpp"

namespace crossfold::bundled {

using RowSet = std::vector<std::int64_t>;  // positions

// "1 row", "7 rows".
std::string Counted(std::int64_t n, const char* noun);

// 0, 1, ..., n_rows-1.
RowSet AllRows(std::int64_t n_rows);

// All rows as one set.
std::vector<RowSet> AllRowsAsOneSet(std::int64_t n_rows);

// One ascending set for each group, in the order in which the groups first appear.
std::vector<RowSet> RowsByGroup(const plugin::SplitInput& input);

}  // namespace crossfold::bundled
