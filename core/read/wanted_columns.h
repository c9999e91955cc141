// Columns of a source, brought to the types that were asked for.
#pragma once

#include <string>

#include "crossfold/dataset.h"
#include "crossfold_plugin/source.h"

namespace crossfold {

// The column as `hint` wants it; the same one if the source has kept to it. Numbers become others
// that hold exactly the same values, and whatever it is, its texts become levels. Throws
// Error(kBadData) "<attempt>column 'age', row 7: ..." for an entry that does not fit.
Column WantedColumn(Column column, const cf_column_hint& hint, const std::string& attempt);

}  // namespace crossfold
