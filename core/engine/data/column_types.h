// Conversions between the types that readers are asked for (ColumnType) and those of columns
// (CF_...).
#pragma once

#include <cstdint>

#include "crossfold/column_types.h"

namespace crossfold {

// Returns CF_F64 for kInfer and kIgnore, which no column has.
std::int32_t DtypeOf(ColumnType type);
ColumnType ColumnTypeOf(std::int32_t dtype);

}  // namespace crossfold
