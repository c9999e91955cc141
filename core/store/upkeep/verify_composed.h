// Folds that a script combined from cells, as ensembles do, or imported. The store does not say how
// their predictions were made, but their scores can be computed again.
#pragma once

#include <vector>

#include "crossfold/plugin_host.h"
#include "crossfold/store_verify.h"
#include "store/ledger/store_reader.h"

namespace crossfold {

// Gives one result for each such fold of all runs whose rows are undamaged. "Equal" means that the
// recorded scores are those of the stored prediction.
std::vector<VerifiedCell> VerifyComposed(StoreReader& reader, const PluginHost& plugins);

}  // namespace crossfold
