// Conversion of columns of a source to the types that were requested.
#pragma once

#include <string>

#include "crossfold/dataset.h"
#include "crossfold_plugin/source.h"

namespace crossfold {

// Returns the column with the type of `hint`, or the same column if it has that type. Numbers are
// converted only if their values stay exactly the same. Entries of any type can become levels, by
// their text. Throws Error(kBadData) "<attempt>column 'age', row 7: ..." for an entry that does not
// fit.
Column WantedColumn(Column column, const cf_column_hint& hint, const std::string& attempt);

}  // namespace crossfold
