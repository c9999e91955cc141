// Copies what a store has of its runs into a catalog.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "crossfold/store_catalog.h"
#include "store/cells/sqlite.h"
#include "store/ledger/store_reader.h"

namespace crossfold {

struct CopiedRows {
  std::int64_t runs = 0, cells = 0;
  std::vector<std::string> damaged;  // names of what is left out
};

// Writes the rows of all tables but `stores` and `scores` for store `id`. The catalog has none of
// them.
CopiedRows CopyStore(StoreReader& store, std::int64_t id, Database& catalog);
void WriteScores(const std::vector<CatalogScore>& scores, std::int64_t id, Database& catalog);
// Removes all rows of store `id` but that in `stores`.
void RemoveRows(std::int64_t id, Database& catalog);

}  // namespace crossfold
