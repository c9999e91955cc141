// Matches the cells of two runs.
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "store/ledger/ledger_places.h"
#include "store/ledger/store_reader.h"

namespace crossfold {

// At least one of the two is there.
struct CellPair {
  const LedgerPlace* a = nullptr;
  const LedgerPlace* b = nullptr;
};

// Matches cells by the names in the experiments: dataset, learner, inner or outer, candidate,
// repeat, fold; outer cells also match if only the candidate differs. Among several with the same
// names, those are matched that have the key in common, then those with the same splits and seed,
// then those with the same splits, then the rest. The pairs are in the order of the names.
std::vector<CellPair> PairCells(StoreReader& a, const LedgerPlaces& places_a, StoreReader& b,
                                const LedgerPlaces& places_b);

}  // namespace crossfold
