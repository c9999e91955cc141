// Folds that were put together in a script, as those of ensembles: what makes their predictions is
// not in the store, but their scores can be computed again.
#pragma once

#include <vector>

#include "crossfold/plugin_host.h"
#include "crossfold/store_verify.h"
#include "store/store_reader.h"

namespace crossfold {

// One for each of them, of all runs whose rows are whole. "Equal": the scores that the experiment
// noted are those of the stored prediction.
std::vector<VerifiedCell> VerifyComposed(StoreReader& reader, const PluginHost& plugins);

}  // namespace crossfold
