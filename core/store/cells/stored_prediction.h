// Reads one prediction of a store again, without running or counting anything.
#pragma once

#include <cstdint>
#include <optional>

#include "crossfold/cell.h"
#include "crossfold/cell_store.h"
#include "crossfold/outcome.h"
#include "store/cells/test_rows.h"

namespace crossfold {

// Returns what the block keeps of the stored prediction of its split; nullopt = the store has no
// usable one. `share`: RunOptions::share of the run that stored it. `tests` may serve several calls.
// Thread-safe. Throws Error if the file cannot be read.
std::optional<Prediction> FindStoredPrediction(CellStore& store, const CellBlock& block,
                                               std::int64_t split, bool share, TestRows& tests);

}  // namespace crossfold
