// Rows without an entry.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "crossfold/dataset.h"

namespace crossfold {

// Returns the ids of the rows that have an entry in each of the columns `named`, ascending.
// REQUIRES: there is a column.
std::vector<std::int64_t> CompleteRows(std::span<const Column> columns,
                                       std::span<const std::string> named);

}  // namespace crossfold
