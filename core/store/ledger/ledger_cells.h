// Reads the cells of one learner on one dataset.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "crossfold/store_ledger.h"
#include "crossfold/stored_cells.h"
#include "store/cells/stored_prediction.h"
#include "store/cells/stored_table.h"
#include "store/ledger/store_reader.h"

namespace crossfold {

// `ranges` are those of the learner and the dataset of the query. `lost` means that some of them
// are damaged, and any cell may belong to one of these. `tests` has the test rows of the query's
// splits.
StoredCells ReadCells(StoreReader& reader, const LedgerQuery& query,
                      std::span<const WantedRange> ranges, bool lost,
                      std::shared_ptr<TestRows> tests, std::vector<std::string>& damaged);

}  // namespace crossfold
