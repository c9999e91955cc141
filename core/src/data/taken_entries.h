// Columns made of some entries of another one.
#pragma once

#include <cstdint>
#include <span>

#include "crossfold/dataset.h"

namespace crossfold {

// A column that borrows from `column`, which must outlive it and has `n_rows` entries.
Column Borrowed(const cf_column& column, std::int64_t n_rows);

// Entry i is entry sources[i] of `from`; a source of -1 gives 0, false or the first level, never a
// missing entry. The result owns its memory.
Column TakeEntries(const Column& from, std::span<const std::int64_t> sources);

}  // namespace crossfold
