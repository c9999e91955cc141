// The cells of a run in an order that depends on what they are, never on how they came into the
// store.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "crossfold/store_ledger.h"
#include "store/ledger/store_reader.h"

namespace crossfold {

// A cell that a run asked for, or one that was combined in the script.
struct LedgerPlace {
  std::string dataset, learner;  // names in the experiment
  bool inner = false;
  std::string candidate;  // "" = combined
  std::int64_t occurrence = 0;
  std::int64_t repeat = 0, fold = 0;
  std::int64_t series = 0;   // 0 = combined
  std::size_t composed = 0;  // index in `composed`, if combined
};

struct LedgerPlaces {
  std::vector<LedgerPlace> places;  // in the order of Ledger::Visit
  std::vector<ComposedRecord> composed;
  std::vector<std::string> damaged;  // what cannot be placed, by name
};

// "'knn' on 'iris', repeat 1, fold 2".
std::string NameOf(const LedgerPlace& place);
// Cells whose definition is damaged: "'knn' on 'iris', 10 cells".
std::string NameOf(const WantedRange& range);
// Whether the definition of the cells of a range can be read, and its split has enough folds.
bool IsDefined(StoreReader& reader, const WantedRange& range);
// The same, but `damaged` gets the name if not, and also if some of their rows are missing.
bool IsDefined(StoreReader& reader, const WantedRange& range, std::vector<std::string>& damaged);

LedgerPlaces FindPlaces(StoreReader& reader, std::int64_t run, LedgerPart part);

}  // namespace crossfold
