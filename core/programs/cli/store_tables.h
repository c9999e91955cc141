// What the commands of stores print.
#pragma once

#include <string>
#include <vector>

#include "crossfold/rescore.h"
#include "crossfold/store_gc.h"
#include "crossfold/store_merge.h"
#include "crossfold/store_repair.h"
#include "crossfold/store_status.h"
#include "crossfold/table.h"

namespace crossfold::cli {

// One row a dataset and learner.
Table StatusTable(const StoreStatus& status);
// The lines under it: runs, and what the whole store has.
std::string StatusText(const StoreStatus& status);
std::string GcText(const GcReport& report);
std::string RepairText(const RepairReport& report);
std::string MergeText(const MergeReport& report);
// Why scores are undefined: the first of each reason, and how often. "" = all are defined.
std::string UndefinedText(const Rescored& rescored);
// What is damaged and left out: how much, and the first ones by name. "" = nothing. No `store`: the
// names say which one it is.
std::string DamageText(const std::vector<std::string>& damaged, const std::string& store);

}  // namespace crossfold::cli
