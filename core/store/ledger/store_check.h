// Finds damaged, missing and added rows in all tables of a store.
#pragma once

#include <string>
#include <vector>

#include "store/cells/sqlite.h"

namespace crossfold {

enum class CheckDepth {
  kTables,  // rows of small tables, and the number of rows of the others
  kRows,    // every row
  kFile,    // also the structure of the file, with its indices
};

// The names of what is damaged, found in one pass over what is checked.
std::vector<std::string> FindDamage(Database& db, CheckDepth depth);

// The part of it about rows that refer to a missing series, run or another row: "2 rows of table
// 'wanted', as row 1 of table 'runs' is missing".
std::vector<std::string> FindRowsWithoutParent(Database& db);

}  // namespace crossfold
