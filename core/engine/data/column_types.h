// The types of columns (CF_...) for those that readers are asked for (ColumnType).
#pragma once

#include <cstdint>

#include "crossfold/column_types.h"

namespace crossfold {

// Returns CF_F64 for kInfer and kIgnore, which no column has.
std::int32_t DtypeOf(ColumnType type);

}  // namespace crossfold
