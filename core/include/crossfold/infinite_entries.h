// What becomes of infinite numbers when data come in, through whatever door.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "crossfold/dataset.h"

namespace crossfold {

// Most learners and statistics cannot use an infinity, so it has to be asked for.
enum class InfiniteEntries { kRefuse, kMissing, kKeep };

// Knows "refuse", "missing" and "keep". Throws Error with the known words and the nearest one.
InfiniteEntries InfiniteEntriesFromName(std::string_view name);

// Throws Error(kBadData) "<attempt>: column 'age', row 7: the entry is infinite; ..." for the first
// infinite entry of the first column that has one; or makes such entries missing, in a copy of the
// column.
void SettleInfiniteEntries(std::vector<Column>& columns, InfiniteEntries wanted,
                           const std::string& attempt);

}  // namespace crossfold
