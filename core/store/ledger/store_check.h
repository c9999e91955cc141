// Looking for damaged, missing and added rows in all tables of a store.
#pragma once

#include <string>
#include <vector>

#include "store/cells/sqlite.h"

namespace crossfold {

enum class CheckDepth {
  kTables,  // rows of small tables, and how many of the others there are
  kRows,    // every row
  kFile,    // also the structure of the file, with its indices
};

// Names of what is damaged. One pass over what is looked at.
std::vector<std::string> FindDamage(Database& db, CheckDepth depth);

// The part of it that is about rows whose series, run or another row that they refer to is not
// there: "2 rows of table 'wanted', as row 1 of table 'runs' is missing".
std::vector<std::string> FindRowsWithoutParent(Database& db);

}  // namespace crossfold
