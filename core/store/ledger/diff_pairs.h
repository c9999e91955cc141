// Which cells of two runs belong together.
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "store/ledger/ledger_places.h"
#include "store/ledger/store_reader.h"

namespace crossfold {

// At least one of both is there.
struct CellPair {
  const LedgerPlace* a = nullptr;
  const LedgerPlace* b = nullptr;
};

// By the names in the experiments: dataset, learner, inner or outer, candidate, repeat, fold; outer
// cells also if only the candidate differs. Among several of the same names those go together that
// have most in common: the key, then splits and seed, then splits, then none. In the order of the
// names.
std::vector<CellPair> PairCells(StoreReader& a, const LedgerPlaces& places_a, StoreReader& b,
                                const LedgerPlaces& places_b);

}  // namespace crossfold
