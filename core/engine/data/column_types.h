// Types of columns as readers are asked for them (ColumnType) and as columns have them (CF_...).
#pragma once

#include <cstdint>

#include "crossfold/column_types.h"

namespace crossfold {

// kInfer and kIgnore, which no column has, give CF_F64.
std::int32_t DtypeOf(ColumnType type);
ColumnType ColumnTypeOf(std::int32_t dtype);

}  // namespace crossfold
